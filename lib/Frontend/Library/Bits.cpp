//===- Bits.cpp - Population count, leading zeros, byte swap, rotation -----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sequences of BitSequences.h count in 32 or 64 bits; a narrower argument is
// widened, and its own width put back into the result.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/BitSequences.h"
#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/LibraryCall.h"

namespace colonnade::frontend::library {

using ir::Opcode;
using ir::ScalarType;

static bool takesInteger(const LibraryCall &call) {
  std::optional<ScalarType> type = call.typeOf(0);
  return call.type() && type && isInteger(*type);
}

/// A function of the argument's bits, which are zero above `width`.
using BitFunction = ValueId (*)(RawBuilder &builder, ValueId bits, unsigned width);

static CallResult lowerBitFunction(const LibraryCall &call, BitFunction function) {
  if (!takesInteger(call))
    return std::nullopt;
  RawBuilder &builder = call.builder();
  ValueId value = call.value(0);
  call.here();
  unsigned width = bitWidth(*call.typeOf(0));
  ScalarType own = ir::integerType(width / 8, /*isSigned=*/false);
  ValueId bits = builder.cast(builder.cast(value, own), width < 32 ? ScalarType::U32 : own);
  return builder.cast(function(builder, bits, width), *call.type());
}

CallResult countOnes(const LibraryCall &call) {
  return lowerBitFunction(call, [](RawBuilder &builder, ValueId bits, unsigned) {
    return populationCount(builder, bits);
  });
}

CallResult parity(const LibraryCall &call) {
  return lowerBitFunction(call, [](RawBuilder &builder, ValueId bits, unsigned) {
    ValueId ones = populationCount(builder, bits);
    return builder.binary(Opcode::And, ones, builder.constantInt(builder.typeOf(bits), 1));
  });
}

/// A narrow type is counted from its own top.
CallResult countLeadingZeros(const LibraryCall &call) {
  return lowerBitFunction(call, [](RawBuilder &builder, ValueId bits, unsigned width) {
    ScalarType type = builder.typeOf(bits);
    ValueId count = leadingZeros(builder, bits);
    if (width == bitWidth(type))
      return count;
    return builder.binary(Opcode::Sub, count, builder.constantInt(type, bitWidth(type) - width));
  });
}

/// A narrow type gets a bit above its top, where the count ends.
CallResult countTrailingZeros(const LibraryCall &call) {
  return lowerBitFunction(call, [](RawBuilder &builder, ValueId bits, unsigned width) {
    ScalarType type = builder.typeOf(bits);
    if (width < bitWidth(type))
      bits = builder.binary(Opcode::Or, bits, builder.constantInt(type, int64_t(1) << width));
    return trailingZeros(builder, bits);
  });
}

/// ffs: 0 for 0, else one more than the trailing zeros.
CallResult findFirstSet(const LibraryCall &call) {
  return lowerBitFunction(call, [](RawBuilder &builder, ValueId bits, unsigned) {
    ScalarType type = builder.typeOf(bits);
    ValueId isZero = builder.binary(Opcode::Eq, bits, builder.zero(type));
    ValueId zeros = trailingZeros(builder, bits);
    ValueId position = builder.binary(Opcode::Add, zeros, builder.constantInt(type, 1));
    return builder.select(isZero, builder.zero(type), position);
  });
}

/// The bits below the sign that equal it: zeros above the highest bit that differs.
CallResult countRedundantSignBits(const LibraryCall &call) {
  if (!takesInteger(call))
    return std::nullopt;
  RawBuilder &builder = call.builder();
  ValueId value = call.value(0);
  call.here();
  ScalarType type = builder.typeOf(value);
  unsigned width = bitWidth(type);
  ScalarType bits = ir::integerType(width / 8, /*isSigned=*/false);
  ValueId sign =
      builder.binary(Opcode::Shr, value, builder.constantInt(ScalarType::S32, width - 1));
  ValueId differing = builder.cast(builder.binary(Opcode::Xor, value, sign), bits);
  ValueId zeros = leadingZeros(builder, differing);
  return builder.cast(builder.binary(Opcode::Sub, zeros, builder.constantInt(bits, 1)),
                      *call.type());
}

CallResult reverseBytes(const LibraryCall &call) {
  if (!takesInteger(call))
    return std::nullopt;
  ValueId value = call.value(0);
  call.here();
  return swapBytes(call.builder(), value);
}

static CallResult lowerRotation(const LibraryCall &call, bool left) {
  if (!takesInteger(call))
    return std::nullopt;
  ValueId value = call.value(0), count = call.value(1);
  call.here();
  return rotate(call.builder(), value, count, left);
}

CallResult rotateLeft(const LibraryCall &call) { return lowerRotation(call, /*left=*/true); }
CallResult rotateRight(const LibraryCall &call) { return lowerRotation(call, /*left=*/false); }

} // namespace colonnade::frontend::library
