//===- JamNest.h - Rows of a nest side by side ------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel, a nest of it, and how many rows to do together. Out: the kernel with the nest as
//
//   for (i = lo; …; i += T * step) {
//     before(i); … before(i + (T - 1) * step);
//     for (j …) { body(i, j); … body(i + (T - 1) * step, j); }
//     after(i); … after(i + (T - 1) * step);
//   }
//   the same for the rows that are left, at once
//
// Each row has its own of what the inner loop carries. What goes from each iteration of the nest to
// the next one, through the end of a row, goes from row to row where its order is free
// (Reductions.h).
//
// Invariant: each operation of the nest is made once for each iteration, with the values of that
// iteration. Whether what it loads is what it was is for the order's test (NestOrder.h).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_JAMNEST_H
#define COLONNADE_TRANSFORM_STRIPS_JAMNEST_H

#include "Transform/Strips/StripNest.h"

namespace colonnade {

/// Of an access of the nest: the one of the kernel before, and how many rows behind the block's
/// first; of rows that are left, behind the nest's.
struct AccessOrigin {
  OpId op;
  uint64_t row = 0;
};

struct JammedNest {
  std::optional<ir::Function> kernel;
  std::string reason;                // why there is none
  OpId blocks;                       // the loop over blocks of rows
  std::vector<OpId> inner;           // in it, and behind it
  OpId end;                          // what comes behind all of it
  std::vector<AccessOrigin> origins; // by operation; invalid: none of the nest
};

JammedNest jamNest(const ir::Function &kernel, const StripNest &nest, uint64_t rows);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_JAMNEST_H
