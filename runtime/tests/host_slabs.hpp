//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_slabs.hpp: slab maps on the host machine: the operations of slab_hash under random
// schedules, what every call found and when, and what stands in the slabs afterwards.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_machine.hpp"

#include <colonnade/detail/slab_hash/bulk.hpp>
#include <colonnade/detail/slab_hash/growing_pool.hpp>
#include <colonnade/detail/slab_hash/light_pool.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace colonnade::testing {

struct slab_faults {
  bool torn_pairs = false;      // the halves of a pair are read one after the other
  bool cached_loads = false;    // a word that was read before may be read as it was then
  bool out_of_order = false;    // not the first open slot is filled, but the one behind
  bool erase_opens = false;     // an erased slot is open again
  bool forgetful = false;       // a tombstone does not keep its key
  bool anyone_returns = false;  // a tombstone is taken by whichever key
  bool no_second_look = false;  // a compare-and-swap that failed counts as done
  bool split_swap = false;      // a compare-and-swap in two steps
  bool split_exchange = false;  // an exchange in two steps
  bool split_claim = false;     // bits of a bitmap are set in two steps
  bool link_anyway = false;     // a link that is there already is overwritten
  bool keeps_lost_slab = false; // a slab that lost the race to be linked is not given back
  bool refuses_early = false;   // bitmaps look full
  bool count_first = false;     // a pool has grown before it is known where to
  bool old_count = false;       // that a pool has grown is not seen
  bool split_status = false;    // a status is changed in two steps
  uint32_t lost_tail = 0;       // operations at the end of an array that are left out
};

constexpr uint32_t host_empty_key = ~0u, host_tombstone_key = ~0u - 1;

/// device_slab_machine on the host: others run before each access, none within it.
class host_slab_machine : public host_machine {
public:
  host_slab_machine(const host_machine &machine, const slab_faults &planted)
      : host_machine(machine), planted_(planted) {}

  template <uint32_t Count> void load_words(const uint64_t *from, uint64_t (&to)[Count]) const {
    for (uint32_t i = 0; i < Count; ++i)
      to[i] = seen(load(from + i));
  }
  uint64_t load_status(const uint64_t *word) const {
    others();
    status_word_ = word;
    return *word;
  }
  uint32_t load_word(const uint32_t *word) const {
    const uint32_t value = host_machine::load_word(word) | (planted_.refuses_early ? ~0u : 0);
    if (!first_word_) { // of a pool that grows this is its size
      first_word_ = word;
      first_value_ = value;
    }
    return planted_.old_count && word == first_word_ ? first_value_ : value;
  }
  uint64_t load_place(const uint64_t *word) const { return others(), *word; }
  void store_place(uint64_t *word, uint64_t value) const {
    others();
    if (planted_.count_first)
      late_.push_back({word, value});
    else
      *word = value;
  }
  void store_word(uint32_t *word, uint32_t value) const {
    others();
    *word = value;
    others();
    for (const auto &[place, late] : late_)
      *place = late;
  }
  uint64_t compare_exchange(uint64_t *word, uint64_t expected, uint64_t desired) const {
    others();
    if (planted_.out_of_order && is_open(expected) && is_open(*word) && index_of(word) < 14 &&
        is_open(word[1]))
      ++word;
    const uint64_t before = *word;
    const bool matches = seen(before) == expected || (planted_.link_anyway && index_of(word) == 15);
    if (planted_.split_swap)
      others();
    if (planted_.split_status && word == status_word_)
      for (int i = 0; i < 50; ++i) // few warps report, each once
        others();
    if (matches)
      *word = desired;
    return matches || planted_.no_second_look ? expected : before;
  }
  uint64_t exchange(uint64_t *word, uint64_t value) const {
    others();
    const uint64_t before = *word;
    if (planted_.split_exchange)
      others();
    const bool erases = detail::low_half(value) == host_tombstone_key;
    if (erases && planted_.erase_opens)
      value = ~uint64_t{0};
    if (erases && planted_.forgetful)
      value = host_tombstone_key;
    *word = value;
    return before;
  }
  uint32_t fetch_or(uint32_t *word, uint32_t bits) const {
    others();
    const uint32_t before = *word;
    if (planted_.split_claim)
      others();
    *word = before | bits;
    return before;
  }
  uint32_t fetch_and(uint32_t *word, uint32_t bits) const {
    others();
    const uint32_t before = *word;
    *word = planted_.keeps_lost_slab ? before : before & bits;
    return before;
  }

private:
  void others() const { host_machine::load_word(&nothing_); }
  static uint32_t index_of(const uint64_t *word) {
    return reinterpret_cast<uintptr_t>(word) / 8 % 16;
  }
  static bool is_open(uint64_t word) { return detail::low_half(word) == host_empty_key; }
  uint64_t load(const uint64_t *word) const {
    others();
    if (planted_.torn_pairs) {
      const uint32_t low = detail::low_half(*word);
      others();
      return detail::both_halves(low, detail::high_half(*word));
    }
    if (!planted_.cached_loads)
      return *word;
    const auto [cached, fresh] = cache_.try_emplace(word, *word, 0);
    if (!fresh && ++cached->second.second > 3)
      cached->second = {*word, 0};
    return cached->second.first;
  }
  uint64_t seen(uint64_t word) const {
    const bool taken = planted_.anyone_returns && detail::low_half(word) == host_tombstone_key;
    return taken ? ~uint64_t{0} : word;
  }

