//===- TeamCost.cpp - What a plan for a team takes ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TeamCost.h"

#include "Transform/Teams/TilePlan.h"

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
static constexpr double Latency = 8, LatencyRolled = 16, BarrierLatency = 30,
                        BarrierLatencyOfWarps = 60;
// Cells of a member in a tiled nest do not wait for each other. Its counters and addresses, and
// the registers that an SM has for a lane of each warp.
static constexpr double LatencyTiled = 4, OtherRegisters = 48, RegistersOfLanes = 2048;
// Of an access of a warp whose lanes' rows lie apart in the caller's memory.
static constexpr double ApartCycles = 40;
// Instructions for the address in a skewed row, and of a warp beside its instances' own.
static constexpr double SkewCost = 1, PerWarp = 60;
// What is not the longest takes time, too.
static constexpr double Overlapped = 0.1;

/// Of a warp.
static double sharedBytes(const Function &kernel, const TeamChoice &choice, bool isSkewed) {
  double bytes = 0;
  for (auto [array, isCommon] : llvm::zip_equal(kernel.arrays, choice.common))
    if (isCommon && (array.isLocal() || hasLongRows(array)))
      bytes += static_cast<double>(*array.constantCells() * sizeBytes(array.cell));
  const double skew = isSkewed ? 1 + 1.0 / LanesPerWarp : 1;
  return bytes * skew * LanesPerWarp / choice.team;
}

/// Of a row, that are copied there and back.
static double copiedBytes(const Array &array, const LiveCells &live, bool isRead) {
  const auto cells = (isRead ? llvm::count(live.loaded, true) : 0) +
                     (array.writes ? llvm::count(live.stored, true) : 0);
  return static_cast<double>(cells) * static_cast<double>(sizeBytes(array.cell));
}

/// That an instance moves at least.
static double movedBytes(const Function &kernel, const TeamRun &run) {
  double bytes = 0;
  for (auto [array, live, isRead] : llvm::zip_equal(kernel.arrays, run.live, run.isRead))
    if (array.isPassed() && array.isPerInstance())
      bytes += copiedBytes(array, live, isRead);
  return bytes;
}

/// Of each lane.
static double registersOf(const Function &kernel, const TeamTrial &trial) {
  const TeamGrid &grid = trial.choice.grid;
  double most = 0, own = 0;
  for (const TileExtent &extent : trial.run.extents) {
    const double rows = grid.rows == 1 ? 1 : double(rowSlotsAtOnce(extent, grid)),
                 columns = double(grid.columnAxis().slots(extent.columns));
    most = std::max(most, rows * std::max(columns, 1.0));
  }
  for (const std::optional<OwnCells> &cells : ownArrays(kernel, trial.choice, trial.run))
    if (cells)
      own +=
          areRows(trial.choice) ? double(grid.rowAxis().slots(cells->rows) * cells->columns) : most;
  return std::max(OtherRegisters + std::max(own, most), double(registersWithOwn(kernel)));
}

/// Bytes that a lane copies at once between the caller's rows and those in shared memory
/// (stage.cuh).
static double copiedAtOnce(const Array &array, bool isSkewed) {
  const auto cell = static_cast<double>(sizeBytes(array.cell));
  for (double bytes : {16.0, 4.0})
    if (!isSkewed && cell < bytes && std::fmod(*array.constantCells() * cell, bytes) == 0)
      return bytes;
  return cell;
}

/// Of the copies between the caller's arrays and rows.
static double stagedWavefronts(const Function &kernel, const TeamTrial &trial, bool isSkewed) {
  static constexpr double PerCopy = 4;
  double wavefronts = 0;
  for (size_t a = 0; a < kernel.arrays.size(); ++a) {
    const Array &array = kernel.arrays[a];
    if (!trial.choice.common[a] || !hasLongRows(array))
      continue;
    const double bytes = copiedBytes(array, trial.run.live[a], trial.run.isRead[a]);
    wavefronts += bytes / copiedAtOnce(array, isSkewed) / LanesPerWarp * PerCopy;
  }
  return wavefronts * LanesPerWarp / trial.choice.team;
}

