//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The passes of multisplits into more than 256 buckets and of radix sorts on the
// host: digits, words of keys, carried ids, discarding, portions, bounds; planted
// faults.
//
//===----------------------------------------------------------------------===//

#include "host_digit_passes.hpp"
#include "host_keys.hpp"
#include "planted.hpp"

#include <colonnade/detail/arrays/alternating_arrays.hpp>
#include <colonnade/detail/arrays/joined.hpp>
#include <colonnade/detail/digits/key_words.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace colonnade;
using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

template <uint32_t Items> struct small_policy : multisplit_policy {
  static constexpr multisplit_tuning tuning(gpu_architecture, uint32_t, size_t, size_t) {
    multisplit_tuning t;
    t.threads = 256;
    t.items_per_thread = Items;
    return t;
  }
};

TEST(Digits, CoverTheBitsEvenly) {
  for (uint32_t begin = 0; begin <= 64; ++begin)
    for (uint32_t end = begin; end <= 64; ++end) {
      const digit_list list = digits_of_bits(begin, end, 0);
      ASSERT_EQ(list.count, std::max(1u, (end - begin + 7) / 8));
      uint32_t shift = begin;
      for (uint32_t r = 0; r < list.count && begin < end; ++r) {
        ASSERT_EQ(list.at[r].shift, shift);
        ASSERT_LE(list.at[r].num_buckets, 256u);
        ASSERT_EQ(list.at[r].mask + 1, list.at[r].num_buckets);
        while (1u << (shift - list.at[r].shift) < list.at[r].num_buckets)
          ++shift;
      }
      if (begin < end) {
        ASSERT_EQ(shift, end);
      }
    }
  EXPECT_EQ(digits_of_bits(7, 7, 0).at[0].of(~0u), 0u);
}

TEST(Digits, OfBucketIds) {
  for (const bool discards : {false, true})
    for (uint32_t m : {257u, 1000u, 65279u, 65280u, 65281u, 65535u, 65536u, 65537u, 1u << 24,
                       (1u << 24) + 1, max_buckets - 1, max_buckets}) {
      const digit_list list = digits_of_ids(m, discards);
      ASSERT_LE(list.count, 4u) << m;
      ASSERT_GE(list.count, 2u) << m;
      const digit &last = list.at[list.count - 1];
      EXPECT_LE(last.num_ids(), 256u) << m;
      EXPECT_EQ(last.of_id(m - 1), last.num_buckets - 1) << m;
      if (discards) {
        EXPECT_EQ(last.of_id(m), last.num_buckets) << m;
      }
      if (m <= 65280) {
        EXPECT_EQ(list.count, 2u) << m;
      }
    }
  EXPECT_EQ(digits_of_ids(1000, false).at[0].num_buckets, 32u);
  EXPECT_EQ(digits_of_ids(65536, false).count, 2u);
}

struct modulo {
  uint32_t m;
  uint32_t operator()(uint32_t key) const { return key % m; }
};
struct by_index {
  uint32_t m;
  uint32_t operator()(uint32_t key, uint64_t index) const {
    return static_cast<uint32_t>((key + index / 3) % m);
  }
};
struct wild {
  uint32_t m;
  uint32_t operator()(uint32_t key) const { return key % 100 == 7 ? m + key % 5 : key % m; }
};
struct leaky {
  uint32_t m;
  uint32_t operator()(uint32_t key) const { return key % 3 == 0 ? discard_bucket : key % m; }
};

struct expected {
  std::vector<uint32_t> from;
  std::vector<uint64_t> offsets;
  device_status status;
};
template <class Bucket>
expected reference(const std::vector<uint32_t> &keys, uint32_t m, const Bucket &bucket,
                   bool discards) {
  expected e;
  std::vector<uint32_t> id(keys.size());
  for (uint32_t i = 0; i < keys.size(); ++i) {
    if constexpr (takes_index<Bucket, uint32_t>)
      id[i] = bucket(keys[i], i);
    else
      id[i] = bucket(keys[i]);
    if (discards && id[i] == discard_bucket)
      continue;
    if (id[i] >= m && e.status.ok())
      e.status.first = uint64_t{i} << 8 | 1;
    id[i] = std::min(id[i], m - 1);
    e.from.push_back(i);
  }
  std::stable_sort(e.from.begin(), e.from.end(),
                   [&](uint32_t a, uint32_t b) { return id[a] < id[b]; });
  for (uint32_t b = 0; b <= m; ++b)
    e.offsets.push_back(static_cast<uint64_t>(
        std::partition_point(e.from.begin(), e.from.end(), [&](uint32_t i) { return id[i] < b; }) -
        e.from.begin()));
  return e;
}

