//===- KernelTime.h - How long a CUDA kernel takes --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sectors, lines ─────────────┐
//   reuse of units ─▶ caches ───┼▶ time at each limit ─▶ time, and what binds
//   batches of loads, operations┘
//
// In: a kernel, the accesses of an instance in their order, a layout, a machine. Out: how long each
// limit alone takes, an estimate of all together, and an interval: from what is best of all that
// the kernel does not say to what is worst. docs/models/time.md says how far off they are.
//
// Invariant: no figure of a machine is made up; what it does not say is an error.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_KERNELTIME_H
#define COLONNADE_MODEL_KERNELTIME_H

#include "Model/BulkCost.h"
#include "Model/KernelWork.h"
#include "Model/Machine.h"
#include "Model/OperationCounts.h"
#include "Model/Reuse.h"

#include <array>

namespace colonnade::model {

/// What the estimate asks of a machine file, in its units.
struct TimeMachine {
  double sms, residentThreads, registers, l1, l2, issue, clock;
  double dram, l2Bandwidth, l2StoreBandwidth;                      // of accesses side by side
  double dramSectors, dramSectorStores, l2Sectors, l2SectorStores; // far from each other
  double dramLatency, l2Latency, l1Latency, launch;
  double loadsInFlight; // of a thread; infinity: the machine does not say
};
/// Error: the fields that the machine does not say.
llvm::Expected<TimeMachine> timeMachine(const Machine &machine);

/// What a kernel's time may be bound by.
enum class TimeLimit : uint8_t { Dram, L2, L1, Latency, Issue, Launch };
constexpr size_t NumTimeLimits = static_cast<size_t>(TimeLimit::Launch) + 1;
const char *name(TimeLimit limit); // "DRAM bandwidth"

struct KernelTime {
  std::array<double, NumTimeLimits> limits = {}; // microseconds of each alone
  double microseconds = 0;
  double least = 0, most = 0; // likewise
  TimeLimit binds = TimeLimit::Launch;
  double loadsInFlight = 0; // of a thread, on average when it waits
};

/// How far back a warp's accesses reach: of all instances alike, whatever their number.
struct WarpReuse {
  std::map<OpId, SiteReuse> sites;
  std::map<OpId, uint64_t> totals;
};

/// One instance on its warp.
struct TimeInput {
  const ir::Function &certificate, &kernel;
  const RegionExecutions &executions;
  const AccessProfile &profile;
  llvm::ArrayRef<ModelArray> arrays;
  llvm::ArrayRef<CellAccess> accesses; // of an instance, in their order
  const TeamRequests *team = nullptr;  // of the kernel, if they are counted
};

/// What is not known of a kernel: the compiler's work, and what data decides.
struct TimeAssumptions {
  double caches = 1;     // of their sizes is used
  double waits = 1;      // of those that are counted
  double issued = 1;     // of the operations
  double requests = 1;   // of those that L1 answers, and of stores: compilers merge some
  double sectors = 1;    // that memory moves, of those far from each other that are asked for
  double registers = 32; // of a thread, beside its arrays
  double together = 4;   // between the sum of all limits (1) and the longest alone (infinity)
  double launch = 1;     // of an empty kernel's time
  bool inTurn = false;   // each operation waits for the one before
  bool all = true;       // what data may ask for
  bool stays = false;    // what L2 has room for is there from before
};

/// The time of any number of instances in a layout.
class TimeEstimate {
public:
  TimeEstimate(const TimeMachine &machine, Layout layout, const TimeInput &input);

  KernelTime of(int64_t count) const;

private:
  const TimeMachine &machine_;
  Layout layout_;
  const TimeInput &input_;
  WarpReuse reuse_, reuseOfOne_; // the latter of a single instance, whose columns lie as a row does
  RegionExecutions least_;       // where data asks for nothing
  KernelWork work_, workOfLeast_;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_KERNELTIME_H
