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

/// What an H200's L2 may be for what is accessed again, as shares of its bytes. Passes over an
/// array find nearly all of 40 MB again, and a tenth of 56; but warps that run rows drift apart, so
/// of 69 MB of lines a fifth is found. Of what is written again and again some is written to memory
/// sooner (docs/results/caches.md).
struct LikelyL2 {
  double weight, share, written;
};
static constexpr LikelyL2 LikelyL2s[] = {
    {0.15, 0.75, 0.5}, {0.3, 0.83, 0.75}, {0.35, 0.91, 0.8}, {0.1, 2.5, 1}, {0.1, 4, 1}};

/// Accesses that stored, whose sectors L1 may still have to send.
static constexpr size_t Remembered = 4;

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

PairCache::Line &PairCache::line(uint64_t sector) {
  const uint64_t number = sector / SectorsOfLine;
  auto [at, isNew] = found_.try_emplace(number);
  if (!isNew) {
    recent_.splice(recent_.begin(), recent_, at->second);
    return recent_.front();
  }
  recent_.push_front({number, 0, 0, {}, {}});
  at->second = recent_.begin();
  if (recent_.size() > lines_) {
    clean(recent_.back());
    found_.erase(recent_.back().number);
    recent_.pop_back();
  }
  return recent_.front();
}

void PairCache::clean(Line &line) {
  if (!line.written)
    return;
  for (unsigned s = 0; s < SectorsOfLine; ++s) {
    if (!(line.written >> s & 1) || (line.there >> s & 1))
      continue;
    read_ += line.own[s] != All;
    line.there |= static_cast<uint8_t>(1u << s);
  }
  line.written = 0;
  stored_.erase(line.at);
}

void PairCache::load(uint64_t sector, bool isByPairs) {
  Line &at = line(sector);
  const unsigned own = sector % SectorsOfLine;
  if ((at.there >> own & 1) || at.own[own] == All)
    return;
  for (unsigned s : {own, own ^ 1})
    if ((s == own || isByPairs) && !(at.there >> s & 1)) {
      at.there |= static_cast<uint8_t>(1u << s);
      ++read_;
      ++brought_;
    }
}

void PairCache::store(uint64_t sector, uint32_t bytes) {
  Line &at = line(sector);
  const unsigned own = sector % SectorsOfLine;
  const auto bit = static_cast<uint8_t>(1u << own);
  brought_ += !(at.there & bit) && at.own[own] == 0;
  at.own[own] |= bytes;
  written_ += !(at.written & bit);
  if (at.written)
    stored_.splice(stored_.begin(), stored_, at.at);
  else
    stored_.push_front(at.number);
  at.at = stored_.begin();
  at.written |= bit;
  if (stored_.size() > writtenLines_)
    clean(*found_[stored_.back()]);
}

int64_t instancesOfBlock(const ir::Function &kernel) {
  return std::get<ir::ThreadShape>(*kernel.launch).instancesPerBlock();
}

BlockRun::BlockRun(const ir::Function &kernel, Layout layout, const BulkInput &input, int64_t begin,
                   int64_t resident, Shares shares, Guess guess)
    : kernel_(kernel), isStaged_(stagedArrays(kernel)), inRegisters_(registerArrays(kernel)),
      layout_(layout), input_(input), begin_(begin),
      end_(std::min(begin + instancesOfBlock(kernel), input.count)), resident_(resident),
      l1_(shares.l1), l2_(shares.l2), guess_(guess) {
  const auto of = [&](double share) {
    return static_cast<uint64_t>(share * static_cast<double>(shares.l2));
  };
  if (guess == Guess::LikelyDram)
    for (const LikelyL2 &one : LikelyL2s)
      likelyL2_.emplace_back(of(one.share), of(one.written));
}

/// The mean of what L2 may be.
uint64_t BlockRun::likely(uint64_t (PairCache::*of)() const) const {
  double sum = 0;
  for (auto [one, cache] : llvm::zip(LikelyL2s, likelyL2_))
    sum += one.weight * static_cast<double>((cache.*of)());
  return static_cast<uint64_t>(sum + 0.5);
}
uint64_t BlockRun::dramRead() const {
  return guess_ == Guess::LikelyDram ? likely(&PairCache::read) : dramRead_;
}
uint64_t BlockRun::dramWritten() const {
  return guess_ == Guess::LikelyDram ? likely(&PairCache::written) : l2_.written();
}
uint64_t BlockRun::broughtToL2() const {
  return guess_ == Guess::LikelyDram ? likely(&PairCache::brought) : l2_.brought();
}

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
  llvm::SmallVector<OrderedAccess, 16> together;
  const auto number = [](const OrderedAccess &one) { return one.isStore ? one.run : one.batch; };
  const auto isWithLast = [&](const OrderedAccess &one) {
    return guess_ == Guess::LikelyDram && number(one) && number(one) == number(together.back()) &&
           one.isStore == together.back().isStore;
  };
  for (const OrderedAccess &one : accesses) {
    ++number_;
    if (!isMade(one))
      continue;
    if (!together.empty() && !isWithLast(one)) {
      access(together);
      together.clear();
    }
    together.push_back(one);
  }
  if (!together.empty())
    access(together);
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
  for (const StagedCopies &stage : stagedCopies(kernel_))
    for (const StagedCopy &copy : stage.copies)
      if (copy.isStore == isStore)
        transferRows(copy);
}

