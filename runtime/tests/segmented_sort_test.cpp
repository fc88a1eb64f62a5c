//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Segmented sorts on the host: rows of all classes, and of one length, under random
// schedules; planted faults. Longer rows: segmented_sort_large_test.cpp. What they are made
// of: segmented_sort_parts_test.cpp.
//
//===----------------------------------------------------------------------===//

#include "host_rows.hpp"
#include "planted.hpp"

#include <colonnade/detail/segmented_sort/row_blocks.hpp>
#include <colonnade/detail/segmented_sort/row_shape.hpp>
#include <colonnade/detail/segmented_sort/short_rows.hpp>

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

/// Sorts by the class kernels; the outputs' places and keys must be those of the
/// reference; words alone: keys of equal order.
enum class found_by { classes, nobody }; // lists of segments: large inputs have them
template <class Key, found_by Lists = found_by::classes> class listed_sort {
public:
  using raw = typename sorted_as<Key>::raw;

  static std::string places(const segments &s, bool descending, unsigned seed,
                            sort_faults planted = {}) {
    using output = placed_output<Key, uint32_t>;
    const auto keys = some_keys<raw>(s.num_items, seed);
    std::vector<raw> keys_out(s.num_items);
    std::vector<uint32_t> values(s.num_items), values_out(s.num_items, ~0u);
    std::iota(values.begin(), values.end(), 0u);
    const output o{placed_items<Key>(whole_range<Key>(descending)), keys.data(), keys_out.data(),
                   values.data(), values_out.data()};
    std::string wrong = run(s, keys, o, seed, planted);
    const auto from = reference<Key>(keys, s, descending);
    for (size_t i = 0; i < from.size(); ++i)
      if (values_out[i] != from[i] || (from[i] != ~0u && keys_out[i] != keys[from[i]]))
        return wrong + "item " + std::to_string(i);
    return wrong;
  }
  static std::string words(const segments &s, bool descending, unsigned seed,
                           sort_faults planted = {}) {
    const auto keys = some_keys<raw>(s.num_items, seed);
    std::vector<raw> out(s.num_items, raw{77});
    const word_output<Key> o{word_items<Key>(whole_range<Key>(descending)), out.data()};
    std::string wrong = run(s, keys, o, seed, planted);
    const auto from = reference<Key>(keys, s, descending);
    for (size_t i = 0; i < from.size(); ++i)
      if (from[i] == ~0u ? out[i] != 77 : order_of<Key>(out[i]) != order_of<Key>(keys[from[i]]))
        return wrong + "key " + std::to_string(i);
    for (size_t i = 0; i < s.begins.size(); ++i)
      if (!std::is_permutation(out.begin() + s.begins[i], out.begin() + s.ends[i],
                               keys.begin() + s.begins[i]))
        return wrong + "other keys in segment " + std::to_string(i);
    return wrong;
  }

private:
  template <class Output>
  static std::string run(const segments &s, const std::vector<raw> &keys, const Output &output,
                         unsigned seed, sort_faults planted) {
    constexpr uint32_t most = sizeof(typename Output::items::item) <= 8 ? 32 : 16;
    using classes = row_classes<most>;
    using rows_type = listed_rows<const uint32_t *, const uint32_t *>;
    const std::vector<uint32_t> ends = ends_of(s, planted);
    if constexpr (Lists == found_by::nobody) {
      using given = given_segments<const uint32_t *, const uint32_t *>;
      using block = short_rows_block<Output, given, host_machine>;
      const uint32_t count = static_cast<uint32_t>(s.begins.size());
      const bool row_a_warp = seed % 2;
      const uint32_t threads = s.num_items > 3000 ? 1024 : 512,
                     rows = row_a_warp ? threads / 32 : 1;
      device_status status;
      const typename block::arguments a{keys.data(),
                                        output,
                                        {s.begins.data(), ends.data(), count, s.num_items},
                                        row_a_warp,
                                        &status};
      host_grid grid(seed, 2, planted);
      grid.run((count + rows - 1) / rows, threads, block::shared_bytes(threads),
               [&](const host_machine &machine, char *shared) { block(machine, a, shared).run(); });
      return grid.all_complaints() + (status.ok() ? "" : "status");
    }
    const segment_class<const uint32_t *, const uint32_t *, most> class_of{
        s.begins.data(), ends.data(), s.num_items};
    std::vector<uint32_t> list;
    std::vector<uint64_t> class_begin(1, 0);
    for (uint32_t c = 0; c < classes::count; ++c) {
      for (uint32_t i = 0; i < s.begins.size(); ++i)
        if (class_of(i) == c)
          list.push_back(i);
      class_begin.push_back(list.size());
    }
    const listed_rows_arguments<Output, rows_type> a{
        keys.data(), output, {s.begins.data(), ends.data(), list.data(), class_begin.data()}};
    host_grid grid(seed, 2, planted);
    grid.run(2, 64, 2 * row_sorter<Output, most, false, host_machine>::shared_bytes(32),
             [&](const host_machine &machine, char *shared) {
               listed_rows_warps<Output, most>(machine, a, shared);
             });
    grid.run(2, 256, row_sorter<Output, most, true, host_machine>::shared_bytes(256),
             [&](const host_machine &machine, char *shared) {
               listed_rows_blocks<Output, most>(machine, a, shared);
             });
    return grid.all_complaints();
  }
};

