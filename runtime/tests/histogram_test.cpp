//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels of the histograms on the host: bins of every kind against plain
// arithmetic and a plain search, counters in registers, in shared memory and global.
//
//===----------------------------------------------------------------------===//

#include "host_machine.hpp"
#include "planted.hpp"

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/counting/bin_counts.hpp>
#include <colonnade/detail/histogram/level_bins.hpp>
#include <colonnade/detail/multisplit/many_buckets/bucket_bins.hpp>
#include <colonnade/detail/multisplit/many_buckets/counts_to_offsets.hpp>
#include <colonnade/detail/ranking/bucket_id.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace colonnade;
using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

struct small_tuning {
  static constexpr histogram_tuning value = [] {
    histogram_tuning t;
    t.threads = 64;
    t.items = 8;
    return t;
  }();
};

struct histogram_faults : faults {
  uint64_t lost_tail = 0;    // so many samples at the end are forgotten
  uint64_t dirty_ticket = 0; // where a call before has left it
};

/// Counts of one call; checks what the blocks complain about. num_results: of the bins,
/// where the counters are those of values.
template <count_in Where, class Sample, class Bins>
std::vector<uint64_t> counts(const std::vector<Sample> &samples, size_t skip, uint32_t num_counters,
                             const Bins &bins, unsigned seed, uint32_t log2_copies = 2,
                             device_status *status = nullptr, histogram_faults planted = {},
                             uint32_t num_results = 0) {
  using block = bin_counts_block<small_tuning, Where, const Sample *, Bins, host_machine>;
  std::vector<uint64_t> result(num_results ? num_results : num_counters);
  uint64_t ticket = planted.dirty_ticket;
  const uint32_t table = static_cast<uint32_t>((bins.shared_bytes() + 15) / 16 * 16);
  const bin_counts_arguments<const Sample *, Bins> a{
      samples.data() + skip, bins,        samples.size() - skip,
      num_counters,          log2_copies, table,
      result.data(),         &ticket,     status};
  host_grid grid(seed, 3, planted);
  const size_t counters = Where == count_in::shared      ? size_t{num_counters} << log2_copies
                          : Where == count_in::registers ? num_counters
                                                         : 0;
  grid.run(3, 64, bin_counts_head_bytes + table + (counters + num_results) * 4,
           [&](const host_machine &machine, char *s) { block(machine, a, s).run(); });
  for (const std::string &c : grid.complaints)
    ADD_FAILURE() << c;
  return result;
}

template <class Sample, class BinOf>
std::vector<uint64_t> plain(const std::vector<Sample> &samples, size_t skip, uint32_t num_bins,
                            BinOf bin_of) {
  std::vector<uint64_t> result(num_bins);
  for (size_t i = skip; i < samples.size(); ++i)
    if (const uint32_t b = bin_of(samples[i]); b != no_bin)
      ++result.at(b);
  return result;
}

template <class Sample, class Bins, class BinOf>
void check(const std::vector<Sample> &samples, uint32_t num_bins, const Bins &bins, BinOf bin_of) {
  for (size_t skip : {0, 1, 3}) {
    const auto right = plain(samples, skip, num_bins, bin_of);
    for (uint32_t copies : {0, 2, 5})
      EXPECT_EQ((counts<count_in::shared>(samples, skip, num_bins, bins, copies + 1, copies)),
                right);
    EXPECT_EQ((counts<count_in::global>(samples, skip, num_bins, bins, 2)), right);
    if (num_bins <= max_register_bins) {
      EXPECT_EQ((counts<count_in::registers>(samples, skip, num_bins, bins, 3)), right);
    }
    if constexpr (sizeof(Sample) == 1) {
      const byte_bins<Sample, Bins> values{bins, num_bins};
      EXPECT_EQ((counts<count_in::shared>(samples, skip, values.num_values, values, 4, 3, nullptr,
                                          {}, num_bins)),
                right);
    }
  }
}

template <class Sample> std::vector<Sample> varied(size_t n) {
  std::mt19937_64 random(n);
  std::vector<Sample> samples(n);
  for (Sample &s : samples) {
    const uint64_t bits = random() >> random() % 64;
    std::memcpy(&s, &bits, sizeof s);
  }
  return samples;
}

template <class Sample, class Level> void check_even(Level lower, Level upper, uint32_t num_bins) {
  using value = compared_as<Sample, Level>;
  const auto bin_of = [&](Sample s) {
    const __int128 x = static_cast<__int128>(s) - lower,
                   range = static_cast<__int128>(upper) - lower;
    return x < 0 || x >= range ? no_bin : static_cast<uint32_t>(x * num_bins / range);
  };
  SCOPED_TRACE(::testing::Message() << sizeof(Sample) << " bytes, " << +lower << " to " << +upper
                                    << ", " << num_bins << " bins");
  check(varied<Sample>(2500), num_bins,
        even_integer_bins<Sample, value>(static_cast<value>(lower), static_cast<value>(upper),
                                         num_bins),
        bin_of);
}

