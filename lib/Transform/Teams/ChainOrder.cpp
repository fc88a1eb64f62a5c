//===- ChainOrder.cpp - Whether tiles of chains are right -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/ChainOrder.h"

#include "IR/Evaluate.h"
#include "IR/KnownWalk.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

//===----------------------------------------------------------------------===//
// Whether tiles do all that iterations do
//===----------------------------------------------------------------------===//

namespace {

/// Iterations of a tile; the last one begins early enough to be complete.
class TileOfIterations {
public:
  TileOfIterations(const ChainIterations &all, int64_t edge, int64_t row, int64_t column)
      : all_(all), edge_(edge), row_(row), column_(column) {}

  bool isFull() const {
    for (int64_t u = 0; u < edge_; ++u)
      for (int64_t v = 0; v < edge_; ++v)
        if (!at(u, v).isThere())
          return false;
    return common().low <= common().high;
  }
  /// Whether the common range and earlier iterations' own cells are each iteration's whole range.
  bool isComplete(bool hasRows, bool hasColumns) const;

private:
  int64_t row(int64_t u) const { return std::min(row_, all_.rows - edge_) + u; }
  int64_t column(int64_t v) const { return std::min(column_, all_.columns - edge_) + v; }
  const ChainIterations::Range &at(int64_t u, int64_t v) const {
    return all_.at(row(u), column(v));
  }
  ChainIterations::Range common() const {
    ChainIterations::Range range = at(0, 0);
    for (int64_t u = 0; u < edge_; ++u)
      for (int64_t v = 0; v < edge_; ++v) {
        range.low = std::max(range.low, at(u, v).low);
        range.high = std::min(range.high, at(u, v).high);
      }
    return range;
  }
  int64_t inner(int64_t v) const {
    return all_.firstColumn + (all_.columnsFall ? -column(v) : column(v));
  }

  const ChainIterations &all_;
  int64_t edge_, row_, column_;
};

} // namespace

/// Whether the ks are those of `all` beside those of `common`, each once.
static bool areAllBeside(llvm::SmallVectorImpl<int64_t> &ks, const ChainIterations::Range &all,
                         const ChainIterations::Range &common) {
  llvm::sort(ks);
  const bool isOnce = std::adjacent_find(ks.begin(), ks.end()) == ks.end();
  const int64_t beside = (common.low - all.low) + (all.high - common.high);
  return isOnce && static_cast<int64_t>(ks.size()) == beside && llvm::all_of(ks, [&](int64_t k) {
           return (all.low <= k && k < common.low) || (common.high <= k && k < all.high);
         });
}

bool TileOfIterations::isComplete(bool hasRows, bool hasColumns) const {
  const ChainIterations::Range common = this->common();
  for (int64_t u = 0; u < edge_; ++u)
    for (int64_t v = 0; v < edge_; ++v) {
      llvm::SmallVector<int64_t, 8> ks;
      for (int64_t q = 0; q < u && hasRows; ++q)
        ks.push_back(all_.counters[static_cast<size_t>(row(q))] - all_.rowAhead);
      for (int64_t q = 0; q < v && hasColumns; ++q)
        ks.push_back(inner(q) - all_.columnAhead);
      if (!areAllBeside(ks, at(u, v), common))
        return false;
    }
  return true;
}

bool colonnade::areComplete(const ChainNest &nest, const ChainIterations &all, int64_t edge) {
  bool hasFull = false;
  if (all.rows < edge || all.columns < edge)
    return false;
  for (int64_t row = 0; row < all.rows; row += edge)
    for (int64_t column = 0; column < all.columns; column += edge) {
      const TileOfIterations tile(all, edge, row, column);
      if (!tile.isFull())
        continue;
      hasFull = true;
      if (!tile.isComplete(nest.ofRow.valid(), nest.ofColumn.valid()))
        return false;
    }
  return hasFull;
}

//===----------------------------------------------------------------------===//
// The order of accesses
//===----------------------------------------------------------------------===//

