//===- Transform.cpp - Canonical instance IR to kernel IR -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the steps; each is a file of its own.
//
//===----------------------------------------------------------------------===//

#include "Transform/Transform.h"

#include "Transform/BlockBuilder.h"
#include "Transform/Calls/KeepCalls.h"
#include "Transform/Guards.h"
#include "Transform/Lanes/LaneOperations.h"
#include "Transform/Lanes/LaneWidth.h"
#include "Transform/Lanes/Retype.h"
#include "Transform/Predication/Predication.h"
#include "Transform/RegisterPlacement.h"
#include "Transform/RowStreaming.h"
#include "Transform/Spaces.h"
#include "Transform/Strips/StripForm.h"
#include "Transform/Strips/StripPlan.h"
#include "Transform/Teams/TeamKernel.h"
#include "Transform/Unroll.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

/// A local array needs a copy per instance only where its contents differ.
static void shareLocalArrays(Function &kernel, const Uniformity &uniformity) {
  for (size_t a = 0; a < kernel.arrays.size(); ++a)
    if (kernel.arrays[a].isLocal())
      kernel.arrays[a].sharing = uniformity.arrayVarying[a] ? Sharing::Instance : Sharing::Uniform;
}

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

/// That are worth copying, and in registers of one thread; nullopt: others are not.
static std::optional<uint64_t> cellsOfOneThread(const Function &kernel,
                                                const RegisterPlan &registers) {
  uint64_t cells = 0;
  for (auto [array, isInRegisters] : llvm::zip_equal(kernel.arrays, registers.arrays)) {
    if (!isInRegisters && hasLongRows(array))
      return std::nullopt;
    cells += isInRegisters ? array.constantCells().value_or(0) : 0;
  }
  return cells;
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
  const std::optional<double> ofOne = price ? price->ofColumns(kernel) : std::nullopt,
                              ofTeam = price ? price->ofColumns(*teams) : std::nullopt;
  const bool isKnown = ofOne && ofTeam;
  const bool isSooner =
      isDearer(isKnown ? ofOne : columns->ofOneInColumns, isKnown ? ofTeam : columns->cycles);
  return isSooner ? std::move(teams) : std::nullopt;
}

static StagedRows rowsOfThreads(const Function &kernel, const RegisterPlan &registers,
                                const Verdict &verdict, const RowPlan &wanted) {
  using Kind = RowPlan::Kind;
  if (wanted.kind == Kind::Streamed)
    return streamRows(kernel);
  if (wanted.kind == Kind::Best && areLongForStaging(kernel))
    if (StagedRows streamed = streamRows(kernel); streamed.kernel)
      return streamed;
  return stageRows(kernel, registers.accesses, verdict.fullyWritten);
}

/// Of one thread an instance, which `kernel` is, complete.
static RowKernel stagedKernel(const Function &kernel, const RegisterPlan &registers,
                              const Verdict &verdict, const LoweringOptions &options) {
  StagedRows rows = rowsOfThreads(kernel, registers, verdict, options.rows);
  const bool isWanted = options.rows.kind != RowPlan::Kind::Best;
  const KernelPrice *price = options.price;
  if (!isWanted && rows.kernel && price &&
      isDearer(price->ofRows(*rows.kernel), price->ofRows(kernel)))
    return {std::nullopt, "rows in shared memory leave room for few warps: by the cost model they "
                          "take longer"};
  return {std::move(rows.kernel), std::move(rows.reason)};
}

