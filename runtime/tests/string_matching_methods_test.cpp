//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The thesis's methods of string matching on the host, under random schedules: random and periodic
// texts of four alphabets against a simple search; fingerprints of both classes against their
// definitions; texts made to have the pattern's fingerprint; planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_method_strings.hpp"
#include "planted.hpp"

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

constexpr matching_method all_methods[] = {
    matching_method::cooperative, matching_method::cooperative_affine, matching_method::divide,
    matching_method::divide_32,   matching_method::divide_64,          matching_method::hybrid,
    matching_method::two_stage};

/// Empty if right.
std::string wrong_matches(const string_case &c, const matching_method_options &options,
                          uint32_t misaligned, uint64_t portion, bool tile, uint64_t capacity,
                          unsigned seed, const method_faults &planted = {}) {
  host_method_matching matching(c, options, misaligned, portion, tile, seed, planted);
  return wrong_results(matching.match(capacity), naive_matches(c), capacity);
}

/// Of all methods that take it.
TEST(StringMatchingMethods, RandomCases) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const string_case c = random_case(random() % 4 ? 2500 : 9000, random() % 2 ? 12 : 150, random);
    if (c.pattern.size() > c.text.size())
      continue;
    for (const matching_method method : all_methods) {
      const matching_method_options options{method, 1 + static_cast<uint32_t>(random() % 8),
                                            random() % 5};
      if (!detail::method_takes(options, c.pattern.size()))
        continue;
      const uint64_t capacity = random() % 4 ? c.text.size() : random() % 50;
      ASSERT_EQ(wrong_matches(c, options, random() % 16, 500 + random() % 3000, random() % 4,
                              capacity, seed),
                "")
          << "seed " << seed << ", method " << static_cast<int>(method) << ", bits "
          << options.character_bits;
    }
  }
}

/// One match, near borders of lanes, warps, tiles and portions.
TEST(StringMatchingMethods, EveryOffsetAroundBorders) {
  std::mt19937 random(5);
  for (const matching_method method : all_methods)
    for (const uint64_t at : {0, 29, 31, 32, 1020, 1022, 1023, 1024, 2045, 2046, 2047, 2048}) {
      string_case c{std::vector<uint8_t>(2100, 'a'), {'b', 'b', 'c'}};
      std::copy(c.pattern.begin(), c.pattern.end(), c.text.begin() + static_cast<int64_t>(at));
      ASSERT_EQ(wrong_matches(c, {method}, at % 16, 1024, true, 3, random()), "")
          << "method " << static_cast<int>(method) << " at " << at;
    }
}

/// Patterns of many chunks, of which one character is changed in all copies but one.
TEST(StringMatchingMethods, LongPatterns) {
  std::mt19937 random(11);
  for (unsigned i = 0; i < 12; ++i) {
    const uint64_t m = 33 + random() % 400;
    string_case c{some_text(random() % 50, text_kind::random, 256, random),
                  some_text(m, text_kind::random, 256, random)};
    for (uint64_t k = 0; k < 4; ++k) {
      c.text.insert(c.text.end(), c.pattern.begin(), c.pattern.end());
      if (k != i % 4)
        c.text[c.text.size() - 1 - random() % m] ^= 1;
    }
    for (const matching_method method : all_methods)
      if (detail::method_takes({method}, m)) {
        ASSERT_EQ(wrong_matches(c, {method, 8, i}, i % 16, 1000, true, 9, i), "")
            << i << ", method " << static_cast<int>(method);
      }
  }
}

TEST(StringMatchingMethods, RemaindersByMultiplication) {
  std::mt19937_64 random(3);
  for (const uint64_t seed : {1, 2, 3}) {
    const auto mod = detail::modulus::of_prime(detail::prime_of_seed(seed));
    for (uint64_t i = 0; i < 3000; ++i) {
      const uint64_t x = i < 1000 ? random() >> (1 + random() % 40)
                                  : (random() % (uint64_t{1} << 33)) * mod.prime + i % 3 - i % 2;
      ASSERT_EQ(mod.of(x), x % mod.prime) << x;
    }
    uint64_t power = 1;
    for (uint64_t e = 0; e < 100; ++e, power = power * 2 % mod.prime)
      ASSERT_EQ(mod.power_of_two(e), power);
  }
}