/// A block's, cell after cell.
void BlockRun::transferColumns(const StagedCopy &copy) {
  for (int64_t cell : copiedCells(kernel_, copy)) {
    llvm::SmallVector<WarpRequest, 32> sectors;
    for (int64_t instance = begin_; instance < end_; ++instance)
      add(sectors, copy.memory, copy.first + cell, instance);
    for (const WarpRequest &one : sectors)
      copy.isStore ? store(one) : load(one);
  }
  storedBefore_.clear();
  stored_.clear();
}

/// A warp's, cell after cell.
void BlockRun::transferRows(const StagedCopy &copy) {
  if (std::get<ir::ThreadShape>(*kernel_.launch).isForColumns())
    return transferColumns(copy);
  const int64_t instances = instancesOfWarp(kernel_);
  const std::vector<int64_t> cells = copiedCells(kernel_, copy);
  for (int64_t warp = begin_; warp < end_; warp += instances) {
    llvm::SmallVector<WarpRequest, 32> sectors;
    for (int64_t instance = warp; instance < std::min(warp + instances, end_); ++instance)
      for (int64_t cell : cells)
        add(sectors, copy.memory, copy.first + cell, instance);
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
  access(OrderedAccess{id, cell, isStore, false, run});
}

/// One warp after the other; a warp makes all that is together.
void BlockRun::access(llvm::ArrayRef<OrderedAccess> together) {
  const int64_t instances = instancesOfWarp(kernel_);
  const bool isAlone = (end_ - begin_ + instances - 1) / instances <= Schedulers;
  std::vector<llvm::DenseSet<uint64_t>> stored(together.size());
  missed_.clear();
  for (int64_t first = begin_; first < end_; first += instances)
    for (auto [access, storedByIt] : llvm::zip(together, stored)) {
      const bool isPerhaps = guess_ == Guess::LikelyDram && access.isConditional;
      const auto sectors =
          requests(access.array, access.cell, first, std::min(first + instances, end_), isPerhaps);
      const StoreRun of{isOfFewLines(sectors, isAlone) ? access.run : 0, isAlone ? begin_ : first};
      std::swap(stored_, storedByIt);
      for (const WarpRequest &one : sectors)
        access.isStore ? store(one, of) : load(one);
      std::swap(stored_, storedByIt);
    }
  if (!together.back().isStore)
    return;
  storedBefore_.push_front(std::move(stored.back()));
  storedBefore_.resize(std::min(storedBefore_.size(), Remembered));
}

/// Where data decides, half of the lanes make an access.
static bool isHalf(uint64_t access, int64_t instance) {
  uint64_t bits = (access + 1) * 0x9e3779b97f4a7c15u ^ static_cast<uint64_t>(instance);
  bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9u;
  return bits >> 40 & 1;
}

/// Each sector once: addresses grow with instances.
llvm::SmallVector<WarpRequest, 32> BlockRun::requests(ArrayId id, int64_t cell, int64_t first,
                                                      int64_t last, bool isPerhaps) const {
  llvm::SmallVector<WarpRequest, 32> found;
  for (int64_t instance = first; instance < last; ++instance)
    if (!isPerhaps || isHalf(number_, instance))
      add(found, id, cell, instance);
  return found;
}

void BlockRun::add(llvm::SmallVectorImpl<WarpRequest> &sectors, ArrayId id, int64_t cell,
                   int64_t instance) const {
  const uint64_t sector = byteOf(id, cell, instance) / uint64_t(BytesOfSector);
  if (sectors.empty() || sectors.back().sector != sector)
    sectors.push_back({sector, 0, 0, isBetweenBlocks(id, cell, instance),
                       input_.arrays[id.index].isShared, isApart(id)});
  const int64_t bytes = input_.arrays[id.index].bytes;
  sectors.back().bytes += bytes;
  sectors.back().which |= ((uint64_t(1) << bytes) - 1)
                          << byteOf(id, cell, instance) % uint64_t(BytesOfSector);
}

/// Row-wise lanes are far from each other.
bool BlockRun::isApart(ArrayId id) const {
  const Space space = *kernel_.array(id).space;
  return layout_ == Layout::Row && space != Space::Local && space != Space::Scratch &&
         !isStaged_[id.index];
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
  const bool isThere = l1_.access(request.sector, false);
  // Two warps of a block may both ask for what they share.
  const bool isAsked =
      guess_ == Guess::Most && !request.isOfAll && missed_.contains(request.sector);
  if (isThere && !isAsked)
    return;
  ++read_;
  if (isThere)
    return;
  missed_.insert(request.sector);
  if (request.isOfAll)
    ofAll_.insert(request.sector);
  fetch(request, false);
}

/// In L2, which the blocks have in common.
void BlockRun::fetch(const WarpRequest &request, bool isStore) {
  if (guess_ != Guess::Most && request.isOfBlockBefore)
    return;
  if (isLikely() && request.isOfAll) // it stays
    return;
  for (PairCache &one : likelyL2_)
    isStore ? one.store(request.sector, request.which) : one.load(request.sector, request.isApart);
  if (isLikely())
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
    return !isNew || llvm::any_of(storedBefore_, [&](const llvm::DenseSet<uint64_t> &before) {
      return before.contains(request.sector);
    });
  if (guess_ == Guess::Most)
    return false;
  const uint32_t before = std::exchange(storedIn_[{request.sector, run.warp}], run.number);
  const bool isMerged = run.number != 0 && before == run.number;
  ofNeighbours_ += !isNew && !isMerged;
  return isMerged;
}

} // namespace colonnade::model
