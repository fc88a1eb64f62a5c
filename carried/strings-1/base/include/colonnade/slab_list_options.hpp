//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_list_options.hpp: what a slab list is created with.
//
// In: how many pairs. Out: how many slabs that needs. Invariant: nothing here needs a GPU; the one
// chain of a list is chosen without looking at the key.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/slab.hpp>
#include <colonnade/slab_hash_options.hpp>

#include <algorithm>

namespace colonnade {

/// num_buckets does not count; num_slabs: behind the first.
template <class Key, class Value> using slab_list_options = slab_map_options<Key, Value>;

/// Room for num_pairs pairs.
template <class Key, class Value>
slab_list_options<Key, Value> slab_list_options_for(uint64_t num_pairs) {
  using format = detail::slab_format<Key, detail::slab_half<Key, Value>, equal_bits, false>;
  slab_list_options<Key, Value> options;
  options.num_buckets = 1;
  options.num_slabs = static_cast<uint32_t>(std::min<uint64_t>(num_pairs / format::slots, ~0u));
  return options;
}

namespace detail {

/// The hash of a list: all keys are in chain 0.
struct one_chain {
  template <class Key> COLONNADE_HOST_DEVICE uint32_t operator()(const Key &) const { return 0; }
};

} // namespace detail

} // namespace colonnade
