//===- KernelTime.cpp - How long a CUDA kernel takes ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/KernelTime.h"

#include "Model/IssuedOperations.h"
#include "Model/LoadWaits.h"
#include "Model/MergedAccesses.h"
#include "Model/RegisterArrays.h"
#include "Model/Sectors.h"
#include "Model/StagedRows.h"

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
  result.loadsInFlight =
      machine.find("loads_in_flight").value_or(std::numeric_limits<double>::infinity());
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

constexpr double BytesOfRegister = 4;
constexpr double MostRegisters = 255;      // of a thread
constexpr double CyclesOfOperation = 4;    // until its result is used
constexpr double CyclesOfStore = 1.7;      // of L1, a line; prefix sums, row-wise
constexpr double SharedOfL1 = 228.0 / 256; // of its bytes, at most
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
  double lines = 0; // looked up in L1, a cycle each
  Sectors ofL2, ofDram;
};

/// Of so many instances.
class Launch {
public:
  Launch(const TimeMachine &machine, Layout layout, const TimeInput &input, const WarpReuse &reuse,
         int64_t count, const TimeAssumptions &assumed = {})
      : machine_(machine), layout_(layout), input_(input), assumed_(assumed),
        bulk_{input.profile, input.arrays, count}, occupancy_(occupancy()),
        operations_(assumed.issued * issuedOperations(input.kernel, input.executions)),
        staged_(stagedWork(input.kernel, input.executions)),
        merged_(mergedAccesses(input.kernel, input.executions)), cold_(cold()),
        isThere_(cold_ == 0) {
    findMisses(reuse);
  }

  KernelTime time() const;

private:
  double threadsOfBlock() const {
    return std::get<ir::ThreadShape>(*input_.kernel.launch).perBlock;
  }
  Occupancy occupancy() const;
  double cold() const;
  void findMisses(const WarpReuse &reuse);
  void add(Sectors &sum, const Traffic &traffic, double sectors) const;
  SiteMisses missesOfRegisters(const Traffic &traffic) const;
  double left(const Traffic &traffic) const;
  Requests requests() const;
  double nsOfBatch(const LoadBatch &batch) const;
  bool isInSteps(ArrayId array) const;
  double latency() const;
  double loadsInFlight() const;

  const TimeMachine &machine_;
  Layout layout_;
  const TimeInput &input_;
  TimeAssumptions assumed_;
  BulkInput bulk_;
  Occupancy occupancy_;
  double operations_; // of a warp
  StagedWork staged_;
  MergedAccesses merged_;
  double cold_;                       // of first accesses, what is not in L2 already
  bool isThere_;                      // all is
  std::map<OpId, SiteMisses> misses_; // by the certificate's operation
  std::map<uint32_t, OpId> siteOf_;   // of these, by accessId
};

} // namespace

static int64_t cellsOfUnit(const ModelArray &array, bool isRow) {
  return isRow ? std::max<int64_t>(1, BytesOfSector / array.bytes) : 1;
}

