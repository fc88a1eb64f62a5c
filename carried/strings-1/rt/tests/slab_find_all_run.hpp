//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_find_all_run.hpp: find_all of an array on the host machine, while others insert and erase
// pairs of its keys between its walks and during them.
//
// In: a seed, and faults. Out: complaints, if values do not stand in the places of their keys, or
// pairs that were there all the time are missing where there is room for all, or something is
// written elsewhere. Invariant: each value is given once, so pairs can be told apart.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_dictionary.hpp"

#include <colonnade/detail/slab_hash/staged_pairs.hpp>

#include <algorithm>
#include <random>

namespace colonnade::testing {

constexpr uint32_t untouched_place = 0x7fffffff, absent_value = 0x7ffffffe; // no value

struct list_faults {
  bool unbounded = false;     // more than were counted are written
  bool gaps_stay = false;     // fewer are written, and the rest stays as it was
  bool walks_twice = false;   // a multimap is counted first and listed then
  bool count_goes_on = false; // of values that are taken along, from call to call
};

/// find_all with faults.
template <class Item> struct faulty_find_all : detail::find_all_operation<Item> {
  using sound = detail::find_all_operation<Item>;
  list_faults planted;

  detail::list_pairs<Item> pairs_of(bool has, uint64_t i) const {
    if (has && planted.unbounded)
      return {this->values + this->offsets[i], this->capacity - this->offsets[i]};
    return sound::pairs_of(has, i);
  }
  template <class Machine> void finish(const Machine &machine, uint64_t i, uint32_t count) const {
    const uint64_t counted = this->offsets[i + 1] - this->offsets[i];
    if (planted.gaps_stay && count < counted)
      return;
    sound::finish(machine, i, count);
  }
};

/// A block that is the whole grid of its kernels.
class alone_machine : public host_slab_machine {
public:
  using host_slab_machine::host_slab_machine;
  uint32_t block() const { return 0; }
  uint32_t num_blocks() const { return 1; }
};

/// Keys 0 to num_keys - 1 are asked for by the first block; the others insert and erase.
template <class Item, bool Multiple> class list_run {
public:
  using table_type = host_table_of<Item, Multiple>;

  list_run(unsigned seed, const list_faults &planted)
      : random_(seed), seed_(seed), planted_(planted), num_keys_(1 + random_() % 7),
        map_(1 + seed % 2, 60) {
    for (uint32_t i = 0; i < random_() % 60; ++i) {
      const uint32_t key = Multiple ? random_() % num_keys_ : i;
      if (key >= num_keys_)
        break;
      const bool gone = random_() % 4 == 0;
      const Item wide = widened<Item>(key);
      map_.put(key, gone ? map_.table.format.tombstone(wide)
                         : map_.table.format.live(wide, widened<Item>(next_value_)));
      if (!gone)
        before_[next_value_++] = key;
    }
    for (uint32_t k = 0; k < num_keys_; ++k)
      keys_.push_back(widened<Item>(k));
    given_ = before_;
    num_staged_ = planted_.count_goes_on ? 3 : 0;
    capacity_ = seed % 5 == 0 ? before_.size() * 2 / 3 : 250;
  }

  std::string run() {
    host_grid grid(seed_, 3);
    grid.run(3, 32, 0, [&](const host_machine &m, char *) {
      if (m.block() == 0)
        list(alone_machine(m, none));
      else
        change(host_slab_machine(m, none));
    });
    complaints_ = grid.complaints;
    judge();
    return joined(complaints_);
  }

private:
  static constexpr slab_faults none{};

  template <class Operation, class Out>
  void walk(const alone_machine &machine, const Operation &operation, Out out) {
    using arguments_type =
        detail::slab_bulk_arguments<table_type, Operation, const Item *, detail::no_items, Out>;
    const arguments_type arguments{map_.table,        operation, keys_.data(),       {}, num_keys_,
                                   {out, nullptr, 0}, {},        detail::all_items{}};
    detail::slab_bulk<alone_machine, arguments_type, 8, 2>(machine, arguments).run();
  }
  void list(const alone_machine &machine) {
    const bool is_staged = Multiple && !planted_.walks_twice;
    if (is_staged)
      walk(machine, detail::stage_operation<Item>(staged()), counts_.data());
    else
      walk(machine, detail::count_operation{}, counts_.data());
    machine.warp_sync();
    if (machine.lane() == 0)
      for (uint32_t k = 0; k < num_keys_; ++k)
        offsets_[k + 1] = offsets_[k] + counts_[k];
    for (int i = 0; i < 20; ++i)
      machine.ballot(true);
    if (is_staged)
      detail::place_values(
          machine, detail::placed_pairs_arguments<Item>{staged(), offsets_.data(), listed_.data()});
    walk(machine,
         faulty_find_all<Item>{{offsets_.data(), listed_.data(), capacity_,
                                widened<Item>(absent_value),
                                is_staged ? &offsets_[num_keys_] : nullptr},
                               planted_},
         detail::nothing{});
  }
  detail::staged_pairs<Item> staged() { return {staged_.data(), &num_staged_, capacity_}; }
  void change(const host_slab_machine &machine) {
    detail::slab_worker<host_slab_machine, table_type, 1, 1> worker(machine, map_.table);
    for (int turn = 0; turn < 3; ++turn) {
      if (random_() % 4)
        continue;
      const uint32_t key = random_() % num_keys_, value = next_value_++;
      if (random_() % 2) {
        worker.run(true, slab_operation::erase, widened<Item>(key), Item{0});
      } else {
        given_[value] = key;
        worker.run(true, slab_operation::insert, widened<Item>(key), widened<Item>(value));
      }
    }
  }

  void complain(const char *what, uint64_t key) {
    complaints_.push_back(std::string(what) + ", key " + std::to_string(key));
  }
  void judge() {
    std::map<uint32_t, uint32_t> stays; // pairs that were there all the time, by values
    for (const auto &[key, value] : map_.check(complaints_))
      if (before_.count(value))
        stays[value] = key;
    const bool has_room = offsets_[num_keys_] <= capacity_;
    for (uint64_t k = 0; k < num_keys_; ++k) {
      std::set<uint32_t> seen;
      bool ended = false;
      for (uint64_t i = offsets_[k]; i < std::min(offsets_[k + 1], capacity_); ++i) {
        const uint32_t value = narrowed(listed_[i]);
        if (value == absent_value) {
          ended = true;
          continue;
        }
        const auto at = given_.find(value);
        if (ended || at == given_.end() || at->second != k || !seen.insert(value).second)
          complain("what is no value of the key, or one twice, or behind a gap", k);
      }
      for (const auto &[value, key] : stays)
        if (key == k && (Multiple ? has_room : offsets_[k + 1] <= capacity_) && !seen.count(value))
          complain("a pair that is there all the time is not listed", k);
    }
    for (uint64_t i = std::min(offsets_[num_keys_], capacity_); i < listed_.size(); ++i)
      if (narrowed(listed_[i]) != untouched_place)
        return complain("written behind the last place", i);
    for (uint64_t i = capacity_; i < staged_.size(); ++i)
      if (staged_[i].key_index != ~uint64_t{0})
        return complain("staged where there is no room", i);
  }

  std::mt19937 random_;
  unsigned seed_;
  list_faults planted_;
  uint32_t num_keys_, next_value_ = 0;
  host_dictionary<table_type> map_;
  std::map<uint32_t, uint32_t> before_, given_; // keys by values, which are given once
  std::vector<Item> keys_;
  std::vector<uint64_t> counts_ = std::vector<uint64_t>(8), offsets_ = std::vector<uint64_t>(9);
  std::vector<Item> listed_ = std::vector<Item>(300, widened<Item>(untouched_place));
  std::vector<detail::staged_pair<Item>> staged_ =
      std::vector<detail::staged_pair<Item>>(300, {~uint64_t{0}, 0, 0});
  uint64_t num_staged_ = 0, capacity_;
  std::vector<std::string> complaints_;
};

template <class Item, bool Multiple> std::string run_list(unsigned seed, list_faults planted) {
  return list_run<Item, Multiple>(seed, planted).run();
}

} // namespace colonnade::testing
