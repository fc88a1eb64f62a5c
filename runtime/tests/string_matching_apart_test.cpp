//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matches that do not overlap, on the host: the rule for all short patterns and texts of two
// letters, put together in any grouping; the kernels under random schedules, in texts of bytes and
// of packed characters; planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_packed_strings.hpp"
#include "planted.hpp"

#include <colonnade/host_string_matching.hpp>

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

using detail::match_cursor;
using detail::match_piece;

/// Of the places in [from, to), by halves that are cut anywhere.
match_piece piece_of(const detail::apart_rule &rule, const std::vector<uint64_t> &places,
                     uint64_t from, uint64_t to, std::mt19937 &random) {
  match_piece piece{};
  if (random() % 3 == 0 || to - from < 2) {
    for (uint64_t i = from; i < to; ++i)
      detail::add_place(rule, piece, places[i]);
    return piece;
  }
  const uint64_t cut = from + random() % (to - from + 1);
  const match_piece first = piece_of(rule, places, from, cut, random);
  return detail::joined(rule, first, piece_of(rule, places, cut, to, random));
}

/// In three pieces, of which a cursor passes the second place by place.
std::vector<uint64_t> chosen_in_pieces(const std::vector<uint64_t> &places,
                                       const detail::apart_rule &rule, uint64_t &number,
                                       std::mt19937 &random) {
  const uint64_t first = random() % (places.size() + 1),
                 second = first + random() % (places.size() - first + 1);
  match_cursor cursor = match_cursor::at_start();
  std::vector<uint64_t> chosen;
  detail::skip_piece(rule, cursor, piece_of(rule, places, 0, first, random));
  for (uint64_t i = first; i < second; ++i)
    if (cursor.pass(rule, places[i]))
      chosen.push_back(cursor.chosen - 1), chosen.push_back(places[i]);
  detail::skip_piece(rule, cursor, piece_of(rule, places, second, places.size(), random));
  number = cursor.chosen;
  return chosen;
}

TEST(ApartMatches, EveryShortPatternInEveryShortText) {
  constexpr uint64_t n = 13;
  std::mt19937 random(1);
  for (uint64_t m = 2; m <= 7; ++m)
    for (uint32_t letters = 0; letters < 1u << (m - 1); ++letters) {
      string_case c{std::vector<uint8_t>(n), std::vector<uint8_t>(m)};
      for (uint64_t i = 0; i < m; ++i)
        c.pattern[i] = letters >> i & 1;
      const uint32_t step = detail::smallest_period(c.pattern.data(), m);
      const detail::apart_rule rule{m, step, static_cast<uint32_t>((m + step - 1) / step)};
      if (rule.every == 1)
        continue;
      for (uint32_t text = 0; text < 1u << n; ++text) {
        for (uint64_t i = 0; i < n; ++i)
          c.text[i] = text >> i & 1;
        const std::vector<uint64_t> places = naive_matches(c), right = naive_apart(c);
        uint64_t number = 0;
        const auto some = chosen_in_pieces(places, rule, number, random);
        ASSERT_EQ(number, right.size()) << m << ", " << letters << " in " << text;
        for (uint64_t i = 0; i < some.size(); i += 2)
          ASSERT_EQ(some[i + 1], right[some[i]]) << m << ", " << letters << " in " << text;
      }
    }
}

std::string wrong_matches(const string_case &c, uint32_t misaligned, uint64_t capacity,
                          unsigned seed, const string_faults &planted = {}) {
  host_matching matching(c, misaligned, seed, planted);
  if (!matching.overlaps())
    return "";
  return wrong_results(matching.match_apart(capacity), naive_apart(c), capacity);
}

TEST(ApartMatches, RandomCases) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const string_case c =
        seed % 3 ? overlapping_case(700 + random() % 6000, random) : random_case(7000, 100, random);
    if (c.pattern.size() <= c.text.size()) {
      ASSERT_EQ(
          wrong_matches(c, random() % 16, random() % 4 ? c.text.size() : 1 + random() % 50, seed),
          "")
          << "seed " << seed;
    }
  }
}

TEST(ApartMatches, OneCharacter) {
  std::mt19937 random(3);
  for (const uint64_t m : {2, 3, 4, 5, 7, 31, 32, 33, 100, 511, 512, 513, 1600}) {
    string_case c{std::vector<uint8_t>(5000, 'a'), std::vector<uint8_t>(m, 'a')};
    EXPECT_EQ(wrong_matches(c, m % 16, 5000, random()), "") << m;
    for (uint64_t k = random() % 900; k < 5000; k += 1 + random() % 900)
      c.text[k] = 'b';
    EXPECT_EQ(wrong_matches(c, m % 16, 5000, random()), "") << m << ", broken";
  }
}

