//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The partition of a merge on the host, under random schedules: of 2 to 32 runs of random keys,
// many of them equal, the places where each tile begins are those of the merged sequence, in which
// of equal keys those of the older run come first.
//
//===----------------------------------------------------------------------===//

#include "host_lsm.hpp"

#include <colonnade/detail/lsm/make_plan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

enum class spread { equal, ends, rising, falling, interleaved, few, halved, any };
constexpr uint32_t num_spreads = 8;

/// Key i of run r of so many.
template <class Key>
Key key_of(spread s, uint64_t i, uint32_t r, uint32_t num_runs, std::mt19937_64 &random) {
  switch (s) {
  case spread::equal:
    return Key{5};
  case spread::ends: // zeros of both signs, of floats
    return random() % 3 == 0   ? std::numeric_limits<Key>::max()
           : random() % 2 == 0 ? std::numeric_limits<Key>::lowest()
                               : static_cast<Key>(-Key{0});
  case spread::rising: // each run above the one before
    return static_cast<Key>(r * 10000 + i);
  case spread::falling:
    return static_cast<Key>((num_runs - r) * 10000 + i);
  case spread::interleaved:
    return static_cast<Key>(i * num_runs + r);
  case spread::few:
    return static_cast<Key>(random() % 50);
  case spread::halved: // half of them below any of these limits
    return static_cast<Key>((random() & 0x3fffffff) >> random() % 30);
  case spread::any:
    break;
  }
  return static_cast<Key>(random() & 0x3fffffff);
}

template <class Key> class partition_case {
  using sorted = detail::sorted_as<Key>;
  static constexpr bool floating = sorted::kind == detail::key_kind::floating;
  using table_type = detail::lsm_table<typename sorted::raw, uint32_t, floating>;
  using raw = typename table_type::raw;
  using arguments = detail::lsm_partition_arguments<table_type>;

public:
  explicit partition_case(unsigned seed) : seed_(seed), random_(seed) {
    table_.state = &state_;
    if constexpr (!floating)
      table_.format.flip = static_cast<raw>(sorted::flip(false));
    tuning_ = small_lsm_tuning::value;
    tuning_.items_per_thread = 1 + 2 * static_cast<uint32_t>(random_() % 8);
    tuning_.partition_lanes = 1u << random_() % 18;
    make_runs();
    plan_.num_items = of_all();
    detail::lsm_planner<table_type>(table_, plan_)
        .divide(tuning_, 1 + static_cast<uint32_t>(random_() % 7));
  }

  uint32_t num_runs() const { return plan_.num_runs; }
  uint64_t num_tiles() const { return plan_.num_tiles; }

  /// What is wrong.
  std::string check() {
    std::vector<uint64_t> splits(plan_.num_tiles * plan_.num_runs, ~uint64_t{0});
    const arguments a{splits.data(), table_.format, nullptr};
    host_grid grid(seed_, 3, {});
    bool read_unset = false;
    grid.run(1 + random_() % 4, 64, 0, [&](const host_machine &host, char *) {
      const host_lsm_machine machine(host, {}, &read_unset);
      detail::lsm_partition_thread<arguments, host_lsm_machine>(machine, a, plan_).run();
    });
    if (!grid.all_complaints().empty())
      return grid.all_complaints();
    return splits == expected() ? "" : "other splits";
  }

private:
  raw word(const Key &key) const {
    raw bits;
    std::memcpy(&bits, &key, sizeof bits);
    return table_.format.word(bits);
  }
  uint64_t of_all() const {
    uint64_t sum = 0;
    for (const std::vector<Key> &keys : keys_)
      sum += keys.size();
    return sum;
  }
  void make_runs() {
    const spread s = static_cast<spread>(random_() % num_spreads);
    const uint64_t most = 1 + random_() % 600;
    plan_.num_runs = random_() % 4 == 0 ? 17 + static_cast<uint32_t>(random_() % 16)
                                        : 2 + static_cast<uint32_t>(random_() % 8);
    keys_.resize(plan_.num_runs);
    indexes_.resize(plan_.num_runs);
    for (uint32_t r = 0; r < plan_.num_runs; ++r) {
      const uint64_t count = random_() % 6 == 0 ? random_() % 3 : random_() % (most + 1);
      for (uint64_t i = 0; i < count; ++i)
        keys_[r].push_back(key_of<Key>(s, i, r, plan_.num_runs, random_));
      std::stable_sort(keys_[r].begin(), keys_[r].end(),
                       [&](const Key &x, const Key &y) { return word(x) < word(y); });
      plan_.runs[r].keys = reinterpret_cast<const raw *>(keys_[r].data());
      plan_.runs[r].count = count;
      if (random_() % 2 == 0)
        add_index(r);
    }
  }
  void add_index(uint32_t r) {
    using index = detail::lsm_index<raw>;
    const uint64_t count = keys_[r].size();
    indexes_[r].assign(index::room(count), raw{0});
    detail::lsm_slice<raw, uint32_t> slice;
    slice.count = count;
    slice.index = indexes_[r].data();
    for (uint64_t end = index::fanout; end <= count; end += index::fanout)
      detail::write_index(slice, end, word(keys_[r][end - 1]));
    plan_.runs[r].index = indexes_[r].data();
  }
  std::vector<uint64_t> expected() const {
    struct element {
      raw word;
      uint32_t run;
    };
    std::vector<element> all;
    for (uint32_t r = 0; r < plan_.num_runs; ++r)
      for (const Key &key : keys_[r])
        all.push_back({word(key), r});
    std::stable_sort(all.begin(), all.end(),
                     [](const element &x, const element &y) { return x.word < y.word; });
    std::vector<uint64_t> splits, place(plan_.num_runs);
    for (size_t i = 0; i < all.size(); ++i) {
      if (i % plan_.tile_items == 0)
        splits.insert(splits.end(), place.begin(), place.end());
      ++place[all[i].run];
    }
    return splits;
  }

  unsigned seed_;
  std::mt19937_64 random_;
  table_type table_{};
  detail::lsm_state state_{};
  lsm_tuning tuning_{};
  detail::lsm_plan<raw, uint32_t> plan_{};
  std::vector<std::vector<Key>> keys_;
  std::vector<std::vector<raw>> indexes_;
};

template <class Key> class LsmPartition : public ::testing::Test {};
using keys = ::testing::Types<uint32_t, int32_t, float, uint64_t, int64_t, double>;
TYPED_TEST_SUITE(LsmPartition, keys);

TYPED_TEST(LsmPartition, TilesBeginWhereTheMergedSequenceSays) {
  uint64_t tiles_of_many = 0; // where more than half of a warp's lanes have a run
  for (unsigned seed = 1; seed <= 60; ++seed) {
    partition_case<TypeParam> c(seed);
    ASSERT_EQ(c.check(), "") << "seed " << seed << ", " << c.num_runs() << " runs";
    if (c.num_runs() > 16)
      tiles_of_many += c.num_tiles();
  }
  EXPECT_GT(tiles_of_many, 50u);
}

} // namespace
