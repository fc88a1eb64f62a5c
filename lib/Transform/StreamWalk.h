//===- StreamWalk.h - Which cells the iterations of the body's loops access -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of threads, complete, all of whose sizes are known. Out: of each loop of its body
// whose iterations are known, and each array that the caller has: the first and the last cell that
// each iteration accesses. Invariant: cells outside of these are not accessed there.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STREAMWALK_H
#define COLONNADE_TRANSFORM_STREAMWALK_H

#include "IR/KnownWalk.h"

#include <map>

namespace colonnade {

/// The cells that an iteration accesses of an array: none if the last is before the first.
struct Window {
  int64_t first = INT64_MAX, last = INT64_MIN;

  bool isEmpty() const { return last < first; }
  void add(int64_t cell) {
    first = std::min(first, cell);
    last = std::max(last, cell);
  }
};

/// What a loop of the body does with an array.
struct LoopAccesses {
  std::vector<Window> windows; // by iteration
  uint64_t number = 0;
  bool isKnown = true, isLoaded = false, isStored = false;
  std::vector<bool> storedSurely; // by cell
};

class StreamWalk final : public ir::KnownWalk {
public:
  explicit StreamWalk(const ir::Function &kernel);
  bool run() { return walk(function_.body); }

  /// Of the loops whose iterations are known.
  std::vector<OpId> loops() const;
  /// Of a loop.
  struct Iterations {
    uint64_t number = 0;
    int64_t last = 0; // counter
    bool isAscending = true;
  };
  Iterations iterations(OpId loop) const { return iterations_.at(loop.index); }
  const LoopAccesses *accesses(OpId loop, ArrayId array) const;
  /// Operations of loops of the body that are unrolled.
  uint64_t unrolledSteps() const { return unrolledSteps_; }

private:
  bool visit(OpId id) override;
  bool iteration(OpId loop, uint64_t number) override;
  bool unknownLoop(OpId loop) override;
  bool uncertainArm(RegionId arm) override;
  bool access(OpId id, std::optional<int64_t> cell) override;

  std::map<uint32_t, Iterations> iterations_; // by loop of the body
  std::map<std::pair<uint32_t, uint32_t>, LoopAccesses> accesses_;
  OpId current_;
  uint64_t now_ = 0;
  unsigned numUncertain_ = 0;
  uint64_t unrolledSteps_ = 0;
};

/// By how many cells an array's windows move from iteration to iteration, and what they are beside
/// that: iteration t accesses cells from slope * t + low to slope * t + high.
struct WindowMove {
  int64_t slope = 0, low = 0, high = 0;
};

/// nullopt: fewer than two iterations access it.
std::optional<WindowMove> moveOf(const LoopAccesses &accesses);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STREAMWALK_H
