//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// String matching on the host, under random schedules: random and periodic texts of four alphabets
// against a simple search, matches at every offset around rows and segments, sampled choices, room
// for fewer positions; the serial reference; planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_strings.hpp"
#include "planted.hpp"

#include <colonnade/host_string_matching.hpp>

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

/// Empty if right.
std::string wrong_matches(const string_case &c, uint32_t misaligned, bool sampled,
                          uint64_t capacity, unsigned seed, const string_faults &planted = {}) {
  const std::vector<uint64_t> right = naive_matches(c);
  host_matching matching(c, misaligned, seed, planted);
  if (sampled)
    matching.sample();
  return wrong_results(matching.match(capacity), right, capacity);
}

std::string random_bytes_run(unsigned seed, const string_faults &planted = {}) {
  std::mt19937 random(seed);
  const string_case c = random_case(7000, 100, random);
  if (c.pattern.size() > c.text.size())
    return "";
  const bool sampled = c.pattern.size() > 4 && random() % 2;
  const uint64_t capacity = random() % 4 ? c.text.size() : random() % 50;
  return wrong_matches(c, random() % 16, sampled, capacity, seed, planted);
}

TEST(StringMatching, RandomCases) {
  for (unsigned seed = 0; seed < 400; ++seed)
    ASSERT_EQ(random_bytes_run(seed), "") << "seed " << seed;
}

TEST(StringMatching, EveryOffsetAroundRowsAndSegments) {
  std::mt19937 random(5);
  for (const std::string pattern : {"x", "xy", "xyz", "wxyz", "vwxyz", "abcdefghijklmnopqrs"})
    for (uint64_t at = 470; at < 550; at += 3)
      for (const uint64_t border : {0, 512, 1536}) {
        string_case c{std::vector<uint8_t>(2200, '-'), bytes_of(pattern)};
        std::copy(pattern.begin(), pattern.end(),
                  c.text.begin() + static_cast<int64_t>(border + at));
        ASSERT_EQ(wrong_matches(c, static_cast<uint32_t>(at % 16), false, 1, random()), "")
            << pattern << " at " << border + at;
      }
}

TEST(StringMatching, LengthsAndPlaces) {
  std::mt19937 random(6);
  for (uint64_t m = 1; m < 70; ++m) { // every byte at both ends of a text belongs to a candidate
    for (const uint64_t changed : {m, uint64_t{0}, m - 1}) {
      string_case all{std::vector<uint8_t>(m + 40, 'a'), std::vector<uint8_t>(m, 'a')};
      if (changed < m)
        all.text[changed] = 'b';
      EXPECT_EQ(wrong_matches(all, (m + changed) % 16, false, 50, random()), "") << "a, " << m;
    }
    string_case whole{some_text(m, text_kind::random, 256, random), {}};
    whole.pattern = whole.text;
    EXPECT_EQ(wrong_matches(whole, m % 16, false, 3, random()), "") << "pattern = text, " << m;
    string_case ends{some_text(1100, text_kind::random, 2, random), {}};
    ends.pattern.assign(ends.text.end() - static_cast<int64_t>(m), ends.text.end());
    std::copy(ends.pattern.begin(), ends.pattern.end(), ends.text.begin());
    EXPECT_EQ(wrong_matches(ends, m % 16, m > 4, 2000, random()), "") << "both ends, " << m;
  }
}

TEST(StringMatching, DenseMatches) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const string_case c = dense_case(seed);
    const uint64_t found = naive_matches(c).size(),
                   capacity = seed % 3 ? found + seed % 2 : seed * 7919 % (found + 1);
    ASSERT_EQ(wrong_matches(c, seed % 16, false, capacity, seed), "") << seed;
  }
}
/// Every number of matches in a row, around that from which on it is noted as bits.
TEST(StringMatching, RowsOfAnyNumberOfMatches) {
  for (uint32_t matches = 0; matches <= 512; matches += matches < 36 || matches > 508 ? 1 : 17) {
    string_case c{std::vector<uint8_t>(2700, '-'), {'x'}};
    for (uint32_t i = 0; i < matches; ++i)
      c.text[512 + i * 512 / matches] = c.text[2100 + i] = 'x';
    ASSERT_EQ(wrong_matches(c, 0, false, 2 * matches, matches), "") << matches;
    ASSERT_EQ(wrong_matches(c, 0, false, matches + matches / 2, matches), "") << matches;
  }
}

