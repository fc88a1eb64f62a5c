//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matching with mismatches on the host, under random schedules: random and periodic texts of four
// alphabets against the reference, by pieces and by counting; every k, matches at every offset
// around steps and segments; k = 0 against exact matching; how a method is chosen; planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_mismatch_strings.hpp"
#include "planted.hpp"

#include <colonnade/host_string_matching.hpp>

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

std::string wrong_by_any(const mismatch_case &c, uint32_t misaligned, uint64_t capacity,
                         unsigned seed, const mismatch_faults &planted = {}) {
  return seed % 2 ? wrong_mismatches<2>(c, misaligned, capacity, seed, planted)
                  : wrong_mismatches<4>(c, misaligned, capacity, seed, planted);
}
/// By both methods, if there is room for pieces.
std::string wrong_by_both(mismatch_case c, uint32_t misaligned, unsigned seed) {
  c.options.method = mismatch_method::counting;
  std::string wrong = wrong_by_any(c, misaligned, c.text.size(), seed);
  if (can_have_pieces(c)) {
    c.options.method = mismatch_method::pieces;
    wrong += wrong_by_any(c, misaligned, c.text.size(), seed);
  }
  return wrong;
}

TEST(StringMatchingMismatches, Reference) {
  const std::string text = "abcXbcabXYbc", pattern = "abc";
  const auto find = [&](uint32_t most, bool fold) {
    return host_find_mismatches(reinterpret_cast<const uint8_t *>(text.data()), text.size(),
                                reinterpret_cast<const uint8_t *>(pattern.data()), 3, most, fold);
  };
  using all = std::vector<mismatch_match>;
  EXPECT_EQ(find(0, false), (all{{0, 0}}));
  EXPECT_EQ(find(1, false), (all{{0, 0}, {3, 1}, {6, 1}, {9, 1}}));
  EXPECT_TRUE(host_find_mismatches(nullptr, 0, nullptr, 0, 1).empty());
}

TEST(StringMatchingMismatches, RandomCases) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const mismatch_case c = random_mismatch_case(7000, random);
    const uint64_t capacity = random() % 4 ? c.text.size() : random() % 50;
    ASSERT_EQ(wrong_by_any(c, random() % 16, capacity, seed), "") << "seed " << seed;
  }
}

TEST(StringMatchingMismatches, NoneIsExact) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    mismatch_case c = random_mismatch_case(3000, random);
    c.most = 0;
    std::vector<uint64_t> positions;
    for (const mismatch_match &m : right_matches(c)) {
      positions.push_back(m.position);
      ASSERT_EQ(m.mismatches, 0);
    }
    ASSERT_EQ(positions, host_find_matches(c.text.data(), c.text.size(), c.pattern.data(),
                                           c.pattern.size(), {c.options.fold_case}));
    ASSERT_EQ(wrong_by_both(c, seed % 16, seed), "") << "seed " << seed;
  }
}

/// Every k and many lengths: the pattern is the text; at both ends and around borders.
TEST(StringMatchingMismatches, LengthsAndPlaces) {
  std::mt19937 random(2);
  for (uint32_t k = 0; k <= 8; ++k)
    for (const uint64_t m : {k + 1, k + 2, 4 * k + 3, 7 * k + 7, 7 * k + 20, 64u, 65u, 200u}) {
      if (m <= k)
        continue;
      mismatch_case c;
      c.most = k;
      c.pattern = some_text(m, text_kind::random, 256, random);
      c.text = c.pattern;
      EXPECT_EQ(wrong_by_both(c, m % 16, k), "") << "pattern = text, " << m << ", k = " << k;
      c.text = some_text(4500, text_kind::random, 256, random);
      for (const uint64_t at : {uint64_t{0}, 800 + random() % 250, 1900 + random() % 160,
                                2900 + random() % 190, 3900 + random() % 200, 4500 - m})
        put_mismatched(c, at, k + random() % 2, random);
      EXPECT_EQ(wrong_by_both(c, m % 16, k), "") << "places, " << m << ", k = " << k;
    }
}

/// A match begins at every offset around the borders of lanes, steps and segments in turn; each
/// piece in turn is the one that is there exactly.
TEST(StringMatchingMismatches, EveryOffset) {
  std::mt19937 random(3);
  for (uint64_t at = 1024 - 80; at < 1024 + 20; ++at) {
    mismatch_case c;
    c.most = 2;
    c.pattern = some_text(21, text_kind::random, 256, random);
    c.text = some_text(2100, text_kind::one_character, 1, random);
    for (const uint64_t place : {at, at + 1024 - 40}) {
      std::copy(c.pattern.begin(), c.pattern.end(), c.text.begin() + static_cast<int64_t>(place));
      for (uint64_t piece = 0; piece < 3; ++piece)
        if (piece != at % 3)
          c.text[place + 7 * piece + random() % 7] ^= 0x80;
    }
    ASSERT_EQ(wrong_by_both(c, at / 3 % 16, static_cast<unsigned>(at)), "") << at;
  }
}

