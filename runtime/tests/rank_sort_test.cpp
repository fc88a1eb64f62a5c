//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rank sorts on the host, of whole inputs and of segments, against stable sorts: rows
// around lines and shares, the smallest and the greatest word, equal keys everywhere. Then
// faults are planted, and must be seen.
//
//===----------------------------------------------------------------------===//

#include "host_machine.hpp"
#include "planted.hpp"

#include <colonnade/detail/digits/digit_order.hpp>
#include <colonnade/detail/digits/key_words.hpp>
#include <colonnade/detail/rank_sort/rank_sort.hpp>
#include <colonnade/detail/segmented_sort/segment_shares.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

using namespace colonnade;
using namespace colonnade::testing;
using namespace colonnade::detail;

namespace {

struct rank_faults : faults {
  uint32_t lost_tail = 0; // so many items at the end of every row are forgotten
};

/// Segments in an array of num_items; those that are bad end before they begin.
struct segments {
  std::vector<uint32_t> begins, ends;
  uint32_t num_items = 0;
  void add(uint32_t length, uint32_t gap) {
    begins.push_back(num_items);
    ends.push_back(num_items + length);
    num_items += length + gap;
  }
};

/// Many equal ones, 0 and the greatest among them.
template <class Key> std::vector<Key> some_keys(size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Key> keys(n);
  for (Key &k : keys) {
    const uint64_t kind = random() % 5;
    k = static_cast<Key>(kind == 0   ? 0
                         : kind == 1 ? ~uint64_t{0}
                                     : random() % (kind == 2 ? 9 : ~0ull));
  }
  return keys;
}

/// An array that planted faults may not leave.
template <class T> struct guarded_array {
  std::vector<T> *items;
  explicit operator bool() const { return items != nullptr; }
  T &operator[](uint64_t i) const {
    static T nowhere;
    return i < items->size() ? (*items)[i] : nowhere;
  }
};

/// rank_sort_arguments of a sort of keys with their places in the row.
template <class Key, class Word, class Rows> struct place_arguments {
  using key = Key;
  using value = uint32_t;
  using word = decltype(digit_order<Word>(digit_list{}).word(Key{}));
  static constexpr bool has_values = true;

  const Key *keys_in;
  guarded_array<Key> keys_out;
  index_iterator<uint32_t> values_in;
  guarded_array<uint32_t> values_out;
  digit_order<Word> order;
  Rows rows;
};

template <class Arguments>
std::string run(const Arguments &a, uint32_t blocks, uint32_t threads, unsigned seed,
                const rank_faults &planted) {
  using block = rank_sort_block<Arguments, host_machine>;
  host_grid grid(seed, 3, planted);
  grid.run(blocks, threads, block::shared_bytes(threads),
           [&](const host_machine &machine, char *shared) { block(machine, a, shared).run(); });
  return grid.all_complaints();
}

/// Keys in `order` of bits [begin, end), and where they come from. Empty: right.
template <class Key>
std::string sort(uint32_t n, uint32_t threads, unsigned seed, rank_faults planted = {},
                 uint32_t begin = 0, uint32_t end = 8 * sizeof(Key), uint64_t flip = 0) {
  const auto keys = some_keys<Key>(n, seed);
  std::vector<Key> keys_out(n + 1, 77);
  std::vector<uint32_t> places(n + 1, 77), from(n);
  const place_arguments<Key, integer_word<Key>, one_row> a{
      keys.data(),
      {&keys_out},
      {},
      {&places},
      digit_order<integer_word<Key>>(digits_of_bits(begin, end, flip)),
      one_row{n - planted.lost_tail}};
  std::string wrong = run(a, (n + share_items - 1) / share_items + 1, threads, seed, planted);
  std::iota(from.begin(), from.end(), 0u);
  const uint64_t mask = end == begin ? 0 : (~uint64_t{0} >> (64 - (end - begin))) << begin;
  std::stable_sort(from.begin(), from.end(), [&](uint32_t x, uint32_t y) {
    return ((keys[x] ^ flip) & mask) < ((keys[y] ^ flip) & mask);
  });
  for (uint32_t i = 0; i < n; ++i)
    if (places[i] != from[i] || keys_out[i] != keys[from[i]])
      return wrong + "item " + std::to_string(i);
  return keys_out[n] == 77 && places[n] == 77 ? wrong : wrong + "written behind the end";
}

TEST(RankSort, RowsAroundLinesAndShares) {
  for (uint32_t n : {1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300})
    for (uint32_t threads : {32, 128})
      EXPECT_EQ(sort<uint32_t>(n, threads, n), "") << n << " " << threads;
}
TEST(RankSort, OfOtherTypesAndBits) {
  for (uint32_t n : {5, 200}) {
    EXPECT_EQ(sort<uint64_t>(n, 64, 1), "") << n;
    EXPECT_EQ(sort<uint8_t>(n, 64, 2), "") << n;
    EXPECT_EQ(sort<uint64_t>(n, 32, 3, {}, 5, 40), "") << n;
    EXPECT_EQ(sort<uint32_t>(n, 64, 4, {}, 3, 17, ~uint32_t{0}), "") << n;
    EXPECT_EQ(sort<uint32_t>(n, 64, 5, {}, 7, 7), "") << n; // no bits: all keep their places
  }
}
TEST(RankSort, ManyLinesAWarp) { // more than are loaded together
  EXPECT_EQ(sort<uint32_t>(700, 32, 1), "");
  EXPECT_EQ(sort<uint64_t>(500, 64, 2), "");
  EXPECT_EQ(sort<uint32_t>(1100, 512, 3), "");
}
TEST(RankSort, ManySchedules) {
  for (unsigned seed = 0; seed < 20; ++seed)
    ASSERT_EQ(sort<uint32_t>(290, 64, seed), "") << seed;
}

using given = given_segments<const uint32_t *, const uint32_t *>;

/// Pairs of floats and their places, segment by segment; what lies in none stays.
std::string sort_segments(const segments &s, uint32_t threads, unsigned seed,
                          rank_faults planted = {}, uint64_t status_wanted = ~uint64_t{0}) {
  using rows = segment_shares<given>;
  const auto keys = some_keys<uint32_t>(s.num_items, seed);
  std::vector<uint32_t> keys_out(s.num_items + 1, 77), places(s.num_items + 1, 77), ends = s.ends;
  for (size_t i = 0; i < ends.size(); ++i)
    if (s.begins[i] < ends[i])
      ends[i] -= planted.lost_tail;
  device_status status;
  const rows shares{{s.begins.data(), ends.data(), static_cast<uint32_t>(ends.size()), s.num_items},
                    &status};
  const place_arguments<uint32_t, floating_word<uint32_t>, rows> a{
      keys.data(),
      {&keys_out},
      {},
      {&places},
      digit_order<floating_word<uint32_t>>(digits_of_bits(0, 32, 0)),
      shares};
  const std::string wrong = run(a, shares.most_shares(), threads, seed, planted);
  std::vector<uint32_t> want(s.num_items + 1, 77);
  for (size_t r = 0; r < s.begins.size(); ++r) {
    if (s.ends[r] < s.begins[r] || s.ends[r] > s.num_items)
      continue;
    std::vector<uint32_t> from(s.ends[r] - s.begins[r]);
    std::iota(from.begin(), from.end(), 0u);
    const auto word = [&](uint32_t i) { return floating_word<uint32_t>{}(keys[s.begins[r] + i]); };
    std::stable_sort(from.begin(), from.end(),
                     [&](uint32_t x, uint32_t y) { return word(x) < word(y); });
    std::copy(from.begin(), from.end(), want.begin() + s.begins[r]);
    for (uint32_t i = 0; i < from.size(); ++i)
      if (keys_out[s.begins[r] + i] != keys[s.begins[r] + from[i]])
        return wrong + "segment " + std::to_string(r) + ", key " + std::to_string(i);
  }
  if (places != want)
    return wrong + "places";
  return status.first == status_wanted ? wrong : wrong + "status";
}

segments of_lengths(std::vector<uint32_t> lengths) {
  segments s;
  for (uint32_t length : lengths)
    s.add(length, length % 3);
  return s;
}
TEST(RankSort, Segments) {
  EXPECT_EQ(sort_segments(of_lengths({200}), 64, 1), "");
  EXPECT_EQ(sort_segments(of_lengths({0, 5, 1, 9, 0, 20, 3}), 32, 2), ""); // a share each
  EXPECT_EQ(sort_segments(of_lengths({0, 63, 64, 65, 0, 129, 1, 8, 9, 300, 0}), 128, 3), "");
}
TEST(RankSort, MoreSegmentsThanLanes) {
  for (uint32_t count : {31, 32, 33, 64, 65, 200, 1024}) {
    segments s;
    for (uint32_t i = 0; i < count; ++i)
      s.add(i % 7 == 3 ? 70 + i % 60 : i % 3, i % 2);
    EXPECT_EQ(sort_segments(s, 32, count), "") << count;
  }
}
TEST(RankSort, BadSegmentsAreReportedAndLeftAlone) {
  for (uint32_t length : {4, 90}) { // a share each, and looked for
    segments s = of_lengths({length, 7, length, 12});
    s.ends[1] = s.begins[1] - 1;
    s.ends[3] = s.num_items + 1;
    EXPECT_EQ(sort_segments(s, 32, 1, {}, uint64_t{1} << 8 | 1), "") << length;
  }
  segments alone = of_lengths({100});
  alone.ends[0] = alone.num_items + 1;
  EXPECT_EQ(sort_segments(alone, 64, 1, {}, 1), "");
}

TEST(RankSort, PlantedFaultsAreSeen) {
  const auto caught = [](auto run, auto change) {
    rank_faults f;
    change(f);
    return shows([&](unsigned seed) { return run(seed, f); });
  };
  const auto rows = [](unsigned seed, rank_faults f) { return sort<uint32_t>(700, 64, seed, f); };
  const auto listed = [](unsigned seed, rank_faults f) {
    return sort_segments(of_lengths({300, 5, 290}), 64, seed, f);
  };
  const auto no_warp_sync = [](rank_faults &f) { f.drop_warp_sync = true; };
  const auto no_block_sync = [](rank_faults &f) { f.drop_block_sync = true; };
  const auto no_tail = [](rank_faults &f) { f.lost_tail = 1; };
  EXPECT_TRUE(caught(rows, no_warp_sync) && caught(rows, no_block_sync) && caught(rows, no_tail));
  EXPECT_TRUE(caught(listed, no_warp_sync) && caught(listed, no_block_sync) &&
              caught(listed, no_tail));
}

} // namespace
