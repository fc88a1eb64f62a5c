//===- BitSequences.cpp - Bits counted and moved by operations ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/BitSequences.h"

namespace colonnade::frontend::library {

using ir::Opcode;
using ir::ScalarType;

/// Sums of bits in pairs, nibbles and bytes (U32 or U64).
ValueId populationCount(RawBuilder &builder, ValueId value) {
  ScalarType type = builder.typeOf(value);
  unsigned width = bitWidth(type);
  auto mask = [&](uint64_t bits) {
    return builder.constant({type, width == 64 ? bits : bits & 0xffffffffu});
  };
  auto shifted = [&](ValueId v, unsigned by) {
    return builder.binary(Opcode::Shr, v, builder.constantInt(ScalarType::S32, by));
  };
  auto both = [&](ValueId v, unsigned by, uint64_t bits) {
    ValueId wanted = mask(bits);
    ValueId even = builder.binary(Opcode::And, v, wanted);
    ValueId odd = shifted(v, by);
    return builder.binary(Opcode::Add, even, builder.binary(Opcode::And, odd, wanted));
  };
  value = both(value, 1, 0x5555555555555555u);
  value = both(value, 2, 0x3333333333333333u);
  value = both(value, 4, 0x0f0f0f0f0f0f0f0fu);
  value = builder.binary(Opcode::Mul, value, mask(0x0101010101010101u));
  return shifted(value, width - 8);
}

/// Smear the highest bit downwards and count what is not covered.
ValueId leadingZeros(RawBuilder &builder, ValueId value) {
  unsigned width = bitWidth(builder.typeOf(value));
  for (unsigned by = 1; by < width; by *= 2)
    value = builder.binary(
        Opcode::Or, value,
        builder.binary(Opcode::Shr, value, builder.constantInt(ScalarType::S32, by)));
  return populationCount(builder, builder.unary(Opcode::Not, value));
}

/// ~x & (x - 1) has ones exactly below the lowest one of x.
ValueId trailingZeros(RawBuilder &builder, ValueId value) {
  ScalarType type = builder.typeOf(value);
  ValueId below = builder.binary(Opcode::Sub, value, builder.constantInt(type, 1));
  return populationCount(builder,
                         builder.binary(Opcode::And, builder.unary(Opcode::Not, value), below));
}

ValueId swapBytes(RawBuilder &builder, ValueId value) {
  ScalarType type = builder.typeOf(value);
  unsigned bytes = bitWidth(type) / 8;
  ScalarType wide = bytes < 4 ? ScalarType::U32 : type;
  ValueId source = builder.cast(value, wide), result;
  for (unsigned i = 0; i < bytes; ++i) {
    ValueId byte = builder.binary(Opcode::Shr, source, builder.constantInt(ScalarType::S32, 8 * i));
    byte = builder.binary(Opcode::And, byte, builder.constantInt(wide, 0xff));
    byte = builder.binary(Opcode::Shl, byte,
                          builder.constantInt(ScalarType::S32, 8 * (bytes - 1 - i)));
    result = result ? builder.binary(Opcode::Or, result, byte) : byte;
  }
  return builder.cast(result, type);
}

ValueId rotate(RawBuilder &builder, ValueId value, ValueId count, bool left) {
  ScalarType type = builder.typeOf(value);
  unsigned width = bitWidth(type);
  ScalarType wide = width < 32 ? ScalarType::U32 : type;
  ValueId source = builder.cast(value, wide);
  ValueId mask = builder.constantInt(ScalarType::U32, width - 1);
  ValueId by = builder.binary(Opcode::And, builder.cast(count, ScalarType::U32), mask);
  ValueId back = builder.binary(Opcode::And, builder.unary(Opcode::Neg, by), mask);
  ValueId upwards = builder.binary(Opcode::Shl, source, left ? by : back);
  ValueId downwards = builder.binary(Opcode::Shr, source, left ? back : by);
  return builder.cast(builder.binary(Opcode::Or, upwards, downwards), type);
}

} // namespace colonnade::frontend::library
