//===- Assumptions.h - What the language does not evaluate ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Purpose: the operand of an assumption ([[assume]], __builtin_assume) is not evaluated by the
// language, but Clang's code without optimisation evaluates it, for the optimiser to see.
// Input: a module as Clang emits it. Output: the same without its assumptions, and without
// what only they use. An operand with branches of its own (`a && b`) keeps the branches.
// Invariant: what the language evaluates stays as it is.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_ASSUMPTIONS_H
#define COLONNADE_RECORD_ASSUMPTIONS_H

namespace llvm {
class Module;
}

namespace colonnade::record {

void dropAssumptions(llvm::Module &module);

} // namespace colonnade::record

#endif // COLONNADE_RECORD_ASSUMPTIONS_H
