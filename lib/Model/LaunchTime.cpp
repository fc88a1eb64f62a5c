//===- LaunchTime.cpp - How long one launch takes -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/LaunchTime.h"

#include "Model/RegisterArrays.h"
#include "Model/Sectors.h"
#include "Model/ThreadCycles.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>

namespace colonnade::model {

using ir::Space;

static constexpr double BytesOfRegister = 4;
static constexpr double MostRegisters = 255;      // of a thread
static constexpr double CyclesOfBarrier = 30;     // of a warp's threads, and what they wait for
static constexpr double CyclesOfStore = 1.7;      // of L1, a line; prefix sums, row-wise
static constexpr double SharedOfL1 = 228.0 / 256; // of its bytes, at most
static constexpr double NsOfUs = 1e3;

int64_t cellsOfUnit(const ModelArray &array, bool isRow) {
  return isRow ? std::max<int64_t>(1, BytesOfSector / array.bytes) : 1;
}

Launch::Launch(const TimeMachine &machine, Layout layout, const TimeInput &input,
               const WarpReuse &reuse, const KernelWork &work, int64_t count,
               const TimeAssumptions &assumed)
    : machine_(machine), layout_(layout), input_(input), assumed_(assumed),
      bulk_{input.profile, input.arrays, count, input.team}, occupancy_(occupancy()), work_(work),
      operations_(assumed.issued * work.operations), cold_(cold()), isThere_(cold_ == 0) {
  findMisses(reuse);
  for (const Traffic &one : traffic(input_.kernel, layout_, bulk_, {LanesOfWarp, BytesOfLine}))
    if (one.op && one.requests > 0 && !one.isOfTeam)
      linesOf_[one.op] =
          static_cast<double>(one.sectors) / (static_cast<double>(one.requests) * occupancy_.warps);
}

/// Of a warp's request.
double Launch::linesBeside(OpId op) const {
  const auto found = linesOf_.find(op);
  return found == linesOf_.end() ? 0 : std::max(0.0, found->second - 1);
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
  const double all = static_cast<double>(bulk_.count) * input_.kernel.team();
  const double blocks = std::ceil(all / threads);
  Occupancy result;
  result.warps = std::ceil(all / LanesOfWarp);
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
void Launch::add(MemorySectors &sum, const Traffic &traffic, double sectors) const {
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
  const double merged = work_.merged.of(input_.certificate.op(traffic.op).accessId);
  return std::max(0.0, 1 - merged / static_cast<double>(traffic.requests));
}

/// Stores all go to L2; arrays in registers are read and written once.
LaunchRequests Launch::requests() const {
  LaunchRequests sum;
  sum.lines = work_.sharedCycles * occupancy_.warps; // the same way to L1
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
    const auto sectors = static_cast<double>(one.sectors),
               once = static_cast<double>(one.sectors - one.askedTwice);
    const auto found = misses_.find(one.op);
    const SiteMisses misses = one.isList               ? SiteMisses{} // which L1 answers
                              : found == misses_.end() ? missesOfRegisters(one)
                                                       : found->second;
    add(sum.ofL2, one, (one.isStore ? 1 : misses.ofL1) * sectors);
    add(sum.ofDram, one, (one.isStore ? misses.written : misses.ofL2) * once);
  }
  sum.lines *= assumed_.requests;
  sum.ofL2.stores *= assumed_.requests;
  sum.ofL2.scatteredStores *= assumed_.requests;
  return sum;
}

/// A batch waits for the slowest of its loads.
double Launch::nsOfBatch(const LoadBatch &batch) const {
  double inL1 = 1, inL2 = 1;          // shares of batches that need no more
  double missed = 0;                  // loads that L1 does not answer
  double lines = 0;                   // that L1 looks up beside each load's first, one a cycle
                                      // loads that L1 does not answer
  std::map<uint32_t, double> loadsOf; // by accessId
  for (uint32_t access : batch.accesses)
    loadsOf[access] += batch.together;
  for (auto [access, loads] : loadsOf) {
    const auto site = siteOf_.find(access);
    if (site == siteOf_.end())
      continue;
    const SiteMisses &misses = misses_.at(site->second);
    missed += loads * misses.ofL1;
    lines += loads * linesBeside(site->second);
    const bool isInSteps = this->isInSteps(input_.certificate.op(site->second).array);
    const double apart = isInSteps ? loads : batch.together;
    inL1 *= 1 - std::min(1.0, apart * misses.ofL1);
    inL2 *= 1 - std::min(1.0, apart * misses.ofL2);
  }
  const double ns = machine_.l1Latency + (1 - inL1) * (machine_.l2Latency - machine_.l1Latency) +
                    (1 - inL2) * (machine_.dramLatency - machine_.l2Latency);
  return ns * std::max(1.0, missed / machine_.loadsInFlight) + lines / machine_.clock;
}

/// Whether a site misses once in a while, as cells that lie side by side share a sector; else, of
/// the iterations of a short loop, it misses all or none.
bool Launch::isInSteps(ArrayId array) const {
  const bool isRow = layout_ == Layout::Row || (layout_ == Layout::Column && bulk_.count == 1);
  return isRow && *input_.kernel.array(array).space == Space::Memory &&
         !bulk_.arrays[array.index].isShared;
}

/// Of a thread, when it waits; as many as the machine has at most.
double Launch::loadsInFlight() const {
  double loads = 0, waits = 0;
  for (const LoadBatch &batch : work_.batches) {
    loads += batch.times * batch.together * static_cast<double>(batch.accesses.size());
    waits += batch.times;
  }
  return waits > 0 ? std::min(loads / waits, machine_.loadsInFlight) : 0;
}

/// For copies of rows, with so much else to do. Strips that are on their way come while the thread
/// works on the one before; each strip is as much work as another.
double Launch::nsOfCopies(double nsOfWork) const {
  const StagedWork &staged = work_.staged;
  const double latency = isThere_ ? machine_.l2Latency : machine_.dramLatency,
               meanwhile = staged.waits > 0 ? nsOfWork / staged.waits : 0;
  return staged.lists * machine_.l1Latency + (staged.waits - staged.ahead) * latency +
         staged.ahead * std::max(0.0, latency - meanwhile);
}

/// One thread's waits, and its operations between them, wave after wave.
double Launch::latency() const {
  double ns = 0;
  for (const LoadBatch &batch : work_.batches)
    ns += batch.times * nsOfBatch(batch);
  if (llvm::any_of(input_.kernel.arrays, [](const ir::Array &array) { return array.loadedFirst; }))
    ns += isThere_ ? machine_.l2Latency : machine_.dramLatency;
  ns += work_.staged.barriers * CyclesOfBarrier / machine_.clock;
  const double cycles = assumed_.inTurn ? CyclesOfResult * work_.operations : work_.cycles;
  ns += assumed_.issued * cycles / machine_.clock;
  ns += nsOfCopies(ns);
  return assumed_.waits * occupancy_.waves * ns / NsOfUs;
}

/// In nanoseconds: GB/s are bytes, Gsectors/s sectors a nanosecond.
static double timeOfDram(const TimeMachine &machine, const MemorySectors &asked, double moved) {
  return (asked.loads + asked.stores) * BytesOfSector / machine.dram +
         moved * (asked.scatteredLoads / machine.dramSectors +
                  asked.scatteredStores / machine.dramSectorStores);
}

/// Loads and stores go opposite ways.
static double timeOfL2(const TimeMachine &machine, const MemorySectors &asked) {
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
  const LaunchRequests asked = requests();
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

} // namespace colonnade::model
