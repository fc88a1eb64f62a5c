//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// multisplit_bench.hpp: what the files of the multisplit benchmark share: the
// peer and the candidates, each compiled in a file of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct shift_bucket {
  uint32_t shift;
  __device__ uint32_t operator()(uint32_t key) const { return key >> shift; }
};
/// The same buckets by an integer division, which no shift replaces.
struct divide_bucket {
  uint32_t divisor;
  __device__ uint32_t operator()(uint32_t key) const { return key / divisor; }
};

struct arrays {
  const uint32_t *keys_in;
  uint32_t *keys_out;
  const uint32_t *values_in; // null: keys alone
  uint32_t *values_out;
  uint64_t num_items;
};

/// A call with its temporary storage: bytes if it is null.
using split_function = cudaError_t (*)(void *d_temp, size_t &temp_bytes, const arrays &,
                                       uint32_t bits);

struct candidate {
  const char *name;
  const char *about;
  split_function run;
};

const std::vector<candidate> &keys_candidates();  // the first is the default
const std::vector<candidate> &pairs_candidates(); // the first is the default

const std::vector<candidate> &counts_candidates(); // the first is the default

// Of the default policy: buckets by division_bucket, and by key / divisor as it stands.
cudaError_t divide_keys(void *d_temp, size_t &temp_bytes, const arrays &, uint32_t bits);
cudaError_t divide_keys_plainly(void *d_temp, size_t &temp_bytes, const arrays &, uint32_t bits);

/// CUB's radix sort over the highest `bits` bits; wide: 64-bit num_items.
cudaError_t radix_sort(void *d_temp, size_t &temp_bytes, const arrays &, uint32_t bits, bool wide);
/// Over bits [begin, end).
cudaError_t radix_sort_bits(void *d_temp, size_t &temp_bytes, const arrays &, uint32_t begin,
                            uint32_t end, bool wide);

} // namespace bench
