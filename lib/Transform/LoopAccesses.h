//===- LoopAccesses.h - Which cells a loop's iterations access --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function whose sizes are known. Out: of each access in a loop how many iterations ago, at
// least, the loop has stored to the cell, and in which order it goes through cells. Invariant: what
// is said is so in every run.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_LOOPACCESSES_H
#define COLONNADE_TRANSFORM_LOOPACCESSES_H

#include "IR/KnownWalk.h"
#include "Transform/WalkBudget.h"

#include <map>

namespace colonnade {

class LoopAccessWalk final : public ir::KnownWalk {
public:
  LoopAccessWalk(const ir::Function &function, uint64_t maxSteps);

  /// Of a load, to a store of its loop.
  struct Distance {
    uint64_t least = UINT64_MAX;
    bool isNext = true; // in each iteration but the first, of what `by` has stored in the last one
    OpId by;
  };
  /// Cell start + step * t in iteration t, where start is the same, modulo a power of two, in all
  /// runs of the loop. Such as b[i * 20 + j], in a loop over j: modulo 4.
  struct Order {
    int64_t start = 0, step = 0, modulo = 16;
    bool isKnown = true;

    /// Whether iteration 0 is of a unit's first cell; where the loop descends of its last one.
    bool beginsUnit(int64_t cells) const {
      return modulo % cells == 0 && (step > 0 ? start : start + 1) % cells == 0;
    }
  };

  bool run() { return walk(function_.body); }
  const Distance &distance(OpId load) { return distances_[load.index]; }
  const Order &order(OpId access) { return orders_[access.index].order; }
  uint64_t number(OpId access) { return orders_[access.index].number; }

private:
  struct Stored {
    uint64_t run = 0, iteration = 0;
    OpId by;
  };
  struct Progress {
    Order order;
    int64_t last = 0; // cell
    uint64_t number = 0;
  };
  bool unknownLoop(OpId) override { return false; }
  bool iteration(OpId loop, uint64_t number) override;
  bool access(OpId id, std::optional<int64_t> cell) override;
  void note(OpId load, const Stored &stored);
  void noteOrder(OpId access, int64_t cell);

  std::vector<std::vector<Stored>> stored_; // by array, by cell
  std::map<uint32_t, Distance> distances_;
  std::map<uint32_t, Progress> orders_;
  uint64_t run_ = 0, numRuns_ = 0, iteration_ = 0; // of the innermost loop
};

/// By array: whether most of its accesses are of loops that are unrolled, and go through the cells
/// of 16 bytes, from where such a piece of a row begins; a compiler makes one access of these.
std::vector<bool> accessedInUnits(const ir::Function &function, WalkBudget &budget);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_LOOPACCESSES_H
