//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One call under a policy whose blocks have a tenth of the architecture's number of warps:
// check_architectures.py compiles it and reads how many threads a block each has.
//
//===----------------------------------------------------------------------===//

#include <colonnade/two_way_multisplit.cuh>

namespace {

struct odd_key {
  __device__ uint32_t operator()(uint32_t key) const { return key % 2; }
};

/// 256, 288, 320 and 384 threads.
struct telling_policy : colonnade::two_way_policy {
  static constexpr colonnade::two_way_tuning tuning(colonnade::gpu_architecture architecture,
                                                    size_t key_bytes, size_t value_bytes) {
    colonnade::two_way_tuning t = two_way_policy::tuning(architecture, key_bytes, value_bytes);
    t.threads = static_cast<uint32_t>(architecture) / 10 * 32;
    t.min_blocks = 2;
    return t;
  }
};

} // namespace

cudaError_t one_call(void *d_temp, size_t &bytes, const uint32_t *in, uint32_t *out, uint64_t n) {
  return colonnade::two_way_multisplit_keys(d_temp, bytes, in, out, n, odd_key{}, nullptr, {},
                                            telling_policy{});
}
