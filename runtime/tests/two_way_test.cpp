//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The two-way multisplit on the host: sizes around a tile, counts on the device,
// ids out of range, values; who comes first is random. Planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_machine.hpp"
#include "planted.hpp"

#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/multisplit/two_way/two_way.hpp>

#include <gtest/gtest.h>

#include <algorithm>

using namespace colonnade;
using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

struct small_tuning {
  static constexpr two_way_tuning value{64, 5, 1, 2};
};
constexpr uint32_t tile = 320, unwritten = 0xabababab;

struct by_threshold { // every 50th key's id is out of range
  uint32_t below;
  uint32_t operator()(uint32_t key) const { return key % 50 == 49 ? key : key % 49 >= below; }
};
struct by_index {
  uint32_t operator()(uint32_t key, uint64_t index) const {
    return static_cast<uint32_t>((key + index / 3) % 2);
  }
};

struct two_way_faults : faults {
  bool dirty_counters = false;
  uint32_t lost_blocks = 0;
};

template <class Bucket> uint32_t raw_id(const Bucket &bucket, uint32_t key, uint64_t index) {
  if constexpr (takes_index<Bucket, uint32_t>)
    return bucket(key, index);
  else
    return bucket(key);
}

/// Keys are their own values' indices plus noise, so that pairs can be told.
template <class Bucket>
std::string two_way_case(uint64_t n, item_count count, Bucket bucket, unsigned seed,
                         two_way_faults planted = {}) {
  using arguments =
      two_way_arguments<const uint32_t *, uint32_t *, index_iterator<uint64_t>, uint64_t *, Bucket>;
  using block = two_way_block<small_tuning, arguments, host_machine>;
  std::mt19937 random(seed + 1);
  std::vector<uint32_t> keys(count.most);
  for (uint32_t &key : keys)
    key = random();
  std::vector<uint32_t> keys_out(count.most + 4, unwritten);
  std::vector<uint64_t> values_out(count.most + 4, unwritten), offsets(4, unwritten);
  device_status status;
  uint64_t taken[3] = {};
  if (planted.dirty_counters)
    std::fill(taken, taken + 3, 3);
  const arguments a{{keys.data(), keys_out.data(), {}, values_out.data()},
                    {bucket, 2},
                    count,
                    offsets.data(),
                    taken,
                    reinterpret_cast<uint32_t *>(taken + 2),
                    &status};
  host_grid grid(seed, 3, planted);
  const uint32_t blocks =
      static_cast<uint32_t>(std::max<uint64_t>(1, (count.most + tile - 1) / tile));
  grid.run(blocks - planted.lost_blocks, 64, block::storage::bytes,
           [&](const host_machine &machine, char *shared) { block(machine, a, shared).run(); });
  std::string wrong = grid.all_complaints();
  uint64_t zeros = 0;
  device_status expected;
  for (uint64_t i = 0; i < n; ++i) {
    const uint32_t raw = raw_id(bucket, keys[i], i);
    zeros += raw == 0;
    if (raw > 1 && expected.ok())
      expected.first = i << 8 | 1;
  }
  if (count.d_num_items && *count.d_num_items > count.most && expected.ok())
    expected.first = *count.d_num_items << 8 | 2;
  std::vector<bool> seen(n);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t from = values_out[i];
    if (from >= n || seen[from] || keys_out[i] != keys[from] ||
        (raw_id(bucket, keys[from], from) != 0) != (i >= zeros))
      return wrong + "item " + std::to_string(i);
    seen[from] = true;
  }
  if (keys_out[n] != unwritten || values_out[n] != unwritten)
    return wrong + "written beyond the end";
  if (offsets != std::vector<uint64_t>{0, zeros, n, unwritten})
    return wrong + "offsets";
  if (status.first != expected.first)
    return wrong + "status";
  return wrong;
}

TEST(TwoWay, SizesAroundATile) {
  for (uint64_t n : {0, 1, 2, 31, 32, 33, 64, 159, 160, 161, 319, 320, 321, 640, 641, 3000})
    for (uint32_t below : {0u, 1u, 25u, 49u})
      EXPECT_EQ(two_way_case(n, n, by_threshold{below}, below), "") << n << " " << below;
}

TEST(TwoWay, IndexDependentFunctor) {
  for (uint64_t n : {1, 320, 1000})
    EXPECT_EQ(two_way_case(n, n, by_index{}, 1), "") << n;
}

TEST(TwoWay, NumberOfItemsOnTheDevice) {
  for (uint64_t n : {0, 1, 319, 320, 321, 999, 1000}) {
    const uint64_t number = n;
    EXPECT_EQ(two_way_case(n, {&number, 1000}, by_threshold{20}, 1), "") << n;
  }
  const uint64_t too_many = 1001;
  EXPECT_EQ(two_way_case(1000, {&too_many, 1000}, by_index{}, 1), "");
}

TEST(TwoWay, ManySchedules) {
  for (unsigned seed = 0; seed < 300; ++seed)
    ASSERT_EQ(two_way_case(1100, 1100, by_threshold{20}, seed), "") << seed;
}

TEST(TwoWay, PlantedFaultsAreSeen) {
  const planted_runs runs("multisplit", two_way_faults{}, [](unsigned seed, two_way_faults f) {
    return two_way_case(1500, 1500, by_threshold{20}, seed, f);
  });
  runs.expect("dropped_block_sync_two_way", [](two_way_faults &f) { f.drop_block_sync = true; });
  runs.expect("unreset_counts_two_way", [](two_way_faults &f) { f.dirty_counters = true; });
  runs.expect("off_by_one_tail_two_way", [](two_way_faults &f) { f.lost_blocks = 1; });
}

} // namespace
