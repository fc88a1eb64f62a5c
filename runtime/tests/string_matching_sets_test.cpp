//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sets of patterns on the host, under random schedules: random and periodic texts of four alphabets
// against a simple search, patterns at every offset around rows and segments, prefixes of each
// other, room for fewer matches; the automaton that is the reference; planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_string_sets.hpp"
#include "planted.hpp"

#include <colonnade/host_string_matching_sets.hpp>

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

string_set_case case_of(const std::string &text, std::initializer_list<std::string> patterns) {
  string_set_case c{bytes_of(text), {}};
  for (const std::string &pattern : patterns)
    c.patterns.push_back(bytes_of(pattern));
  return c;
}

std::string random_run(unsigned seed, const string_set_faults &planted = {}) {
  std::mt19937 random(seed);
  string_set_case c = random_set_case(7000, 60, seed % 3 ? 12 : 60, random);
  if (c.text.empty())
    c.text.push_back('x');
  const uint64_t capacity = random() % 4 ? c.text.size() : random() % 50;
  return wrong_set_matches(c, random() % 16, capacity, seed, planted);
}

TEST(StringMatchingSets, RandomCases) {
  for (unsigned seed = 0; seed < 300; ++seed)
    ASSERT_EQ(random_run(seed), "") << "seed " << seed;
}

/// A set of each kind; segments have 2048 bytes, and begin 3 bytes before.
TEST(StringMatchingSets, EveryOffsetAroundRowsAndSegments) {
  for (const auto &patterns : {std::vector<std::string>{"x", "xy", "xyzw1", "klmnop"},
                               {"abcdefg", "abcdefgh", "bcdefgh"},
                               {"abcdefgh", "abcdefghi", "ABCDEFGHIJKLMNOPQRS"},
                               {"wxyz", "wxyzabc", "wxyzabcdefghijk", "yz"}})
    for (uint64_t at = 500; at < 530; ++at)
      for (const uint64_t border : {0, 512, 1536}) {
        string_set_case c{std::vector<uint8_t>(2300, '-'), {}};
        for (const std::string &pattern : patterns) {
          c.patterns.push_back(bytes_of(pattern));
          std::copy(pattern.begin(), pattern.end(),
                    c.text.begin() + static_cast<int64_t>(border + at));
        }
        ASSERT_EQ(wrong_set_matches(c, static_cast<uint32_t>(at % 16), 3, 1), "")
            << patterns[0] << " at " << border + at;
      }
}

TEST(StringMatchingSets, LengthsAndPlaces) {
  std::mt19937 random(6);
  for (uint64_t m = 1; m < 40; ++m) {
    string_set_case whole{some_text(m, text_kind::random, 256, random), {}};
    whole.patterns = {whole.text, whole.text};
    whole.patterns[1].push_back(1); // longer than the text
    EXPECT_EQ(wrong_set_matches(whole, m % 16, 3, 1), "") << "pattern = text, " << m;
    string_set_case ends{some_text(1100, text_kind::random, 2, random), {}};
    ends.patterns.assign(2, {ends.text.end() - static_cast<int64_t>(m), ends.text.end()});
    std::copy(ends.patterns[0].begin(), ends.patterns[0].end(), ends.text.begin());
    EXPECT_EQ(wrong_set_matches(ends, m % 16, 3000, 1), "") << "both ends, " << m;
  }
}

/// Chains of prefixes, in an order that is not theirs, broken at every length.
TEST(StringMatchingSets, Prefixes) {
  std::mt19937 random(7);
  for (unsigned i = 0; i < 60; ++i) {
    string_set_case c{some_text(1500, text_kind::periodic, i % 2 ? 1 : 3, random), {}};
    for (uint32_t k = 0; k < 50; ++k)
      c.patterns.emplace_back(c.text.begin(), c.text.begin() + 1 + random() % (i % 3 ? 60 : 300));
    for (uint64_t k = random() % 200; k < c.text.size(); k += 1 + random() % 300)
      c.text[k] ^= 1;
    for (uint32_t k = 0; k < 10; ++k)
      c.patterns[random() % 50].back() ^= 1;
    ASSERT_EQ(wrong_set_matches(c, random() % 16, 100000, i), "") << i;
  }
}

