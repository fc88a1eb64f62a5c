//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// counted_sorts.cu: one sort of a random permutation, to be run under Nsight Compute
// (scripts/gpu/sort_counters.py): the runtime's bitonic sort, or the quicksort that
// the K-model's paper holds against it.
//
//   counted_sorts bitonic LOG2              2^LOG2 keys
//   counted_sorts quick LOG2 LOG2_PART      with leaves of 2^LOG2_PART keys or fewer
//   counted_sorts test MOST                 quicksort of up to MOST keys of several kinds
//
// Out: `part,LOG2_PART` and `levels,N` (of bitonic sort its passes), or `ok`. Exits 1 if
// keys are not what std::sort makes of them, 3 if the arguments are wrong.
// Invariant: a sort's kernels are all that is launched.
//
//===----------------------------------------------------------------------===//
#include "quicksort.cuh"

#include <colonnade/bitonic_sort.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using keys_on_device = reference::device_array<uint32_t>;

std::vector<uint32_t> shuffled(uint32_t number) {
  std::vector<uint32_t> keys(number);
  std::iota(keys.begin(), keys.end(), 0u);
  std::shuffle(keys.begin(), keys.end(), std::mt19937(1));
  return keys;
}

/// How the runtime's bitonic sort goes about so many keys.
colonnade::detail::bitonic_plan plan_of(uint64_t number) {
  using policy = colonnade::bitonic_sort_policy;
  constexpr auto architecture = colonnade::gpu_architecture::sm_90;
  const colonnade::bitonic_tuning tuning = number < policy::large
                                               ? policy::tuning(architecture, 1)
                                               : policy::large_tuning(architecture, 1);
  return {number, tuning.log2_part, tuning.log2_items};
}

/// Whether the keys are in order then.
template <class Sort> bool sorts(std::vector<uint32_t> keys, Sort sort) {
  std::vector<uint32_t> expected = keys;
  std::sort(expected.begin(), expected.end());
  keys_on_device d_keys(keys.size());
  d_keys.put(keys);
  sort(d_keys.get(), static_cast<uint32_t>(keys.size()));
  check(cudaDeviceSynchronize());
  return d_keys.take(keys.size()) == expected;
}

bool sorts_by_quicksort(const std::vector<uint32_t> &keys, unsigned log2_part, unsigned &levels) {
  return sorts(keys, [&](uint32_t *d_keys, uint32_t number) {
    reference::quicksort sort(d_keys, number, log2_part);
    sort.run();
    check(cudaDeviceSynchronize());
    levels = sort.levels();
  });
}

int count_bitonic(unsigned log2) {
  const colonnade::detail::bitonic_plan plan = plan_of(uint64_t{1} << log2);
  std::printf("part,%u\nlevels,%u\n", plan.log2_part, plan.num_passes());
  return !sorts(shuffled(1u << log2), [](uint32_t *d_keys, uint32_t number) {
    check(colonnade::bitonic_sort_keys(d_keys, number));
  });
}

int count_quick(unsigned log2, unsigned log2_part) {
  unsigned levels = 0;
  const bool is_sorted = sorts_by_quicksort(shuffled(1u << log2), log2_part, levels);
  std::printf("part,%u\nlevels,%u\n", log2_part, levels);
  return !is_sorted;
}

/// Kinds of keys: all different, few values, all equal, in order, the other way, and the largest
/// key, by which leaves are filled up.
uint32_t key_of_kind(int kind, uint32_t key, uint32_t place) {
  switch (kind) {
  case 0:
    return key;
  case 1:
    return key % 5;
  case 2:
    return 7;
  case 3:
    return place / 3;
  case 4:
    return ~place;
  default:
    return key % 2 == 0 ? ~0u : key;
  }
}

int test(uint32_t most) {
  for (uint32_t number : {0u, 1u, 2u, 33u, 1000u, 9001u, 70001u, 1u << 20})
    for (unsigned log2_part : {5u, 10u, 13u})
      for (int kind = 0; kind < 6 && number <= most; ++kind) {
        std::vector<uint32_t> keys = shuffled(number);
        for (uint32_t place = 0; place < number; ++place)
          keys[place] = key_of_kind(kind, keys[place], place);
        unsigned levels = 0;
        if (!sorts_by_quicksort(keys, log2_part, levels)) {
          std::printf("%u keys of kind %d, parts of 2^%u: not in order\n", number, kind, log2_part);
          return 1;
        }
      }
  std::printf("ok\n");
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  const std::string method = argc > 1 ? argv[1] : "";
  const auto number = [&](int k) {
    return argc > k ? static_cast<unsigned>(std::strtoul(argv[k], nullptr, 10)) : 0;
  };
  if (method == "test" && argc == 3)
    return test(number(2));
  if (method == "bitonic" && argc == 3 && number(2) <= 28)
    return count_bitonic(number(2));
  if (method == "quick" && argc == 4 && number(2) <= 28 && number(3) >= 5 && number(3) <= 13)
    return count_quick(number(2), number(3));
  std::fprintf(stderr, "counted_sorts bitonic LOG2 | quick LOG2 LOG2_PART | test MOST\n");
  return 3;
}
