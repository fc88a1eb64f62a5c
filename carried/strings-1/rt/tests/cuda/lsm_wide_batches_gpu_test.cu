//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Batches of keys of 64 bits, which are sorted by their high digits first: keys that are anything;
// such that agree in these digits, few and many; and what a tree learns of them. Each batch fills
// the lowest level, or would if that were empty. At the end all elements beside a sort on the host.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "lsm_case.cuh"

#include <algorithm>

using namespace lsm_test;

namespace {

enum class keys_of { anything, common_lead, few_in_a_run, many_in_a_run, small, one, descending };
constexpr keys_of all_kinds[] = {
    keys_of::anything, keys_of::common_lead, keys_of::few_in_a_run, keys_of::many_in_a_run,
    keys_of::small,    keys_of::one,         keys_of::descending};

uint64_t key_bits(keys_of kind, uint64_t i, uint64_t n, uint64_t seed) {
  const uint64_t random = scramble(seed * 0x100001 + i), low = random & 0xffffffffu;
  switch (kind) {
  case keys_of::anything:
    return random;
  case keys_of::common_lead: // 23 bits
    return random >> 23 | uint64_t{0x1234567} << 41;
  case keys_of::few_in_a_run: // five, of 1,000 different keys each
    return (random >> 32) % (n / 5) << 32 | low % 1000;
  case keys_of::many_in_a_run: // twenty: some are more than one thread puts in order
    return (random >> 32) % (n / 20) << 32 | low;
  case keys_of::small:
    return random % n;
  case keys_of::one:
    return 42;
  case keys_of::descending:
    return (n - i) << 20;
  }
  return 0;
}
template <class Key> Key key_from(uint64_t bits) {
  if constexpr (std::is_floating_point_v<Key>) // no NaN, and no two keys alike that were not
    return static_cast<Key>(static_cast<int64_t>(bits >> 11)) - static_cast<Key>(1 << 20);
  else
    return static_cast<Key>(bits);
}

/// A batch of each kind in turn.
template <class Key> void check(uint64_t n, const std::vector<keys_of> &kinds) {
  using tree_type = lsm_map<Key, uint64_t>;
  const uint64_t all = n * kinds.size();
  std::vector<Key> keys(all);
  std::vector<uint64_t> values(all);
  for (uint64_t b = 0; b < kinds.size(); ++b)
    for (uint64_t i = 0; i < n; ++i) {
      keys[b * n + i] = key_from<Key>(key_bits(kinds[b], i, n, b + n));
      values[b * n + i] = b * n + i;
    }
  tree_type tree;
  lsm_options options;
  options.batch_size = n;
  options.capacity = all;
  CUDA_OK(tree_type::create(tree, options));
  const device_array<Key> d_keys(keys);
  const device_array<uint64_t> d_values(values);
  for (uint64_t b = 0; b < kinds.size(); ++b)
    call_twice([&](void *d_temp, size_t &bytes) {
      return tree.insert_async(d_temp, bytes, d_keys.get() + b * n, d_values.get() + b * n, n);
    });
  std::vector<uint64_t> order = values, right_values;
  std::stable_sort(order.begin(), order.end(),
                   [&](uint64_t a, uint64_t b) { return keys[a] < keys[b]; });
  std::vector<Key> right_keys, got_keys;
  for (uint64_t i = 0; i < all; ++i)
    if (i + 1 == all || keys[order[i]] < keys[order[i + 1]]) { // of equal keys the last
      right_keys.push_back(keys[order[i]]);
      right_values.push_back(order[i]);
    }
  std::vector<uint64_t> got_values;
  CUDA_OK(tree.to_host(got_keys, got_values));
  EXPECT(got_keys == right_keys && got_values == right_values, "%zu batches of %llu", kinds.size(),
         static_cast<unsigned long long>(n));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const uint64_t least = detail::least_by_high_digits;
  if (small_run(argc, argv)) {
    check<uint64_t>(least + 5, {keys_of::few_in_a_run, keys_of::many_in_a_run});
    return gpu_result("wide batches of log-structured merge trees");
  }
  for (const keys_of kind : all_kinds) // the third batch is sorted by what the first has taught
    for (const uint64_t n : {least - 1, least + 5})
      check<uint64_t>(n, {kind, kind, kind, keys_of::anything});
  const std::vector<keys_of> kinds(std::begin(all_kinds), std::end(all_kinds));
  check<int64_t>(4 * least + 1, kinds);
  check<double>(least + 5, kinds);
  // Small keys again and again between others: what is learned of one is wrong for the next.
  std::vector<keys_of> learned;
  for (int i = 0; i < 6; ++i)
    learned.insert(learned.end(), {keys_of::small, keys_of::anything, keys_of::common_lead});
  check<uint64_t>(least, learned);
  return gpu_result("wide batches of log-structured merge trees");
}
