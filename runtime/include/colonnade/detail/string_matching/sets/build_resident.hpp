//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// build_resident.hpp: the tables of resident.hpp, on the host.
//
// In: the keys of a set. Out: the tables, or none, if a key has less than 8 bytes, or if no
// displacements were found. Invariant: the same keys give the same tables.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/sets/resident.hpp>
#include <colonnade/detail/string_matching/sets/tables.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace colonnade::detail {

/// A key, and what is known of it: how many patterns match, and which member it is, or `undecided`.
struct resident_item {
  uint64_t bytes;
  uint32_t count, member;
};

class resident_builder {
public:
  std::vector<uint32_t> pairs;
  std::vector<uint8_t> displacements; // empty: there are no tables
  std::vector<resident_key> counted, members;
  key_multipliers multipliers{};
  bool has_undecided = false;

  resident_builder() = default;
  /// keys: as hashed, with free ones.
  resident_builder(const std::vector<set_key> &keys, uint32_t key_lengths, uint32_t fold) {
    if (key_lengths != bit_of_length(8))
      return;
    std::vector<resident_item> all;
    for (const set_key &key : keys)
      if (key.length != 0) {
        const bool decides = key.count != 0;
        all.push_back({key.bytes, decides ? key.count : layout_.undecided(),
                       decides ? key.first : layout_.undecided()});
        has_undecided |= !decides;
      }
    build(all, fold);
  }
  resident_builder(const std::vector<resident_item> &all, uint32_t fold, key_layout layout)
      : layout_(layout) {
    build(all, fold);
  }

private:
  static constexpr uint32_t most_attempts = 64;

  void build(const std::vector<resident_item> &all, uint32_t fold) {
    std::mt19937 random(1);
    for (uint32_t attempt = 0; attempt < most_attempts; ++attempt) {
      for (uint32_t *by :
           {&multipliers.low, &multipliers.high, &multipliers.again, &multipliers.first})
        *by = static_cast<uint32_t>(random()) | 1;
      if (place(all)) {
        pairs = filter(all, fold);
        return;
      }
    }
    displacements.clear();
  }

  /// Those keys first of which most have one displacement.
  bool place(const std::vector<resident_item> &all) {
    const uint32_t slots = 1u << layout_.log2_slots;
    std::vector<std::vector<const resident_item *>> together(1u << layout_.log2_displacements());
    for (const resident_item &key : all)
      together[layout_.displacement_of(hashes(key))].push_back(&key);
    std::vector<uint32_t> order(together.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return together[a].size() > together[b].size();
    });
    const resident_key free{0, layout_.undecided() << layout_.known_from()};
    counted.assign(slots, free);
    members.assign(slots, free);
    displacements.assign(together.size(), 0);
    std::vector<bool> taken(slots);
    return std::all_of(order.begin(), order.end(), [&](uint32_t of) {
      for (uint32_t displacement = 0; displacement < 256; ++displacement)
        if (put(together[of], displacement, taken)) {
          displacements[of] = static_cast<uint8_t>(displacement);
          return true;
        }
      return false;
    });
  }
  /// All of them, or none.
  bool put(const std::vector<const resident_item *> &keys, uint32_t displacement,
           std::vector<bool> &taken) {
    size_t placed = 0;
    for (; placed < keys.size(); ++placed) {
      const uint32_t slot = layout_.slot_of(layout_.moved(hashes(*keys[placed]), displacement));
      if (taken[slot])
        break;
      taken[slot] = true;
    }
    const bool fits = placed == keys.size();
    for (size_t i = 0; i < placed; ++i) {
      const key_hashes of = hashes(*keys[i]);
      const uint32_t second = layout_.moved(of, displacement), slot = layout_.slot_of(second),
                     rest = second & layout_.remainder();
      taken[slot] = fits;
      if (!fits)
        continue;
      counted[slot] = {of.first, rest | keys[i]->count << layout_.known_from()};
      members[slot] = {of.first, rest | keys[i]->member << layout_.known_from()};
    }
    return fits;
  }
  key_hashes hashes(const resident_item &key) const {
    return hashes_of(multipliers, static_cast<uint32_t>(key.bytes),
                     static_cast<uint32_t>(key.bytes >> 32));
  }
  static std::vector<uint32_t> filter(const std::vector<resident_item> &all, uint32_t fold) {
    std::vector<uint32_t> words(sizeof(pair_filter) / 4);
    for (const resident_item &key : all)
      reinterpret_cast<pair_filter *>(words.data())->add(key.bytes | fold | uint64_t{fold} << 32);
    return words;
  }

  key_layout layout_ = resident_keys::layout();
};

} // namespace colonnade::detail
