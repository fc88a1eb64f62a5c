//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Segmented sorts on the host: rows that no block holds, by the radix sort of large rows
// and by teams of blocks; planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_rows.hpp"
#include "planted.hpp"

#include <colonnade/detail/digits/sort_work.hpp>
#include <colonnade/detail/segmented_sort/large_rows.hpp>
#include <colonnade/detail/segmented_sort/long_rows.hpp>
#include <colonnade/detail/segmented_sort/row_classes.hpp>
#include <colonnade/detail/segmented_sort/short_rows.hpp>

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

/// Segments of more than 100 items by teams, of any length by nobody else.
std::string long_rows(bool descending, unsigned seed, sort_faults planted = {}) {
  using work = sort_work<floating_word<uint32_t>, uint32_t, index_iterator<uint32_t>, uint32_t>;
  using given = given_segments<const uint32_t *, const uint32_t *>;
  using arguments = long_rows_arguments<work, given>;
  using rows = long_rows_block<arguments, host_machine>;
  segments s;
  for (uint32_t length : {0, 1, 100, 101, 700, 3, 100, 256, 1100, 40})
    s.add(length, length % 3);
  const std::vector<uint32_t> ends = ends_of(s, planted);
  const auto keys = some_keys<uint32_t>(s.num_items, seed);
  const auto from = reference<float>(keys, s, descending);
  std::vector<uint32_t> keys_out(s.num_items, 77), spare(s.num_items), places(s.num_items, 77),
      spare_places(s.num_items);
  const uint32_t blocks = 2, stretch = 600;
  const arguments a{{keys.data(),
                     {},
                     {keys_out.data(), spare.data()},
                     {places.data(), spare_places.data()},
                     digits_of_bits(0, 32, sorted_as<float>::flip(descending)),
                     0,
                     stretch},
                    {s.begins.data(), ends.data(), 10, s.num_items},
                    100};
  using block = team_split_block<work, host_machine>;
  const size_t table_bytes = (sizeof(typename rows::table) + 15) / 16 * 16;
  host_grid grid(seed, 2, planted);
  grid.run(
      6 * blocks, 256, table_bytes + block::shared_bytes(stretch),
      [&](const host_machine &machine, char *shared) {
        sort_long_row<arguments>(machine, a, *reinterpret_cast<typename rows::table *>(shared),
                                 shared + table_bytes);
      },
      blocks);
  for (size_t r = 0; r < s.begins.size(); ++r)
    for (uint32_t i = s.begins[r]; i < s.ends[r]; ++i) {
      const bool sorted = s.ends[r] - s.begins[r] > 100;
      if (places[i] != (sorted ? from[i] - s.begins[r] : 77) ||
          keys_out[i] != (sorted ? keys[from[i]] : 77))
        return grid.all_complaints() + "item " + std::to_string(i);
    }
  return grid.all_complaints();
}
TEST(LongRows, ByTeams) {
  for (unsigned seed = 0; seed < 4; ++seed)
    EXPECT_EQ(long_rows(seed % 2, seed), "") << seed;
}

