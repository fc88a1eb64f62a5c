//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Temporary storage of multisplits into up to 256 buckets: at most 2 % of the input and
// 64 KB, for every size of keys and values, every number of buckets and inputs of up to
// 2^36 items, as the default policies have it.
//
//===----------------------------------------------------------------------===//

#include <colonnade/chunk_tuning.hpp>
#include <colonnade/detail/multisplit/few_buckets/plan.hpp>
#include <colonnade/detail/multisplit/segmented/segments_plan.hpp>
#include <colonnade/multisplit_tuning.hpp>

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::detail;

namespace {

constexpr uint64_t slack = 64 * 1024;

/// 0, 1, 2, around powers of two and in between.
std::vector<uint64_t> sizes() {
  std::vector<uint64_t> all = {0, 1, 2};
  for (uint64_t n = 7; n >> 36 == 0; n = n * 5 / 2 + 3)
    all.push_back(n);
  for (uint32_t log2 : {10, 16, 20, 24, 25, 28, 30, 32, 34})
    for (int d : {-1, 0, 1})
      all.push_back((uint64_t{1} << log2) + static_cast<uint64_t>(d));
  return all;
}

uint32_t bits_of(uint32_t m) {
  uint32_t bits = 1;
  while ((1u << bits) < m)
    ++bits;
  return bits;
}

TEST(TemporaryStorage, FewBuckets) {
  for (size_t key = 1; key <= 16; ++key)
    for (size_t value = 0; value <= 16; ++value)
      for (uint32_t m : {1, 2, 3, 8, 32, 33, 128, 129, 255, 256})
        for (gpu_architecture architecture : gpu_architectures)
          for (uint64_t n : sizes()) {
            const uint32_t bits = n >> 32 ? 8 : bits_of(m);
            const multisplit_tuning t = multisplit_policy::tuning(architecture, bits, key, value);
            const multisplit_plan plan(n, m, t.threads * t.items_per_thread, key + value);
            ASSERT_LE(plan.storage.bytes(), n * (key + value) / 50 + slack)
                << n << " items of " << key << " and " << value << " bytes, m = " << m << ", sm_"
                << static_cast<int>(architecture);
          }
}

TEST(TemporaryStorage, Segments) {
  for (size_t item = 1; item <= 32; ++item)
    for (uint32_t m : {1, 2, 32, 255, 256})
      for (uint64_t n : sizes()) {
        const chunk_tuning middle =
                               segmented_multisplit_policy::middle(gpu_architecture::sm_90, item),
                           large =
                               segmented_multisplit_policy::large(gpu_architecture::sm_90, item);
        const uint64_t tile = large.threads * large.items_per_thread;
        const segments_plan plan(
            n, m, 32 * segmented_multisplit_policy::warp_rows(gpu_architecture::sm_90, item),
            middle.threads * middle.items_per_thread, tile * large.chunk_tiles);
        ASSERT_LE(plan.storage.bytes(), n * item / 50 + slack)
            << n << " items of " << item << " bytes, m = " << m;
      }
}

} // namespace