TEST(StringMatchingMethods, FundamentalMatrices) {
  const auto mod = detail::modulus::of_prime(detail::prime_of_seed(1));
  const detail::matrix of_bit[] = {{{1, 0, 1, 1}}, {{1, 1, 0, 1}}}, one{{1, 0, 0, 1}};
  for (uint32_t bits = 1; bits <= 8; ++bits)
    for (uint32_t z = 0; z >> bits == 0; ++z) {
      detail::matrix right = one;
      for (uint32_t b = bits; b-- > 0;)
        right = detail::product(right, of_bit[z >> b & 1], mod);
      const detail::matrix got = detail::fundamental_matrix(z, bits);
      ASSERT_TRUE(detail::same_matrix(got, right)) << z;
      ASSERT_TRUE(detail::same_matrix(detail::product(detail::inverse(got, mod), got, mod), one));
    }
}

/// The prime in binary and zeros; and in chunks of two_stage.
TEST(StringMatchingMethods, FingerprintsThatCollideAreNoMatches) {
  for (const uint64_t seed : {1, 2}) {
    const uint32_t prime = detail::prime_of_seed(seed);
    for (const matching_method method :
         {matching_method::divide, matching_method::cooperative_affine}) {
      string_case c{std::vector<uint8_t>(400, 0), std::vector<uint8_t>(40, 0)};
      for (uint32_t b = 0; b < 30; ++b) { // at 39 to 80
        c.pattern[39 - b] = prime >> b & 1;
        c.text[200 - b] = prime >> b & 1;
      }
      host_method_matching matching(c, {method, 1, seed}, 5, 150, true, 7);
      EXPECT_EQ(wrong_results(matching.match(9), naive_matches(c), 9), "");
      EXPECT_GT(matching.rejected(), 100u); // the windows of zeros
    }
    string_case c{std::vector<uint8_t>(400, 0), std::vector<uint8_t>(64, 0)};
    for (uint32_t b = 0; b < 4; ++b)
      c.pattern[31 - b] = static_cast<uint8_t>(prime >> 8 * b);
    host_method_matching matching(c, {matching_method::two_stage, 8, seed}, 5, 150, true, 7);
    EXPECT_EQ(wrong_results(matching.match(9), naive_matches(c), 9), "");
  }
}

TEST(StringMatchingMethods, WhichMethodsTakeAPattern) {
  using m = matching_method;
  EXPECT_TRUE(detail::method_takes({m::divide_32, 8}, 4));
  EXPECT_FALSE(detail::method_takes({m::divide_32, 8}, 5));
  EXPECT_TRUE(detail::method_takes({m::divide_64, 1}, 64));
  EXPECT_FALSE(detail::method_takes({m::divide_64, 1}, 65));
  EXPECT_TRUE(detail::method_takes({m::hybrid}, 512));
  EXPECT_FALSE(detail::method_takes({m::hybrid}, 513));
  EXPECT_FALSE(detail::method_takes({m::divide, 0}, 1));
  EXPECT_FALSE(detail::method_takes({m::divide, 9}, 1));
  EXPECT_TRUE(detail::method_takes({m::two_stage}, 1 << 20));
}

TEST(StringMatchingMethods, PlantedFaults) {
  const auto run = [](unsigned seed, const method_faults &planted) {
    std::mt19937 random(seed);
    string_case c{some_text(4500, text_kind::random, 4, random), {}};
    c.pattern.assign(c.text.end() - 4, c.text.end());
    std::string wrong;
    for (const matching_method method : all_methods)
      wrong += wrong_matches(c, {method}, 3, 3000, true, 5000, seed, planted);
    return wrong;
  };
  const planted_runs runs("string_matching_methods", method_faults{}, run);
  runs.expect("wrong_leaving", [](auto &f) { f.wrong_leaving = true; });
  runs.expect("unscanned", [](auto &f) { f.unscanned = true; });
  runs.expect("off_by_one_tail", [](auto &f) { f.lost_tail = 1; });
  runs.expect("last_wins", [](auto &f) { f.last_wins = true; });
  runs.expect("dropped_block_sync", [](auto &f) { f.machine.drop_block_sync = true; });
  for (const char *fault : {"flag_before_value", "dropped_warp_sync", "unreset_ticket"})
    has_none("string_matching_methods", fault);
}

} // namespace