/// Neighbouring rows that are noted as bits are written together, up to all of their windows.
TEST(StringMatching, NeighbouringRowsOfBits) {
  const std::vector<uint32_t> numbers = {1, 32, 33, 100, 511, 512};
  for (const uint32_t first : numbers)
    for (const uint32_t second : numbers) {
      string_case c{std::vector<uint8_t>(5000, '-'), {'x'}};
      for (const uint64_t row : {0, 1024, 2048}) { // the two rows of a segment
        for (uint32_t i = 0; i < first; ++i)
          c.text[row + i * 512 / first] = 'x';
        for (uint32_t i = 0; i < second; ++i)
          c.text[row + 512 + i * 512 / second] = 'x';
      }
      ASSERT_EQ(wrong_matches(c, 0, false, 4000, first + second), "") << first << ", " << second;
      ASSERT_EQ(wrong_matches(c, 0, false, first + second / 2, second), "")
          << first << ", " << second;
    }
}

/// One warp, steps of four rows; with the part of Width bytes that the pattern is.
struct whole_steps {
  static constexpr string_matching_tuning value{32, 4, 1};
};
template <uint32_t Width> void check_steps(const string_case &c, uint32_t misaligned) {
  alignas(16) uint8_t memory[3 * 2048 + 64], pattern[32] = {};
  std::copy(c.text.begin(), c.text.end(), memory + misaligned);
  std::copy(c.pattern.begin(), c.pattern.end(), pattern);
  detail::matching_job job{};
  job.text = memory + misaligned;
  job.pattern = pattern;
  job.length = c.pattern.size();
  job.num_positions = c.text.size() - c.pattern.size() + 1;
  job.rounds = 4;
  for (uint32_t i = 0; i < Width; ++i)
    job.choice.word |= uint32_t{pattern[i]} << 8 * i;
  const std::vector<uint64_t> right = naive_matches(c);
  std::vector<uint64_t> found;
  uint64_t number = 0;
  host_grid grid(misaligned, 1, {});
  grid.run(1, 32, 4, [&](const host_machine &machine, char *) {
    const detail::skimmer<whole_steps, Width, host_machine> skimmer(machine, job);
    number += skimmer.count(0);
    skimmer.rows(0, [&](uint64_t offset, uint32_t matches) {
      for (; matches; matches &= matches - 1)
        found.push_back(skimmer.position(offset + host_machine::first_one(matches)));
      return true;
    });
  });
  std::sort(found.begin(), found.end()); // lanes take turns at random
  ASSERT_EQ(found, right) << Width;
  ASSERT_EQ(number, right.size()) << Width;
  ASSERT_EQ(grid.all_complaints(), "");
}
TEST(StringMatching, MatchesInEveryRowOfAStep) {
  std::mt19937 random(12);
  for (uint32_t i = 0; i < 100; ++i) {
    string_case c{std::vector<uint8_t>(2048 + random() % 4000), {}};
    const uint32_t rarity = 1 + random() % (i % 3 ? 4 : 300);
    for (uint8_t &byte : c.text)
      byte = random() % rarity ? 'b' : 'a';
    const auto check = [&]<uint32_t Width>() {
      const auto from = c.text.begin() + static_cast<int64_t>(random() % 2000);
      c.pattern.assign(from, from + Width);
      check_steps<Width>(c, i % 16);
    };
    check.operator()<1>();
    check.operator()<2>();
    check.operator()<3>();
    check.operator()<4>();
  }
}
TEST(StringMatching, BitsOfBytes) {
  for (uint32_t bits = 0; bits < 1 << 16; ++bits) {
    uint32_t words[4] = {};
    for (uint32_t i = 0; i < 16; ++i)
      words[i / 4] |= (bits >> i & 1) << (8 * (i % 4) + 7);
    ASSERT_EQ(detail::bits_of_bytes(words), bits);
  }
}

