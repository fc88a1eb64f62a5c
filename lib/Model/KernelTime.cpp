//===- KernelTime.cpp - How long a CUDA kernel takes ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/KernelTime.h"

#include "Model/IssuedOperations.h"
#include "Model/LoadWaits.h"
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
constexpr unsigned UnitBits = 48; // of a unit's number in its array
constexpr uint64_t UnitMask = (uint64_t(1) << UnitBits) - 1;

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

/// Sectors of all warps that a memory is asked for.
struct Sectors {
  double loads = 0, stores = 0;                   // side by side
  double scatteredLoads = 0, scatteredStores = 0; // far from each other
};

struct Requests {
  double lines = 0; // looked up in L1
  Sectors ofL2, ofDram;
};

/// Of so many instances.
class Launch {
public:
  Launch(const TimeMachine &machine, Layout layout, const TimeInput &input, const WarpReuse &reuse,
         int64_t count)
      : machine_(machine), layout_(layout), input_(input),
        bulk_{input.profile, input.arrays, count}, occupancy_(occupancy()),
        operations_(issuedOperations(input.kernel, input.executions)), isThere_(fitsL2()) {
    findMisses(reuse);
  }

  KernelTime time() const;

private:
  Occupancy occupancy() const;
  bool fitsL2() const;
  void findMisses(const WarpReuse &reuse);
  void add(Sectors &sum, const Traffic &traffic, double sectors) const;
  SiteMisses missesOfRegisters(const Traffic &traffic) const;
  Requests requests() const;
  double nsOfBatch(const LoadBatch &batch) const;
  double latency() const;

  const TimeMachine &machine_;
  Layout layout_;
  const TimeInput &input_;
  BulkInput bulk_;
  Occupancy occupancy_;
  double operations_;                 // of a warp
  bool isThere_;                      // all data is in L2 already
  std::map<OpId, SiteMisses> misses_; // by the certificate's operation
};

} // namespace

static int64_t cellsOfUnit(const ModelArray &array, bool isRow) {
  return isRow ? std::max<int64_t>(1, BytesOfSector / array.bytes) : 1;
}

