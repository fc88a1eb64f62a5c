//===- CachedSectors.cpp - What the L1 caches ask L2 for ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CachedSectors.h"

#include "Model/BlockCaches.h"
#include "Model/Sectors.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace colonnade::model {

using ir::Space;

static constexpr double SharedOfL1 = 228.0 / 256; // of its bytes, at most

namespace {

/// What is likely, of one size of L1.
struct Likely {
  uint64_t read = 0, written = 0, ofNeighbours = 0;
  uint64_t dramRead = 0, dramWritten = 0, broughtToL2 = 0, readByAll = 0;

  void add(const BlockRun &block, uint64_t times) {
    read += times * block.read();
    written += times * block.written();
    ofNeighbours += times * block.ofNeighbours();
    dramRead += times * block.dramRead();
    dramWritten += times * block.dramWritten();
    broughtToL2 += times * block.broughtToL2();
    readByAll = std::max(readByAll, block.readByAll());
  }
  uint64_t writtenToL2() const {
    return less(written, MergedOfNeighbours * static_cast<double>(ofNeighbours));
  }
  /// What came to L2 last is still there when the kernel ends, with its share of what was written.
  uint64_t writtenToDram(int64_t l2Bytes) const {
    const auto all = static_cast<double>(std::max<uint64_t>(1, broughtToL2));
    const double left = static_cast<double>(dramWritten) / all;
    return less(dramWritten, left * static_cast<double>(l2Bytes / BytesOfSector));
  }

private:
  /// Of the sectors that two warps of a block store to in one access: an H200's counts, which were
  /// in view when it was chosen, have from a twentieth to a half.
  static constexpr double MergedOfNeighbours = 0.25;

  static uint64_t less(uint64_t all, double part) {
    return all - std::min(all, static_cast<uint64_t>(part));
  }
};

} // namespace

static void add(Interval &sum, const Interval &block, uint64_t times) {
  sum.low += block.low * times;
  sum.high += block.high * times;
}

/// Whether nearly all that is accessed again is so far from its last access, or so near, that half
/// of the cache or twice as much does the same.
static bool isSharp(const Interval &bySize) { return bySize.high - bySize.low <= bySize.high / 50; }

static void add(CachedSectors &sum, const BlockRun &least, const BlockRun &most, uint64_t times) {
  const uint64_t ofAll = least.readByAll(); // at first by one of the blocks
  add(sum.read, {least.read() - ofAll, most.read()}, times);
  add(sum.written, {least.written(), most.written()}, times);
  add(sum.dramRead, {least.dramRead() - ofAll, most.dramRead()}, times);
  add(sum.dramWritten, {least.dramWritten(), most.dramWritten()}, times);
}

/// How many blocks an SM has at once, where registers allow it.
static int64_t residentBlocks(const CacheMachine &machine, const ir::Function &kernel,
                              int64_t blocks) {
  const int64_t byThreads =
      machine.residentThreads / std::get<ir::ThreadShape>(*kernel.launch).perBlock;
  const auto shared = static_cast<double>(std::max<uint64_t>(1, kernel.sharedBytes()));
  const auto byShared = static_cast<int64_t>(SharedOfL1 * static_cast<double>(machine.l1) / shared);
  const int64_t ofSm = (blocks + machine.sms - 1) / machine.sms;
  return std::max<int64_t>(1, std::min({ofSm, byThreads, byShared}));
}

/// Of one of `onSm` resident blocks.
static Shares sharesOf(const CacheMachine &machine, const ir::Function &kernel, int64_t onSm) {
  const int64_t shared = onSm * static_cast<int64_t>(kernel.sharedBytes());
  const int64_t l1 = std::max<int64_t>(0, machine.l1 - shared);
  return {static_cast<uint64_t>(l1 / BytesOfLine / onSm),
          static_cast<uint64_t>(machine.l2.value_or(0) / BytesOfLine / (onSm * machine.sms))};
}

/// Requests of all warps that copy rows back.
static uint64_t rowStores(const ir::Function &kernel, Layout layout, const BulkInput &input) {
  uint64_t sum = 0;
  for (const Traffic &one : traffic(kernel, layout, input))
    sum += one.space == Space::Shared && one.isStore && !one.op ? one.sectors : 0;
  return sum;
}

/// By copies that do not look into L1.
static uint64_t askedTwice(const ir::Function &kernel, Layout layout, const BulkInput &input) {
  uint64_t sum = 0;
  for (const Traffic &one : traffic(kernel, layout, input))
    sum += one.askedTwice;
  return sum;
}