/// Repetitions that are broken here and there, and patterns that are longer and shorter than these.
TEST(StringMatching, Repetitions) {
  std::mt19937 random(9);
  for (unsigned i = 0; i < 300; ++i) {
    const uint64_t period = 1 + random() % (i % 2 ? 3 : 40), n = 3000;
    string_case c{some_text(n, text_kind::random, 4, random), {}};
    for (uint64_t k = period; k < n; ++k)
      c.text[k] = c.text[k - period];
    c.pattern.assign(c.text.begin(), c.text.begin() + 5 + random() % (i % 3 ? 40 : 300));
    for (uint64_t k = random() % 700; k < n; k += 1 + random() % 700)
      c.text[k] ^= 1;
    ASSERT_EQ(wrong_matches(c, random() % 16, random() % 2, n, random()), "") << i;
  }
}

/// Candidates that begin alike: of Fibonacci's words, and of Thue and Morse's. Of a pattern that is
/// there, and of one that differs from it.
std::string alike_run(uint64_t m, text_kind kind, bool fold, unsigned seed,
                      const string_faults &planted = {}) {
  std::mt19937 random(seed);
  string_case c{some_text(4000, kind, 2, random), {}, fold};
  const auto from = c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - m));
  c.pattern.assign(from, from + static_cast<int64_t>(m));
  for (uint64_t i = 0; fold && i < c.text.size(); ++i)
    c.text[i] ^= random() % 2 * 0x20;
  const std::string wrong = wrong_matches(c, m % 16, true, 4000, seed, planted);
  c.pattern[m - 1 - random() % (m - 7)] ^= 1;
  return wrong + wrong_matches(c, m % 16, fold, 4000, seed, planted);
}
TEST(StringMatching, ManyCandidatesBeginAlike) {
  unsigned seed = 13;
  for (const uint64_t m : {8, 16, 17, 31, 33, 100, 255, 256, 257, 300, 700, 2500})
    for (const bool fold : {false, true})
      for (const text_kind kind : {text_kind::fibonacci, text_kind::thue_morse})
        ASSERT_EQ(alike_run(m, kind, fold, ++seed), "") << m << ", seed " << seed;
}
/// Of which each begins as the one before does for long.
TEST(StringMatching, CandidatesThatAgreeForLong) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const uint64_t m = 600 + random() % 2000, period = 1 + random() % 300;
    string_case c{some_text(6000, text_kind::random, 2, random), {}};
    for (uint64_t i = period; i < c.text.size(); ++i)
      c.text[i] = random() % 400 ? c.text[i - period] : c.text[i - period] ^ 3;
    const auto from = c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - m));
    c.pattern.assign(from, from + static_cast<int64_t>(m));
    ASSERT_EQ(wrong_matches(c, random() % 16, seed % 2, 6000, seed), "") << seed;
  }
}
template <class Character> void check_agreeing_lengths() {
  std::mt19937 random(4);
  for (unsigned i = 0; i < 300; ++i) {
    std::vector<Character> pattern(1 + random() % 200);
    const uint64_t period = 1 + random() % 20;
    for (uint64_t k = 0; k < pattern.size(); ++k)
      pattern[k] = static_cast<Character>(k < period || random() % 50 == 0 ? 'a' + random() % 2
                                                                           : pattern[k - period]);
    const std::vector<uint32_t> agreeing = detail::agreeing_lengths(pattern.data(), pattern.size());
    for (uint64_t distance = 0; distance < pattern.size(); ++distance) {
      uint32_t same = 0;
      while (distance + same < pattern.size() && pattern[same] == pattern[distance + same])
        ++same;
      ASSERT_EQ(agreeing[distance], same) << i << ", " << distance;
    }
  }
}
TEST(StringMatching, AgreeingLengths) {
  check_agreeing_lengths<uint8_t>();
  check_agreeing_lengths<uint16_t>();
}

