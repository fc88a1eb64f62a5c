//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Slabs from pools: 2^20 of them, one a thread, taken by lanes together and by threads alone, and
// given back; all resident warps at 1024 slabs; bulk find in maps with each kind of pool.
//
// Peers: the device's malloc and free of 128 bytes; of find, the map with a light pool.
//
//   --log2-slabs 20
//
//===----------------------------------------------------------------------===//

#include "slab_bench.cuh"

#include <colonnade/mapped_slab_pool.cuh>

using namespace colonnade;
using namespace bench;

namespace {

template <class Ref>
__global__ void __launch_bounds__(256) take(Ref pool, uint32_t *slabs, uint32_t n, bool together) {
  slab_claims<Ref> claims(pool);
  const uint32_t stride = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i / 32 * 32 < n; i += stride) {
    const uint32_t slab = together ? claims.warp_take(i < n) : i < n ? claims.take() : no_slab;
    if (i < n)
      slabs[i] = slab;
  }
}
template <class Ref>
__global__ void __launch_bounds__(256) give_back(Ref pool, const uint32_t *slabs, uint32_t n) {
  slab_claims<Ref> claims(pool);
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (slabs[i] != no_slab)
      claims.give_back(slabs[i]);
}
__global__ void __launch_bounds__(256) take_from_heap(void **pieces, uint32_t n) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    pieces[i] = malloc(128);
}
__global__ void __launch_bounds__(256) give_to_heap(void **pieces, uint32_t n) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    free(pieces[i]);
}
/// Each lane, again and again: a slab, and back with it.
__global__ void __launch_bounds__(256)
    struggle(light_slab_ref pool, uint32_t turns, unsigned long long *taken) {
  light_slab_claims claims(pool);
  unsigned long long mine = 0;
  for (uint32_t i = 0; i < turns; ++i) {
    const uint32_t slab = claims.warp_take(threadIdx.x % 32 == 0);
    if (slab != no_slab) {
      ++mine;
      claims.give_back(slab);
    }
  }
  atomicAdd(taken, mine);
}

struct heap_times {
  float take, give_back;
};
/// Which is slow: a 256th of the slabs, and the time for all.
class heap {
public:
  static constexpr uint32_t share = 256;
  explicit heap(uint32_t n) : n_(n / share) { CUDA_OK(cudaMalloc(&pieces_, n_ * sizeof(void *))); }
  ~heap() { CUDA_OK(cudaFree(pieces_)); }
  heap(const heap &) = delete;
  heap_times run() const {
    const float took = milliseconds([&] { take_from_heap<<<n_ / 256, 256>>>(pieces_, n_); });
    const float gave = milliseconds([&] { give_to_heap<<<n_ / 256, 256>>>(pieces_, n_); });
    return {took * share, gave * share};
  }

private:
  uint32_t n_;
  void **pieces_ = nullptr;
};

template <class Pool> void measure_pool(report &out, const char *name, uint32_t n, const heap &h) {
  Pool pool;
  CUDA_OK(Pool::create(pool, n + n / 4)); // four of five are taken in the end
  uint32_t *slabs;
  CUDA_OK(cudaMalloc(&slabs, n * sizeof(uint32_t)));
  using ref = typename Pool::ref_type;
  for (const bool together : {true, false}) {
    const std::string how = together ? ", lanes together" : ", threads alone";
    const auto taking = [&] {
      return milliseconds([&] { take<ref><<<n / 256, 256>>>(pool.ref(), slabs, n, together); });
    };
    const auto giving = [&] {
      return milliseconds([&] { give_back<ref><<<n / 256, 256>>>(pool.ref(), slabs, n); });
    };
    alternate(
        out, std::string("take, ") + name + how, "G/s", n, "device malloc",
        [&] {
          const float time = taking();
          giving();
          return time;
        },
        [&] { return h.run().take; });
    alternate(
        out, std::string("give back, ") + name + how, "G/s", n, "device free",
        [&] {
          taking();
          return giving();
        },
        [&] { return h.run().give_back; });
  }
  CUDA_OK(cudaFree(slabs));
}

void measure_struggle(report &out) {
  constexpr uint32_t turns = 1000, blocks = 132 * 8;
  light_slab_pool<> pool;
  CUDA_OK(light_slab_pool<>::create(pool, 1024));
  unsigned long long *taken;
  CUDA_OK(cudaMalloc(&taken, sizeof *taken));
  CUDA_OK(cudaMemset(taken, 0, sizeof *taken));
  const auto run = [&](light_slab_ref ref) {
    return milliseconds([&] { struggle<<<blocks, 256>>>(ref, turns, taken); });
  };
  light_slab_pool<> large;
  CUDA_OK(light_slab_pool<>::create(large, 1u << 20));
  alternate(
      out, "8448 warps take and give back 1000 times, 1024 slabs", "G/s",
      uint64_t{blocks} * 8 * turns, "the same, 2^20 slabs", [&] { return run(pool.ref()); },
      [&] { return run(large.ref()); });
  CUDA_OK(cudaFree(taken));
}

/// Bulk find at utilisation 0.8, where most keys are in slabs of the pool.
template <template <class> class Pool>
void measure_find(report &out, const char *name, uint32_t n) {
  using map_type =
      slab_map<uint32_t, uint32_t, slab_hash_function, equal_bits, async_resource, Pool>;
  const auto options = slab_map_options_for<uint32_t, uint32_t>(n, 0.8);
  uint32_t *keys, *queries, *found;
  for (uint32_t **array : {&keys, &queries, &found})
    CUDA_OK(cudaMalloc(array, uint64_t{n} * 4));
  write_keys<<<1056, 256>>>(keys, n, 0, 1);
  write_keys<<<1056, 256>>>(queries, n, 0, 0x9e3779b1u);
  map_type map;
  word_map light;
  device_status status;
  CUDA_OK(map_type::create(map, options));
  CUDA_OK(word_map::create(light, options));
  CUDA_OK(map.insert(keys, keys, n, status));
  CUDA_OK(light.insert(keys, keys, n, status));
  void *temp;
  size_t bytes = 1;
  CUDA_OK(cudaMalloc(&temp, bytes));
  const auto find = [&](auto &one) {
    return milliseconds([&] { CUDA_OK(one.find_async(temp, bytes, queries, found, n)); });
  };
  alternate(
      out, std::string("find, utilisation 0.80, ") + name, "G/s", n, "find with a light pool",
      [&] { return find(map); }, [&] { return find(light); });
  for (void *array :
       {static_cast<void *>(keys), static_cast<void *>(queries), static_cast<void *>(found), temp})
    CUDA_OK(cudaFree(array));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint32_t n = 1u << std::stoul(option(argc, argv, "--log2-slabs", "20"));
  CUDA_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, uint64_t{n} * 1024));
  const heap h(n);
  measure_pool<light_slab_pool<>>(out, "light", n, h);
  measure_pool<slab_pool<>>(out, "growing", n, h);
  measure_pool<mapped_slab_pool<>>(out, "mapped", n, h);
  measure_struggle(out);
  measure_find<slab_pool>(out, "growing pool", n * 32);
  measure_find<mapped_slab_pool>(out, "mapped pool", n * 32);
  return out.finish() + (gpu_failures() != 0);
}
