//===- KernelTime.cpp - How long a CUDA kernel takes ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/KernelTime.h"

#include "Model/LaunchTime.h"
#include "Model/RegisterArrays.h"
#include "Model/Sectors.h"
#include "Model/StagedRows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>

namespace colonnade::model {

using ir::Space;

llvm::Expected<TimeMachine> timeMachine(const Machine &machine) {
  std::vector<std::string> lacks;
  auto field = [&](const char *name) {
    const std::optional<double> value = machine.find(name);
    if (!value)
      lacks.push_back("'" + std::string(name) + "'");
    return value.value_or(0);
  };
  TimeMachine result;
  result.sms = field("sms");
  result.residentThreads = field("resident_threads");
  result.registers = field("registers");
  result.l1 = field("l1");
  result.l2 = field("l2_holds");
  result.issue = field("issue");
  result.clock = field("clock");
  result.dram = field("dram");
  result.l2Bandwidth = field("l2_bandwidth");
  result.l2StoreBandwidth = field("l2_store_bandwidth");
  result.dramSectors = field("dram_sectors");
  result.dramSectorStores = field("dram_sector_stores");
  result.l2Sectors = field("l2_sectors");
  result.l2SectorStores = field("l2_sector_stores");
  result.dramLatency = field("dram_latency");
  result.l2Latency = field("l2_latency");
  result.l1Latency = field("l1_latency");
  result.launch = field("launch");
  result.loadsInFlight =
      machine.find("loads_in_flight").value_or(std::numeric_limits<double>::infinity());
  if (lacks.empty())
    return result;
  return llvm::createStringError("machine '" + machine.name + "' does not say its " +
                                 llvm::join(lacks, ", ") + ": scripts/calibrate measures them");
}

const char *name(TimeLimit limit) {
  switch (limit) {
  case TimeLimit::Dram:
    return "DRAM bandwidth";
  case TimeLimit::L2:
    return "L2 bandwidth";
  case TimeLimit::L1:
    return "L1 lines";
  case TimeLimit::Latency:
    return "latency";
  case TimeLimit::Issue:
    return "issue";
  case TimeLimit::Launch:
    return "launch";
  }
  return "";
}

static constexpr unsigned UnitBits = 48; // of a unit's number in its array
static constexpr uint64_t UnitMask = (uint64_t(1) << UnitBits) - 1;

/// Row-wise, each lane has sectors of its own; else the lanes of a warp share a cell's sectors.
static std::vector<UnitAccess> unitsOf(const TimeInput &input, Layout layout) {
  std::vector<UnitAccess> result;
  const std::vector<bool> inRegisters = registerArrays(input.kernel),
                          isStaged = stagedArrays(input.kernel);
  for (const CellAccess &access : input.accesses) {
    const Space space = *input.kernel.array(access.array).space;
    if (inRegisters[access.array.index] || space == Space::Constant || space == Space::Shared ||
        isStaged[access.array.index])
      continue;
    const ModelArray &array = input.arrays[access.array.index];
    const bool isShared = space == Space::Uniform || space == Space::Global;
    const bool isRow = isShared || (layout == Layout::Row && space == Space::Memory);
    const int64_t lanes = isShared ? 1 : LanesOfWarp, cells = cellsOfUnit(array, isRow);
    const auto unit = static_cast<uint64_t>(access.cell / cells) & UnitMask;
    const int64_t bytes = lanes * std::min(cells, array.cells) * array.bytes;
    result.push_back({access.op, uint64_t(access.array.index) << UnitBits | unit,
                      static_cast<uint32_t>(std::max<int64_t>(bytes, BytesOfSector)),
                      input.certificate.op(access.op).opcode == ir::Opcode::Store});
  }
  return result;
}

TimeEstimate::TimeEstimate(const TimeMachine &machine, Layout layout, const TimeInput &input)
    : machine_(machine), layout_(layout), input_(input), reuse_{reuse(unitsOf(input, layout)), {}},
      reuseOfOne_(reuse_), least_(unconditional(input.executions)),
      work_(kernelWork(input.kernel, input.executions, layout)),
      workOfLeast_(kernelWork(input.kernel, least_, layout)) {
  for (const CellAccess &access : input.accesses)
    ++reuse_.totals[access.op];
  reuseOfOne_.totals = reuse_.totals;
  if (layout == Layout::Column)
    reuseOfOne_.sites = reuse(unitsOf(input, Layout::Row));
}

/// Large caches, and loads that wait for nothing; the compiler leaves out what it can.
static constexpr TimeAssumptions Best = {.caches = 2,
                                         .waits = 0.25,
                                         .issued = 0.25,
                                         .requests = 0.5,
                                         .sectors = 0.85,
                                         .together = std::numeric_limits<double>::infinity(),
                                         .launch = 0.7,
                                         .all = false,
                                         .stays = true};
/// Small caches, and memory that moves pairs of sectors; no limit hides another, and no operation.
/// Of threads with many registers fewer run at once: longer waits, but more of the caches.
static constexpr TimeAssumptions worstOf(double registers) {
  return {.caches = 0.5,
          .waits = 4,
          .issued = 1.5,
          .sectors = 2,
          .registers = registers,
          .together = 1,
          .launch = 1.5,
          .inTurn = true};
}

/// Copies, by which a machine's bandwidth is measured, are not the fastest that there is.
static constexpr double Slack = 0.9;

KernelTime TimeEstimate::of(int64_t count) const {
  const WarpReuse &reuse = count == 1 ? reuseOfOne_ : reuse_;
  KernelTime result = Launch(machine_, layout_, input_, reuse, work_, count).time();
  const TimeInput ofLeast{input_.certificate, input_.kernel,   least_,     input_.profile,
                          input_.arrays,      input_.accesses, input_.team};
  const auto timed = [&](const TimeInput &input, const KernelWork &work,
                         const TimeAssumptions &assumed) {
    return Launch(machine_, layout_, input, reuse, work, count, assumed).time().microseconds;
  };
  result.least = std::min(result.microseconds, Slack * timed(ofLeast, workOfLeast_, Best));
  result.most = std::max(
      {result.microseconds, timed(input_, work_, worstOf(32)), timed(input_, work_, worstOf(128))});
  return result;
}

} // namespace colonnade::model
