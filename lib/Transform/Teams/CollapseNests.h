//===- CollapseNests.h - Two loops as one -----------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel, and which of its loops may be dealt out to a team. Out: the kernel in which each
// pair of such loops, one of them all that the other does, is one loop over all pairs of their
// counters, so that a team has enough iterations of both:
//
//   for (s = 0; s < n; s += l)        for (u = 0; u < ceil(n / l) * h; ++u)
//     for (k = 0; k < h; ++k)    →      s = u / h * l, k = u % h
//       body(s, k)                      body(s, k)
//
// Invariant: the same iterations in the same order.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_COLLAPSENESTS_H
#define COLONNADE_TRANSFORM_TEAMS_COLLAPSENESTS_H

#include "IR/Function.h"

#include <optional>
#include <vector>

namespace colonnade {

/// mayBeDealt: by operation; For loops that count upwards and carry nothing. nullopt: no two of
/// them are one.
std::optional<ir::Function> collapseNests(const ir::Function &kernel,
                                          const std::vector<bool> &mayBeDealt);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_COLLAPSENESTS_H