segments all_classes(uint32_t most, unsigned seed) {
  std::mt19937 random(seed);
  segments s;
  for (uint32_t border = 1; border <= most; border *= 2)
    for (uint32_t length : {border - 1, border, border + 1})
      for (uint32_t k = 0; k < (border < 64 ? 12u : 1u); ++k)
        s.add(std::min(length, most), random() % 3);
  return s;
}

/// The kernels that sort_equal_rows can launch.
template <uint32_t Most> void expect_shapes() {
  for (uint64_t length = 1; length <= 256 * Most; ++length) {
    const row_shape s = shape_of<Most>(length);
    ASSERT_GE(s.room(), length);
    ASSERT_LE(s.log2_threads, sorts_in_blocks(s.items) ? 8u : 5u) << length << " items";
    ASSERT_LT(s.room(), 4 * length + 4);
  }
}
TEST(SegmentedSort, EveryLengthHasAKernel) {
  expect_shapes<16>();
  expect_shapes<32>();
}

TEST(SegmentedRows, OfAllClasses) {
  EXPECT_EQ(listed_sort<float>::words(all_classes(8192, 1), false, 1), "");
  EXPECT_EQ(listed_sort<float>::places(all_classes(8192, 2), true, 2), "");
  EXPECT_EQ(listed_sort<int64_t>::places(all_classes(4096, 3), false, 3), "");
}
TEST(SegmentedRows, FoundByNobody) {
  using floats = listed_sort<float, found_by::nobody>;
  for (unsigned seed = 0; seed < 6; ++seed)
    EXPECT_EQ(floats::words(all_classes(300, seed), false, seed), "") << seed;
  EXPECT_EQ(floats::words(all_classes(2000, 1), true, 3), "");
  EXPECT_EQ(floats::places(all_classes(1200, 2), false, 4), "");
  EXPECT_EQ((listed_sort<int64_t, found_by::nobody>::places(all_classes(600, 3), true, 5)), "");
}
TEST(SegmentedRows, BadOnesAreReportedAndLeftAlone) {
  const std::vector<uint32_t> begins{0, 5, 9, 12}, ends{3, 4, 9, 15}, keys(15, 1);
  using given = given_segments<const uint32_t *, const uint32_t *>;
  host_grid grid(1);
  device_status status;
  uint32_t lengths[5] = {};
  grid.run(1, 32, 0, [&](const host_machine &machine, char *) {
    const given segments{begins.data(), ends.data(), 4, 14};
    if (machine.lane() < 5)
      lengths[machine.lane()] = segments.row(machine, machine.lane(), &status).length;
  });
  EXPECT_EQ(std::vector<uint32_t>(lengths, lengths + 5), (std::vector<uint32_t>{3, 0, 0, 0, 0}));
  EXPECT_EQ(status.first, uint64_t{1} << 8 | 1);
}

TEST(SegmentedRows, OfOtherTypes) {
  EXPECT_EQ(listed_sort<uint8_t>::words(all_classes(200, 4), true, 4), "");
  EXPECT_EQ(listed_sort<int16_t>::words(all_classes(200, 5), false, 5), "");
  EXPECT_EQ(listed_sort<double>::words(all_classes(200, 6), false, 6), "");
  EXPECT_EQ(listed_sort<int8_t>::places(all_classes(200, 7), true, 7), "");
}
TEST(SegmentedRows, ManySchedules) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    ASSERT_EQ(listed_sort<float>::words(all_classes(300, seed), seed % 2, seed), "") << seed;
    ASSERT_EQ(listed_sort<uint32_t>::places(all_classes(70, seed), seed % 2, seed), "") << seed;
  }
}

/// Bits outside the range decide only between equals; nothing is lost.
TEST(WordItems, BitRanges) {
  for (const auto &[begin, end] :
       {std::pair{0u, 32u}, {0u, 8u}, {5u, 20u}, {31u, 32u}, {9u, 9u}, {0u, 0u}})
    for (const bool descending : {false, true}) {
      const word_range range{sorted_as<int32_t>::flip(descending), begin, end - begin};
      const word_items<int32_t> items(range);
      const uint64_t mask = ((uint64_t{1} << (end - begin)) - 1) << begin;
      const auto keys = some_keys<uint32_t>(64, 3);
      for (uint32_t a : keys) {
        ASSERT_EQ(items.key(items.word(a)), a);
        for (uint32_t b : keys) {
          const uint64_t x = order_of<int32_t>(a) & mask, y = order_of<int32_t>(b) & mask;
          if (x != y) {
            ASSERT_EQ(items.word(a) < items.word(b), (x < y) != descending);
          }
        }
      }
    }
}