// Whole warps of one bin, longer and shorter than a chunk, between mixed samples.
TEST(Histogram, RunsOfOneBin) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    std::vector<uint32_t> samples;
    while (samples.size() < 40000) {
      const uint32_t bin = random() % 12; // the last two lie outside
      const bool mixed = random() % 4 == 0;
      for (uint32_t left = random() % (random() % 2 ? 9000 : 300); left > 0; --left)
        samples.push_back(mixed ? random() % 12 : bin);
    }
    check(samples, 10, even_integer_bins<uint32_t, uint32_t>(0, 10, 10),
          [](uint32_t s) { return s < 10 ? s : no_bin; });
  }
}

TEST(Histogram, EvenIntegers) {
  for (uint32_t bins : {1, 2, 7, 8, 9, 100, 256}) {
    check_even<uint8_t, int>(0, 256, bins);
    check_even<int8_t, int>(-128, 128, bins);
    check_even<int8_t, int>(-7, 3, bins);
    check_even<uint16_t, uint16_t>(10, 65535, bins);
    check_even<uint32_t, uint32_t>(0, 0xffffffff, bins);
    check_even<uint32_t, uint32_t>(5, 6, bins);
    check_even<int32_t, int32_t>(std::numeric_limits<int32_t>::min(),
                                 std::numeric_limits<int32_t>::max(), bins);
    check_even<uint32_t, int64_t>(-5, int64_t{1} << 32, bins);
    check_even<uint64_t, uint64_t>(0, ~uint64_t{0}, bins);
    check_even<uint64_t, uint64_t>(3, 1000003, bins);
    check_even<int64_t, int64_t>(std::numeric_limits<int64_t>::min(),
                                 std::numeric_limits<int64_t>::max(), bins);
  }
}

/// Every x near a border of a bin.
TEST(Histogram, EvenIntegersAtTheBorders) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const uint64_t range = (random() >> random() % 62) | 1;
    const uint32_t num_bins = static_cast<uint32_t>(random() >> (33 + random() % 30)) | 1;
    const even_integer_bins<uint64_t, uint64_t> bins(0, range, num_bins);
    for (int k = 0; k < 20; ++k) {
      const uint64_t b = random() % num_bins;
      const uint64_t border =
          static_cast<uint64_t>(static_cast<unsigned __int128>(b) * range / num_bins);
      for (uint64_t x : {border - 1, border, border + 1})
        if (x < range)
          ASSERT_EQ(bins.bin_of(x),
                    static_cast<uint32_t>(static_cast<unsigned __int128>(x) * num_bins / range))
              << x << " " << range << " " << num_bins;
        else
          ASSERT_EQ(bins.bin_of(x), no_bin);
    }
  }
}

TEST(Histogram, EvenFloats) {
  std::vector<float> samples(2500);
  std::mt19937 random(4);
  for (float &s : samples)
    s = static_cast<float>(static_cast<int>(random() % 2000) - 1000) / 700.0f;
  samples[7] = std::numeric_limits<float>::quiet_NaN();
  samples[8] = std::nextafter(1.0f, 0.0f);
  samples[9] = 1.0f;
  samples[10] = -0.0f;
  for (uint32_t num_bins : {1, 3, 8, 50, 300}) {
    const float scale = static_cast<float>(num_bins) / (1.0f - -0.5f);
    check(samples, num_bins, even_float_bins<float, float>(-0.5f, 1.0f, num_bins), [&](float s) {
      if (!(s >= -0.5f && s < 1.0f))
        return no_bin;
      return std::min(static_cast<uint32_t>((s - -0.5f) * scale), num_bins - 1);
    });
  }
}

template <class Sample, class Level> void check_range(const std::vector<Level> &levels) {
  const uint32_t num_bins = static_cast<uint32_t>(levels.size() - 1);
  using value = compared_as<Sample, Level>;
  std::vector<Sample> samples = varied<Sample>(1200);
  for (size_t i = 0; i < levels.size() && i < 1000; ++i)
    samples[i] = static_cast<Sample>(levels[i]);
  SCOPED_TRACE(num_bins);
  check(samples, num_bins, range_bins<Sample, Level, value>(levels.data(), num_bins),
        [&](Sample s) {
          const value x = static_cast<value>(s);
          if (!(x >= levels.front() && x < levels.back()))
            return no_bin;
          return static_cast<uint32_t>(std::upper_bound(levels.begin(), levels.end(), x) -
                                       levels.begin() - 1);
        });
}

