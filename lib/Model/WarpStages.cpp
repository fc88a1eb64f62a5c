//===- WarpStages.cpp - The stages of all warps for one cell --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/WarpStages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cassert>
#include <numeric>

namespace colonnade::model {

uint64_t WarpStages::sum() const {
  if (numFull == 0)
    return partial;
  const uint64_t periods = numFull / period.size(), rest = numFull % period.size();
  const uint64_t one = std::accumulate(period.begin(), period.end(), uint64_t(0));
  return periods * one + std::accumulate(period.begin(), period.begin() + rest, partial);
}

uint64_t WarpStages::most() const {
  return std::max(partial, period.empty() ? 0 : *llvm::max_element(period));
}

std::optional<uint64_t> WarpStages::common() const {
  const uint64_t k = numWarps() == 0 ? 0 : of(0);
  if (!llvm::all_equal(period) || (partial > 0 && partial != k))
    return std::nullopt;
  return k;
}

using AddressOf = llvm::function_ref<int64_t(int64_t instance)>;

static WarpStages stagesOfWarps(const MemoryMachine &machine, int64_t count, int64_t growth,
                                AddressOf address) {
  auto ofWarp = [&](int64_t first, int64_t threads) {
    llvm::SmallVector<int64_t, 32> addresses;
    for (int64_t thread = 0; thread < threads; ++thread)
      addresses.push_back(address(first + thread));
    return stages(machine, addresses);
  };
  WarpStages result;
  result.numFull = static_cast<uint64_t>(count / machine.warp);
  const auto period = static_cast<uint64_t>(machine.group / std::gcd(machine.group, growth));
  for (uint64_t warp = 0; warp < std::min(period, result.numFull); ++warp)
    result.period.push_back(ofWarp(static_cast<int64_t>(warp) * machine.warp, machine.warp));
  if (const int64_t rest = count % machine.warp)
    result.partial = ofWarp(count - rest, rest);
  return result;
}

WarpStages warpStages(const MemoryMachine &machine, const Arrangement &arrangement, int64_t cell) {
  assert((arrangement.layout != Layout::Tiled || arrangement.tile == machine.warp) &&
         "a tile is as wide as a warp");
  const int64_t growth =
      arrangement.layout == Layout::Column ? machine.warp : machine.warp * arrangement.cells;
  return stagesOfWarps(machine, arrangement.count, growth,
                       [&](int64_t instance) { return arrangement.address(cell, instance); });
}

WarpStages sharedStages(const MemoryMachine &machine, int64_t count) {
  return stagesOfWarps(machine, count, 0, [](int64_t) { return int64_t(0); });
}

} // namespace colonnade::model
