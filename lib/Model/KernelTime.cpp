//===- KernelTime.cpp - How long a CUDA kernel takes ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/KernelTime.h"

#include "Model/LoadWaits.h"
#include "Model/Reuse.h"
#include "Model/Sectors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <numeric>

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
  const TimeMachine result = {field("sms"),          field("resident_threads"),
                              field("registers"),    field("l1"),
                              field("l2"),           field("dram"),
                              field("dram_sectors"), field("l2_bandwidth"),
                              field("dram_latency"), field("l2_latency"),
                              field("l1_latency"),   field("launch"),
                              field("issue"),        field("clock")};
  if (lacks.empty())
    return result;
  return llvm::createStringError("machine '" + machine.name + "' does not say its " +
                                 llvm::join(lacks, ", "));
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

namespace {

constexpr int64_t BytesOfLine = 128;
constexpr double BytesOfRegister = 4, RegistersBesides = 32; // a thread's, beside its arrays
constexpr double CyclesOfOperation = 4;                      // until its result is used
constexpr double NsOfUs = 1e3;

/// How the instances of a launch share the machine.
struct Occupancy {
  double warps;         // of all instances
  double warpsOfSm;     // at once, on an SM that is full
  double warpsAtOnce;   // on all SMs
  double waves;         // of blocks, one or more
  double imbalance = 1; // the busiest SM's work over the mean's
};

/// Shares of a site's accesses.
struct SiteMisses {
  double ofL1 = 0, ofL2 = 0;
  double written = 0; // to memory, of stores
};

/// Of all warps.
struct Requests {
  double lines = 0; // looked up in L1
  double sectorsOfL2 = 0;
  double bytesOfDram = 0;   // side by side
  double sectorsOfDram = 0; // far from each other
};

class TimeEstimate {
public:
  TimeEstimate(const TimeMachine &machine, Layout layout, const TimeInput &input)
      : machine_(machine), layout_(layout), input_(input), occupancy_(occupancy()),
        isThere_(fitsL2()) {
    findMisses();
  }

  KernelTime run();

private:
  Occupancy occupancy() const;
  int64_t cellsOfUnit(ArrayId array, bool isRow) const;
  std::vector<UnitAccess> units() const;
  bool fitsL2() const;
  void findMisses();
  bool isScattered(const Traffic &traffic) const;
  SiteMisses missesOfRegisters(const Traffic &traffic) const;
  Requests requests() const;
  double nsOfBatch(const LoadBatch &batch) const;
  double latency() const;
  double operations() const;
  Space spaceOf(ArrayId array) const { return *input_.kernel.array(array).space; }

  const TimeMachine &machine_;
  Layout layout_;
  const TimeInput &input_;
  Occupancy occupancy_;
  bool isThere_;                      // all data is in L2 already
  std::map<OpId, SiteMisses> misses_; // by the certificate's operation
};

} // namespace

/// Registers are those of the arrays that are kept there, and some more.
Occupancy TimeEstimate::occupancy() const {
  const double threads = std::get<ir::ThreadShape>(*input_.kernel.launch).perBlock;
  double registers = RegistersBesides;
  for (auto [array, info] : llvm::zip_equal(input_.kernel.arrays, input_.bulk.arrays))
    if (array.space == Space::Registers)
      registers += static_cast<double>(info.cells) *
                   std::max(1.0, static_cast<double>(info.bytes) / BytesOfRegister);
  const double byRegisters = machine_.registers / registers;
  const double blocksOfSm =
      std::max(1.0, std::floor(std::min(machine_.residentThreads, byRegisters) / threads));
  const double blocks = std::ceil(static_cast<double>(input_.bulk.count) / threads);
  Occupancy result;
  result.warps = std::ceil(static_cast<double>(input_.bulk.count) / LanesOfWarp);
  const double warpsOfBlock = std::min(result.warps, threads / LanesOfWarp);
  const double ofBusiest = std::ceil(blocks / machine_.sms);
  result.warpsOfSm = std::min(ofBusiest, blocksOfSm) * warpsOfBlock;
  result.warpsAtOnce = std::min(result.warps, result.warpsOfSm * machine_.sms);
  result.waves = std::max(1.0, blocks / (blocksOfSm * machine_.sms));
  result.imbalance = ofBusiest * machine_.sms / blocks;
  return result;
}

