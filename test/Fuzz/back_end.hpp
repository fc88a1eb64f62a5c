//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What compare.cpp asks of the back end that it is linked with: cpu_back_end.cpp or
// cuda_back_end.cpp.
//
// In: a function's descriptor and its arrays in host memory, in the layout that is asked for.
// Out: the same arrays after the run. Invariant: uniform arrays are not written.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "harness.hpp"

namespace fuzz {

struct host_arrays {
  std::vector<void *> pointers;
  std::vector<size_t> bytes;
  std::vector<uint64_t> scalars, cells;
  uint64_t count; // instances
};

/// Instruction sets of this machine, or what a GPU calls itself.
std::vector<const char *> variants();
/// Instances in a tile of the tiled layout.
uint64_t tile(const colonnade::bulk::function_info &info);
/// Numbers of instances around the borders of tiles and blocks, the largest last.
std::vector<uint64_t> counts(const colonnade::bulk::function_info &info);
/// Results have the sequential function's bits; else, mathematical functions differ by some ulp.
bool is_exact(const colonnade::bulk::function_info &info);
colonnade::bulk::status run(const colonnade::bulk::function_info &info, const host_arrays &arrays,
                            colonnade::bulk::layout l, const char *variant);

} // namespace fuzz
