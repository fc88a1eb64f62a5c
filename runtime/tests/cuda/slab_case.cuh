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

#include "multisplit_case.cuh"

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
  static constexpr colonnade::slab_hash_tuning change_tuning(colonnade::gpu_architecture) {
    return {128, 4, Lanes, InFlight, 4};
  }
};

template <class Map = word_map> Map new_map(uint32_t buckets, uint32_t slabs) {
  Map map;
  colonnade::slab_map_options<uint32_t, uint32_t> options;
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
struct slab_contents {
  std::unordered_map<uint32_t, uint32_t> pairs;
  uint64_t slots = 0, linked = 0;
};

/// Reads all chains, and checks what is promised of them.
inline slab_contents contents_of(const word_map &map) {
  using namespace colonnade::detail;
  const auto table = map.ref().table();
  const uint32_t pooled = table.pool.num_blocks * slabs_per_block;
  std::vector<slab> buckets(table.num_buckets);
  words bitmaps(pooled / 32);
  CUDA_OK(cudaMemcpy(buckets.data(), table.buckets, buckets.size() * sizeof(slab),
                     cudaMemcpyDeviceToHost));
  CUDA_OK(
      cudaMemcpy(bitmaps.data(), table.pool.bitmaps, bitmaps.size() * 4, cudaMemcpyDeviceToHost));
  slab_contents all;
  std::set<uint32_t> linked, owners;
  for (uint64_t b = 0; b < buckets.size(); ++b) {
    slab at = buckets[b];
    for (bool ended = false;;) {
      for (uint32_t i = 0; i < slab_slots; ++i) {
        const uint64_t word = at.words[i];
        if (table.format.is_open(word)) {
          ended = true;
          continue;
        }
        const bool tombstone = table.format.is_tombstone(word);
        const uint32_t key = tombstone ? high_half(word) : low_half(word);
        EXPECT(!ended, "slot %u of a slab is taken behind an open one", i);
        EXPECT(owners.insert(key).second, "key %u has two slots", key);
        EXPECT(table.bucket_of(key) == table.buckets[b].words, "key %u is in chain %llu", key,
               static_cast<unsigned long long>(b));
        if (!tombstone)
          all.pairs[key] = high_half(word);
        ++all.slots;
      }
      const uint32_t next = high_half(at.words[link_word]);
      if (next == no_slab)
        break;
      EXPECT(next < pooled && linked.insert(next).second, "slab %u is in two places", next);
      EXPECT(!ended, "a slab is linked behind an open slot");
      if (next >= pooled || gpu_failures() > 50)
        break;
      CUDA_OK(cudaMemcpy(&at, table.pool.slabs + next, sizeof at, cudaMemcpyDeviceToHost));
    }
  }
  all.linked = linked.size();
  for (const uint32_t s : linked)
    EXPECT(bitmaps[s / 32] >> s % 32 & 1, "slab %u is in a chain and free", s);
  return all;
}
