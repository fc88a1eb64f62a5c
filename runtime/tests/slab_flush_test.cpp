//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_flush_test.cpp: chains that warps and threads flush on the host machine, while others use
// other chains: they keep their pairs, are as short as can be, and what is given back is open
// before it is free. Planted faults are found.
//
//===----------------------------------------------------------------------===//
#include "planted.hpp"
#include "slab_flush_run.hpp"

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

TEST(SlabFlush, ChainsAreFlushedBesideOthers) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    ASSERT_EQ((run_flushes<uint32_t, false>(seed, {})), "") << seed;
    ASSERT_EQ((run_flushes<uint64_t, false>(seed, {})), "") << seed;
    ASSERT_EQ((run_flushes<uint32_t, true>(seed, {})), "") << seed;
    ASSERT_EQ((run_flushes<uint64_t, true>(seed, {})), "") << seed;
  }
}

/// Tells whether slabs are given back behind a fence that is behind all words that were opened: the
/// host's memory is in order anyway.
class flush_order_machine : public host_slab_machine {
public:
  flush_order_machine(const host_machine &machine, bool is_alone, bool &in_order,
                      uint32_t &given_back)
      : host_slab_machine(machine, none), is_alone_(is_alone), in_order_(in_order),
        given_back_(given_back) {}
  void warp_sync() const {
    host_slab_machine::warp_sync();
    met_ = true;
    fenced_ = false;
  }
  void device_fence() const { fenced_ = true; }
  template <class Word> void store(Word *word, std::type_identity_t<Word> value) const {
    met_ = is_alone_;
    fenced_ = false;
    host_slab_machine::store(word, value);
  }
  uint32_t fetch_and(uint32_t *word, uint32_t bits) const {
    in_order_ &= met_ && fenced_;
    ++given_back_;
    return host_slab_machine::fetch_and(word, bits);
  }

private:
  static constexpr slab_faults none{};
  const bool is_alone_;
  mutable bool met_ = false, fenced_ = false;
  bool &in_order_;
  uint32_t &given_back_;
};

TEST(SlabFlush, SlabsAreGivenBackBehindAFence) {
  for (const bool is_alone : {false, true}) {
    host_slab_map map(1, 8);
    for (uint32_t i = 0; i < 100; ++i)
      map.put(i, map.table.format.tombstone(i));
    bool in_order = true;
    uint32_t given_back = 0;
    host_grid(1).run(1, 32, 0, [&](const host_machine &m, char *) {
      const flush_order_machine machine(m, is_alone, in_order, given_back);
      if (!is_alone)
        detail::flush_chains_of_lanes(machine, map.table, m.lane() == 7, 0);
      else if (m.lane() == 7)
        detail::flush_alone<flush_order_machine, host_slab_table>{machine, map.table}.run(0);
    });
    EXPECT_TRUE(in_order);
    EXPECT_EQ(given_back, 6u);
  }
}

/// Who lengthens a chain of a multimap may find a slot before it after all: the new slab is empty.
template <class Item> void flush_empty_slab(bool is_alone) {
  using table_type = host_table_of<Item, true>;
  host_dictionary<table_type> map(1, 8);
  const slab_faults none;
  for (uint32_t i = 0; i < table_type::format_type::slots; ++i)
    map.put(i, map.table.format.live(widened<Item>(i), widened<Item>(i)));
  map.put(99, map.table.format.open()); // behind a full slab
  std::vector<std::string> complaints;
  const auto before = map.check(complaints);
  EXPECT_EQ(map.slabs_free, 7u);
  host_grid(1).run(1, 32, 0, [&](const host_machine &m, char *) {
    const host_slab_machine machine(m, none);
    if (!is_alone)
      detail::flush_chains_of_lanes(machine, map.table, m.lane() < 2, m.lane());
    else if (m.lane() == 0)
      detail::flush_alone<host_slab_machine, table_type>{machine, map.table}.run(0);
  });
  EXPECT_EQ(map.check(complaints), before);
  EXPECT_EQ(map.slabs_free, 8u);
  EXPECT_TRUE(complaints.empty() && map.all_free_are_open());
}
TEST(SlabFlush, SlabsThatWereEmptyAreGivenBack) {
  for (const bool is_alone : {false, true}) {
    flush_empty_slab<uint32_t>(is_alone);
    flush_empty_slab<uint64_t>(is_alone);
  }
}

TEST(SlabFlush, PlantedFaultsAreFound) {
  const planted_runs runs("slab_hash", flush_faults{}, run_flushes<uint32_t, false>);
  runs.expect("dropped_warp_sync", [](flush_faults &f) { f.machine.drop_warp_sync = true; });
  runs.expect("chain_flushed_twice", [](flush_faults &f) { f.each_for_itself = true; });
}

} // namespace