/// As a thread makes them: loads that are in flight together when the first one is made, but for
/// those of what is stored meanwhile, which is in a register; stores that follow each other with
/// the last.
static std::vector<OrderedAccess> together(llvm::ArrayRef<OrderedAccess> accesses) {
  llvm::DenseMap<uint32_t, size_t> firstOf, lastOf;
  for (size_t at = 0; at < accesses.size(); ++at) {
    if (accesses[at].batch)
      firstOf.try_emplace(accesses[at].batch, at);
    if (accesses[at].run)
      lastOf[accesses[at].run] = at;
  }
  llvm::DenseMap<std::pair<uint32_t, int64_t>, size_t> storedAt;
  std::vector<std::pair<size_t, size_t>> order;
  for (size_t at = 0; at < accesses.size(); ++at) {
    const OrderedAccess &one = accesses[at];
    const std::pair cell(one.array.index, one.cell);
    size_t when = one.run ? lastOf[one.run] : at;
    if (one.isStore)
      storedAt[cell] = at;
    if (one.batch) {
      when = firstOf[one.batch];
      if (const auto stored = storedAt.find(cell);
          stored != storedAt.end() && stored->second >= when)
        continue;
    }
    order.push_back({when, at});
  }
  llvm::sort(order);
  std::vector<OrderedAccess> result;
  for (auto [when, at] : order)
    result.push_back(accesses[at]);
  return result;
}

llvm::Expected<CachedSectors> cachedSectors(const CacheMachine &machine, const ir::Function &kernel,
                                            Layout layout, llvm::ArrayRef<OrderedAccess> accesses,
                                            const BulkInput &input, uint64_t maxRequests) {
  const int64_t ofBlock = instancesOfBlock(kernel);
  if (accesses.size() > maxRequests / static_cast<uint64_t>(ofBlock))
    return llvm::createStringError("one instance makes " + std::to_string(accesses.size()) +
                                   " accesses: too many to simulate a cache");
  const int64_t full = input.count / ofBlock, blocks = (input.count + ofBlock - 1) / ofBlock;
  const int64_t most = residentBlocks(machine, kernel, blocks), least = (most + 3) / 4;
  const bool isLikelyKnown =
      llvm::none_of(accesses, [](const OrderedAccess &one) { return one.isConditional; });
  const std::vector<OrderedAccess> inBatches = together(accesses);
  CachedSectors sum;
  Likely small, likely, large, dram; // the first three by the size of L1
  uint64_t ofAll = 0;
  auto addBlock = [&](int64_t begin, uint64_t times) {
    auto run = [&](Guess guess, double l1, double l2) { // times the caches' sizes
      const int64_t onSm = guess == Guess::Least ? least : most;
      Shares shares = sharesOf(machine, kernel, onSm);
      shares.l1 = static_cast<uint64_t>(l1 * static_cast<double>(shares.l1));
      shares.l2 = static_cast<uint64_t>(l2 * static_cast<double>(shares.l2));
      BlockRun block(kernel, layout, input, begin, onSm * machine.sms * ofBlock, shares, guess);
      block.run(guess == Guess::LikelyDram ? llvm::ArrayRef(inBatches) : accesses);
      return block;
    };
    const BlockRun of = run(Guess::Least, 2, 2);
    ofAll = std::max(ofAll, of.readByAll());
    add(sum, of, run(Guess::Most, 0.5, 0.5), times);
    small.add(run(Guess::Likely, 0.5, 1), times);
    likely.add(run(Guess::Likely, 1, 1), times);
    large.add(run(Guess::Likely, 2, 1), times);
    if (machine.l2)
      dram.add(run(Guess::LikelyDram, 1, 1), times);
  };
  if (full > 0) // one from the middle: the first one's addresses are rounder than others
    addBlock(full / 2 * ofBlock, static_cast<uint64_t>(full));
  if (full < blocks)
    addBlock(full * ofBlock, 1);
  if (isLikelyKnown && isSharp({large.read, small.read})) {
    sum.likelyRead = (large.read + small.read) / 2;
    sum.likelyWritten = likely.writtenToL2();
  }
  if (machine.l2) {
    sum.likelyDramRead = dram.dramRead + dram.readByAll;
    sum.likelyDramWritten = dram.writtenToDram(machine.l2Holds.value_or(*machine.l2));
  }
  sum.written.high += rowStores(kernel, layout, input);
  const uint64_t twice = askedTwice(kernel, layout, input);
  sum.read.low += ofAll + twice;
  sum.read.high += twice;
  if (sum.likelyRead)
    *sum.likelyRead += twice;
  sum.dramRead.low += ofAll;
  uint64_t &left = sum.dramWritten.low;
  left -= std::min(left, static_cast<uint64_t>(machine.l2.value_or(0) / BytesOfSector));
  return sum;
}

} // namespace colonnade::model
