//===- TeamPlan.cpp - How a team of threads shares an instance ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TeamPlan.h"

#include "Transform/BlockBuilder.h"
#include "Transform/Teams/CounterBits.h"
#include "Transform/Teams/FusePasses.h"
#include "Transform/Teams/NestVersions.h"
#include "Transform/Teams/TeamCost.h"
#include "Transform/Teams/TileChains.h"
#include "Transform/Teams/TilePlan.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace colonnade;
using namespace colonnade::ir;

// A smaller team has more cells in registers, which is not counted: it must be so much better, but
// where even the smaller one is several warps.
// Grids against plans without one: what rolled loops of these take is counted too high.
static constexpr double Clearly = 1.05, ClearlyTiled = 1.02, ClearlyRows = 1.25,
                        ClearlyRolled = 3.5;
// Tiles of least values have not been measured against loops that are unrolled.
static constexpr double ClearlyUnrolled = std::numeric_limits<double>::infinity();
// Of teams whose threads have cells of fused passes in registers, the smaller one is better where
// both are as good: it exchanges less.
static constexpr double AsGood = 0.995;
// Blocks against plans without: what they take is counted higher than that of others. The smaller
// teams have their cells in more registers.
static constexpr double Blocks = 0.8, ClearlyBlocks = 1.3;
// Of a cell's number, that units of fused passes have.
static constexpr unsigned UnitBits[] = {3, 4, 5, 6};
// Of tiles of least values.
static constexpr unsigned ChainEdges[] = {2, 4};
// Members of a team that is busy do at most so many times an equal share of the work.
static constexpr double Busy = 1.5;
static constexpr size_t MostOperations = 6000;
// Steps of one thread's walk, from which on only teams of a whole warp are considered.
static constexpr uint64_t LongWalk = 1 << 22;
// Of an instance's longest row, from which on teams may be several warps: 64 for each thread of
// one. Where threads have fewer than 16, they load more than they compute.
static constexpr uint64_t CellsOfWarps = 2048, CellsOfThread = 16;
// Of all walks for plans of one kind: half a minute.
static constexpr uint64_t StepsOfKind = 1 << 29;

/// Why a kernel is none for teams, whatever its loops; or empty.
static std::string refusal(const Function &kernel) {
  if (kernel.ops.size() > MostOperations)
    return "the function is too long";
  for (const Array &array : kernel.arrays)
    if (array.isPerInstance() && !array.constantCells())
      return array.name + " is of unknown size";
  for (const Op &op : kernel.ops)
    if (op.guarded)
      return "accesses to " + kernel.array(op.array).name + " are checked as they happen";
  if (llvm::none_of(kernel.arrays, hasLongRows))
    return "no array has more than a sector";
  return "";
}

static unsigned membersOf(TeamGrid grid) { return grid.rows * grid.columns; }

static uint64_t cellsOfLongest(const Function &kernel) {
  uint64_t most = 0;
  for (const Array &array : kernel.arrays)
    if (array.isPassed() && array.isPerInstance())
      most = std::max(most, *array.constantCells());
  return most;
}

namespace {

/// Plans for one kernel.
class TeamPlanner {
public:
  TeamPlanner(const Function &kernel, llvm::ArrayRef<unsigned> sizes,
              llvm::ArrayRef<TeamGrid> grids)
      : sizes_(sizes), grids_(grids), one_(pricedPlan(kernel, tryTeam(kernel, 1, {}, budget_))) {
    one_.kernel = kernel;
    // What members exchange at each step they do sooner within a warp.
    const uint64_t cells = cellsOfLongest(kernel);
    only([&](TeamGrid grid) {
      return membersOf(grid) <= LanesPerWarp ||
             (grid.rows > 1 && grid.columns > 1 && cells >= CellsOfWarps &&
              cells >= CellsOfThread * membersOf(grid));
    });
    // Few instances with such long rows have room: the largest teams are best, and each plan less
    // saves a walk.
    if (StepsOfKind - budget_.left > LongWalk)
      only([](TeamGrid grid) { return membersOf(grid) >= LanesPerWarp; });
  }

