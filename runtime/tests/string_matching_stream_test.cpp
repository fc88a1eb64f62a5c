//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Streams of text over a device of host memory that is late at random: chunks of all sizes, matches
// across them, more matches than there is room for, matches that must not overlap; memory and
// files; errors of the device at every call, and of the source; planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_stream.hpp"
#include "planted.hpp"
#include "temporary_file.hpp"

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

struct streamed {
  detail::stream_result<int> result;
  std::vector<set_match> matches; // of pattern 0, where there is one alone
  std::string complaints;

  std::vector<uint64_t> positions() const {
    std::vector<uint64_t> all;
    for (const set_match &m : matches)
      all.push_back(m.position);
    return all;
  }
};

struct stream_shape {
  uint64_t chunk_bytes, capacity;
  bool lists = true, apart = false, copies = true;
  int fail_at = -1;
  uint64_t enough = ~uint64_t{0}; // positions after which the sink says so
};

streamed stream(const host_stream_search &search, detail::stream_plan plan,
                const text_source &source, const stream_shape &shape, unsigned seed,
                const stream_faults &planted) {
  streamed got;
  host_stream_device device(search, shape.chunk_bytes, shape.capacity, shape.copies, seed, planted);
  device.fail_at = shape.fail_at;
  detail::reader_threads readers(1 + seed % 3);
  uint64_t last = 0;
  const std::function<bool(const uint64_t *, const uint32_t *, uint64_t)> sink =
      [&](const uint64_t *positions, const uint32_t *patterns, uint64_t count) {
        for (uint64_t i = 0; i < count; ++i)
          got.matches.push_back({positions[i], patterns ? patterns[i] : 0});
        return got.matches.size() < shape.enough;
      };
  const std::function<void(uint64_t, uint64_t)> progress = [&](uint64_t done, uint64_t all) {
    if (done <= last || done > all)
      got.complaints += "no progress\n";
    last = done;
  };
  plan.longest -= planted.short_overlap;
  plan.shortest = std::min(plan.shortest, plan.longest);
  plan.lists = shape.lists;
  plan.apart = shape.apart && !planted.forgotten_end;
  got.result = detail::stream_pipeline<host_stream_device, int>(device, source, readers, plan, sink,
                                                                progress)
                   .run();
  got.complaints += device.complaints;
  if (!device.idle() && !planted.dropped_wait)
    got.complaints += "something is left\n";
  return got;
}

streamed stream(const string_case &c, const text_source &source, const stream_shape &shape,
                unsigned seed, const stream_faults &planted = {}) {
  const uint64_t m = c.pattern.size();
  return stream(host_stream_search::of(c, shape.apart), {m, m, 1, false, false}, source, shape,
                seed, planted);
}

/// Empty if right.
std::string wrong_stream(const streamed &got, const std::vector<set_match> &right, bool lists) {
  if (!got.complaints.empty())
    return got.complaints;
  if (!got.result.ok())
    return "failed";
  if (got.result.matches != right.size())
    return "number";
  return !lists || got.matches == right ? "" : "positions";
}

std::string wrong_stream(const string_case &c, const stream_shape &shape, unsigned seed,
                         const stream_faults &planted = {}) {
  const memory_text source(c.text.data(), c.text.size());
  const std::vector<set_match> right = host_stream_search::of(c, shape.apart).find(c.text);
  return wrong_stream(stream(c, source, shape, seed, planted), right, shape.lists);
}

/// Of the patterns that are prefixes of one, or equal to it, all may begin where it does.
detail::stream_plan plan_of(const string_set_case &c) {
  detail::stream_plan plan{~uint64_t{0}, 0, 0, false, false};
  for (const auto &one : c.patterns) {
    plan.shortest = std::min<uint64_t>(plan.shortest, one.size());
    plan.longest = std::max<uint64_t>(plan.longest, one.size());
    const string_set_case of_one{one, c.patterns, c.fold_case};
    const std::vector<set_match> found = naive_matches(of_one);
    const auto begins = [](const set_match &m) { return m.position == 0; };
    plan.most_at_place = std::max<uint64_t>(
        plan.most_at_place,
        static_cast<uint64_t>(std::count_if(found.begin(), found.end(), begins)));
  }
  return plan;
}

