//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the memory tests of slab hashes call: maps of both kinds whose memory comes from the faked
// runtime, and arrays for their arguments.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "faked_runtime.hpp"

#include <colonnade/mapped_slab_pool.cuh>
#include <colonnade/slab_list.cuh>

using namespace colonnade;

namespace {

using map_type = slab_map<uint32_t, uint32_t, slab_hash_function, equal_bits, faked::resource>;
using growing_type =
    growing_slab_map<uint32_t, uint32_t, slab_hash_function, equal_bits, faked::resource>;
using list_type = slab_list<uint32_t, uint32_t, equal_bits, faked::resource>;

uint32_t keys[3000], values[3000];
uint64_t wide_keys[10];
bool flags[3000];
uint64_t counts[3001], undone[3000];
const cudaStream_t stream = faked::stream(1);
device_status status;

slab_map_options<uint32_t, uint32_t> options_of(uint32_t buckets) {
  slab_map_options<uint32_t, uint32_t> options;
  options.num_buckets = buckets;
  options.num_slabs = 5000;
  return options;
}
template <class Map> cudaError_t create(Map &map, uint32_t buckets) {
  return Map::create(map, options_of(buckets), stream, {7});
}

} // namespace