int64_t TimeEstimate::cellsOfUnit(ArrayId array, bool isRow) const {
  return isRow ? std::max<int64_t>(1, BytesOfSector / input_.bulk.arrays[array.index].bytes) : 1;
}

/// Row-wise, each lane has sectors of its own; else the lanes of a warp share a cell's sectors.
std::vector<UnitAccess> TimeEstimate::units() const {
  std::vector<UnitAccess> result;
  for (const CellAccess &access : input_.accesses) {
    const Space space = spaceOf(access.array);
    if (space == Space::Registers || space == Space::Constant)
      continue;
    const ModelArray &array = input_.bulk.arrays[access.array.index];
    const bool isShared = space == Space::Uniform || space == Space::Global;
    const bool isRow = isShared || (layout_ == Layout::Row && space == Space::Memory);
    const int64_t lanes = isShared ? 1 : LanesOfWarp, cells = cellsOfUnit(access.array, isRow);
    const auto unit = static_cast<uint64_t>(access.cell / cells);
    const int64_t bytes = lanes * std::min(cells, array.cells) * array.bytes;
    result.push_back({access.op, uint64_t(access.array.index) << 48 | unit,
                      static_cast<uint32_t>(std::max<int64_t>(bytes, BytesOfSector)),
                      input_.certificate.op(access.op).opcode == ir::Opcode::Store});
  }
  return result;
}

/// Then they are there already, if the data was just written or is used again and again.
bool TimeEstimate::fitsL2() const {
  double bytes = 0;
  for (const ModelArray &array : input_.bulk.arrays)
    bytes += static_cast<double>(array.cells * array.bytes) *
             (array.isShared ? 1 : static_cast<double>(input_.bulk.count));
  return bytes <= machine_.l2;
}

/// What its share of the caches leaves of a warp's accesses, by site.
void TimeEstimate::findMisses() {
  const double ofL1 = machine_.l1 / occupancy_.warpsOfSm;
  const double ofL2 =
      isThere_ ? std::numeric_limits<double>::infinity() : machine_.l2 / occupancy_.warpsAtOnce;
  std::map<OpId, uint64_t> totals;
  for (const CellAccess &access : input_.accesses)
    ++totals[access.op];
  for (const auto &[op, one] : reuse(units())) {
    const auto total = static_cast<double>(totals[op]);
    auto missed = [&](const Distances &distances, double bytes) {
      const uint64_t first = isThere_ && bytes > machine_.l2 ? 0 : distances.first();
      return static_cast<double>(first + distances.beyond(bytes)) / total;
    };
    misses_[op] = {missed(one.accesses, ofL1),
                   std::min(missed(one.accesses, ofL1), missed(one.accesses, ofL2)),
                   missed(one.writes, ofL2)};
  }
}

/// Row-wise, where the next lane's cells are not beside the sector: memory moves two at a time.
bool TimeEstimate::isScattered(const Traffic &traffic) const {
  const ModelArray &array = input_.bulk.arrays[traffic.array.index];
  return layout_ == Layout::Row && !array.isShared &&
         (traffic.space == Space::Memory || traffic.space == Space::Registers) &&
         array.cells * array.bytes > 2 * BytesOfSector;
}

/// Cells are accessed one after the other, so row-wise a lane's sector once.
SiteMisses TimeEstimate::missesOfRegisters(const Traffic &traffic) const {
  const int64_t cells = input_.bulk.arrays[traffic.array.index].cells;
  const double share =
      1 / static_cast<double>(std::min(cells, cellsOfUnit(traffic.array, layout_ == Layout::Row)));
  const double cold = isThere_ ? 0 : share;
  return {share, cold, cold};
}