  TeamPlan run();

private:
  void only(llvm::function_ref<bool(TeamGrid)> isWanted);
  void consider(const TeamShape &shape);
  bool consider(const TeamShape &shape, TeamPlan plan);
  void considerGrid(const TeamShape &shape, TeamPlan plan);
  void considerGrids(const TeamShape &shape, NestKind kind);
  std::optional<TeamPlan> planOfVersions(TeamGrid grid, bool beyond);
  void considerVersions();
  void considerFused(const Function &kernel);
  void considerChains(const Function &kernel);
  void refuse(const TeamPlan &plan);
  bool isBusy() const;

  std::vector<unsigned> sizes_;
  std::vector<TeamGrid> grids_;
  WalkBudget budget_ = {StepsOfKind};
  TeamPlan one_; // one thread an instance
  TeamPlan best_;
  std::string ofGrids_; // what is in the way of the last one
};

} // namespace

/// Plans for which isWanted holds; members in no grid count as one row. One that is asked for
/// stays.
void TeamPlanner::only(llvm::function_ref<bool(TeamGrid)> isWanted) {
  if (sizes_.size() > 1)
    llvm::erase_if(sizes_, [&](unsigned size) { return !isWanted({1, size}); });
  if (grids_.size() > 1)
    llvm::erase_if(grids_, [&](TeamGrid grid) { return !isWanted(grid); });
}

/// The larger a team, the more warps have room for its instances' cells, and the more members have
/// nothing to do.
void TeamPlanner::consider(const TeamShape &shape) {
  if (best_.reason.empty())
    best_.reason = shape.reason;
  for (const std::vector<OpId> &dealt : shape.dealable)
    for (unsigned team : sizes_)
      if (!consider(shape, pricedPlan(shape.kernel, tryTeam(shape.kernel, team, dealt, budget_))))
        break;
}

/// How much better a plan must be than the best so far.
static double leastGain(const TeamPlan &plan, const TeamPlan &best) {
  if (plan.choice.grid.hasBlocks() && !best.choice.grid.hasBlocks())
    return Blocks;
  const bool isSmaller = plan.choice.team < best.choice.team && plan.choice.team <= LanesPerWarp;
  if (plan.choice.grid.hasBlocks() && isSmaller)
    return ClearlyBlocks;
  if (plan.isOfChains && !best.isOfChains)
    return unrollsAll(best.choice, best.run) ? ClearlyUnrolled : ClearlyRolled;
  if (cellsInRegisters(plan.kernel) > 0 && cellsInRegisters(best.kernel) > 0)
    return plan.choice.team < best.choice.team ? AsGood : 1;
  if (!plan.choice.grid || best.choice.grid || best.isEmpty())
    return isSmaller ? Clearly : 1;
  if (!unrollsAll(best.choice, best.run))
    return ClearlyRolled;
  return areRows(plan.choice) ? ClearlyRows : ClearlyTiled;
}

/// False: it is none.
bool TeamPlanner::consider(const TeamShape &shape, TeamPlan plan) {
  if (!plan.reason.empty() || std::isinf(plan.cycles)) {
    refuse(plan);
    return false;
  }
  plan.kernel = shape.kernel;
  const double least = leastGain(plan, best_);
  if (best_.isEmpty() || plan.cycles * least < best_.cycles) {
    best_ = std::move(plan);
    best_.note = shape.note;
  }
  return true;
}

/// The loops of a shape that can be dealt out beside its nests, as members need no grid for them.
static std::vector<OpId> loopsBeside(const TeamShape &shape, llvm::ArrayRef<TiledNest> nests) {
  std::vector<OpId> loops;
  if (!shape.dealable.empty())
    llvm::copy_if(shape.dealable.front(), std::back_inserter(loops), [&](OpId loop) {
      return llvm::none_of(nests, [&](const TiledNest &nest) {
        return isIn(shape.kernel, nest.rows, loop) || isIn(shape.kernel, loop, nest.rows);
      });
    });
  return loops;
}

