//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels of multisplit on the host, against a stable counting sort: sizes
// around a tile, all shapes of look-back, skewed ids, ids out of range, values,
// portions, hundreds of schedules. Then faults are planted, and must be seen.
//
//===----------------------------------------------------------------------===//

#include "host_keys.hpp"
#include "host_multisplit.hpp"
#include "planted.hpp"

#include <gtest/gtest.h>

#include <algorithm>

using namespace colonnade;
using namespace colonnade::testing;
using detail::no_items;
using detail::nothing;

namespace {

enum class order { count_first, rank_first };

template <uint32_t Threads, uint32_t Items, order Order = order::count_first, bool Discards = false>
struct small_policy : multisplit_policy {
  static constexpr bool discards = Discards;
  static constexpr multisplit_tuning tuning(gpu_architecture, uint32_t, size_t, size_t) {
    multisplit_tuning t;
    t.threads = Threads;
    t.items_per_thread = Items;
    t.rank_first = Order == order::rank_first;
    t.histogram_threads = 64;
    t.histogram_loads = 2;
    t.histogram_copies = 8;
    t.values_early = Order == order::rank_first;
    return t;
  }
};

/// One field changed.
template <auto Change, class Base = small_policy<64, 5>> struct changed : Base {
  static constexpr multisplit_tuning tuning(gpu_architecture architecture, uint32_t bits,
                                            size_t key_bytes, size_t value_bytes) {
    multisplit_tuning t = Base::tuning(architecture, bits, key_bytes, value_bytes);
    Change(t);
    return t;
  }
};

struct modulo {
  uint32_t m;
  uint32_t operator()(uint32_t key) const { return key % m; }
};
struct high_bits { // ids above m occur
  uint32_t operator()(uint32_t key) const { return key >> 24; }
};
struct by_index {
  uint32_t m;
  uint32_t operator()(uint32_t key, uint64_t index) const {
    return static_cast<uint32_t>((key + index / 7) % m);
  }
};
struct some_discarded {
  uint32_t m;
  uint32_t operator()(uint32_t key) const { return key % 5 == 0 ? discard_bucket : key % m; }
};

template <class Bucket> uint32_t call(const Bucket &bucket, uint32_t key, uint64_t index) {
  if constexpr (detail::takes_index<Bucket, uint32_t>)
    return bucket(key, index);
  else
    return bucket(key);
}

struct expected {
  std::vector<uint32_t> from; // source index of every output item
  std::vector<uint64_t> offsets;
  device_status status;
};

template <class Bucket>
expected reference(const std::vector<uint32_t> &keys, uint32_t m, const Bucket &bucket,
                   bool discards) {
  expected e;
  std::vector<std::vector<uint32_t>> lists(m);
  for (uint32_t i = 0; i < keys.size(); ++i) {
    const uint32_t id = call(bucket, keys[i], i);
    if (discards && id == discard_bucket)
      continue;
    if (id >= m && e.status.ok())
      e.status.first = uint64_t{i} << 8 | 1;
    lists[std::min(id, m - 1)].push_back(i);
  }
  for (const auto &list : lists) {
    e.offsets.push_back(e.from.size());
    e.from.insert(e.from.end(), list.begin(), list.end());
  }
  e.offsets.push_back(e.from.size());
  return e;
}

/// By a kernel of up to `Bits` bits, with code for `Least` and more. Empty if the result is
/// right; otherwise what is wrong.
template <class Policy, uint32_t Bits, uint32_t Least = Bits, class Bucket>
std::string pairs(const std::vector<uint32_t> &keys, uint32_t m, Bucket bucket, unsigned seed,
                  host_faults planted = {}, const uint64_t *d_num_items = nullptr,
                  uint64_t first_output = 0) {
  const size_t n = keys.size();
  std::vector<uint32_t> keys_out(n + 8, 0xabababab);
  std::vector<uint64_t> values_out(n + 8, 0xabababab), offsets(m + 2, 0xabababab);
  device_status status;
  std::string wrong = host_multisplit<Policy, detail::ranked_bits<Least, Bits>>(
      seed, planted, keys.data(), part_of_output<uint32_t>{keys_out.data(), first_output},
      detail::index_iterator<uint64_t>{}, part_of_output<uint64_t>{values_out.data(), first_output},
      {d_num_items, n}, m, bucket, offsets.data(), &status, first_output);
  const size_t there = d_num_items ? std::min<size_t>(*d_num_items, n) : n;
  expected e = reference({keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(there)}, m,
                         bucket, Policy::discards);
  if (d_num_items && *d_num_items > n && e.status.ok())
    e.status.first = *d_num_items << 8 | 2;
  for (size_t i = 0; i < n + 8; ++i) {
    const bool written = i < e.from.size();
    if (keys_out[i] != (written ? keys[e.from[i]] : 0xabababab) ||
        values_out[i] != (written ? e.from[i] : 0xabababab))
      return wrong + "item " + std::to_string(i);
  }
  for (uint32_t b = 0; b <= m; ++b)
    if (offsets[b] != e.offsets[b])
      return wrong + "offset " + std::to_string(b);
  if (offsets[m + 1] != 0xabababab)
    return wrong + "an offset too many";
  if (status.first != e.status.first)
    return wrong + "status";
  return wrong;
}

using two_warps = small_policy<64, 5>;
using two_warps_ranked = small_policy<64, 5, order::rank_first>;

TEST(Multisplit, SizesAroundWarpsAndTiles) {
  for (size_t n : {0, 1, 2, 31, 32, 33, 63, 64, 319, 320, 321, 640, 641, 2000, 3201})
    for (uint32_t m : {1, 2, 3, 8, 13, 32}) {
      const auto keys = random_keys(n, m);
      EXPECT_EQ((pairs<two_warps, 5>(keys, m, modulo{m}, m)), "") << n << " " << m;
      EXPECT_EQ((pairs<two_warps_ranked, 5>(keys, m, modulo{m}, m)), "") << n << " " << m;
    }
}

TEST(Multisplit, EveryWidthOfLookBack) { // lanes a bucket: 8, 4, ... 1
  const auto keys = random_keys(2500, 5);
  EXPECT_EQ((pairs<two_warps, 1>(keys, 2, modulo{2}, 1)), "");
  EXPECT_EQ((pairs<two_warps, 2>(keys, 4, modulo{4}, 2)), "");
  EXPECT_EQ((pairs<two_warps, 2>(keys, 3, modulo{3}, 2)), "");
  EXPECT_EQ((pairs<two_warps, 3>(keys, 7, modulo{7}, 3)), "");
  EXPECT_EQ((pairs<two_warps, 4>(keys, 16, modulo{16}, 4)), "");
  EXPECT_EQ((pairs<two_warps, 6>(keys, 64, modulo{64}, 5)), "");
  EXPECT_EQ((pairs<small_policy<256, 2>, 8>(keys, 256, modulo{256}, 6)), "");
  EXPECT_EQ((pairs<small_policy<256, 2, order::rank_first>, 8>(keys, 200, modulo{200}, 6)), "");
}

template <auto Change, class Base = small_policy<64, 5>> void check_changed() {
  for (size_t n : {1, 319, 320, 1500}) {
    const auto keys = random_keys(n, 16);
    EXPECT_EQ((pairs<changed<Change, Base>, 1>(keys, 2, modulo{2}, 1)), "") << n;
    EXPECT_EQ((pairs<changed<Change, Base>, 3>(keys, 8, by_index{8}, 2)), "") << n;
    EXPECT_EQ((pairs<changed<Change, Base>, 3>(keys, 5, by_index{5}, 3)), "") << n;
    EXPECT_EQ((pairs<changed<Change, Base>, 6>(keys, 50, modulo{50}, 4)), "") << n;
  }
}
using tuning = multisplit_tuning;

TEST(Multisplit, EveryWayToCountAndRank) {
  check_changed<[](tuning &t) { t.packed_count_bits = 0; }>();
  check_changed<[](tuning &t) { t.packed_count_bits = 3; }>();
  check_changed<[](tuning &t) { t.two_way = false; }>();
  check_changed<[](tuning &t) { t.rows_at_once = 3; }>();
  check_changed<[](tuning &t) { t.match = match_method::instruction; }>();
  check_changed<[](tuning &t) { t.ticket = false; }>();
}

TEST(Multisplit, ValuesAhead) {
  check_changed<[](tuning &t) { t.value_rows_ahead = 0; }>();
  check_changed<[](tuning &t) { t.value_rows_ahead = 2, t.values_early = true; }>();
  check_changed<[](tuning &t) { t.value_rows_ahead = 5; }>();
}

using ranked_first = small_policy<64, 5, order::rank_first>;
TEST(Multisplit, ValuesInTurn) {
  check_changed<[](tuning &t) { t.values_in_turn = true; }>();
  check_changed<[](tuning &t) { t.values_in_turn = true, t.value_rows_ahead = 2; }>();
  check_changed<[](tuning &t) { t.values_in_turn = true, t.value_rows_ahead = 0; }>();
  check_changed<[](tuning &t) { t.values_in_turn = true; }, ranked_first>();
  const auto keys = random_keys(1500, 12);
  using discarding = small_policy<64, 5, order::count_first, true>;
  using in_turn = changed<[](tuning &t) { t.values_in_turn = true; }, discarding>;
  EXPECT_EQ((pairs<in_turn, 3>(keys, 7, some_discarded{7}, 1)), "");
}

TEST(Multisplit, LookBackLanes) { // 32, 16 and 1 at most; eight words a walking thread
  check_changed<[](tuning &t) { t.look_back_lanes = 32; }>();
  check_changed<[](tuning &t) { t.look_back_lanes = 16; }>();
  check_changed<[](tuning &t) { t.look_back_lanes = 1, t.look_back_window = 8; }>();
}

TEST(Multisplit, OneKernelForSeveralNumbersOfBits) {
  const auto keys = random_keys(1500, 19);
  using by_instruction = changed<[](tuning &t) { t.match = match_method::instruction; }>;
  for (uint32_t m : {1, 2, 3, 4, 5, 8, 9, 16}) {
    EXPECT_EQ((pairs<two_warps, 4, 1>(keys, m, modulo{m}, m)), "") << m;
    EXPECT_EQ((pairs<two_warps_ranked, 4, 1>(keys, m, modulo{m}, m)), "") << m;
    EXPECT_EQ((pairs<by_instruction, 4, 1>(keys, m, modulo{m}, m)), "") << m;
    EXPECT_EQ((pairs<two_warps, 6, 3>(keys, 4 * m, modulo{4 * m}, m)), "") << 4 * m;
  }
}

template <uint32_t MaxBuckets> struct up_to : multisplit_policy {
  static constexpr uint32_t max_buckets = MaxBuckets;
};
struct coarse_policy : multisplit_policy {
  static constexpr uint32_t round_up_bits(uint32_t bits) { return bits <= 3 ? 3 : 8; }
};
template <class Policy, uint32_t Bits, bool Discards = false>
using kernel_for_pairs =
    typename detail::scatter_kernels<Policy, Discards, true>::template of<Bits>;
template <class Policy, uint32_t Bits, bool Discards = false>
using kernel_for_keys =
    typename detail::scatter_kernels<Policy, Discards, false>::template of<Bits>;

TEST(Multisplit, FewKernelsForEveryNumberOfBuckets) {
  using detail::ranked_bits;
  using whole = multisplit_policy;
  static_assert(std::is_same_v<kernel_for_pairs<whole, 1>, ranked_bits<2, 3>>);
  static_assert(std::is_same_v<kernel_for_pairs<whole, 3>, ranked_bits<2, 3>>);
  static_assert(std::is_same_v<kernel_for_pairs<whole, 4>, ranked_bits<4>>);
  static_assert(std::is_same_v<kernel_for_pairs<whole, 5>, ranked_bits<5>>);
  static_assert(std::is_same_v<kernel_for_pairs<whole, 6>, ranked_bits<6>>);
  static_assert(std::is_same_v<kernel_for_pairs<whole, 7>, ranked_bits<7>>);
  static_assert(std::is_same_v<kernel_for_pairs<whole, 8>, ranked_bits<8>>);
  static_assert(std::is_same_v<kernel_for_pairs<up_to<4>, 1>, ranked_bits<2>>); // nothing beyond
  static_assert(std::is_same_v<kernel_for_pairs<up_to<8>, 1>, ranked_bits<2, 3>>);
  static_assert(std::is_same_v<kernel_for_pairs<up_to<8>, 4, true>, ranked_bits<4>>);
  static_assert(std::is_same_v<kernel_for_pairs<coarse_policy, 2>, ranked_bits<3>>);
  static_assert(std::is_same_v<kernel_for_pairs<coarse_policy, 4>, ranked_bits<8>>);
  static_assert(std::is_same_v<kernel_for_keys<whole, 1>, ranked_bits<1>>);
  static_assert(std::is_same_v<kernel_for_keys<whole, 2>, ranked_bits<2, 3>>);
  static_assert(std::is_same_v<kernel_for_keys<whole, 3>, ranked_bits<2, 3>>);
  static_assert(std::is_same_v<kernel_for_keys<whole, 4>, ranked_bits<4>>);
  static_assert(std::is_same_v<kernel_for_keys<whole, 8>, ranked_bits<8>>);
  static_assert(std::is_same_v<kernel_for_keys<up_to<2>, 1>, ranked_bits<1>>);
  static_assert(std::is_same_v<kernel_for_keys<coarse_policy, 1>, ranked_bits<3>>);
}

TEST(Multisplit, OutputsBeyond32Bits) {
  constexpr uint64_t end_of_32_bits = uint64_t{1} << 32;
  const auto keys = random_keys(1500, 20);
  using discarding = small_policy<64, 5, order::count_first, true>;
  using in_turn = changed<[](tuning &t) { t.values_in_turn = true; }>;
  for (uint64_t first : {end_of_32_bits - 700, 3 * end_of_32_bits + 5}) {
    EXPECT_EQ((pairs<two_warps, 3>(keys, 7, modulo{7}, 1, {}, nullptr, first)), "") << first;
    EXPECT_EQ((pairs<in_turn, 3>(keys, 7, modulo{7}, 1, {}, nullptr, first)), "") << first;
    EXPECT_EQ((pairs<two_warps, 3>(keys, 7, by_index{7}, 1, {}, nullptr, first)), "") << first;
    EXPECT_EQ((pairs<discarding, 3>(keys, 7, some_discarded{7}, 1, {}, nullptr, first)), "")
        << first;
  }
  const auto many = random_keys(6000, 21); // several portions
  EXPECT_EQ(
      (pairs<small_policy<64, 1>, 6>(many, 64, modulo{64}, 1, {}, nullptr, end_of_32_bits - 3000)),
      "");
}

TEST(Multisplit, Portions) { // 64 ids: the table holds 128 tiles of 64
  EXPECT_EQ((pairs<small_policy<64, 1>, 6>(random_keys(6000, 6), 64, modulo{64}, 1)), "");
  const auto many = random_keys(40000, 7);
  EXPECT_EQ((pairs<small_policy<64, 1>, 6>(many, 64, modulo{64}, 1)), "");
}

TEST(Multisplit, SkewedIds) {
  std::vector<uint32_t> same(1500, 3), sorted = random_keys(1500, 9);
  std::sort(sorted.begin(), sorted.end(), [](uint32_t a, uint32_t b) { return a % 8 < b % 8; });
  EXPECT_EQ((pairs<two_warps, 3>(same, 8, modulo{8}, 1)), "");
  EXPECT_EQ((pairs<two_warps, 3>(sorted, 8, modulo{8}, 2)), "");
  std::reverse(sorted.begin(), sorted.end());
  EXPECT_EQ((pairs<two_warps, 3>(sorted, 8, modulo{8}, 3)), "");
}

TEST(Multisplit, IndexDependentFunctor) {
  const auto keys = random_keys(1500, 10);
  for (uint32_t m : {1, 2, 5, 8}) {
    EXPECT_EQ((pairs<two_warps, 3>(keys, m, by_index{m}, m)), "") << m;
    EXPECT_EQ((pairs<two_warps_ranked, 3>(keys, m, by_index{m}, m)), "") << m;
  }
}

TEST(Multisplit, IdsOutOfRangeAreReportedAndLoseNothing) {
  const auto keys = random_keys(1500, 11);
  EXPECT_EQ((pairs<two_warps, 5>(keys, 32, high_bits{}, 1)), "");
  EXPECT_EQ((pairs<two_warps, 5>(keys, 17, high_bits{}, 2)), "");
}

TEST(Multisplit, DiscardedItemsAreLeftOut) {
  const auto keys = random_keys(1500, 12);
  using policy = small_policy<64, 5, order::count_first, true>;
  for (uint32_t m : {1, 3, 7})
    EXPECT_EQ((pairs<policy, 3>(keys, m, some_discarded{m}, m)), "") << m;
  EXPECT_EQ((pairs<policy, 3>(keys, 5, high_bits{}, 1)), "");
}

TEST(Multisplit, NumberOfItemsOnTheDevice) {
  const auto keys = random_keys(1500, 17);
  for (uint64_t number : {0, 1, 319, 320, 321, 1499, 1500, 1501})
    for (uint32_t m : {2, 8})
      EXPECT_EQ((pairs<two_warps, 3>(keys, m, modulo{m}, m, {}, &number)), "") << number;
  const auto many = random_keys(6000, 18); // several portions, of which some are empty
  for (uint64_t number : {0, 1, 3000, 5999, 6000})
    EXPECT_EQ((pairs<small_policy<64, 1>, 6>(many, 64, modulo{64}, 1, {}, &number)), "") << number;
}

TEST(Multisplit, KeysAlone) {
  const auto keys = random_keys(1000, 13);
  std::vector<uint32_t> out(1000);
  EXPECT_EQ((host_multisplit<two_warps, detail::ranked_bits<3>>(1, {}, keys.data() + 1, out.data(),
                                                                no_items{}, nothing{}, 999, 5,
                                                                modulo{5}, nullptr, nullptr)),
            "");
  std::vector<uint32_t> sorted(keys.begin() + 1, keys.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](uint32_t a, uint32_t b) { return a % 5 < b % 5; });
  EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), out.begin()));
}

