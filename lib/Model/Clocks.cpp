//===- Clocks.cpp - Time units of a bulk execution ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Clocks.h"

#include "llvm/ADT/BitVector.h"

#include <deque>
#include <vector>

namespace colonnade::model {

uint64_t stepwiseTime(const BulkSteps &steps, uint64_t latency) {
  uint64_t time = 0;
  for (uint64_t step = 0; step < steps.numSteps; ++step) {
    uint64_t sum = 0;
    for (uint64_t warp = 0; warp < steps.numWarps; ++warp)
      sum += steps.stages(step, warp);
    time += sum ? sum + latency - 1 : 0;
  }
  return time;
}

namespace {

/// Dispatches in order of time. Requests complete in the order of their dispatches, so those
/// under way are a queue.
class Pipeline {
public:
  Pipeline(const BulkSteps &steps, uint64_t latency)
      : steps_(steps), latency_(latency), step_(steps.numWarps), ready_(steps.numWarps) {}

  uint64_t run() {
    for (unsigned warp = 0; warp < steps_.numWarps; ++warp)
      makeReady(warp);
    while (ready_.any() || !underWay_.empty()) {
      if (ready_.none())
        lastStage_ = std::max(lastStage_, underWay_.front().completion);
      while (!underWay_.empty() && underWay_.front().completion <= lastStage_) {
        makeReady(underWay_.front().warp);
        underWay_.pop_front();
      }
      if (ready_.any())
        dispatch(nextInTurn());
    }
    return end_;
  }

private:
  struct Request {
    uint64_t completion;
    unsigned warp;
  };

  /// Steps at which a warp requests nothing take it no time.
  void makeReady(unsigned warp) {
    while (step_[warp] < steps_.numSteps && steps_.stages(step_[warp], warp) == 0)
      ++step_[warp];
    if (step_[warp] < steps_.numSteps)
      ready_.set(warp);
  }

  unsigned nextInTurn() {
    int next = ready_.find_next(static_cast<int>(turn_) - 1);
    return static_cast<unsigned>(next >= 0 ? next : ready_.find_first());
  }

  void dispatch(unsigned warp) {
    lastStage_ += steps_.stages(step_[warp]++, warp);
    end_ = lastStage_ + latency_ - 1;
    underWay_.push_back({end_, warp});
    ready_.reset(warp);
    turn_ = warp + 1;
  }

  const BulkSteps &steps_;
  uint64_t latency_;
  std::vector<uint64_t> step_;   // by warp: its next
  llvm::BitVector ready_;        // by warp: it waits for its turn
  std::deque<Request> underWay_; // in order of completion
  unsigned turn_ = 0;
  uint64_t lastStage_ = 0; // the time at which the last stage was filled
  uint64_t end_ = 0;
};

} // namespace

uint64_t pipelinedTime(const BulkSteps &steps, uint64_t latency) {
  return Pipeline(steps, latency).run();
}

/// Requests complete in the order of their dispatches. So where each warp has one at every step,
/// the first to be ready is the one in turn, and none is ever skipped: of e(j, i), the time of the
/// last stage of warp i's step j,
///
///   e(j, i) = max(e of the dispatch before, e(j - 1, i) + l - 1) + k(j, i)
///
/// In a run, e(j, i) = max(a + (i + 1) k, e(j - 1, m) + l - 1 + (i - m + 1) k for all m <= i), with
/// a from before the run. At step 0 that is linear in i; if it is convex at step j - 1, the most is
/// at m = 0 or at m = i, so it is the most of linear and convex functions, and convex at step j.
/// The run's first and last warp are all that is needed.
uint64_t pipelinedTime(const BulkRuns &runs, uint64_t latency) {
  struct Ends {
    uint64_t first = 0, last = 0; // e of the run's first and last warp
  };
  std::vector<Ends> ends(runs.warps.size());
  if (runs.numSteps == 0 || ends.empty())
    return 0;
  uint64_t lastStage = 0; // of the dispatch before
  for (uint64_t step = 0; step < runs.numSteps; ++step) {
    const uint64_t wait = step == 0 ? 0 : latency - 1;
    for (size_t run = 0; run < ends.size(); ++run) {
      const uint64_t k = runs.stages(step, run);
      Ends &of = ends[run];
      const uint64_t start = std::max(lastStage, of.first + wait);
      of.first = start + k;
      of.last = lastStage = std::max(start + runs.warps[run] * k, of.last + wait + k);
    }
  }
  return lastStage + latency - 1;
}

uint64_t pipelinedTimeOfEqual(uint64_t numSteps, uint64_t numWarps, uint64_t stages,
                              uint64_t latency) {
  const uint64_t step = numWarps * stages;
  if (numSteps == 0 || step == 0)
    return 0;
  return (numSteps - 1) * std::max(step, stages + latency - 1) + step + latency - 1;
}

} // namespace colonnade::model