/// Row-wise, each lane has sectors of its own; else the lanes of a warp share a cell's sectors.
static std::vector<UnitAccess> unitsOf(const TimeInput &input, Layout layout) {
  std::vector<UnitAccess> result;
  const std::vector<bool> inRegisters = registerArrays(input.kernel),
                          isStaged = stagedArrays(input.kernel);
  for (const CellAccess &access : input.accesses) {
    const Space space = *input.kernel.array(access.array).space;
    if (inRegisters[access.array.index] || space == Space::Constant || isStaged[access.array.index])
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

/// Registers are those of the arrays that are kept there, and some more; shared memory is a part of
/// L1.
Occupancy Launch::occupancy() const {
  const double threads = threadsOfBlock();
  double registers = assumed_.registers;
  for (auto [info, isThere] : llvm::zip_first(bulk_.arrays, registerArrays(input_.kernel)))
    if (isThere)
      registers += static_cast<double>(info.cells) *
                   std::max(1.0, static_cast<double>(info.bytes) / BytesOfRegister);
  registers = std::min(registers, MostRegisters);
  const double byThreads =
      std::min(machine_.residentThreads, machine_.registers / registers) / threads;
  const double byShared =
      SharedOfL1 * machine_.l1 / static_cast<double>(input_.kernel.sharedBytes());
  const double blocksOfSm = std::max(1.0, std::floor(std::min(byThreads, byShared)));
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

/// What fits L2 is there already, if it was just written or is used again and again; else nothing.
double Launch::cold() const {
  double bytes = 0;
  for (const ModelArray &array : bulk_.arrays)
    bytes += static_cast<double>(array.cells * array.bytes) *
             (array.isShared ? 1 : static_cast<double>(bulk_.count));
  if (bytes <= machine_.l2)
    return 0;
  return assumed_.stays ? 1 - machine_.l2 / bytes : 1;
}

/// What its share of the caches leaves of a warp's accesses, by site.
void Launch::findMisses(const WarpReuse &reuse) {
  const double blocks = occupancy_.warpsOfSm * LanesOfWarp / threadsOfBlock();
  const double shared = blocks * static_cast<double>(input_.kernel.sharedBytes());
  const double ofL1 = assumed_.caches * (machine_.l1 - shared) / occupancy_.warpsOfSm;
  const double ofL2 = isThere_ ? std::numeric_limits<double>::infinity()
                               : assumed_.caches * machine_.l2 / occupancy_.warpsAtOnce;
  for (const auto &[op, one] : reuse.sites) {
    const auto total = static_cast<double>(reuse.totals.at(op));
    auto missed = [&](const Distances &distances, double bytes, double cold) {
      return (cold * static_cast<double>(distances.first()) + distances.likelyBeyond(bytes)) /
             total;
    };
    const double l1 = missed(one.accesses, ofL1, 1);
    siteOf_[input_.certificate.op(op).accessId] = op;
    misses_[op] = {l1, std::min(l1, missed(one.accesses, ofL2, cold_)),
                   missed(one.writes, ofL2, cold_)};
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

/// Cells are accessed one after the other, so row-wise a lane's sector once; where a warp stages
/// rows, it asks for each sector once.
SiteMisses Launch::missesOfRegisters(const Traffic &traffic) const {
  const ModelArray &array = bulk_.arrays[traffic.array.index];
  if (traffic.space == Space::Shared)
    return {1, cold_, cold_};
  const double share = 1 / static_cast<double>(std::clamp<int64_t>(
                               array.cells, 1, cellsOfUnit(array, layout_ == Layout::Row)));
  return {share, cold_ * share, cold_ * share};
}

/// The share of a site's requests that the compiler leaves.
double Launch::left(const Traffic &traffic) const {
  if (!traffic.op || traffic.requests == 0)
    return 1;
  const double merged = merged_.of(input_.certificate.op(traffic.op).accessId);
  return std::max(0.0, 1 - merged / static_cast<double>(traffic.requests));
}

/// Stores all go to L2; arrays in registers are read and written once.
Requests Launch::requests() const {
  Requests sum;
  sum.lines = (staged_.accesses - merged_.ofShared) * occupancy_.warps; // the same way to L1
  const std::vector<bool> inRegisters = registerArrays(input_.kernel);
  const auto isMade = [&](const Traffic &one) {
    const bool isOfRegister = one.space == Space::Local && inRegisters[one.array.index];
    return !isOfRegister && (assumed_.all || !one.isConditional);
  };
  for (const Traffic &one : traffic(input_.kernel, layout_, bulk_, {LanesOfWarp, BytesOfLine}))
    sum.lines += isMade(one) ? left(one) * (one.isStore ? CyclesOfStore : 1) *
                                   static_cast<double>(one.sectors)
                             : 0;
  for (const Traffic &one : traffic(input_.kernel, layout_, bulk_)) {
    if (!isMade(one))
      continue;
    const auto sectors = static_cast<double>(one.sectors);
    const auto found = misses_.find(one.op);
    const SiteMisses misses = found == misses_.end() ? missesOfRegisters(one) : found->second;
    add(sum.ofL2, one, (one.isStore ? 1 : misses.ofL1) * sectors);
    add(sum.ofDram, one, (one.isStore ? misses.written : misses.ofL2) * sectors);
  }
  sum.lines *= assumed_.requests;
  sum.ofL2.stores *= assumed_.requests;
  sum.ofL2.scatteredStores *= assumed_.requests;
  return sum;
}

/// A batch waits for the slowest of its loads.
double Launch::nsOfBatch(const LoadBatch &batch) const {
  double inL1 = 1, inL2 = 1, all = 0; // shares of batches that need no more
  std::map<uint32_t, double> loadsOf; // by accessId
  for (uint32_t access : batch.accesses)
    loadsOf[access] += batch.together;
  for (auto [access, loads] : loadsOf) {
    const auto site = siteOf_.find(access);
    if (site == siteOf_.end())
      continue;
    const SiteMisses &misses = misses_.at(site->second);
    all += loads;
    const bool isInSteps = this->isInSteps(input_.certificate.op(site->second).array);
    const double apart = isInSteps ? loads : batch.together;
    inL1 *= 1 - std::min(1.0, apart * misses.ofL1);
    inL2 *= 1 - std::min(1.0, apart * misses.ofL2);
  }
  const double ns = machine_.l1Latency + (1 - inL1) * (machine_.l2Latency - machine_.l1Latency) +
                    (1 - inL2) * (machine_.dramLatency - machine_.l2Latency);
  return ns * std::max(1.0, all / machine_.loadsInFlight);
}

/// Whether a site misses once in a while, as cells that lie side by side share a sector; else, of
/// the iterations of a short loop, it misses all or none.
bool Launch::isInSteps(ArrayId array) const {
  return layout_ == Layout::Row && *input_.kernel.array(array).space == Space::Memory &&
         !bulk_.arrays[array.index].isShared;
}

/// Of a thread, when it waits; as many as the machine has at most.
double Launch::loadsInFlight() const {
  double loads = 0, waits = 0;
  for (const LoadBatch &batch : loadBatches(input_.kernel, input_.executions, layout_)) {
    loads += batch.times * batch.together * static_cast<double>(batch.accesses.size());
    waits += batch.times;
  }
  return waits > 0 ? std::min(loads / waits, machine_.loadsInFlight) : 0;
}

/// One thread's waits and operations, one after the other, wave after wave.
double Launch::latency() const {
  double ns = 0;
  for (const LoadBatch &batch : loadBatches(input_.kernel, input_.executions, layout_))
    ns += batch.times * nsOfBatch(batch);
  if (llvm::any_of(input_.kernel.arrays, [](const ir::Array &array) { return array.loadedFirst; }))
    ns += isThere_ ? machine_.l2Latency : machine_.dramLatency;
  ns += staged_.waits * (isThere_ ? machine_.l2Latency : machine_.dramLatency);
  ns += operations_ * CyclesOfOperation / machine_.clock;
  return assumed_.waits * occupancy_.waves * ns / NsOfUs;
}

/// In nanoseconds: GB/s are bytes, Gsectors/s sectors a nanosecond.
static double timeOfDram(const TimeMachine &machine, const Sectors &asked, double moved) {
  return (asked.loads + asked.stores) * BytesOfSector / machine.dram +
         moved * (asked.scatteredLoads / machine.dramSectors +
                  asked.scatteredStores / machine.dramSectorStores);
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
  if (std::isinf(exponent))
    return *llvm::max_element(times);
  double powers = 0;
  for (double one : times)
    powers += std::pow(one, exponent);
  return std::pow(powers, 1 / exponent);
}

/// Threads that wait alike leave memory idle, the more so the fewer waves there are.
KernelTime Launch::time() const {
  const double ofWaits =
      std::isinf(assumed_.together) ? assumed_.together : 1.5 - 0.5 / occupancy_.waves;
  KernelTime time;
  auto limit = [&](TimeLimit which) -> double & { return time.limits[static_cast<size_t>(which)]; };
  const Requests asked = requests();
  const double ofMachine = machine_.sms * machine_.clock / occupancy_.imbalance * NsOfUs;
  limit(TimeLimit::Dram) = timeOfDram(machine_, asked.ofDram, assumed_.sectors) / NsOfUs;
  limit(TimeLimit::L2) = timeOfL2(machine_, asked.ofL2) / NsOfUs;
  limit(TimeLimit::L1) = asked.lines / ofMachine;
  limit(TimeLimit::Issue) = operations_ * occupancy_.warps / machine_.issue / ofMachine;
  limit(TimeLimit::Latency) = latency();
  limit(TimeLimit::Launch) = assumed_.launch * machine_.launch;
  const double memory = together({limit(TimeLimit::Dram), limit(TimeLimit::Latency)}, ofWaits);
  time.microseconds =
      limit(TimeLimit::Launch) +
      together({memory, limit(TimeLimit::L2), limit(TimeLimit::L1), limit(TimeLimit::Issue)},
               assumed_.together);
  time.loadsInFlight = loadsInFlight();
  time.binds = static_cast<TimeLimit>(llvm::max_element(time.limits) - time.limits.begin());
  return time;
}

TimeEstimate::TimeEstimate(const TimeMachine &machine, Layout layout, const TimeInput &input)
    : machine_(machine), layout_(layout), input_(input), reuse_{reuse(unitsOf(input, layout)), {}},
      least_(unconditional(input.executions)) {
  for (const CellAccess &access : input.accesses)
    ++reuse_.totals[access.op];
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
/// Small caches, and memory that moves pairs of sectors; no limit hides another.
static constexpr TimeAssumptions Worst = {
    .caches = 0.5, .waits = 4, .issued = 1.5, .sectors = 2, .together = 1, .launch = 1.5};
/// Threads with many registers, of which fewer run at once: longer waits, but more of the caches.
static constexpr TimeAssumptions WorstOfFew = {.caches = 0.5,
                                               .waits = 4,
                                               .issued = 1.5,
                                               .sectors = 2,
                                               .registers = 128,
                                               .together = 1,
                                               .launch = 1.5};

/// Copies, by which a machine's bandwidth is measured, are not the fastest that there is.
static constexpr double Slack = 0.9;

KernelTime TimeEstimate::of(int64_t count) const {
  KernelTime result = Launch(machine_, layout_, input_, reuse_, count).time();
  const TimeInput ofLeast{input_.certificate, input_.kernel, least_,
                          input_.profile,     input_.arrays, input_.accesses};
  const auto timed = [&](const TimeInput &input, const TimeAssumptions &assumed) {
    return Launch(machine_, layout_, input, reuse_, count, assumed).time().microseconds;
  };
  result.least = std::min(result.microseconds, Slack * timed(ofLeast, Best));
  result.most = std::max({result.microseconds, timed(input_, Worst), timed(input_, WorstOfFew)});
  return result;
}

} // namespace colonnade::model
