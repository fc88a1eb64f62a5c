//===- OwnCells.h - Cells that one member of a team stores to ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: at which counters of tiled nests each cell of an array is stored to. Out: which cells a
// member may have copies of in registers, as no other member stores to them; and where: the cells
// of counters (i, j) are in one place, those of (i, j + 1) a fixed distance further on.
//
// Where nests are of one loop, the cells of a counter are a row.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_OWNCELLS_H
#define COLONNADE_TRANSFORM_TEAMS_OWNCELLS_H

#include <cstdint>
#include <optional>
#include <vector>

namespace colonnade {

/// The counters of the iterations that store to a cell.
struct CellHome {
  int32_t row = -1, column = -1;
  friend bool operator==(const CellHome &, const CellHome &) = default;
  bool isOne() const { return row >= 0; }
};
constexpr CellHome NoHome = {-1, -1}, ManyHomes = {-2, -2}; // also stores beside tiled nests
/// By cell of an array.
using CellHomes = std::vector<CellHome>;

/// Cell (i, c) of an array: i * byRow + c * byColumn + first.
struct OwnCells {
  int64_t rows = 0, columns = 0; // none has its home beyond
  int64_t byRow = 0, byColumn = 1, first = 0;
  bool isDense = true; // each has its home at these counters
};

/// At counters (i, j) one cell, or at counter i a row of cells (i, …); of cells with one home.
/// nullopt: there are none, or they lie in another way.
std::optional<OwnCells> ownCells(const CellHomes &homes, bool areRows);
/// Of cells of rows, of which every `members`-th is one member's: by a member's row, how many
/// columns there are for any member.
std::vector<unsigned> columnsOfSlots(const OwnCells &own, const CellHomes &homes, unsigned members);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_OWNCELLS_H
