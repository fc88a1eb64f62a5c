//===- LiveCells.cpp - Cells that copies need not take part in ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/LiveCells.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;

uint64_t colonnade::cellsOfSector(ir::ScalarType cell) {
  static constexpr uint64_t SectorBytes = 32;
  return SectorBytes / ir::sizeBytes(cell);
}

/// So many together are live if one of them is.
static std::vector<bool> whole(std::vector<bool> live, uint64_t together) {
  for (uint64_t first = 0; first < live.size(); first += together) {
    const auto begin = live.begin() + static_cast<ptrdiff_t>(first),
               end = begin + static_cast<ptrdiff_t>(std::min(together, live.size() - first));
    std::fill(begin, end, std::find(begin, end, true) != end);
  }
  return live;
}

/// Where few cells are dead, a list of the others costs more than they do. A dead sector of a row
/// is often fetched with its neighbour.
static std::vector<bool> ifWorthIt(std::vector<bool> live, uint64_t together) {
  const size_t one = together == 1 ? 8 : 4; // of so many
  const auto dead = static_cast<size_t>(llvm::count(live, false));
  return dead * one >= live.size() ? live : std::vector<bool>(live.size(), true);
}

LiveCells colonnade::liveCells(llvm::ArrayRef<CellUse> uses, uint64_t together, bool goesBack) {
  LiveCells live;
  for (const CellUse &use : uses)
    live.stored.push_back(goesBack && use.isWritten);
  live.stored = whole(std::move(live.stored), together);
  if (goesBack)
    live.stored = ifWorthIt(std::move(live.stored), together);
  for (auto [use, isStored] : llvm::zip_equal(uses, live.stored))
    live.loaded.push_back(use.isReadFirst || (isStored && !use.isSurelyWritten));
  live.loaded = ifWorthIt(whole(std::move(live.loaded), together), together);
  return live;
}
