//===- TilePlan.cpp - Nests whose iterations lie on a team's grid ---------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TilePlan.h"

#include "IR/Evaluate.h"
#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

bool colonnade::countsUpByOne(const Function &kernel, const Op &loop) {
  const Scalar *const step = kernel.constant(loop.operands[2]);
  return loop.predicate == Predicate::Lt && step && asInt64(*step) == 1 &&
         bitWidth(kernel.value(loop.operands[0]).type) >= 32;
}

/// Whether a value of a loop's body is computed from its counter, or loaded there.
static bool dependsOn(const Function &kernel, ValueId value, OpId loop) {
  const RegionId body = kernel.op(loop).regions[0];
  if (value == kernel.region(body).args[0])
    return true;
  const Op *const definition = kernel.definition(value);
  if (!definition || !llvm::is_contained(kernel.region(body).ops, kernel.value(value).def))
    return false;
  return !isPure(*definition) || llvm::any_of(definition->operands, [&](ValueId operand) {
    return dependsOn(kernel, operand, loop);
  });
}

/// The loop that is all of another one's body, beside what is pure.
static std::optional<OpId> innerOf(const Function &kernel, const TeamLoops &loops,
                                   const TeamLoop &outer) {
  if (outer.inner.size() != 1)
    return std::nullopt;
  const OpId inner = loops.all[outer.inner[0]].loop;
  const llvm::ArrayRef<OpId> body = kernel.region(kernel.op(outer.loop).regions[0]).ops;
  const bool isPerfect =
      llvm::all_of(body.drop_back(), [&](OpId id) { return id == inner || isPure(kernel.op(id)); });
  const bool isFixed =
      llvm::none_of(llvm::ArrayRef(kernel.op(inner).operands).take_front(3),
                    [&](ValueId bound) { return dependsOn(kernel, bound, outer.loop); });
  if (!isPerfect || !isFixed || !llvm::is_contained(body, inner) ||
      !countsUpByOne(kernel, kernel.op(inner)))
    return std::nullopt;
  return inner;
}

/// Those that are to be taken first are first: of two loops, inner ones, whose iterations are more;
/// of one, outer ones.
static std::vector<TiledNest> nestsOf(const Function &kernel, NestKind kind) {
  const TeamLoops loops = teamLoops(kernel);
  std::vector<TiledNest> nests;
  for (const TeamLoop &outer : loops.all) {
    // Local arrays that a member has of its own are not there for each of its iterations.
    if (!countsUpByOne(kernel, kernel.op(outer.loop)) ||
        storesToLocal(kernel, kernel.op(outer.loop).regions[0]))
      continue;
    const std::optional<OpId> inner = innerOf(kernel, loops, outer);
    if (kind == NestKind::OneLoop)
      nests.push_back({outer.loop, {}});
    else if (inner)
      nests.push_back({outer.loop, *inner});
  }
  if (kind == NestKind::OneLoop)
    std::reverse(nests.begin(), nests.end());
  return nests;
}

bool colonnade::isIn(const Function &kernel, OpId op, OpId loop) {
  return op == loop || llvm::any_of(kernel.op(loop).regions, [&](RegionId region) {
           return llvm::any_of(kernel.region(region).ops,
                               [&](OpId each) { return isIn(kernel, op, each); });
         });
}

/// Of nests that share loops the first.
static std::vector<TiledNest> apart(const Function &kernel, llvm::ArrayRef<TiledNest> nests) {
  std::vector<TiledNest> left;
  for (const TiledNest &nest : nests)
    if (llvm::none_of(left, [&](const TiledNest &other) {
          return isIn(kernel, other.rows, nest.rows) || isIn(kernel, nest.rows, other.rows);
        }))
      left.push_back(nest);
  return left;
}

static TeamChoice choiceOf(const Function &kernel, TeamGrid grid, llvm::ArrayRef<TiledNest> tiles,
                           llvm::ArrayRef<OpId> dealt) {
  TeamChoice choice;
  const unsigned members = grid.rows * grid.columns;
  choice.team = members > MaxTeam ? LanesPerWarp : members; // more: one for each iteration
  choice.grid = grid;
  choice.tiles = tiles;
  choice.dealt.resize(kernel.ops.size());
  for (OpId loop : dealt)
    choice.dealt[loop.index] = true;
  for (const Array &array : kernel.arrays)
    choice.common.push_back(array.isLocal() || (array.isPassed() && array.isPerInstance()));
  return choice;
}

