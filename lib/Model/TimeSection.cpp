//===- TimeSection.cpp - What is said of the kernel's time ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/CostModels.h"
#include "Model/KernelTime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

namespace colonnade::model {

namespace json = llvm::json;

static constexpr uint64_t MaxOrdered = 4'000'000; // accesses whose reuse is looked for

namespace {
struct TimeRow {
  Layout layout;
  KernelTime time;
};
} // namespace

static llvm::Expected<std::vector<TimeRow>>
rowsOf(const CostQuestion &question, const TimeMachine &machine, const ir::Function &kernel) {
  auto executions = kernelExecutions(question, kernel);
  if (!executions)
    return executions.takeError();
  auto contents = question.contents();
  if (!contents)
    return contents.takeError();
  WalkLimits limits;
  limits.kept = MaxOrdered;
  auto accesses = walkCells(question.module, question.certificate, *contents, question.scalars,
                            question.input.profile, limits);
  if (!accesses)
    return accesses.takeError();
  const TimeInput input{question.certificate, kernel, *executions, question.input, *accesses};
  std::vector<TimeRow> rows;
  for (Layout layout : question.options.layouts)
    rows.push_back({layout, kernelTime(machine, layout, input)});
  return rows;
}

/// 541.3 as "541 us", 4051.7 as "4.05 ms"
static std::string duration(double microseconds) {
  const char *unit = "us";
  if (microseconds >= 1e6)
    microseconds /= 1e6, unit = "s";
  else if (microseconds >= 1e3)
    microseconds /= 1e3, unit = "ms";
  return llvm::formatv("{0} {1}", llvm::format("%.3g", microseconds), unit);
}

/// "memory", "registers, memory": where the caller's arrays of instances are.
static std::string placesOf(const ir::Function &kernel) {
  std::vector<std::string> places;
  for (const ir::Array &array : kernel.arrays)
    if (array.isPassed() && array.space && array.isPerInstance())
      if (const std::string place = ir::name(*array.space); !llvm::is_contained(places, place))
        places.push_back(place);
  return llvm::join(places, ", ");
}

/// Layouts within 5 % of the best are as good.
static void printBest(llvm::raw_ostream &out, llvm::ArrayRef<TimeRow> rows) {
  static constexpr double Tie = 1.05;
  double least = std::numeric_limits<double>::infinity();
  for (const TimeRow &row : rows)
    least = std::min(least, row.time.microseconds);
  std::vector<std::string> best, others;
  for (const TimeRow &row : rows) {
    const double times = row.time.microseconds / least;
    if (times <= Tie)
      best.push_back(name(row.layout));
    else
      others.push_back(llvm::formatv("{0:F1} x {1}", times, name(row.layout)));
  }
  if (rows.size() < 2)
    return;
  out << "best: " << llvm::join(best, " or ") << '.';
  if (!others.empty())
    out << ' ' << llvm::join(others, ", ") << '.';
  out << '\n';
}

static json::Value rowJson(const TimeRow &row, const std::string &place) {
  json::Object limits;
  for (size_t limit = 0; limit < NumTimeLimits; ++limit)
    limits[name(static_cast<TimeLimit>(limit))] = row.time.limits[limit];
  return json::Object{{"layout", name(row.layout)},
                      {"place", place},
                      {"microseconds", row.time.microseconds},
                      {"binds", name(row.time.binds)},
                      {"limits", std::move(limits)}};
}

llvm::Expected<CostSection> timeSection(const CostQuestion &question) {
  CostSection section;
  const std::optional<Machine> &named = question.options.machine;
  if (!named) {
    if (question.options.takesAllModels)
      return section;
    return llvm::createStringError("the time is a machine's: give --machine");
  }
  auto machine = timeMachine(*named);
  if (!machine)
    return machine.takeError();
  auto kernel = question.kernel();
  if (!kernel)
    return kernel.takeError();
  auto rows = rowsOf(question, *machine, **kernel);
  if (!rows)
    return rows.takeError();
  llvm::raw_string_ostream out(section.text);
  const std::string place = placesOf(**kernel);
  out << "time on " << named->name << ", an estimate; beside it what each limit alone takes\n"
      << "layout   place            time  binds                DRAM         L2         L1    "
         "latency      issue\n";
  for (const TimeRow &row : *rows) {
    out << llvm::formatv("{0,-8} {1,-10} {2,10}  {3,-14}", name(row.layout), place,
                         duration(row.time.microseconds), name(row.time.binds));
    for (double limit : llvm::ArrayRef(row.time.limits).drop_back())
      out << llvm::formatv(" {0,10}", duration(limit));
    out << '\n';
    section.rows.push_back(rowJson(row, place));
  }
  printBest(out, *rows);
  return section;
}

} // namespace colonnade::model
