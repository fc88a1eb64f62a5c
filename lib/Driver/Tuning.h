//===- Tuning.h - Kernels by the plans that tune has found ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tuning file, and the GPU that code is for. Out: the plans that a function's entries name;
// and notes on entries that were not taken, for the user.
//
// Invariant: a plan is taken only if its kernel is the one that was measured, of the function that
// it was measured for; else it is chosen as without the file. A plan never changes results.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_TUNING_H
#define COLONNADE_DRIVER_TUNING_H

#include "Driver/Pipeline.h"
#include "Emit/Emit.h"
#include "Tune/TuningFile.h"

namespace colonnade {

class Tuning {
public:
  /// gpu: whose entries are taken; empty: that of all entries. Error: the file cannot be read, is
  /// of another form, or is about several GPUs and none is named.
  static llvm::Expected<Tuning> read(const std::string &path, const std::string &gpu);

  /// In place of `kernels`, which were chosen without entries.
  void apply(const Analysis &analysis, const CheckedFunction &checked, BackEndKernels &kernels);

  /// What was not taken, a line each; once all functions have their plans.
  std::vector<std::string> notes() const;

private:
  using Found = std::array<std::vector<const tune::TuningEntry *>, 2>;
  Found find(const CheckedFunction &checked, const std::string &hash);
  void refuse(const tune::TuningEntry &entry, const std::string &reason);

  std::string path_, gpu_;
  tune::TuningEntries entries_;
  std::vector<bool> isKnown_; // of each entry: it is about a function that was asked for
  std::vector<std::string> stale_;
};

} // namespace colonnade

#endif // COLONNADE_DRIVER_TUNING_H