/// A grid that is none, or that takes longer by what is counted, is one that the user may ask
/// about.
void TeamPlanner::considerGrid(const TeamShape &shape, TeamPlan plan) {
  ofGrids_ = !plan.reason.empty()      ? plan.reason
             : std::isinf(plan.cycles) ? "rows in shared memory leave it no room"
                                       : "by what is counted, it takes longer";
  consider(shape, std::move(plan));
}

/// Nests of one loop are for grids of one column.
void TeamPlanner::considerGrids(const TeamShape &shape, NestKind kind) {
  std::vector<TeamGrid> grids;
  llvm::copy_if(grids_, std::back_inserter(grids),
                [&](TeamGrid grid) { return (grid.columns == 1) == (kind == NestKind::OneLoop); });
  const std::vector<TiledNest> nests =
      grids.empty() ? std::vector<TiledNest>() : tiledNests(shape.kernel, kind, budget_, &ofGrids_);
  if (nests.empty())
    return;
  const std::vector<OpId> beside = loopsBeside(shape, nests);
  const TeamRun apart = walkApart(shape.kernel, nests, beside, budget_);
  for (TeamGrid grid : grids)
    considerGrid(shape, pricedPlan(shape.kernel,
                                   tryGrid(shape.kernel, grid, nests, beside, apart, budget_)));
}

/// And those beside the first ones' loops.
static std::vector<TiledNest> nestsWith(std::vector<TiledNest> nests, const Function &kernel,
                                        WalkBudget &budget) {
  if (teamLoops(kernel).outermost.size() == 1)
    return nests;
  for (const TiledNest &nest : tiledNests(kernel, NestKind::TwoLoops, budget))
    if (nest.rows != nests.back().rows)
      nests.insert(nests.begin(), nest);
  return nests;
}

/// Instructions of a member in one step of a nest with blocks: what it does to its cells, and how
/// it loads what the counters of its rows and columns need, of four cells at once where blocks
/// allow.
static int64_t instructionsOfStep(const VersionedNest &nest, TeamGrid grid) {
  static constexpr int64_t PerCell = 3, AtOnce = 4;
  const int64_t rows = grid.rowAxis().slots(nest.rows),
                columns = grid.columnAxis().slots(nest.columns);
  const auto loads = [](int64_t slots, unsigned block) {
    return block % AtOnce == 0 ? slots / AtOnce : slots;
  };
  return PerCell * rows * columns + loads(rows, grid.rowBlock) + loads(columns, grid.columnBlock);
}

/// A grid with blocks of counters, as long as leaves the least to do: members have slots for whole
/// blocks. Where a member has few cells, a block may be of twice as many in one dimension, so that
/// all of its counters there are one.
static TeamGrid withBlocks(TeamGrid grid, const VersionedNest &nest) {
  static constexpr unsigned Shortest = 3, Longest = 9, FewCells = 32;
  const auto of = [&](unsigned rowBlock, unsigned columnBlock) {
    return TeamGrid{grid.rows, grid.columns, rowBlock, columnBlock};
  };
  TeamGrid best = of(4, 4);
  for (unsigned length = Shortest; length <= Longest; ++length)
    if (instructionsOfStep(nest, of(length, length)) < instructionsOfStep(nest, best))
      best = of(length, length);
  const auto areTwo = [](int64_t counters, const TeamAxis &axis) {
    return axis.slots(counters) == 2 * int64_t(axis.block);
  };
  if (best.rowAxis().slots(nest.rows) * best.columnAxis().slots(nest.columns) > FewCells)
    return best;
  if (areTwo(nest.rows, best.rowAxis()))
    best.rowBlock *= 2;
  else if (areTwo(nest.columns, best.columnAxis()))
    best.columnBlock *= 2;
  return best;
}

