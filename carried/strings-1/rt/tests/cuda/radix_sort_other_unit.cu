//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The second translation unit of radix_sort_units_gpu_test.cu.
//
//===----------------------------------------------------------------------===//

#include "radix_sort_units.cuh"

cudaError_t sort_in_other_unit(void *d_temp, size_t &bytes, const pairs_on_device &pairs) {
  return sort_in_this_unit(d_temp, bytes, pairs);
}
