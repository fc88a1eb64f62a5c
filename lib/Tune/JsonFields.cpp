//===- JsonFields.cpp - Fields of a checked JSON object -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tune/JsonFields.h"

#include "Tune/Plans.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace colonnade::tune {

namespace json = llvm::json;

static constexpr size_t HashDigits = 64; // of SHA-256

bool require(bool holds, json::Path path, llvm::StringLiteral wanted) {
  if (!holds)
    path.report(wanted);
  return holds;
}

bool readText(const json::Value &value, std::string &text, json::Path path) {
  const std::optional<llvm::StringRef> given = value.getAsString();
  if (!require(given && !given->empty(), path, "expected a text"))
    return false;
  text = given->str();
  return true;
}

bool readCount(const json::Value &value, uint64_t &count, json::Path path) {
  const std::optional<int64_t> number = value.getAsInteger();
  if (!require(number && *number >= 1, path, "expected a whole number from 1 on"))
    return false;
  count = static_cast<uint64_t>(*number);
  return true;
}

bool readTime(const json::Value &value, double &microseconds, json::Path path) {
  const std::optional<double> number = value.getAsNumber();
  if (!require(number && *number > 0 && std::isfinite(*number), path, "expected a time above 0"))
    return false;
  microseconds = *number;
  return true;
}

bool readHash(const json::Value &value, std::string &hash, json::Path path) {
  hash = value.getAsString().value_or("").str();
  const bool isHash = hash.size() == HashDigits && llvm::all_of(hash, [](char c) {
                        return llvm::isDigit(c) || (c >= 'a' && c <= 'f');
                      });
  return require(isHash, path, "expected a hash");
}

bool readPlan(const json::Value &value, std::string &plan, json::Path path) {
  plan = value.getAsString().value_or("").str();
  return require(findPlan(plan).has_value(), path, "expected a plan");
}

bool readSizes(const json::Value &value, std::map<std::string, int64_t> &sizes, json::Path path) {
  const json::Object *const object = value.getAsObject();
  if (!require(object, path, "expected an object"))
    return false;
  for (const auto &[name, given] : *object) {
    const std::optional<int64_t> size = given.getAsInteger();
    if (!require(size.has_value(), path.field(name), "expected a whole number"))
      return false;
    sizes[name.str()] = *size;
  }
  return true;
}

void writeSizes(json::OStream &out, const std::map<std::string, int64_t> &sizes) {
  out.attributeObject("sizes", [&] {
    for (const auto &[name, size] : sizes)
      out.attribute(name, size);
  });
}

} // namespace colonnade::tune
