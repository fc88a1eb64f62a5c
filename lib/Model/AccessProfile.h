//===- AccessProfile.h - The accesses of one instance, summed up -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   certificate, scalars, uniform arrays ─▶ accesses of one instance ─▶ profile ─▶ models
//
// In: a certificate at concrete sizes. Out: per site, how many accesses go to cells of each
// residue modulo `period`; and, if they are few enough, all of them in their order.
//
// What an access of all instances costs depends on its cell only by the place in its group of
// cells, so the residues say enough.
//
// Invariant: every access of a(0) … a(t-1) is counted once; `period` is a multiple of every group
// that a machine has.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_ACCESSPROFILE_H
#define COLONNADE_MODEL_ACCESSPROFILE_H

#include "IR/Interpreter.h"

namespace colonnade::model {

/// One Load or Store of the certificate. Of one that is made whatever the data in the first
/// iteration of a loop that data ends, that is a site of its own.
struct Site {
  OpId op;
  ArrayId array;
  bool isStore = false;
  bool isConditional = false;   // it is made only where the data says so
  std::vector<uint64_t> counts; // by the cell's residue
  uint64_t anywhere = 0;        // of cells whose residue is not known
  uint32_t accessId = UINT32_MAX;

  uint64_t total() const;
};

/// An access in its order.
struct Step {
  uint32_t site;
  uint32_t residue;
};

/// An access with its cell.
struct CellAccess {
  ArrayId array;
  int64_t cell;
  OpId op = {};               // its site
  bool isConditional = false; // it is made only where the data says so
  int64_t iteration = 0;      // of the innermost loop around it
  uint64_t around = 0;        // the same number where those of the other loops are the same
};

struct AccessProfile {
  uint64_t period = 1;
  std::vector<Site> sites;
  std::optional<std::vector<Step>> steps; // nullopt: more than were to be kept
  /// By array, whether what a cell holds before the run matters: it is loaded before it is surely
  /// stored to, or perhaps stored to. Cells behind the last one do not. Empty: not looked at, as
  /// the accesses are too many.
  std::vector<std::vector<bool>> matters;
  /// Loops are neither counted at once nor walked: the accesses of unconditional sites are the
  /// least that there are, all of them the most.
  bool isBounds = false;
  bool isLeast = false; // it has no conditional sites any more

  uint64_t total() const;
  /// Whether the accesses of a site of the source are no part of it: it is what is made at least.
  bool leavesOut(uint32_t accessId) const;
  bool doesMatter(ArrayId array, int64_t cell) const;
};

struct Interval {
  uint64_t low = 0, high = 0;
  bool isExact() const { return low == high; }
  friend bool operator==(const Interval &, const Interval &) = default;
};

/// Each residue and how many accesses of the site go to such cells. Those whose residue is not
/// known are given to the one that costs most, or least.
void forEachResidue(const Site &site, bool isLeast,
                    llvm::function_ref<uint64_t(uint32_t residue)> cost,
                    llvm::function_ref<void(uint32_t residue, uint64_t times)> visit);

/// Without the accesses that are made only where the data says so.
AccessProfile unconditional(const AccessProfile &profile);

/// All sites of the certificate, with nothing counted yet.
std::vector<Site> sitesOf(const ir::Function &certificate, uint64_t period);

/// Their numbers, by operation.
struct SiteNumbers {
  SiteNumbers(const ir::Function &certificate, llvm::ArrayRef<Site> sites);
  uint32_t of(OpId op, bool isAlways) const { return (isAlways ? always_ : others_)[op.index]; }

private:
  std::vector<uint32_t> others_, always_;
};

struct WalkLimits {
  uint64_t operations = 1'000'000'000; // of the certificate
  uint64_t kept = 10'000'000;          // accesses whose order is kept
  uint64_t remembered = 40;            // loops that take as many operations are worth it
  uint64_t boxes = 50'000;             // of nests that are not counted by digits
  /// Of walked loops, before any is bounded, unless these have many operations each; not given:
  /// operations decide.
  std::optional<uint64_t> iterations = std::nullopt;
  uint64_t walked = 200'000; // iterations of nested loops, once they may be bounded
  uint64_t parts = 256;      // of a bounded loop's iterations
};

/// What a person waits for, 10 to 20 seconds: 10^8 iterations of innermost loops, and loops around.
constexpr uint64_t MaxWalkedIterations = 125'000'000;

/// "1000 operations"
llvm::Error tooLongToWalk(const llvm::Twine &what);

/// Runs the certificate, one access after the other. `arrays` holds the contents of the uniform
/// arrays that decide. Error: the run is undefined, or longer than the limit.
llvm::Expected<AccessProfile> walk(const ir::Module &module, const ir::Function &certificate,
                                   std::vector<ir::ArrayData> &arrays,
                                   llvm::ArrayRef<ir::Scalar> scalars, uint64_t period,
                                   const WalkLimits &limits = {});

/// All accesses of the profile in their order. Error: as for walk(), or they are more than
/// `limits.kept`.
llvm::Expected<std::vector<CellAccess>>
walkCells(const ir::Module &module, const ir::Function &certificate,
          std::vector<ir::ArrayData> &arrays, llvm::ArrayRef<ir::Scalar> scalars,
          const AccessProfile &profile, const WalkLimits &limits = {});

} // namespace colonnade::model

#endif // COLONNADE_MODEL_ACCESSPROFILE_H
