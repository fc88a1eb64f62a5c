//===- CachedSectors.cpp - What the L1 caches ask L2 for ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CachedSectors.h"

#include "Model/RegisterArrays.h"
#include "Model/Sectors.h"
#include "Model/StagedRows.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <list>

namespace colonnade::model {

using ir::Array;
using ir::Space;

namespace {

constexpr double SharedOfL1 = 228.0 / 256; // of its bytes, at most
constexpr uint64_t SectorsOfLine = BytesOfLine / BytesOfSector;

/// Lines with the sectors that are there; the one that was not used for longest goes first.
class LineCache {
public:
  explicit LineCache(uint64_t lines) : lines_(std::max<uint64_t>(lines, 1)) {}

  /// Whether the sector is there; it is afterwards, and written if `isStore`.
  bool access(uint64_t sector, bool isStore);
  void drop(uint64_t sector);
  /// Written sectors that have left, or are still there.
  uint64_t written() const { return written_; }

private:
  struct Line {
    uint64_t number;
    uint8_t sectors, written;
  };
  uint64_t lines_, written_ = 0;
  std::list<Line> recent_; // the last used first
  llvm::DenseMap<uint64_t, std::list<Line>::iterator> found_;
};

bool LineCache::access(uint64_t sector, bool isStore) {
  const uint64_t number = sector / SectorsOfLine;
  const auto bit = static_cast<uint8_t>(1u << sector % SectorsOfLine);
  auto [at, isNew] = found_.try_emplace(number);
  if (isNew) {
    recent_.push_front({number, 0, 0});
    at->second = recent_.begin();
    if (recent_.size() > lines_) {
      found_.erase(recent_.back().number);
      recent_.pop_back();
    }
  }
  recent_.splice(recent_.begin(), recent_, found_[number]);
  Line &line = recent_.front();
  const bool isThere = line.sectors & bit;
  line.sectors |= bit;
  if (isStore && !(line.written & bit)) {
    line.written |= bit;
    ++written_;
  }
  return isThere;
}

void LineCache::drop(uint64_t sector) {
  if (auto at = found_.find(sector / SectorsOfLine); at != found_.end())
    at->second->sectors &= static_cast<uint8_t>(~(1u << sector % SectorsOfLine));
}

/// How many lines a block has of each cache.
struct Shares {
  uint64_t l1, l2;
};

/// Sectors that one request of a warp asks for, with the bytes of each.
struct WarpRequest {
  uint64_t sector;
  int64_t bytes;
  bool isOfBlockBefore = false; // too: its first bytes are
  bool isOfAll = false;         // of an array that all instances share
};

/// What the kernel does not say: all for the fewest sectors, what a GPU is likely to do, or all for
/// the most.
enum class Guess : uint8_t { Least, Likely, Most };

static int64_t instancesOfBlock(const ir::Function &kernel) {
  return std::get<ir::ThreadShape>(*kernel.launch).instancesPerBlock();
}

/// One block of instances, from `begin` on.
class BlockRun {
public:
  BlockRun(const ir::Function &kernel, Layout layout, const BulkInput &input, int64_t begin,
           int64_t resident, Shares shares, Guess guess)
      : kernel_(kernel), isStaged_(stagedArrays(kernel)), inRegisters_(registerArrays(kernel)),
        layout_(layout), input_(input), begin_(begin),
        end_(std::min(begin + instancesOfBlock(kernel), input.count)), resident_(resident),
        l1_(shares.l1), l2_(shares.l2), guess_(guess) {}

  void run(llvm::ArrayRef<OrderedAccess> accesses);

  uint64_t read() const { return read_; }
  uint64_t written() const { return written_; }
  uint64_t dramRead() const { return dramRead_; }
  uint64_t dramWritten() const { return l2_.written(); }
  /// Of what was read, the first time: sectors that other blocks read, too.
  uint64_t readByAll() const { return ofAll_.size(); }

private:
  bool isMade(const OrderedAccess &access) const;
  void transferRegisters(bool isStore);
  void transferRows(bool isStore);
  void transferRows(const StagedCopy &copy);
  void add(llvm::SmallVectorImpl<WarpRequest> &sectors, ArrayId id, int64_t cell,
           int64_t instance) const;
  void access(ArrayId id, int64_t cell, bool isStore);
  llvm::SmallVector<WarpRequest, 32> requests(ArrayId id, int64_t cell, int64_t first,
                                              int64_t last) const;
  bool isBetweenBlocks(ArrayId id, int64_t cell, int64_t instance) const;
  uint64_t byteOf(ArrayId id, int64_t cell, int64_t instance) const;
  void fetch(const WarpRequest &request, bool isStore);
  void load(const WarpRequest &request);
  void store(const WarpRequest &request);

