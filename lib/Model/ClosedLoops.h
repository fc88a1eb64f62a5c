//===- ClosedLoops.h - The profile of an instance, loops at once -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same profile as walk() makes, in time that does not grow with the iterations of closed loops.
//
// A loop is closed if no bound, condition, table cell or address that is not linear depends on its
// counter. Its body is run once, with base + sum of coefficient * iteration for values; an access
// then stands for as many as the loops around it have iterations, and the residues of its cells
// repeat with period g / gcd(coefficient, g). Where i % 4, i / 4, i & 3, i ^ 4 or the like have to
// be linear, the loop is taken in blocks (LoopBlocks.h). Other loops are run iteration by
// iteration, and what loops in them do is remembered (RememberedLoops.h). Which loops are closed is
// found by trying: where a value that has to be known depends on a counter, the loop of that
// counter is taken back and run one by one from then on. Nests with conditions on several counters
// are counted box by box (Boxes.h), or by their counters' digits (Digits.h).
//
// In: as for walk(). Out: the profile, without the order of accesses.
// Invariant: equal to walk()'s, or nullopt: the run is undefined, has an operation that is not
// followed here, or takes more than the limit.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_CLOSEDLOOPS_H
#define COLONNADE_MODEL_CLOSEDLOOPS_H

#include "Model/AccessProfile.h"

namespace colonnade::model {

std::optional<AccessProfile> summarize(const ir::Function &certificate,
                                       const std::vector<ir::ArrayData> &arrays,
                                       llvm::ArrayRef<ir::Scalar> scalars, uint64_t period,
                                       const WalkLimits &limits = {});

/// Loops that are neither closed nor walked within the limits are bounded (isBounds), of any run
/// that is defined. nullopt: that cannot be done, either.
std::optional<AccessProfile> boundsOf(const ir::Function &certificate,
                                      const std::vector<ir::ArrayData> &arrays,
                                      llvm::ArrayRef<ir::Scalar> scalars, uint64_t period,
                                      const WalkLimits &limits = {});

/// By way of closed loops, or bounded ones; where the accesses are few enough for their order to be
/// kept, or where there is no other way, walked. Error: as for walk().
llvm::Expected<AccessProfile> profileOf(const ir::Module &module, const ir::Function &certificate,
                                        const std::vector<ir::ArrayData> &arrays,
                                        llvm::ArrayRef<ir::Scalar> scalars, uint64_t period,
                                        const WalkLimits &limits = {});

} // namespace colonnade::model

#endif // COLONNADE_MODEL_CLOSEDLOOPS_H