/// Large rows, with small tiles: stable pairs.
struct light_tuning {
  static constexpr multisplit_tuning value = [] {
    multisplit_tuning t;
    t.threads = 256;
    t.items_per_thread = 1;
    t.ticket = false;
    return t;
  }();
};
std::string large(const segments &s, bool descending, unsigned seed, sort_faults planted = {}) {
  using rows_type = listed_rows<const uint32_t *, const uint32_t *>;
  using word = floating_word<uint32_t>;
  using whole = row_scatter_arguments<const uint32_t *, uint32_t *, const uint32_t *, uint32_t *,
                                      digit_ids<word>>;
  constexpr uint32_t tile = 256;
  auto keys = some_keys<uint32_t>(s.num_items, seed);
  std::mt19937 random(seed);
  for (uint32_t &key : keys) // digits that differ from pass to pass
    key = random() % 4 ? static_cast<uint32_t>(random()) : key;
  std::vector<uint32_t> list(s.begins.size()), values(s.num_items), first_tile(list.size() + 1, 99);
  std::iota(list.begin(), list.end(), 0u);
  std::iota(values.begin(), values.end(), 0u);
  const uint64_t class_begin[] = {0, list.size()};
  const size_t most_tiles = s.num_items / tile + list.size();
  const digit_list digits = digits_of_bits(0, 32, sorted_as<float>::flip(descending));
  std::vector<uint32_t> tile_row(most_tiles, 0xeeeeeeee), words(most_tiles * 256, 0xeeeeeeee);
  std::vector<uint32_t> counts(list.size() * digits.count * 256, 0xeeeeeeee),
      tickets(max_digits, 7);
  const std::vector<uint32_t> ends = ends_of(s, planted);
  const large_rows<rows_type> a{{s.begins.data(), ends.data(), list.data(), class_begin},
                                0,
                                tile,
                                digits,
                                first_tile.data(),
                                tile_row.data(),
                                counts.data(),
                                tickets.data()};
  host_grid grid(seed, 2, planted); // of two blocks, one is often left behind
  grid.run(1, 64, 33 * 4, [&](const host_machine &machine, char *shared) {
    number_tiles(machine, a, reinterpret_cast<uint32_t *>(shared));
  });
  const auto clear = [&](bool counts_too) {
    grid.run(2, 64, 0, [&](const host_machine &machine, char *) {
      clear_words(machine, a, words.data(), counts_too);
    });
  };
  clear(!planted.dirty_counts);
  if (planted.dirty_tickets)
    std::fill(tickets.begin(), tickets.end(), 3u);
  grid.run(4, 64, 4 * 256 * 4, [&](const host_machine &machine, char *shared) {
    count_digits(machine, a, keys.data(), word{}, reinterpret_cast<uint32_t *>(shared));
  });
  grid.run(3, 256, 8 * 4, [&](const host_machine &machine, char *shared) {
    make_bases(machine, a, reinterpret_cast<uint32_t *>(shared));
  });
  std::vector<uint32_t> k[2] = {keys, std::vector<uint32_t>(s.num_items, 77)};
  std::vector<uint32_t> v[2] = {values, std::vector<uint32_t>(s.num_items, ~0u)};
  for (uint32_t pass = 0; pass < digits.count; ++pass) {
    if (pass > 0 && !planted.dirty_words)
      clear(false);
    const whole w{
        {k[pass % 2].data(), k[1 - pass % 2].data(), v[pass % 2].data(), v[1 - pass % 2].data()},
        digit_ids<word>(word{}, digits.at[pass]),
        0,
        0,
        0,
        {0, nullptr},
        nullptr,
        words.data(),
        nullptr,
        pass % 2 != 0}; // by the code for near and for far outputs
    using storage = tile_storage<light_tuning, 8, uint32_t, uint32_t>;
    grid.run(5, 256, storage::bytes, [&](const host_machine &machine, char *shared) {
      scatter_tiles<light_tuning>(machine, a, w, pass, shared);
    });
  }
  std::string wrong = grid.all_complaints();
  const auto from = reference<float>(keys, s, descending);
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] != ~0u && (v[0][i] != from[i] || k[0][i] != keys[from[i]]))
      return wrong + "item " + std::to_string(i);
  return wrong;
}
segments large_segments() {
  segments s;
  for (uint32_t length : {1, 255, 256, 257, 3000})
    s.add(length, length % 5);
  return s;
}
TEST(LargeRows, SizesAndSchedules) {
  for (unsigned seed = 0; seed < 2; ++seed)
    EXPECT_EQ(large(large_segments(), seed % 2, seed), "") << seed;
  segments many; // more than the threads that number tiles
  for (uint32_t i = 0; i < 70; ++i)
    many.add(i % 7, 0);
  EXPECT_EQ(large(many, false, 9), "");
}

TEST(LargeRows, PlantedFaultsAreSeen) {
  const auto teams = [](sort_faults f) {
    return [f](unsigned seed) { return long_rows(false, seed, f); };
  };
  const auto rows = [](sort_faults f) {
    return [f](unsigned seed) { return large(large_segments(), false, seed, f); };
  };
  const auto expect = [](const char *fault, auto part, auto change) {
    sort_faults f;
    change(f);
    expect_caught("segmented_sort", fault, part(f), part({}));
  };
  const auto no_warp_sync = [](sort_faults &f) { f.drop_warp_sync = true; };
  const auto no_block_sync = [](sort_faults &f) { f.drop_block_sync = true; };
  expect("dropped_warp_sync_large", rows, no_warp_sync);
  expect("dropped_block_sync_large", rows, no_block_sync);
  expect("flag_before_value", rows, [](sort_faults &f) { f.torn_words = true; });
  expect("unreset_ticket", rows, [](sort_faults &f) { f.dirty_tickets = true; });
  expect("unreset_counts", rows, [](sort_faults &f) { f.dirty_counts = true; });
  expect("unreset_look_back", rows, [](sort_faults &f) { f.dirty_words = true; });
  expect("dropped_warp_sync_team", teams, no_warp_sync);
  expect("dropped_block_sync_team", teams, no_block_sync);
  expect("dropped_team_wait", teams, [](sort_faults &f) { f.drop_team_wait = true; });
  expect("off_by_one_tail_large", rows, [](sort_faults &f) { f.lost_item = true; });
}

} // namespace