/// Row-wise, each lane has sectors of its own; else the lanes of a warp share a cell's sectors.
static std::vector<UnitAccess> unitsOf(const TimeInput &input, Layout layout) {
  std::vector<UnitAccess> result;
  for (const CellAccess &access : input.accesses) {
    const Space space = *input.kernel.array(access.array).space;
    if (space == Space::Registers || space == Space::Constant)
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

/// Registers are those of the arrays that are kept there, and some more.
Occupancy Launch::occupancy() const {
  const double threads = std::get<ir::ThreadShape>(*input_.kernel.launch).perBlock;
  double registers = RegistersBesides;
  for (auto [info, array] : llvm::zip_first(bulk_.arrays, input_.kernel.arrays))
    if (array.space == Space::Registers)
      registers += static_cast<double>(info.cells) *
                   std::max(1.0, static_cast<double>(info.bytes) / BytesOfRegister);
  const double byRegisters = machine_.registers / registers;
  const double blocksOfSm =
      std::max(1.0, std::floor(std::min(machine_.residentThreads, byRegisters) / threads));
  const double blocks = std::ceil(static_cast<double>(bulk_.count) / threads);
  Occupancy result;
  result.warps = std::ceil(static_cast<double>(bulk_.count) / LanesOfWarp);
  const double warpsOfBlock = std::min(result.warps, threads / LanesOfWarp);
  const double ofBusiest = std::ceil(blocks / machine_.sms);
  result.warpsOfSm = std::min(ofBusiest, blocksOfSm) * warpsOfBlock;
  result.warpsAtOnce = std::min(result.warps, result.warpsOfSm * machine_.sms);
  result.waves = std::max(1.0, blocks / (blocksOfSm * machine_.sms));
  result.imbalance = ofBusiest * machine_.sms / blocks;
  return result;
}

/// Then they are there already, if the data was just written or is used again and again.
bool Launch::fitsL2() const {
  double bytes = 0;
  for (const ModelArray &array : bulk_.arrays)
    bytes += static_cast<double>(array.cells * array.bytes) *
             (array.isShared ? 1 : static_cast<double>(bulk_.count));
  return bytes <= machine_.l2;
}

/// What its share of the caches leaves of a warp's accesses, by site.
void Launch::findMisses(const WarpReuse &reuse) {
  const double ofL1 = machine_.l1 / occupancy_.warpsOfSm;
  const double ofL2 =
      isThere_ ? std::numeric_limits<double>::infinity() : machine_.l2 / occupancy_.warpsAtOnce;
  for (const auto &[op, one] : reuse.sites) {
    const auto total = static_cast<double>(reuse.totals.at(op));
    auto missed = [&](const Distances &distances, double bytes) {
      const uint64_t first = isThere_ && bytes > machine_.l2 ? 0 : distances.first();
      return static_cast<double>(first + distances.beyond(bytes)) / total;
    };
    misses_[op] = {missed(one.accesses, ofL1),
                   std::min(missed(one.accesses, ofL1), missed(one.accesses, ofL2)),
                   missed(one.writes, ofL2)};
  }
}

/// Row-wise, the next lane's cells are not beside a lane's, if it has more than memory moves.
void Launch::add(Sectors &sum, const Traffic &traffic, double sectors) const {
  const ModelArray &array = bulk_.arrays[traffic.array.index];
  const bool isScattered = layout_ == Layout::Row && !array.isShared &&
                           (traffic.space == Space::Memory || traffic.space == Space::Registers) &&
                           array.cells * array.bytes > 2 * BytesOfSector;
  if (isScattered)
    (traffic.isStore ? sum.scatteredStores : sum.scatteredLoads) += sectors;
  else
    (traffic.isStore ? sum.stores : sum.loads) += sectors;
}

/// Cells are accessed one after the other, so row-wise a lane's sector once.
SiteMisses Launch::missesOfRegisters(const Traffic &traffic) const {
  const ModelArray &array = bulk_.arrays[traffic.array.index];
  const double share = 1 / static_cast<double>(std::clamp<int64_t>(
                               array.cells, 1, cellsOfUnit(array, layout_ == Layout::Row)));
  const double cold = isThere_ ? 0 : share;
  return {share, cold, cold};
}

/// Stores all go to L2; arrays in registers are read and written once.
Requests Launch::requests() const {
  Requests sum;
  for (const Traffic &one : traffic(input_.kernel, layout_, bulk_, {LanesOfWarp, BytesOfLine}))
    sum.lines += static_cast<double>(one.sectors);
  for (const Traffic &one : traffic(input_.kernel, layout_, bulk_)) {
    const auto sectors = static_cast<double>(one.sectors);
    const auto found = misses_.find(one.op);
    const SiteMisses misses = found == misses_.end() ? missesOfRegisters(one) : found->second;
    add(sum.ofL2, one, (one.isStore ? 1 : misses.ofL1) * sectors);
    add(sum.ofDram, one, (one.isStore ? misses.written : misses.ofL2) * sectors);
  }
  return sum;
}

/// A batch waits for the slowest of its loads.
double Launch::nsOfBatch(const LoadBatch &batch) const {
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
double Launch::latency() const {
  double ns = 0;
  for (const LoadBatch &batch : loadBatches(input_.kernel, input_.executions, layout_))
    ns += batch.times * nsOfBatch(batch);
  if (llvm::any_of(input_.kernel.arrays, [](const ir::Array &array) { return array.loadedFirst; }))
    ns += isThere_ ? machine_.l2Latency : machine_.dramLatency;
  ns += operations_ * CyclesOfOperation / machine_.clock;
  return occupancy_.waves * ns / NsOfUs;
}

/// In nanoseconds: GB/s are bytes, Gsectors/s sectors a nanosecond.
static double timeOfDram(const TimeMachine &machine, const Sectors &asked) {
  return (asked.loads + asked.stores) * BytesOfSector / machine.dram +
         asked.scatteredLoads / machine.dramSectors +
         asked.scatteredStores / machine.dramSectorStores;
}

/// Loads and stores go opposite ways.
static double timeOfL2(const TimeMachine &machine, const Sectors &asked) {
  const double loads =
      asked.loads * BytesOfSector / machine.l2Bandwidth + asked.scatteredLoads / machine.l2Sectors;
  const double stores = asked.stores * BytesOfSector / machine.l2StoreBandwidth +
                        asked.scatteredStores / machine.l2SectorStores;
  return std::max(loads, stores);
}

/// Between the sum (exponent 1) and the longest (infinity).
static double together(llvm::ArrayRef<double> times, double exponent) {
  double powers = 0;
  for (double one : times)
    powers += std::pow(one, exponent);
  return std::pow(powers, 1 / exponent);
}

/// Threads that wait alike leave memory idle, the more so the fewer waves there are.
KernelTime Launch::time() const {
  static constexpr double OfThroughputs = 4;
  const double ofWaits = 1.5 - 0.5 / occupancy_.waves;
  KernelTime time;
  auto limit = [&](TimeLimit which) -> double & { return time.limits[static_cast<size_t>(which)]; };
  const Requests asked = requests();
  const double ofMachine = machine_.sms * machine_.clock / occupancy_.imbalance * NsOfUs;
  limit(TimeLimit::Dram) = timeOfDram(machine_, asked.ofDram) / NsOfUs;
  limit(TimeLimit::L2) = timeOfL2(machine_, asked.ofL2) / NsOfUs;
  limit(TimeLimit::L1) = asked.lines / ofMachine;
  limit(TimeLimit::Issue) = operations_ * occupancy_.warps / machine_.issue / ofMachine;
  limit(TimeLimit::Latency) = latency();
  limit(TimeLimit::Launch) = machine_.launch;
  const double memory = together({limit(TimeLimit::Dram), limit(TimeLimit::Latency)}, ofWaits);
  time.microseconds = machine_.launch + together({memory, limit(TimeLimit::L2),
                                                  limit(TimeLimit::L1), limit(TimeLimit::Issue)},
                                                 OfThroughputs);
  time.binds = static_cast<TimeLimit>(llvm::max_element(time.limits) - time.limits.begin());
  return time;
}

TimeEstimate::TimeEstimate(const TimeMachine &machine, Layout layout, const TimeInput &input)
    : machine_(machine), layout_(layout), input_(input), reuse_{reuse(unitsOf(input, layout)), {}} {
  for (const CellAccess &access : input.accesses)
    ++reuse_.totals[access.op];
}

KernelTime TimeEstimate::of(int64_t count) const {
  return Launch(machine_, layout_, input_, reuse_, count).time();
}

} // namespace colonnade::model
