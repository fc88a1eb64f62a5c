//===- Validation.h - A certificate against the original --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for each random input:  interpret ─▶ record ─▶ compare traces and results
//
// In: an accepted function with its verdict, and a recorder of its original. Out: how many
// inputs and accesses were compared, and the first difference.
//
// Invariant: an input is compared only if the interpreter finds no undefined behaviour in it,
// also where no result needs it; what was not compared is counted.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_VALIDATION_H
#define COLONNADE_RECORD_VALIDATION_H

#include "Oblivious/Oblivious.h"
#include "Record/RandomInputs.h"
#include "Record/Traces.h"

#include <variant>

namespace colonnade::record {

struct ValidationSubject {
  const ir::Module &module;
  const ir::Function &canonical;
  const ir::Function &unreduced; // canonical, before what nothing needs was left out
  const Verdict &verdict;
  Recorder &recorder;
  size_t caller = 0; // position among the recorder's
};

/// The cells of each array of the interface, and the values of the scalars.
struct Instance {
  std::vector<std::vector<uint64_t>> cells;
  std::vector<ir::Scalar> scalars;
};

enum class Outcome : uint8_t {
  Agreed,
  Differed,
  Undefined, // the interpreter found undefined behaviour, or a fact that is false
  TooLong,   // or its arrays too large, for the interpreter or for a recording
};

struct InstanceResult {
  Outcome outcome = Outcome::Agreed;
  uint64_t numAccesses = 0;                 // Agreed
  std::vector<std::vector<uint64_t>> after; // Agreed: the cells that the original leaves
  /// Likewise: those without a determinate value, which were not compared; empty: none.
  std::vector<std::vector<bool>> indeterminate;
  std::string reason;         // Undefined, TooLong
  TraceDifference difference; // Differed
};

/// One input. `onAccess`, unless it is empty: each access of the canonical function. Error: the
/// recorder cannot start a process.
llvm::Expected<InstanceResult>
validateInstance(const ValidationSubject &subject, const TracedArrays &arrays,
                 const Instance &instance, const Limits &limits,
                 const std::function<void(const ir::AccessEvent &)> &onAccess = {});

/// Names of uniform arrays whose contents decide addresses.
std::vector<std::string> indexArrays(const Verdict &verdict);

/// What the user fixed; all else is drawn.
struct GivenInputs {
  std::vector<std::optional<ir::Scalar>> scalars; // as many as the function has
  /// Sets the contents of uniform arrays that were given, once their sizes are known.
  std::function<llvm::Error(const std::vector<ir::Scalar> &, Instance &)> fill;
};

/// Draws one input. Else: the extents make no sense at the sizes drawn (Undefined), or are too
/// large (TooLong). `unknownCells`: of an array whose extent is not known.
std::variant<Instance, Outcome> drawInstance(const ir::Function &canonical,
                                             const GivenInputs &given, Temper temper, uint64_t seed,
                                             int64_t unknownCells = -1);

struct ValidationOptions {
  unsigned numInputs = 20; // compared, at most
  unsigned maxDraws = 200;
  double seconds = 20; // after which no further input is drawn
  uint64_t seed = 1;
  Limits limits;
};

struct ValidationResult {
  unsigned numInputs = 0; // compared
  uint64_t numAccesses = 0;
  unsigned numUndefined = 0, numTooLong = 0; // discarded
  std::optional<TraceDifference> difference;
  Instance differing; // the input that shows it

  bool isValidated() const { return !difference && numInputs > 0 && numAccesses > 0; }
};

llvm::Expected<ValidationResult> validate(const ValidationSubject &subject,
                                          const TracedArrays &arrays, const GivenInputs &given,
                                          const ValidationOptions &options);

} // namespace colonnade::record

#endif // COLONNADE_RECORD_VALIDATION_H
