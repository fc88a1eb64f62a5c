//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_hash_run.hpp: concurrent operations on a slab map on the host machine, by tiles of all
// widths, and what is wrong with their histories.
//
// In: what kind of case, and a seed. Out: complaints. Invariant: the same seed gives the same run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "host_dictionary.hpp"

#include <algorithm>
#include <random>

namespace colonnade::testing {

/// What is wrong with a run, and with the map after it. before: calls that had ended before.
template <class Table>
std::string judge(const std::vector<slab_call> &before, const slab_plan &plan,
                  host_dictionary<Table> &map, std::vector<std::string> complaints) {
  std::map<uint32_t, std::vector<slab_call>> of_key;
  for (const slab_call &call : before)
    of_key[call.key].push_back(call);
  for (const auto &thread : plan)
    for (const auto &call : thread)
      if (call)
        of_key[call->key].push_back(*call);
  const std::map<uint32_t, uint32_t> pairs = map.check(complaints);
  for (auto &[key, calls] : of_key) {
    slab_call last; // what stands there in the end
    last.key = key;
    last.begin = ~uint64_t{0} - 1;
    last.end = ~uint64_t{0};
    if (const auto found = pairs.find(key); found != pairs.end()) {
      last.was = slab_answer::present;
      last.before = found->second;
    }
    calls.push_back(last);
    if (!key_history(calls).is_linearisable())
      complaints.push_back("the calls of key " + std::to_string(key) + " have no order");
  }
  // In passing each thread holds one slab at most.
  for (const auto &thread : plan)
    for (const auto &call : thread)
      if (call && call->was == slab_answer::no_slab && map.slabs_free > plan.size())
        complaints.push_back("refused, though there are free slabs");
  for (const auto &[key, value] : pairs)
    if (!of_key.count(key))
      complaints.push_back("a key that nobody inserted");
  return joined(complaints);
}

struct slab_case {
  uint32_t keys; // that operations name
  uint32_t put;  // as many are there before; of every three one was erased
  uint32_t buckets, slabs, blocks, calls_each;
  uint32_t percent; // of lanes have an operation
};
/// Few keys and many; long chains; too few slabs, or none; nearly all slabs taken.
inline constexpr slab_case slab_cases[] = {
    {5, 2, 2, 4, 3, 3, 12},   {1, 0, 1, 1, 2, 2, 20},   {40, 30, 1, 3, 3, 2, 15},
    {40, 14, 1, 2, 2, 3, 25}, {24, 12, 1, 0, 2, 2, 25}, {70, 55, 2, 1100, 2, 2, 25},
    {3, 1, 1, 2, 3, 2, 10},   {17, 14, 1, 2, 3, 2, 15}, {50, 45, 3, 40, 2, 2, 20},
};
inline constexpr slab_case hot_keys = {2, 2, 1, 1, 3, 4, 15};
inline constexpr slab_case full_chains = {100, 60, 1, 200, 3, 2, 30};

inline uint32_t key_number(uint32_t k) { return k * 7 + 1; }

/// What stands in the map before, as calls that ended before any began.
template <class Table>
std::vector<slab_call> put_some(host_dictionary<Table> &map, const slab_case &c) {
  using item = typename Table::key_type;
  std::vector<slab_call> before;
  for (uint32_t k = 0; k < c.put; ++k) {
    const uint32_t key = key_number(k);
    const bool erased = k % 3 == 2;
    const auto &format = map.table.format;
    map.put(key, erased ? format.tombstone(widened<item>(key))
                        : format.live(widened<item>(key), widened<item>(k)));
    slab_call call;
    call.operation = erased ? slab_operation::find : slab_operation::insert;
    call.key = key;
    call.value = k;
    before.push_back(call);
  }
  return before;
}

/// variants: of a key, which are equal.
inline slab_plan random_plan(const slab_case &c, std::mt19937 &random, uint32_t variants) {
  slab_plan plan(c.blocks * 32);
  std::map<uint32_t, int> of_key;
  for (auto &thread : plan)
    thread.resize(c.calls_each);
  for (uint32_t k = 0; k < c.calls_each; ++k)
    for (auto &thread : plan) {
      slab_call call;
      call.key = key_number(static_cast<uint32_t>(random() % c.keys));
      if (random() % 100 >= c.percent || ++of_key[call.key] > 40)
        continue;
      call.operation = static_cast<slab_operation>(random() % 5);
      call.value = static_cast<uint32_t>(random()) % 1000;
      if (variants > 1)
        call.variant = static_cast<uint32_t>(random()) % variants;
      thread[k] = call;
    }
  return plan;
}

/// What is wrong; nothing: empty.
template <class Table = host_slab_table>
std::string run_case(const slab_case &c, unsigned seed, slab_faults planted) {
  constexpr bool by_bits = std::is_same_v<decltype(Table::format_type::equal), equal_bits>;
  std::mt19937 random(seed);
  slab_plan plan = random_plan(c, random, by_bits ? 1 : 3);
  host_dictionary<Table> map(c.buckets, c.slabs + c.put / Table::format_type::slots);
  const std::vector<slab_call> before = put_some(map, c);
  const uint32_t all[] = {8, 32, 1, 16, 4};
  std::vector<uint32_t> widths = {all[random() % 5], all[random() % 5], all[random() % 5]};
  const auto complaints = run_slab_plan(map, plan, seed, widths, planted);
  return judge(before, plan, map, complaints);
}
/// Of the cases above, by the seed.
template <class Table = host_slab_table>
std::string run_random(unsigned seed, slab_faults planted) {
  return run_case<Table>(slab_cases[seed % std::size(slab_cases)], seed, planted);
}

} // namespace colonnade::testing
