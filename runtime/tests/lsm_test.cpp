//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Log-structured merge trees on the host, under random schedules: random batches with repeated
// keys, deletions and cleanups against std::map, every number of batches to 64; ranges, neighbours
// and many stale elements; few queries by tiles of lanes; trees that are built at once, and read
// out; every size of an index; planted faults.
//
//===----------------------------------------------------------------------===//

#include "lsm_runs.hpp"
#include "planted.hpp"

#include <gtest/gtest.h>

#include <numeric>

using namespace colonnade;
using namespace colonnade::testing;
using detail::lsm_query;

namespace {

TEST(Lsm, EveryNumberOfBatches) {
  EXPECT_EQ(random_run<uint32_t>({7, 7, 300, 64, 0, 0, true}, 1), "");
  EXPECT_EQ(random_run<uint32_t>({17, 7, 1000, 64, 0, 0, false}, 2), "");
}
TEST(Lsm, BatchesBelowAndAboveAWord) {
  for (const uint64_t batch_size : {1, 31, 32, 33})
    EXPECT_EQ(random_run<uint32_t>({batch_size, 7, 40 * static_cast<uint32_t>(batch_size), 64, 0, 0,
                                    batch_size % 2 == 0},
                                   3),
              "")
        << batch_size;
}
TEST(Lsm, CallsOfAnySize) {
  for (unsigned seed = 0; seed < 2; ++seed) {
    EXPECT_EQ(
        random_run<uint32_t>({5 + 28 * seed, 9, 300, 16, 1 + 4 * seed, 7, seed % 2 == 0}, seed),
        "");
    EXPECT_EQ(random_run<uint64_t>({20, 9, 100, 8, 9, 5, seed % 2 == 1}, seed), "");
  }
}
TEST(Lsm, SignedAndFloatingKeys) {
  EXPECT_EQ(random_run<int32_t>({20, 8, 200, 8, 5, 4, true}, 1), "");
  EXPECT_EQ(random_run<int64_t>({20, 8, 200, 8, 5, 4, true}, 2), "");
  EXPECT_EQ(random_run<float>({20, 8, 200, 8, 5, 4, true}, 3), "");
  EXPECT_EQ(random_run<double>({20, 8, 200, 8, 5, 4, false}, 4), "");
}
/// All elements are samples; copies of more rows at once.
TEST(Lsm, OtherTuning) {
  using other = other_lsm_tuning;
  EXPECT_EQ((random_run<uint32_t, other>({20, 9, 300, 12, 5, 4, false}, 2)), "");
  EXPECT_EQ((random_run<uint64_t, other>({150, 7, 2000, 7, 4, 5, true}, 3)), "");
  EXPECT_EQ((random_run<float, other>({200, 6, 900, 5, 3, 3, false}, 4)), "");
  EXPECT_EQ((random_run<uint32_t, other>({200, 6, 3, 5, 3, 5, true}, 5)), "");
}
/// Batches that are sorted to the lowest level where that is empty: others, and deletions, between
/// them; levels of every size about a node of the index.
TEST(Lsm, SortedToTheLowestLevel) {
  EXPECT_EQ(random_run<int64_t>({40, 7, 300, 20, 0, 7, true}, 1), "");
  EXPECT_EQ(random_run<float>({33, 7, 200, 20, 0, 0, false}, 2), "");
  for (uint64_t batch_size = 1; batch_size < 70; batch_size += 3)
    EXPECT_EQ(random_run<uint32_t>({batch_size, 4, 90, 8, 0, 0, true}, 3), "") << batch_size;
  std::mt19937 random(4);
  host_tree<uint32_t> tree(16, 6, 4);
  model<uint32_t> m;
  for (uint32_t call = 0; call < 24; ++call) { // the buffer is empty after every fourth
    const auto b = random_batch<uint32_t>(call % 4 == 1   ? 12
                                          : call % 4 == 2 ? 4
                                                          : 16,
                                          120, 0, random);
    tree.update(b.keys, b.values, b.erases, true);
    apply(m, b, true);
    EXPECT_EQ(wrong_answers(tree, m, 120, 1), "") << call;
  }
  EXPECT_EQ(tree.complaints(), "");
}
/// A graph that does not know all levels sorts to the lowest one, which is empty, and is refused.
TEST(Lsm, SortedButRefused) {
  host_tree<uint32_t> tree(10, 1, 1);
  const auto old = tree.table();
  tree.reserve(5);
  const auto grown = tree.table();
  std::mt19937 random(1);
  model<uint32_t> m;
  const auto change = [&](bool knows) {
    const auto b = random_batch<uint32_t>(10, 100, 0, random);
    tree.replay_with(knows ? grown : old);
    tree.update(b.keys, b.values, b.erases, true);
    EXPECT_EQ(tree.status.ok(), knows);
    tree.replay_with(grown);
    tree.status = {};
    if (knows)
      apply(m, b, true);
    EXPECT_EQ(wrong_answers(tree, m, 100, 1), "");
  };
  for (const bool knows : {true, true, false, true, false, true})
    change(knows);
  EXPECT_EQ(tree.complaints(), "");
}
/// Where a batch fails, the next one is sorted by all digits; then what it had in common is left
/// out.
TEST(Lsm, LearnsItsDigits) {
  constexpr uint64_t all = ~uint64_t{0}, differing = all >> 16;
  detail::lsm_digits digits{all, 0, 0, 0};
  detail::learn(digits, 0, differing);
  EXPECT_EQ(digits.high, all);
  detail::learn(digits, all, differing); // failed
  EXPECT_EQ(digits.high, 0u);
  detail::learn(digits, all, differing); // was not tried
  EXPECT_EQ(digits.high, all);
  EXPECT_EQ(digits.lead, 16u);
  uint64_t failed = 0;
  for (int batch = 0; batch < 1000; ++batch) { // keys that have nothing in common, but long runs
    failed += digits.high != 0;
    detail::learn(digits, all, all);
  }
  EXPECT_EQ(digits.lead, 0u);
  EXPECT_LE(failed, 36u);
  for (const uint64_t few : {uint64_t{0}, uint64_t{1}, uint64_t{0xffffffff}}) {
    digits = {all, 0, 0, 0};
    detail::learn(digits, all, few);
    EXPECT_EQ(digits.lead, 32u) << few;
  }
}
TEST(Lsm, OneKeyAndEveryKey) {
  EXPECT_EQ(random_run<uint32_t>({10, 9, 1, 40, 4, 9, true}, 1), "");
  EXPECT_EQ(random_run<uint32_t>({10, 9, 1, 40, 4, 9, false}, 2), "");
  EXPECT_EQ(random_run<uint32_t>({1, 9, 4, 100, 2, 0, true}, 3), "");
}

/// All key values are the user's; -0 and +0 are one.
TEST(Lsm, ExtremeKeys) {
  host_tree<uint32_t> tree(4, 5, 1);
  const std::vector<uint32_t> keys{0, ~0u, 1, ~0u - 1, 5};
  tree.update(keys, {1, 2, 3, 4, 5}, std::vector<char>(5), true);
  for (uint32_t i = 0; i < 5; ++i)
    EXPECT_EQ(tree.ask<lsm_query::find>(keys[i])->second, i + 1);
  EXPECT_FALSE(tree.ask<lsm_query::successor>(~0u));
  EXPECT_FALSE(tree.ask<lsm_query::predecessor>(0));
  EXPECT_EQ(tree.ask<lsm_query::predecessor>(~0u)->first, ~0u - 1);
  EXPECT_FALSE(tree.ask_few<lsm_query::successor>({~0u})[0]);
  EXPECT_FALSE(tree.ask_few<lsm_query::predecessor>({0})[0]);
  EXPECT_EQ(tree.ask_few<lsm_query::successor>({~0u - 1})[0]->second, 2u);
  EXPECT_EQ(tree.ask_few<lsm_query::predecessor>({1})[0]->second, 1u);
  EXPECT_EQ(tree.list({0}, {~0u}, 5).offsets[1], 5u);
  host_tree<float> floats(4, 5, 2);
  floats.update({0.0f, -1.0f, -0.0f}, {1, 2, 3}, std::vector<char>(3), true);
  EXPECT_EQ(floats.ask<lsm_query::find>(0.0f)->second, 3u);
  EXPECT_EQ(floats.ask<lsm_query::successor>(-1.0f)->second, 3u);
}

/// A thousand deleted keys between two neighbours, and an element a thousand times replaced.
TEST(Lsm, ManyStaleElements) {
  host_tree<uint32_t> tree(50, 8, 1);
  std::vector<uint32_t> keys(1002);
  std::iota(keys.begin(), keys.end(), 0u);
  tree.update(keys, keys, std::vector<char>(1002), true);
  const std::vector<uint32_t> inner(keys.begin() + 1, keys.end() - 1);
  tree.update(inner, inner, std::vector<char>(1000, 1), true);
  tree.update(std::vector<uint32_t>(1000, 0u), keys, std::vector<char>(1000), true);
  EXPECT_EQ(tree.ask<lsm_query::successor>(0)->first, 1001u);
  EXPECT_EQ(tree.ask<lsm_query::predecessor>(1001), (std::pair<uint32_t, uint32_t>(0, 999)));
  // Tiles of one warp that need a round, and a thousand.
  EXPECT_TRUE(few_agree<lsm_query::successor>(tree, {0, 1000, 1001}));
  EXPECT_TRUE(few_agree<lsm_query::predecessor>(tree, {1001, 1, 0}));
  const auto all = tree.list({0, 1}, {5000, 1000}, 10);
  EXPECT_EQ(all.offsets, (std::vector<uint64_t>{0, 2, 2}));
  EXPECT_EQ(all.values[0], 999u);
  EXPECT_NE(tree.state().erased, 0u);
  tree.cleanup();
  EXPECT_EQ(tree.state().batches * 50 + tree.state().buffered, 2u);
  EXPECT_EQ(tree.state().erased, 0u);
  EXPECT_EQ(tree.complaints(), "");
}

/// Tiles of every width, of warps and blocks that are not whole; trees that are empty, that have a
/// buffer alone, and keys in several runs.
TEST(Lsm, FewQueries) {
  std::mt19937 random(1);
  for (const uint32_t levels : {0u, 1u, 2u, 3u, 4u, 7u, 8u, 15u, 16u, 18u}) {
    host_tree<uint32_t> tree(levels < 9 ? 6 : 1, levels, levels);
    const uint32_t most = levels < 9 ? 3u << levels : 150; // so many of its elements are stale
    for (uint32_t change = 0; change < 6; ++change) {
      for (const uint32_t n : {1u, 2u, 31u, 33u})
        EXPECT_EQ(wrong_few_answers(tree, most, n, random), "") << levels;
      const auto b = random_batch<uint32_t>(change == 0 ? 5 : most / 3, most, change % 3, random);
      if (levels)
        tree.update(b.keys, b.values, b.erases, true);
    }
    EXPECT_EQ(tree.complaints(), "") << levels;
  }
}

/// Windows of which each run gives a part, and keys that are more often there than a window is
/// long.
TEST(Lsm, LongRanges) {
  EXPECT_EQ(long_ranges(1u << 30, 16, 1), "");
  EXPECT_EQ(long_ranges(900, 16, 2), "");
  EXPECT_EQ(long_ranges(3, 16, 3), "");
  EXPECT_EQ(long_ranges(900, 16, 4, {}, 2), "");
  EXPECT_EQ(long_ranges(3, 9, 5, {}, 1), "");
  for (const uint32_t different : {2000u, 4000u, 10000u, 30000u}) // few are equal
    EXPECT_EQ(long_ranges(different, 24, different), "") << different;
}

/// From arrays at once, of equal keys the last; then it is a tree as any other.
TEST(Lsm, IsBuilt) {
  std::mt19937 random(7);
  for (const uint64_t n : {0, 1, 20, 333}) {
    host_tree<int32_t> tree(20, 6, static_cast<unsigned>(n));
    model<int32_t> m;
    auto b = random_batch<int32_t>(n, 250, 0, random);
    tree.build(b.keys, b.values);
    apply(m, b, true);
    EXPECT_EQ(tree.state().batches * 20 + tree.state().buffered, m.size());
    EXPECT_EQ(wrong_answers(tree, m, 250, 1), "") << n;
    EXPECT_EQ(wrong_export(tree, m), "") << n;
    b = random_batch<int32_t>(45, 250, 3, random);
    tree.update(b.keys, b.values, b.erases, true);
    apply(m, b, true);
    EXPECT_EQ(wrong_answers(tree, m, 250, 1), "") << n;
    EXPECT_EQ(wrong_export(tree, m), "") << n;
    EXPECT_EQ(tree.complaints(), "");
  }
}

/// What finds no room changes nothing.
TEST(Lsm, NoRoom) {
  host_tree<uint32_t> tree(10, 2, 1);
  std::mt19937 random(1);
  const auto b = random_batch<uint32_t>(39, 100, 0, random);
  tree.update(b.keys, b.values, b.erases, true);
  EXPECT_TRUE(tree.status.ok());
  tree.update({1, 2}, {1, 2}, {1, 1}, true);
  EXPECT_EQ(tree.status.error(), data_error::buffer_too_small);
  EXPECT_EQ(tree.status.detail(), 41u);
  model<uint32_t> m;
  apply(m, b, true);
  EXPECT_EQ(wrong_answers(tree, m, 100, 1), "");
}

/// A graph that was captured before the tree grew: what it knows the levels of it changes and
/// finds; of more it says how many elements there are, changes nothing, and finds nothing.
TEST(Lsm, ReplayedAfterGrowth) {
  host_tree<uint32_t> tree(10, 2, 1);
  const auto old = tree.table();
  tree.reserve(6);
  const auto grown = tree.table();
  std::mt19937 random(1);
  model<uint32_t> m;
  const auto change = [&](uint64_t n) {
    const auto b = random_batch<uint32_t>(n, 100, 2, random);
    tree.update(b.keys, b.values, b.erases, true);
    if (tree.status.ok())
      apply(m, b, true);
  };
  change(15);
  tree.replay_with(old);
  change(20); // 3 batches: all that fit into 2 levels
  EXPECT_TRUE(tree.status.ok());
  EXPECT_EQ(wrong_answers(tree, m, 100, 1), "");
  for (const uint64_t more : {10u, 40u, 300u}) {
    tree.replay_with(grown);
    change(more);
    tree.replay_with(old);
    const uint64_t all = tree.state().batches * 10 + tree.state().buffered;
    const auto refused = [&](uint64_t detail) {
      const device_status s = std::exchange(tree.status, {});
      return s.error() == data_error::buffer_too_small && s.detail() == detail;
    };
    change(1);
    EXPECT_TRUE(refused(all + 1));
    tree.cleanup();
    EXPECT_TRUE(refused(all));
    EXPECT_EQ(tree.state().batches * 10 + tree.state().buffered, all);
    EXPECT_EQ(tree.find_all({0, 3, 30}, 77), std::vector<uint32_t>(3, 77));
    EXPECT_TRUE(refused(all));
    const auto few = tree.ask_few<lsm_query::find>({0, 3, 30});
    EXPECT_TRUE(refused(all) && !few[0] && !few[1] && !few[2]);
    EXPECT_TRUE(!tree.ask_few<lsm_query::predecessor>({30})[0] && refused(all));
    EXPECT_EQ(tree.list({0}, {~0u}, 5).offsets, (std::vector<uint64_t>{0, 0}));
    EXPECT_TRUE(refused(all));
    uint64_t count = 1;
    tree.export_all(0, count);
    EXPECT_TRUE(refused(all) && count == 0);
    tree.replay_with(grown);
    EXPECT_EQ(wrong_answers(tree, m, 100, 1), "") << more;
    EXPECT_EQ(wrong_export(tree, m), "") << more;
  }
  EXPECT_EQ(tree.complaints(), "");
}

/// Every size of a run to 700, and sizes around powers of the fanout: each position is found.
TEST(Lsm, IndexOfEverySize) {
  std::vector<uint32_t> sizes(700);
  std::iota(sizes.begin(), sizes.end(), 0u);
  for (const uint32_t around : {4096u, 65536u})
    for (int off = -1; off <= 1; ++off)
      sizes.push_back(around + static_cast<uint32_t>(off));
  for (const uint32_t n : sizes) {
    std::vector<uint32_t> keys(n + 16);
    // The index begins where nodes do.
    std::vector<uint32_t> index(detail::lsm_index<uint32_t>::room(n) + 16, 0xa5a5a5a5u);
    const auto aligned = [](std::vector<uint32_t> &v) {
      return v.data() + (64 - reinterpret_cast<uintptr_t>(v.data()) % 64) % 64 / 4;
    };
    detail::lsm_slice<uint32_t, uint32_t> slice{0,       n,       aligned(keys),
                                                nullptr, nullptr, aligned(index)};
    for (uint32_t i = 0; i < n; ++i)
      slice.keys[i] = 2 * i + 1;
    for (uint32_t end = 8; end <= n; end += 8)
      detail::write_index(slice, end, slice.keys[end - 1]);
    const detail::lsm_run<uint32_t, uint32_t> run{slice.keys,  nullptr, nullptr,
                                                  slice.index, n,       false};
    const detail::lsm_format<uint32_t, false> format{};
    for (uint32_t i = 0; i <= n; i += n > 1000 ? 37 : 1) {
      ASSERT_EQ(detail::count_by_index(run, format, 2 * i), i) << n;
      ASSERT_EQ(detail::count_by_index(run, format, 2 * i + 1), i < n ? i + 1 : n) << n;
    }
    ASSERT_EQ(detail::count_by_index(run, format, ~0u), n);
  }
}

TEST(Lsm, NanRefused) {
  const std::vector<float> keys{1.0f, -0.0f, std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::quiet_NaN(),
                                std::numeric_limits<float>::quiet_NaN()};
  for (const uint64_t n : {3, 5}) {
    uint32_t refused = 0;
    device_status status;
    const detail::lsm_check_arguments<uint32_t> a{reinterpret_cast<const uint32_t *>(keys.data()),
                                                  n, &refused, &status};
    host_grid grid(1);
    grid.run(2, 32, 0, [&](const host_machine &machine, char *) {
      detail::refuse_nan(host_lsm_machine(machine, {}), a);
    });
    EXPECT_EQ(refused, n == 5);
    EXPECT_EQ(status.ok(), n == 3);
    if (n == 5) {
      EXPECT_EQ(status.error(), data_error::value_out_of_range);
      EXPECT_EQ(status.detail(), 3u);
    }
  }
}

/// Sums to other memory, and to where the counts stand.
TEST(Lsm, SumsOfTiles) {
  std::mt19937 random(5);
  for (const uint64_t n : {0, 1, 31, 32, 33, 511, 512, 513, 16384, 16385, 20000}) {
    std::vector<uint32_t> counts(n);
    std::vector<uint64_t> sums(n, ~uint64_t{0}), right(n);
    for (uint32_t &count : counts)
      count = random(); // so that sums have more than 32 bits
    std::exclusive_scan(counts.begin(), counts.end(), right.begin(), uint64_t{0});
    const uint64_t all = n ? right.back() + counts.back() : 0;
    std::vector<uint64_t> in_place(counts.begin(), counts.end());
    host_grid grid(static_cast<unsigned>(n));
    grid.run(1, detail::lsm_scan_threads, 256, [&](const host_machine &machine, char *shared) {
      uint64_t *const scratch = reinterpret_cast<uint64_t *>(shared);
      const uint64_t first = detail::add_up(machine, counts.data(), sums.data(), n, scratch);
      machine.block_sync();
      const uint64_t second = detail::add_up(
          machine, static_cast<const uint64_t *>(in_place.data()), in_place.data(), n, scratch);
      EXPECT_TRUE(first == all && second == all) << n;
    });
    EXPECT_EQ(grid.all_complaints(), "");
    EXPECT_EQ(sums, right) << n;
    EXPECT_EQ(in_place, right) << n;
  }
}

TEST(Lsm, StorageForManyRangesIsEnoughForFew) {
  uint64_t most = 0;
  for (const uint64_t at : {100u, 1u << 16, 1u << 19, 1u << 20})
    for (uint64_t n = at - 100; n < at + 100; ++n) {
      most = std::max(most, detail::lsm_num_range_tiles(n));
      EXPECT_GE(detail::most_range_tiles(n), most) << n;
    }
}

TEST(Lsm, PlantedFaults) {
  const planted_runs faults("lsm", lsm_faults{}, [](unsigned seed, const lsm_faults &f) {
    return random_run<uint32_t>({20, 7, 100, 5, 3, 4, seed % 2 == 0}, seed, f);
  });
  faults.expect("split_bits", [](lsm_faults &f) { f.split_bits = true; });
  faults.expect("whole_words", [](lsm_faults &f) { f.whole_words = true; });
  faults.expect("newest_first", [](lsm_faults &f) { f.newest_first = true; });
  // It shows in longer runs only.
  const planted_runs longer("lsm", lsm_faults{}, [](unsigned seed, const lsm_faults &f) {
    return random_run<uint32_t>({20, 7, 150, 9, 3, 4, seed % 2 == 0}, seed, f);
  });
  longer.expect("unstaged", [](lsm_faults &f) { f.unstaged = true; });
  faults.expect("same_buffer", [](lsm_faults &f) { f.same_buffer = true; });
  faults.expect("lost_state", [](lsm_faults &f) { f.lost_state = true; });
  faults.expect("lost_erased", [](lsm_faults &f) { f.lost_erased = true; });
  faults.expect("unset_bits", [](lsm_faults &f) { f.unset_bits = true; });
  const planted_runs whole("lsm", lsm_faults{}, [](unsigned seed, const lsm_faults &f) {
    return random_run<uint32_t>({20, 7, 100, 8, 0, 4, seed % 2 == 0}, seed, f);
  });
  whole.expect("always_to_level", [](lsm_faults &f) { f.always_to_level = true; });
  const planted_runs long_batches("lsm", lsm_faults{}, [](unsigned seed, const lsm_faults &f) {
    return random_run<uint32_t>({60, 5, 300, 13, 0, 0, seed % 2 == 0}, seed, f);
  });
  long_batches.expect("left_unsorted", [](lsm_faults &f) { f.left_unsorted = true; });
  faults.expect("oldest_wins", [](lsm_faults &f) { f.oldest_wins = true; });
  faults.expect("off_by_one_tail", [](lsm_faults &f) { f.lost_tail = 1; });
  faults.expect("dropped_block_sync", [](lsm_faults &f) { f.machine.drop_block_sync = true; });
  faults.expect("dropped_copy_wait", [](lsm_faults &f) { f.machine.drop_copy_wait = true; });
  faults.expect("dropped_warp_sync", [](lsm_faults &f) { f.machine.drop_warp_sync = true; });
  const planted_runs ranges("lsm", lsm_faults{}, [](unsigned seed, const lsm_faults &f) {
    return long_ranges(900, 8, seed, f);
  });
  ranges.expect("dropped_warp_sync_of_ranges",
                [](lsm_faults &f) { f.machine.drop_warp_sync = true; });
  const planted_runs few_ranges("lsm", lsm_faults{}, [](unsigned seed, const lsm_faults &f) {
    return long_ranges(900, 20, seed, f, 4);
  });
  few_ranges.expect("dropped_team_wait", [](lsm_faults &f) { f.machine.drop_team_wait = true; });
  few_ranges.expect("dropped_block_sync_of_few_ranges",
                    [](lsm_faults &f) { f.machine.drop_block_sync = true; });
  const planted_runs few_equal("lsm", lsm_faults{}, [](unsigned seed, const lsm_faults &f) {
    return long_ranges(10000, 8, seed, f);
  });
  few_equal.expect("nobody_loses", [](lsm_faults &f) { f.nobody_loses = true; });
  // Blocks meet only where a kernel ends: none waits for a word of another.
  lsm_faults torn;
  torn.machine.torn_words = true;
  has_none("lsm", "flag_before_value", faults.with(torn));
  has_none("lsm", "unreset_ticket");
}

} // namespace
