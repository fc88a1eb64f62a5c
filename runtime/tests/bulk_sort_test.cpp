//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels of the bulk sort on the host: arrays in registers, in several passes, in
// blocks under random schedules; stable sorts, other layouts, planted faults. Their
// comparators: bulk_sort_network_test.cpp.
//
//===----------------------------------------------------------------------===//

#include "host_bulk_sort.hpp"
#include "planted.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace colonnade;
using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

/// By the tens alone, so that stability shows; never sees what is no key.
struct by_tens {
  bool operator()(uint32_t a, uint32_t b) const {
    met_no_key |= (a | b) >> 31 != 0;
    return a / 10 < b / 10;
  }
  static inline bool met_no_key = false;
};

/// One element of every array past its end is `guard`, and so are padding instances.
constexpr uint32_t guard = 0xabababab;

enum class in_place : bool { no, yes };

/// sort(arguments) with keys, 64-bit values and row numbers, stable.
template <class Layout, class Sort>
std::string stable_pairs(uint64_t count, uint32_t n, in_place same, unsigned seed, Sort sort) {
  using arrays = bulk_arrays<uint32_t, uint64_t, uint16_t>;
  const uint64_t cells = Layout::storage_cells(count, n);
  std::vector<uint32_t> keys(cells + 9, guard), keys_out = keys;
  std::vector<uint64_t> values(cells + 9, guard), values_out = values;
  std::vector<uint16_t> rows(cells + 9, 0xabab);
  std::mt19937 random(seed);
  std::vector<std::vector<uint32_t>> original(count, std::vector<uint32_t>(n));
  const auto at = [&](uint64_t j, uint32_t i) {
    const auto view = Layout::view(j, n, count);
    return view.base + i * view.stride;
  };
  for (uint64_t j = 0; j < count; ++j)
    for (uint32_t i = 0; i < n; ++i) {
      original[j][i] = keys[at(j, i)] = static_cast<uint32_t>(random() % 100);
      values[at(j, i)] = j << 32 | i;
    }
  const bool here = same == in_place::yes;
  sort(bulk_sort_arguments<arrays, exchange_by_key_and_value<by_tens>>{
      {keys.data(), here ? keys.data() : keys_out.data(), values.data(),
       here ? values.data() : values_out.data(), nullptr, rows.data()},
      count,
      n,
      0,
      {},
      {}});
  const auto &got = here ? keys : keys_out;
  const auto &got_values = here ? values : values_out;
  if (std::exchange(by_tens::met_no_key, false))
    return "a comparator has met something else than a key";
  for (uint64_t j = 0; j < count; ++j) {
    std::vector<uint32_t> from(n);
    std::iota(from.begin(), from.end(), 0u);
    std::stable_sort(from.begin(), from.end(), [&](uint32_t a, uint32_t b) {
      return original[j][a] / 10 < original[j][b] / 10;
    });
    for (uint32_t i = 0; i < n; ++i)
      if (got[at(j, i)] != original[j][from[i]] || got_values[at(j, i)] != (j << 32 | from[i]) ||
          rows[at(j, i)] != from[i])
        return "array " + std::to_string(j) + ", item " + std::to_string(i);
  }
  if (std::count(got.begin() + static_cast<ptrdiff_t>(cells), got.end(), guard) != 9)
    return "written beyond the end";
  return "";
}

using columns = runtime::column_wise_layout;

TEST(BulkSort, InOnePass) {
  for (uint32_t n : {9u, 10u, 12u, 13u})
    for (uint64_t count : {1, 3, 4, 5, 23})
      for (in_place same : {in_place::no, in_place::yes}) {
        const auto sort = [](const auto &a) { sort_in_one_pass<columns, 9, 13>(a); };
        EXPECT_EQ(stable_pairs<columns>(count, n, same, n, sort), "") << n << " " << count;
        const auto sort_tiles = [](const auto &a) {
          sort_in_one_pass<runtime::tiled_layout<8>, 9, 13>(a);
        };
        EXPECT_EQ(stable_pairs<runtime::tiled_layout<8>>(count, n, same, n, sort_tiles), "")
            << n << " " << count;
      }
}

TEST(BulkSort, InBlocks) {
  unsigned seed = 1;
  for (uint32_t n : {1u, 17u, 31u, 32u})
    for (uint64_t count : {1, 3, 4, 9})
      for (in_place same : {in_place::no, in_place::yes}) {
        const auto sort = [&](const auto &a) {
          EXPECT_EQ((sort_in_blocks<columns, 5, 2, 2>(a, ++seed)), "");
        };
        EXPECT_EQ(stable_pairs<columns>(count, n, same, n, sort), "")
            << n << " " << count << ", seed " << seed;
        const auto sort_tiles = [&](const auto &a) {
          EXPECT_EQ((sort_in_blocks<runtime::tiled_layout<8>, 6, 3, 3>(a, ++seed)), "");
        };
        EXPECT_EQ(stable_pairs<runtime::tiled_layout<8>>(count, n + 32, same, n, sort_tiles), "")
            << n << " " << count << ", seed " << seed;
      }
}

TEST(BulkSort, InSeveralPasses) {
  for (uint32_t n : {1u, 2u, 7u, 8u, 9u, 15u, 16u, 17u, 63u, 64u, 65u, 200u, 513u})
    for (uint64_t count : {1, 5, 8})
      for (in_place same : {in_place::no, in_place::yes}) {
        const auto sort = [](const auto &a) {
          sort_in_several<columns, 3>(a, [](const column_pass &) {});
        };
        EXPECT_EQ(stable_pairs<columns>(count, n, same, n, sort), "") << n << " " << count;
        const auto sort_rows = [](const auto &a) {
          sort_in_several<runtime::row_wise_layout, 4>(a, [](const column_pass &) {});
        };
        EXPECT_EQ(stable_pairs<runtime::row_wise_layout>(count, n, same, n, sort_rows), "")
            << n << " " << count;
      }
}

