//===- BitBuiltins.cpp - Population count, leading zeros, byte swap, rotation -===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/FunctionLowering.h"

#include "llvm/ADT/StringSwitch.h"

namespace colonnade::frontend {

using ir::Opcode;
using ir::ScalarType;
using llvm::StringRef;

static ScalarType unsignedOf(unsigned width) {
  return width == 64 ? ScalarType::U64 : width == 16 ? ScalarType::U16 : ScalarType::U32;
}

/// Sums of bits in pairs, nibbles and bytes (U32 or U64).
ValueId FunctionLowering::populationCount(ValueId value) {
  ScalarType type = builder_.typeOf(value);
  unsigned width = bitWidth(type);
  auto mask = [&](uint64_t bits) {
    return builder_.constant({type, width == 64 ? bits : bits & 0xffffffffu});
  };
  auto shifted = [&](ValueId v, unsigned by) {
    return builder_.binary(Opcode::Shr, v, builder_.constantInt(ScalarType::S32, by));
  };
  auto both = [&](ValueId v, unsigned by, uint64_t bits) {
    return builder_.binary(Opcode::Add, builder_.binary(Opcode::And, v, mask(bits)),
                           builder_.binary(Opcode::And, shifted(v, by), mask(bits)));
  };
  value = both(value, 1, 0x5555555555555555u);
  value = both(value, 2, 0x3333333333333333u);
  value = both(value, 4, 0x0f0f0f0f0f0f0f0fu);
  value = builder_.binary(Opcode::Mul, value, mask(0x0101010101010101u));
  return shifted(value, width - 8);
}

/// Smear the highest bit downwards and count what is not covered.
ValueId FunctionLowering::leadingZeros(ValueId value) {
  unsigned width = bitWidth(builder_.typeOf(value));
  for (unsigned by = 1; by < width; by *= 2)
    value = builder_.binary(
        Opcode::Or, value,
        builder_.binary(Opcode::Shr, value, builder_.constantInt(ScalarType::S32, by)));
  return populationCount(builder_.unary(Opcode::Not, value));
}

/// ~x & (x - 1) has ones exactly below the lowest one of x.
ValueId FunctionLowering::trailingZeros(ValueId value) {
  ScalarType type = builder_.typeOf(value);
  ValueId below = builder_.binary(Opcode::Sub, value, builder_.constantInt(type, 1));
  return populationCount(builder_.binary(Opcode::And, builder_.unary(Opcode::Not, value), below));
}

ValueId FunctionLowering::swapBytes(ValueId value) {
  ScalarType type = builder_.typeOf(value);
  unsigned bytes = bitWidth(type) / 8;
  ScalarType wide = bytes < 4 ? ScalarType::U32 : type;
  ValueId source = builder_.cast(value, wide), result;
  for (unsigned i = 0; i < bytes; ++i) {
    ValueId byte =
        builder_.binary(Opcode::Shr, source, builder_.constantInt(ScalarType::S32, 8 * i));
    byte = builder_.binary(Opcode::And, byte, builder_.constantInt(wide, 0xff));
    byte = builder_.binary(Opcode::Shl, byte,
                           builder_.constantInt(ScalarType::S32, 8 * (bytes - 1 - i)));
    result = result ? builder_.binary(Opcode::Or, result, byte) : byte;
  }
  return builder_.cast(result, type);
}

ValueId FunctionLowering::rotate(ValueId value, ValueId count, bool left) {
  ScalarType type = builder_.typeOf(value);
  unsigned width = bitWidth(type);
  ScalarType wide = width < 32 ? ScalarType::U32 : type;
  ValueId source = builder_.cast(value, wide);
  ValueId mask = builder_.constantInt(ScalarType::U32, width - 1);
  ValueId by = builder_.binary(Opcode::And, builder_.cast(count, ScalarType::U32), mask);
  ValueId back = builder_.binary(Opcode::And, builder_.unary(Opcode::Neg, by), mask);
  ValueId result =
      builder_.binary(Opcode::Or, builder_.binary(Opcode::Shl, source, left ? by : back),
                      builder_.binary(Opcode::Shr, source, left ? back : by));
  return builder_.cast(result, type);
}

bool FunctionLowering::lowerBitBuiltin(const clang::CallExpr &call, StringRef name,
                                       ValueId &result) {
  enum Kind { None, Count, Leading, Trailing, Swap, Parity, Ffs, Rotate };
  bool isStd = call.getDirectCallee()->isInStdNamespace();
  StringRef stem = name;
  if (!isStd && !stem.starts_with("bswap") && !stem.starts_with("rotate"))
    stem = stem.rtrim('l'); // clz, clzl, clzll
  Kind kind = llvm::StringSwitch<Kind>(stem)
                  .Case("popcount", Count)
                  .Cases("clz", "countl_zero", Leading)
                  .Cases("ctz", "countr_zero", Trailing)
                  .Cases("bswap16", "bswap32", "bswap64", "byteswap", Swap)
                  .Case("parity", Parity)
                  .Case("ffs", Ffs)
                  .Cases("rotl", "rotr", Rotate)
                  .StartsWith("rotateleft", Rotate)
                  .StartsWith("rotateright", Rotate)
                  .Default(None);
  if (kind == None || call.getNumArgs() != (kind == Rotate ? 2u : 1u))
    return false;
  std::optional<ScalarType> type = scalarType(call.getType());
  std::optional<ScalarType> argType = scalarType(call.getArg(0)->getType());
  if (!type || !argType || !isInteger(*argType))
    return false;
  ValueId value = lowerScalar(*call.getArg(0));
  unsigned width = bitWidth(*argType);
  if (kind == Rotate) {
    ValueId count = lowerScalar(*call.getArg(1));
    at(call.getExprLoc());
    result = rotate(value, count, name.contains("rotl") || name.contains("left"));
    return true;
  }
  at(call.getExprLoc());
  if (kind == Swap) {
    result = swapBytes(value);
    return true;
  }
  ValueId bits = builder_.cast(builder_.cast(value, unsignedOf(width)),
                               width < 32 ? ScalarType::U32 : unsignedOf(width));
  if (width < 32 && *argType == ScalarType::U8)
    bits = builder_.cast(value, ScalarType::U32);
  ScalarType wide = builder_.typeOf(bits);
  switch (kind) {
  case Count:
    bits = populationCount(bits);
    break;
  case Parity:
    bits = builder_.binary(Opcode::And, populationCount(bits), builder_.constantInt(wide, 1));
    break;
  case Leading: // a narrow type is counted from its own top
    bits = leadingZeros(bits);
    if (width < bitWidth(wide))
      bits = builder_.binary(Opcode::Sub, bits, builder_.constantInt(wide, bitWidth(wide) - width));
    break;
  case Trailing:
    if (width < bitWidth(wide)) // a guard bit above the top
      bits = builder_.binary(Opcode::Or, bits, builder_.constantInt(wide, int64_t(1) << width));
    bits = trailingZeros(bits);
    break;
  default: { // ffs: 0 for 0, else one more than the trailing zeros
    ValueId isZero = builder_.binary(Opcode::Eq, bits, builder_.zero(wide));
    ValueId position =
        builder_.binary(Opcode::Add, trailingZeros(bits), builder_.constantInt(wide, 1));
    bits = builder_.select(isZero, builder_.zero(wide), position);
  }
  }
  result = builder_.cast(bits, *type);
  return true;
}

} // namespace colonnade::frontend
