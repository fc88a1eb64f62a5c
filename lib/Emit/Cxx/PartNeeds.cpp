//===- PartNeeds.cpp - What parts of a kernel need around them ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/PartNeeds.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

static void addOperation(const Function &kernel, const Op &op, llvm::ArrayRef<PartNeeds> before,
                         PartNeeds &needs) {
  needs.checks |= op.opcode == Opcode::Check;
  needs.guarded |= op.guarded;
  needs.masked |= op.masked;
  if (op.array && kernel.array(op.array).isTable())
    needs.tables.insert(op.array);
  if (op.opcode != Opcode::CallPart)
    return;
  const PartNeeds &called = before[op.part.index];
  needs.checks |= called.checks;
  needs.guarded |= called.guarded;
  needs.masked |= called.masked;
  needs.tables.insert(called.tables.begin(), called.tables.end());
}

std::vector<PartNeeds> colonnade::needsOfParts(const Function &kernel) {
  std::vector<PartNeeds> all;
  for (const Part &part : kernel.parts) {
    PartNeeds needs;
    needs.usesLayout = llvm::any_of(
        part.arrays, [&](ArrayId array) { return kernel.array(array).space == Space::Memory; });
    std::vector<RegionId> work = {part.body};
    while (!work.empty()) {
      const Region &region = kernel.region(work.back());
      work.pop_back();
      for (OpId id : region.ops) {
        const Op &op = kernel.op(id);
        addOperation(kernel, op, all, needs);
        work.insert(work.end(), op.regions.begin(), op.regions.end());
      }
    }
    all.push_back(std::move(needs));
  }
  return all;
}
