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
  std::vector<uint64_t> positions;
  std::string complaints;
};

struct stream_shape {
  uint64_t chunk_bytes, capacity;
  bool lists = true, apart = false, copies = true;
  int fail_at = -1;
  uint64_t enough = ~uint64_t{0}; // positions after which the sink says so
};

streamed stream(const string_case &c, const text_source &source, const stream_shape &shape,
                unsigned seed, const stream_faults &planted = {}) {
  streamed got;
  host_stream_device device(c, shape.apart, shape.chunk_bytes, shape.capacity, shape.copies, seed,
                            planted);
  device.fail_at = shape.fail_at;
  detail::reader_threads readers(1 + seed % 3);
  uint64_t last = 0;
  const std::function<bool(const uint64_t *, uint64_t)> sink = [&](const uint64_t *some,
                                                                   uint64_t count) {
    got.positions.insert(got.positions.end(), some, some + count);
    return got.positions.size() < shape.enough;
  };
  const std::function<void(uint64_t, uint64_t)> progress = [&](uint64_t done, uint64_t all) {
    if (done <= last || done > all)
      got.complaints += "no progress\n";
    last = done;
  };
  const detail::stream_plan plan{c.pattern.size() - planted.short_overlap, shape.lists,
                                 shape.apart && !planted.forgotten_end};
  got.result = detail::stream_pipeline<host_stream_device, int>(device, source, readers, plan, sink,
                                                                progress)
                   .run();
  got.complaints += device.complaints;
  if (!device.idle() && !planted.dropped_wait)
    got.complaints += "something is left\n";
  return got;
}

/// Empty if right.
std::string wrong_stream(const string_case &c, const stream_shape &shape, unsigned seed,
                         const stream_faults &planted = {}) {
  const memory_text source(c.text.data(), c.text.size());
  const std::vector<uint64_t> right = c.pattern.size() > c.text.size() ? std::vector<uint64_t>{}
                                      : shape.apart                    ? naive_apart(c)
                                                                       : naive_matches(c);
  const streamed got = stream(c, source, shape, seed, planted);
  if (!got.complaints.empty())
    return got.complaints;
  if (!got.result.ok())
    return "failed";
  if (got.result.matches != right.size())
    return "number";
  return !shape.lists || got.positions == right ? "" : "positions";
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
    EXPECT_EQ(got.positions, naive_matches(c));
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
  EXPECT_GE(got.positions.size(), 150u);
  EXPECT_LT(got.positions.size(), 180u);
}

TEST(StringMatchingStream, PlantedFaults) {
  const auto run = [](unsigned seed, const stream_faults &planted) {
    std::mt19937 random(seed);
    const string_case one{std::vector<uint8_t>(900, 'a'), std::vector<uint8_t>(7, 'a')};
    string_case c{some_text(2000, text_kind::random, 2, random), {'a', 'b', 'c', 'd'}};
    for (uint64_t at = 0; at + 4 <= 2000; at += 3 + random() % 5)
      std::copy(c.pattern.begin(), c.pattern.end(), c.text.begin() + static_cast<int64_t>(at));
    return wrong_stream(one, {64, 1000, true, true}, seed, planted) +
           wrong_stream(c, {40, 20, true, false, false}, seed, planted);
  };
  const planted_runs runs("string_matching", stream_faults{}, run);
  runs.expect("dropped_wait", [](auto &f) { f.dropped_wait = true; });
  runs.expect("short_overlap", [](auto &f) { f.short_overlap = true; });
  runs.expect("forgotten_end", [](auto &f) { f.forgotten_end = true; });
}

} // namespace
