//===- RegisterPlacement.h - Which arrays can live in registers -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose sizes are known (`--size n=32`). Out: the arrays whose every
// subscript is a constant once all loops are unrolled, as long as the registers and
// the unrolled length stay within limits; and the loops that must be unrolled for it. Where all
// loops are too many operations, outer ones are kept, as few as possible: then no subscript may
// depend on them.
// Invariant: no such access lies outside its array, in no arm of any branch.
//
// Registers are worth 6 to 14 times on small problems (docs/results).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_REGISTERPLACEMENT_H
#define COLONNADE_TRANSFORM_REGISTERPLACEMENT_H

#include "IR/Function.h"

#include <string>
#include <vector>

namespace colonnade {

struct RegisterLimits {
  uint64_t words = 128;        // 32-bit registers for array cells, of 255
  uint64_t wordsOfOne = 136;   // likewise, of one array some of whose cells are not accessed
  uint64_t operations = 16384; // that remain after unrolling
  uint64_t steps = 1u << 22;   // of the walk itself, before giving up
};

struct RegisterPlan {
  std::vector<bool> arrays;       // per array: goes to registers
  std::vector<uint64_t> accesses; // per array: of an instance, or as many as were counted within
                                  // the limits, at least; both arms of an unknown branch, an
                                  // unknown loop once
  std::vector<std::vector<ir::CellRange>> stored; // per array in registers: the cells that may be
                                                  // stored to, ascending
  std::vector<bool> unroll; // per op: a For or Loop whose iterations are known after unrolling
  std::vector<std::string> notes;
};

RegisterPlan planRegisters(const ir::Function &kernel, const RegisterLimits &limits = {});

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_REGISTERPLACEMENT_H
