//===- ThreadKernels.cpp - Kernels of threads, by the plans for rows and columns ===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a canonical function, its verdict and the plans that are asked for. Out: the kernel for all
// layouts, of one thread an instance, and those for rows and for columns alone that pay, or that
// are asked for. Invariant: a plan that is asked for is had, or refused with the reason.
//
//===----------------------------------------------------------------------===//

#include "Transform/BlockBuilder.h"
#include "Transform/Calls/KeepCalls.h"
#include "Transform/ExpandLoops.h"
#include "Transform/Guards.h"
#include "Transform/LoadsFirst.h"
#include "Transform/RegisterPlacement.h"
#include "Transform/RowStreaming.h"
#include "Transform/Spaces.h"
#include "Transform/Strips/StripForm.h"
#include "Transform/Strips/StripPlan.h"
#include "Transform/Teams/TeamKernel.h"
#include "Transform/Transform.h"
#include "Transform/Unroll.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

/// By more than estimates are off.
static bool isDearer(std::optional<double> price, std::optional<double> other) {
  static constexpr double Surely = 1.25;
  return price && other && *price > Surely * *other;
}

/// A kernel for row-wise instances, or why there is none; or neither, where rows need none.
struct RowKernel {
  std::optional<Function> kernel;
  std::string reason;
  TeamPlan plan = {}; // of teams
};

static TeamPlan planAsWanted(const Function &kernel, const RowPlan &wanted) {
  if (wanted.columns)
    return planTeams(kernel, {}, TeamGrid{wanted.team / wanted.columns, wanted.columns});
  return wanted.team ? planTeams(kernel, wanted.team, {}) : planTeams(kernel);
}

/// That are worth copying, and in registers of one thread; nullopt: others are not, or some of
/// these have cells that no register holds, which are copied between others.
static std::optional<uint64_t> cellsOfOneThread(const Function &kernel,
                                                const RegisterPlan &registers) {
  uint64_t words = 0, cells = 0;
  for (auto [array, isInRegisters] : llvm::zip_equal(kernel.arrays, registers.arrays)) {
    if (!isInRegisters && hasLongRows(array))
      return std::nullopt;
    const uint64_t own = isInRegisters ? array.constantCells().value_or(0) : 0;
    cells += own;
    words += own * (sizeBytes(array.cell) == 8 ? 2 : 1);
  }
  return words <= RegisterLimits().words ? std::optional(cells) : std::nullopt;
}

/// `kernel`: its arrays have no place yet. Unless asked for, only where not all cells that are
/// worth copying are in registers of one thread; or so many that a team takes less time, whose
/// threads have theirs in registers.
static RowKernel lowerToTeams(Function kernel, const RegisterPlan &registers,
                              const Verdict &verdict, const RowPlan &wanted) {
  static constexpr uint64_t MostOfOne = 96;
  const bool isWanted = wanted.kind == RowPlan::Kind::Team;
  const std::optional<uint64_t> cells = cellsOfOneThread(kernel, registers);
  if (cells && *cells <= MostOfOne && !isWanted)
    return {};
  RegisterPlan none;
  none.arrays.resize(kernel.arrays.size());
  placeForThreads(kernel, none, verdict.fullyWritten);
  guardForThreads(kernel, verdict);
  TeamPlan plan =
      cells && !isWanted ? planTeams(kernel, TeamSizes, {}) : planAsWanted(kernel, wanted);
  if (cells && !isWanted && (plan.isEmpty() || cellsInRegisters(plan.kernel) == 0))
    return {};
  if (plan.isEmpty())
    return {std::nullopt, plan.reason};
  if (plan.cycles >= plan.ofOne && !isWanted)
    return {std::nullopt, "by what is counted, teams take longer"};
  Function ofRows = teamKernel(plan);
  return {std::move(ofRows), "", std::move(plan)};
}