std::string compare(const expected &e, const std::vector<uint32_t> &keys,
                    const std::vector<uint32_t> &keys_out, const std::vector<uint64_t> &values_out,
                    const std::vector<uint64_t> &offsets, const device_status &status,
                    std::string wrong) {
  for (size_t i = 0; i < keys_out.size(); ++i) {
    const bool written = i < e.from.size();
    if (keys_out[i] != (written ? keys[e.from[i]] : 0xabababab) ||
        values_out[i] != (written ? e.from[i] : 0xabababab))
      return wrong + "item " + std::to_string(i);
  }
  if (offsets != e.offsets)
    return wrong + "offsets";
  return status.first == e.status.first ? wrong : wrong + "status";
}

/// Two passes, asking the functor again.
template <class Policy, bool Discards, class Bucket>
std::string ask_again(const std::vector<uint32_t> &keys, uint32_t m, Bucket bucket, unsigned seed,
                      pass_faults planted = {}) {
  using ids = bucket_ids<Bucket, Discards>;
  const size_t n = keys.size();
  std::vector<uint32_t> middle(n), out(n + 8, 0xabababab);
  std::vector<uint64_t> middle_values(n), values(n + 8, 0xabababab), offsets(m + 1);
  device_status status;
  host_digit_passes<Policy, uint32_t, uint64_t> r(seed, planted, n, digits_of_ids(m, Discards));
  const bucket_word<ids> word{{bucket, m}};
  EXPECT_EQ(r.plan.digits.count, 2u);
  r.count(keys.data(), ids{bucket, m}, nothing{}, &status);
  r.scatter(0, word, keys.data(), middle.data(), index_iterator<uint64_t>{}, middle_values.data());
  r.scatter(1, word, static_cast<const uint32_t *>(middle.data()), out.data(),
            static_cast<const uint64_t *>(middle_values.data()), values.data());
  r.bounds(out.data(), word, m, offsets.data());
  return compare(reference(keys, m, bucket, Discards), keys, out, values, offsets, status,
                 r.complaints());
}

/// Two passes over ids that are written once; keys and values are joined.
template <class Policy, bool Discards, class Bucket>
std::string carried(const std::vector<uint32_t> &keys, uint32_t m, Bucket bucket, unsigned seed) {
  using ids = bucket_ids<Bucket, Discards>;
  using joined = joined_item<uint32_t, uint64_t>;
  const size_t n = keys.size();
  std::vector<uint32_t> a(n), b(n), middle(n), out(n + 8, 0xabababab);
  std::vector<uint64_t> middle_values(n), values(n + 8, 0xabababab), offsets(m + 1);
  device_status status;
  host_digit_passes<Policy, uint32_t, joined> r(seed, {}, n, digits_of_ids(m, Discards));
  const same_word<Discards> word;
  const spare_arrays<uint32_t, uint64_t> spare{middle.data(), middle_values.data()};
  r.count(keys.data(), ids{bucket, m}, a.data(), &status);
  r.scatter(0, word, static_cast<const uint32_t *>(a.data()), b.data(),
            join_inputs(keys.data(), index_iterator<uint64_t>{}),
            join_outputs(spare.keys_out(), spare.values_out()));
  r.scatter(1, word, static_cast<const uint32_t *>(b.data()), a.data(),
            join_inputs(spare.keys_in(), spare.values_in()),
            join_outputs(out.data(), values.data()));
  r.bounds(static_cast<const uint32_t *>(a.data()), word, m, offsets.data());
  return compare(reference(keys, m, bucket, Discards), keys, out, values, offsets, status,
                 r.complaints());
}

using policy = small_policy<2>;

TEST(Digits, OfIdsByMultiplication) {
  std::mt19937 random(4);
  for (uint32_t m : {2u, 3u, 200u, 256u, 257u, 1000u, 65536u, 1u << 20, 1u << 31}) {
    const digit_list digits = digits_of_ids(m, false);
    for (uint32_t r = 0; r < digits.count; ++r)
      for (int i = 0; i < 100; ++i) {
        const uint32_t id = i == 0 ? m - 1 : static_cast<uint32_t>(random()) % m;
        EXPECT_EQ(id_digit(digits.at[r]).of(id), digits.at[r].of(id)) << m << " " << id;
      }
  }
}