  const ir::Function &kernel_;
  std::vector<bool> isStaged_, inRegisters_; // by array
  Layout layout_;
  const BulkInput &input_;
  int64_t begin_, end_, resident_;
  LineCache l1_, l2_;
  Guess guess_;
  llvm::DenseSet<uint64_t> stored_, storedBefore_; // by this access, and the last one that stored
  llvm::DenseSet<uint64_t> ofAll_;                 // read, of what all instances share
  uint64_t read_ = 0, written_ = 0, dramRead_ = 0;
};

} // namespace

void BlockRun::run(llvm::ArrayRef<OrderedAccess> accesses) {
  transferRegisters(false);
  transferRows(false);
  for (const OrderedAccess &one : accesses)
    if (isMade(one))
      access(one.array, one.cell, one.isStore);
  transferRegisters(true);
  transferRows(true);
}

bool BlockRun::isMade(const OrderedAccess &access) const {
  const Space space = *kernel_.array(access.array).space;
  const int64_t cells = input_.arrays[access.array.index].cells;
  if (access.cell < 0 || access.cell >= cells) // of a masked lane
    return false;
  if (space == Space::Registers || space == Space::Constant || space == Space::Shared ||
      isStaged_[access.array.index])
    return false;
  if (guess_ == Guess::Least)
    return !access.isConditional && space != Space::Local;
  return guess_ == Guess::Most || !inRegisters_[access.array.index];
}

/// What a kernel keeps in registers is loaded before, and stored after.
void BlockRun::transferRegisters(bool isStore) {
  for (size_t a = 0; a < input_.arrays.size(); ++a) {
    const Array &array = kernel_.array(ArrayId(a));
    if (array.space == Space::Registers && array.isPassed() &&
        (isStore ? array.writes : array.loadedFirst))
      for (int64_t cell = 0; cell < input_.arrays[a].cells; ++cell)
        if (isStore ? array.isWrittenBack(cell) : input_.profile.doesMatter(ArrayId(a), cell))
          access(ArrayId(a), cell, isStore);
  }
}

void BlockRun::transferRows(bool isStore) {
  for (const ir::Op &op : kernel_.ops)
    if (op.opcode == ir::Opcode::Stage)
      if (const StagedCopy copy = stagedCopy(kernel_, op); copy.isStore == isStore)
        transferRows(copy);
}

/// A warp's, cell after cell.
void BlockRun::transferRows(const StagedCopy &copy) {
  const int64_t instances = instancesOfWarp(kernel_);
  for (int64_t warp = begin_; warp < end_; warp += instances) {
    llvm::SmallVector<WarpRequest, 32> sectors;
    for (int64_t instance = warp; instance < std::min(warp + instances, end_); ++instance)
      for (int64_t cell = copy.first; cell < copy.first + copy.width; ++cell)
        add(sectors, copy.memory, cell, instance);
    for (const WarpRequest &one : sectors)
      copy.isStore ? store(one) : load(one);
  }
  storedBefore_.clear();
  stored_.clear();
}

void BlockRun::access(ArrayId id, int64_t cell, bool isStore) {
  const int64_t instances = instancesOfWarp(kernel_);
  for (int64_t first = begin_; first < end_; first += instances)
    for (const WarpRequest &one : requests(id, cell, first, std::min(first + instances, end_)))
      isStore ? store(one) : load(one);
  if (isStore)
    storedBefore_ = std::exchange(stored_, {});
}

/// Each sector once: addresses grow with instances.
llvm::SmallVector<WarpRequest, 32> BlockRun::requests(ArrayId id, int64_t cell, int64_t first,
                                                      int64_t last) const {
  llvm::SmallVector<WarpRequest, 32> found;
  for (int64_t instance = first; instance < last; ++instance)
    add(found, id, cell, instance);
  return found;
}

void BlockRun::add(llvm::SmallVectorImpl<WarpRequest> &sectors, ArrayId id, int64_t cell,
                   int64_t instance) const {
  const uint64_t sector = byteOf(id, cell, instance) / uint64_t(BytesOfSector);
  if (sectors.empty() || sectors.back().sector != sector)
    sectors.push_back(
        {sector, 0, isBetweenBlocks(id, cell, instance), input_.arrays[id.index].isShared});
  sectors.back().bytes += input_.arrays[id.index].bytes;
}

bool BlockRun::isBetweenBlocks(ArrayId id, int64_t cell, int64_t instance) const {
  if (begin_ == 0 || input_.arrays[id.index].isShared)
    return false;
  const uint64_t sector = byteOf(id, cell, instance) / uint64_t(BytesOfSector);
  return sector * uint64_t(BytesOfSector) <
         byteOf(id, layout_ == Layout::Column ? cell : 0, begin_);
}

/// Arrays are far from each other. Words of a thread's own arrays lie side by side for a warp;
/// scratch is for resident threads only.
uint64_t BlockRun::byteOf(ArrayId id, int64_t cell, int64_t instance) const {
  static constexpr int64_t BytesOfWord = 4;
  const ModelArray &array = input_.arrays[id.index];
  const uint64_t start = uint64_t(id.index) << 48;
  Arrangement arrangement{layout_, array.cells, input_.count, LanesOfWarp, array.base};
  int64_t bytes = array.bytes;
  switch (*kernel_.array(id).space) {
  case Space::Local:
    arrangement.layout = Layout::Tiled;
    arrangement.base = 0;
    cell = cell * bytes / BytesOfWord;
    bytes = std::max(bytes, BytesOfWord);
    break;
  case Space::Scratch:
    arrangement.layout = Layout::Column;
    arrangement.count = resident_;
    arrangement.base = 0;
    instance %= resident_;
    break;
  default:
    break;
  }
  const int64_t address = array.isShared ? array.base + cell : arrangement.address(cell, instance);
  return start + static_cast<uint64_t>(address * bytes);
}

void BlockRun::load(const WarpRequest &request) {
  if (l1_.access(request.sector, false))
    return;
  ++read_;
  if (request.isOfAll)
    ofAll_.insert(request.sector);
  fetch(request, false);
}

/// In L2, which the blocks have in common.
void BlockRun::fetch(const WarpRequest &request, bool isStore) {
  if (guess_ == Guess::Least && request.isOfBlockBefore)
    return;
  const bool isThere = l2_.access(request.sector, isStore);
  if (isThere || (isStore && (guess_ == Guess::Least || request.bytes >= BytesOfSector)))
    return;
  ++dramRead_;
  if (guess_ != Guess::Least)
    dramRead_ += !l2_.access(request.sector ^ 1, false);
}

void BlockRun::store(const WarpRequest &request) {
  l1_.access(request.sector, false);
  fetch(request, true);
  if (guess_ == Guess::Most && request.bytes < BytesOfSector)
    l1_.drop(request.sector);
  const bool isNew = stored_.insert(request.sector).second;
  written_ += guess_ != Guess::Least || (isNew && !storedBefore_.contains(request.sector));
}

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
  CachedSectors sum;
  Interval likely; // by the size of the caches alone
  uint64_t ofAll = 0;
  auto addBlock = [&](int64_t begin, uint64_t times) {
    auto run = [&](Guess guess, bool isLarge) {
      const int64_t onSm = guess == Guess::Least ? least : most;
      Shares shares = sharesOf(machine, kernel, onSm);
      shares =
          isLarge ? Shares{2 * shares.l1, 2 * shares.l2} : Shares{shares.l1 / 2, shares.l2 / 2};
      BlockRun block(kernel, layout, input, begin, onSm * machine.sms * ofBlock, shares, guess);
      block.run(accesses);
      return block;
    };
    const BlockRun of = run(Guess::Least, true);
    ofAll = std::max(ofAll, of.readByAll());
    add(sum, of, run(Guess::Most, false), times);
    if (isLikelyKnown)
      add(likely, {run(Guess::Likely, true).read(), run(Guess::Likely, false).read()}, times);
  };
  if (full > 0) // one from the middle: the first one's addresses are rounder than others
    addBlock(full / 2 * ofBlock, static_cast<uint64_t>(full));
  if (full < blocks)
    addBlock(full * ofBlock, 1);
  if (isLikelyKnown && isSharp(likely))
    sum.likelyRead = (likely.low + likely.high) / 2;
  sum.read.low += ofAll;
  sum.dramRead.low += ofAll;
  uint64_t &left = sum.dramWritten.low;
  left -= std::min(left, static_cast<uint64_t>(machine.l2.value_or(0) / BytesOfSector));
  return sum;
}

} // namespace colonnade::model