/// For instances in columns: if teams have them done sooner than `kernel`, of one thread each.
/// Where the price is not known, what the plan counts decides.
static std::optional<Function> teamsForColumns(const Function &kernel, const TeamPlan &plan,
                                               const KernelPrice *price) {
  const std::optional<TeamPlan> columns = planForColumns(plan);
  std::optional<Function> teams = columns ? teamKernelForColumns(*columns) : std::nullopt;
  if (!teams)
    return std::nullopt;
  const std::optional<double> ofOne = price ? price->ofFewColumns(kernel) : std::nullopt,
                              ofTeam = price ? price->ofFewColumns(*teams) : std::nullopt;
  const bool isKnown = ofOne && ofTeam;
  const bool isSooner =
      isDearer(isKnown ? ofOne : columns->ofOneInColumns, isKnown ? ofTeam : columns->cycles);
  return isSooner ? std::move(teams) : std::nullopt;
}

static StagedRows rowsOfThreads(const Function &kernel, const RegisterPlan &registers,
                                const Verdict &verdict, const RowPlan &wanted,
                                llvm::ArrayRef<uint64_t> mostCells) {
  using Kind = RowPlan::Kind;
  if (wanted.kind == Kind::Streamed)
    return streamRows(kernel);
  if (wanted.kind == Kind::Best && areLongForStaging(kernel))
    if (StagedRows streamed = streamRows(kernel); streamed.kernel)
      return streamed;
  return stageRows(kernel, registers.accesses, verdict.fullyWritten, mostCells);
}

/// Of one thread an instance, which `kernel` is, complete.
static RowKernel stagedKernel(const Function &kernel, const RegisterPlan &registers,
                              const Verdict &verdict, const RowPlan &wanted,
                              const LoweringOptions &options, const KernelPrice *price) {
  StagedRows rows = rowsOfThreads(kernel, registers, verdict, wanted, options.mostCells);
  const bool isWanted = wanted.kind != RowPlan::Kind::Best;
  if (!isWanted && rows.kernel && price &&
      isDearer(price->ofRows(*rows.kernel), price->ofRows(kernel)))
    return {std::nullopt, "rows in shared memory leave room for few warps: by the cost model they "
                          "take longer"};
  return {std::move(rows.kernel), std::move(rows.reason)};
}

/// The same for instances in columns, whose cells a warp copies side by side.
static Function forColumns(Function staged) {
  std::get<ThreadShape>(*staged.launch).layouts = Layouts::Columns;
  for (std::string &note : staged.notes)
    if (llvm::StringRef text = note; text.consume_front("row-wise "))
      note = "column-wise and tiled " + text.str();
  return staged;
}

/// If they are done sooner so than by `kernel`, whose loads come first then.
static std::optional<Function> stagedForColumns(Function kernel, Function staged,
                                                const KernelPrice *price) {
  staged = forColumns(std::move(staged));
  WalkBudget budget;
  loadFirst(kernel, budget);
  const bool isSooner = price && isDearer(price->ofColumns(kernel), price->ofColumns(staged));
  return isSooner ? std::optional(std::move(staged)) : std::nullopt;
}

/// A kernel of one thread an instance, complete, and what of it may be in registers.
struct ThreadKernel {
  Function kernel;
  RegisterPlan registers;
};

// Registers of strips leave room for warps in fours.
static constexpr unsigned StripThreads = 128;

/// In strips: loops that are kept are counted once there, so arrays are accessed as often as
/// before.
static ThreadKernel placeStrips(Function kernel, const RegisterPlan &before,
                                const Verdict &verdict) {
  RegisterPlan registers = planRegisters(kernel);
  registers.accesses = before.accesses;
  placeForThreads(kernel, registers, verdict.fullyWritten);
  unrollLoops(kernel, registers);
  std::get<ThreadShape>(*kernel.launch).perBlock = StripThreads;
  return {std::move(kernel), std::move(registers)};
}

static ThreadKernel placeThread(Function kernel, const RegisterPlan &registers,
                                const Verdict &verdict, const Module &module) {
  placeForThreads(kernel, registers, verdict.fullyWritten);
  unrollLoops(kernel, registers);
  guardForThreads(kernel, verdict);
  return {keepCalls(std::move(kernel), module), registers};
}

/// `kernel`: its arrays have no place yet.
static StripPlan lowerToStrips(Function kernel, const RegisterPlan &registers,
                               const Verdict &verdict, const RowPlan &wanted) {
  guardForThreads(kernel, verdict);
  return planStrips(kernel, registers.arrays, {wanted.kind == RowPlan::Kind::Strips, wanted.strip});
}