TEST(ApartMatches, PackedTexts) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    packed_case c{
        {1u << random() % 3, packed_letters::numbers}, overlapping_case(4000, random), {}};
    for (auto *characters : {&c.characters.text, &c.characters.pattern})
      for (uint8_t &number : *characters)
        number &= (1u << c.options.bits) - 1;
    if (seed % 3 == 0)
      c.unknown = some_unknown(4000, random);
    const std::vector<uint64_t> right =
        host_non_overlapping(naive_matches(c), c.characters.pattern.size());
    host_packed_matching matching(c, random() % 16, seed);
    if (matching.overlaps()) {
      ASSERT_EQ(wrong_results(matching.match_apart(4000), right, 4000), "") << "seed " << seed;
    }
  }
}

/// Empty if right: the pieces of so many blocks, some of them without places, put together by 64
/// threads.
std::string wrong_cursors(uint64_t blocks, unsigned seed, const faults &planted = {}) {
  std::mt19937 random(seed);
  const uint64_t n = 8000;
  string_case c = overlapping_case(n, random);
  detail::matching_job job{};
  job.length = c.pattern.size();
  job.step = detail::smallest_period(c.pattern.data(), job.length);
  job.every = static_cast<uint32_t>((job.length + job.step - 1) / job.step);
  const detail::apart_rule rule{job.length, job.step, job.every};
  std::vector<match_piece> pieces(blocks);
  const std::vector<uint64_t> places = naive_matches(c);
  for (const uint64_t place : places)
    detail::add_place(rule, pieces[place * blocks / n], place);
  std::vector<match_cursor> cursors(blocks);
  uint64_t number = 0;
  job.block_pieces = pieces.data();
  job.block_cursors = cursors.data();
  job.num_matches = &number;
  job.capacity = ~uint64_t{0};
  host_grid grid(seed, 3, planted);
  grid.run(1, 64, sizeof(detail::apart_place_storage<64>),
           [&](const host_machine &machine, char *shared) {
             detail::place_apart_blocks<64>(
                 machine, job, blocks,
                 *reinterpret_cast<detail::apart_place_storage<64> *>(shared));
           });
  match_cursor right = match_cursor::at_start();
  auto place = places.begin();
  for (uint64_t k = 0; k < blocks; ++k) {
    for (; place != places.end() && *place * blocks / n < k; ++place)
      right.pass(rule, *place);
    if (cursors[k].chosen != right.chosen || cursors[k].last != right.last ||
        cursors[k].phase != right.phase)
      return "block " + std::to_string(k);
  }
  return number == naive_apart(c).size() ? grid.all_complaints() : "number";
}

TEST(ApartMatches, ManyBlocks) {
  for (unsigned seed = 0; seed < 300; ++seed)
    ASSERT_EQ(wrong_cursors(1 + seed * 7 % 1000, seed), "") << "seed " << seed;
}

TEST(ApartMatches, OfTheReference) {
  std::mt19937 random(4);
  for (unsigned i = 0; i < 1000; ++i) {
    const string_case c = random_case(400, 10, random);
    ASSERT_EQ(host_non_overlapping(naive_matches(c), c.pattern.size()), naive_apart(c)) << i;
  }
}

TEST(ApartMatches, PlantedFaults) {
  const auto run = [](unsigned seed, const string_faults &planted) {
    std::mt19937 random(seed);
    const string_case one{std::vector<uint8_t>(3000, 'a'), std::vector<uint8_t>(7, 'a')};
    string_case few{std::vector<uint8_t>(3000, '-'), {'a', 'b', 'c', 'a', 'b'}};
    for (uint64_t at = 5; at + 20 < 3000; at += 3 + random() % 200)
      std::copy(few.pattern.begin(), few.pattern.end(),
                few.text.begin() + static_cast<int64_t>(at));
    return wrong_matches(one, 3, 3000, seed, planted) + wrong_matches(few, 3, 3000, seed, planted);
  };
  const planted_runs places("string_matching", faults{}, [](unsigned seed, const faults &planted) {
    return wrong_cursors(500, seed, planted);
  });
  places.expect("dropped_block_sync", [](auto &f) { f.drop_block_sync = true; });
  const planted_runs runs("string_matching", string_faults{}, run);
  runs.expect("wrong_every", [](auto &f) { f.wrong_every = true; });
  runs.expect("forgotten_blocks", [](auto &f) { f.forgotten_blocks = true; });
  runs.expect("dropped_block_sync", [](auto &f) { f.machine.drop_block_sync = true; });
  // Between any two accesses of a shared piece there are ballots, at which lanes meet here; a GPU
  // needs the warp's barrier all the same, since a ballot does not order memory.
  string_faults unsynchronised;
  unsynchronised.machine.drop_warp_sync = true;
  has_none("string_matching", "dropped_warp_sync", runs.with(unsynchronised));
}

} // namespace
