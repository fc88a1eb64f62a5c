//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// More than 2^32 queries in one call of lsm.cuh. (A tree of as many elements:
// lsm_huge_tree_gpu_test.cu. A call changes no more than 2^32.)
//
//   --small   a few thousand queries
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"

#include <colonnade/lsm.cuh>

using namespace colonnade;

namespace {

constexpr uint32_t present = 100000; // keys 7, 14, ...; values: the key and one

__global__ void fill_elements(uint32_t *keys, uint32_t *values) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < present) {
    keys[i] = (i + 1) * 7;
    values[i] = keys[i] + 1;
  }
}
__host__ __device__ uint32_t query_of(uint64_t i) {
  return static_cast<uint32_t>(i * 2654435761u >> 3) % (8 * present);
}
__global__ void fill_queries(uint32_t *keys, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x)
    keys[i] = query_of(i);
}
__global__ void check_answers(const uint32_t *found, uint64_t n, unsigned long long *wrong) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint32_t key = query_of(i);
    const bool there = key && key % 7 == 0 && key / 7 <= present;
    if (found[i] != (there ? key + 1 : 5))
      atomicAdd(wrong, 1ull);
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t n = huge_number(argc, argv, 8.1);
  lsm_map<uint32_t, uint32_t> tree;
  lsm_options options;
  options.batch_size = 1000;
  CUDA_OK(tree.create(tree, options));
  device_status status;
  {
    const device_array<uint32_t> keys(present), values(present);
    fill_elements<<<present / 256 + 1, 256>>>(keys.get(), values.get());
    CUDA_OK(tree.insert(keys.get(), values.get(), present, status));
  }
  const device_array<uint32_t> queries(n), found(n);
  const wrong_counter wrong;
  fill_queries<<<2048, 256>>>(queries.get(), n);
  CUDA_OK(tree.find(queries.get(), found.get(), n, nullptr, 5));
  check_answers<<<2048, 256>>>(found.get(), n, wrong.get());
  wrong.expect_none("values");
  // So many are not sorted; the call says so by needing no storage.
  CUDA_OK(tree.find(queries.get(), found.get(), n, nullptr, 5, nullptr, lsm_sorted_queries{}));
  check_answers<<<2048, 256>>>(found.get(), n, wrong.get());
  wrong.expect_none("values of queries to be sorted");
  return gpu_result("huge calls of log-structured merge trees");
}
