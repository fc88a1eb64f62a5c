//===- TuningFile.h - What `colonnade tune` has found -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the text of a file for `emit --tuning`. Out: its entries; and back. An entry says which plan
// took the least time for one function at one size, on one GPU, for some numbers of instances.
//
// Invariant: two entries of a file are never about the same launches. Errors name the line and
// column, or the entry and field.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TUNE_TUNINGFILE_H
#define COLONNADE_TUNE_TUNINGFILE_H

#include "Tune/Plans.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace colonnade::tune {

/// Launches of so many instances.
struct InstanceRange {
  uint64_t least = 1;
  std::optional<uint64_t> most; // nullopt: any more

  bool overlaps(const InstanceRange &other) const {
    return (!most || *most >= other.least) && (!other.most || *other.most >= least);
  }
  bool operator==(const InstanceRange &) const = default;
};

struct TuningEntry {
  // The key: what it is about.
  std::string function;                 // as the user spells it
  std::map<std::string, int64_t> sizes; // --size
  std::string kernel;                   // kernelHash of the kernel of one thread an instance
  std::string gpu;                      // "NVIDIA H200"
  LayoutKind layouts = LayoutKind::Rows;
  InstanceRange instances;
  // What was found.
  std::string plan;          // RowPlan's name
  std::string plannedKernel; // kernelHash of the kernel that it makes
  // How, for people.
  uint64_t measuredInstances = 0;
  double microseconds = 0;
  std::string modelPlan; // what is taken without the file
  std::optional<double> modelMicroseconds;
  std::vector<std::string> spilling; // plans that were left out for it

  bool isAboutSameAs(const TuningEntry &other) const {
    return kernel == other.kernel && gpu == other.gpu && layouts == other.layouts &&
           instances.overlaps(other.instances);
  }
};

using TuningEntries = std::vector<TuningEntry>;

/// `name`: of the file, for errors.
llvm::Expected<TuningEntries> readTuning(llvm::StringRef text, llvm::StringRef name);
std::string tuningText(const TuningEntries &entries);

/// `old` with what `found` says in place of what is about the same, or was measured for the same
/// function, sizes and GPU before the kernel changed.
TuningEntries merged(TuningEntries old, const TuningEntries &found);

} // namespace colonnade::tune

#endif // COLONNADE_TUNE_TUNINGFILE_H
