//===- Names.h - Loop iterations and calls as numbers -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access has a name: where it stands, the calls that lead there, and the iterations of the
// loops around it (Traces.h). In: a function's code. Out: for each of its
// instructions, code that computes the number of its calls and iterations; and the code that
// counts them.
//
// Invariant: the same calls and iterations give the same number in every run of one module;
// different ones another, up to collisions of 64-bit hashes. What goto makes of a loop that has
// several entries is not counted.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_NAMES_H
#define COLONNADE_RECORD_NAMES_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace colonnade::record {

class Names {
public:
  /// `path`: the module's variable for the calls that lead to the function that runs.
  Names(llvm::Function &function, llvm::GlobalVariable &path);

  /// The number at `at`, computed there.
  llvm::Value *at(llvm::Instruction &at, const llvm::BasicBlock &original);
  /// The same, of what is around a loop, and how often its head was come to; at its start.
  llvm::Value *around(const llvm::Loop &loop, llvm::Instruction &at);
  llvm::Value *counterOf(const llvm::Loop &loop, llvm::Instruction &at);
  /// Before a call: its callee's number is made of ours and the site's.
  void enterCall(llvm::CallBase &call, const llvm::BasicBlock &original, uint32_t site);
  /// The outermost loops first, those inside them after.
  llvm::ArrayRef<llvm::Loop *> loops() const { return loops_; }
  /// The first instruction of each iteration, after its number has changed.
  llvm::Instruction &startOf(const llvm::Loop &loop) { return *starts_[&loop]; }

private:
  void count(llvm::Loop &loop);
  llvm::Value *inside(const llvm::Loop *loop, llvm::Instruction &at);

  llvm::Function &function_;
  llvm::GlobalVariable &path_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo info_;
  llvm::Value *entered_ = nullptr; // the path at entry
  std::vector<llvm::Loop *> loops_;
  llvm::DenseMap<const llvm::Loop *, llvm::AllocaInst *> counters_;
  llvm::DenseMap<const llvm::Loop *, llvm::Instruction *> starts_;
};

} // namespace colonnade::record

#endif // COLONNADE_RECORD_NAMES_H