/// Its arrays have no place yet.
static Function threadKernel(const Function &function, const Verdict &verdict) {
  Function kernel = function;
  kernel.stage = Stage::Kernel;
  kernel.launch = ThreadShape{};
  for (size_t v = 0; v < kernel.values.size(); ++v)
    kernel.values[v].varying = verdict.uniformity.varying[v];
  shareLocalArrays(kernel, verdict.uniformity);
  return kernel;
}

bool colonnade::mayBeInStrips(const Function &function, const Verdict &verdict,
                              const RowPlan &wanted) {
  if (!wanted.allows(RowPlan::Kind::Strips))
    return false;
  const Function kernel = threadKernel(function, verdict);
  return lowerToStrips(kernel, planRegisters(kernel), verdict, wanted).kernel.has_value();
}

static llvm::Error refused(const std::string &reason) {
  return llvm::createStringError(reason.empty() ? "no array has long rows of known size" : reason);
}

namespace {

/// The kernels of threads of one function: that for all layouts, then that for rows, for columns.
class ThreadKernels {
public:
  ThreadKernels(const Module &module, const Function &function, const Verdict &verdict,
                const LoweringOptions &options);

  llvm::Expected<std::vector<Function>> lower();

private:
  using Kind = RowPlan::Kind;
  using Columns = std::optional<Function>;
  bool choosesColumns() const { return options_.plans.columns.kind == Kind::Best; }
  llvm::Error addOne(bool mayBeStrips);
  void priceStrips(const Function &kernel);
  void loadFirst();
  llvm::Error addTeams(RowKernel teams);
  llvm::Error addStaged();
  llvm::Error addColumns();
  llvm::Expected<Function> teamForColumns(const RowPlan &wanted) const;
  llvm::Expected<Function> stagedAsWanted(const RowPlan &wanted) const;
  void add(Columns kernel) {
    if (kernel)
      kernels_.push_back(std::move(*kernel));
  }

  const Module &module_;
  const Verdict &verdict_;
  const LoweringOptions &options_;
  Function unplaced_; // its arrays have no place yet
  RegisterPlan registers_;
  const KernelPrice *price_; // of one thread an instance; null: what it costs is not known
  std::optional<Function> certificate_; // of strips
  std::unique_ptr<KernelPrice> priceOfStrips_;
  bool isInStrips_ = false; // the first kernel
  RegisterPlan placed_;     // of it
  std::vector<Function> kernels_;
  TeamPlan teams_; // of rows
};

} // namespace

ThreadKernels::ThreadKernels(const Module &module, const Function &function, const Verdict &verdict,
                             const LoweringOptions &options)
    : module_(module), verdict_(verdict), options_(options),
      unplaced_(threadKernel(function, verdict)), registers_(planRegisters(unplaced_)),
      price_(options.price) {}

llvm::Expected<std::vector<Function>> ThreadKernels::lower() {
  const RowPlan &wanted = options_.plans.rows;
  RowKernel teams;
  if (wanted.allows(Kind::Team))
    teams = lowerToTeams(unplaced_, registers_, verdict_, wanted);
  const bool hasTeams = teams.kernel || wanted.kind == Kind::Team;
  if (llvm::Error error = addOne(!hasTeams))
    return error;
  if (!hasTeams && !teams.reason.empty())
    kernels_.front().notes.push_back("one thread an instance: " + teams.reason);
  if (llvm::Error error = hasTeams ? addTeams(std::move(teams)) : addStaged())
    return error;
  if (llvm::Error error = addColumns())
    return error;
  if (!isInStrips_)
    loadFirst();
  return std::move(kernels_);
}

/// The first kernel, of one thread an instance, is for columns: loads come first there. Others are
/// made of it as it was.
void ThreadKernels::loadFirst() {
  WalkBudget budget;
  colonnade::loadFirst(kernels_.front(), budget);
}

/// Of one thread an instance, for all layouts.
llvm::Error ThreadKernels::addOne(bool mayBeStrips) {
  const RowPlan &wanted = options_.plans.rows;
  StripPlan strips;
  if (mayBeStrips && wanted.allows(Kind::Strips))
    strips = lowerToStrips(unplaced_, registers_, verdict_, wanted);
  if (wanted.kind == Kind::Strips && !strips.kernel)
    return refused(strips.reason.empty() ? "there is no loop over rows of known number, each of "
                                           "which has one loop"
                                         : strips.reason);
  isInStrips_ = strips.kernel.has_value();
  if (isInStrips_)
    priceStrips(*strips.kernel);
  ThreadKernel one = strips.kernel ? placeStrips(std::move(*strips.kernel), registers_, verdict_)
                                   : placeThread(unplaced_, registers_, verdict_, module_);
  placed_ = std::move(one.registers);
  kernels_.push_back(std::move(one.kernel));
  return llvm::Error::success();
}