/// How far a text follows its period, from any place, with any period, of any alignment.
template <class Character> void check_ends_of_periods(unsigned seed) {
  std::mt19937 random(seed);
  const uint64_t n = 100 + random() % 3000, period = 1 + random() % (seed % 2 ? 9 : 90);
  const uint64_t begin = random() % 16;
  const uint32_t fold = seed % 3 ? 0 : detail::letters<Character>::all_case_bits;
  alignas(16) Character memory[3200];
  Character *const text = memory + begin;
  for (uint64_t i = 0; i < n; ++i)
    text[i] = i < period ? static_cast<Character>('A' + random() % 26) : text[i - period];
  for (uint64_t i = 0; fold && i < n; ++i)
    text[i] ^= random() % 2 * 0x20;
  const uint64_t from = period + random() % (n - period), to = from + random() % (n - from + 1);
  uint64_t right = to;
  if (random() % 4 && from < to) {
    right = from + random() % (to - from);
    text[right] = '?';
  }
  host_grid grid(seed, 1, {});
  grid.run(1, 32, 4, [&](const host_machine &machine, char *) {
    const detail::period_end<2, Character> end{text, period, fold};
    EXPECT_EQ(end.find(machine, from, to), right) << seed;
  });
  EXPECT_EQ(grid.all_complaints(), "");
}
TEST(StringMatching, EndsOfPeriods) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    check_ends_of_periods<uint8_t>(seed);
    check_ends_of_periods<uint16_t>(seed);
  }
}
TEST(StringMatching, MultiplesOfPeriods) {
  for (uint32_t period = 1; period < 40; ++period)
    for (uint32_t i = 0; i < 16; ++i)
      ASSERT_EQ(detail::multiples_of(period) >> i & 1, uint32_t{i % period == 0});
}

TEST(StringMatching, LettersAreFoldedAndNothingElse) {
  for (uint32_t a = 0; a < 256; ++a) {
    const uint32_t lower = a >= 'A' && a <= 'Z' ? a + 32 : a;
    ASSERT_EQ(detail::folded(a * 0x01010101u, detail::case_bits), lower * 0x01010101u) << a;
    ASSERT_EQ(detail::folded(a << 16 | 0x41007a5bu, 0), a << 16 | 0x41007a5bu);
    string_case every{std::vector<uint8_t>(256), {static_cast<uint8_t>(a)}, true};
    for (uint32_t b = 0; b < 256; ++b)
      every.text[b] = static_cast<uint8_t>(b);
    ASSERT_EQ(wrong_matches(every, 5, false, 9, a), "") << a;
  }
}

/// Copies of a long pattern, each with one byte changed, but one.
TEST(StringMatching, LongPatterns) {
  std::mt19937 random(11);
  for (unsigned i = 0; i < 40; ++i) {
    const uint64_t m = 33 + random() % 1500, copies = 4;
    string_case c{some_text(random() % 50, text_kind::random, 256, random),
                  some_text(m, text_kind::random, 256, random)};
    for (uint64_t k = 0; k < copies; ++k) {
      c.text.insert(c.text.end(), c.pattern.begin(), c.pattern.end());
      if (k != i % copies)
        c.text[c.text.size() - 1 - random() % (i % 2 ? 8 : m)] ^= 1;
    }
    ASSERT_EQ(wrong_matches(c, i % 16, false, 9, i), "") << i;
    ASSERT_EQ(naive_matches(c).size(), 1u);
  }
}

TEST(StringMatching, Periods) {
  std::mt19937 random(10);
  for (unsigned i = 0; i < 1000; ++i) {
    const auto pattern =
        some_text(1 + random() % 40, i % 2 ? text_kind::random : text_kind::periodic, 2, random);
    uint64_t period = 1;
    while (
        !std::equal(pattern.begin() + static_cast<int64_t>(period), pattern.end(), pattern.begin()))
      ++period;
    ASSERT_EQ(detail::short_period(pattern.data(), pattern.size()),
              2 * period <= pattern.size() ? period : 0);
  }
}

TEST(StringMatching, RareWordsAreChosen) {
  std::mt19937 random(7);
  string_case c{some_text(3000, text_kind::one_character, 1, random), {}};
  c.pattern.assign(40, c.text[0]);
  c.pattern[30] ^= 3;
  std::copy(c.pattern.begin(), c.pattern.end(), c.text.begin() + 1234);
  host_matching matching(c, 3, 1);
  matching.sample();
  EXPECT_GE(matching.chosen().offset, 27u);
  EXPECT_LE(matching.chosen().offset, 30u);
  EXPECT_EQ(matching.match(9).positions, std::vector<uint64_t>{1234});
}

