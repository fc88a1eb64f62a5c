//===- Opcodes.h - The operations, and what holds for each kind ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: Opcodes.def and MathFunctions.def. Out: their enums, and the questions that every
// stage asks about an operation alone, without its operands.
//
// Invariant: the order of Opcodes.def: scalar operations first, in them the binary ones
// together, and comparisons at the end of those.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_OPCODES_H
#define COLONNADE_IR_OPCODES_H

#include <cstdint>

namespace colonnade::ir {

enum class Opcode : uint8_t {
#define COLONNADE_OP(Name, mnemonic, level) Name,
#include "IR/Opcodes.def"
};
const char *mnemonic(Opcode opcode);

/// Scalars in, one scalar out: constants, arithmetic, conversions, Select; no access, no
/// region. Those of kernels alone (Blend and the like) are not meant.
constexpr bool isScalarOperation(Opcode opcode) { return opcode <= Opcode::Select; }
/// a + b … a >= b
constexpr bool isBinary(Opcode opcode) { return opcode >= Opcode::Add && opcode <= Opcode::Ge; }
constexpr bool isComparison(Opcode opcode) { return opcode >= Opcode::Eq && opcode <= Opcode::Ge; }
/// !(a < b) is a >= b: of a comparison of integers, as a NaN makes both false.
Opcode inverted(Opcode comparison);
/// a < b is b > a: of a comparison.
Opcode mirrored(Opcode comparison);

enum class MathFn : uint8_t {
#define COLONNADE_MATH(Name, name, arity, exact) Name,
#include "IR/MathFunctions.def"
};
const char *name(MathFn fn);
unsigned arity(MathFn fn);
bool isExact(MathFn fn);

} // namespace colonnade::ir

#endif // COLONNADE_IR_OPCODES_H
