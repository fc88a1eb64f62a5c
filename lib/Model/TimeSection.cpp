//===- TimeSection.cpp - What is said of the kernel's time ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CostModels.h"
#include "Model/KernelPlaces.h"
#include "Model/MergedAccesses.h"
#include "Model/Sectors.h"
#include "Model/TimeAdvice.h"
#include "Model/TimePlot.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <limits>

namespace colonnade::model {

namespace json = llvm::json;

static constexpr uint64_t MaxOrdered = 4'000'000; // accesses whose reuse is looked for

namespace {

/// Of one kernel on one machine.
class Times {
public:
  Times(const CostQuestion &question, const TimeMachine &machine)
      : question_(question), machine_(machine) {}

  llvm::Error run();

  std::vector<TimeRow> rows;
  std::optional<SizeAdvice> size;
  std::optional<FewInstances> few;
  std::vector<TimeCurve> curves; // if a plot is wanted
  std::optional<LeftAccesses> left;

private:
  std::optional<SizeAdvice> sizeAdvice(const TimeInput &input) const;
  std::optional<SizeAdvice> registerAdvice(const TimeInput &input) const;
  FewInstances fewInstances(const TimeEstimate &estimate) const;
  TimeCurve curve(const TimeRow &row, const TimeEstimate &estimate) const;

