//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_case.cuh: a slab map on the GPU, its operations on arrays of the host, and what stands in
// its slabs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "device_case.cuh"

#include <colonnade/slab_hash.cuh>

#include <set>
#include <unordered_map>

using word_map = colonnade::slab_map<uint32_t, uint32_t>;
using words = std::vector<uint32_t>;

/// A policy for each width of a tile, and loads in flight.
template <uint32_t Lanes, uint32_t InFlight> struct tile_policy : colonnade::slab_hash_policy {
  static constexpr colonnade::slab_hash_tuning find_tuning(colonnade::gpu_architecture) {
    return {128, 4, Lanes, InFlight, 4};
  }
  static constexpr colonnade::slab_hash_tuning far_find_tuning(colonnade::gpu_architecture a) {
    return find_tuning(a);
  }
  static constexpr colonnade::slab_hash_tuning wide_find_tuning(colonnade::gpu_architecture a) {
    return find_tuning(a);
  }
  static constexpr colonnade::slab_hash_tuning far_wide_find_tuning(colonnade::gpu_architecture a) {
    return find_tuning(a);
  }
  static constexpr colonnade::slab_hash_tuning change_tuning(colonnade::gpu_architecture) {
    return {128, 4, Lanes, InFlight, 4};
  }
};

template <class Map = word_map> Map new_map(uint32_t buckets, uint32_t slabs) {
  Map map;
  typename Map::options_type options;
  options.num_buckets = buckets;
  options.num_slabs = slabs;
  CUDA_OK(Map::create(map, options));
  return map;
}

struct found_keys {
  words values;
  std::vector<uint8_t> present;
};

/// Operations on arrays of the host; what is written stays within bounds.
template <class Policy = colonnade::slab_hash_policy, class Map = word_map> struct on_map {
  Map &map;
  colonnade::run_options options = {};

  found_keys find(const words &keys) const {
    const device_array<uint32_t> in(keys), values(keys.size());
    const device_array<uint8_t> present(keys.size());
    call_twice([&](void *d_temp, size_t &bytes) {
      return map.find_async(d_temp, bytes, in.get(), values.get(), keys.size(), flags(present),
                            options, Policy{});
    });
    values.expect_intact("values");
    present.expect_intact("present");
    return {values.read(), present.read()};
  }
  std::vector<uint8_t> contains(const words &keys) const {
    return change(keys, [&](void *d_temp, size_t &bytes, const uint32_t *in, bool *present) {
      return map.contains_async(d_temp, bytes, in, present, keys.size(), options, Policy{});
    });
  }
  std::vector<uint8_t> insert(const words &keys, const words &values,
                              uint64_t *d_undone = nullptr) const {
    const device_array<uint32_t> d_values(values);
    return change(keys, [&](void *d_temp, size_t &bytes, const uint32_t *in, bool *present) {
      return map.insert_async(d_temp, bytes, in, d_values.get(), keys.size(), present, d_undone,
                              options, Policy{});
    });
  }
  std::vector<uint8_t> assign(const words &keys, const words &values,
                              uint64_t *d_undone = nullptr) const {
    const device_array<uint32_t> d_values(values);
    return change(keys, [&](void *d_temp, size_t &bytes, const uint32_t *in, bool *present) {
      return map.insert_or_assign_async(d_temp, bytes, in, d_values.get(), keys.size(), present,
                                        d_undone, options, Policy{});
    });
  }
  std::vector<uint8_t> erase(const words &keys) const {
    return change(keys, [&](void *d_temp, size_t &bytes, const uint32_t *in, bool *present) {
      return map.erase_async(d_temp, bytes, in, keys.size(), present, options, Policy{});
    });
  }

private:
  static bool *flags(const device_array<uint8_t> &bytes) {
    return reinterpret_cast<bool *>(bytes.get());
  }
  template <class Call> std::vector<uint8_t> change(const words &keys, Call call) const {
    const device_array<uint32_t> in(keys);
    const device_array<uint8_t> present(keys.size());
    call_twice([&](void *d_temp, size_t &bytes) {
      return call(d_temp, bytes, static_cast<const uint32_t *>(in.get()), flags(present));
    });
    present.expect_intact("present");
    return present.read();
  }
};

