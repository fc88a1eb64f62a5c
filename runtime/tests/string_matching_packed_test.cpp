//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// String matching in packed texts on the host, under random schedules: random and periodic texts of
// characters of 1, 2 and 4 bits in both orders against a simple search, matches at every offset
// around words, rows and segments, intervals of characters that are not known; letters of patterns;
// the reference; planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_packed_strings.hpp"
#include "planted.hpp"

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

/// Empty if right.
std::string wrong_matches(const packed_case &c, uint32_t misaligned, uint64_t capacity,
                          unsigned seed, const packed_faults &planted = {}) {
  return wrong_results(host_packed_matching(c, misaligned, seed, planted).match(capacity),
                       naive_matches(c), capacity);
}

TEST(PackedStringMatching, RandomCases) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const packed_case c = random_packed_case(random() % 4 ? 3000 : 18000, 200, random);
    if (c.characters.pattern.size() > c.characters.text.size())
      continue;
    const uint64_t capacity = random() % 4 ? c.characters.text.size() : random() % 50;
    ASSERT_EQ(wrong_matches(c, random() % 16, capacity, seed), "") << "seed " << seed;
  }
}

/// One match, which begins or ends near a word, a row of 512 bytes, or a segment of 1024.
TEST(PackedStringMatching, EveryOffsetAroundBorders) {
  std::mt19937 random(5);
  for (const uint32_t bits : {1u, 2u, 4u})
    for (const uint64_t m : {3, 8, 15, 16, 31, 70})
      for (const uint64_t border_bytes : {0, 512, 1024}) {
        const uint64_t border = border_bytes * 8 / bits, n = 1100 * 8 / bits;
        for (uint64_t at = border < m + 40 ? 0 : border - m - 40; at < border + 40; at += 3) {
          packed_case c{
              {bits, packed_letters::numbers,
               at % 2 ? packed_order::lowest_bits_first : packed_order::highest_bits_first},
              {std::vector<uint8_t>(n), some_text(m, text_kind::random, 2, random)},
              {}};
          for (uint8_t &number : c.characters.pattern)
            number &= 1;
          c.characters.pattern[m / 2] = static_cast<uint8_t>((1u << bits) - 1);
          std::copy(c.characters.pattern.begin(), c.characters.pattern.end(),
                    c.characters.text.begin() + static_cast<int64_t>(at));
          ASSERT_EQ(wrong_matches(c, static_cast<uint32_t>(at % 16), 40, random()), "")
              << bits << " bits, m = " << m << " at " << at;
        }
      }
}

TEST(PackedStringMatching, LengthsAndPlaces) {
  std::mt19937 random(6);
  for (uint64_t m = 1; m < 140; ++m) {
    packed_case whole{some_packing(random), {some_text(m, text_kind::random, 256, random), {}}, {}};
    for (uint8_t &number : whole.characters.text)
      number &= (1u << whole.options.bits) - 1;
    whole.characters.pattern = whole.characters.text;
    EXPECT_EQ(wrong_matches(whole, m % 16, 3, random()), "") << "pattern = text, " << m;
  }
}

/// Repetitions that are broken here and there.
TEST(PackedStringMatching, Repetitions) {
  std::mt19937 random(9);
  for (unsigned i = 0; i < 200; ++i) {
    packed_case c{some_packing(random), {}, {}};
    const uint64_t period = 1 + random() % (i % 2 ? 3 : 60), n = 6000;
    std::vector<uint8_t> &text = c.characters.text;
    for (uint64_t k = 0; k < n; ++k)
      text.push_back(k < period ? random() % (1u << c.options.bits) : text[k - period]);
    c.characters.pattern.assign(text.begin(), text.begin() + 9 + random() % (i % 3 ? 60 : 500));
    for (uint64_t k = random() % 1500; k < n; k += 1 + random() % 1500)
      text[k] ^= 1;
    if (i % 4 == 0)
      c.unknown = some_unknown(n, random);
    ASSERT_EQ(wrong_matches(c, random() % 16, n, random()), "") << i;
  }
}

TEST(PackedStringMatching, LettersOfPatterns) {
  const auto numbers = [](const std::string &pattern, const packed_options &options) {
    return detail::numbers_of(reinterpret_cast<const uint8_t *>(pattern.data()), pattern.size(),
                              options);
  };
  using bytes = std::vector<uint8_t>;
  EXPECT_EQ(numbers("ACGT", {}), (bytes{0, 1, 2, 3}));
  EXPECT_EQ(numbers("tCAg", two_bit_file), (bytes{0, 1, 2, 3}));
  for (const char *wrong : {"a", "ACGN", "AC-", "U"})
    EXPECT_TRUE(numbers(wrong, {}).empty()) << wrong;
  for (const uint32_t bits : {1u, 2u, 4u}) {
    const packed_options options{bits, packed_letters::numbers};
    EXPECT_EQ(numbers(std::string(1, static_cast<char>((1 << bits) - 1)), options).size(), 1u);
    EXPECT_TRUE(numbers(std::string(1, static_cast<char>(1 << bits)), options).empty());
    EXPECT_TRUE(numbers("\xff", options).empty());
    EXPECT_TRUE(detail::valid_packing(options));
    EXPECT_EQ(detail::valid_packing({bits, packed_letters::tcag}), bits == 2);
  }
  EXPECT_FALSE(detail::valid_packing({3, packed_letters::numbers}));
  EXPECT_FALSE(detail::valid_packing({8, packed_letters::numbers}));
  EXPECT_EQ(detail::reversed_bits(0b0010, 4), 0b0100);
}

