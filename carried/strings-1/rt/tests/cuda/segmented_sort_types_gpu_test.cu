//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Segmented sorts of keys of other sizes on the GPU: 64-bit ones, which share a register
// tile with their places at half the length; 16-bit ones; values of 3 and 16 bytes.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "segmented_sort_case.cuh"

using namespace colonnade;

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  for (const bool descending : {false, true}) {
    const auto s = segments_of_all_classes(small ? 300 : 9300, small ? 1 : 3, descending);
    check_segmented_stable_keys(sort_keys_of<double>(s.num_items, 1), s, false, {descending});
    check_segmented_keys(sort_keys_of<int16_t>(s.num_items, 2), s, false, {descending});
  }
  for (uint64_t length : {3, 12, 24, 32, 100, 112, 700, 2000, 4096, 4097, 9000}) {
    const uint64_t count = small ? 3 : 20000 / length + 2;
    if (small && length > 200)
      break;
    const auto s = equal_on_host(count, length);
    check_segmented_pairs<blob<16>>(sort_keys_of<int64_t>(count * length, length), s, true,
                                    {false, 2, 60});
    check_segmented_pairs<blob<3>>(sort_keys_of<uint16_t>(count * length, length), s, true);
  }
  return gpu_result("segmented sort of other types");
}
