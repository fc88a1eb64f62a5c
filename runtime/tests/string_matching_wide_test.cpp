//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// String matching in texts of 16-bit characters on the host, under random schedules: the cases of
// bytes, in characters that differ in either byte; matches at every offset around rows and
// segments; case; matches that do not overlap; sampled choices; the serial reference; planted
// faults.
//
//===----------------------------------------------------------------------===//

#include "host_strings.hpp"
#include "planted.hpp"

#include <colonnade/host_string_matching.hpp>

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

using host_wide_matching = basic_host_matching<uint16_t>;

std::vector<uint16_t> wide_of(const std::vector<uint8_t> &bytes) {
  std::vector<uint16_t> wide(bytes.size());
  std::transform(bytes.begin(), bytes.end(), wide.begin(), character_of<uint16_t>);
  return wide;
}

/// Empty if right.
std::string wrong_wide_matches(const string_case &c, uint32_t misaligned, bool sampled,
                               uint64_t capacity, unsigned seed,
                               const string_faults &planted = {}) {
  host_wide_matching matching(c, misaligned, seed, planted);
  if (sampled)
    matching.sample();
  const std::string all = wrong_results(matching.match(capacity), naive_matches(c), capacity);
  if (!all.empty() || !matching.overlaps())
    return all;
  const std::string some = wrong_results(matching.match_apart(capacity), naive_apart(c), capacity);
  return some.empty() ? "" : "apart: " + some;
}

std::string random_wide_run(unsigned seed, const string_faults &planted = {}) {
  std::mt19937 random(seed);
  const string_case c = seed % 4 ? random_case(5000, 100, random) : overlapping_case(3000, random);
  if (c.pattern.size() > c.text.size())
    return "";
  const bool sampled = c.pattern.size() > 4 && random() % 2;
  const uint64_t capacity = random() % 4 ? c.text.size() : 1 + random() % 50;
  return wrong_wide_matches(c, random() % 16, sampled, capacity, seed, planted);
}

TEST(WideStringMatching, RandomCases) {
  for (unsigned seed = 0; seed < 300; ++seed)
    ASSERT_EQ(random_wide_run(seed), "") << "seed " << seed;
}

TEST(WideStringMatching, EveryOffsetAroundRowsAndSegments) {
  std::mt19937 random(5);
  for (const std::string pattern : {"x", "xy", "xyz", "wxyz", "vwxyz", "abcdefghijklmnopqrs"})
    for (uint64_t at = 230; at < 275; at += 2)
      for (const uint64_t border : {0, 256, 768}) {
        string_case c{std::vector<uint8_t>(1100, '-'), bytes_of(pattern)};
        std::copy(pattern.begin(), pattern.end(),
                  c.text.begin() + static_cast<int64_t>(border + at));
        ASSERT_EQ(wrong_wide_matches(c, static_cast<uint32_t>(at % 16), false, 1, random()), "")
            << pattern << " at " << border + at;
      }
}

TEST(WideStringMatching, LengthsAndPlaces) {
  std::mt19937 random(6);
  for (uint64_t m = 1; m < 70; ++m) {
    string_case whole{some_text(m, text_kind::random, 256, random), {}};
    whole.pattern = whole.text;
    EXPECT_EQ(wrong_wide_matches(whole, m % 16, false, 3, random()), "") << "pattern = text, " << m;
    string_case ends{some_text(600, text_kind::random, 2, random), {}};
    ends.pattern.assign(ends.text.end() - static_cast<int64_t>(m), ends.text.end());
    std::copy(ends.pattern.begin(), ends.pattern.end(), ends.text.begin());
    EXPECT_EQ(wrong_wide_matches(ends, m % 16, m > 4, 2000, random()), "") << "both ends, " << m;
  }
}

TEST(WideStringMatching, DenseMatches) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const string_case c = dense_case(seed);
    const uint64_t found = naive_matches(c).size(),
                   capacity = seed % 3 ? found + seed % 2 : 1 + seed * 7919 % (found + 1);
    ASSERT_EQ(wrong_wide_matches(c, seed % 16, false, capacity, seed), "") << seed;
  }
}

/// All characters of 16 bits.
TEST(WideStringMatching, LettersAreFoldedAndNothingElse) {
  using letters = detail::letters<uint16_t>;
  for (uint32_t c = 0; c < 65536; ++c) {
    const uint32_t lower = c >= 'A' && c <= 'Z' ? c + 32 : c;
    const uint32_t fold = letters::all_case_bits;
    ASSERT_EQ(letters::lower(c * 0x10001u, fold), lower * 0x10001u) << c;
    ASSERT_EQ(letters::lower(c << 16 | 0x415au, 0), c << 16 | 0x415au);
    const bool small = c >= 'a' && c <= 'z';
    ASSERT_EQ(letters::ignored(c | 0x00620000u, fold), (small ? 0x20u : 0) | 0x00200000u) << c;
  }
}

TEST(WideStringMatching, RareWindowsAreChosen) {
  std::mt19937 random(7);
  string_case c{some_text(3000, text_kind::one_character, 1, random), {}};
  c.pattern.assign(40, c.text[0]);
  c.pattern[30] ^= 3;
  std::copy(c.pattern.begin(), c.pattern.end(), c.text.begin() + 1234);
  host_wide_matching matching(c, 4, 1);
  matching.sample();
  EXPECT_GE(matching.chosen().offset, 27u);
  EXPECT_LE(matching.chosen().offset, 30u);
  EXPECT_EQ(matching.match(9).positions, std::vector<uint64_t>{1234});
}

TEST(WideStringMatching, TheReferenceIsRight) {
  std::mt19937 random(8);
  for (unsigned i = 0; i < 1000; ++i) {
    const string_case c = random_case(400, 60, random);
    const std::vector<uint16_t> text = wide_of(c.text), pattern = wide_of(c.pattern);
    ASSERT_EQ(host_find_matches(text.data(), text.size(), pattern.data(), pattern.size(),
                                {c.fold_case}, i % 7),
              naive_matches(c))
        << i;
  }
}

TEST(WideStringMatching, PlantedFaults) {
  const auto run = [](unsigned seed, const string_faults &planted) {
    std::mt19937 random(seed);
    string_case c{some_text(900, text_kind::random, 4, random), {}};
    c.pattern.assign(c.text.begin() + 100, c.text.begin() + 104);
    const std::string dense = wrong_wide_matches(c, 2, false, 2000, seed, planted);
    string_case sparse{std::vector<uint8_t>(900, '-'), bytes_of("abcdef")};
    for (int64_t at : {13, 350, 550, 650, 894})
      std::copy(sparse.pattern.begin(), sparse.pattern.end(), sparse.text.begin() + at);
    string_case repeated{bytes_of("abcabcabcabcabcXabcabcabcabcabcabcabcabc"),
                         bytes_of("abcabcabc")};
    return dense + wrong_wide_matches(sparse, 0, false, 10, seed, planted) +
           wrong_wide_matches(repeated, 0, false, 100, seed, planted);
  };
  const planted_runs runs("string_matching", string_faults{}, run);
  runs.expect("no_neighbour", [](auto &f) { f.no_neighbour = true; });
  runs.expect("last_wins", [](auto &f) { f.last_wins = true; });
  runs.expect("wrong_period", [](auto &f) { f.wrong_period = true; });
  runs.expect("off_by_one_tail", [](auto &f) { f.lost_tail = 1; });
  runs.expect("dropped_block_sync", [](auto &f) { f.machine.drop_block_sync = true; });
}

} // namespace
