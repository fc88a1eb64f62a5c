//===- Type.h - Scalar types and memory types -------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types of scalars, and of the memory that raw pointers point to.
//
// In: names and C types. Out: their widths, signedness and spellings.
// Invariant: integers carry the C width *and* signedness, because wrap-around,
// division, shifts and comparisons differ. Pointers exist in raw IR only.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_TYPE_H
#define COLONNADE_IR_TYPE_H

#include "Support/Ids.h"
#include "Support/SizeExpr.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace colonnade::ir {

enum class ScalarType : uint8_t {
  Bool, // C bool; comparison results; conditions; lane masks in kernel IR
  S8,
  U8,
  S16,
  U16,
  S32,
  U32,
  S64,
  U64,
  F32,
  F64,
  Pointer, // raw IR only
};

struct TypeInfo {
  const char *name; // "bool" "s8" … "u64" "f32" "f64" "ptr"
  const char *cxxName;
  unsigned bits; // Bool: 1; Pointer: 64
  bool isInteger, isSigned, isFloat;
};

// Indexed by ScalarType. Here, as each operation that a walk evaluates asks for it.
inline constexpr std::array<TypeInfo, 12> TypeInfos = {{
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

inline const TypeInfo &typeInfo(ScalarType type) { return TypeInfos[static_cast<size_t>(type)]; }

/// S8 … U64; not Bool
inline bool isInteger(ScalarType type) { return typeInfo(type).isInteger; }
inline bool isSigned(ScalarType type) { return typeInfo(type).isSigned; }
inline bool isFloat(ScalarType type) { return typeInfo(type).isFloat; }
/// The signed or unsigned type of 1, 2, 4 or 8 bytes.
ScalarType integerType(unsigned bytes, bool isSigned);
inline unsigned bitWidth(ScalarType type) { return typeInfo(type).bits; }
unsigned sizeBytes(ScalarType type); // in memory; Bool: 1
const char *name(ScalarType type);   // "bool" "s8" … "u64" "f32" "f64" "ptr"
std::optional<ScalarType> parseScalarType(std::string_view text);
/// How generated C++ spells it: "bool", "int8_t", … "float", "double".
const char *cxxName(ScalarType type);

/// What a raw pointer can point to. Interned per module by MemTypeId.
struct MemType {
  enum class Kind : uint8_t { Scalar, Array, Struct } kind = Kind::Scalar;
  // Scalar (also pointers to something: scalar == Pointer, element = pointee)
  ScalarType scalar = ScalarType::S32;
  // Array: `count` elements of `element`; count may be symbolic (VLA, extent
  // given by the user) or unknown (first dimension of a parameter).
  MemTypeId element;
  SizeExpr count;
  // Struct
  std::string name;
  struct Field {
    std::string name;
    MemTypeId type;
    uint64_t offsetBytes = 0; // in the source's memory; not a part of the text
  };
  std::vector<Field> fields; // base classes come first, named by their class
  uint64_t sizeBytes = 0;    // likewise
};

/// A bit-field is a struct of its own: an empty one, so that no view of the whole finds a cell at
/// its address, and the cell that holds its value. The cell has no memory of its own that a
/// caller could pass.
bool isBitField(const MemType &type);
/// How the names of such structs begin.
inline constexpr std::string_view BitFieldPrefix = "<bit-field ";

/// An empty struct that stands for a type whose values cannot be represented: "<union 'U'>".
bool isOutsideSubset(const MemType &type);
/// One that has no value: what is in front of a bit-field's cell, or a bit-field without a name.
inline constexpr std::string_view NoValue = "no value";

} // namespace colonnade::ir

#endif // COLONNADE_IR_TYPE_H
