//===- AddressMap.cpp - Addresses to cells --------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/AddressMap.h"

namespace colonnade::record {

AddressMap::AddressMap(const std::vector<AddressRange> &arrays,
                       const std::vector<ir::ScalarType> &types, llvm::ArrayRef<LoggedCell> cells)
    : arrays_(arrays), types_(types) {
  std::vector<int64_t> next(arrays.size());
  for (const LoggedCell &cell : cells)
    placed_.push_back({{cell.address, cell.address + cell.bytes}, cell.array, next[cell.array]++});
  llvm::sort(placed_,
             [](const Placed &a, const Placed &b) { return a.range.first < b.range.first; });
}

void AddressMap::find(const AddressRange &range, bool isStore,
                      std::vector<RecordedCell> &into) const {
  auto add = [&](uint32_t array, int64_t cell, uint64_t first, uint64_t end) {
    const bool isPart = range.first > first || range.end < end;
    into.push_back({array, isStore, isPart, cell});
  };
  for (uint32_t a = 0; a < arrays_.size(); ++a) {
    const AddressRange &array = arrays_[a];
    const uint64_t bytes = ir::sizeBytes(types_[a]);
    const uint64_t first = std::max(range.first, array.first), end = std::min(range.end, array.end);
    for (uint64_t i = (first - array.first) / bytes; first < end && array.first + i * bytes < end;
         ++i)
      add(a, static_cast<int64_t>(i), array.first + i * bytes, array.first + (i + 1) * bytes);
  }
  auto from = llvm::partition_point(
      placed_, [&](const Placed &placed) { return placed.range.end <= range.first; });
  for (; from != placed_.end() && from->range.first < range.end; ++from)
    add(from->array, from->cell, from->range.first, from->range.end);
}

} // namespace colonnade::record
