//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What slab_hash.cuh must refuse to compile for sm_80, each with the message after "refused:";
// pairs of 32 bits may be used in kernels there.
//
//===----------------------------------------------------------------------===//

#include <colonnade/slab_hash.cuh>

using namespace colonnade;

namespace {

using map_ref = slab_map<uint32_t, uint32_t>::ref_type;
using wide_ref = slab_map<uint64_t, uint32_t>::ref_type;
using wide_set_ref = slab_set<uint64_t>::ref_type;
using whole_ref = slab_map<uint64_t, uint64_t>::ref_type;
using many_ref = slab_multimap<uint32_t, uint64_t>::ref_type;

} // namespace

__global__ void narrow(map_ref map) {
  map_ref::warp<> warp(map);
  warp.insert(true, threadIdx.x, 1);
  map.erase(threadIdx.x);
}

// refused: slab hash: keys or values of 64 bits need sm_90 or later in kernels of your own
__global__ void thread_form(wide_ref map) { map.insert(threadIdx.x, 1); }
// refused: slab hash: keys or values of 64 bits need sm_90 or later in kernels of your own
__global__ void warp_form(wide_set_ref set) { wide_set_ref::warp<>(set).contains(true, 5); }
// refused: slab hash: keys or values of 64 bits need sm_90 or later in kernels of your own
__global__ void all_pairs(many_ref map, uint32_t *count) { *count = map.count(threadIdx.x); }
// refused: slab hash: keys or values of 64 bits need sm_90 or later in kernels of your own
__global__ void flush_alone(whole_ref map) { map.flush(threadIdx.x); }
