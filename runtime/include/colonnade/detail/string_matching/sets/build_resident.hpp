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

class resident_builder {
public:
  std::vector<uint32_t> pairs;
  std::vector<uint8_t> displacements; // empty: there are no tables
  std::vector<resident_key> counted, members;
  key_multipliers multipliers{};
  bool has_undecided = false;

  /// keys: as hashed, with free ones.
  resident_builder(const std::vector<set_key> &keys, uint32_t key_lengths, uint32_t fold) {
    if (key_lengths != bit_of_length(8))
      return;
    std::vector<set_key> all;
    std::copy_if(keys.begin(), keys.end(), std::back_inserter(all),
                 [](const set_key &key) { return key.length != 0; });
    has_undecided =
        std::any_of(all.begin(), all.end(), [](const set_key &key) { return key.count == 0; });
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

private:
  static constexpr uint32_t most_attempts = 64, slots = 1u << resident_keys::log2_slots;

  /// Those keys first of which most have one displacement.
  bool place(const std::vector<set_key> &all) {
    std::vector<std::vector<const set_key *>> together(1u << resident_keys::log2_displacements);
    for (const set_key &key : all)
      together[resident_keys::displacement_of(hashes(key))].push_back(&key);
    std::vector<uint32_t> order(together.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return together[a].size() > together[b].size();
    });
    const resident_key free{0, resident_key::undecided << resident_key::known_from};
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
  bool put(const std::vector<const set_key *> &keys, uint32_t displacement,
           std::vector<bool> &taken) {
    size_t placed = 0;
    for (; placed < keys.size(); ++placed) {
      const uint32_t slot =
          resident_keys::slot_of(resident_keys::moved(hashes(*keys[placed]), displacement));
      if (taken[slot])
        break;
      taken[slot] = true;
    }
    const bool fits = placed == keys.size();
    for (size_t i = 0; i < placed; ++i) {
      const key_hashes of = hashes(*keys[i]);
      const uint32_t second = resident_keys::moved(of, displacement),
                     slot = resident_keys::slot_of(second), rest = second & resident_key::remainder;
      const auto known = [&](uint32_t value) {
        return (keys[i]->count ? value : resident_key::undecided) << resident_key::known_from;
      };
      taken[slot] = fits;
      if (!fits)
        continue;
      counted[slot] = {of.first, rest | known(keys[i]->count)};
      members[slot] = {of.first, rest | known(keys[i]->first)};
    }
    return fits;
  }
  key_hashes hashes(const set_key &key) const {
    return hashes_of(multipliers, static_cast<uint32_t>(key.bytes),
                     static_cast<uint32_t>(key.bytes >> 32));
  }
  static std::vector<uint32_t> filter(const std::vector<set_key> &all, uint32_t fold) {
    std::vector<uint32_t> words(sizeof(pair_filter) / 4);
    for (const set_key &key : all)
      reinterpret_cast<pair_filter *>(words.data())->add(key.bytes | fold | uint64_t{fold} << 32);
    return words;
  }
};

} // namespace colonnade::detail
