//===- ColumnCopies.cpp - How columns are copied to rows ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ColumnCopies.h"

#include "Model/Banks.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace colonnade::model {

static constexpr int64_t Lanes = 32;

void ColumnCopy::forEachRequest(int64_t rows,
                                llvm::function_ref<void(const Request &)> visit) const {
  const int64_t side = std::min(instances, Lanes), sides = instances / side,
                warps = instances * team / Lanes;
  for (int64_t turn = 0; turn < copied(); turn += team)
    for (int64_t warp = 0; warp < warps; ++warp) {
      Request request;
      for (int64_t lane = 0; lane < Lanes; ++lane) {
        const int64_t row = warp % sides * side + lane % side,
                      number = turn + warp / sides * (Lanes / side) + lane / side;
        if (row < rows && number < copied())
          request.push_back(
              {row, live.empty() ? number : live[static_cast<size_t>(number)], number});
      }
      if (!request.empty())
        visit(request);
    }
}

uint64_t ColumnCopy::requests() const {
  return static_cast<uint64_t>((copied() + team - 1) / team);
}

uint64_t ColumnCopy::groupsOfBlock(int64_t block, int64_t rows, int64_t groupBytes) const {
  uint64_t sum = 0;
  forEachRequest(rows, [&](const Request &request) {
    std::set<int64_t> groups;
    for (const Copied &each : request)
      groups.insert(memory.address(first + each.cell, block * instances + each.row) * bytes /
                    groupBytes);
    sum += groups.size();
  });
  return sum;
}

/// Blocks after which another one begins alike in a group.
int64_t ColumnCopy::period(int64_t groupBytes) const {
  const bool isTiled = memory.layout == Layout::Tiled;
  const int64_t inTile = isTiled ? std::max<int64_t>(1, memory.tile / instances) : 1,
                step = isTiled ? std::max(memory.tile, instances) * memory.cells : instances;
  return inTile * (groupBytes / std::gcd(groupBytes, step * bytes));
}

/// All that begin alike at once.
uint64_t ColumnCopy::groups(int64_t groupBytes) const {
  const int64_t blocks = memory.count / instances, rest = memory.count % instances,
                alike = period(groupBytes);
  uint64_t sum = groupsOfBlock(blocks, rest, groupBytes);
  for (int64_t block = 0; block < std::min(alike, blocks); ++block)
    sum += static_cast<uint64_t>((blocks - block + alike - 1) / alike) *
           groupsOfBlock(block, instances, groupBytes);
  return sum;
}

static int64_t rowOf(const ir::Array &array, int64_t instance) {
  return static_cast<int64_t>(array.rowOf(static_cast<uint64_t>(instance)));
}

/// Of all blocks, where each does as every other one.
uint64_t ColumnCopy::ofBlocks(llvm::function_ref<uint64_t(int64_t rows)> ofBlock) const {
  return static_cast<uint64_t>(memory.count / instances) * ofBlock(instances) +
         ofBlock(memory.count % instances);
}

uint64_t ColumnCopy::listGroups(int64_t numbersInGroup) const {
  return ofBlocks([&](int64_t rows) {
    uint64_t sum = 0;
    forEachRequest(rows, [&](const Request &request) {
      std::set<int64_t> groups;
      for (const Copied &each : request)
        groups.insert(each.number / numbersInGroup);
      sum += groups.size();
    });
    return sum;
  });
}

uint64_t ColumnCopy::excessWavefronts(const ir::Array &array) const {
  const auto pitch = static_cast<int64_t>(array.rowPitch()),
             skew = static_cast<int64_t>(array.skew);
  return ofBlocks([&](int64_t rows) {
    uint64_t sum = 0;
    forEachRequest(rows, [&](const Request &request) {
      std::vector<int64_t> places;
      for (const Copied &each : request)
        places.push_back(
            (rowOf(array, each.row) * pitch + each.cell + (skew ? each.cell / skew : 0)) * bytes);
      sum += model::excessWavefronts(places, bytes, Lanes);
    });
    return sum;
  });
}

} // namespace colonnade::model