/// A nest in versions, in a grid. beyond: nullopt if own cells are not in registers alone.
std::optional<TeamPlan> TeamPlanner::planOfVersions(TeamGrid grid, bool beyond) {
  const std::optional<VersionedNest> versioned = versionNest(one_.kernel, grid, beyond);
  if (!versioned)
    return std::nullopt;
  const Function &kernel = versioned->kernel;
  const std::vector<TiledNest> nests = nestsWith(versioned->nests, kernel, budget_);
  const TeamRun apart = walkApart(kernel, nests, versioned->lines, budget_);
  TeamTrial trial = tryGrid(kernel, grid, nests, versioned->lines, apart, budget_);
  if (beyond)
    for (size_t a = 0; a < kernel.arrays.size(); ++a)
      if (hasLongRows(kernel.arrays[a]) && kernel.arrays[a].isPassed() && kernel.arrays[a].writes &&
          trial.run.refusal.empty() && !areAlone(kernel, trial.choice, trial.run, a))
        return std::nullopt;
  TeamPlan plan = pricedPlan(kernel, std::move(trial));
  plan.kernel = kernel;
  plan.note = versioned->note;
  return plan;
}

/// Iterations that need cells of others as they were, or as they are.
void TeamPlanner::considerVersions() {
  for (TeamGrid each : grids_) {
    const std::optional<VersionedNest> found =
        each.rows == 1 || each.columns == 1 ? std::nullopt : versionNest(one_.kernel, {1, 1});
    if (!found)
      continue;
    const TeamGrid grid = withBlocks(each, *found);
    if (grid.rowAxis().slots(found->rows) * grid.columnAxis().slots(found->columns) >
        int64_t(grid.mostCells)) {
      ofGrids_ = "a thread has more cells than registers";
      continue;
    }
    std::optional<TeamPlan> plan = planOfVersions(grid, true);
    if (!plan)
      plan = planOfVersions(grid, false);
    TeamShape shape;
    shape.kernel = plan->kernel;
    shape.note = plan->note;
    consider(shape, std::move(*plan));
  }
}

/// Passes whose cells stay in registers.
void TeamPlanner::considerFused(const Function &kernel) {
  for (unsigned bits : UnitBits) {
    std::optional<FusedPasses> fused = fusePasses(kernel, bits, budget_);
    if (!fused)
      continue;
    TeamShape of = outermostShape(std::move(fused->kernel), budget_);
    of.note = std::to_string(fused->passes) + " passes in " + std::to_string(fused->groups) +
              " groups: a thread has " + std::to_string(1 << bits) +
              " cells of each array in registers until the last pass of a group";
    if (of.dealable.empty())
      continue;
    // A unit for each thread, or several where there are more than in the largest team.
    for (unsigned team : sizes_)
      if (team == std::min<uint64_t>(fused->units, LanesPerWarp))
        consider(of, pricedPlan(of.kernel, tryTeam(of.kernel, team, of.dealable.front(), budget_)));
  }
}

/// Tiles of least values, whose wavefronts a team shares.
void TeamPlanner::considerChains(const Function &kernel) {
  for (unsigned edge : ChainEdges) {
    std::optional<ChainWavefronts> tiled = chainWavefronts(kernel, edge, budget_);
    if (!tiled)
      continue;
    TeamShape of;
    of.kernel = std::move(tiled->kernel);
    of.note = "tiles of " + std::to_string(edge) + " x " + std::to_string(edge) +
              " least values, which a thread has in registers";
    const std::vector<OpId> dealt = dealtBeside(of.kernel, tiled->rows);
    for (unsigned team : sizes_)
      if (team < 2 * tiled->tiles) {
        TeamPlan plan =
            pricedPlan(of.kernel, tryTeam(of.kernel, team, dealt, budget_, true, tiled->inPlace));
        plan.isOfChains = true;
        consider(of, std::move(plan));
      }
  }
}

