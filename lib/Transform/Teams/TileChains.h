//===- TileChains.h - Tiles of a nest with a chain in it --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a nest over i and j of which each iteration takes the least of a range of k, in any order
// (OrderFreeChains.h), as in dynamic programming over intervals:
//
//   for i: for j: { least = inf; for k in [lo, hi): least = min(least, b[i][k] + b[k + 1][j]); … }
//
// Out: the nest in tiles of so many rows and columns, with a tile's chains in registers. The part
// of the range that all of its iterations have is done for all of them together, so that what
// depends on i alone is loaded once a row, on j alone once a column; then each iteration, in the
// order that it had, does the rest of its range and all else:
//
//   for each tile: k in [largest lo, least hi): x[u] = b[i + u][k], y[v] = b[k + 1][j + v],
//                                               least[u][v] = min(least[u][v], x[u] + y[v])
//                  for u, v: k in [lo, largest lo) and [least hi, hi), …
//
// Where an iteration's last operand is a cell of another array that lies as far from its own cell
// everywhere, that array is copied to the place of the results, and each of its cells is replaced
// by the result: so both take the room of one. Results go to the caller at the end
// (ResultsAtEnd.h).
//
// Tiles come in wavefronts, as iterations do (SkewNests.h), so a team shares those of a step. The
// last tile of a row or column begins early enough to be complete: it does iterations of the one
// before again, in registers alone.
//
// Invariant: by a walk, each cell's stores and loads have the order that they had.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_TILECHAINS_H
#define COLONNADE_TRANSFORM_TEAMS_TILECHAINS_H

#include "IR/Function.h"
#include "Transform/WalkBudget.h"

#include <optional>
#include <vector>

namespace colonnade {

struct ChainTiles {
  ir::Function kernel;
  OpId rows, columns;           // loops over tiles
  bool overlaps = false;        // the last tiles do iterations of those before again
  std::vector<ArrayId> inPlace; // arrays that are copied from and to where the caller has them
};

/// The nest of two loops in tiles of `edge` rows and columns; or why there are none: nullopt.
std::optional<ChainTiles> tileChains(const ir::Function &kernel, OpId outer, OpId inner,
                                     unsigned edge, WalkBudget &budget);

struct ChainWavefronts {
  ir::Function kernel;
  OpId rows;          // the loop over a step's tiles
  unsigned tiles = 0; // of a step, at most
  bool overlaps = false;
  std::vector<ArrayId> inPlace;
};

/// The kernel's first such nest in tiles, whose wavefronts a team can share.
std::optional<ChainWavefronts> chainWavefronts(const ir::Function &kernel, unsigned edge,
                                               WalkBudget &budget);

/// The loops that a team shares: over a step's tiles, and of other nests the inner ones, whose
/// cells are neighbours.
std::vector<OpId> dealtBeside(const ir::Function &kernel, OpId tiles);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_TILECHAINS_H
