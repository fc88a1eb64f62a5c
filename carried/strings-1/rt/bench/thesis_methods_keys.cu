//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// thesis_methods_keys.cu: the methods of the thesis's tables, for keys.
//
//===----------------------------------------------------------------------===//

#include "thesis_methods.cuh"

namespace bench {

cudaError_t split_keys(void *d_temp, size_t &temp_bytes, const arrays &a, method m,
                       const bucket_choice &b) {
  return thesis_calls<false>::split(d_temp, temp_bytes, a, m, b);
}

stage_times time_stages_of_keys(const arrays &a, method m, const bucket_choice &b) {
  return thesis_calls<false>::stages(a, m, b);
}

} // namespace bench
