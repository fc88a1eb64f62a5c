//===- TileChains.cpp - Tiles of a nest with a chain in it ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TileChains.h"

#include "IR/KernelFacts.h"
#include "Transform/Teams/ChainTiler.h"
#include "Transform/Teams/ResultsAtEnd.h"
#include "Transform/Teams/SkewNests.h"
#include "Transform/Teams/TeamLoops.h"
#include "Transform/Teams/TilePlan.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

//===----------------------------------------------------------------------===//
// Nests in tiles
//===----------------------------------------------------------------------===//

/// Whether the own cell's place follows from counters alone.
static bool areCounted(const ChainNest &nest, const Function &kernel) {
  return llvm::all_of(accessOperands(kernel.op(nest.store)).subscripts, [&](ValueId subscript) {
    const OpId definition = kernel.value(subscript).def;
    return !llvm::is_contained(nest.after, definition) &&
           !llvm::is_contained(nest.before, definition) && definition != nest.loop;
  });
}

/// The first load behind the chain whose array can be where results will be.
static std::optional<Replaced> replacedBy(const Function &kernel, const ChainNest &nest,
                                          const ChainIterations &all, WalkBudget &budget) {
  const Array &results = kernel.array(kernel.op(nest.store).array);
  const auto isReplaced = [&](uint32_t id) {
    const Op &load = kernel.ops[id];
    const Array &array = kernel.array(load.array);
    return array.isPassed() && array.isPerInstance() && array.cell == results.cell &&
           llvm::count_if(kernel.ops, [&](const Op &op) { return op.array == load.array; }) == 1;
  };
  const auto load =
      llvm::find_if(all.apart, [&](const auto &each) { return isReplaced(each.first); });
  if (load == all.apart.end() || !results.isPassed() || !areCounted(nest, kernel))
    return std::nullopt;
  std::optional<std::vector<OpId>> stores = storesOnce(kernel, kernel.op(nest.store).array, budget);
  return stores ? std::optional(Replaced{OpId(load->first), load->second, std::move(*stores)})
                : std::nullopt;
}

std::optional<ChainTiles> colonnade::tileChains(const Function &kernel, OpId outer, OpId inner,
                                                unsigned edge, WalkBudget &budget) {
  const std::vector<bool> stored = storedFirst(kernel, budget);
  std::optional<ChainNest> nest =
      chainNest(kernel, outer, inner, neverNegativeZero(kernel, stored));
  const std::optional<ChainIterations> all =
      nest ? walkChains(kernel, *nest, budget) : std::nullopt;
  if (!all || !areComplete(*nest, *all, edge))
    return std::nullopt;
  std::optional<Replaced> replaced;
  if (stored[kernel.op(nest->store).array.index])
    replaced = replacedBy(kernel, *nest, *all, budget);
  TiledKernel tiled = ChainTiler(kernel, *nest, *all, edge, replaced).run();
  return keepsOrder(tiled, *all, edge, budget) ? std::optional(std::move(tiled.tiles))
                                               : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Wavefronts
//===----------------------------------------------------------------------===//

std::optional<ChainWavefronts> colonnade::chainWavefronts(const Function &kernel, unsigned edge,
                                                          WalkBudget &budget) {
  static constexpr unsigned Slopes[] = {0, 1, 2};
  const TeamLoops loops = teamLoops(kernel);
  for (const TeamLoop &outer : loops.all) {
    if (outer.inner.size() != 1)
      continue;
    const std::optional<ChainTiles> tiles =
        tileChains(kernel, outer.loop, loops.all[outer.inner[0]].loop, edge, budget);
    for (unsigned slope : Slopes) {
      std::optional<SkewedNest> nest =
          tiles ? skewNest(tiles->kernel, tiles->rows, tiles->columns, slope, budget)
                : std::nullopt;
      if (nest && tryTeam(nest->kernel, LanesPerWarp, {nest->rows}, budget, false, tiles->inPlace)
                      .run.refusal.empty())
        return ChainWavefronts{std::move(nest->kernel), nest->rows,
                               static_cast<unsigned>(*constantIterations(
                                   tiles->kernel, tiles->kernel.op(tiles->rows))),
                               tiles->overlaps, tiles->inPlace};
    }
  }
  return std::nullopt;
}

std::vector<OpId> colonnade::dealtBeside(const Function &kernel, OpId tiles) {
  const TeamLoops loops = teamLoops(kernel);
  std::vector<OpId> dealt = {tiles};
  for (size_t loop : loops.outermost) {
    if (colonnade::isIn(kernel, tiles, loops.all[loop].loop))
      continue;
    while (loops.all[loop].inner.size() == 1)
      loop = loops.all[loop].inner[0];
    dealt.push_back(loops.all[loop].loop);
  }
  return dealt;
}
