//===- VerifierTypes.h - Operand counts and types per operation -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the verifier: the rules of Opcodes.def, one operation at a time.
//
// In: an operation whose ids are in range. Out: nothing, or what is wrong with its
// operands, results, attributes or regions.
// Invariant: nothing is changed, and an operation without a fault obeys Opcodes.def.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_VERIFIERTYPES_H
#define COLONNADE_IR_VERIFIERTYPES_H

#include "IR/Function.h"

namespace colonnade::ir {

/// The first rule that `op` breaks, or nullopt. All its ids must be in range and
/// its regions structurally right.
std::optional<std::string> typeBreach(const Module &module, const Function &function, const Op &op);

} // namespace colonnade::ir

#endif // COLONNADE_IR_VERIFIERTYPES_H