/// The same for instances in columns, whose cells a warp copies side by side, if they are done
/// sooner so.
static std::optional<Function> stagedForColumns(const Function &kernel, Function staged,
                                                const KernelPrice *price) {
  std::get<ThreadShape>(*staged.launch).layouts = Layouts::Columns;
  for (std::string &note : staged.notes)
    if (llvm::StringRef text = note; text.consume_front("row-wise "))
      note = "column-wise and tiled " + text.str();
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

/// Null: what kernels cost is not known.
static std::unique_ptr<KernelPrice> priceOfStrips(const Module &module, const Verdict &verdict,
                                                  const Function &kernel,
                                                  std::optional<Function> &certificate,
                                                  const KernelPrice *price) {
  certificate = certificateOfStrips(module, verdict.certificate, kernel);
  return price && certificate ? price->of(*certificate) : nullptr;
}

/// `kernel`: its arrays have no place yet.
static StripPlan lowerToStrips(Function kernel, const RegisterPlan &registers,
                               const Verdict &verdict, const RowPlan &wanted) {
  guardForThreads(kernel, verdict);
  return planStrips(kernel, registers.arrays, {wanted.kind == RowPlan::Kind::Strips, wanted.strip});
}

static ThreadKernel placeThread(Function kernel, RegisterPlan registers, const Verdict &verdict,
                                const Module &module) {
  placeForThreads(kernel, registers, verdict.fullyWritten);
  unrollLoops(kernel, registers);
  guardForThreads(kernel, verdict);
  return {keepCalls(std::move(kernel), module), std::move(registers)};
}

static llvm::Error refused(const std::string &reason) {
  return llvm::createStringError(reason.empty() ? "no array has long rows of known size" : reason);
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

llvm::Expected<std::vector<Function>> colonnade::lowerToThreads(const Module &module,
                                                                const Function &function,
                                                                const Verdict &verdict,
                                                                const LoweringOptions &options) {
  using Kind = RowPlan::Kind;
  Function kernel = threadKernel(function, verdict);
  RegisterPlan registers = planRegisters(kernel);
  RowKernel teams;
  if (options.rows.allows(Kind::Team))
    teams = lowerToTeams(kernel, registers, verdict, options.rows);
  StripPlan strips;
  if (options.rows.allows(Kind::Strips) && !teams.kernel)
    strips = lowerToStrips(kernel, registers, verdict, options.rows);
  if (options.rows.kind == Kind::Strips && !strips.kernel)
    return refused(strips.reason.empty() ? "there is no loop over rows of known number, each of "
                                           "which has one loop"
                                         : strips.reason);
  LoweringOptions priced = options;
  std::optional<Function> certificate;
  std::unique_ptr<KernelPrice> ownPrice;
  if (strips.kernel) {
    ownPrice = priceOfStrips(module, verdict, *strips.kernel, certificate, options.price);
    priced.price = ownPrice.get();
  }
  ThreadKernel one = strips.kernel
                         ? placeStrips(std::move(*strips.kernel), registers, verdict)
                         : placeThread(std::move(kernel), std::move(registers), verdict, module);
  std::vector<Function> kernels = {std::move(one.kernel)};
  if (teams.kernel) {
    std::optional<Function> ofColumns = teamsForColumns(kernels.front(), teams.plan, options.price);
    kernels.push_back(std::move(*teams.kernel));
    if (ofColumns)
      kernels.push_back(std::move(*ofColumns));
    return kernels;
  }
  if (options.rows.kind == Kind::Team)
    return refused(teams.reason);
  if (!teams.reason.empty())
    kernels.front().notes.push_back("one thread an instance: " + teams.reason);
  if (options.rows.kind == Kind::Thread || options.rows.kind == Kind::Team)
    return kernels;
  RowKernel staged = stagedKernel(kernels.front(), one.registers, verdict, priced);
  if (staged.kernel) {
    std::optional<Function> ofColumns =
        stagedForColumns(kernels.front(), *staged.kernel, priced.price);
    kernels.push_back(std::move(*staged.kernel));
    if (ofColumns)
      kernels.push_back(std::move(*ofColumns));
  } else if (options.rows.kind != Kind::Best && options.rows.kind != Kind::Strips) {
    return refused(staged.reason);
  } else if (!staged.reason.empty()) {
    kernels.front().notes.push_back("row-wise instances as others: " + staged.reason);
  }
  return kernels;
}

/// What lanes must be faster than: the function as it came, with nothing that varies.
static Function serialKernel(const Module &module, const Function &function,
                             const Verdict &verdict) {
  Function kernel = function;
  kernel.stage = Stage::Kernel;
  kernel.launch = SerialShape{};
  shareLocalArrays(kernel, verdict.uniformity);
  placeForOne(kernel);
  guardForThreads(kernel, verdict);
  return keepCalls(std::move(kernel), module);
}

llvm::Expected<std::vector<Function>> colonnade::lowerToLanes(const Module &module,
                                                              const Function &function,
                                                              const Verdict &verdict,
                                                              const LoweringOptions &) {
  Function kernel = predicate(function, verdict.uniformity);
  kernel.stage = Stage::Kernel;
  shareLocalArrays(kernel, verdict.uniformity);
  kernel = retype(kernel, chooseLaneTypes(kernel));
  kernel.launch = LaneShape{chooseLaneBytes(kernel)};
  placeForLanes(kernel);
  guardForLanes(kernel, verdict);
  chooseLaneOperations(kernel);
  return std::vector{keepCalls(std::move(kernel), module), serialKernel(module, function, verdict)};
}