/// Many with the same first eight bytes, which only what follows tells apart.
TEST(StringMatchingSets, OneBeginning) {
  std::mt19937 random(8);
  for (unsigned i = 0; i < 20; ++i) {
    string_set_case c{std::vector<uint8_t>(random() % 60, '-'), {}};
    for (uint32_t k = 0; k < 40; ++k) {
      c.patterns.push_back(bytes_of("https://"));
      const std::vector<uint8_t> rest = some_text(random() % 70, text_kind::random, 2, random);
      c.patterns.back().insert(c.patterns.back().end(), rest.begin(), rest.end());
      c.text.insert(c.text.end(), c.patterns.back().begin(),
                    c.patterns.back().end() - random() % 3);
    }
    ASSERT_EQ(wrong_set_matches(c, random() % 16, 100000, i), "") << i;
  }
}

/// Of one character each, in a set of long patterns, of short ones, and of both.
TEST(StringMatchingSets, Runs) {
  std::mt19937 random(10);
  for (unsigned i = 0; i < 90; ++i) {
    const std::string characters = i % 2 ? " \t" : " aA";
    string_set_case c{{}, {}, i % 4 == 0};
    while (c.text.size() < 3000)
      c.text.insert(c.text.end(), 1 + random() % (random() % 4 ? 50 : 600),
                    static_cast<uint8_t>(characters[random() % characters.size()]));
    const uint64_t shortest = i % 3 ? 7 : 1, longest = i % 3 == 2 ? 6 : 40;
    for (uint32_t k = 0; k < 6; ++k) {
      const uint64_t length = (longest < shortest ? 1 : shortest) + random() % longest;
      c.patterns.emplace_back(length, static_cast<uint8_t>(characters[random() % 2]));
      if (random() % 3 == 0)
        c.patterns.back()[random() % length] = static_cast<uint8_t>(characters[1]);
    }
    ASSERT_EQ(wrong_set_matches(c, random() % 16, random() % 2 ? 50000 : 100, i), "") << i;
  }
}

TEST(StringMatchingSets, EqualPatternsEachMatch) {
  const string_set_case c = case_of("abab", {"ab", "b", "ab", "a", "abab", "ab"});
  const std::vector<set_match> right = {{0, 0}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 1},
                                        {2, 0}, {2, 2}, {2, 3}, {2, 5}, {3, 1}};
  EXPECT_EQ(naive_matches(c), right);
  EXPECT_EQ(wrong_set_matches(c, 3, 100, 1), "");
}

TEST(StringMatchingSets, LettersAreFoldedAndNothingElse) {
  for (uint32_t a = 0; a < 256; a += 1 + a % 3) {
    string_set_case every{std::vector<uint8_t>(256), {{static_cast<uint8_t>(a)}}, true};
    for (uint32_t b = 0; b < 256; ++b)
      every.text[b] = static_cast<uint8_t>(b);
    ASSERT_EQ(wrong_set_matches(every, 5, 9, a), "") << a;
    every.patterns[0].assign(9, static_cast<uint8_t>(a));
    every.text.clear();
    for (uint32_t b = a ^ 0x20; b < a + 30; b += 7)
      every.text.insert(every.text.end(), 9, static_cast<uint8_t>(b));
    ASSERT_EQ(wrong_set_matches(every, 5, 9, a), "") << a;
  }
}

/// As many as a set may have, each the beginning of the next.
TEST(StringMatchingSets, ManyPatterns) {
  const std::vector<uint8_t> all(most_set_patterns, 'a');
  std::vector<set_pattern> patterns;
  for (uint32_t i = 1; i <= most_set_patterns; ++i)
    patterns.push_back({all.data(), i});
  ASSERT_TRUE(detail::valid_set(patterns.data(), most_set_patterns));
  const detail::set_builder built(patterns.data(), most_set_patterns, false);
  EXPECT_EQ(built.lists.size(), most_set_patterns * (most_set_patterns + 1ull) / 2);
  EXPECT_EQ(built.members.back().count, most_set_patterns);
  patterns.push_back({all.data(), 1});
  EXPECT_FALSE(detail::valid_set(patterns.data(), most_set_patterns + 1));
  EXPECT_FALSE(detail::valid_set(patterns.data(), 0));
  patterns[5].length = 0;
  EXPECT_FALSE(detail::valid_set(patterns.data(), 10));
  patterns[5].length = most_set_pattern + 1;
  EXPECT_FALSE(detail::valid_set(patterns.data(), 10));
}