TEST(Multisplit, ManySchedules) {
  const auto keys = random_keys(900, 14);
  for (unsigned seed = 0; seed < 500; ++seed) {
    ASSERT_EQ((pairs<small_policy<64, 3>, 2>(keys, 3, modulo{3}, seed)), "") << seed;
    ASSERT_EQ((pairs<small_policy<64, 3, order::rank_first>, 5>(keys, 20, modulo{20}, seed)), "")
        << seed;
  }
}

TEST(Multisplit, PlantedFaultsAreSeen) {
  const auto keys = random_keys(1500, 15);
  const planted_runs runs("multisplit", host_faults{}, [&](unsigned seed, host_faults f) {
    return pairs<two_warps, 4>(keys, 12, modulo{12}, seed, f);
  });
  runs.expect("dropped_warp_sync", [](host_faults &f) { f.drop_warp_sync = true; });
  runs.expect("dropped_block_sync", [](host_faults &f) { f.drop_block_sync = true; });
  runs.expect("flag_before_value", [](host_faults &f) { f.torn_words = true; });
  runs.expect("dropped_fence", [](host_faults &f) { f.drop_fence = true; });
  runs.expect("unreset_ticket", [](host_faults &f) { f.dirty_ticket = true; });
  runs.expect("unreset_counts", [](host_faults &f) { f.dirty_header = true; });
  runs.expect("unreset_look_back", [](host_faults &f) { f.dirty_words = true; });
  runs.expect("off_by_one_tail", [](host_faults &f) { f.lost_tail = 1; });
  const planted_runs far("multisplit", host_faults{}, [&](unsigned seed, host_faults f) {
    return pairs<two_warps, 4>(keys, 12, modulo{12}, seed, f, nullptr, (uint64_t{1} << 32) - 700);
  });
  far.expect("indices_of_32_bits", [](host_faults &f) { f.thought_near = true; });
}

} // namespace
