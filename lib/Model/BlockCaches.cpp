//===- BlockCaches.cpp - A block of instances before the caches -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/BlockCaches.h"

#include "Model/ClearedArrays.h"
#include "Model/RegisterArrays.h"
#include "Model/Sectors.h"

namespace colonnade::model {

using ir::Array;
using ir::Space;

static constexpr uint64_t SectorsOfLine = BytesOfLine / BytesOfSector;

/// Of an SM: where there are no more warps, their stores come at the same time, and are merged with
/// each other's, too.
static constexpr int64_t Schedulers = 4;

/// The run of what is stored when all is computed.
static constexpr uint32_t OfRegisters = UINT32_MAX;

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
  brought_ += !isThere;
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

int64_t instancesOfBlock(const ir::Function &kernel) {
  return std::get<ir::ThreadShape>(*kernel.launch).instancesPerBlock();
}

BlockRun::BlockRun(const ir::Function &kernel, Layout layout, const BulkInput &input, int64_t begin,
                   int64_t resident, Shares shares, Guess guess)
    : kernel_(kernel), isStaged_(stagedArrays(kernel)), inRegisters_(registerArrays(kernel)),
      layout_(layout), input_(input), begin_(begin),
      end_(std::min(begin + instancesOfBlock(kernel), input.count)), resident_(resident),
      l1_(shares.l1), l2_(shares.l2), guess_(guess) {}

static unsigned linesOf(llvm::ArrayRef<WarpRequest> sectors) {
  unsigned lines = 0;
  for (size_t i = 0; i < sectors.size(); ++i)
    lines += i == 0 || sectors[i].sector / SectorsOfLine != sectors[i - 1].sector / SectorsOfLine;
  return lines;
}

/// Whether L1 collects a warp's stores to them until the next one comes: it takes a line at a time,
/// and the next one comes sooner where each warp of an SM has a scheduler to itself. So it is on an
/// H200.
static bool isOfFewLines(llvm::ArrayRef<WarpRequest> sectors, bool isAlone) {
  static constexpr unsigned Few = 8, FewOfOne = 15;
  return linesOf(sectors) <= (isAlone ? FewOfOne : Few);
}

void BlockRun::run(llvm::ArrayRef<OrderedAccess> accesses) {
  transferRegisters(false);
  transferRows(false);
  clear();
  for (const OrderedAccess &one : accesses)
    if (isMade(one))
      access(one.array, one.cell, one.isStore, one.run);
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

/// Local arrays that the kernel sets to 0 where it declares them.
void BlockRun::clear() {
  if (guess_ == Guess::Least)
    return;
  for (size_t a = 0; a < input_.arrays.size(); ++a)
    if (kernel_.array(ArrayId(a)).space == Space::Local && isCleared(kernel_, ArrayId(a)) &&
        (guess_ == Guess::Most || !inRegisters_[a]))
      for (int64_t cell = 0; cell < input_.arrays[a].cells; ++cell)
        access(ArrayId(a), cell, true);
}

/// What a kernel keeps in registers is loaded before, and stored after.
void BlockRun::transferRegisters(bool isStore) {
  for (size_t a = 0; a < input_.arrays.size(); ++a) {
    const Array &array = kernel_.array(ArrayId(a));
    if (array.space == Space::Registers && array.isPassed() &&
        (isStore ? array.writes : array.loadedFirst))
      for (int64_t cell = 0; cell < input_.arrays[a].cells; ++cell)
        if (isStore ? array.isWrittenBack(cell) : input_.profile.doesMatter(ArrayId(a), cell))
          access(ArrayId(a), cell, isStore, OfRegisters);
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
    const uint64_t before = written_;
    for (const WarpRequest &one : sectors)
      copy.isStore ? store(one) : load(one);
    if (guess_ == Guess::Most) // by requests, which may share sectors: rowStores()
      written_ = before;
  }
  storedBefore_.clear();
  stored_.clear();
}

void BlockRun::access(ArrayId id, int64_t cell, bool isStore, uint32_t run) {
  const int64_t instances = instancesOfWarp(kernel_);
  const bool isAlone = (end_ - begin_ + instances - 1) / instances <= Schedulers;
  for (int64_t first = begin_; first < end_; first += instances) {
    const auto sectors = requests(id, cell, first, std::min(first + instances, end_));
    const StoreRun of{isOfFewLines(sectors, isAlone) ? run : 0, isAlone ? begin_ : first};
    for (const WarpRequest &one : sectors)
      isStore ? store(one, of) : load(one);
  }
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
  if (guess_ != Guess::Most && request.isOfBlockBefore)
    return;
  if (guess_ == Guess::Likely && request.isOfAll) // it stays
    return;
  const bool isThere = l2_.access(request.sector, isStore);
  const bool isWhole = guess_ != Guess::Most || request.bytes >= BytesOfSector;
  if (isThere || (isStore && isWhole))
    return;
  ++dramRead_;
  if (guess_ == Guess::Most)
    dramRead_ += !l2_.access(request.sector ^ 1, false);
}

void BlockRun::store(const WarpRequest &request, StoreRun run) {
  l1_.access(request.sector, false);
  fetch(request, true);
  if (guess_ == Guess::Most && request.bytes < BytesOfSector)
    l1_.drop(request.sector);
  written_ += !isMerged(request, run);
}

/// With a store to the same sector that was made just before.
bool BlockRun::isMerged(const WarpRequest &request, StoreRun run) {
  const bool isNew = stored_.insert(request.sector).second;
  if (guess_ == Guess::Least)
    return !isNew || storedBefore_.contains(request.sector);
  if (guess_ == Guess::Most)
    return false;
  const uint32_t before = std::exchange(storedIn_[{request.sector, run.warp}], run.number);
  const bool isMerged = run.number != 0 && before == run.number;
  ofNeighbours_ += !isNew && !isMerged;
  return isMerged;
}

} // namespace colonnade::model
