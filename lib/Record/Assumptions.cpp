//===- Assumptions.cpp - What the language does not evaluate --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/Assumptions.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

namespace colonnade::record {

void dropAssumptions(llvm::Module &module) {
  for (llvm::Function &function : module) {
    std::vector<llvm::AssumeInst *> assumptions;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *assumption = llvm::dyn_cast<llvm::AssumeInst>(&instruction))
        assumptions.push_back(assumption);
    for (llvm::AssumeInst *assumption : assumptions) {
      llvm::Value *operand = assumption->getArgOperand(0);
      assumption->eraseFromParent();
      llvm::RecursivelyDeleteTriviallyDeadInstructions(operand);
    }
  }
}

} // namespace colonnade::record