  const slab_faults &planted_;
  mutable std::map<const uint64_t *, std::pair<uint64_t, int>> cache_;
  mutable std::vector<std::pair<uint64_t *, uint64_t>> late_;
  mutable const uint32_t *first_word_ = nullptr;
  mutable uint32_t first_value_ = 0;
  mutable const uint64_t *status_word_ = nullptr;
  uint32_t nothing_ = 0;
};

/// A pool in host memory that grows, of super blocks of 1024 slabs.
class host_growing_pool {
public:
  explicit host_growing_pool(uint32_t most) : places_(most * 2), slabs_(most * 1024) {
    bitmaps_.assign(most * 32, 0);
    for (detail::slab &s : slabs_)
      std::fill(std::begin(s.words), std::end(s.words), ~uint64_t{0});
    view = {places_.data(), &num_blocks_, 10};
  }
  host_growing_pool(const host_growing_pool &) = delete;

  detail::growing_pool_view view;

  /// What the host gives to the warp that publishes it.
  detail::new_super_blocks add(uint32_t count) {
    const uint32_t first = given_;
    given_ += count;
    return {slabs_.data() + first * 1024, bitmaps_.data() + first * 32, first, count};
  }
  /// Leaves free only as many slabs of a super block.
  void take_all_but(uint32_t super, uint32_t free) {
    for (uint32_t s = free; s < 1024; ++s)
      bitmaps_[super * 32 + s / 32] |= 1u << s % 32;
  }

private:
  std::vector<uint64_t> places_;
  std::vector<detail::slab> slabs_;
  std::vector<uint32_t> bitmaps_;
  uint32_t num_blocks_ = 0, given_ = 0;
};

using host_slab_table =
    detail::slab_table<uint32_t, uint32_t, slab_hash_function, equal_bits, detail::light_pool_view>;

/// A map in host memory.
class host_slab_map {
public:
  host_slab_map(uint32_t num_buckets, uint32_t num_slabs)
      : num_slabs_(num_slabs), buckets_(num_buckets, open_slab()), slabs_(num_slabs, open_slab()) {
    const uint32_t blocks = (num_slabs + 1023) / 1024;
    bitmaps_.assign(blocks * 32, 0);
    for (uint32_t s = num_slabs; s < blocks * 1024; ++s)
      bitmaps_[s / 32] |= 1u << s % 32;
    table = {buckets_.data(),
             num_buckets,
             {slabs_.data(), bitmaps_.data(), blocks},
             {host_empty_key, host_tombstone_key, {}},
             {}};
  }
  host_slab_map(const host_slab_map &) = delete;

  host_slab_table table;

  /// Puts a word for a new key where it belongs, before anything runs: live, or a tombstone.
  void put(uint32_t key, uint64_t word) {
    uint64_t *at = table.bucket_of(key);
    uint32_t i = 0;
    while (!table.format.is_open(at[i]) || i == detail::link_word)
      if (i < detail::link_word) {
        ++i;
      } else {
        at = slabs_[next_or_new(at[i])].words;
        i = 0;
      }
    at[i] = word;
  }

