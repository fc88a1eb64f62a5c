//===- SequentialNames.cpp - What the thunk calls cells and scalars -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Api/SequentialNames.h"

using namespace colonnade;
using namespace colonnade::ir;

SequentialNames::SequentialNames(const EmitInput &input, bool isC)
    : input_(input), function_(input.function), isC_(isC), interface_(interfaceOf(function_)) {
  for (size_t i = 0; i < interface_.arrays.size(); ++i)
    arrayIndex_.try_emplace(array(i).name, i);
}

const Array &SequentialNames::array(size_t index) const {
  return function_.array(interface_.arrays[index].array);
}

std::string SequentialNames::cellType(ScalarType type) const {
  if (type == ScalarType::Bool)
    return isC_ ? "_Bool" : "bool";
  if (isFloat(type))
    return cxxName(type);
  return std::string(isSigned(type) ? "__INT" : "__UINT") + std::to_string(bitWidth(type)) +
         "_TYPE__";
}

std::optional<size_t> SequentialNames::arrayIndex(llvm::StringRef name) const {
  auto found = arrayIndex_.find(name);
  return found == arrayIndex_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<size_t> SequentialNames::resultIndex() const {
  for (size_t i = 0; i < interface_.arrays.size(); ++i)
    if (array(i).role == ir::ArrayRole::Return)
      return i;
  return std::nullopt;
}

std::optional<size_t> SequentialNames::scalarIndex(llvm::StringRef name) const {
  for (size_t i = 0; i < function_.scalars.size(); ++i)
    if (function_.scalars[i].name == name)
      return i;
  return std::nullopt;
}

std::string SequentialNames::cells(size_t array) {
  return "colonnade_arrays[" + std::to_string(array) + "]";
}

std::string SequentialNames::scalarBits(size_t scalar) {
  return "&colonnade_scalars[" + std::to_string(scalar) + "]";
}

std::string SequentialNames::scalarVariable(size_t scalar) {
  return "colonnade_scalar_" + std::to_string(scalar);
}

std::string SequentialNames::countText(const SizeExpr &size) {
  if (!size.known())
    fail("an extent of a struct array is unknown");
  const auto variable = [&](const std::string &name) {
    const std::optional<size_t> scalar = scalarIndex(name);
    if (!scalar)
      fail("'" + name + "' in an extent is no uniform scalar");
    return CxxExpr{"(__INT64_TYPE__)" + scalarVariable(scalar.value_or(0)), Precedence::Unary};
  };
  return sizeExpr(size, {[](int64_t value) { return std::to_string(value); }, variable,
                         "colonnade_max", "colonnade_min", CxxExpr{"1", Precedence::Primary}})
      .within(Precedence::Unary);
}

void SequentialNames::fail(const llvm::Twine &message, std::vector<std::string> options) {
  if (!failure_.reason.empty())
    return;
  failure_ = {message.str(), std::move(options)};
}
