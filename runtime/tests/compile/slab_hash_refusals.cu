//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What slab_hash.cuh must refuse to compile, each with the message after "refused:".
//
//===----------------------------------------------------------------------===//

#include "refused_types.hpp"

#include <colonnade/slab_hash.cuh>

using namespace colonnade;

namespace {

template <class Key, class Value> cudaError_t create() {
  slab_map<Key, Value> map;
  return slab_map<Key, Value>::create(map, slab_map_options_for<Key, Value>(10));
}

template <uint32_t Lanes> struct tiles : slab_hash_policy {
  static constexpr slab_hash_tuning find_tuning(gpu_architecture) { return {256, 8, Lanes, 1}; }
};
template <uint32_t Lanes> cudaError_t find(const slab_map<uint32_t, uint32_t> &map) {
  size_t bytes = 0;
  return map.find_async(nullptr, bytes, static_cast<const uint32_t *>(nullptr),
                        static_cast<uint32_t *>(nullptr), 1, nullptr, {}, tiles<Lanes>{});
}

using many_map = slab_multimap<int, int>;
const int *in = nullptr;
device_status status;

} // namespace

// refused: slab hash: keys and values are trivially copyable types of 32 or 64 bits
cudaError_t short_values() { return create<uint32_t, uint16_t>(); }
// refused: slab hash: keys and values are trivially copyable types of 32 or 64 bits
cudaError_t owned_values() { return create<uint32_t, owner>(); }
// refused: slab hash: a tile is 1, 4, 8, 16 or 32 lanes
cudaError_t pairs_of_lanes(const slab_map<uint32_t, uint32_t> &map) { return find<2>(map); }
// refused: slab hash: a set has keys and no values
cudaError_t value_for_set(slab_set<int> &set) { return set.insert(in, in, 1, status); }
// refused: slab hash: a key is inserted with a value
cudaError_t no_value_for_map(slab_map<int, int> &map) { return map.insert(in, 1, status); }
// refused: slab hash: a multimap does not replace: a key may have several values
cudaError_t replace(many_map &map) { return map.insert_or_assign(in, in, 1, status); }