TEST(ManyBuckets, SizesAndBuckets) {
  for (size_t n : {0, 1, 33, 511, 512, 513, 3000})
    for (uint32_t m : {257, 1000, 65536})
      EXPECT_EQ((ask_again<policy, false>(random_keys(n, m), m, modulo{m}, m)), "")
          << n << " " << m;
}
TEST(ManyBuckets, CarriedIds) {
  for (size_t n : {0, 1, 513, 3000})
    for (uint32_t m : {257, 1000, 65536})
      EXPECT_EQ((carried<policy, false>(random_keys(n, m), m, by_index{m}, m)), "")
          << n << " " << m;
}
TEST(ManyBuckets, Portions) { // tiles of 256, at most 32 in the table
  EXPECT_EQ((ask_again<small_policy<1>, false>(random_keys(20000, 5), 60000, modulo{60000}, 3)),
            "");
}
TEST(ManyBuckets, BadIdsAndDiscarding) {
  const auto keys = random_keys(2500, 6);
  for (uint32_t m : {257, 1000, 65280}) {
    EXPECT_EQ((ask_again<policy, false>(keys, m, wild{m}, m)), "") << m;
    EXPECT_EQ((ask_again<policy, true>(keys, m, leaky{m}, m)), "") << m;
    EXPECT_EQ((ask_again<policy, true>(keys, m, wild{m}, m)), "") << m;
    EXPECT_EQ((carried<policy, true>(keys, m, leaky{m}, m)), "") << m;
    EXPECT_EQ((carried<policy, false>(keys, m, wild{m}, m)), "") << m;
  }
  EXPECT_EQ((ask_again<policy, true>(keys, 256, leaky{256}, 1)), ""); // 257 with the discarded
}
TEST(ManyBuckets, ManySchedules) {
  const auto keys = random_keys(1600, 7);
  for (unsigned seed = 0; seed < 20; ++seed)
    ASSERT_EQ((ask_again<policy, false>(keys, 700, modulo{700}, seed)), "") << seed;
}

/// A radix sort of pairs (key, index), as dispatch.cuh runs it.
template <class Key>
std::string sort_pairs(const std::vector<Key> &keys, bool descending, uint32_t begin, uint32_t end,
                       bool in_two_buffers, std::vector<uint32_t> &from, unsigned seed = 1,
                       pass_faults planted = {}) {
  using as = sorted_as<Key>;
  using raw = typename as::raw;
  const size_t n = keys.size();
  const digit_list digits = digits_of_bits(begin, end, as::flip(descending));
  host_digit_passes<small_policy<4>, raw, uint32_t> r(seed, planted, n, digits);
  std::vector<raw> in(n), a(n), b(n);
  std::vector<uint32_t> values_in(n), va(n), vb(n);
  std::memcpy(in.data(), keys.data(), n * sizeof(Key));
  std::iota(values_in.begin(), values_in.end(), 0u);
  const bool odd = digits.count % 2;
  raw *const first = in.data();
  const alternating_arrays<raw> k =
      in_two_buffers ? alternating_arrays<raw>{odd ? a.data() : first, odd ? first : a.data()}
                     : alternating_arrays<raw>{a.data(), b.data()};
  const alternating_arrays<uint32_t> v =
      in_two_buffers ? alternating_arrays<uint32_t>{odd ? va.data() : values_in.data(),
                                                    odd ? values_in.data() : va.data()}
                     : alternating_arrays<uint32_t>{va.data(), vb.data()};
  r.count(static_cast<const raw *>(first), word_ids<typename as::word>{}, nothing{}, nullptr);
  for (uint32_t d = 0; d < digits.count; ++d)
    r.scatter(d, typename as::word{}, d ? k.from(d, digits.count) : first, k.to(d, digits.count),
              d ? v.from(d, digits.count) : values_in.data(), v.to(d, digits.count));
  from.assign(v.output, v.output + n);
  std::string wrong = r.complaints();
  for (size_t i = 0; i < n; ++i)
    if (std::memcmp(&k.output[i], &keys[from[i]], sizeof(Key)) != 0)
      return wrong + "key " + std::to_string(i);
  return wrong;
}

template <class Key, class Less>
void check_sort(const std::vector<Key> &keys, Less less, bool descending) {
  std::vector<uint32_t> right(keys.size()), from;
  std::iota(right.begin(), right.end(), 0u);
  std::stable_sort(right.begin(), right.end(), [&](uint32_t a, uint32_t b) {
    return descending ? less(keys[b], keys[a]) : less(keys[a], keys[b]);
  });
  for (const bool in_two_buffers : {false, true}) {
    EXPECT_EQ(sort_pairs(keys, descending, 0, 8 * sizeof(Key), in_two_buffers, from), "");
    EXPECT_EQ(from, right);
  }
}

template <class Key> std::vector<Key> varied(size_t n) {
  std::mt19937_64 random(n + sizeof(Key));
  std::vector<Key> keys(n);
  for (Key &k : keys) {
    const uint64_t bits = random(), other = random();
    const uint64_t mixed = other % 3 ? bits : bits & random() & random();
    std::memcpy(&k, &mixed, sizeof(Key));
  }
  return keys;
}

