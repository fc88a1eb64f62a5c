//===- Guards.cpp - Which accesses are checked as they happen -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Guards.h"

#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

/// Registers were walked access by access (RegisterPlacement.h).
static bool isKnownToBeWithin(const Function &kernel, const Op &access) {
  const Array &array = kernel.array(access.array);
  if (array.space == Space::Registers)
    return true;
  AccessOperands parts = accessOperands(access);
  const Scalar *cell = parts.radices.empty() ? kernel.constant(parts.subscripts[0]) : nullptr;
  std::optional<uint64_t> cells = array.constantCells();
  return cell && cells && cell->bits < *cells;
}

namespace {

class ThreadGuards {
public:
  ThreadGuards(Function &kernel, const Uniformity &uniformity)
      : kernel_(kernel), uniformity_(uniformity), numbers_(kernel) {}

  void run() { visit(kernel_.body); }

private:
  using Cells = std::vector<CellKey>;

  /// Returns the cells that all instances accessed in the region; `covered_` is as
  /// before again.
  Cells visit(RegionId region) {
    const size_t before = covered_.mark();
    for (OpId id : kernel_.region(region).ops) {
      if (isAccess(kernel_.op(id)))
        access(id);
      else
        visitRegions(id);
    }
    return covered_.forgetSince(before);
  }

  void access(OpId id) {
    Op &op = kernel_.op(id);
    AccessOperands parts = accessOperands(op);
    CellKey cell = cellKey(op.array, parts.subscripts, parts.radices,
                           [&](ValueId value) { return numbers_.of(value); });
    if (uniformity_.underMask[id.index])
      op.guarded = !covered_.contains(cell) && !isKnownToBeWithin(kernel_, op);
    else
      covered_.add(std::move(cell));
  }

  /// What a loop accesses is not covered behind it: it may run no iteration.
  void visitRegions(OpId id) {
    std::vector<Cells> covered;
    for (RegionId region : kernel_.op(id).regions)
      covered.push_back(visit(region));
    if (kernel_.op(id).opcode != Opcode::If)
      return;
    for (CellKey &cell : covered[0]) // whichever arm was taken
      if (llvm::is_contained(covered[1], cell))
        covered_.add(std::move(cell));
  }

  Function &kernel_;
  const Uniformity &uniformity_;
  ValueNumbers numbers_;
  CellSet covered_; // accessed by all instances on every way here
};

} // namespace

static void guardAll(Function &kernel) {
  for (Op &op : kernel.ops)
    if (isAccess(op))
      op.guarded = !isKnownToBeWithin(kernel, op);
}

void colonnade::guardForThreads(Function &kernel, const Verdict &verdict) {
  if (verdict.addresses.needData)
    guardAll(kernel);
  else
    ThreadGuards(kernel, verdict.uniformity).run();
}

void colonnade::guardForLanes(Function &kernel, const Verdict &verdict) {
  for (Op &op : kernel.ops)
    if (isAccess(op))
      op.guarded = op.masked || verdict.addresses.needData;
}