/// What the slabs hold: live pairs, slots that are taken, slabs of the pool that are in chains.
template <class Key, class Value> struct contents_of_slabs {
  std::unordered_multimap<Key, Value> all_pairs;
  std::unordered_map<Key, Value> pairs; // of each key one
  uint64_t slots = 0, linked = 0;
};
using slab_contents = contents_of_slabs<uint32_t, uint32_t>;

/// Reads all chains, and checks what is promised of them.
template <class Map>
contents_of_slabs<typename Map::key_type, uint64_t> wide_contents_of(const Map &map) {
  using namespace colonnade::detail;
  using table_type = typename Map::ref_type::table_type;
  using format = typename table_type::format_type;
  using word = typename table_type::word;
  using key_type = typename Map::key_type;
  const auto table = map.ref().table();
  const uint32_t pooled = table.pool.num_blocks * slabs_per_block;
  std::vector<slab> buckets(table.num_buckets), slabs(pooled);
  words bitmaps(pooled / 32);
  CUDA_OK(cudaMemcpy(buckets.data(), table.buckets, buckets.size() * sizeof(slab),
                     cudaMemcpyDeviceToHost));
  CUDA_OK(
      cudaMemcpy(bitmaps.data(), table.pool.bitmaps, bitmaps.size() * 4, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaMemcpy(slabs.data(), table.pool.slabs, map.num_slabs() * sizeof(slab),
                     cudaMemcpyDeviceToHost));
  contents_of_slabs<key_type, uint64_t> all;
  std::set<uint32_t> linked;
  std::set<key_type> owners;
  for (uint64_t b = 0; b < buckets.size(); ++b) {
    const slab *at = &buckets[b];
    for (bool ended = false;;) {
      const word *w = reinterpret_cast<const word *>(at->words);
      for (uint32_t i = 0; i < format::slots; ++i) {
        if (table.format.is_open(w[i])) {
          ended = true;
          continue;
        }
        ++all.slots;
        EXPECT(!ended, "slot %u of a slab is taken behind an open one", i);
        const bool tombstone = table.format.is_tombstone(w[i]);
        if (tombstone && format::multiple)
          continue;
        const key_type key = from_slab_bits<key_type>(tombstone ? high_half(w[i]) : low_half(w[i]));
        EXPECT(owners.insert(key).second || format::multiple, "key %llu has two slots",
               static_cast<unsigned long long>(key));
        EXPECT(table.bucket_number(key) == b, "key %llu is in chain %llu",
               static_cast<unsigned long long>(key), static_cast<unsigned long long>(b));
        if (!tombstone) {
          all.all_pairs.insert({key, high_half(w[i])});
          all.pairs[key] = high_half(w[i]);
        }
      }
      const uint32_t next = format::next(w[format::link_word]);
      if (next == no_slab)
        break;
      EXPECT(next < map.num_slabs() && linked.insert(next).second, "slab %u is in two places",
             next);
      EXPECT(!ended, "a slab is linked behind an open slot");
      if (next >= map.num_slabs() || gpu_failures() > 50)
        break;
      at = &slabs[next];
    }
  }
  all.linked = linked.size();
  uint64_t taken = 0;
  for (uint32_t s = 0; s < map.num_slabs(); ++s) {
    const bool is_taken = bitmaps[s / 32] >> s % 32 & 1;
    taken += is_taken;
    EXPECT(is_taken || !linked.count(s), "slab %u is in a chain and free", s);
    if (!is_taken)
      for (uint32_t i = 0; i < slab_words; ++i)
        EXPECT(slabs[s].words[i] ==
                   (i % 2 ? table.format.filling().high : table.format.filling().low),
               "slab %u is free and not open", s);
  }
  EXPECT(taken == linked.size(), "%llu slabs are taken, %zu in chains",
         static_cast<unsigned long long>(taken), linked.size());
  return all;
}
inline slab_contents contents_of(const word_map &map) {
  const auto wide = wide_contents_of(map);
  slab_contents all;
  for (const auto &[key, value] : wide.pairs)
    all.pairs[key] = static_cast<uint32_t>(value);
  all.slots = wide.slots;
  all.linked = wide.linked;
  return all;
}