/// Where nothing else is found, the first refusal says why.
void TeamPlanner::refuse(const TeamPlan &plan) {
  if (best_.isEmpty() && best_.reason.empty())
    best_.reason = plan.reason.empty()
                       ? "a warp's instances have no room in a block's shared memory"
                       : plan.reason;
}

/// Whether the best so far leaves little to gain by more iterations that are dealt out.
bool TeamPlanner::isBusy() const {
  const double share = one_.run.work.rolled.instructions / best_.choice.team;
  return !best_.isEmpty() && best_.run.work.rolled.instructions <= Busy * share;
}

TeamPlan TeamPlanner::run() {
  best_.reason = one_.reason;
  if (!best_.reason.empty())
    return best_;
  const std::optional<Function> carriesNothing = carryNothing(one_.kernel, budget_);
  const Function &kernel = carriesNothing ? *carriesNothing : one_.kernel;
  const std::vector<TeamShape> shapes = teamShapes(kernel, budget_);
  for (const TeamShape &shape : shapes)
    consider(shape);
  if (!isBusy())
    for (const TeamShape &shape : shapes)
      if (const std::optional<TeamShape> collapsed = collapsedShape(shape, budget_))
        consider(*collapsed);
  if (!sizes_.empty()) {
    budget_ = WalkBudget{StepsOfKind};
    considerFused(kernel);
    budget_ = WalkBudget{StepsOfKind};
    considerChains(kernel);
  }
  if (!grids_.empty()) {
    budget_ = WalkBudget{StepsOfKind};
    considerGrids(shapes.front(), NestKind::OneLoop);
    considerGrids(shapes.front(), NestKind::TwoLoops);
    if (shapes.size() > 1)
      considerGrids(teamShapes(kernel, budget_, MiddlePart::Loop).back(), NestKind::TwoLoops);
    budget_ = WalkBudget{StepsOfKind};
    considerVersions();
  }
  if (!best_.isEmpty() && !best_.choice.grid)
    best_.ruledOut = ofGrids_;
  best_.ofOne = one_.cycles;
  best_.ofOneInColumns = cyclesInColumns(one_.run);
  return std::move(best_);
}

TeamPlan colonnade::planTeams(const Function &kernel, llvm::ArrayRef<unsigned> sizes,
                              llvm::ArrayRef<TeamGrid> grids) {
  TeamPlan none;
  none.reason = refusal(kernel);
  if (none.reason.empty() && teamLoops(kernel).all.empty())
    none.reason = "each loop carries values or ends where data decides";
  return none.reason.empty() ? TeamPlanner(kernel, sizes, grids).run() : none;
}

std::optional<TeamPlan> colonnade::planForColumns(const TeamPlan &plan) {
  const auto isStaged = [](const auto &each) {
    const auto &[array, isCommon] = each;
    return isCommon || !hasLongRows(array);
  };
  if (!plan.choice.grid ||
      llvm::all_of(llvm::zip_equal(plan.kernel.arrays, plan.choice.common), isStaged))
    return plan;
  std::vector<OpId> dealt;
  for (size_t op = 0; op < plan.choice.dealt.size(); ++op)
    if (plan.choice.dealt[op])
      dealt.push_back(OpId(op));
  WalkBudget budget;
  const TeamRun apart = walkApart(plan.kernel, plan.choice.tiles, dealt, budget);
  TeamPlan columns =
      pricedPlan(plan.kernel, tryGrid(plan.kernel, plan.choice.grid, plan.choice.tiles, dealt,
                                      apart, budget, false));
  if (!columns.reason.empty() || std::isinf(columns.cycles))
    return std::nullopt;
  columns.kernel = plan.kernel;
  columns.note = plan.note;
  columns.ofOneInColumns = plan.ofOneInColumns;
  return columns;
}
