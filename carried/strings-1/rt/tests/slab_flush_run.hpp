//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_flush_run.hpp: warps and threads alone that flush chains of their own while others insert
// into chains of theirs, and take the slabs that are given back; on the host machine.
//
// Even blocks are warps, which bring one chain from several lanes, or one that there is not; odd
// ones are threads alone, four of which have chains.
//
// In: a seed. Out: complaints. Invariant: a chain is used by one warp, or one thread, so what it
// has to hold at every moment is known.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_dictionary.hpp"

#include <colonnade/detail/slab_hash/chains.hpp>

#include <algorithm>
#include <random>

namespace colonnade::testing {

struct flush_faults {
  faults machine;
  bool each_for_itself = false; // that lanes bring the same chain is not seen
};

/// host_slab_machine with the fault above. Tells of slabs that are given back and are free already.
class flushing_machine : public host_slab_machine {
public:
  flushing_machine(const host_machine &machine, const flush_faults &planted, bool &is_given_twice)
      : host_slab_machine(machine, none), planted_(planted), is_given_twice_(is_given_twice) {}
  uint32_t match(uint32_t value) const {
    const uint32_t same = host_slab_machine::match(value);
    return planted_.each_for_itself ? 1u << lane() : same;
  }
  uint32_t fetch_and(uint32_t *word, uint32_t bits) const {
    const uint32_t before = host_slab_machine::fetch_and(word, bits);
    is_given_twice_ |= (before & ~bits) == 0;
    return before;
  }

private:
  static constexpr slab_faults none{};
  const flush_faults &planted_;
  bool &is_given_twice_;
};

template <class Item, bool Multiple> class flush_run {
public:
  using table_type = host_table_of<Item, Multiple>;

  flush_run(unsigned seed, const flush_faults &planted) : seed_(seed), planted_(planted) {
    std::mt19937 random(seed);
    for (uint32_t b = 0; b < buckets; ++b)
      of_bucket_.push_back({b % owners, {}});
    for (uint32_t k = 0; k < 60 * owners; ++k)
      keys_of_[owner_of(k)].push_back(k);
    for (uint32_t owner = 0; owner < owners; ++owner)
      for (uint32_t round = 0; round < rounds; ++round)
        plan(owner, random);
  }

  std::string run() {
    host_grid grid(seed_, blocks, planted_.machine);
    grid.run(blocks, 32, 0, [&](const host_machine &m, char *) {
      const flushing_machine machine(m, planted_, is_given_twice_);
      if (m.block() % 2 == 0)
        as_warp(machine, m.block() / 2);
      else if (m.lane() < alone)
        as_thread(machine, blocks / 2 + m.block() / 2 * alone + m.lane());
    });
    complaints_.insert(complaints_.end(), grid.complaints.begin(), grid.complaints.end());
    if (is_given_twice_)
      complaints_.push_back("a slab is given back twice");
    judge();
    return joined(complaints_);
  }

private:
  static constexpr uint32_t blocks = 4, alone = 3, rounds = 7, none = ~0u;
  static constexpr uint32_t owners = blocks / 2 + blocks / 2 * alone, buckets = 2 * owners;
  static constexpr uint32_t num_slabs = 14;

  /// What an owner's lanes do in a round; a thread alone does the first few one after the other.
  struct step {
    std::vector<uint32_t> keys; // none: the lane has no operation
    std::vector<slab_operation> operations;
    std::vector<uint32_t> chains; // none: the lane has none; or one that there is not
  };
  struct chain {
    uint32_t owner;
    std::multimap<uint32_t, uint32_t> pairs;
  };

  uint32_t owner_of(uint32_t key) const {
    return map_.table.bucket_number(widened<Item>(key)) % owners;
  }
  chain &chain_of(uint32_t key) { return of_bucket_[map_.table.bucket_number(widened<Item>(key))]; }
  /// A key comes once in a round, so operations of a round do not meet.
  void plan(uint32_t owner, std::mt19937 &random) {
    auto &keys = keys_of_[owner];
    std::shuffle(keys.begin(), keys.end(), random);
    step s;
    const bool erases = random() % 2;
    for (uint32_t l = 0; l < 32; ++l) {
      s.keys.push_back(l < keys.size() && random() % 8 ? keys[l] : none);
      s.operations.push_back(random() % 8 < (erases ? 7u : 1u) ? slab_operation::erase
                                                               : slab_operation::insert);
      const uint32_t of_owner = random() % 2 * owners + owner;
      s.chains.push_back(random() % 3 == 0 ? none : random() % 7 == 0 ? buckets : of_owner);
    }
    steps_[owner].push_back(s);
  }

  template <class Worker> void operate(Worker &worker, slab_operation operation, uint32_t key) {
    const bool has = key != none;
    const uint32_t value = ++last_value_;
    const auto one = worker.run(has, operation, widened<Item>(has ? key : 0), widened<Item>(value));
    if (!has || one.was == slab_answer::no_slab)
      return;
    auto &pairs = chain_of(key).pairs;
    const bool present = one.was == slab_answer::present, known = pairs.count(key) != 0;
    if (present != known && !(Multiple && operation == slab_operation::insert))
      complaints_.push_back("a key is not as it was left");
    if (operation == slab_operation::insert) {
      if (!present)
        pairs.insert({key, value});
      return;
    }
    const auto all = pairs.equal_range(key);
    const auto it = std::find_if(all.first, all.second, [&](const auto &pair) {
      return pair.second == narrowed(one.value);
    });
    if (present && it == all.second)
      complaints_.push_back("a value that nobody gave");
    else if (present && operation == slab_operation::erase)
      pairs.erase(it);
  }

  void as_warp(const flushing_machine &machine, uint32_t owner) {
    detail::slab_worker<flushing_machine, table_type, 8, 2> worker(machine, map_.table);
    const uint32_t lane = machine.lane();
    for (const step &s : steps_[owner]) {
      operate(worker, s.operations[lane], s.keys[lane]);
      flush(machine, s.chains[lane] != none, s.chains[lane]);
      operate(worker, slab_operation::find, s.keys[lane]);
      machine.ballot(true);
    }
    flush(machine, lane < 2, owner + lane * owners);
  }
  void flush(const flushing_machine &machine, bool has, uint32_t bucket) {
    detail::flush_chains_of_lanes(machine, map_.table, has, bucket);
  }
  void as_thread(const flushing_machine &machine, uint32_t owner) {
    detail::slab_worker<flushing_machine, table_type, 1, 1> worker(machine, map_.table);
    const detail::flush_alone<flushing_machine, table_type> alone_here{machine, map_.table};
    for (const step &s : steps_[owner]) {
      for (uint32_t i = 0; i < 20; ++i)
        if (s.keys[i] != none)
          operate(worker, s.operations[i], s.keys[i]);
      if (s.chains[0] < buckets)
        alone_here.run(s.chains[0]);
      for (uint32_t i = 0; i < 20; ++i)
        if (s.keys[i] != none)
          operate(worker, slab_operation::find, s.keys[i]);
    }
    alone_here.run(owner);
    alone_here.run(owner + owners);
  }

  /// All chains have been flushed: they are as short as can be.
  void judge() {
    const auto pairs = map_.check(complaints_);
    std::multimap<uint32_t, uint32_t> right;
    size_t pooled = 0;
    for (const chain &c : of_bucket_) {
      right.insert(c.pairs.begin(), c.pairs.end());
      pooled += (std::max<size_t>(c.pairs.size(), 1) - 1) / table_type::format_type::slots;
    }
    using sorted = std::multiset<std::pair<uint32_t, uint32_t>>;
    if (sorted(pairs.begin(), pairs.end()) != sorted(right.begin(), right.end()))
      complaints_.push_back("other pairs");
    if (map_.slots_taken != right.size())
      complaints_.push_back("tombstones stay");
    if (map_.slabs_free != num_slabs - pooled)
      complaints_.push_back("slabs are not given back");
    if (!map_.all_free_are_open())
      complaints_.push_back("a slab is free and not open");
  }

  unsigned seed_;
  const flush_faults planted_;
  host_dictionary<table_type> map_{buckets, num_slabs};
  std::vector<chain> of_bucket_;
  std::vector<uint32_t> keys_of_[owners];
  std::vector<step> steps_[owners];
  uint32_t last_value_ = 0;
  bool is_given_twice_ = false;
  std::vector<std::string> complaints_;
};

template <class Item, bool Multiple>
std::string run_flushes(unsigned seed, const flush_faults &planted) {
  return flush_run<Item, Multiple>(seed, planted).run();
}

} // namespace colonnade::testing
