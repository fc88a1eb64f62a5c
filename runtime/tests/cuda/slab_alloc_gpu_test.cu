//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Slabs taken from a pool by warps and threads at once, and given back: none is handed out twice,
// all are handed out if none is given back, and all resident warps at 1024 slabs go on.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/slab_alloc.cuh>

using namespace colonnade;

namespace {

struct counters {
  uint32_t taken, refused, twice, unfilled;
};
constexpr uint64_t filling = 0x0123456789abcdef;

/// Odd blocks take slabs thread by thread. holders: a word a slab, which its holder sets.
__global__ void take_slabs(light_slab_ref pool, uint32_t turns, bool give_back, uint32_t *holders,
                           counters *all) {
  light_slab_claims claims(pool);
  for (uint32_t turn = 0; turn < turns; ++turn) {
    const bool wants = scramble(turn * 977 + threadIdx.x + blockIdx.x * uint64_t{1024}) % 2;
    uint32_t slab = no_slab;
    if (blockIdx.x % 2 == 0)
      slab = claims.warp_take(wants);
    else if (wants)
      slab = claims.take();
    if (!wants)
      continue;
    if (slab == no_slab) {
      atomicAdd(&all->refused, 1u);
      continue;
    }
    atomicAdd(&all->taken, 1u);
    if (atomicExch(holders + slab, 1u) != 0)
      atomicAdd(&all->twice, 1u);
    if (claims.address(slab)[slab % 16] != filling)
      atomicAdd(&all->unfilled, 1u);
    if (give_back) {
      atomicExch(holders + slab, 0u);
      __threadfence();
      claims.give_back(slab);
    }
  }
}

counters run(uint32_t slabs, uint32_t blocks, uint32_t turns, bool give_back) {
  light_slab_pool<> pool;
  CUDA_OK(light_slab_pool<>::create(pool, slabs, nullptr, {filling, filling}));
  const device_array<uint32_t> holders(std::vector<uint32_t>(slabs + 1, 0));
  const device_array<counters> all(std::vector<counters>(1));
  take_slabs<<<blocks, 256>>>(pool.ref(), turns, give_back, holders.get(), all.get());
  CUDA_OK(cudaDeviceSynchronize());
  const counters c = all.read()[0];
  EXPECT(c.twice == 0, "%u of %u slabs were handed out twice", c.twice, slabs);
  EXPECT(c.unfilled == 0, "%u slabs were not filled", c.unfilled);
  return c;
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  const uint32_t blocks = small ? 4 : 1056;
  for (const uint32_t slabs : {0u, 1u, 33u, 1023u, 1024u, 1025u, 5000u}) {
    const counters c = run(slabs, blocks, small ? 20 : 4, false);
    const uint32_t most = std::min(slabs, c.taken + c.refused);
    EXPECT(c.taken == most, "%u of %u slabs were handed out", c.taken, slabs);
  }
  if (!small) {
    const counters c = run(1u << 20, blocks, 7, false);
    EXPECT(c.refused == 0, "%u were refused", c.refused);
  }
  const uint32_t turns = small ? 20 : 1000;
  const counters busy = run(1024, blocks, turns, true);
  EXPECT(busy.taken > 0, "nobody took a slab");
  std::printf("1024 slabs, all warps, %u turns: %u taken, %u refused\n", turns, busy.taken,
              busy.refused);
  return gpu_result("slab alloc");
}
