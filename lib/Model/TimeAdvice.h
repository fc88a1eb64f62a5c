//===- TimeAdvice.h - What a kernel's times mean for its user ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the times of layouts, the bytes of the caller's arrays, a machine. Out: the lines `best:`,
// `your data` and `fewer instances` of the report.
// Invariant: what the machine does not say is left out.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_TIMEADVICE_H
#define COLONNADE_MODEL_TIMEADVICE_H

#include "Model/CostReport.h"
#include "Model/KernelTime.h"

#include "llvm/Support/raw_ostream.h"

namespace colonnade::model {

struct TimeRow {
  Layout layout;
  KernelTime time;
  std::string place = {}; // of the caller's arrays of instances
};

/// With sizes fixed, arrays may be in registers, or rows in shared memory.
struct SizeAdvice {
  std::string option;    // "--size n=32"
  uint64_t requests = 0; // where registers are all that is looked at
  double microseconds = 0;
  std::string where = {}; // else "row in shared memory"; without a time: it is not known
};

/// Few instances leave the machine empty.
struct FewInstances {
  int64_t count = 0;       // up to so many, the time is less than 1.5 times the next
  double microseconds = 0; // of one block
};

/// 541.3 as "541 us", 4051.7 as "4.05 ms"
std::string duration(double microseconds);

/// " at 4265 GB/s (measured)"
std::string atBandwidth(const Machine::Value &bandwidth);

/// Layouts within 5 % of the best are as good. nullptr of none.
const TimeRow *bestOf(llvm::ArrayRef<TimeRow> rows);
void printBest(llvm::raw_ostream &out, llvm::ArrayRef<TimeRow> rows,
               const std::optional<SizeAdvice> &size);
/// `rows` may be empty: their times are not known.
void printYourData(llvm::raw_ostream &out, const Machine &machine, const ArraysOnce &once,
                   llvm::ArrayRef<TimeRow> rows);
void printFewInstances(llvm::raw_ostream &out, const Machine &machine,
                       const std::optional<FewInstances> &few);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_TIMEADVICE_H
