//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_dictionary.hpp: dictionaries in host memory: operations under random schedules, what every
// call found and when, and what stands in the slabs afterwards.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_slabs.hpp"
#include "slab_history.hpp"
#include "slab_items.hpp"

#include <colonnade/detail/slab_hash/light_pool.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace colonnade::testing {

template <class Item, bool Multiple = false, class Hash = slab_hash_function,
          class Equal = equal_bits>
using host_table_of =
    detail::slab_table<Item, Item, Hash, Equal, detail::light_pool_view, Multiple>;
using host_slab_table = host_table_of<uint32_t>;

template <class Item>
using host_table_of_variants = host_table_of<Item, false, hash_of_variants, variants_are_equal>;

/// A dictionary in host memory.
template <class Table> class host_dictionary {
public:
  using format = typename Table::format_type;
  using word = typename Table::word;
  using half = typename Table::half;
  using pairs_type = std::conditional_t<format::multiple, std::multimap<uint32_t, uint32_t>,
                                        std::map<uint32_t, uint32_t>>;

  host_dictionary(uint32_t num_buckets, uint32_t num_slabs)
      : num_slabs_(num_slabs), buckets_(num_buckets, open_slab()), slabs_(num_slabs, open_slab()) {
    const uint32_t blocks = (num_slabs + 1023) / 1024;
    bitmaps_.assign(blocks * 32, 0);
    for (uint32_t s = num_slabs; s < blocks * 1024; ++s)
      bitmaps_[s / 32] |= 1u << s % 32;
    table = {buckets_.data(),
             num_buckets,
             {{slabs_.data(), bitmaps_.data()}, blocks},
             {static_cast<half>(-1), static_cast<half>(-2), {}},
             {}};
  }
  host_dictionary(const host_dictionary &) = delete;

  Table table;

  /// What is there is lost.
  void spoil_buckets() {
    for (detail::slab &s : buckets_)
      std::fill(std::begin(s.words), std::end(s.words), 0x0123456789abcdef);
  }
  /// Puts a word for a new key where it belongs, before anything runs: live, or a tombstone.
  void put(uint32_t key, word w) {
    word *at = table.bucket_of(widened<half>(key));
    uint32_t i = 0;
    while (!table.format.is_open(at[i]) || i == format::link_word)
      if (i < format::link_word) {
        ++i;
      } else {
        at = words_of(slabs_[next_or_new(at[i])]);
        i = 0;
      }
    at[i] = w;
  }

  /// All live pairs; complains about whatever must not be.
  pairs_type check(std::vector<std::string> &complaints) {
    pairs_type pairs;
    std::set<uint32_t> linked;
    std::set<half> owners;
    slots_taken = full_filters = 0;
    const auto complain = [&](const char *what) { complaints.push_back(what); };
    for (detail::slab &bucket : buckets_) {
      bool ended = false;
      std::vector<half> links; // before the slab
      word *at = words_of(bucket);
      while (at) {
        for (uint32_t i = 0; i < format::slots; ++i) {
          const word w = at[i];
          if (table.format.is_open(w)) {
            ended = true;
            continue;
          }
          if (ended)
            complain("a slot is taken behind an open one");
          ++slots_taken;
          const bool tombstone = table.format.is_tombstone(w);
          if (tombstone && format::multiple)
            continue;
          const half key = tombstone ? detail::high_half(w) : detail::low_half(w);
          if (!owners.insert(identity(key)).second && !format::multiple)
            complain("a key has two slots");
          if (table.bucket_of(key) != words_of(bucket))
            complain("a key in a wrong chain");
          for (const half link : links)
            if (!format::may_be_behind(link, table.hash(key)))
              complain("a link hides a key");
          if (!tombstone)
            pairs.insert({narrowed(identity(key)), narrowed(detail::high_half(w))});
        }
        const uint32_t next = format::next(at[format::link_word]);
        if (next == detail::no_slab)
          break;
        links.push_back(detail::high_half(at[format::link_word]));
        full_filters += links.size() == 1 && uint64_t{links[0]} >> 32 == ~0u;
        if (ended)
          complain("a slab is linked behind an open slot");
        if (next >= num_slabs_ || !linked.insert(next).second) {
          complain("a slab is in two places");
          return pairs;
        }
        at = words_of(slabs_[next]);
      }
    }
    for (uint32_t s = 0; s < num_slabs_; ++s)
      if ((bitmaps_[s / 32] >> s % 32 & 1) != linked.count(s))
        complain("a slab is taken and in no chain, or the other way round");
    slabs_free = num_slabs_ - linked.size();
    return pairs;
  }
  bool all_free_are_open() const {
    const detail::slab open = open_slab();
    for (uint32_t s = 0; s < num_slabs_; ++s)
      if (!(bitmaps_[s / 32] >> s % 32 & 1) &&
          !std::equal(std::begin(open.words), std::end(open.words), slabs_[s].words))
        return false;
    return true;
  }
  // As the last check found it.
  size_t slots_taken = 0; // by pairs, live or not
  size_t slabs_free = 0;
  size_t full_filters = 0; // of first slabs

private:
  /// The same of equal keys.
  static half identity(half key) {
    constexpr bool by_bits = std::is_same_v<decltype(format::equal), equal_bits>;
    return by_bits ? key : without_variant(key);
  }
  static word *words_of(detail::slab &s) { return reinterpret_cast<word *>(s.words); }
  uint32_t next_or_new(word &link) {
    if (format::next(link) == detail::no_slab) {
      bitmaps_[num_put_ / 32] |= 1u << num_put_ % 32;
      link = table.format.link(num_put_++);
    }
    return format::next(link);
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
using host_slab_map = host_dictionary<host_slab_table>;

/// calls[t][k]: what thread t does k-th; an empty one takes part and does nothing. Each block of 32
/// threads has the tile width that widths names.
using slab_plan = std::vector<std::vector<std::optional<slab_call>>>;

template <uint32_t Width, class Table>
void run_slab_calls(const host_slab_machine &machine, const Table &table,
                    std::vector<std::optional<slab_call>> &calls, uint64_t &clock) {
  using item = typename Table::key_type;
  detail::slab_worker<host_slab_machine, Table, Width, Width == 1 ? 1 : 2> worker(machine, table);
  for (std::optional<slab_call> &call : calls) {
    if (!call && Width == 1)
      continue;
    slab_call c = call.value_or(slab_call{});
    const detail::applied_operation<applied_items, item> operation{c.operation, {}};
    c.begin = ++clock;
    const auto outcome =
        worker.run(call.has_value(), operation, widened<item>(c.key | c.variant << variant_bits),
                   widened<item>(c.value));
    c.end = ++clock;
    c.was = outcome.was;
    c.before = narrowed(outcome.value);
    if (call)
      call = c;
  }
}

/// of_width(std::integral_constant of a tile's width, machine), on each lane; each block has the
/// next of the widths.
template <class OfWidth>
std::vector<std::string> run_by_width(uint32_t blocks, unsigned seed,
                                      const std::vector<uint32_t> &widths,
                                      const slab_faults &planted, OfWidth of_width) {
  host_grid grid(seed, blocks);
  grid.run(blocks, 32, 0, [&](const host_machine &m, char *) {
    const host_slab_machine machine(m, planted);
    switch (widths[m.block() % widths.size()]) {
    case 1:
      return of_width(std::integral_constant<uint32_t, 1>{}, machine);
    case 4:
      return of_width(std::integral_constant<uint32_t, 4>{}, machine);
    case 8:
      return of_width(std::integral_constant<uint32_t, 8>{}, machine);
    case 16:
      return of_width(std::integral_constant<uint32_t, 16>{}, machine);
    default:
      return of_width(std::integral_constant<uint32_t, 32>{}, machine);
    }
  });
  return grid.complaints;
}

template <class Table>
std::vector<std::string> run_slab_plan(host_dictionary<Table> &map, slab_plan &plan, unsigned seed,
                                       const std::vector<uint32_t> &widths,
                                       slab_faults planted = {}) {
  uint64_t clock = 0;
  return run_by_width(static_cast<uint32_t>(plan.size() / 32), seed, widths, planted,
                      [&](auto width, const host_slab_machine &m) {
                        run_slab_calls<width>(m, map.table, plan[m.block() * 32 + m.thread()],
                                              clock);
                      });
}

} // namespace colonnade::testing