  /// All live pairs; complains about whatever a slab map must not be.
  std::map<uint32_t, uint32_t> check(std::vector<std::string> &complaints) const {
    std::map<uint32_t, uint32_t> pairs;
    std::set<uint32_t> linked, owners;
    const auto complain = [&](const char *what) { complaints.push_back(what); };
    for (const detail::slab &bucket : buckets_) {
      bool ended = false;
      const detail::slab *at = &bucket;
      while (at) {
        for (uint32_t i = 0; i < detail::slab_slots; ++i) {
          const uint64_t word = at->words[i];
          if (table.format.is_open(word)) {
            ended = true;
            continue;
          }
          if (ended)
            complain("a slot is taken behind an open one");
          const bool tombstone = table.format.is_tombstone(word);
          const uint32_t key = tombstone ? detail::high_half(word) : detail::low_half(word);
          if (!owners.insert(key).second)
            complain("a key has two slots");
          if (table.bucket_of(key) != bucket.words)
            complain("a key in a wrong chain");
          if (!tombstone)
            pairs[key] = detail::high_half(word);
        }
        const uint32_t next = detail::high_half(at->words[detail::link_word]);
        if (next == detail::no_slab)
          break;
        if (ended)
          complain("a slab is linked behind an open slot");
        if (next >= num_slabs_ || !linked.insert(next).second) {
          complain("a slab is in two places");
          return pairs;
        }
        at = &slabs_[next];
      }
    }
    for (uint32_t s = 0; s < num_slabs_; ++s)
      if ((bitmaps_[s / 32] >> s % 32 & 1) != linked.count(s))
        complain("a slab is taken and in no chain, or the other way round");
    slots_taken = owners.size();
    slabs_free = num_slabs_ - linked.size();
    return pairs;
  }
  // As the last check found it.
  mutable size_t slots_taken = 0; // by keys, live or not
  mutable size_t slabs_free = 0;

private:
  uint32_t next_or_new(uint64_t &link) {
    if (detail::high_half(link) == detail::no_slab) {
      bitmaps_[num_put_ / 32] |= 1u << num_put_ % 32;
      link = table.format.link(num_put_++);
    }
    return detail::high_half(link);
  }
  static detail::slab open_slab() {
    detail::slab s;
    for (uint64_t &word : s.words)
      word = ~uint64_t{0};
    return s;
  }
  uint32_t num_slabs_, num_put_ = 0;
  std::vector<detail::slab> buckets_, slabs_;
  std::vector<uint32_t> bitmaps_;
};

/// One operation, and what came of it.
struct slab_call {
  slab_operation operation = slab_operation::find;
  uint32_t key = 0, value = 0;
  slab_answer was = slab_answer::absent;
  uint32_t before = 0;         // the value that was found
  uint64_t begin = 0, end = 0; // moments; no two are the same
};

/// calls[t][k]: what thread t does k-th; an empty one takes part and does nothing. Each block of 32
/// threads has the tile width that widths names.
using slab_plan = std::vector<std::vector<std::optional<slab_call>>>;

template <uint32_t Width>
void run_slab_calls(const host_slab_machine &machine, const host_slab_table &table,
                    std::vector<std::optional<slab_call>> &calls, uint64_t &clock) {
  detail::slab_worker<host_slab_machine, host_slab_table, Width, Width == 1 ? 1 : 2> worker(machine,
                                                                                            table);
  for (std::optional<slab_call> &call : calls) {
    if (!call && Width == 1)
      continue;
    slab_call c = call.value_or(slab_call{});
    c.begin = ++clock;
    const detail::slab_outcome outcome = worker.run(call.has_value(), c.operation, c.key, c.value);
    c.end = ++clock;
    c.was = outcome.was;
    c.before = outcome.value;
    if (call)
      call = c;
  }
}

inline std::vector<std::string> run_slab_plan(host_slab_map &map, slab_plan &plan, unsigned seed,
                                              const std::vector<uint32_t> &widths,
                                              slab_faults planted = {}) {
  uint64_t clock = 0;
  const uint32_t blocks = static_cast<uint32_t>(plan.size() / 32);
  host_grid grid(seed, blocks);
  grid.run(blocks, 32, 0, [&](const host_machine &m, char *) {
    const host_slab_machine machine(m, planted);
    auto &calls = plan[m.block() * 32 + m.thread()];
    switch (widths[m.block() % widths.size()]) {
    case 1:
      return run_slab_calls<1>(machine, map.table, calls, clock);
    case 4:
      return run_slab_calls<4>(machine, map.table, calls, clock);
    case 8:
      return run_slab_calls<8>(machine, map.table, calls, clock);
    case 16:
      return run_slab_calls<16>(machine, map.table, calls, clock);
    default:
      return run_slab_calls<32>(machine, map.table, calls, clock);
    }
  });
  return grid.complaints;
}

} // namespace colonnade::testing
