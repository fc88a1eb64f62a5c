//===- Count.h - How many accesses a certificate makes ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many accesses a certificate makes.
//
// In: a certificate. Out: for each kind of access a closed form over its parameters, for the
// report; or, where there is none and all sizes are fixed, their number.
// Invariant: a closed form is exact wherever no size is negative (a size is a parameter that
// extents are made of, or an unsigned one), also where loops run no iteration: for
// (i = 1; i < n; i++) counts max(n-1, 0). Where sizes may take an unsigned bound below zero, it
// wraps, and nothing is counted: such bounds are listed (`where`).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_COUNT_H
#define COLONNADE_OBLIVIOUS_COUNT_H

#include "IR/Function.h"

#include <array>
#include <vector>

namespace colonnade {

/// What an access is to, or when it is made.
enum class AccessKind : uint8_t {
  Instance,    // to an instance parameter or the return value
  Load,        // of these: loads
  Store,       // of these: stores
  Always,      // of these: made whatever the data
  Conditional, // of these: made only where the data says so
  Scalar,      // to a by-value scalar that differs between instances
  Local,       // to a local array
  Uniform,     // to a uniform array
  Table,       // to a constant table
};
constexpr size_t NumAccessKinds = 9;

struct AccessCounts {
  std::array<SizeExpr, NumAccessKinds> ofKind; // Unknown where there is no closed form
  std::vector<SizeExpr> where;                 // formulas hold where none is below zero
};

/// Without a closed form they are counted one by one, if neither a scalar nor the contents of an
/// array decide and that takes no more than 200,000 operations; else Unknown.
AccessCounts countAccesses(const ir::Module &module, const ir::Function &certificate);

/// "loads", as reports call them.
const char *name(AccessKind kind);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_COUNT_H
