//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One call of multisplit_pairs with the default policy; see check_one_call.py.
//
//===----------------------------------------------------------------------===//

#include <colonnade/multisplit.cuh>

struct high_bits {
  uint32_t shift;
  __device__ uint32_t operator()(uint32_t key) const { return key >> shift; }
};

cudaError_t call(void *d_temp, size_t &temp_bytes, const uint32_t *keys_in, uint32_t *keys_out,
                 const uint32_t *values_in, uint32_t *values_out, uint64_t n, uint32_t m) {
  return colonnade::multisplit_pairs(d_temp, temp_bytes, keys_in, keys_out, values_in, values_out,
                                     n, m, high_bits{24}, nullptr);
}
