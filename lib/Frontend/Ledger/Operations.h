//===- Operations.h - What the raw IR has for each part of the source --*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a finished raw function and the source nodes of its operations. Out: how many reads,
// writes, calls and conditions there are for each node.
//
// Invariant: only what can be reached from the function's body counts, and no access to
// an object of our own making (flags of exits, results of && and ?:, counters).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LEDGER_OPERATIONS_H
#define COLONNADE_FRONTEND_LEDGER_OPERATIONS_H

#include "Frontend/Lowering/SourceNodes.h"
#include "IR/Function.h"

namespace colonnade::frontend::ledger {

/// The node that stands for `node` and for all that only wraps it, and its context:
/// parentheses, conversions that change no value, what a default argument refers to.
SourceNode keyOf(SourceNodes &nodes, SourceNode node);

struct Operations {
  unsigned reads = 0;       // loads and copies
  unsigned writes = 0;      // stores, copies and fills
  unsigned conditions = 0;  // ifs, loops and selects
  unsigned comparisons = 0; // for equality, or with the lower end of a range
  unsigned refusals = 0;    // Unsupported
  unsigned objects = 0;     // variables and temporaries
  unsigned tableCopies = 0; // copies of constant tables
  unsigned others = 0;      // arithmetic, addresses: what a library function may come to
  llvm::SmallVector<FunctionId, 1> callees;
  llvm::SmallVector<MemTypeId, 1> copies; // what they move
};

/// Whether a pointer is to an object of lowering's own making, of which the source knows nothing.
bool isOwnObject(const ir::Function &function, ValueId pointer);

class OperationIndex {
public:
  OperationIndex(const ir::Function &function, SourceNodes &nodes);
  /// Of a key; none: zero of each.
  const Operations &at(const SourceNode &key) const;

private:
  void count(const ir::Function &function, const ir::Op &op, Operations &operations) const;
  llvm::DenseMap<std::pair<uint32_t, void *>, Operations> operations_;
};

} // namespace colonnade::frontend::ledger

#endif // COLONNADE_FRONTEND_LEDGER_OPERATIONS_H