static constexpr TeamGrid OneEach = {MaxGrid, MaxGrid};

std::vector<TiledNest> colonnade::tiledNests(const Function &kernel, NestKind kind,
                                             WalkBudget &budget, std::string *refusal) {
  std::vector<TiledNest> nests = nestsOf(kernel, kind);
  for (;;) {
    std::vector<TiledNest> tried = apart(kernel, nests);
    if (tried.empty())
      return {};
    const TeamRun run = walkApart(kernel, tried, {}, budget);
    if (run.refusal.empty())
      return tried;
    if (refusal)
      *refusal = run.refusal;
    if (!run.loop.valid())
      return {};
    llvm::erase_if(nests, [&](const TiledNest &nest) { return nest.rows == run.loop; });
  }
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

unsigned colonnade::rowSlotsAtOnce(const TileExtent &extent, TeamGrid grid) {
  const int64_t rows = std::max<int64_t>(grid.rowAxis().slots(extent.rows), 1),
                columns = std::max<int64_t>(grid.columnAxis().slots(extent.columns), 1),
                most = std::clamp<int64_t>(grid.mostCells / columns, 1, rows),
                times = grid.hasBlocks() ? 1 : (rows + most - 1) / most;
  return static_cast<unsigned>((rows + times - 1) / times);
}

/// Cells that a member has in a nest at a time.
static int64_t cellsOf(const TileExtent &extent, TeamGrid grid) {
  const int64_t columns = std::max<int64_t>(grid.columnAxis().slots(extent.columns), 1);
  return grid.rows == 1 ? columns : rowSlotsAtOnce(extent, grid) * columns;
}

/// Whether a member does all of its cells at a time, so that each of them may have a register.
static bool areAtOnce(const TileExtent &extent, TeamGrid grid) {
  return grid.rows == 1 ||
         rowSlotsAtOnce(extent, grid) >= std::max<int64_t>(grid.rowAxis().slots(extent.rows), 1);
}

bool colonnade::areRows(const TeamChoice &choice) {
  return llvm::none_of(choice.tiles, [](const TiledNest &nest) { return nest.columns.valid(); });
}

bool colonnade::unrollsAll(const TeamChoice &choice, const TeamRun &run) {
  return isUnrolled(run.work) && (!choice.grid || (areRows(choice) && !choice.homes.empty()));
}

/// Whether the array's accesses in nests are such that registers are of use, and right.
static bool areAtHome(const Function &kernel, size_t array, const std::vector<bool> &isAtHome) {
  bool isLoaded = false, isStored = true;
  for (auto [o, op] : llvm::enumerate(kernel.ops)) {
    isLoaded |= op.opcode == Opcode::Load && op.array.index == array && isAtHome[o];
    isStored &= op.opcode != Opcode::Store || op.array.index != array || isAtHome[o];
  }
  return isLoaded && isStored;
}

/// Of one iteration: what accesses memory, or computes with what is loaded.
static double instructionsIn(const Function &kernel, RegionId region) {
  double instructions = 0;
  for (OpId id : kernel.region(region).ops) {
    const Op &op = kernel.op(id);
    instructions +=
        op.opcode == Opcode::Load || op.opcode == Opcode::Store || kernel.anyVarying(op.operands);
    for (RegionId inner : op.regions)
      instructions += instructionsIn(kernel, inner);
  }
  return instructions;
}

double colonnade::tiledInstructions(const Function &kernel, const TeamTrial &trial) {
  static constexpr double AtOnce = 8; // of a member that has all rows
  double instructions = 0;
  for (auto [nest, extent] : llvm::zip_equal(trial.choice.tiles, trial.run.extents)) {
    const double cells = trial.choice.grid.rows == 1
                             ? AtOnce
                             : static_cast<double>(cellsOf(extent, trial.choice.grid));
    instructions += cells * instructionsIn(kernel, kernel.op(nest.rows).regions[0]);
  }
  return instructions;
}

std::vector<std::optional<OwnCells>>
colonnade::ownArrays(const Function &kernel, const TeamChoice &choice, const TeamRun &run) {
  std::vector<std::optional<OwnCells>> own(kernel.arrays.size());
  for (size_t a = 0; a < choice.homes.size(); ++a)
    if (choice.common[a] && areAtHome(kernel, a, run.isAtHome))
      own[a] = ownCells(choice.homes[a], areRows(choice));
  return own;
}

/// Words of a member's own cells.
static int64_t ownWords(const Array &array, const OwnCells &cells, TeamGrid grid, bool areRows) {
  return grid.rowAxis().slots(cells.rows) *
         (areRows ? cells.columns : grid.columnAxis().slots(cells.columns)) *
         (sizeBytes(array.cell) == 8 ? 2 : 1);
}

/// Of cells that go to registers, while there are some.
static std::vector<CellHomes> homesInRegisters(const Function &kernel, const TeamChoice &choice,
                                               std::vector<CellHomes> homes) {
  int64_t words = 0;
  for (auto [array, cells] : llvm::zip_equal(kernel.arrays, homes)) {
    const std::optional<OwnCells> own = ownCells(cells, areRows(choice));
    const int64_t needed = own ? ownWords(array, *own, choice.grid, areRows(choice)) : 0;
    if (!own || words + needed > int64_t(choice.grid.mostCells))
      cells.clear();
    else
      words += needed;
  }
  return homes;
}

bool colonnade::areAlone(const Function &kernel, const TeamChoice &choice, const TeamRun &run,
                         size_t array) {
  for (size_t o = 0; o < kernel.ops.size(); ++o) {
    const Op &op = kernel.ops[o];
    if ((op.opcode == Opcode::Load || op.opcode == Opcode::Store) && op.array.index == array &&
        (!run.isAtHome[o] || llvm::none_of(choice.tiles, [&](const TiledNest &nest) {
          return isIn(kernel, OpId(o), nest.rows);
        })))
      return false;
  }
  return !areRows(choice);
}

/// How far a cell moves with a counter, if that is the same everywhere.
static std::optional<int64_t> distanceBy(const Function &kernel, ValueId value, ValueId counter) {
  if (value == counter)
    return 1;
  const Op *const op = kernel.definition(value);
  if (!op || !op->regions.empty() || op->opcode == Opcode::Load)
    return 0;
  llvm::SmallVector<int64_t, 3> by;
  for (ValueId operand : op->operands) {
    const std::optional<int64_t> each = distanceBy(kernel, operand, counter);
    if (!each)
      return std::nullopt;
    by.push_back(*each);
  }
  if (llvm::all_of(by, [](int64_t each) { return each == 0; }))
    return 0;
  switch (op->opcode) {
  case Opcode::Cast:
    return by[0];
  case Opcode::Add:
    return by[0] + by[1];
  case Opcode::Sub:
    return by[0] - by[1];
  case Opcode::Mul: {
    const unsigned other = by[0] == 0 ? 0 : 1;
    const Scalar *const factor = kernel.constant(op->operands[other]);
    return factor ? std::optional(by[1 - other] * asInt64(*factor)) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

static std::optional<int64_t> distanceBy(const Function &kernel, const Op &access,
                                         ValueId counter) {
  const AccessOperands parts = accessOperands(access);
  int64_t distance = 0;
  for (size_t d = 0; d < parts.subscripts.size(); ++d) {
    const std::optional<int64_t> by = distanceBy(kernel, parts.subscripts[d], counter);
    const Scalar *const radix = d ? kernel.constant(parts.radices[d - 1]) : nullptr;
    if (!by || (d && distance && !radix))
      return std::nullopt;
    distance = (distance ? distance * asInt64(*radix) : 0) + *by;
  }
  return distance;
}

/// Where a member has a row of cells, an access is to one of the row whose number does not depend
/// on the row's counter.
static void keepFixedColumns(const Function &kernel, const TeamChoice &choice, TeamRun &run) {
  for (const TiledNest &nest : choice.tiles) {
    const ValueId counter = kernel.region(kernel.op(nest.rows).regions[0]).args[0];
    for (size_t o = 0; o < kernel.ops.size(); ++o) {
      const Op &op = kernel.ops[o];
      if ((op.opcode != Opcode::Load && op.opcode != Opcode::Store) || !run.isAtHome[o] ||
          !isIn(kernel, OpId(o), nest.rows))
        continue;
      const std::optional<OwnCells> own = ownCells(choice.homes[op.array.index], true);
      run.isAtHome[o] = own && distanceBy(kernel, op, counter) == own->byRow;
    }
  }
}

/// All nests have the same slots, as a member's own cells are in them.
static void unify(std::vector<TileExtent> &extents) {
  int64_t rows = 0, columns = 0;
  for (const TileExtent &extent : extents) {
    rows = std::max(rows, extent.rows);
    columns = std::max(columns, extent.columns);
  }
  for (TileExtent &extent : extents) {
    extent.allRows &= extent.rows == rows;
    extent.allColumns &= extent.columns == columns;
    extent.rows = rows;
    extent.columns = columns;
  }
}

/// Whether members may store to the caller's array itself: nothing is loaded from it, each cell is
/// one member's, and neighbours' cells fill sectors.
static bool isOnlyStored(const Function &kernel, size_t array, const CellHomes &homes,
                         TeamGrid grid) {
  static constexpr uint64_t SectorBytes = 32;
  const Array &memory = kernel.arrays[array];
  const std::optional<OwnCells> own = ownCells(homes, false);
  const bool isLoaded = llvm::any_of(kernel.ops, [&](const Op &op) {
    return op.opcode == Opcode::Load && op.array.index == array;
  });
  return !isLoaded && memory.isPassed() && own && !llvm::is_contained(homes, ManyHomes) &&
         own->byColumn == 1 && grid.columns * sizeBytes(memory.cell) >= SectorBytes;
}

/// A member that has all rows takes some at a time, which it cannot in a loop in the nest.
static bool hasLoops(const Function &kernel, llvm::ArrayRef<TiledNest> tiles) {
  return llvm::any_of(tiles, [&](const TiledNest &nest) {
    const llvm::ArrayRef<OpId> ops = kernel.region(kernel.op(nest.columns).regions[0]).ops;
    return llvm::any_of(ops, [&](OpId id) { return kernel.op(id).opcode == Opcode::For; });
  });
}

TeamRun colonnade::walkApart(const Function &kernel, llvm::ArrayRef<TiledNest> tiles,
                             llvm::ArrayRef<OpId> dealt, WalkBudget &budget) {
  return walkTeam(kernel, choiceOf(kernel, OneEach, tiles, dealt), budget, false);
}

TeamTrial colonnade::tryGrid(const Function &kernel, TeamGrid grid, llvm::ArrayRef<TiledNest> tiles,
                             llvm::ArrayRef<OpId> dealt, const TeamRun &apart, WalkBudget &budget,
                             bool storesToCaller) {
  TeamTrial trial;
  if (grid.rows == 1 && hasLoops(kernel, tiles)) {
    trial.run.refusal = "a member has all rows of a nest with a loop";
    return trial;
  }
  trial.run = apart;
  if (!trial.run.refusal.empty())
    return trial;
  trial.choice = choiceOf(kernel, grid, tiles, dealt);
  for (size_t a = 0; a < trial.run.homes.size(); ++a)
    if (storesToCaller && isOnlyStored(kernel, a, trial.run.homes[a], grid)) {
      trial.choice.common[a] = false;
      trial.run.homes[a].clear();
    }
  const auto atOnce = [&](const TileExtent &extent) { return areAtOnce(extent, grid); };
  if (grid.rows > 1 && llvm::all_of(trial.run.extents, atOnce))
    trial.choice.homes = homesInRegisters(kernel, trial.choice, std::move(trial.run.homes));
  trial.run = walkTeam(kernel, trial.choice, budget);
  if (areRows(trial.choice) && !trial.choice.homes.empty() && trial.run.refusal.empty())
    keepFixedColumns(kernel, trial.choice, trial.run);
  // Cells of a row are told apart by subscripts that are constants once all is unrolled.
  const auto isOwn = [](const std::optional<OwnCells> &own) { return own.has_value(); };
  const bool hasOwn = llvm::any_of(ownArrays(kernel, trial.choice, trial.run), isOwn);
  if (trial.run.refusal.empty() &&
      (!hasOwn || (areRows(trial.choice) && !unrollsAll(trial.choice, trial.run)))) {
    trial.choice.homes.clear();
    trial.run = walkTeam(kernel, trial.choice, budget);
  } else if (trial.run.refusal.empty()) {
    unify(trial.run.extents);
  }
  for (const TileExtent &extent : trial.run.extents)
    if (cellsOf(extent, grid) > int64_t(grid.mostCells) && trial.run.refusal.empty())
      trial.run.refusal = "a member has more cells of a nest than registers";
  return trial;
}
