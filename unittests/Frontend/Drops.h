//===- Drops.h - Operations whose loss must be seen -------------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For planted faults. In: a raw function. Out: which operations stand for an evaluation of the
// source, and what remains when one of them is taken out. Invariant: what the ledger counts is not
// asked here.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_FRONTEND_DROPS_H
#define COLONNADE_UNITTESTS_FRONTEND_DROPS_H

#include "IR/Function.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace colonnade::test {

/// Objects of lowering's own making, which stand for nothing in the source.
inline bool isOwn(const ir::Function &function, ValueId pointer) {
  const ir::Op *object = function.definition(pointer);
  if (!object || object->opcode != ir::Opcode::Object)
    return false;
  llvm::StringRef name = object->text;
  return name.starts_with("%") && name != "%tmp" && name != "%arg" && name != "%lit";
}

inline bool isEvaluation(const ir::Function &function, const ir::Op &op) {
  switch (op.opcode) {
  case ir::Opcode::PtrLoad:
  case ir::Opcode::PtrStore:
    return op.provenance != 0 && !isOwn(function, op.operands[0]);
  case ir::Opcode::PtrCopy:
  case ir::Opcode::PtrFill:
  case ir::Opcode::Call:
  case ir::Opcode::If:
  case ir::Opcode::Loop:
    return op.provenance != 0;
  default:
    return false;
  }
}

/// Takes each of them out for as long as `look` runs.
inline void dropEach(ir::Function &function, llvm::function_ref<void(OpId)> look) {
  for (ir::Region &region : function.regions)
    for (size_t i = 0; i < region.ops.size(); ++i) {
      OpId id = region.ops[i];
      if (!isEvaluation(function, function.op(id)))
        continue;
      region.ops.erase(region.ops.begin() + i);
      look(id);
      region.ops.insert(region.ops.begin() + i, id);
    }
}

} // namespace colonnade::test

#endif // COLONNADE_UNITTESTS_FRONTEND_DROPS_H