/// Rows of one length.
template <uint32_t E>
std::string equal(uint32_t count, uint32_t length, uint32_t log2_threads, bool packs,
                  unsigned seed) {
  using output = word_output<float>;
  segments s;
  for (uint32_t i = 0; i < count; ++i)
    s.add(length, 0);
  const auto keys = some_keys<uint32_t>(s.num_items, seed);
  alignas(16) static uint32_t in[1 << 15], out[1 << 15];
  std::copy(keys.begin(), keys.end(), in);
  std::fill(out, out + (1 << 15), 77u);
  const equal_rows_arguments<output> a{in,
                                       {word_items<float>(whole_range<float>(false)), out},
                                       {count, length},
                                       log2_threads,
                                       packs,
                                       small_divisor(length),
                                       small_divisor(packs ? length / 4 : 1)};
  host_grid grid(seed, 2);
  if (log2_threads <= 5)
    grid.run(((count << log2_threads) + 63) / 64, 64,
             2 * row_sorter<output, E, false, host_machine>::shared_bytes(32),
             [&](const host_machine &machine, char *shared) {
               equal_rows_warps<output, E>(machine, a, shared);
             });
  else
    grid.run(count, 1u << log2_threads,
             row_sorter<output, E, true, host_machine>::shared_bytes(1u << log2_threads),
             [&](const host_machine &machine, char *shared) {
               equal_rows_block<output, E>(machine, a, shared);
             });
  std::string wrong = grid.all_complaints();
  const auto from = reference<float>(keys, s, false);
  for (uint32_t i = 0; i < s.num_items; ++i)
    if (order_of<float>(out[i]) != order_of<float>(keys[from[i]]))
      return wrong + "key " + std::to_string(i);
  return out[s.num_items] == 77 ? wrong : wrong + "written behind the end";
}
TEST(SegmentedRows, Equal) {
  for (uint32_t length : {1, 2, 3, 4})
    EXPECT_EQ(equal<4>(70, length, 0, length == 4, length), "") << length;
  for (uint32_t length : {17, 31, 32})
    for (const bool packs : {false, true})
      EXPECT_EQ(equal<32>(70, length, 0, packs && length == 32, length), "") << length;
  EXPECT_EQ(equal<24>(37, 20, 0, true, 1), "");
  for (uint32_t log2 = 1; log2 <= 5; ++log2)
    for (uint32_t less : {0, 1, 4}) {
      EXPECT_EQ(equal<28>(7, (28u << log2) - less, log2, less != 1, log2), "")
          << log2 << " " << less;
      EXPECT_EQ(equal<32>(5, (32u << log2) - less, log2, less != 1, log2), "")
          << log2 << " " << less;
    }
  EXPECT_EQ(equal<24>(2, 24 * 64 - 5, 6, false, 1), "");
  EXPECT_EQ(equal<28>(3, 28 * 128, 7, false, 2), "");
}

TEST(SegmentedRows, PlantedFaultsAreSeen) {
  segments one;
  one.add(1500, 0);
  const auto warps = [](sort_faults f) {
    return [f](unsigned seed) {
      return listed_sort<float>::words(all_classes(100, 1), false, seed, f);
    };
  };
  const auto blocks = [&](sort_faults f) {
    return [&, f](unsigned seed) { return listed_sort<float>::places(one, false, seed, f); };
  };
  const auto unlisted = [](sort_faults f) {
    return [f](unsigned seed) {
      return listed_sort<float, found_by::nobody>::words(all_classes(100, 1), false, 2 * seed + 1,
                                                         f);
    };
  };
  const auto unlisted_block = [&](sort_faults f) {
    return [&, f](unsigned seed) {
      return listed_sort<float, found_by::nobody>::places(one, false, 2 * seed, f);
    };
  };
  const auto expect = [](const char *fault, auto part, auto change) {
    sort_faults f;
    change(f);
    expect_caught("segmented_sort", fault, part(f), part({}));
  };
  const auto no_warp_sync = [](sort_faults &f) { f.drop_warp_sync = true; };
  const auto no_block_sync = [](sort_faults &f) { f.drop_block_sync = true; };
  const auto lost_item = [](sort_faults &f) { f.lost_item = true; };
  expect("dropped_warp_sync", warps, no_warp_sync);
  expect("dropped_block_sync", blocks, no_block_sync);
  expect("dropped_warp_sync_unlisted", unlisted, no_warp_sync);
  expect("dropped_block_sync_unlisted", unlisted_block, no_block_sync);
  expect("off_by_one_tail_unlisted", unlisted, lost_item);
  expect("off_by_one_tail", warps, lost_item);
}

} // namespace