TEST(StringMatchingSets, TheReferenceIsRight) {
  std::mt19937 random(9);
  for (unsigned i = 0; i < 1000; ++i) {
    const string_set_case c = random_set_case(500, 60, 20, random);
    const auto given = c.given();
    ASSERT_EQ(host_find_matches_of_set(c.text.data(), c.text.size(), given.data(),
                                       static_cast<uint32_t>(given.size()), {c.fold_case}),
              naive_matches(c))
        << i;
  }
  EXPECT_TRUE(host_find_matches_of_set(nullptr, 0, nullptr, 0).empty());
}

TEST(StringMatchingSets, DenseMatches) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const string_set_case c = dense_set_case(seed);
    const uint64_t found = naive_matches(c).size();
    ASSERT_EQ(wrong_set_matches(c, seed % 16, seed % 3 ? found : found / 2, seed), "") << seed;
  }
}

/// Keys in shared memory: more than a queue has, single ones, keys that several patterns have.
TEST(StringMatchingSets, ResidentKeys) {
  std::mt19937 random(14);
  for (unsigned i = 0; i < 60; ++i) {
    string_set_case c{
        some_text(1 + random() % 6000, text_kind::random, i % 2 ? 256 : 2, random), {}, i % 3 == 0};
    for (uint32_t k = 0; k < 30; ++k) {
      const uint64_t length = k % 3 ? 8 : 8 + random() % 20;
      c.patterns.push_back(some_text(length, text_kind::random, 2, random));
      if (c.text.size() > 40) {
        const auto from =
            c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - length));
        c.patterns.back().assign(from, from + static_cast<int64_t>(length));
      }
    }
    c.patterns.push_back(c.patterns[3]);
    ASSERT_TRUE(host_set_matching(c, 0, i).has_resident());
    ASSERT_EQ(wrong_set_matches(c, i % 16, 4 * c.text.size(), i), "") << i;
  }
}

/// Sets of 4 bytes and more: members with one anchor, chains of which some have another, short ones
/// at the text's end, anchors near both ends.
TEST(StringMatchingSets, Anchors) {
  std::mt19937 random(18);
  for (unsigned i = 0; i < 80; ++i) {
    string_set_case c{
        some_text(9 + random() % 5000, text_kind::random, i % 2 ? 256 : 2, random), {}, i % 5 == 0};
    if (i % 4 == 0)
      std::fill(c.text.begin() + static_cast<int64_t>(c.text.size() / 2), c.text.end(), uint8_t{0});
    for (uint32_t k = 0; k < 30; ++k) {
      const uint64_t length = std::min<uint64_t>(c.text.size(),
                                                 (i % 3 ? 4 : 8) + random() % (k % 4 ? 12 : 80)),
                     last = c.text.size() - length, from = k % 5 ? random() % (last + 1) : last;
      const auto begin = c.text.begin() + static_cast<int64_t>(from);
      c.patterns.emplace_back(begin, begin + static_cast<int64_t>(length));
      if (k % 7 == 0)
        c.patterns.back()[random() % length] ^= 1;
      if (k % 6 == 0)
        c.patterns.back().push_back(0); // behind the text's end, if it ends there
    }
    c.patterns.emplace_back(i % 8 ? 20 : 70, uint8_t{1}); // counted by runs, or too long for that
    c.patterns.push_back(c.patterns[3]);
    host_set_matching matching(c, i % 16, i);
    ASSERT_TRUE(matching.has_anchors()) << i;
    const host_set_matches found = matching.count_by_anchors();
    ASSERT_EQ(found.complaints, "") << i;
    ASSERT_EQ(found.count, naive_matches(c).size()) << i;
  }
}