std::string wrong_stream(const string_set_case &c, const stream_shape &shape, unsigned seed,
                         const stream_faults &planted = {}) {
  const memory_text source(c.text.data(), c.text.size());
  const streamed got = stream(host_stream_search::of(c), plan_of(c), source, shape, seed, planted);
  return wrong_stream(got, naive_matches(c), shape.lists);
}

string_case some_case(std::mt19937 &random) {
  return random() % 2 ? random_case(4000, 60, random)
                      : overlapping_case(700 + random() % 3000, random);
}

TEST(StringMatchingStream, RandomCases) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    std::mt19937 random(seed);
    const string_case c = some_case(random);
    const uint64_t least = 4 * c.pattern.size();
    const stream_shape shape{least + random() % (random() % 2 ? 50 : 3000),
                             1 + random() % (random() % 2 ? 20 : 1000), random() % 3 != 0,
                             random() % 2 == 0, random() % 2 == 0};
    ASSERT_EQ(wrong_stream(c, shape, seed), "") << "seed " << seed;
  }
}

/// The last chunk has one place, or all; a match begins at each place around the border.
TEST(StringMatchingStream, EveryPlaceAroundBorders) {
  const std::string pattern = "abcab";
  for (uint64_t n = 60; n < 75; ++n)
    for (uint64_t at = 0; at + 5 <= n; ++at) {
      string_case c{std::vector<uint8_t>(n, '-'), {pattern.begin(), pattern.end()}};
      std::copy(pattern.begin(), pattern.end(), c.text.begin() + static_cast<int64_t>(at));
      ASSERT_EQ(wrong_stream(c, {20, 4}, static_cast<unsigned>(n + at)), "") << at << " of " << n;
    }
}

TEST(StringMatchingStream, Sets) {
  for (unsigned seed = 0; seed < 600; ++seed) {
    std::mt19937 random(seed);
    const string_set_case c = random_set_case(1500, 60, 40, random);
    const detail::stream_plan plan = plan_of(c);
    const stream_shape shape{4 * plan.longest + random() % (random() % 2 ? 50 : 2000),
                             plan.most_at_place + random() % (random() % 2 ? 20 : 1000),
                             random() % 3 != 0, false, random() % 2 == 0};
    ASSERT_EQ(wrong_stream(c, shape, seed), "") << "seed " << seed;
  }
}

/// Short patterns begin at the last places of the text, and where the longest does not fit.
TEST(StringMatchingStream, SetsAtTheEnd) {
  for (uint64_t n = 0; n < 90; ++n) {
    string_set_case c{std::vector<uint8_t>(n, 'a'), {{'a'}, {'a', 'a'}, {'a'}, {}}, false};
    c.patterns.back().assign(10, 'a');
    for (const bool lists : {false, true}) {
      ASSERT_EQ(wrong_stream(c, {40, 4, lists}, static_cast<unsigned>(n)), "") << n;
      ASSERT_EQ(wrong_stream(c, {100, 9, lists}, static_cast<unsigned>(n)), "") << n;
    }
  }
}

TEST(StringMatchingStream, ShortTexts) {
  for (uint64_t n = 0; n < 5; ++n) {
    const string_case c{std::vector<uint8_t>(n, 'a'), {'a', 'a', 'a'}};
    EXPECT_EQ(wrong_stream(c, {12, 4}, 1), "") << n;
  }
}

TEST(StringMatchingStream, Files) {
  std::mt19937 random(2);
  const temporary_file place;
  string_case c{some_text(3 << 20, text_kind::random, 4, random), {}};
  c.pattern.assign(c.text.begin() + 1000, c.text.begin() + 1012);
  place.write(c.text.data(), c.text.size());
  for (unsigned seed = 0; seed < 3; ++seed) { // with one, two and three threads
    file_text file;
    ASSERT_EQ(file.open(place.path()), 0);
    const streamed got = stream(c, file, {2500000, 10000}, seed);
    EXPECT_TRUE(got.result.ok() && got.complaints.empty());
    EXPECT_EQ(got.positions(), naive_matches(c));
    place.cut_off((2 << 20) + 5 * seed); // cut off while it is open
    const streamed cut = stream(c, file, {2500000, 10000}, seed);
    EXPECT_EQ(cut.result.read.error, EIO);
    EXPECT_EQ(cut.result.read.offset, (2u << 20) + 5 * seed);
    EXPECT_EQ(cut.result.matches, 0u);
    place.write(c.text.data(), c.text.size());
  }
  place.remove();
  file_text file;
  EXPECT_EQ(file.open(place.path()), ENOENT);
  EXPECT_EQ(file.open("/"), EISDIR);
  EXPECT_EQ(file.open("/dev/null"), ESPIPE);
}

