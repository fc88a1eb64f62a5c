//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Patterns of character classes on the host, under random schedules: random and periodic texts of
// four alphabets against a simple search, every length, matches at every offset around stretches
// and segments; how expressions are read; the reference; planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_class_strings.hpp"
#include "planted.hpp"

#include <colonnade/host_string_matching_classes.hpp>

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

using detail::byte_class;

std::vector<byte_class> classes_of(const std::string &expression, class_options options = {}) {
  return detail::read_classes(expression.data(), expression.size(), options);
}
byte_class bytes_in(const std::string &bytes) {
  byte_class all;
  for (const char b : bytes)
    all.set(static_cast<uint8_t>(b));
  return all;
}
class_case case_of(std::vector<uint8_t> text, const std::string &expression) {
  return {std::move(text), classes_of(expression), expression};
}

TEST(StringMatchingClasses, Expressions) {
  using all = std::vector<byte_class>;
  EXPECT_EQ(classes_of("a[b-d]."), (all{bytes_in("a"), bytes_in("bcd"), byte_class().set()}));
  EXPECT_EQ(classes_of("[]a][-a][a-]"), (all{bytes_in("]a"), bytes_in("-a"), bytes_in("-a")}));
  EXPECT_EQ(classes_of("[a^][\\]x][\\^]"), (all{bytes_in("a^"), bytes_in("]x"), bytes_in("^")}));
  EXPECT_EQ(classes_of("\\.\\[\\\\]"),
            (all{bytes_in("."), bytes_in("["), bytes_in("\\"), bytes_in("]")}));
  EXPECT_EQ(classes_of("[^a-z]"), (all{~bytes_in("abcdefghijklmnopqrstuvwxyz")}));
  EXPECT_EQ(classes_of("[^]]"), (all{~bytes_in("]")}));
  EXPECT_EQ(classes_of("[a-\\]]").size(), 0u); // falls
  EXPECT_EQ(classes_of("[+-\\]]")[0].count(), static_cast<size_t>(']' - '+' + 1));
  EXPECT_EQ(classes_of("[a-cx-z]"), (all{bytes_in("abcxyz")}));
  for (const char *wrong : {"", "[", "[a", "[]", "[^]", "[z-a]", "\\", "[\\", "[a-\\", "a[b"})
    EXPECT_TRUE(classes_of(wrong).empty()) << wrong;
  EXPECT_EQ(classes_of(std::string(64, '.')).size(), 64u);
  EXPECT_TRUE(classes_of(std::string(65, '.')).empty());
  const class_options folded{class_letters::expression, true};
  EXPECT_EQ(classes_of("a[X-Z][", folded).size(), 0u);
  EXPECT_EQ(classes_of("a[X-Z]@", folded),
            (all{bytes_in("aA"), bytes_in("xyzXYZ"), bytes_in("@")}));
  EXPECT_EQ(classes_of("[^a][^A][^Y-b]", folded), // all that equal one of these is left out
            (all{~bytes_in("aA"), ~bytes_in("aA"), ~bytes_in("YyZz[\\]^_`aAbB")}));
}

TEST(StringMatchingClasses, NucleotideCodes) {
  const class_options codes{class_letters::iupac}, folded{class_letters::iupac, true};
  const auto read = classes_of("ACGTURYSWKMBDHVN", codes);
  const char *const bases[] = {"A",   "C",   "G",  "TU",   "TU",   "AG",   "CTU", "CG",
                               "ATU", "GTU", "AC", "CGTU", "AGTU", "ACTU", "ACG", "ACGTU"};
  ASSERT_EQ(read.size(), std::size(bases));
  for (size_t i = 0; i < read.size(); ++i)
    EXPECT_EQ(read[i], bytes_in(bases[i])) << i;
  for (const char *wrong : {"", "ACx", "AC.", "E", "acgt"})
    EXPECT_TRUE(classes_of(wrong, codes).empty()) << wrong;
  EXPECT_EQ(classes_of("gR", folded), (std::vector{bytes_in("gG"), bytes_in("agAG")}));
}

TEST(StringMatchingClasses, RandomExpressions) {
  std::mt19937 random(1);
  for (unsigned i = 0; i < 2000; ++i) {
    const class_case c = random_class_case(200, random);
    ASSERT_EQ(classes_of(c.expression), c.classes) << i << ": " << c.expression;
    ASSERT_EQ(host_find_matches(c.text.data(), c.text.size(), c.expression.data(),
                                c.expression.size(), class_options{}),
              naive_matches(c))
        << i;
  }
}

TEST(StringMatchingClasses, RandomCases) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const class_case c = random_class_case(7000, random);
    if (c.classes.size() > c.text.size())
      continue;
    const uint64_t capacity = random() % 4 ? c.text.size() : random() % 50;
    ASSERT_EQ(wrong_class_matches(c, random() % 16, capacity, seed), "") << "seed " << seed;
  }
}

/// Of every length, at both ends of a text and around the borders of segments.
TEST(StringMatchingClasses, LengthsAndPlaces) {
  std::mt19937 random(2);
  for (uint64_t m = 1; m <= 64; ++m) {
    const class_case whole = case_of(std::vector<uint8_t>(m, 'x'), std::string(m, 'x'));
    EXPECT_EQ(wrong_class_matches(whole, m % 16, 3, 1), "") << "pattern = text, " << m;
    std::string pattern(m, '.');
    pattern[0] = 'x', pattern[m - 1] = 'x';
    class_case c = case_of(some_text(2200, text_kind::one_character, 1, random), pattern);
    for (const uint64_t at : {uint64_t{0}, 990 + m % 40, 1010 + m % 40, 2030 + m % 40, 2200 - m})
      c.text[at] = c.text[at + m - 1] = 'x';
    EXPECT_EQ(wrong_class_matches(c, m % 16, 2200, 1), "") << "places, " << m;
  }
}

TEST(StringMatchingClasses, PlantedFaults) {
  const auto run = [](unsigned seed, const class_faults &planted) {
    std::mt19937 random(seed);
    const class_case narrow = case_of(some_text(1800, text_kind::random, 256, random), "[^a]..");
    const class_case wide = case_of(std::vector<uint8_t>(1800, '-'), std::string(40, '-'));
    return wrong_class_matches(narrow, 3, 2000, seed, planted) +
           wrong_class_matches(wide, 5, 2000, seed, planted);
  };
  const planted_runs runs("string_matching_classes", class_faults{}, run);
  runs.expect("early_start", [](auto &f) { f.early_start = true; });
  runs.expect("last_wins", [](auto &f) { f.last_wins = true; });
  runs.expect("off_by_one_tail", [](auto &f) { f.lost_tail = 1; });
  runs.expect("dropped_block_sync", [](auto &f) { f.machine.drop_block_sync = true; });
  class_faults torn;
  torn.machine.torn_words = true;
  has_none("string_matching_classes", "flag_before_value", runs.with(torn));
  has_none("string_matching_classes", "dropped_warp_sync");
  has_none("string_matching_classes", "unreset_ticket");
}

} // namespace