/// Sets of 8 bytes, whose keys say all; runs through whole segments and of every length, runs of
/// which there is no pattern, patterns that are equal, more than counts of keys have room for.
TEST(StringMatchingSets, AnchorsOfEight) {
  std::mt19937 random(19);
  for (unsigned i = 0; i < 60; ++i) {
    string_set_case c{
        some_text(9 + random() % 5000, text_kind::random, i % 2 ? 256 : 2, random), {}, i % 5 == 0};
    for (uint32_t k = 0; k < 20; ++k) {
      const uint64_t from = random() % c.text.size(),
                     most = std::min<uint64_t>(c.text.size() - from, k ? 40 : 3000);
      std::fill_n(c.text.begin() + static_cast<int64_t>(from), random() % (most + 1),
                  static_cast<uint8_t>(1 + k % 2));
    }
    for (uint32_t k = 0; k < 20; ++k) {
      const auto begin = c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - 8));
      c.patterns.emplace_back(begin, begin + 8);
    }
    c.patterns.insert(c.patterns.end(), i % 4, std::vector<uint8_t>(8, 1));
    c.patterns.insert(c.patterns.end(), i % 10 == 9 ? 6200 : 1, c.patterns[1]);
    host_set_matching matching(c, i % 16, i);
    if (i % 10 != 9) {
      ASSERT_EQ(matching.kind_of_anchors(), detail::anchor_kind::eights) << i;
    }
    if (!matching.has_anchors())
      continue; // all are the one that is counted by runs
    const host_set_matches found = matching.count_by_anchors();
    ASSERT_EQ(found.complaints, "") << i;
    ASSERT_EQ(found.count, naive_matches(c).size()) << i;
  }
}

/// Eight bytes that are 0 are as good as a place without a key.
TEST(StringMatchingSets, AnchorsAndZeroBytes) {
  string_set_case c{std::vector<uint8_t>(100), {std::vector<uint8_t>(4), bytes_of("abcdefghijk")}};
  EXPECT_TRUE(host_set_matching(c, 0, 1).has_anchors());
  EXPECT_EQ(wrong_set_matches(c, 0, 100, 1), "");
}

TEST(StringMatchingSets, KindsOfAnchors) {
  const auto kind = [](uint32_t equal, const std::string &other) {
    string_set_case c = case_of("text", {other});
    c.patterns.insert(c.patterns.end(), equal, bytes_of("abcdefgh"));
    return host_set_matching(c, 0, 1).kind_of_anchors();
  };
  const detail::key_layout layout = detail::resident_keys::layout();
  const uint32_t too_many = layout.undecided() - detail::anchor_is_all(layout);
  EXPECT_EQ(kind(too_many - 1, "abcdefgi"), detail::anchor_kind::eights);
  EXPECT_EQ(kind(too_many, "abcdefgi"), detail::anchor_kind::longer); // compared, to be counted
  EXPECT_EQ(kind(1, "abcdefgij"), detail::anchor_kind::longer);
  EXPECT_EQ(kind(1, "abcdefg"), detail::anchor_kind::mixed);
}

TEST(StringMatchingSets, WhereThereAreNoAnchors) {
  const auto has = [](std::initializer_list<std::string> patterns) {
    return host_set_matching(case_of("text", patterns), 0, 1).has_anchors();
  };
  EXPECT_TRUE(has({"abcd", "abcdefgh"}));
  EXPECT_FALSE(has({"abc", "abcdefghi"})); // shorter than the filter's four bytes
  EXPECT_FALSE(has({"abcd", "abcdefg"}));  // none of 8
  EXPECT_TRUE(has({"abcdefgh", "abcdefgi"}));
  EXPECT_FALSE(has({"aaaaaaaa", "aaaaaaaaa"})); // runs alone
}

/// As many keys as a set may have.
TEST(StringMatchingSets, ResidentTablesOfManyKeys) {
  std::mt19937 random(15);
  for (const uint32_t alphabet : {4u, 256u}) {
    string_set_case c{{}, {}};
    for (uint32_t k = 0; k < most_set_patterns; ++k)
      c.patterns.push_back(some_text(8, text_kind::random, alphabet, random));
    const auto given = c.given();
    const detail::set_builder built(given.data(), most_set_patterns, false);
    const detail::resident_builder resident(built.keys, built.tables.key_lengths, 0);
    EXPECT_FALSE(resident.displacements.empty()) << alphabet;
    c.patterns.emplace_back(7, uint8_t{1});
    c.patterns.erase(c.patterns.begin());
    const auto shorter = c.given();
    const detail::set_builder of_seven(shorter.data(), most_set_patterns, false);
    EXPECT_TRUE(detail::resident_builder(of_seven.keys, of_seven.tables.key_lengths, 0)
                    .displacements.empty());
  }
}

