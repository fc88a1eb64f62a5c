//===- TeamPlan.cpp - How a team of threads shares an instance ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TeamPlan.h"

#include "Transform/BlockBuilder.h"
#include "Transform/Teams/TeamLoops.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace colonnade;
using namespace colonnade::ir;

// An SM starts as many instructions a cycle, has room for as many warps, and has as many bytes of
// memory's bandwidth a cycle.
static constexpr double Schedulers = 4, MostWarps = 48, BytesPerCycle = 18;
// Cycles from an instruction to one that needs its result.
// A rolled loop of a team waits for its counter and addresses, too.
static constexpr double Latency = 8, LatencyRolled = 16, BarrierLatency = 30;
// Of an access of a warp whose lanes' rows lie apart in the caller's memory.
static constexpr double ApartCycles = 40;
// Instructions for the address in a skewed row, and of a warp beside its instances' own.
static constexpr double SkewCost = 1, PerWarp = 60;
// What is not the longest takes time, too.
static constexpr double Overlapped = 0.1;
// A smaller team has more cells in registers, which is not counted: it must be so much better.
static constexpr double Clearly = 1.05;
// Members of a team that is busy do at most so many times an equal share of the work.
static constexpr double Busy = 1.5;
static constexpr size_t MostOperations = 6000;

/// Why a kernel is none for teams, whatever its loops; or empty.
static std::string refusal(const Function &kernel) {
  if (kernel.ops.size() > MostOperations)
    return "the function is too long";
  for (const Array &array : kernel.arrays)
    if (array.isPerInstance() && !array.constantCells())
      return array.name + " is of unknown size";
  for (const Op &op : kernel.ops)
    if (op.guarded)
      return "accesses to " + kernel.array(op.array).name + " are checked as they happen";
  if (llvm::none_of(kernel.arrays, hasLongRows))
    return "no array has more than a sector";
  return "";
}

/// Of a warp.
static double sharedBytes(const Function &kernel, const TeamChoice &choice, bool isSkewed) {
  double bytes = 0;
  for (auto [array, isCommon] : llvm::zip_equal(kernel.arrays, choice.common))
    if (isCommon && (array.isLocal() || hasLongRows(array)))
      bytes += static_cast<double>(*array.constantCells() * sizeBytes(array.cell));
  const double skew = isSkewed ? 1 + 1.0 / LanesPerWarp : 1;
  return bytes * skew * LanesPerWarp / choice.team;
}

/// That an instance moves at least.
static double movedBytes(const Function &kernel, const TeamRun &run) {
  double bytes = 0;
  for (auto [array, isRead] : llvm::zip_equal(kernel.arrays, run.isRead))
    if (array.isPassed() && array.isPerInstance())
      bytes += static_cast<double>(*array.constantCells() * sizeBytes(array.cell)) *
               (double(isRead) + double(array.writes));
  return bytes;
}

static double cyclesOf(const Function &kernel, const TeamTrial &trial, bool isSkewed) {
  const TeamWork &work = trial.run.work;
  const unsigned team = trial.choice.team;
  const bool unrolled = team > 1 && isUnrolled(work);
  const WarpWork &warp = unrolled ? work.unrolled : work.rolled;
  const double skewing = isSkewed ? SkewCost * warp.accesses : 0;
  const double instances = LanesPerWarp / team,
               instructions = warp.instructions + skewing + PerWarp,
               wavefronts = isSkewed ? warp.skewed : warp.wavefronts,
               bytes = sharedBytes(kernel, trial.choice, isSkewed);
  const bool hasRoom = bytes <= double(MaxSharedBytes);
  if (!hasRoom && team > 1)
    return std::numeric_limits<double>::infinity();
  if (!hasRoom) // the caller's memory
    return std::max(instructions / Schedulers, wavefronts * ApartCycles) / instances;
  const double warps = std::min(MostWarps, double(MaxSharedBytes) / bytes);
  const double alone = instructions * (unrolled || team == 1 ? Latency : LatencyRolled) +
                       work.barriers * BarrierLatency;
  const double limits[] = {instructions / Schedulers / instances, wavefronts / instances,
                           alone / warps / instances,
                           movedBytes(kernel, trial.run) / BytesPerCycle};
  return *llvm::max_element(limits) + Overlapped * (limits[0] + limits[1] + limits[2] + limits[3]);
}