namespace {

/// Whether tiles keep it. A rank says where an iteration was; an access that stands for several has
/// a first one and a last one.
class TileOrderWalk final : public KnownWalk {
public:
  TileOrderWalk(const TiledKernel &tiled, const ChainIterations &all, unsigned edge,
                uint64_t maxSteps)
      : KnownWalk(tiled.tiles.kernel, maxSteps), tiled_(tiled), all_(all), edge_(edge),
        cells_(tiled.tiles.kernel.arrays.size()) {
    for (auto [a, array] : llvm::enumerate(tiled.tiles.kernel.arrays))
      cells_[a].resize(array.constantCells().value_or(0));
  }

  bool run() { return walk(function_.body); }

private:
  struct Ranks { // the last ones in the old order; 0: none
    int64_t stored = 0, loaded = 0;
  };
  static constexpr int64_t OfRow = int64_t(1) << 43, OfColumn = int64_t(1) << 23,
                           Middle = OfColumn / 2, Most = int64_t(1) << 19;

  bool unknownLoop(OpId) override { return false; }
  bool access(OpId id, std::optional<int64_t> cell) override;
  int64_t counterOf(OpId loop) const {
    return asInt64(*value(function_.region(function_.op(loop).regions[0]).args[0]));
  }
  int64_t numberOf(OpId tiles, ValueId slot, int64_t ofAll, int64_t all, bool isWhole) const {
    const int64_t within = slot ? asInt64(*value(slot)) : ofAll, first = counterOf(tiles) * edge_;
    return (isWhole ? std::min(first, all - edge_) : first) + within;
  }
  bool isAgain(const AccessPlace &place) const;
  std::optional<int64_t> rankOf(const AccessPlace &place, int64_t ofAll) const;

  const TiledKernel &tiled_;
  const ChainIterations &all_;
  const int64_t edge_;
  std::vector<std::vector<Ranks>> cells_; // by array
};

} // namespace

/// An iteration of the tile before, which is done again.
bool TileOrderWalk::isAgain(const AccessPlace &place) const {
  return place.isOfFull && (numberOf(tiled_.tiles.rows, place.u, 0, all_.rows, true) <
                                counterOf(tiled_.tiles.rows) * edge_ ||
                            numberOf(tiled_.tiles.columns, place.v, 0, all_.columns, true) <
                                counterOf(tiled_.tiles.columns) * edge_);
}

std::optional<int64_t> TileOrderWalk::rankOf(const AccessPlace &place, int64_t ofAll) const {
  const int64_t k = place.k ? asInt64(*value(place.k)) : 0;
  if (k <= -Most || k >= Most || all_.rows >= Most || all_.columns >= Most)
    return std::nullopt;
  const int64_t within = place.k ? Middle + k : place.isBefore ? 1 : OfColumn - 2;
  const bool isWhole = place.isOfFull;
  return numberOf(tiled_.tiles.rows, place.u, ofAll, all_.rows, isWhole) * OfRow +
         numberOf(tiled_.tiles.columns, place.v, ofAll, all_.columns, isWhole) * OfColumn + within;
}

bool TileOrderWalk::access(OpId id, std::optional<int64_t> cell) {
  const auto place = tiled_.places.find(id.index);
  const Op &op = function_.op(id);
  if (place == tiled_.places.end() || function_.array(op.array).isSharedInput())
    return true;
  std::vector<Ranks> &cells = cells_[op.array.index];
  const bool isStore = op.opcode == Opcode::Store;
  std::optional<int64_t> first = rankOf(place->second, 0), last = rankOf(place->second, edge_ - 1);
  if (!cell || *cell < 0 || static_cast<uint64_t>(*cell) >= cells.size() || !first)
    return false;
  Ranks &ranks = cells[static_cast<size_t>(*cell)];
  if (isStore) // behind what its iteration loads
    last = ++*first;
  if (place->second.isReplaced && isAgain(place->second))
    return ranks.stored == *first + 1;
  if (ranks.stored > *first || (isStore && ranks.loaded > *first))
    return false;
  int64_t &rank = isStore ? ranks.stored : ranks.loaded;
  rank = std::max(rank, *last);
  return true;
}

bool colonnade::keepsOrder(const TiledKernel &tiled, const ChainIterations &all, unsigned edge,
                           WalkBudget &budget) {
  TileOrderWalk order(tiled, all, edge, budget.left);
  const bool isKept = order.run();
  budget.left -= std::min(budget.left, order.steps());
  return isKept;
}
