//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Stable segmented sorts on the GPU: pairs, argsort, and floats whose zeros have signs.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "segmented_sort_case.cuh"

using namespace colonnade;

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  std::vector<uint64_t> lengths = {1, 4, 7, 16, 28, 32, 33, 112, 128, 200};
  if (!small)
    lengths.insert(lengths.end(), {1000, 1024, 2049, 5888, 8192, 8193, 40000});
  for (uint64_t length : lengths) {
    const uint64_t count = small ? 5 : 100000 / length + 2;
    const auto s = equal_on_host(count, length);
    auto keys = sort_keys_of<uint32_t>(count * length, length);
    for (auto &key : keys)
      key &= 0xf000000f; // many equal ones
    check_segmented_pairs<uint32_t>(keys, s, true, {length % 2 == 0});
  }
  for (const radix_order order : {radix_order{}, radix_order{true}, radix_order{false, 3, 9}}) {
    const auto s = segments_of_all_classes(small ? 300 : 12000, small ? 1 : 4, order.begin_bit);
    auto keys = sort_keys_of<uint32_t>(s.num_items, 6);
    for (auto &key : keys)
      key &= 0xf000001f;
    check_segmented_pairs<uint32_t>(keys, s, false, order);
    check_segmented_argsort<uint32_t>(keys, s, false, order);
    check_segmented_stable_keys(sort_keys_of<float>(s.num_items, 6), s, false, order);
  }
  return gpu_result("stable segmented sort");
}