TEST(StringMatchingMismatches, Methods) {
  const auto counts = [](const std::string &pattern, uint32_t most,
                         mismatch_method method = mismatch_method::automatic) {
    return detail::mismatch_plan(reinterpret_cast<const uint8_t *>(pattern.data()), pattern.size(),
                                 most, 0, method)
        .units.empty();
  };
  const std::string letters = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ.,";
  std::string bytes = letters;
  for (char &c : bytes)
    c = static_cast<char>(c ^ 0x80);
  EXPECT_FALSE(counts(bytes, 8));
  EXPECT_FALSE(counts(bytes.substr(0, 32), 2));
  EXPECT_TRUE(counts(letters, 8)); // words
  EXPECT_TRUE(counts(letters.substr(0, 32), 2));
  EXPECT_TRUE(counts(bytes.substr(0, 32), 4)); // no room
  EXPECT_TRUE(counts(bytes.substr(0, 9), 8));
  EXPECT_TRUE(counts(bytes.substr(0, 9) + bytes.substr(0, 9), 1)); // 9 of 14 are different
  EXPECT_TRUE(counts("ACGTTGCAAGTCATGCATCGACGTACGT", 1));          // four letters
  EXPECT_TRUE(counts("aaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 2));
  EXPECT_TRUE(counts("    ab    cd    efg", 1)); // spaces at a multiple of 4
  EXPECT_FALSE(counts("ACGTTGCAAGTCATGCATCGACGTACGT", 1, mismatch_method::pieces));
  EXPECT_TRUE(counts(letters, 1, mismatch_method::counting));
  // Where there is a choice, the part with most different bytes.
  const std::string spaces = "              " + bytes.substr(0, 20);
  const detail::mismatch_plan plan(reinterpret_cast<const uint8_t *>(spaces.data()), spaces.size(),
                                   1, 0, mismatch_method::automatic);
  EXPECT_EQ(plan.part, 14u);
  EXPECT_EQ(plan.offset, 13u);
  ASSERT_EQ(plan.units.size(), 8u);
  EXPECT_EQ(plan.units[5].offset, 8u);
  const detail::mismatch_plan same(reinterpret_cast<const uint8_t *>("abcabcabcabcab"), 14, 1, 0,
                                   mismatch_method::pieces);
  uint32_t different = 0;
  for (const detail::mismatch_unit &unit : same.units)
    different += unit.is_new;
  EXPECT_EQ(different, 3u);
  EXPECT_FALSE(detail::valid_mismatches(0, 0, mismatch_method::automatic));
  EXPECT_FALSE(detail::valid_mismatches(8, 8, mismatch_method::automatic));
  EXPECT_FALSE(detail::valid_mismatches(20, 9, mismatch_method::automatic));
  EXPECT_FALSE(detail::valid_mismatches(20, 2, mismatch_method::pieces));
  EXPECT_TRUE(detail::valid_mismatches(21, 2, mismatch_method::pieces));
}

TEST(StringMatchingMismatches, PlantedFaults) {
  const auto run = [](unsigned seed, const mismatch_faults &planted) {
    std::mt19937 random(seed);
    mismatch_case c;
    c.most = 1;
    c.pattern = some_text(14, text_kind::random, 256, random);
    std::copy_n(c.pattern.begin(), 7, c.pattern.begin() + 7); // both pieces have the same units
    c.text = some_text(2500, text_kind::random, 256, random);
    c.text.insert(c.text.end(), c.pattern.begin(), c.pattern.end());
    for (uint64_t at = 3; at + 15 < 2500; at += 17) {
      std::copy(c.pattern.begin(), c.pattern.end(), c.text.begin() + static_cast<int64_t>(at));
      for (uint32_t i = 0; i <= at % 3; ++i) // 1 to 3, the first of them in the second piece
        c.text[at + 9 - 4 * i] ^= 1;
    }
    std::string wrong;
    for (const auto method : {mismatch_method::pieces, mismatch_method::counting}) {
      c.options.method = method;
      wrong += wrong_by_any(c, 5, 3000, seed, planted);
    }
    return wrong;
  };
  const planted_runs runs("string_matching_mismatches", mismatch_faults{}, run);
  runs.expect("lost_unit", [](auto &f) { f.lost_unit = true; });
  runs.expect("added_twice", [](auto &f) { f.added_twice = true; });
  runs.expect("one_more", [](auto &f) { f.one_more = true; });
  runs.expect("no_neighbour", [](auto &f) { f.no_neighbour = true; });
  runs.expect("last_wins", [](auto &f) { f.last_wins = true; });
  runs.expect("off_by_one_tail", [](auto &f) { f.lost_tail = 1; });
  runs.expect("dropped_block_sync", [](auto &f) { f.machine.drop_block_sync = true; });
  mismatch_faults torn;
  torn.machine.torn_words = true;
  has_none("string_matching_mismatches", "flag_before_value", runs.with(torn));
  has_none("string_matching_mismatches", "dropped_warp_sync");
  has_none("string_matching_mismatches", "unreset_ticket");
}

} // namespace