/// What kernels in strips access is not what the function does.
void ThreadKernels::priceStrips(const Function &kernel) {
  certificate_ = certificateOfStrips(module_, verdict_.certificate, kernel);
  if (price_ && certificate_)
    priceOfStrips_ = price_->of(*certificate_);
  price_ = priceOfStrips_.get();
}

llvm::Error ThreadKernels::addTeams(RowKernel teams) {
  if (!teams.kernel)
    return refused(teams.reason);
  Columns ofColumns;
  if (choosesColumns())
    ofColumns = teamsForColumns(kernels_.front(), teams.plan, options_.price);
  add(std::move(teams.kernel));
  add(std::move(ofColumns));
  teams_ = std::move(teams.plan);
  return llvm::Error::success();
}

/// Of one thread an instance, through shared memory.
llvm::Error ThreadKernels::addStaged() {
  const RowPlan &wanted = options_.plans.rows;
  if (wanted.kind == Kind::Thread || wanted.kind == Kind::Team)
    return llvm::Error::success();
  RowKernel staged = stagedKernel(kernels_.front(), placed_, verdict_, wanted, options_, price_);
  if (!staged.kernel) {
    if (wanted.kind != Kind::Best && wanted.kind != Kind::Strips)
      return refused(staged.reason);
    if (!staged.reason.empty())
      kernels_.front().notes.push_back("row-wise instances as others: " + staged.reason);
    return llvm::Error::success();
  }
  Columns ofColumns;
  if (choosesColumns())
    ofColumns = stagedForColumns(kernels_.front(), *staged.kernel, price_);
  add(std::move(staged.kernel));
  add(std::move(ofColumns));
  return llvm::Error::success();
}

/// As asked for.
llvm::Error ThreadKernels::addColumns() {
  const RowPlan &wanted = options_.plans.columns;
  if (choosesColumns() || wanted.kind == Kind::Thread)
    return llvm::Error::success();
  if (wanted.kind == Kind::Strips)
    return refused("kernels in strips are for all layouts");
  llvm::Expected<Function> kernel =
      wanted.kind == Kind::Team ? teamForColumns(wanted) : stagedAsWanted(wanted);
  if (!kernel)
    return kernel.takeError();
  kernels_.push_back(std::move(*kernel));
  return llvm::Error::success();
}

/// The search for a plan takes long: where rows have the same, it is done already.
llvm::Expected<Function> ThreadKernels::teamForColumns(const RowPlan &wanted) const {
  RowKernel teams;
  if (wanted == options_.plans.rows)
    teams.plan = teams_;
  else
    teams = lowerToTeams(unplaced_, registers_, verdict_, wanted);
  if (teams.plan.isEmpty())
    return refused(teams.reason);
  const std::optional<TeamPlan> plan = planForColumns(teams.plan);
  std::optional<Function> kernel = plan ? teamKernelForColumns(*plan) : std::nullopt;
  if (!kernel)
    return refused("the columns of a block's instances have no room in its shared memory");
  return std::move(*kernel);
}

llvm::Expected<Function> ThreadKernels::stagedAsWanted(const RowPlan &wanted) const {
  StagedRows rows = rowsOfThreads(kernels_.front(), placed_, verdict_, wanted, {});
  if (!rows.kernel)
    return refused(rows.reason);
  return forColumns(std::move(*rows.kernel));
}

llvm::Expected<std::vector<Function>> colonnade::lowerToThreads(const Module &module,
                                                                const Function &function,
                                                                const Verdict &verdict,
                                                                const LoweringOptions &options) {
  llvm::Expected<std::vector<Function>> kernels =
      ThreadKernels(module, function, verdict, options).lower();
  if (!kernels)
    return kernels;
  llvm::for_each(*kernels, expandLoops);
  return kernels;
}
