//===- Type.cpp - Properties of scalar types ------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Type.h"

namespace colonnade::ir {

unsigned sizeBytes(ScalarType type) { return (typeInfo(type).bits + 7) / 8; }
const char *name(ScalarType type) { return typeInfo(type).name; }
const char *cxxName(ScalarType type) { return typeInfo(type).cxxName; }

bool isBitField(const MemType &type) {
  return type.kind == MemType::Kind::Struct &&
         std::string_view(type.name).substr(0, BitFieldPrefix.size()) == BitFieldPrefix;
}

bool isOutsideSubset(const MemType &type) {
  return type.kind == MemType::Kind::Struct && type.fields.empty() && !type.name.empty() &&
         type.name.front() == '<' && type.name != "<" + std::string(NoValue) + ">";
}

ScalarType integerType(unsigned bytes, bool isSigned) {
  switch (bytes) {
  case 1:
    return isSigned ? ScalarType::S8 : ScalarType::U8;
  case 2:
    return isSigned ? ScalarType::S16 : ScalarType::U16;
  case 4:
    return isSigned ? ScalarType::S32 : ScalarType::U32;
  default:
    return isSigned ? ScalarType::S64 : ScalarType::U64;
  }
}

std::optional<ScalarType> parseScalarType(std::string_view text) {
  for (size_t i = 0; i < TypeInfos.size(); ++i)
    if (text == TypeInfos[i].name)
      return static_cast<ScalarType>(i);
  return std::nullopt;
}

} // namespace colonnade::ir