template <class Key> class SortOf : public ::testing::Test {};
using integers =
    ::testing::Types<uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(SortOf, integers);
TYPED_TEST(SortOf, Integers) {
  for (size_t n : {0, 1, 2, 1023, 1500})
    for (const bool descending : {false, true})
      check_sort(varied<TypeParam>(n), std::less<TypeParam>{}, descending);
}

template <class Key> void check_floats() {
  std::vector<Key> keys = varied<Key>(1500);
  const Key inf = std::numeric_limits<Key>::infinity(), nan = std::numeric_limits<Key>::quiet_NaN();
  const Key special[] = {
      Key(0), -Key(0), inf, -inf, nan, -nan, std::numeric_limits<Key>::denorm_min()};
  for (size_t i = 0; i < 300; ++i)
    keys[i * 5] = special[i % std::size(special)];
  using raw = typename sorted_as<Key>::raw;
  const auto rank = [](Key x) { // NaN by its bits, outside the infinities
    raw bits;
    std::memcpy(&bits, &x, sizeof x);
    const raw magnitude = bits & static_cast<raw>(~raw{0} >> 1);
    return std::pair<bool, raw>(bits == magnitude || magnitude == 0,
                                bits == magnitude || magnitude == 0 ? magnitude
                                                                    : static_cast<raw>(~magnitude));
  };
  for (const bool descending : {false, true})
    check_sort(keys, [&](Key a, Key b) { return rank(a) < rank(b); }, descending);
}
TEST(RadixSort, FloatsZerosAndNaNs) {
  check_floats<float>();
  check_floats<double>();
}

TEST(RadixSort, BitRanges) {
  const auto keys = varied<uint32_t>(1500);
  const std::pair<uint32_t, uint32_t> ranges[] = {{0, 1}, {3, 20}, {31, 32},
                                                  {8, 8}, {0, 9},  {32, 32}};
  for (const auto &[begin, end] : ranges) {
    std::vector<uint32_t> right(keys.size()), from;
    std::iota(right.begin(), right.end(), 0u);
    const uint64_t mask = ((uint64_t{1} << (end - begin)) - 1) << begin;
    std::stable_sort(right.begin(), right.end(),
                     [&](uint32_t a, uint32_t b) { return (keys[a] & mask) > (keys[b] & mask); });
    EXPECT_EQ(sort_pairs(keys, true, begin, end, false, from), "");
    EXPECT_EQ(from, right) << begin << " " << end;
  }
}

/// The passes are those of a multisplit into many buckets too.
TEST(RadixSort, PlantedFaultsAreSeen) {
  std::vector<uint32_t> keys = varied<uint32_t>(2500), right = keys;
  std::sort(right.begin(), right.end());
  const planted_runs runs("radix_sort", pass_faults{}, [&](unsigned seed, pass_faults f) {
    std::vector<uint32_t> from;
    std::string wrong = sort_pairs(keys, false, 0, 32, false, from, seed, f);
    for (size_t i = 0; i < right.size() && wrong.empty(); ++i)
      if (keys[from[i]] != right[i] || (i > 0 && right[i - 1] == right[i] && from[i - 1] > from[i]))
        wrong = "order";
    return wrong;
  });
  runs.expect("dropped_warp_sync", [](pass_faults &f) { f.drop_warp_sync = true; });
  runs.expect("dropped_block_sync", [](pass_faults &f) { f.drop_block_sync = true; });
  runs.expect("flag_before_value", [](pass_faults &f) { f.torn_words = true; });
  runs.expect("dropped_fence", [](pass_faults &f) { f.drop_fence = true; });
  runs.expect("unreset_ticket", [](pass_faults &f) { f.dirty_tickets = true; });
  runs.expect("unreset_counts", [](pass_faults &f) { f.dirty_header = true; });
  runs.expect("off_by_one_tail", [](pass_faults &f) { f.lost_tail = 1; });
  const auto more = random_keys(20000, 8); // in small tiles, so many of them
  const auto asked_again = [&](pass_faults f) {
    return [&, f](unsigned seed) {
      return ask_again<small_policy<1>, false>(more, 700, modulo{700}, seed, f);
    };
  };
  pass_faults dirty, unturned;
  dirty.dirty_words = true;
  unturned.unturned = true;
  expect_caught("radix_sort", "unturned_look_back", asked_again(unturned), asked_again({}));
  expect_caught("radix_sort", "unreset_look_back", asked_again(dirty), asked_again({}));
}

} // namespace