TEST(StringMatching, TheReferenceIsRightForEveryPrime) {
  std::mt19937 random(8);
  for (unsigned i = 0; i < 2000; ++i) {
    const string_case c = random_case(400, 60, random);
    ASSERT_EQ(host_find_matches(c.text.data(), c.text.size(), c.pattern.data(), c.pattern.size(),
                                {c.fold_case}, i % 7),
              naive_matches(c))
        << i;
  }
  EXPECT_TRUE(host_find_matches(static_cast<const uint8_t *>(nullptr), 0, nullptr, 0).empty());
}

/// A text whose fingerprints are all the pattern's, where the prime is known.
TEST(StringMatching, FingerprintsThatCollideAreNoMatches) {
  const uint64_t prime = detail::random_prime(3);
  std::vector<uint8_t> pattern(5), text(5);
  for (uint32_t i = 0; i < 5; ++i) // 0 and the prime, in base 256
    text[4 - i] = static_cast<uint8_t>(prime >> 8 * i);
  EXPECT_TRUE(host_find_matches(text.data(), 5, pattern.data(), 5, {}, 3).empty());
  EXPECT_EQ(host_find_matches(text.data(), 5, text.data(), 5, {}, 3), std::vector<uint64_t>{0});
}

TEST(StringMatching, PlantedFaults) {
  // Many matches, so that all lanes have some; in the second, two segments of a block.
  const auto run = [](unsigned seed, const string_faults &planted) {
    std::mt19937 random(seed);
    string_case c{some_text(1800, text_kind::random, 4, random), {}};
    c.pattern.assign(c.text.begin() + 100, c.text.begin() + 104);
    const std::string dense = wrong_matches(c, 3, false, 2000, seed, planted);
    string_case sparse{std::vector<uint8_t>(1800, '-'), bytes_of("abcdef")};
    for (int64_t at : {13, 700, 1100, 1300, 1794})
      std::copy(sparse.pattern.begin(), sparse.pattern.end(), sparse.text.begin() + at);
    string_case repeated{bytes_of("abcabcXabcabc"), {}};
    for (unsigned i = 0; i < 2000; ++i)
      repeated.text.push_back("abc"[i % 3]);
    repeated.pattern.assign(repeated.text.begin() + 7, repeated.text.begin() + 7 + 40);
    const string_case rows = dense_case(seed + 1);
    return dense + wrong_matches(rows, 3, false, rows.text.size(), seed, planted) +
           wrong_matches(sparse, 0, false, 10, seed, planted) +
           wrong_matches(repeated, 0, false, 100, seed, planted) +
           alike_run(300, text_kind::fibonacci, false, seed, planted);
  };
  const planted_runs runs("string_matching", string_faults{}, run);
  runs.expect("no_neighbour", [](auto &f) { f.no_neighbour = true; });
  runs.expect("last_wins", [](auto &f) { f.last_wins = true; });
  runs.expect("wrong_period", [](auto &f) { f.wrong_period = true; });
  runs.expect("wrong_sketch", [](auto &f) { f.wrong_sketch = true; });
  runs.expect("wrong_agreeing", [](auto &f) { f.wrong_agreeing = true; });
  runs.expect("off_by_one_tail", [](auto &f) { f.lost_tail = 1; });
  runs.expect("lost_bits", [](auto &f) { f.lost_bits = true; });
  runs.expect("lost_row", [](auto &f) { f.lost_row = true; });
  runs.expect("lost_block", [](auto &f) { f.lost_block = true; });
  runs.expect("dropped_warp_sync", [](auto &f) { f.machine.drop_warp_sync = true; });
  runs.expect("dropped_block_sync", [](auto &f) { f.machine.drop_block_sync = true; });
  string_faults torn;
  torn.machine.torn_words = true;
  has_none("string_matching", "flag_before_value", runs.with(torn));
  has_none("string_matching", "unreset_ticket");
}

} // namespace
