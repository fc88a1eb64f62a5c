//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_multimap_run.hpp: concurrent operations on a multimap on the host machine, by tiles of all
// widths, and what is wrong with what they saw and left.
//
// In: a seed. Out: complaints. Invariant: each value is inserted once, so pairs can be told apart.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_dictionary.hpp"

#include <algorithm>
#include <random>

namespace colonnade::testing {

enum class asked_of_multimap { insert, find, erase, count, erase_all, find_all };

/// One operation, and what came of it.
struct multimap_call {
  asked_of_multimap what = asked_of_multimap::find;
  uint32_t key = 0, value = 0; // values are inserted once
  slab_answer was = slab_answer::absent;
  std::vector<uint32_t> got; // values that were found
  uint32_t count = 0;
  uint64_t begin = 0, end = 0;
};

/// When a pair came and went: it was there from `there` to `leaving`, and perhaps from `coming` to
/// `gone`.
struct multimap_life {
  uint32_t key = 0;
  uint64_t coming = 0, there = 0, leaving = ~uint64_t{0}, gone = ~uint64_t{0};
  int erased = 0;
};

template <class Item> class multimap_run {
public:
  using table_type = host_table_of<Item, true>;

  multimap_run(unsigned seed, const slab_faults &planted, uint32_t blocks, uint32_t slabs)
      : map_(1, slabs), seed_(seed), planted_(planted), blocks_(blocks) {
    std::mt19937 random(seed);
    const uint32_t keys = 1 + random() % 6;
    calls_.resize(blocks * 32);
    for (auto &of_lane : calls_)
      for (int k = 0; k < 3; ++k) {
        const bool has = random() % 100 < 30;
        multimap_call c;
        c.what = k == 0 ? asked_of_multimap::insert : static_cast<asked_of_multimap>(random() % 6);
        c.key = random() % keys;
        c.value = ++last_value_;
        of_lane.push_back(has ? std::optional<multimap_call>(c) : std::nullopt);
      }
    const uint32_t all[] = {8, 32, 1, 16, 4};
    widths_ = {all[random() % 5], all[random() % 5]};
  }

  std::string run() {
    std::vector<std::string> complaints =
        run_by_width(blocks_, seed_, widths_, planted_, [&](auto width, const auto &m) {
          for (auto &c : calls_[m.block() * 32 + m.thread()])
            if (c || width > 1)
              perform<width>(m, c);
        });
    judge(complaints);
    return joined(complaints);
  }

private:
  template <uint32_t Width>
  void perform(const host_slab_machine &machine, std::optional<multimap_call> &slot) {
    using namespace detail;
    slab_worker<host_slab_machine, table_type, Width, 1> worker(machine, map_.table);
    multimap_call c = slot.value_or(multimap_call{});
    // All lanes of a warp call the same; each has one of them.
    for (int step = 0; step < 4; ++step) {
      const bool pairs = step > 0;
      const asked_of_multimap all[] = {asked_of_multimap::insert, asked_of_multimap::count,
                                       asked_of_multimap::erase_all, asked_of_multimap::find_all};
      const bool mine = slot && (pairs ? c.what == all[step] : c.what <= asked_of_multimap::erase);
      if (Width == 1 && !mine)
        continue;
      const uint64_t begin = ++clock_;
      std::vector<Item> listed(40);
      if (!pairs) {
        constexpr slab_operation operations[] = {slab_operation::insert, slab_operation::find,
                                                 slab_operation::erase};
        const slab_operation operation =
            mine ? operations[static_cast<int>(c.what)] : slab_operation::find;
        const auto one = worker.run(mine, operation, widened<Item>(c.key), widened<Item>(c.value));
        if (mine) {
          c.was = one.was;
          c.got = {narrowed(one.value)};
        }
      } else {
        const Item key = widened<Item>(c.key);
        const slab_count n = step == 1 ? worker.each_pair(mine, key, count_pairs{})
                             : step == 2
                                 ? worker.each_pair(mine, key, erase_pairs{})
                                 : worker.each_pair(mine, key, list_pairs<Item>{listed.data(), 40});
        if (mine) {
          c.count = n.count;
          listed.resize(std::min<size_t>(n.count, 40));
          c.got.clear();
          for (const Item value : listed)
            c.got.push_back(narrowed(value));
        }
      }
      if (mine) {
        c.begin = begin;
        c.end = ++clock_;
        slot = c;
      }
    }
  }

  void judge(std::vector<std::string> &complaints) {
    std::map<uint32_t, multimap_life> lives;
    size_t erased_by_count = 0, erased_by_all = 0;
    each([&](const multimap_call &c) {
      if (c.what == asked_of_multimap::insert && c.was == slab_answer::absent)
        lives[c.value] = {c.key, c.begin, c.end};
      if (c.what == asked_of_multimap::erase_all)
        erased_by_count += c.count;
    });
    each([&](const multimap_call &c) {
      if (c.what == asked_of_multimap::erase && c.was == slab_answer::present) {
        multimap_life &l = lives[c.got[0]];
        l.leaving = c.begin;
        l.gone = c.end;
        ++l.erased;
      }
    });
    const auto pairs = map_.check(complaints);
    std::set<uint32_t> stands;
    for (const auto &[key, value] : pairs)
      if (!stands.insert(value).second || !lives.count(value) || lives[value].key != key)
        complaints.push_back("a pair that nobody inserted, or one twice");
    for (auto &[value, l] : lives) {
      if (l.erased + static_cast<int>(stands.count(value)) > 1)
        complaints.push_back("a pair was erased twice, or stayed");
      if (l.erased + stands.count(value) == 0) { // by whom, nobody says
        ++erased_by_all;
        end_by_erase_all(l);
      }
    }
    if (erased_by_all != erased_by_count)
      complaints.push_back("erase_all counts " + std::to_string(erased_by_count) + ", not " +
                           std::to_string(erased_by_all));
    each([&](const multimap_call &c) { check_seen(c, lives, complaints); });
    if (map_.slabs_free > 64) // lanes alone hold one each for a moment
      each([&](const multimap_call &c) {
        if (c.was == slab_answer::no_slab)
          complaints.push_back("refused, though there are slabs");
      });
  }
  /// The earliest and latest moment at which one could have erased it.
  void end_by_erase_all(multimap_life &l) {
    l.gone = 0;
    each([&](const multimap_call &c) {
      if (c.what == asked_of_multimap::erase_all && c.key == l.key && c.end > l.coming) {
        l.leaving = std::min(l.leaving, c.begin);
        l.gone = std::max(l.gone, c.end);
      }
    });
  }
  void check_seen(const multimap_call &c, const std::map<uint32_t, multimap_life> &lives,
                  std::vector<std::string> &complaints) {
    if (c.what == asked_of_multimap::insert || c.was == slab_answer::no_slab)
      return;
    uint32_t always = 0, perhaps = 0;
    for (const auto &[value, l] : lives) {
      always += l.key == c.key && l.there < c.begin && l.leaving > c.end;
      perhaps += l.key == c.key && l.coming < c.end && l.gone > c.begin;
    }
    const bool one = c.what <= asked_of_multimap::erase;
    const uint32_t seen = one ? c.was == slab_answer::present : c.count;
    if (seen < (one ? std::min(always, 1u) : always) || seen > perhaps)
      complaints.push_back("sees " + std::to_string(seen) + " pairs of " + std::to_string(always) +
                           " to " + std::to_string(perhaps));
    if (c.what != asked_of_multimap::find && c.what != asked_of_multimap::find_all)
      return;
    std::set<uint32_t> different;
    for (size_t i = 0; i < (one ? seen : c.got.size()); ++i) {
      const auto at = lives.find(c.got[i]);
      if (at == lives.end() || at->second.key != c.key || at->second.coming > c.end ||
          at->second.gone < c.begin || !different.insert(c.got[i]).second)
        complaints.push_back("found what was not there");
    }
  }
  template <class Use> void each(Use use) const {
    for (const auto &of_lane : calls_)
      for (const auto &c : of_lane)
        if (c && c->end)
          use(*c);
  }

  host_dictionary<table_type> map_;
  unsigned seed_;
  slab_faults planted_;
  uint32_t blocks_, last_value_ = 0;
  std::vector<uint32_t> widths_;
  std::vector<std::vector<std::optional<multimap_call>>> calls_;
  uint64_t clock_ = 0;
};

template <class Item> std::string run_multimap(unsigned seed, slab_faults planted) {
  return multimap_run<Item>(seed, planted, 2, seed % 3 * 50).run();
}

} // namespace colonnade::testing
