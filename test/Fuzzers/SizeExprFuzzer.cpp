//===- SizeExprFuzzer.cpp - Any text as a size expression -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A text is refused with a message, or is an expression that its own spelling gives again and
// that has a value, or none, for any values of its names.
//
//===----------------------------------------------------------------------===//

#include "Support/SizeExpr.h"

#include "Require.h"

using colonnade::SizeExpr;

static std::map<std::string, int64_t> valuesOf(const SizeExpr &size, int64_t first) {
  std::map<std::string, int64_t> values;
  for (const std::string &name : size.names())
    values[name] = first++;
  return values;
}

static std::map<std::string, SizeExpr> themselves(const SizeExpr &size) {
  std::map<std::string, SizeExpr> names;
  for (const std::string &name : size.names())
    names[name] = SizeExpr::name(name);
  return names;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string error;
  std::optional<SizeExpr> parsed =
      SizeExpr::parse({reinterpret_cast<const char *>(data), size}, error);
  require(parsed.has_value() == error.empty(), "an expression or a message");
  if (!parsed)
    return 0;
  std::optional<SizeExpr> again = SizeExpr::parse(parsed->str(), error);
  require(again && *again == *parsed, "the spelling gives the expression again");
  require(parsed->substitute(themselves(*parsed)) == *parsed, "names for themselves");
  const int64_t last = INT64_MAX - int64_t(parsed->names().size());
  for (int64_t first : {INT64_MIN, int64_t(-2), int64_t(7), last})
    require(parsed->evaluate(valuesOf(*parsed, first)) == again->evaluate(valuesOf(*again, first)),
            "equal expressions have equal values");
  return 0;
}
