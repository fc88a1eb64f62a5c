//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels of segmented multisplits on the host, against a stable counting sort of
// each segment: every length class and its borders, empty segments, gaps in front,
// few and many buckets, ids out of range; planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_segments.hpp"
#include "planted.hpp"

#include <gtest/gtest.h>

#include <algorithm>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

struct modulo { // every 97th key's id is out of range
  uint32_t m;
  uint32_t operator()(uint32_t key) const { return key % 97 == 5 ? m + key : key % m; }
};
struct by_index {
  uint32_t m;
  uint32_t operator()(uint32_t key, uint64_t index) const {
    return static_cast<uint32_t>((key + index / 7) % m);
  }
};

template <class Bucket> uint32_t raw_id(const Bucket &bucket, uint32_t key, uint64_t index) {
  if constexpr (detail::takes_index<Bucket, uint32_t>)
    return bucket(key, index);
  else
    return bucket(key);
}

std::vector<uint64_t> offsets_of(const std::vector<uint64_t> &lengths, uint64_t first = 0) {
  std::vector<uint64_t> offsets{first};
  for (uint64_t length : lengths)
    offsets.push_back(offsets.back() + length);
  return offsets;
}

template <uint32_t Bits, class Bucket>
std::string segments_case(const std::vector<uint64_t> &segments, uint32_t m, Bucket bucket,
                          unsigned seed, segment_faults planted = {}) {
  const uint64_t n = segments.back();
  const uint32_t num_segments = static_cast<uint32_t>(segments.size() - 1);
  std::mt19937 random(seed + 77);
  std::vector<uint32_t> keys(n), keys_out(n + 4, 0xabababab);
  for (uint32_t &key : keys)
    key = random();
  std::vector<uint64_t> values_out(n + 4, 0xabababab);
  std::vector<uint64_t> offsets(num_segments * m + 2, 0xabababab), expected_offsets;
  device_status status, expected_status;
  const std::string wrong = host_segments<Bits>(
      seed, planted, keys.data(), keys_out.data(), detail::index_iterator<uint64_t>{},
      values_out.data(), n, segments, m, bucket, offsets.data(), &status);
  std::vector<uint64_t> from;
  for (uint32_t s = 0; s < num_segments; ++s) {
    std::vector<std::vector<uint64_t>> lists(m);
    for (uint64_t i = segments[s]; i < segments[s + 1]; ++i) {
      const uint32_t raw = raw_id(bucket, keys[i], i);
      if (raw >= m && expected_status.ok())
        expected_status.first = i << 8 | 1;
      lists[std::min(raw, m - 1)].push_back(i);
    }
    for (const auto &list : lists) {
      expected_offsets.push_back(segments[0] + from.size());
      from.insert(from.end(), list.begin(), list.end());
    }
  }
  expected_offsets.push_back(segments[0] + from.size());
  expected_offsets.push_back(0xabababab);
  for (uint64_t i = 0; i < n + 4; ++i) {
    const bool written = i >= segments[0] && i < n;
    const uint64_t source = written ? from[i - segments[0]] : 0;
    if (keys_out[i] != (written ? keys[source] : 0xabababab) ||
        values_out[i] != (written ? source : 0xabababab))
      return wrong + "item " + std::to_string(i);
  }
  if (offsets != expected_offsets)
    return wrong + "offsets";
  if (status.first != expected_status.first)
    return wrong + "status";
  return wrong;
}

TEST(SegmentedMultisplit, EveryClassAndItsBorders) {
  for (uint64_t length : {0,   1,   31,  32,  33,  63,  64,  65,   128,  255,  256,
                          257, 319, 320, 321, 639, 640, 641, 1280, 1281, 2000, 5000})
    for (uint32_t m : {1, 2, 13, 32})
      EXPECT_EQ((segments_case<5>(offsets_of({length}), m, modulo{m}, m)), "")
          << length << " " << m;
}

TEST(SegmentedMultisplit, ManySegmentsOfAllLengths) {
  std::vector<uint64_t> lengths;
  std::mt19937 random(3);
  for (int i = 0; i < 150; ++i)
    lengths.push_back(random() % 5 == 0 ? 0
                                        : random() % (i % 40 == 0   ? 3000
                                                      : i % 10 == 0 ? 400
                                                                    : 70));
  EXPECT_EQ((segments_case<2>(offsets_of(lengths), 3, modulo{3}, 1)), "");
  EXPECT_EQ((segments_case<5>(offsets_of(lengths, 11), 17, modulo{17}, 2)), "");
  EXPECT_EQ((segments_case<6>(offsets_of(lengths, 5), 64, modulo{64}, 3)), "");
  EXPECT_EQ((segments_case<6>(offsets_of(lengths), 50, by_index{50}, 4)), "");
}

TEST(SegmentedMultisplit, NoSegmentsAndEmptyOnes) {
  EXPECT_EQ((segments_case<2>({0}, 3, modulo{3}, 1)), "");
  EXPECT_EQ((segments_case<2>({7}, 3, modulo{3}, 1)), "");
  EXPECT_EQ((segments_case<2>(std::vector<uint64_t>(100, 0), 3, modulo{3}, 1)), "");
}

TEST(SegmentedMultisplit, SegmentsThatFallOrEndTooFarCountAsEmpty) {
  std::vector<uint32_t> keys(100), keys_out(100);
  for (uint32_t i = 0; i < 100; ++i)
    keys[i] = i;
  for (const std::vector<uint64_t> &segments :
       {std::vector<uint64_t>{0, 100, 60}, std::vector<uint64_t>{0, 100, uint64_t{1} << 40}}) {
    std::fill(keys_out.begin(), keys_out.end(), 0u);
    device_status status;
    EXPECT_EQ(
        (host_segments<2>(1, {}, keys.data(), keys_out.data(), detail::no_items{},
                          detail::nothing{}, 100, segments, 3, by_index{3}, nullptr, &status)),
        "");
    for (uint32_t i = 1; i < 100; ++i)
      EXPECT_LE((keys_out[i - 1] + keys_out[i - 1] / 7) % 3, (keys_out[i] + keys_out[i] / 7) % 3);
  }
}

TEST(SegmentedMultisplit, ManySchedules) {
  const auto segments = offsets_of({10, 0, 100, 700, 64, 65, 256, 257, 1500, 3});
  for (unsigned seed = 0; seed < 150; ++seed)
    ASSERT_EQ((segments_case<3>(segments, 6, modulo{6}, seed)), "") << seed;
}

TEST(SegmentedMultisplit, PlantedFaultsAreSeen) {
  const auto segments = offsets_of({10, 100, 700, 65, 257, 1500, 3});
  const planted_runs runs("multisplit", segment_faults{}, [&](unsigned seed, segment_faults f) {
    return segments_case<3>(segments, 6, modulo{6}, seed, f);
  });
  runs.expect("dropped_warp_sync_segments", [](segment_faults &f) { f.drop_warp_sync = true; });
  runs.expect("dropped_block_sync_segments", [](segment_faults &f) { f.drop_block_sync = true; });
  runs.expect("unreset_ticket_segments", [](segment_faults &f) { f.dirty_header = true; });
  runs.expect("no_scan_segments", [](segment_faults &f) { f.no_scan = true; });
  runs.expect("lost_middle_segments", [](segment_faults &f) { f.no_middle = true; });
}

} // namespace
