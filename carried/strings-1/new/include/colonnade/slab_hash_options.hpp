//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_hash_options.hpp: what a slab hash is created with.
//
// In: how many pairs, and which share of the memory they are to take. Out: how many chains and
// slabs that needs. Invariant: nothing here needs a GPU.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/sizing.hpp>
#include <colonnade/detail/slab_hash/slab.hpp>

#include <limits>
#include <type_traits>

namespace colonnade {

namespace detail {

/// The largest key, or the one before it: of integers by their value, of other types by their bits.
template <class Key> Key largest_slab_key(uint64_t below = 0) {
  if constexpr (std::is_integral_v<Key>)
    return static_cast<Key>(std::numeric_limits<Key>::max() - static_cast<Key>(below));
  else
    return from_slab_bits<Key>(~uint64_t{0} - below);
}

} // namespace detail

template <class Key, class Value> struct slab_map_options {
  uint32_t num_buckets = 0; // chains, each of which begins with a slab of its own
  uint32_t num_slabs = 0;   // in the pool
  Key empty_key = detail::largest_slab_key<Key>();
  Key tombstone_key = detail::largest_slab_key<Key>(1);
  Value absent_value =
      detail::from_slab_bits<Value>(~uint64_t{0}); // what find writes for absent keys
  uint32_t most_slabs = 0; // that a slab_pool must be able to grow to: see slab_alloc.cuh
};

/// Room for num_pairs pairs, which then take this share of the memory of the slabs that they stand
/// in: 0.05 to 0.9, or to 0.85 where a key or a value has 64 bits. (In a multimap equal keys share
/// a chain; num_pairs is for keys that differ.) At 0.5 nearly every chain is one slab; see
/// docs/runtime/slab_hash.md.
template <class Key, class Value>
slab_map_options<Key, Value> slab_map_options_for(uint64_t num_pairs, double utilisation = 0.5) {
  using format = detail::slab_format<Key, detail::slab_half<Key, Value>, equal_bits, false>;
  const detail::slab_counts counts =
      detail::slabs_for(num_pairs, utilisation, static_cast<int>(format::slots));
  slab_map_options<Key, Value> options;
  options.num_buckets = counts.buckets;
  options.num_slabs = counts.slabs;
  return options;
}
template <class Key> using slab_set_options = slab_map_options<Key, no_value>;
template <class Key>
slab_set_options<Key> slab_set_options_for(uint64_t num_keys, double utilisation = 0.5) {
  return slab_map_options_for<Key, no_value>(num_keys, utilisation);
}

} // namespace colonnade
