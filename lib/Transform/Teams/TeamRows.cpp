//===- TeamRows.cpp - How rows of a team's arrays lie in shared memory ----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TeamRows.h"

#include "Transform/BlockBuilder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

/// Rows a team's cells apart modulo the banks: where the members of each team access neighbouring
/// cells, or all the same one, the warp's accesses are in different banks.
static uint64_t pitchOf(uint64_t cells, uint64_t bytes, unsigned wordsApart) {
  static constexpr uint64_t BankBytes = 4, Banks = 32;
  const uint64_t perTurn = Banks * BankBytes / std::max(bytes, BankBytes), // words, of all banks
      perWord = bytes < BankBytes ? BankBytes / bytes : 1;
  const uint64_t words = (cells + perWord - 1) / perWord, apart = wordsApart % perTurn;
  return (words + (perTurn + apart - words % perTurn) % perTurn) * perWord;
}

/// Words, for rows whose columns are copied. A warp stores cells of up to a tile's rows at once
/// (stage.cuh): they are in different banks if rows lie as for that. But members of a grid load
/// four cells of a row at once.
static unsigned columnsApart(const TeamPlan &plan, unsigned instances) {
  static constexpr unsigned AtOnce = 4;
  return plan.choice.grid ? AtOnce : LanesPerWarp / std::min(instances, LanesPerWarp);
}

/// A block's warps, if rows of each warp's instances lie as many apart: then those are a team's
/// words apart, and neighbouring cells of each instance are in different banks, too.
unsigned colonnade::spreadOf(const TeamPlan &plan, unsigned instances) {
  const unsigned team = plan.choice.team, warps = instances * team / LanesPerWarp;
  const bool hasOneEach = team >= LanesPerWarp;
  return plan.choice.grid || hasOneEach || warps < 2 ? 0 : warps;
}

void colonnade::toRows(Array &array, const TeamPlan &plan, unsigned instances) {
  const unsigned team = plan.choice.team;
  const bool isForColumns = instances > 0;
  const uint64_t cells = *array.constantCells(), bytes = sizeBytes(array.cell);
  array.skew = plan.isSkewed ? skewOf(bytes) : 0;
  const unsigned rows = isForColumns ? instances : LanesPerWarp / team;
  array.extents = {SizeExpr::constant(rows), SizeExpr::constant(static_cast<int64_t>(cells))};
  array.sharing = isForColumns ? Sharing::Block : Sharing::Warp;
  array.role = ArrayRole::Local;
  array.space = Space::Shared;
  array.reads = array.writes = true;
  array.isConst = false;
  array.parameter.clear();
  const uint64_t taken = array.skewed(cells);
  const unsigned apart = isForColumns          ? columnsApart(plan, instances)
                         : team < LanesPerWarp ? team
                                               : 0;
  array.spread = isForColumns ? spreadOf(plan, instances) : 0;
  array.pitch = apart ? pitchOf(taken, bytes, apart) : taken;
}
