//===- Type.cpp - Properties of scalar types ------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Type.h"

#include <array>

namespace colonnade::ir {

namespace {
struct TypeInfo {
  const char *name;
  const char *cxxName;
  unsigned bits;
  bool isInteger, isSigned, isFloat;
};

// Indexed by ScalarType.
constexpr std::array<TypeInfo, 12> Infos = {{
    {"bool", "bool", 1, false, false, false},
    {"s8", "int8_t", 8, true, true, false},
    {"u8", "uint8_t", 8, true, false, false},
    {"s16", "int16_t", 16, true, true, false},
    {"u16", "uint16_t", 16, true, false, false},
    {"s32", "int32_t", 32, true, true, false},
    {"u32", "uint32_t", 32, true, false, false},
    {"s64", "int64_t", 64, true, true, false},
    {"u64", "uint64_t", 64, true, false, false},
    {"f32", "float", 32, false, false, true},
    {"f64", "double", 64, false, false, true},
    {"ptr", "void *", 64, false, false, false},
}};

const TypeInfo &info(ScalarType type) { return Infos[static_cast<size_t>(type)]; }
} // namespace

bool isInteger(ScalarType type) { return info(type).isInteger; }
bool isSigned(ScalarType type) { return info(type).isSigned; }
bool isFloat(ScalarType type) { return info(type).isFloat; }
unsigned bitWidth(ScalarType type) { return info(type).bits; }
unsigned sizeBytes(ScalarType type) { return (info(type).bits + 7) / 8; }
const char *name(ScalarType type) { return info(type).name; }
const char *cxxName(ScalarType type) { return info(type).cxxName; }

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
  for (size_t i = 0; i < Infos.size(); ++i)
    if (text == Infos[i].name)
      return static_cast<ScalarType>(i);
  return std::nullopt;
}

} // namespace colonnade::ir
