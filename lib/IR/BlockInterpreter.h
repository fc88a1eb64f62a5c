//===- BlockInterpreter.h - Kernels of threads, block by block --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a kernel of threads on p instances, with all lanes and warps of each block: the reference
// for what threads do together.
//
// In: a kernel of threads that has passed ir::verify, p, the cells of p instances, and a seed. Out:
// the cells afterwards; or an error with its location at the first
//
//   undefined behaviour  as of one instance (Interpreter.h); besides, a read of a shared cell that
//                        nothing has written, an access of a thread without an instance
//   race                 two threads access a cell of shared memory or of the caller's, one of them
//                        writes, and no barrier lies between
//   divergence           a barrier that not all lanes of the warp, or threads of the block, reach
//
// Invariant: the seed decides which thread goes on for how many steps, and nothing else; races are
// found by barriers alone (CommonCells.h).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_BLOCKINTERPRETER_H
#define COLONNADE_IR_BLOCKINTERPRETER_H

#include "IR/Interpreter.h"

namespace colonnade::ir {

/// An access that a thread makes, or its part of a Stage.
struct BlockAccess {
  uint64_t block = 0;
  uint32_t thread = 0;
  OpId op;
  uint64_t turn = 0; // how often this thread made one at this operation before
  ArrayId array;     // of a Stage: the caller's
  bool isStore = false;
  int64_t cell = 0; // of the caller's instances, row-wise: instance * cells + cell
  llvm::ArrayRef<int64_t> iterations = {}; // of the loops around, from the outside in
};

struct BlockOptions {
  uint64_t seed = 0;
  uint64_t maxSteps = UINT64_MAX;                         // of a thread
  std::function<void(const BlockAccess &)> onAccess = {}; // may be empty
};

/// `arrays` by ArrayId, in and out: of an array that each instance has, the cells of one instance
/// after those of the other; arrays without cells are made. Scalars as in interpret().
llvm::Error interpretBlocks(const Module &module, const Function &kernel, uint64_t count,
                            std::vector<ArrayData> &arrays, llvm::ArrayRef<Scalar> scalars,
                            const BlockOptions &options = {});

} // namespace colonnade::ir

#endif // COLONNADE_IR_BLOCKINTERPRETER_H