TEST(StringMatchingStream, ErrorsOfSources) {
  std::mt19937 random(3);
  const string_case c{std::vector<uint8_t>(5000, 'a'), {'a', 'b'}};
  for (uint64_t fails_at = 0; fails_at < 5000; fails_at += 1 + random() % 300) {
    const streamed got =
        stream(c, failing_text(c.text, fails_at), {400, 100}, static_cast<unsigned>(fails_at));
    EXPECT_EQ(got.result.read.error, EIO);
    EXPECT_EQ(got.result.read.offset, fails_at);
    EXPECT_EQ(got.result.matches, 0u);
    EXPECT_EQ(got.complaints, "");
  }
  // Far behind, and read by several threads: the first offset is told.
  const std::vector<uint8_t> large(8 << 20, 'a');
  const streamed got =
      stream({large, {'b'}}, failing_text(large, (5 << 20) + 3), {8 << 20, 100}, 2);
  EXPECT_EQ(got.result.read.offset, (5u << 20) + 3);
}

TEST(StringMatchingStream, ErrorsOfTheDevice) {
  const string_case c{std::vector<uint8_t>(300, 'a'), {'a', 'a'}};
  const memory_text source(c.text.data(), c.text.size());
  for (int call = 0;; ++call) {
    stream_shape shape{50, 20};
    shape.copies = false;
    shape.fail_at = call;
    const streamed got = stream(c, source, shape, 1);
    EXPECT_EQ(got.complaints, "");
    if (got.result.ok()) {
      EXPECT_GT(call, 30);
      break;
    }
    EXPECT_EQ(got.result.error, 7);
    EXPECT_EQ(got.result.matches, 0u);
  }
}

TEST(StringMatchingStream, EnoughIsEnough) {
  const string_case c{std::vector<uint8_t>(3000, 'a'), {'a', 'a'}};
  const memory_text source(c.text.data(), c.text.size());
  stream_shape shape{100, 20};
  shape.enough = 150;
  const streamed got = stream(c, source, shape, 1);
  EXPECT_TRUE(got.result.ok() && got.complaints.empty());
  EXPECT_GE(got.positions().size(), 150u);
  EXPECT_LT(got.positions().size(), 180u);
}

TEST(StringMatchingStream, PlantedFaults) {
  const auto run = [](unsigned seed, const stream_faults &planted) {
    std::mt19937 random(seed);
    const string_case one{std::vector<uint8_t>(900, 'a'), std::vector<uint8_t>(7, 'a')};
    string_case c{some_text(2000, text_kind::random, 2, random), {'a', 'b', 'c', 'd'}};
    for (uint64_t at = 0; at + 4 <= 2000; at += 3 + random() % 5)
      std::copy(c.pattern.begin(), c.pattern.end(), c.text.begin() + static_cast<int64_t>(at));
    const string_set_case several{std::vector<uint8_t>(300, 'a'), {{'a'}, {'a', 'a', 'a'}}, false};
    return wrong_stream(one, {64, 1000, true, true}, seed, planted) +
           wrong_stream(several, {40, 20, false}, seed, planted) +
           wrong_stream(c, {40, 20, true, false, false}, seed, planted);
  };
  const planted_runs runs("string_matching", stream_faults{}, run);
  runs.expect("dropped_wait", [](auto &f) { f.dropped_wait = true; });
  runs.expect("short_overlap", [](auto &f) { f.short_overlap = true; });
  runs.expect("few_slots", [](auto &f) { f.few_slots = true; });
  runs.expect("counts_overlap", [](auto &f) { f.counts_overlap = true; });
  runs.expect("forgotten_end", [](auto &f) { f.forgotten_end = true; });
}

} // namespace