TEST(StringMatchingSets, Frequency) {
  std::mt19937 random(16);
  string_set_case c{some_text(9000, text_kind::random, 4, random), {}};
  c.patterns.emplace_back(8, uint8_t{200});
  EXPECT_FALSE(host_set_matching(c, 3, 1).is_frequent(1));
  EXPECT_TRUE(host_set_matching(c, 3, 1).is_frequent(0));
  std::fill(c.text.begin() + 4500, c.text.end(), uint8_t{200});
  for (const bool words : {false, true}) {
    EXPECT_TRUE(host_set_matching(c, 3, 1).is_frequent(1900, words));
    EXPECT_FALSE(host_set_matching(c, 3, 1).is_frequent(2200, words));
  }
  for (uint64_t n = 1; n < 20; ++n) {
    c.text.assign(n, uint8_t{200});
    EXPECT_EQ(host_set_matching(c, 5, 1).is_frequent(1), n >= 8) << n;
    if (n < 8 || n > 15) { // between them it depends on whether a whole word is sampled
      EXPECT_EQ(host_set_matching(c, 5, 1).is_frequent(1, true), n > 15) << n;
    }
  }
}

TEST(StringMatchingSets, PlantedFaults) {
  const auto run = [](unsigned seed, const string_set_faults &planted) {
    std::mt19937 random(seed);
    string_set_case mixed{some_text(4500, text_kind::random, 4, random), {}};
    for (uint32_t k = 0; k < 30; ++k) {
      const auto from = mixed.text.begin() + static_cast<int64_t>(random() % 4400);
      mixed.patterns.emplace_back(from, from + 4 + random() % 20);
    }
    mixed.patterns.emplace_back(mixed.text.end() - 9, mixed.text.end());
    string_set_case nested =
        case_of("abcdefghijXZabcdefghiXXabcdefgh------------abcdefghababababa",
                {"abcdefghij", "abcdefgh", "abcdefghi", "abcdefghijXY", "---------", "ababababa",
                 "babababa", "ababcccc", "ababdddd"});
    return wrong_set_matches(mixed, 3, 5000, seed, planted) +
           wrong_set_matches(dense_set_case(2 * seed + 1), 3, 40000, seed, planted) +
           wrong_set_matches(nested, 0, 10, seed, planted);
  };
  const planted_runs runs("string_matching_sets", string_set_faults{}, run);
  runs.expect("no_neighbour", [](auto &f) { f.no_neighbour = true; });
  runs.expect("lost_word", [](auto &f) { f.lost_word = true; });
  runs.expect("lost_pair", [](auto &f) { f.lost_pair = true; });
  runs.expect("lost_four", [](auto &f) { f.lost_four = true; });
  runs.expect("lost_place", [](auto &f) { f.lost_place = true; });
  runs.expect("lost_short", [](auto &f) { f.lost_short = true; });
  runs.expect("lost_run", [](auto &f) { f.lost_run = true; });
  runs.expect("moved_anchor", [](auto &f) { f.moved_anchor = true; });
  runs.expect("other_byte", [](auto &f) { f.other_byte = true; });
  runs.expect("lost_chain", [](auto &f) { f.lost_chain = true; });
  runs.expect("lost_prefixes", [](auto &f) { f.lost_prefixes = true; });
  runs.expect("lost_step", [](auto &f) { f.lost_step = true; });
  runs.expect("stale_counter", [](auto &f) { f.stale_counter = true; });
  runs.expect("lost_segment", [](auto &f) { f.lost_segment = true; });
  runs.expect("off_by_one_tail", [](auto &f) { f.lost_tail = true; });
  runs.expect("dropped_block_sync", [](auto &f) { f.machine.drop_block_sync = true; });
  runs.expect("dropped_warp_sync", [](auto &f) { f.machine.drop_warp_sync = true; });
  string_set_faults torn;
  torn.machine.torn_words = true;
  has_none("string_matching_sets", "flag_before_value", runs.with(torn));
  has_none("string_matching_sets", "unreset_ticket");
}

} // namespace