/// The bytes of a .2bit file's sequence ACGTT, of which the format's description has the codes.
TEST(PackedStringMatching, BytesOfTwoBitFiles) {
  const std::vector<uint8_t> text = host_pack({2, 1, 3, 0, 0}, two_bit_file);
  EXPECT_EQ(text, (std::vector<uint8_t>{0b10011100, 0}));
  const auto at = [&](const char *pattern) {
    return host_find_packed_matches(text.data(), 5, reinterpret_cast<const uint8_t *>(pattern),
                                    std::string(pattern).size(), two_bit_file);
  };
  EXPECT_EQ(at("CG"), std::vector<uint64_t>{1});
  EXPECT_EQ(at("T"), (std::vector<uint64_t>{3, 4}));
  EXPECT_TRUE(at("N").empty());
}

TEST(PackedStringMatching, TheReferenceIsRight) {
  std::mt19937 random(8);
  for (unsigned i = 0; i < 2000; ++i) {
    const packed_case c = random_packed_case(400, 60, random);
    const std::vector<uint8_t> text = c.text(), &pattern = c.characters.pattern;
    ASSERT_EQ(host_find_packed_matches(text.data(), c.characters.text.size(), pattern.data(),
                                       pattern.size(), c.options, c.unknown),
              naive_matches(c))
        << i;
  }
}

TEST(PackedStringMatching, PlantedFaults) {
  const auto run = [](unsigned seed, const packed_faults &planted) {
    std::mt19937 random(seed);
    std::string wrong;
    for (const uint64_t m : {4, 40}) {
      packed_case c{{2, packed_letters::numbers}, {}, {}};
      for (uint64_t i = 0; i < 9000; ++i)
        c.characters.text.push_back(random() % 4);
      const auto from = c.characters.text.begin() + 100;
      c.characters.pattern.assign(from, from + static_cast<int64_t>(m));
      for (uint64_t at = 0; at + m <= 9000; at += 89)
        std::copy(c.characters.pattern.begin(), c.characters.pattern.end(),
                  c.characters.text.begin() + static_cast<int64_t>(at));
      std::copy(c.characters.pattern.begin(), c.characters.pattern.end(),
                c.characters.text.end() - static_cast<int64_t>(m));
      c.unknown = {{200, 3}, {8999, 1}};
      if (seed % 2) // then the end of the text is a match
        c.unknown.pop_back();
      wrong += wrong_matches(c, 3, 10000, seed, planted);
    }
    packed_case repeated{{2, packed_letters::numbers}, {}, {}};
    for (uint64_t i = 0; i < 300; ++i)
      repeated.characters.text.push_back(i % 3);
    repeated.characters.pattern.assign(repeated.characters.text.begin(),
                                       repeated.characters.text.begin() + 21);
    // A match in each row, for each of the windows by which it can be found.
    packed_case sparse{{2, packed_letters::numbers}, {std::vector<uint8_t>(17000), {}}, {}};
    for (uint64_t i = 0; i < 15; ++i)
      sparse.characters.pattern.push_back(1 + i * i % 3);
    for (int64_t k = 0; k < 8; ++k)
      std::copy(sparse.characters.pattern.begin(), sparse.characters.pattern.end(),
                sparse.characters.text.begin() + 2048 * k + 500 + k);
    return wrong + wrong_matches(repeated, 0, 400, seed, planted) +
           wrong_matches(sparse, 0, 10, seed, planted);
  };
  const planted_runs runs("string_matching_packed", packed_faults{}, run);
  runs.expect("no_neighbour", [](auto &f) { f.no_neighbour = true; });
  runs.expect("lost_interval", [](auto &f) { f.lost_interval = true; });
  runs.expect("lost_window", [](auto &f) { f.lost_window = true; });
  runs.expect("wrong_period", [](auto &f) { f.wrong_period = true; });
  runs.expect("off_by_one_tail", [](auto &f) { f.lost_tail = 1; });
  runs.expect("dropped_block_sync", [](auto &f) { f.machine.drop_block_sync = true; });
  for (const char *fault : {"flag_before_value", "dropped_warp_sync", "unreset_ticket"})
    has_none("string_matching_packed", fault);
}

} // namespace