/// Numbers in an order of the library's: what lies beyond the end is the last of them.
/// Keys of few values, the last one too, and NaN if there is one; row numbers, stable.
template <class Less, class Key, class Sort>
void check_numbers(uint32_t n, unsigned seed, Sort sort) {
  using arrays = bulk_arrays<Key, no_value, uint8_t>;
  using limits = std::numeric_limits<Key>;
  constexpr uint64_t count = 35;
  SCOPED_TRACE(::testing::Message() << n << " keys of " << sizeof(Key) << " bytes, seed " << seed);
  std::mt19937 random(seed);
  const Key ends[] = {last_key<ascending, Key>::value, last_key<descending, Key>::value,
                      limits::max(), limits::lowest()};
  std::vector<Key> keys(count * n), out(keys);
  for (Key &k : keys)
    k = random() % 3 ? static_cast<Key>(random() % 5) : ends[random() % 4];
  std::vector<uint8_t> rows(keys.size());
  const auto run = [&] {
    sort(bulk_sort_arguments<arrays, exchange_by_key_and_value<Less>>{
        {keys.data(), out.data(), nullptr, nullptr, nullptr, rows.data()}, count, n, 0, {}, {}});
  };
  run();
  for (uint64_t j = 0; j < count; ++j) {
    std::vector<uint8_t> from(n);
    std::iota(from.begin(), from.end(), uint8_t{0});
    std::stable_sort(from.begin(), from.end(), [&](uint8_t a, uint8_t b) {
      return Less{}(keys[a * count + j], keys[b * count + j]);
    });
    for (uint32_t i = 0; i < n; ++i) {
      ASSERT_EQ(rows[i * count + j], from[i]) << j << " " << i;
      ASSERT_EQ(out[i * count + j], keys[from[i] * count + j]) << j << " " << i;
    }
  }
  if constexpr (limits::has_quiet_NaN) { // no order; nothing is lost
    for (Key &k : keys)
      k = random() % 2 ? limits::quiet_NaN() : k;
    run();
    for (uint64_t j = 0; j < count; ++j) {
      std::vector<bool> seen(n);
      for (uint32_t i = 0; i < n; ++i)
        seen[rows[i * count + j]] = true;
      EXPECT_EQ(std::count(seen.begin(), seen.end(), true), n);
    }
  }
}

TEST(BulkSort, NumbersBehindTheEnd) {
  unsigned seed = 0;
  for (uint32_t n : {1, 17, 31, 32}) {
    const auto blocks = [&](const auto &a) {
      EXPECT_EQ((sort_in_blocks<columns, 5, 2, 2>(a, seed)), "");
    };
    check_numbers<ascending, uint32_t>(n, ++seed, blocks);
    check_numbers<descending, float>(n, ++seed, blocks);
  }
  for (uint32_t n = 9; n <= 16; ++n) {
    const auto alone = [](const auto &a) { sort_in_one_pass<columns, 9, 16>(a); };
    check_numbers<ascending, uint32_t>(n, ++seed, alone);
    check_numbers<descending, float>(n, ++seed, alone);
    const auto pairs = [&](const auto &a) {
      EXPECT_EQ((sort_in_pairs<columns, 9, 16>(a, seed)), "");
    };
    check_numbers<ascending, uint32_t>(n, ++seed, pairs);
    check_numbers<descending, int8_t>(n, ++seed, pairs);
    check_numbers<ascending, float>(n, ++seed, pairs);
    check_numbers<descending, uint64_t>(n, ++seed, pairs);
  }
}

TEST(BulkSort, PlantedFaultsInBlocksAreSeen) {
  const auto with = [](faults f) {
    return [f](unsigned seed) {
      std::string complaints;
      const auto sort = [&](const auto &a) {
        complaints = sort_in_blocks<columns, 6, 3, 3>(a, seed, f);
      };
      return stable_pairs<columns>(11, 60, in_place::yes, seed, sort) + complaints;
    };
  };
  faults f;
  f.drop_block_sync = true;
  expect_caught("bitonic_sort", "dropped_block_sync_bulk", with(f), with({}));
  f = {};
  f.drop_warp_sync = true;
  has_none("bitonic_sort", "dropped_warp_sync_bulk", with(f));
}

/// Faults: the last row or the last array is forgotten, a pass is left out.
TEST(BulkSort, PlantedFaultsAreSeen) {
  EXPECT_NE(stable_pairs<columns>(5, 12, in_place::yes, 1,
                                  [](auto a) {
                                    --a.length;
                                    sort_in_one_pass<columns, 9, 13>(a);
                                  }),
            "");
  const auto no_array = [](auto a) {
    --a.num_arrays;
    sort_in_one_pass<runtime::row_wise_layout, 9, 13>(a);
  };
  EXPECT_NE(stable_pairs<runtime::row_wise_layout>(5, 12, in_place::yes, 2, no_array), "");
  for (int left_out = 0; left_out < 6; ++left_out) {
    const auto sort = [&](auto a) {
      int k = 0;
      for_each_column_pass(a.length, 3, [&](const column_pass &pass) {
        a.pass = pass;
        if (k++ != left_out)
          for_each_thread<columns>(a, num_groups(a.length, 3, pass.bottom),
                                   [](const auto &thread) { thread.template pass<3>(); });
        a.arrays = a.arrays.in_place();
        return true;
      });
    };
    EXPECT_NE(stable_pairs<columns>(3, 60, in_place::yes, 3, sort), "") << left_out;
  }
}

} // namespace
