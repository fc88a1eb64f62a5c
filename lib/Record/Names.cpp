//===- Names.cpp - Loop iterations and calls as numbers -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/Names.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstrTypes.h"

namespace colonnade::record {

/// One step of a multiplicative hash whose high bits are folded back.
static llvm::Value *mix(llvm::IRBuilder<> &builder, llvm::Value *hash, llvm::Value *next) {
  llvm::Value *sum = builder.CreateAdd(builder.CreateXor(hash, builder.CreateLShr(hash, 29)), next);
  sum = builder.CreateAdd(sum, builder.getInt64(0x9e3779b97f4a7c15));
  return builder.CreateMul(sum, builder.getInt64(0xbf58476d1ce4e5b9));
}

Names::Names(llvm::Function &function, llvm::GlobalVariable &path)
    : function_(function), path_(path), dominators_(function), info_(dominators_) {
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  entered_ = builder.CreateLoad(builder.getInt64Ty(), &path_);
  for (llvm::Loop *loop : info_.getLoopsInPreorder()) {
    loops_.push_back(loop);
    counters_[loop] = builder.CreateAlloca(builder.getInt64Ty());
  }
  for (llvm::Loop *loop : loops_)
    count(*loop);
}

void Names::count(llvm::Loop &loop) {
  llvm::AllocaInst *counter = counters_[&loop];
  llvm::BasicBlock *header = loop.getHeader();
  for (llvm::BasicBlock *before : llvm::predecessors(header))
    if (!loop.contains(before)) {
      llvm::IRBuilder<> builder(before->getTerminator());
      builder.CreateStore(builder.getInt64(0), counter);
    }
  llvm::Instruction *first = &*header->getFirstInsertionPt();
  llvm::IRBuilder<> builder(first);
  llvm::Value *value = builder.CreateLoad(builder.getInt64Ty(), counter);
  builder.CreateStore(builder.CreateAdd(value, builder.getInt64(1)), counter);
  starts_[&loop] = first;
}

llvm::Value *Names::at(llvm::Instruction &at, const llvm::BasicBlock &original) {
  return inside(info_.getLoopFor(&original), at);
}

llvm::Value *Names::around(const llvm::Loop &loop, llvm::Instruction &at) {
  return inside(loop.getParentLoop(), at);
}

llvm::Value *Names::counterOf(const llvm::Loop &loop, llvm::Instruction &at) {
  llvm::IRBuilder<> builder(&at);
  return builder.CreateLoad(builder.getInt64Ty(), counters_[&loop]);
}

llvm::Value *Names::inside(const llvm::Loop *loop, llvm::Instruction &at) {
  llvm::SmallVector<const llvm::Loop *> around;
  for (; loop; loop = loop->getParentLoop())
    around.push_back(loop);
  llvm::IRBuilder<> builder(&at);
  llvm::Value *name = entered_;
  for (const llvm::Loop *loop : llvm::reverse(around))
    name = mix(builder, name, builder.CreateLoad(builder.getInt64Ty(), counters_[loop]));
  return name;
}

void Names::enterCall(llvm::CallBase &call, const llvm::BasicBlock &original, uint32_t site) {
  llvm::Value *name = at(call, original);
  llvm::IRBuilder<> builder(&call);
  builder.CreateStore(mix(builder, name, builder.getInt64(site)), &path_);
}

} // namespace colonnade::record