/// Stores all go to L2; arrays in registers are read and written once.
Requests TimeEstimate::requests() const {
  Requests sum;
  for (const Traffic &one :
       traffic(input_.kernel, layout_, input_.bulk, {LanesOfWarp, BytesOfLine}))
    sum.lines += static_cast<double>(one.sectors);
  for (const Traffic &one : traffic(input_.kernel, layout_, input_.bulk)) {
    const auto sectors = static_cast<double>(one.sectors);
    const auto found = misses_.find(one.op);
    const SiteMisses misses = found == misses_.end() ? missesOfRegisters(one) : found->second;
    sum.sectorsOfL2 += (one.isStore ? 1 : misses.ofL1) * sectors;
    const double ofDram = (one.isStore ? misses.written : misses.ofL2) * sectors;
    if (isScattered(one))
      sum.sectorsOfDram += ofDram;
    else
      sum.bytesOfDram += ofDram * BytesOfSector;
  }
  return sum;
}

/// A batch waits for the slowest of its loads.
double TimeEstimate::nsOfBatch(const LoadBatch &batch) const {
  double ofL1 = 0, ofL2 = 0;
  for (const auto &[op, misses] : misses_)
    if (llvm::is_contained(batch.accesses, input_.certificate.op(op).accessId)) {
      ofL1 += batch.together * misses.ofL1;
      ofL2 += batch.together * misses.ofL2;
    }
  return machine_.l1Latency + std::min(1.0, ofL1) * (machine_.l2Latency - machine_.l1Latency) +
         std::min(1.0, ofL2) * (machine_.dramLatency - machine_.l2Latency);
}

/// One thread's waits and operations, one after the other, wave after wave.
double TimeEstimate::latency() const {
  double ns = 0;
  for (const LoadBatch &batch : loadBatches(input_.kernel, input_.executions, layout_))
    ns += batch.times * nsOfBatch(batch);
  if (llvm::any_of(input_.kernel.arrays, [](const ir::Array &array) {
        return array.space == Space::Registers && array.loadedFirst;
      }))
    ns += isThere_ ? machine_.l2Latency : machine_.dramLatency;
  ns += operations() * CyclesOfOperation / machine_.clock;
  return occupancy_.waves * ns / NsOfUs;
}

/// Of a warp.
double TimeEstimate::operations() const {
  const InstructionCounts counts = instructionCounts(input_.kernel, input_.executions);
  return static_cast<double>(counts.plain.all + counts.shared.all + counts.external.all);
}

/// Limits that are close to each other hinder each other: the root of the sum of their squares.
KernelTime TimeEstimate::run() {
  KernelTime time;
  auto limit = [&](TimeLimit which) -> double & { return time.limits[static_cast<size_t>(which)]; };
  const Requests asked = requests();
  const double ofMachine = machine_.sms * machine_.clock / occupancy_.imbalance * NsOfUs;
  limit(TimeLimit::Dram) =
      (asked.bytesOfDram / machine_.dram + asked.sectorsOfDram / machine_.dramSectors) / NsOfUs;
  limit(TimeLimit::L2) = asked.sectorsOfL2 * BytesOfSector / machine_.l2Bandwidth / NsOfUs;
  limit(TimeLimit::L1) = asked.lines / ofMachine;
  limit(TimeLimit::Latency) = latency();
  limit(TimeLimit::Issue) = operations() * occupancy_.warps / machine_.issue / ofMachine;
  double squares = 0;
  for (double one : time.limits)
    squares += one * one;
  limit(TimeLimit::Launch) = machine_.launch;
  time.microseconds = machine_.launch + std::sqrt(squares);
  time.binds = static_cast<TimeLimit>(llvm::max_element(time.limits) - time.limits.begin());
  return time;
}

KernelTime kernelTime(const TimeMachine &machine, Layout layout, const TimeInput &input) {
  return TimeEstimate(machine, layout, input).run();
}

} // namespace colonnade::model
