//===- OwnCells.cpp - Cells that one member of a team stores to -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/OwnCells.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace colonnade;

/// Rows and columns of an array that hold one cell for each pair of counters.
static std::optional<OwnCells> oneEach(const CellHomes &homes) {
  OwnCells own;
  std::optional<int64_t> corner, inRow, inColumn; // cells at (0, 0), (1, 0), (0, 1)
  for (auto [cell, home] : llvm::enumerate(homes)) {
    own.rows = std::max<int64_t>(own.rows, home.row + 1);
    own.columns = std::max<int64_t>(own.columns, home.column + 1);
    if (home == CellHome{0, 0})
      corner = cell;
    else if (home == CellHome{1, 0})
      inRow = cell;
    else if (home == CellHome{0, 1})
      inColumn = cell;
  }
  if (!corner || (own.rows > 1 && !inRow) || (own.columns > 1 && !inColumn))
    return std::nullopt;
  own.first = *corner;
  own.byRow = inRow.value_or(*corner) - *corner;
  own.byColumn = inColumn.value_or(*corner) - *corner;
  int64_t numHomes = 0;
  for (auto [cell, home] : llvm::enumerate(homes))
    if (home.isOne()) {
      ++numHomes;
      if (home.row * own.byRow + home.column * own.byColumn + own.first != int64_t(cell))
        return std::nullopt;
    }
  return numHomes == own.rows * own.columns ? std::optional(own) : std::nullopt;
}

/// The first cells of rows are as far apart as the rows' counters.
static std::optional<OwnCells> rowEach(const CellHomes &homes) {
  std::map<int64_t, std::pair<int64_t, int64_t>> ends; // by counter: the least and largest cell
  int64_t numHomes = 0;
  for (auto [cell, home] : llvm::enumerate(homes))
    if (home.isOne()) {
      ++numHomes;
      const auto at = ends.try_emplace(home.row, cell, cell).first;
      at->second.second = static_cast<int64_t>(cell);
    }
  if (ends.size() < 2)
    return std::nullopt;
  const auto [row, range] = *ends.begin();
  const auto [next, nextRange] = *std::next(ends.begin());
  OwnCells own;
  own.byRow = (nextRange.first - range.first) / (next - row);
  own.first = range.first - row * own.byRow;
  own.rows = ends.rbegin()->first + 1;
  for (const auto &[at, cells] : ends) {
    if (cells.first - at * own.byRow < own.first)
      return std::nullopt;
    own.columns = std::max(own.columns, cells.second - at * own.byRow - own.first + 1);
  }
  own.isDense = numHomes == own.rows * own.columns;
  const bool isWithin =
      own.first >= 0 && own.byRow > 0 && own.columns <= own.byRow &&
      (own.rows - 1) * own.byRow + own.columns + own.first <= static_cast<int64_t>(homes.size());
  return isWithin ? std::optional(own) : std::nullopt;
}

std::optional<OwnCells> colonnade::ownCells(const CellHomes &homes, bool areRows) {
  return areRows ? rowEach(homes) : oneEach(homes);
}

std::vector<unsigned> colonnade::columnsOfSlots(const OwnCells &own, const CellHomes &homes,
                                                unsigned members) {
  std::vector<unsigned> columns(static_cast<size_t>(own.rows + members - 1) / members);
  for (auto [cell, home] : llvm::enumerate(homes)) {
    if (!home.isOne())
      continue;
    const int64_t column = static_cast<int64_t>(cell) - own.first - home.row * own.byRow;
    unsigned &most = columns[static_cast<size_t>(home.row) / members];
    most = std::max(most, static_cast<unsigned>(column) + 1);
  }
  return columns;
}
