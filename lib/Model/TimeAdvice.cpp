//===- TimeAdvice.cpp - What a kernel's times mean for its user -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/TimeAdvice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

namespace colonnade::model {

static constexpr double Tie = 1.05; // times within that are equal, for all that is known

std::string duration(double microseconds) {
  struct Unit {
    const char *name;
    double microseconds;
  };
  static constexpr Unit Units[] = {{"s", 1e6}, {"ms", 1e3}, {"us", 1}, {"ns", 1e-3}};
  static constexpr double Least = 0.01, Grouped = 1e3, Rounded = 0.9995; // 1,000 us are 1 ms
  const auto *unit = llvm::find_if(
      Units, [&](const Unit &one) { return microseconds >= Rounded * one.microseconds; });
  if (unit == std::end(Units))
    --unit;
  const double number = microseconds / unit->microseconds;
  if (number < Least)
    return "0 us";
  const std::string digits = number < Grouped ? llvm::formatv("{0}", llvm::format("%.3g", number))
                                              : grouped(static_cast<uint64_t>(number));
  return digits + " " + unit->name;
}

std::string atBandwidth(const Machine::Value &bandwidth) {
  return llvm::formatv(" at {0} GB/s ({1})", llvm::format("%g", bandwidth.number),
                       name(bandwidth.origin));
}

const TimeRow *bestOf(llvm::ArrayRef<TimeRow> rows) {
  auto faster = [](const TimeRow &a, const TimeRow &b) {
    return a.time.microseconds < b.time.microseconds;
  };
  return rows.empty() ? nullptr : llvm::min_element(rows, faster);
}

void printBest(llvm::raw_ostream &out, llvm::ArrayRef<TimeRow> rows,
               const std::optional<SizeAdvice> &size) {
  const double least = bestOf(rows)->time.microseconds;
  std::vector<std::string> best, others;
  for (const TimeRow &row : rows) {
    const double times = row.time.microseconds / least;
    if (times <= Tie)
      best.push_back(name(row.layout));
    else
      others.push_back(llvm::formatv("{0:F1} x {1}", times, name(row.layout)));
  }
  out << "best: " << llvm::join(best, " or ") << '.';
  if (!others.empty())
    out << ' ' << llvm::join(others, ", ") << '.';
  if (size && size->microseconds == 0)
    out << " Code for one size may take less: ask with " << size->option << '.';
  else if (size && size->where.empty())
    out << " Give " << size->option << " to allow registers: " << grouped(size->requests)
        << " requests, about " << duration(size->microseconds) << '.';
  else if (size)
    out << " Give " << size->option << ": " << size->where << ", about "
        << duration(size->microseconds) << '.';
  out << '\n';
}

static const TimeRow *rowOf(llvm::ArrayRef<TimeRow> rows, Layout layout) {
  auto found = llvm::find_if(rows, [&](const TimeRow &row) { return row.layout == layout; });
  return found == rows.end() ? nullptr : found;
}

static void printOnDevice(llvm::raw_ostream &out, const Machine::Value &dram,
                          const ArraysOnce &once, llvm::ArrayRef<TimeRow> rows) {
  const double transposed = microsecondsOf(once.transposed, dram);
  const TimeRow *const best = bestOf(rows), *const row = rowOf(rows, Layout::Row);
  out << "on the device, row-wise: ";
  if (best && row && best != row)
    out << "transpose, run, transpose back " << duration(transposed + best->time.microseconds)
        << " or more; the row kernel " << duration(row->time.microseconds) << '\n';
  else if (best == row && row)
    out << "the row kernel is the best\n";
  else
    out << "transposed there and back " << duration(transposed) << " or more" << atBandwidth(dram)
        << '\n';
}

static void printOnHost(llvm::raw_ostream &out, const Machine::Value &link, const ArraysOnce &once,
                        llvm::ArrayRef<TimeRow> rows) {
  static constexpr double Little = 0.25; // of the link's time
  const double in = microsecondsOf(once.bytesIn, link), back = microsecondsOf(once.bytesOut, link);
  out << "on the host: the link takes " << duration(in) << " in, " << duration(back) << " out"
      << atBandwidth(link);
  double slowest = 0;
  for (const TimeRow &row : rows)
    slowest = std::max(slowest, row.time.microseconds);
  if (rows.size() > 1 && slowest <= Little * std::max(in, back))
    out << "; the layout does not matter";
  out << '\n';
}

void printYourData(llvm::raw_ostream &out, const Machine &machine, const ArraysOnce &once,
                   llvm::ArrayRef<TimeRow> rows) {
  const char *head = "your data              ";
  if (auto dram = machine.values.find("dram");
      dram != machine.values.end() && once.transposed > 0) {
    out << head;
    printOnDevice(out, dram->second, once, rows);
    head = "                       ";
  }
  if (auto link = machine.values.find("host_link"); link != machine.values.end()) {
    out << head;
    printOnHost(out, link->second, once, rows);
  }
}

void printFewInstances(llvm::raw_ostream &out, const Machine &machine,
                       const std::optional<FewInstances> &few) {
  const std::optional<int64_t> wave = machine.residentThreads();
  if (!wave && !few)
    return;
  out << "fewer instances        ";
  if (few)
    out << "below p = " << grouped(static_cast<uint64_t>(few->count))
        << " the time hardly falls any more: " << duration(few->microseconds) << " of one block";
  if (wave)
    out << (few ? "; " : "") << "up to " << grouped(static_cast<uint64_t>(*wave))
        << " run at once (one wave)";
  out << '\n';
}

} // namespace colonnade::model
