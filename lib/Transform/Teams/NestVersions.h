//===- NestVersions.h - Cells as they were and as they are ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel with a loop over k in which a nest over i and j is all that is done. Iteration (i,
// j) stores to one cell of an array, its own, at a place S(i, j), and also loads cells that are the
// own ones of the iterations at the outer counter: S(i, k), S(k, j) or S(k, k). Each of these has
// two versions: as it was before the nest, and as its iteration leaves it, if that comes earlier.
// Out: the kernel in which no iteration of the nest needs another's cell:
//
//   for (k …)
//     for (j …) row[old][j] = d[k][j]                   lines of cells as they were,
//     for (i …) column[old][i] = d[i][k]
//     for (j …) row[new][j] = f(row[old][j], …)         and as their own iterations leave them:
//     for (i …) column[new][i] = f(column[old][i], …)   done again, from the old cells alone
//     for (i …) for (j …)
//       d[i][j] = f(d[i][j], column[k < j][i], row[k < i][j])
//
// The loop over k is one over blocks and one in a block, to be unrolled: members that have blocks
// of counters then know which of their cells are at k.
//
// Invariant: an operation of iteration (i, j), wherever it is done and how often, has the operands
// that it has in the kernel. Own cells are told from others by their subscripts' expressions; that
// different iterations' own cells differ is for the walk to find (TeamWalk.h).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_NESTVERSIONS_H
#define COLONNADE_TRANSFORM_TEAMS_NESTVERSIONS_H

#include "Transform/Teams/TeamWalk.h"

#include <optional>

namespace colonnade {

struct VersionedNest {
  ir::Function kernel;
  std::vector<TiledNest> nests;  // that copy lines; the last one is the nest itself
  std::vector<OpId> lines;       // loops over the cells of lines, whose iterations are apart
  int64_t rows = 0, columns = 0; // ends of the nest's counters
  std::string note;              // for whoever reads the code
};

/// Members of the grid have blocks of the loop over k, or such that it is a multiple. beyond: so
/// that iterations behind the nest's end may be run, which saves asking whether there is one; right
/// where own cells are in registers alone. nullopt: there is no such loop, or, where that is asked
/// for, an iteration does more than compute.
std::optional<VersionedNest> versionNest(const ir::Function &kernel, TeamGrid grid,
                                         bool beyond = false);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_NESTVERSIONS_H