TEST(Histogram, Ranges) {
  for (uint32_t num_bins : {1, 2, 3, 4, 7, 8, 9, 31, 32, 33, 255, 256, 257}) {
    std::vector<float> floats;
    std::vector<int32_t> integers;
    std::vector<uint64_t> wide;
    for (uint32_t i = 0; i <= num_bins; ++i) {
      floats.push_back(std::ldexp(1.0f + static_cast<float>(i),
                                  static_cast<int>(i % 2) + static_cast<int>(i / 2)));
      integers.push_back(static_cast<int32_t>(i * i) - 100);
      wide.push_back(i * (~uint64_t{0} / (num_bins + 1)));
    }
    std::sort(floats.begin(), floats.end());
    check_range<float>(floats);
    check_range<int32_t>(integers);
    check_range<int16_t>(integers);
    check_range<uint64_t>(wide);
  }
  check_range<int32_t>(std::vector<int32_t>{1, 1, 1, 5, 5, 9}); // empty bins
  check_range<int32_t>(std::vector<int32_t>{std::numeric_limits<int32_t>::min(), 0,
                                            std::numeric_limits<int32_t>::max()});
}

TEST(Histogram, RangeTooLongForSharedMemory) {
  std::vector<uint64_t> levels;
  for (uint64_t i = 0; i <= 10000; ++i)
    levels.push_back(i * i * 977);
  const range_bins<uint64_t, uint64_t, uint64_t> bins(levels.data(), 10000);
  EXPECT_FALSE(bins.in_table());
  check_range<uint64_t>(levels);
}

TEST(Histogram, OneBin) { // whole warps agree
  const std::vector<uint32_t> samples(3000, 12);
  check(samples, 16, even_integer_bins<uint32_t, uint32_t>(0, 16, 16),
        [](uint32_t s) { return s; });
}

struct every_third_wrong {
  uint32_t operator()(uint32_t key) const { return key % 3 == 1 ? 1000000 : key % 400; }
};
TEST(Histogram, BucketsOfAMultisplit) {
  const auto keys = varied<uint32_t>(2000);
  const bucket_ids<every_third_wrong, false> ids{{}, 400};
  const bucket_bins<uint32_t, bucket_ids<every_third_wrong, false>> bins(ids);
  device_status status;
  const auto right = plain(keys, 0, 400, [](uint32_t k) { return k % 3 == 1 ? 399 : k % 400; });
  EXPECT_EQ((counts<count_in::shared>(keys, 0, 400, bins, 1, 1, &status)), right);
  const auto first = std::find_if(keys.begin(), keys.end(), [](uint32_t k) { return k % 3 == 1; });
  EXPECT_EQ(status.detail(), static_cast<uint64_t>(first - keys.begin()));
  std::vector<uint64_t> offsets(402, 99);
  host_grid grid(1);
  const counts_to_offsets_arguments a{right.data(), 400, offsets.data()};
  grid.run(1, 64, 16, [&](const host_machine &machine, char *shared) {
    counts_to_offsets<64>(machine, a, reinterpret_cast<uint64_t *>(shared));
  });
  EXPECT_TRUE(grid.complaints.empty());
  uint64_t before = 0;
  for (uint32_t b = 0; b <= 400; ++b) {
    EXPECT_EQ(offsets[b], before);
    before += b < 400 ? right[b] : 0;
  }
  EXPECT_EQ(offsets[401], 99u);
}

TEST(Histogram, PlantedFaultsAreSeen) {
  auto samples = varied<uint32_t>(14000); // the last chunks are taken by ticket
  samples.back() = 5;                     // in a bin
  const even_integer_bins<uint32_t, uint32_t> bins(0, 1 << 20, 100);
  const auto right = counts<count_in::shared>(samples, 0, 100, bins, 1);
  const auto with = [&](histogram_faults f) {
    return [&, f](unsigned seed) {
      auto some = samples;
      some.resize(samples.size() - f.lost_tail);
      return counts<count_in::shared>(some, 0, 100, bins, seed, 2, nullptr, f) == right
                 ? std::string()
                 : "counts";
    };
  };
  histogram_faults f;
  f.drop_block_sync = true;
  expect_caught("histogram", "dropped_block_sync", with(f), with({}));
  f = {};
  f.lost_tail = 1;
  expect_caught("histogram", "off_by_one_tail", with(f), with({}));
  f = {};
  f.dirty_ticket = 1;
  expect_caught("histogram", "unreset_ticket", with(f), with({}));
  f = {};
  f.drop_warp_sync = true;
  has_none("histogram", "dropped_warp_sync", with(f));
  f = {};
  f.torn_words = true;
  has_none("histogram", "flag_before_value", with(f));
}

} // namespace
