//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// thesis_methods_pairs.cu: the methods of the thesis's tables, for pairs.
//
//===----------------------------------------------------------------------===//

#include "thesis_methods.cuh"

namespace bench {

cudaError_t split_pairs(void *d_temp, size_t &temp_bytes, const arrays &a, method m,
                        const bucket_choice &b) {
  return thesis_calls<true>::split(d_temp, temp_bytes, a, m, b);
}

stage_times time_stages_of_pairs(const arrays &a, method m, const bucket_choice &b) {
  return thesis_calls<true>::stages(a, m, b);
}

} // namespace bench
