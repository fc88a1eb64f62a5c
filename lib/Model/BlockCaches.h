//===- BlockCaches.h - A block of instances before the caches ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the accesses of one instance in their order, the kernel, a layout, which block, how much of
// the caches is the block's, and what to take for what the kernel does not say. Out: sectors that
// the block's warps, step by step, read from L2 and write to it, and those of DRAM.
//
// What L2 is likely to do is that of an H200 (docs/models/sectors.md): pairs, parts of sectors, how
// much that was written it keeps.
//
// Invariant: nothing is known of other blocks, but which sectors the one before has, too, and which
// all have.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_BLOCKCACHES_H
#define COLONNADE_MODEL_BLOCKCACHES_H

#include "Model/CachedSectors.h"
#include "Model/StagedRows.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <deque>
#include <list>

namespace colonnade::model {

/// Lines with the sectors that are there; the one that was not used for longest goes first.
class LineCache {
public:
  explicit LineCache(uint64_t lines) : lines_(std::max<uint64_t>(lines, 1)) {}

  /// Whether the sector is there; it is afterwards, and written if `isStore`.
  bool access(uint64_t sector, bool isStore);
  void drop(uint64_t sector);
  /// Written sectors that have left, or are still there.
  uint64_t written() const { return written_; }
  /// Sectors that came into the cache.
  uint64_t brought() const { return brought_; }

private:
  struct Line {
    uint64_t number;
    uint8_t sectors, written;
  };
  uint64_t lines_, written_ = 0, brought_ = 0;
  std::list<Line> recent_; // the last used first
  llvm::DenseMap<uint64_t, std::list<Line>::iterator> found_;
};

/// L2, as it is likely to be: what a load lacks comes with the sector beside it, if that is not
/// loaded just then; only so many lines hold what was written; a sector of which a part was stored
/// is read before it is written.
class PairCache {
public:
  PairCache(uint64_t lines, uint64_t writtenLines)
      : lines_(std::max<uint64_t>(lines, 1)), writtenLines_(std::max<uint64_t>(writtenLines, 1)) {}

  void load(uint64_t sector, bool isByPairs);
  /// `bytes`: which of the sector's, a bit each.
  void store(uint64_t sector, uint32_t bytes);
  uint64_t read() const { return read_; }
  /// Written sectors that have left, or are still there.
  uint64_t written() const { return written_; }
  /// Sectors that came into the cache.
  uint64_t brought() const { return brought_; }

private:
  static constexpr uint32_t All = UINT32_MAX;
  struct Line {
    uint64_t number;
    uint8_t there, written;           // sectors
    std::array<uint32_t, 4> own;      // bytes that were stored
    std::list<uint64_t>::iterator at; // of `stored_`, if something is written
  };
  Line &line(uint64_t sector);
  void clean(Line &line);

  uint64_t lines_, writtenLines_, read_ = 0, written_ = 0, brought_ = 0;
  std::list<Line> recent_;     // the last used first
  std::list<uint64_t> stored_; // numbers of those to be written, the last stored to first
  llvm::DenseMap<uint64_t, std::list<Line>::iterator> found_;
};

/// How many lines a block has of each cache.
struct Shares {
  uint64_t l1, l2;
};

/// Sectors that one request of a warp asks for, with the bytes of each.
struct WarpRequest {
  uint64_t sector;
  int64_t bytes;
  uint32_t which = 0;           // of the sector's bytes, a bit each
  bool isOfBlockBefore = false; // too: its first bytes are
  bool isOfAll = false;         // of an array that all instances share
  bool isApart = false;         // others do not load the sectors beside it at the same time
};

/// Stores of a warp that are issued one right after the other.
struct StoreRun {
  uint32_t number = 0; // 0: of an access by itself
  int64_t warp = -1;   // its first instance
};

/// What the kernel does not say: all for the fewest sectors; what a GPU is likely to do, of L2, and
/// of DRAM, where a warp makes all that is together before others come; or all for the most.
enum class Guess : uint8_t { Least, Likely, LikelyDram, Most };

int64_t instancesOfBlock(const ir::Function &kernel);

/// One block of instances, from `begin` on.
class BlockRun {
public:
  BlockRun(const ir::Function &kernel, Layout layout, const BulkInput &input, int64_t begin,
           int64_t resident, Shares shares, Guess guess);

  void run(llvm::ArrayRef<OrderedAccess> accesses);

  uint64_t read() const { return read_; }
  uint64_t written() const { return written_; }
  uint64_t dramRead() const;
  uint64_t dramWritten() const;
  uint64_t broughtToL2() const;
  /// Of what was written, sectors that another warp wrote to in the same access.
  uint64_t ofNeighbours() const { return ofNeighbours_; }
  /// Of what was read, the first time: sectors that other blocks read, too.
  uint64_t readByAll() const { return ofAll_.size(); }

private:
  bool isLikely() const { return guess_ == Guess::Likely || guess_ == Guess::LikelyDram; }
  uint64_t likely(uint64_t (PairCache::*of)() const) const;
  bool isMade(const OrderedAccess &access) const;
  void clear();
  void transferRegisters(bool isStore);
  void transferRows(bool isStore);
  void transferRows(const StagedCopy &copy);
  void transferColumns(const StagedCopy &copy);
  void add(llvm::SmallVectorImpl<WarpRequest> &sectors, ArrayId id, int64_t cell,
           int64_t instance) const;
  void access(ArrayId id, int64_t cell, bool isStore, uint32_t run = 0);
  void access(llvm::ArrayRef<OrderedAccess> together);
  llvm::SmallVector<WarpRequest, 32> requests(ArrayId id, int64_t cell, int64_t first, int64_t last,
                                              bool isPerhaps) const;
  bool isApart(ArrayId id) const;
  bool isBetweenBlocks(ArrayId id, int64_t cell, int64_t instance) const;
  uint64_t byteOf(ArrayId id, int64_t cell, int64_t instance) const;
  void fetch(const WarpRequest &request, bool isStore);
  void load(const WarpRequest &request);
  void store(const WarpRequest &request, StoreRun run = {});
  bool isMerged(const WarpRequest &request, StoreRun run);

  const ir::Function &kernel_;
  std::vector<bool> isStaged_, inRegisters_; // by array
  Layout layout_;
  const BulkInput &input_;
  int64_t begin_, end_, resident_;
  LineCache l1_, l2_;
  std::vector<PairCache> likelyL2_; // of several sizes: warps drift apart
  Guess guess_;
  llvm::DenseSet<uint64_t> stored_;                                 // by this access
  llvm::DenseSet<uint64_t> missed_;                                 // likewise, in L1
  std::deque<llvm::DenseSet<uint64_t>> storedBefore_;               // by the last ones that stored
  llvm::DenseMap<std::pair<uint64_t, int64_t>, uint32_t> storedIn_; // by sector and warp: last runs
  llvm::DenseSet<uint64_t> ofAll_; // read, of what all instances share
  uint64_t read_ = 0, written_ = 0, ofNeighbours_ = 0, dramRead_ = 0;
  uint64_t number_ = 0; // of accesses
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_BLOCKCACHES_H
