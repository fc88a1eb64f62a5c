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

/// One Load or Store of the certificate.
struct Site {
  OpId op;
  ArrayId array;
  bool isStore = false;
  bool isConditional = false;   // it is made only where the data says so
  std::vector<uint64_t> counts; // by the cell's residue

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
};

struct AccessProfile {
  uint64_t period = 1;
  std::vector<Site> sites;
  std::optional<std::vector<Step>> steps; // nullopt: more than were to be kept

  uint64_t total() const;
};

/// Without the accesses that are made only where the data says so.
AccessProfile unconditional(const AccessProfile &profile);

/// All sites of the certificate, with nothing counted yet.
std::vector<Site> sitesOf(const ir::Function &certificate, uint64_t period);

struct WalkLimits {
  uint64_t operations = 1'000'000'000; // of the certificate
  uint64_t kept = 10'000'000;          // accesses whose order is kept
  uint64_t remembered = 48;            // loops that take as many operations are worth it
};

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