/// What instructions take more where they do not stay in an SM's caches: those of loops that are
/// run again, or of all once.
static double fetching(const Function &kernel, const TeamTrial &trial) {
  static constexpr double Cached = 1000, PerMore = 2000, PerOnce = 8000, Most = 3.5;
  if (!trial.choice.grid)
    return 1;
  if (unrollsAll(trial.choice, trial.run))
    return 1 + trial.run.work.unrolled.instructions / PerOnce;
  const double more = std::max(0.0, tiledInstructions(kernel, trial) - Cached);
  return std::min(Most, 1 + more / PerMore);
}

static double cyclesOf(const Function &kernel, const TeamTrial &trial, bool isSkewed) {
  const TeamWork &work = trial.run.work;
  const unsigned team = trial.choice.team;
  const bool unrolled = team > 1 && unrollsAll(trial.choice, trial.run);
  const WarpWork &warp = unrolled ? work.unrolled : work.rolled;
  const double skewing = isSkewed ? SkewCost * warp.accesses : 0;
  const double instances = double(LanesPerWarp) / team,
               instructions = (warp.instructions + skewing + PerWarp) * fetching(kernel, trial),
               wavefronts = (isSkewed ? warp.skewed : warp.wavefronts) +
                            (team > 1 ? stagedWavefronts(kernel, trial, isSkewed) : 0),
               bytes = sharedBytes(kernel, trial.choice, isSkewed);
  const double together = std::max(1u, team / LanesPerWarp); // warps
  const bool hasRoom = bytes * together <= double(MaxSharedBytes);
  if (!hasRoom && team > 1)
    return std::numeric_limits<double>::infinity();
  if (!hasRoom) // the caller's memory
    return std::max(instructions / Schedulers, wavefronts * ApartCycles) / instances;
  double warps = std::min(MostWarps, double(MaxSharedBytes) / bytes);
  if (trial.choice.grid || cellsInRegisters(kernel) > 0)
    warps = std::min(warps, RegistersOfLanes / registersOf(kernel, trial));
  if (together > 1)
    warps = std::max(1.0, std::floor(warps / together)) * together;
  const double latency = cellsInRegisters(kernel) > 0 ? LatencyTiled
                         : unrolled || team == 1      ? Latency
                                                      : LatencyRolled;
  const double alone = std::max(0.0, instructions - warp.tiled) * latency +
                       warp.tiled * LatencyTiled +
                       work.barriers * (together > 1 ? BarrierLatencyOfWarps : BarrierLatency);
  const double limits[] = {instructions / Schedulers / instances, wavefronts / instances,
                           alone / warps / instances,
                           movedBytes(kernel, trial.run) / BytesPerCycle};
  return *llvm::max_element(limits) + Overlapped * (limits[0] + limits[1] + limits[2] + limits[3]);
}

double colonnade::cyclesInColumns(const TeamRun &run) {
  static constexpr double CachedCycles = 4; // of a warp's access
  const WarpWork &warp = run.work.rolled;
  return std::max(warp.instructions / Schedulers, warp.accesses * CachedCycles) / LanesPerWarp;
}

TeamPlan colonnade::pricedPlan(const Function &kernel, TeamTrial trial) {
  TeamPlan plan;
  plan.reason = trial.run.refusal;
  if (!plan.reason.empty())
    return plan;
  const double plain = cyclesOf(kernel, trial, false), skewed = cyclesOf(kernel, trial, true);
  plan.isSkewed = skewed < plain;
  plan.cycles = std::min(plain, skewed);
  plan.registers = trial.choice.grid ? registersOf(kernel, trial) : OtherRegisters;
  plan.choice = std::move(trial.choice);
  plan.run = std::move(trial.run);
  return plan;
}