static TeamPlan planOf(const Function &kernel, TeamTrial trial) {
  TeamPlan plan;
  const double plain = cyclesOf(kernel, trial, false), skewed = cyclesOf(kernel, trial, true);
  plan.isSkewed = skewed < plain;
  plan.cycles = std::min(plain, skewed);
  plan.choice = std::move(trial.choice);
  plan.run = std::move(trial.run);
  plan.reason = plan.run.refusal;
  return plan;
}

namespace {

/// Plans for one kernel.
class TeamPlanner {
public:
  TeamPlanner(const Function &kernel, llvm::ArrayRef<unsigned> sizes)
      : sizes_(sizes), one_(planOf(kernel, tryTeam(kernel, 1, {}, budget_))) {
    one_.kernel = kernel;
  }

  TeamPlan run();

private:
  void consider(const TeamShape &shape);
  void refuse(const TeamPlan &plan);
  bool isBusy() const;

  const llvm::ArrayRef<unsigned> sizes_;
  WalkBudget budget_;
  TeamPlan one_; // one thread an instance
  TeamPlan best_;
};

} // namespace

/// The larger a team, the more warps have room for its instances' cells, and the more members have
/// nothing to do.
void TeamPlanner::consider(const TeamShape &shape) {
  if (best_.reason.empty())
    best_.reason = shape.reason;
  for (const std::vector<OpId> &dealt : shape.dealable)
    for (unsigned team : sizes_) {
      TeamPlan plan = planOf(shape.kernel, tryTeam(shape.kernel, team, dealt, budget_));
      if (!plan.reason.empty() || std::isinf(plan.cycles)) {
        refuse(plan);
        break;
      }
      const double least = team < best_.choice.team ? Clearly : 1;
      if (!best_.isEmpty() && plan.cycles * least >= best_.cycles)
        continue;
      best_ = std::move(plan);
      best_.kernel = shape.kernel;
    }
}

/// Where nothing else is found, the first refusal says why.
void TeamPlanner::refuse(const TeamPlan &plan) {
  if (best_.isEmpty() && best_.reason.empty())
    best_.reason = plan.reason.empty()
                       ? "a warp's instances have no room in a block's shared memory"
                       : plan.reason;
}

/// Whether the best so far leaves little to gain by more iterations that are dealt out.
bool TeamPlanner::isBusy() const {
  const double share = one_.run.work.rolled.instructions / best_.choice.team;
  return !best_.isEmpty() && best_.run.work.rolled.instructions <= Busy * share;
}

TeamPlan TeamPlanner::run() {
  best_.reason = one_.reason;
  if (!best_.reason.empty())
    return best_;
  const std::vector<TeamShape> shapes = teamShapes(one_.kernel, budget_);
  for (const TeamShape &shape : shapes)
    consider(shape);
  if (!isBusy())
    for (const TeamShape &shape : shapes)
      if (const std::optional<TeamShape> collapsed = collapsedShape(shape, budget_))
        consider(*collapsed);
  best_.ofOne = one_.cycles;
  return std::move(best_);
}

TeamPlan colonnade::planTeams(const Function &kernel, llvm::ArrayRef<unsigned> sizes) {
  TeamPlan none;
  none.reason = refusal(kernel);
  if (none.reason.empty() && teamLoops(kernel).all.empty())
    none.reason = "each loop carries values or ends where data decides";
  return none.reason.empty() ? TeamPlanner(kernel, sizes).run() : none;
}
