//===- ScalarArguments.cpp - --arg and --size to values -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Options/ScalarArguments.h"

#include "IR/Evaluate.h"

#include <colonnade/bulk/runner/scalars.hpp>

namespace colonnade {
namespace {

using Texts = std::map<std::string, std::string>;

llvm::Error checkNames(const ir::Function &function, const Texts &given) {
  for (const auto &[name, text] : given) {
    auto has = [&](const ir::ScalarParam &scalar) { return scalar.name == name; };
    if (llvm::any_of(function.scalars, has))
      continue;
    std::string known;
    for (const ir::ScalarParam &scalar : function.scalars)
      known += (known.empty() ? "; it has '" : ", '") + scalar.name + "'";
    return llvm::createStringError("--arg " + name + ": '" + function.name +
                                   "' has no uniform scalar of that name" + known);
  }
  return llvm::Error::success();
}

/// One by one, as they were given: a map would keep one of two silently.
llvm::Expected<Texts> givenTexts(const Options &options) {
  Texts given;
  for (const auto &[name, text] : options.arguments)
    if (!given.try_emplace(name, text).second)
      return llvm::createStringError("--arg " + name + " is given twice");
  return given;
}

llvm::Expected<ir::Scalar> parse(ir::ScalarType type, const std::string &name,
                                 const std::string &text) {
  ir::Scalar value{type, 0};
  if (!bulk::runner::detail::parse_scalar(cellType(type), text, value.bits))
    return llvm::createStringError("--arg " + name + ": '" + text + "' is no value of type " +
                                   ir::cxxName(type));
  return value;
}

} // namespace

bulk::cell_type cellType(ir::ScalarType type) { return static_cast<bulk::cell_type>(type); }
static_assert(static_cast<int>(ir::ScalarType::F64) == static_cast<int>(bulk::cell_type::f64) &&
              static_cast<int>(ir::ScalarType::U8) == static_cast<int>(bulk::cell_type::u8));

llvm::Expected<std::vector<std::optional<ir::Scalar>>> givenScalars(const ir::Function &function,
                                                                    const Options &options) {
  llvm::Expected<Texts> given = givenTexts(options);
  if (!given)
    return given.takeError();
  if (llvm::Error error = checkNames(function, *given))
    return error;
  std::vector<std::optional<ir::Scalar>> scalars;
  for (const ir::ScalarParam &parameter : function.scalars) {
    const std::string &name = parameter.name;
    ir::ScalarType type = function.value(parameter.value).type;
    std::optional<ir::Scalar> value;
    auto size = options.facts.sizes.find(name);
    if (size != options.facts.sizes.end())
      value = ir::exactInt(type, size->second);
    if (auto text = given->find(name); text != given->end()) {
      llvm::Expected<ir::Scalar> parsed = parse(type, name, text->second);
      if (!parsed)
        return parsed.takeError();
      if (value && parsed->bits != value->bits)
        return llvm::createStringError("--arg " + name + "=" + text->second +
                                       " contradicts --size " + name + "=" +
                                       std::to_string(size->second));
      value = *parsed;
    }
    scalars.push_back(value);
  }
  return scalars;
}

llvm::Expected<Scalars> scalarArguments(const ir::Function &function, const Options &options) {
  auto given = givenScalars(function, options);
  if (!given)
    return given.takeError();
  Scalars scalars;
  for (auto [parameter, value] : llvm::zip(function.scalars, *given)) {
    const std::string &name = parameter.name;
    if (!value)
      return llvm::createStringError("'" + function.name + "' needs a value of '" + name +
                                     "': add --arg " + name + "=VALUE (" +
                                     ir::cxxName(function.value(parameter.value).type) + ")");
    scalars.push_back(*value);
  }
  return scalars;
}

} // namespace colonnade
