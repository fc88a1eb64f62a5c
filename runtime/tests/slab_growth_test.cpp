//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_growth_test.cpp: a pool of slabs that grows on the host machine while warps and threads take
// slabs from it, and while a slab hash chains them: nothing is handed out twice or refused although
// it is there, whatever was inserted is found, planted faults are found.
//
//===----------------------------------------------------------------------===//
#include "host_dictionary.hpp"
#include "host_slab_pools.hpp"
#include "planted.hpp"

#include <gtest/gtest.h>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

constexpr uint32_t free_each = 4; // slabs of a super block that are not taken before

/// A pool that begins with one super block, to which two are added while others use it.
template <class Pool> class growth {
public:
  using view_type = decltype(Pool::view);

  growth() {
    for (uint32_t super = 0; super < most; ++super)
      pool_.take_all_but(super, free_each);
    const auto first = pool_.add(1);
    host_grid(1).run(1, 32, 0, [&](const host_machine &m, char *) {
      const slab_faults none;
      publish(host_slab_machine(m, none), pool_, first);
    });
  }
  static constexpr uint32_t most = 3, num_free = most * free_each;

  const view_type &view() const { return pool_.view; }
  bool is_over() const { return lanes_done_ == 32; }

  /// use(machine): what all blocks but one do; that one publishes what is added.
  template <class Use>
  std::vector<std::string> run(uint32_t blocks, unsigned seed, const slab_faults &planted,
                               Use use) {
    const auto added = pool_.add(2);
    host_grid grid(seed, blocks);
    grid.run(blocks, 32, 0, [&](const host_machine &m, char *) {
      const host_slab_machine machine(m, planted);
      if (m.block() + 1 < blocks)
        return use(machine);
      publish(machine, pool_, added);
      ++lanes_done_;
    });
    return grid.complaints;
  }

private:
  Pool pool_{most};
  uint32_t lanes_done_ = 0;
};

/// Odd blocks take slabs one thread at a time, even ones by warps; none is given back.
template <class Pool> std::string take_while_growing(unsigned seed, slab_faults planted) {
  growth<Pool> g;
  std::set<uint32_t> held;
  bool refused_late = false;
  std::vector<std::string> complaints = g.run(4, seed, planted, [&](const auto &machine) {
    detail::pool_claims<host_slab_machine, typename growth<Pool>::view_type> claims(machine,
                                                                                    g.view());
    for (uint32_t turn = 0; turn < 3; ++turn) {
      const bool wants = (machine.lane() * 7 + turn * 3 + seed) % 4 == 0, late = g.is_over();
      uint32_t slab = detail::no_slab;
      if (machine.block() % 2 == 0)
        slab = claims.take(wants);
      else if (wants)
        slab = claims.take_alone();
      if (slab != detail::no_slab && (slab % 1024 >= free_each || !held.insert(slab).second))
        complaints.push_back("slab " + std::to_string(slab) + " is somebody's");
      refused_late |= wants && slab == detail::no_slab && late;
    }
  });
  if (refused_late && held.size() < growth<Pool>::num_free)
    complaints.push_back("refused, though the pool had grown");
  return joined(complaints);
}

/// Every lane inserts keys of its own into one chain, or finds no slab; then all are looked for.
template <class Pool, uint32_t Width>
std::string insert_while_growing(unsigned seed, slab_faults planted) {
  using table_type = detail::slab_table<uint32_t, uint32_t, slab_hash_function, equal_bits,
                                        typename growth<Pool>::view_type>;
  growth<Pool> g;
  detail::slab bucket;
  std::fill(std::begin(bucket.words), std::end(bucket.words), ~uint64_t{0});
  const table_type table{&bucket, 1, g.view(), {host_empty_key, host_tombstone_key, {}}, {}};
  std::set<uint32_t> inserted;
  const auto operate = [&](const host_slab_machine &machine, slab_operation operation,
                           uint32_t key) {
    detail::slab_worker<host_slab_machine, table_type, Width, Width == 1 ? 1 : 2> worker(machine,
                                                                                         table);
    return worker.run(true, operation, key, key + 1);
  };
  std::vector<std::string> complaints = g.run(5, seed, planted, [&](const auto &machine) {
    for (uint32_t k = 0; k < 2; ++k) {
      const uint32_t key = (machine.block() * 32 + machine.lane()) * 2 + k;
      if (operate(machine, slab_operation::insert, key).was == slab_answer::absent)
        inserted.insert(key);
    }
  });
  size_t found = 0;
  host_grid(seed, 4).run(4, 32, 0, [&](const host_machine &m, char *) {
    const slab_faults none;
    for (uint32_t k = 0; k < 2; ++k) {
      const uint32_t key = (m.block() * 32 + m.lane()) * 2 + k;
      const auto out = operate(host_slab_machine(m, none), slab_operation::find, key);
      const bool present = out.was == slab_answer::present;
      if (present != (inserted.count(key) != 0) || (present && out.value != key + 1))
        complaints.push_back("key " + std::to_string(key) + " is not as it was left");
      found += present;
    }
  });
  if (found < 15)
    complaints.push_back("the first slab is not full");
  return joined(complaints);
}

TEST(SlabGrowth, SlabsAreHandedOutOnceWhileThePoolGrows) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    ASSERT_EQ(take_while_growing<host_growing_pool>(seed, {}), "") << seed;
    ASSERT_EQ(take_while_growing<host_mapped_pool>(seed, {}), "") << seed;
  }
}

TEST(SlabGrowth, ChainsLeadIntoWhatIsNew) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    ASSERT_EQ((insert_while_growing<host_growing_pool, 8>(seed, {})), "") << seed;
    ASSERT_EQ((insert_while_growing<host_growing_pool, 1>(seed, {})), "") << seed;
    ASSERT_EQ((insert_while_growing<host_mapped_pool, 8>(seed, {})), "") << seed;
  }
}

/// Tells whether the number of blocks is stored behind a fence that is behind all lanes' places:
/// the host's memory is in order anyway.
class ordered_machine : public host_slab_machine {
public:
  ordered_machine(const host_machine &machine, bool &in_order)
      : host_slab_machine(machine, none), in_order_(in_order) {}
  void warp_sync() const {
    host_slab_machine::warp_sync();
    met_ = true;
    fenced_ = false;
  }
  void device_fence() const { fenced_ = true; }
  void store_word(uint32_t *word, uint32_t value) const {
    in_order_ = met_ && fenced_;
    host_slab_machine::store_word(word, value);
  }

private:
  static constexpr slab_faults none{};
  mutable bool met_ = false, fenced_ = false;
  bool &in_order_;
};
TEST(SlabGrowth, PlacesOfAllLanesAreFenced) {
  host_growing_pool pool(3);
  const detail::new_super_blocks added = pool.add(3);
  bool in_order = false;
  host_grid(1).run(1, 32, 0, [&](const host_machine &m, char *) {
    detail::publish_super_blocks(ordered_machine(m, in_order), pool.view, added);
  });
  EXPECT_TRUE(in_order);
}

TEST(SlabGrowth, PlantedFaultsAreFound) {
  const planted_runs runs("slab_hash", slab_faults{}, take_while_growing<host_growing_pool>);
  runs.expect("flag_before_value", [](slab_faults &f) { f.count_first = true; });
  runs.expect("growth_unseen", [](slab_faults &f) { f.old_count = true; });
  const planted_runs mapped("slab_hash", slab_faults{}, take_while_growing<host_mapped_pool>);
  mapped.expect("mapped_growth_unseen", [](slab_faults &f) { f.old_count = true; });
}

} // namespace
