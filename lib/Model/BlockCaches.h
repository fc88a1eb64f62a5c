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

/// Stores of a warp that are issued one right after the other.
struct StoreRun {
  uint32_t number = 0; // 0: of an access by itself
  int64_t warp = -1;   // its first instance
};

/// What the kernel does not say: all for the fewest sectors, what a GPU is likely to do, or all for
/// the most.
enum class Guess : uint8_t { Least, Likely, Most };

int64_t instancesOfBlock(const ir::Function &kernel);

/// One block of instances, from `begin` on.
class BlockRun {
public:
  BlockRun(const ir::Function &kernel, Layout layout, const BulkInput &input, int64_t begin,
           int64_t resident, Shares shares, Guess guess);

  void run(llvm::ArrayRef<OrderedAccess> accesses);

  uint64_t read() const { return read_; }
  uint64_t written() const { return written_; }
  uint64_t dramRead() const { return dramRead_; }
  uint64_t dramWritten() const { return l2_.written(); }
  uint64_t broughtToL2() const { return l2_.brought(); }
  /// Of what was written, sectors that another warp wrote to in the same access.
  uint64_t ofNeighbours() const { return ofNeighbours_; }
  /// Of what was read, the first time: sectors that other blocks read, too.
  uint64_t readByAll() const { return ofAll_.size(); }

private:
  bool isMade(const OrderedAccess &access) const;
  void clear();
  void transferRegisters(bool isStore);
  void transferRows(bool isStore);
  void transferRows(const StagedCopy &copy);
  void add(llvm::SmallVectorImpl<WarpRequest> &sectors, ArrayId id, int64_t cell,
           int64_t instance) const;
  void access(ArrayId id, int64_t cell, bool isStore, uint32_t run = 0);
  llvm::SmallVector<WarpRequest, 32> requests(ArrayId id, int64_t cell, int64_t first,
                                              int64_t last) const;
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
  Guess guess_;
  llvm::DenseSet<uint64_t> stored_, storedBefore_; // by this access, and the last one that stored
  llvm::DenseMap<std::pair<uint64_t, int64_t>, uint32_t> storedIn_; // by sector and warp: last runs
  llvm::DenseSet<uint64_t> ofAll_; // read, of what all instances share
  uint64_t read_ = 0, written_ = 0, ofNeighbours_ = 0, dramRead_ = 0;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_BLOCKCACHES_H
