//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// model_check_sizes.cpp: what scripts/model-check prices with sizes that are known.
//
// Functions that it prices without, too: with a size, row-wise instances are run by teams of
// threads, in grids or by steps of two versions, or stream through shared memory.
//
//===----------------------------------------------------------------------===//
#include <colonnade/annotate.h>

#include <cmath>
#include <cstdint>

namespace teams {
#include "../../examples/floyd_warshall/floyd_warshall.cpp"
#include "model_check_functions.cpp"
} // namespace teams

namespace streams {
#include "../../examples/prefix_sums/prefix_sums.cpp"
}
