//===- PartFacts.cpp - What parts of a kernel need around them ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/PartFacts.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

static void addOperation(const Function &kernel, const Op &op, llvm::ArrayRef<PartFacts> before,
                         PartFacts &facts) {
  facts.checks |= op.opcode == Opcode::Check;
  facts.guarded |= op.guarded;
  facts.masked |= op.masked;
  if (op.array && kernel.array(op.array).isTable())
    facts.tables.insert(op.array);
  if (op.opcode != Opcode::CallPart)
    return;
  const PartFacts &called = before[op.part.index];
  facts.checks |= called.checks;
  facts.guarded |= called.guarded;
  facts.masked |= called.masked;
  facts.tables.insert(called.tables.begin(), called.tables.end());
}

std::vector<PartFacts> colonnade::factsOfParts(const Function &kernel) {
  std::vector<PartFacts> all;
  for (const Part &part : kernel.parts) {
    PartFacts facts;
    facts.usesLayout = llvm::any_of(
        part.arrays, [&](ArrayId array) { return kernel.array(array).space == Space::Memory; });
    std::vector<RegionId> work = {part.body};
    while (!work.empty()) {
      const Region &region = kernel.region(work.back());
      work.pop_back();
      for (OpId id : region.ops) {
        const Op &op = kernel.op(id);
        addOperation(kernel, op, all, facts);
        work.insert(work.end(), op.regions.begin(), op.regions.end());
      }
    }
    all.push_back(std::move(facts));
  }
  return all;
}
