//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Slabs taken from pools of all kinds by warps and threads at once, and given back: none is handed
// out twice, all are handed out if none is given back, also those that are added later, and all
// resident warps at 1024 slabs go on.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/mapped_slab_pool.cuh>

using namespace colonnade;

namespace {

struct counters {
  uint32_t taken, refused, twice, unfilled;
};
constexpr uint64_t filling = 0x0123456789abcdef;

/// Odd blocks take slabs thread by thread. holders: a word a slab, which its holder sets.
template <class Ref>
__global__ void take_slabs(Ref pool, uint32_t turns, bool give_back, uint32_t *holders,
                           counters *all) {
  slab_claims<Ref> claims(pool);
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

/// So many slabs, or the next larger number that there can be, and once more after it has grown by
/// `more`.
template <class Pool> class pool_case {
public:
  explicit pool_case(uint32_t slabs) : holders_(std::vector<uint32_t>(most, 0)) {
    CUDA_OK(Pool::create(pool_, slabs, nullptr, {filling, filling}));
  }
  uint32_t num_slabs() const { return pool_.num_slabs(); }
  void grow(uint32_t more) { CUDA_OK(pool_.reserve(pool_.num_slabs() + more)); }

  counters run(uint32_t blocks, uint32_t turns, bool give_back) {
    EXPECT(num_slabs() <= most, "%u slabs", num_slabs());
    const device_array<counters> all(std::vector<counters>(1));
    take_slabs<<<blocks, 256>>>(pool_.ref(), turns, give_back, holders_.get(), all.get());
    CUDA_OK(cudaDeviceSynchronize());
    const counters c = all.read()[0];
    EXPECT(c.twice == 0, "%u of %u slabs were handed out twice", c.twice, num_slabs());
    EXPECT(c.unfilled == 0, "%u slabs were not filled", c.unfilled);
    return c;
  }

private:
  static constexpr uint32_t most = (1u << 20) + (1u << 18);
  Pool pool_;
  device_array<uint32_t> holders_; // a word a slab
};

template <class Pool> void check_all_are_taken(uint32_t blocks, uint32_t turns, uint32_t slabs) {
  pool_case<Pool> pool(slabs);
  const counters c = pool.run(blocks, turns, false);
  const uint32_t most = std::min(pool.num_slabs(), c.taken + c.refused);
  EXPECT(c.taken == most, "%u of %u slabs were handed out", c.taken, pool.num_slabs());
}
/// What is added to a full pool is handed out, too.
template <class Pool> void check_growth(uint32_t blocks, uint32_t turns) {
  pool_case<Pool> pool(1);
  uint32_t taken = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t before = pool.num_slabs();
    const counters c = pool.run(blocks, turns, false);
    taken += c.taken;
    EXPECT(taken == before || c.refused == 0, "%u of %u slabs are taken, %u were refused", taken,
           before, c.refused);
    pool.grow(1);
    EXPECT(pool.num_slabs() > before, "no growth");
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  const uint32_t blocks = small ? 4 : 1056;
  for (const uint32_t slabs : {0u, 1u, 33u, 1023u, 1024u, 1025u, 5000u})
    check_all_are_taken<light_slab_pool<>>(blocks, small ? 20 : 4, slabs);
  for (const uint32_t slabs : {0u, 1025u, 5000u}) {
    check_all_are_taken<slab_pool<>>(blocks, small ? 20 : 4, slabs);
    check_all_are_taken<mapped_slab_pool<>>(blocks, small ? 20 : 4, slabs);
  }
  check_growth<slab_pool<>>(blocks, small ? 3 : 2);
  check_growth<mapped_slab_pool<>>(blocks, small ? 3 : 2);
  if (!small) {
    const counters c = pool_case<light_slab_pool<>>(1u << 20).run(blocks, 7, false);
    EXPECT(c.refused == 0, "%u were refused", c.refused);
    const counters growing = pool_case<slab_pool<>>(1u << 20).run(blocks, 7, false);
    EXPECT(growing.refused == 0, "%u were refused by a pool that grows", growing.refused);
  }
  const uint32_t turns = small ? 20 : 1000;
  const counters busy = pool_case<light_slab_pool<>>(1024).run(blocks, turns, true);
  EXPECT(busy.taken > 0, "nobody took a slab");
  std::printf("1024 slabs, all warps, %u turns: %u taken, %u refused\n", turns, busy.taken,
              busy.refused);
  const counters busy_growing = pool_case<slab_pool<>>(1024).run(blocks, small ? 20 : 200, true);
  EXPECT(busy_growing.taken > 0, "nobody took a slab of a pool that grows");
  return gpu_result("slab alloc");
}