  const CostQuestion &question_;
  TimeMachine machine_;
};

} // namespace

/// "memory", "registers, memory": where the caller's arrays of instances are.
static std::string placesOf(const ir::Function &kernel) {
  std::vector<std::string> places;
  for (const ir::Array &array : kernel.arrays)
    if (array.isPassed() && array.space && array.isPerInstance())
      if (const std::string place = ir::name(*array.space); !llvm::is_contained(places, place))
        places.push_back(place);
  if (kernel.sharedBytes() > 0)
    return ir::name(ir::Space::Shared);
  return llvm::join(places, ", ");
}

static std::string withinOf(const MergedAccesses &merged) {
  if (merged.iterations > 1)
    return std::to_string(merged.iterations) + " unrolled iterations";
  return merged.ofUnrolledLoops ? "unrolled loops" : "an iteration";
}

llvm::Error Times::run() {
  auto kernel = question_.kernel();
  if (!kernel)
    return kernel.takeError();
  auto executions = kernelExecutions(question_, **kernel);
  if (!executions)
    return executions.takeError();
  WalkLimits limits;
  limits.kept = MaxOrdered;
  auto accesses = accessesInOrder(question_, limits);
  if (!accesses)
    return accesses.takeError();
  const TimeInput input{question_.certificate,  **kernel, *executions, question_.input.profile,
                        question_.input.arrays, *accesses};
  if (const MergedAccesses merged = mergedAccesses(**kernel, *executions); merged.total() > 0)
    left = {static_cast<uint64_t>(std::llround(
                static_cast<double>(question_.input.profile.total()) - merged.total())),
            withinOf(merged)};
  double least = std::numeric_limits<double>::infinity();
  for (Layout layout : question_.options.layouts) {
    auto own = question_.kernelFor(layout);
    if (!own)
      return own.takeError();
    RegionExecutions entered = *executions;
    if (*own != *kernel)
      if (llvm::Error error = kernelExecutions(question_, **own).moveInto(entered))
        return error;
    const TimeInput ownInput{question_.certificate,
                             **own,
                             entered,
                             question_.input.profile,
                             question_.input.arrays,
                             *accesses,
                             inputFor(question_, **own, layout).team};
    const TimeEstimate estimate(machine_, layout, ownInput);
    rows.push_back({layout, estimate.of(question_.input.count), placesOf(**own)});
    if (question_.options.wantsPlot)
      curves.push_back(curve(rows.back(), estimate));
    if (rows.back().time.microseconds >= least)
      continue;
    least = rows.back().time.microseconds;
    few = fewInstances(estimate);
  }
  if (few && few->count >= question_.input.count)
    few.reset(); // they are few already
  size = sizeAdvice(input);
  return llvm::Error::success();
}

/// In powers of two.
FewInstances Times::fewInstances(const TimeEstimate &estimate) const {
  static constexpr int64_t OneBlock = 256;
  static constexpr double Hardly = 1.5;
  FewInstances result{OneBlock, estimate.of(OneBlock).microseconds};
  while (2 * result.count <= question_.input.count &&
         estimate.of(2 * result.count).microseconds <= Hardly * result.microseconds)
    result.count *= 2;
  return result;
}

/// At powers of two below the number of instances, and there.
TimeCurve Times::curve(const TimeRow &row, const TimeEstimate &estimate) const {
  TimeCurve result{name(row.layout), {}};
  for (int64_t count = 1; count < question_.input.count; count *= 2)
    result.points.push_back({count, estimate.of(count).microseconds});
  result.points.push_back({question_.input.count, row.time.microseconds});
  return result;
}

static constexpr double Faster = 0.95; // only then it is worth a line

/// "row in shared memory"
static std::string whereOf(const BestTime &best) {
  llvm::SmallVector<llvm::StringRef, 3> places;
  llvm::StringRef(best.place).split(places, ", ");
  const std::string memory = best.place == ir::name(ir::Space::Shared) ? " memory" : "";
  return std::string(name(best.layout)) + " in " + llvm::join(places, " and ") + memory;
}

/// Of the kernels that the sizes give; where these are not known, of this one with arrays in
/// registers.
std::optional<SizeAdvice> Times::sizeAdvice(const TimeInput &input) const {
  std::optional<SizeAdvice> registers = registerAdvice(input);
  const std::optional<SizedTime> sized = question_.withSizes ? question_.withSizes() : std::nullopt;
  const double least = Faster * bestOf(rows)->time.microseconds;
  if (sized && sized->best) {
    const BestTime &best = *sized->best;
    if (best.microseconds > least)
      return std::nullopt;
    if (!registers || best.place != ir::name(ir::Space::Registers))
      return SizeAdvice{sized->option, 0, best.microseconds, whereOf(best)};
    registers->microseconds = best.microseconds;
    return registers;
  }
  if (registers && registers->microseconds <= least)
    return registers;
  return sized ? std::optional(SizeAdvice{sized->option}) : std::nullopt;
}

/// Of this kernel, with arrays in registers, if some can be.
std::optional<SizeAdvice> Times::registerAdvice(const TimeInput &input) const {
  const std::optional<RegisterKernel> wanted =
      withRegisters(input.kernel, input.arrays, question_.registerWords);
  if (!wanted)
    return std::nullopt;
  SizeAdvice advice{"--size", 0, std::numeric_limits<double>::infinity()};
  for (auto [parameter, value] : llvm::zip(question_.certificate.scalars, question_.scalars))
    if (llvm::is_contained(wanted->sizes, parameter.name))
      advice.option += " " + parameter.name + "=" + ir::str(value);
  const TimeInput other{input.certificate, wanted->kernel, input.executions,
                        input.profile,     input.arrays,   input.accesses};
  for (Layout layout : question_.options.layouts)
    advice.microseconds =
        std::min(advice.microseconds,
                 TimeEstimate(machine_, layout, other).of(question_.input.count).microseconds);
  for (const Traffic &one :
       traffic(wanted->kernel, question_.options.layouts.front(), question_.input))
    advice.requests += one.requests;
  return advice;
}

static json::Value rowJson(const TimeRow &row) {
  json::Object limits;
  for (size_t limit = 0; limit < NumTimeLimits; ++limit)
    limits[name(static_cast<TimeLimit>(limit))] = row.time.limits[limit];
  return json::Object{{"layout", name(row.layout)},
                      {"place", row.place},
                      {"microseconds", row.time.microseconds},
                      {"least", row.time.least},
                      {"most", row.time.most},
                      {"binds", name(row.time.binds)},
                      {"loads_in_flight", row.time.loadsInFlight},
                      {"limits", std::move(limits)}};
}

/// "latency (8 loads in flight)"
static std::string bindingOf(const KernelTime &time) {
  std::string text = name(time.binds);
  if (time.binds == TimeLimit::Latency && time.loadsInFlight > 0)
    text += llvm::formatv(" ({0} loads in flight)", llvm::format("%.3g", time.loadsInFlight));
  return text;
}

static void print(llvm::raw_ostream &out, const Times &times) {
  out << "layout   place            time      least       most  binds                             "
         "DRAM         L2         L1    latency      issue\n";
  for (const TimeRow &row : times.rows) {
    out << llvm::formatv("{0,-8} {1,-10} {2,10} {3,10} {4,10}  {5,-27}", name(row.layout),
                         row.place, duration(row.time.microseconds), duration(row.time.least),
                         duration(row.time.most), bindingOf(row.time));
    for (double limit : llvm::ArrayRef(row.time.limits).drop_back())
      out << llvm::formatv(" {0,10}", duration(limit));
    out << '\n';
  }
  printBest(out, times.rows, times.size);
}

/// Error: it cannot be known.
static llvm::Expected<Times> timesOf(const CostQuestion &question) {
  auto machine = timeMachine(*question.options.machine);
  if (!machine)
    return machine.takeError();
  Times times(question, *machine);
  if (llvm::Error error = times.run())
    return error;
  return times;
}

/// Of the times that scripts/model-check takes: docs/results/model_check.md says the same, and
/// test/Scripts/model-check.test compares the two.
static constexpr const char *Accuracy =
    "half of an H200's within a factor of 1.15, nine in ten within 1.63";

/// Where the time is not known, the machine's bandwidths are still worth a line.
llvm::Expected<CostSection> timeSection(const CostQuestion &question) {
  CostSection section;
  const std::optional<Machine> &machine = question.options.machine;
  if (!machine && question.options.takesAllModels && !question.options.wantsPlot)
    return section;
  if (!machine)
    return llvm::createStringError("the time is a machine's: give --machine");
  llvm::raw_string_ostream out(section.text);
  auto times = timesOf(question);
  if (!times && (question.options.wantsPlot || !question.options.takesAllModels))
    return times.takeError();
  out << "time on " << machine->name;
  const ArraysOnce once =
      arraysOnce(question.certificate, question.input.arrays, question.input.count);
  if (times) {
    out << ", an estimate, from the least to the most; beside it what each limit alone takes\n";
    print(out, *times);
    printYourData(out, *machine, once, times->rows);
    printFewInstances(out, *machine, times->few);
    if (question.options.wantsPlot)
      section.plot = timePlot(question.certificate.name + " on " + machine->name + ", estimated",
                              times->curves);
    section.left = times->left;
    const TimeRow &best = *bestOf(times->rows);
    section.best = {best.layout, best.place, best.time.microseconds};
    section.accuracy = Accuracy;
    for (const TimeRow &row : times->rows)
      section.rows.push_back(rowJson(row));
  } else {
    out << "\n  not counted: " << llvm::toString(times.takeError()) << '\n';
    printYourData(out, *machine, once, {});
    printFewInstances(out, *machine, std::nullopt);
  }
  return section;
}

} // namespace colonnade::model
