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
  const auto binary = [&](const char *op) {
    const std::string lhs = countText(size.lhs());
    return "(" + lhs + " " + op + " " + countText(size.rhs()) + ")";
  };
  const auto call = [&](const char *function) {
    const std::string lhs = countText(size.lhs());
    return std::string(function) + "(" + lhs + ", " + countText(size.rhs()) + ")";
  };
  switch (size.kind()) {
  case SizeExpr::Kind::Constant:
    return std::to_string(*size.asConstant());
  case SizeExpr::Kind::Name: {
    std::optional<size_t> scalar = scalarIndex(size.name());
    if (!scalar)
      fail("'" + size.name() + "' in an extent is no uniform scalar");
    return "(__INT64_TYPE__)" + scalarVariable(scalar.value_or(0));
  }
  case SizeExpr::Kind::Add:
    return binary("+");
  case SizeExpr::Kind::Sub:
    return binary("-");
  case SizeExpr::Kind::Mul:
    return binary("*");
  case SizeExpr::Kind::Div:
    return binary("/");
  case SizeExpr::Kind::Rem:
    return binary("%");
  case SizeExpr::Kind::Max:
    return call("colonnade_max");
  case SizeExpr::Kind::Min:
    return call("colonnade_min");
  case SizeExpr::Kind::Unknown:
    break;
  }
  fail("an extent of a struct array is unknown");
  return "1";
}

void SequentialNames::fail(const llvm::Twine &message, std::vector<std::string> options) {
  if (!failure_.reason.empty())
    return;
  failure_ = {message.str(), std::move(options)};
}
