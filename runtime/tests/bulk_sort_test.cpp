//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kernels of the bulk sort on the host: arrays in registers, in several passes, in
// blocks under random schedules; their comparators by the 0-1 principle, stable sorts,
// other layouts, planted faults.
//
//===----------------------------------------------------------------------===//

#include "host_machine.hpp"
#include "planted.hpp"
#include "zero_one.hpp"

#include <colonnade/bulk/layout.hpp>
#include <colonnade/detail/bulk_sort/column_block.hpp>
#include <colonnade/detail/bulk_sort/column_pair.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

using namespace colonnade;
using namespace colonnade::detail;
using namespace colonnade::testing;

namespace {

/// Threads share nothing, so they run one after the other.
struct lone_thread {
  uint32_t thread_index, block_index, block_threads;
  uint32_t thread() const { return thread_index; }
  uint32_t block() const { return block_index; }
  uint32_t num_threads() const { return block_threads; }
};

constexpr uint32_t threads = 4;

template <class Layout, class Arguments, class Run>
void for_each_thread(Arguments a, uint64_t groups, Run run) {
  a.blocks_per_row = static_cast<uint32_t>((a.num_arrays + threads - 1) / threads);
  for (uint32_t b = 0; b < a.blocks_per_row * groups; ++b)
    for (uint32_t t = 0; t < threads; ++t) {
      const lone_thread machine{t, b, threads};
      run(bulk_sort_thread<Layout, Arguments, lone_thread>(machine, a));
    }
}

template <class Layout, uint32_t From, uint32_t To, class Arguments>
void sort_in_one_pass(const Arguments &a) {
  for_each_thread<Layout>(a, 1, [](const auto &thread) { thread.template sort<From, To>(); });
}

/// before(pass) is called ahead of every pass.
template <class Layout, uint32_t Bits, class Arguments, class Before>
void sort_in_several(Arguments a, Before before) {
  for_each_column_pass(a.length, Bits, [&](const column_pass &pass) {
    a.pass = pass;
    before(pass);
    for_each_thread<Layout>(a, num_groups(a.length, Bits, pass.bottom),
                            [](const auto &thread) { thread.template pass<Bits>(); });
    a.arrays = a.arrays.in_place();
    return true;
  });
}

/// In blocks; the complaints.
template <class Layout, uint32_t Log2Rows, uint32_t Log2Columns, uint32_t Bits, class Arguments>
std::string sort_in_blocks(const Arguments &a, unsigned seed, faults planted = {}) {
  using block = column_block<Layout, Log2Rows, Log2Columns, Bits, Arguments, host_machine>;
  host_grid grid(seed, 3, planted);
  grid.run(static_cast<uint32_t>((a.num_arrays + block::columns - 1) / block::columns),
           block::threads, block::shared_bytes,
           [&](const host_machine &machine, char *shared) { block(machine, a, shared).sort(); });
  std::string wrong;
  for (const std::string &c : grid.complaints)
    wrong += c + "\n";
  return wrong;
}

template <class Layout, uint32_t From, uint32_t To, class Arguments>
std::string sort_in_pairs(const Arguments &a, unsigned seed) {
  using pair = column_pair<Layout, From, To, Arguments, host_machine>;
  host_grid grid(seed, 3, {});
  grid.run(static_cast<uint32_t>((a.num_arrays + 31) / 32), 64, 0,
           [&](const host_machine &machine, char *) { pair(machine, a).sort(); });
  std::string wrong;
  for (const std::string &c : grid.complaints)
    wrong += c + "\n";
  return wrong;
}

// ------------------------------------------------------------------ the network

struct recorder {
  std::vector<comparator_list> *passes;
  void operator()(sort_item<uint32_t, no_value> &low, sort_item<uint32_t, no_value> &high,
                  bool active) const {
    if (active)
      passes->back().push_back({low.key, high.key});
  }
};

/// Each stage of what the passes run merges; the first sorts pieces of 2^Bits.
template <uint32_t Bits> void prove(uint32_t n) {
  SCOPED_TRACE(::testing::Message() << n << ", " << Bits << " bits");
  using arrays = bulk_arrays<uint32_t, no_value, no_value>;
  std::vector<uint32_t> keys(n);
  std::iota(keys.begin(), keys.end(), 0u);
  std::vector<comparator_list> stages;
  sort_in_several<runtime::column_wise_layout, Bits>(
      bulk_sort_arguments<arrays, recorder>{
          {keys.data(), keys.data(), nullptr, nullptr, nullptr, nullptr}, 1, n, 0, {}, {&stages}},
      [&](const column_pass &pass) {
        if (pass.sorts || pass.mirrored)
          stages.emplace_back();
      });
  ASSERT_EQ(stages.size(), 1 + (ceil_log2(n) > Bits ? ceil_log2(n) - Bits : 0));
  for (uint32_t s = 0; s < stages.size(); ++s)
    for (uint32_t block = 1u << (Bits + s), first = 0; first < n; first += block) {
      const uint32_t length = std::min(block, n - first);
      comparator_list list;
      for (const auto &[low, high] : stages[s])
        if (low >= first && low < first + length)
          list.push_back({low - first, high - first});
      const bool right = s == 0 ? sorts_all_zeros_and_ones(list, length)
                                : length <= block / 2 || merges_all_sorted_halves(list, length);
      EXPECT_TRUE(right) << s << " " << first;
    }
}

/// Of array `column` of a block: no comparator crosses arrays, and each sorts its own.
template <uint32_t Log2Rows, uint32_t Log2Columns, uint32_t Bits> void prove_block(uint32_t n) {
  SCOPED_TRACE(::testing::Message() << n << " of " << (1u << Log2Rows));
  using arrays = bulk_arrays<uint32_t, no_value, no_value>;
  const uint32_t count = 1u << Log2Columns;
  std::vector<uint32_t> keys(n * count);
  std::iota(keys.begin(), keys.end(), 0u);
  std::vector<comparator_list> all(1);
  EXPECT_EQ((sort_in_blocks<runtime::column_wise_layout, Log2Rows, Log2Columns, Bits>(
                bulk_sort_arguments<arrays, recorder>{
                    {keys.data(), keys.data(), nullptr, nullptr, nullptr, nullptr},
                    count,
                    n,
                    0,
                    {},
                    {&all}},
                n)),
            "");
  for (uint32_t column = 0; column < count; ++column) {
    comparator_list list;
    for (const auto &[low, high] : all[0]) {
      ASSERT_EQ(low % count, high % count);
      if (low % count == column)
        list.push_back({low / count, high / count});
    }
    if (n <= 20) {
      EXPECT_TRUE(sorts_all_zeros_and_ones(list, n)) << column;
    }
    // The first items of a register each, then the bitonic stages, in every array alike.
    comparator_list right;
    for (uint32_t first = 0; first < n; first += 1u << Bits)
      for (const auto &[low, high] :
           comparators_of<odd_even_network>(std::min(1u << Bits, n - first)))
        right.push_back({first + low, first + high});
    for (uint32_t stage = Bits; stage < Log2Rows; ++stage)
      for (const auto &c : stage_comparators<bitonic_network>(stage, n))
        right.push_back(c);
    EXPECT_EQ(in_order(list, n), in_order(right, n)) << column;
  }
}

TEST(BulkSort, TheComparatorsOfBlocksSort) {
  for (uint32_t n : {1u, 3u, 4u, 5u, 13u, 16u, 17u, 20u, 31u, 32u})
    prove_block<5, 2, 2>(n);
  for (uint32_t n : {33u, 50u, 63u, 64u})
    prove_block<6, 3, 3>(n);
}

/// Of 16 arrays in two threads' registers each; no places beyond the end.
template <uint32_t N> void prove_pair() {
  SCOPED_TRACE(N);
  using arrays = bulk_arrays<uint32_t, no_value, no_value>;
  std::vector<uint32_t> keys(N * 16);
  std::iota(keys.begin(), keys.end(), 0u);
  std::vector<comparator_list> all(1);
  EXPECT_EQ(
      (sort_in_pairs<runtime::column_wise_layout, N, N>(
          bulk_sort_arguments<arrays, recorder>{
              {keys.data(), keys.data(), nullptr, nullptr, nullptr, nullptr}, 16, N, 0, {}, {&all}},
          N)),
      "");
  for (uint32_t column = 0; column < 16; ++column) {
    comparator_list list;
    for (const auto &[low, high] : all[0]) {
      ASSERT_EQ(low % 16, high % 16);
      if (low % 16 == column)
        list.push_back({low / 16, high / 16});
    }
    EXPECT_TRUE(sorts_all_zeros_and_ones(list, N)) << column;
  }
}

TEST(BulkSort, TheComparatorsOfPairsSort) {
  prove_pair<4>();
  prove_pair<8>();
  prove_pair<12>();
  prove_pair<16>();
  prove_pair<20>();
}

/// Zeros and ones that change twice at most are all there is of bitonic sequences.
template <uint32_t N> void prove_merge() {
  for (uint32_t from = 0; from <= N; ++from)
    for (uint32_t to = from; to <= N; ++to)
      for (bool inside : {false, true}) {
        bool items[N];
        for (uint32_t i = 0; i < N; ++i)
          items[i] = (i >= from && i < to) == inside;
        merge_registers(items, [](bool &low, bool &high, bool) {
          const bool a = low, b = high;
          low = a && b;
          high = a || b;
        });
        EXPECT_TRUE(std::is_sorted(items, items + N)) << N << ": " << from << " to " << to;
      }
}

TEST(BulkSort, BitonicItemsInRegistersMerge) {
  prove_merge<1>();
  prove_merge<3>();
  prove_merge<5>();
  prove_merge<6>();
  prove_merge<14>();
  prove_merge<80>();
  prove_merge<96>();
  prove_merge<112>();
  prove_merge<128>();
}

TEST(BulkSort, ItsComparatorsSort) {
  for (uint32_t n = 1; n <= 70; ++n) {
    prove<2>(n);
    prove<3>(n);
  }
  for (uint32_t n : {100, 127, 128, 129, 255, 256, 257, 600, 1024}) {
    prove<3>(n);
    prove<4>(n);
  }
}

// ------------------------------------------------------------------ sorting

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
