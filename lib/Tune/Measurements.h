//===- Measurements.h - What the measuring programme printed ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: its standard output (runtime/include/colonnade/bulk/measure/plans.cuh), and what ptxas said
// of each file. Out: times by job, plan, layout and number of instances, and bytes that are
// spilled. Invariant: what is not understood is an error with its line; nothing is taken for a time
// or for no spills.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TUNE_MEASUREMENTS_H
#define COLONNADE_TUNE_MEASUREMENTS_H

#include "Tune/Plans.h"

#include "llvm/Support/Error.h"

#include <vector>

namespace colonnade::tune {

enum class MeasuredLayout : uint8_t { RowWise, ColumnWise, Tiled };

inline LayoutKind kindOf(MeasuredLayout layout) {
  return layout == MeasuredLayout::RowWise ? LayoutKind::Rows : LayoutKind::Columns;
}

/// A median of runs.
struct Measurement {
  size_t job = 0, plan = 0; // numbers in plans.json
  MeasuredLayout layout = MeasuredLayout::RowWise;
  uint64_t instances = 0;
  double microseconds = 0;
  bool same = true; // the results are those of the first plan
};

struct Measurements {
  std::string gpu;
  std::string plans;            // textHash of the plans.json that was measured
  std::vector<Measurement> all; // those that the GPU did not run are not there
};

llvm::Expected<Measurements> readMeasurements(llvm::StringRef text, llvm::StringRef name);

/// By LayoutKind: bytes of spill stores and loads of a file's kernels together, most of its
/// layouts. Error: the report is of another form.
llvm::Expected<std::array<uint64_t, 2>> readSpills(llvm::StringRef ptxas, llvm::StringRef name);

} // namespace colonnade::tune

#endif // COLONNADE_TUNE_MEASUREMENTS_H
