//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Histories of concurrent operations on the GPU, each key's judged (slab_history.hpp): three
// kernels on three streams operate on the same few keys at once, by warps with tiles of several
// widths and by threads alone; each operation notes when it began and ended, and what it found.
// Maps of 32 and 64 bits, and with keys that differ in bits and are equal.
//
// Blocks of the same number, one of each kernel, make a run on keys of their own; they wait for one
// another before they begin, but not for long, since a tool may let one kernel run at a time.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "../slab_items.hpp"
#include "slab_case.cuh"

#include <map>
#include <random>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

constexpr uint32_t num_kernels = 3, threads = 32, calls_each = 3, most_keys = 4, most_of_key = 50;
constexpr uint64_t longest_wait = 300'000; // nanoseconds
/// Clocks of SMs may differ by so much, and tick no faster.
constexpr uint64_t clock_slack = 1'000;

struct planned_call {
  slab_call call;
  uint32_t delay; // nanoseconds before it
  bool has;
};

__device__ uint64_t now() {
  uint64_t time;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time)::"memory");
  return time;
}
/// Until as many blocks are here.
__device__ void wait_for(uint32_t *arrived, uint32_t blocks) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    const uint64_t begin = now();
    while (atomicAdd(arrived, 0u) < blocks && now() - begin < longest_wait) {
    }
  }
  __syncwarp();
}

template <class Ref>
__device__ auto alone(const Ref &map, slab_operation operation, typename Ref::key_type key,
                      typename Ref::value_type value) {
  switch (operation) {
  case slab_operation::find:
    return map.find(key);
  case slab_operation::insert:
    return map.insert(key, value);
  case slab_operation::insert_or_assign:
    return map.insert_or_assign(key, value);
  case slab_operation::insert_or_apply:
    return map.insert_or_apply(key, value, applied_items{});
  default:
    return map.erase(key);
  }
}

/// operate(has, operation, key, value), for each call of this thread.
template <class Item, class Operate>
__device__ void each_call(planned_call *plan, uint32_t *arrived, Operate operate) {
  const uint32_t run = blockIdx.x;
  planned_call *own = plan + (run * threads + threadIdx.x) * calls_each;
  wait_for(arrived + run, num_kernels);
  for (uint32_t k = 0; k < calls_each; ++k) {
    planned_call p = own[k];
    __nanosleep(p.delay);
    p.call.begin = now();
    __threadfence();
    const auto found =
        operate(p.has, p.call.operation, widened<Item>(p.call.key | p.call.variant << variant_bits),
                widened<Item>(p.call.value));
    __threadfence(); // the operation has taken place
    p.call.end = now();
    p.call.was = found.was;
    p.call.before = narrowed(found.value);
    if (p.has)
      own[k] = p;
  }
}
template <uint32_t Lanes, class Ref>
__device__ void by_warps(const Ref &map, planned_call *plan, uint32_t *arrived) {
  using item = typename Ref::key_type;
  typename Ref::template warp<Lanes> warp(map);
  each_call<item>(plan, arrived, [&](bool has, slab_operation operation, item key, item value) {
    return warp.apply(has, operation, key, value, applied_items{});
  });
}
template <class Ref>
__global__ void operate_kernel(Ref map, uint32_t form, planned_call *plan, uint32_t *arrived) {
  using item = typename Ref::key_type;
  switch (form % 4) {
  case 0:
    return by_warps<8>(map, plan, arrived);
  case 1:
    return by_warps<32>(map, plan, arrived);
  case 2:
    return by_warps<4>(map, plan, arrived);
  default:
    each_call<item>(plan, arrived, [&](bool has, slab_operation operation, item key, item value) {
      return has ? alone(map, operation, key, value) : slab_found<item>{};
    });
  }
}

/// So many runs at once; all keys of a run begin with its number.
template <class Map> class batch {
public:
  using item = typename Map::key_type;
  static constexpr bool by_bits =
      std::is_same_v<decltype(Map::ref_type::table_type::format_type::equal), equal_bits>;

  batch(uint32_t runs, uint32_t seed)
      : runs_(runs), seed_(seed), random_(seed), arrived_(words(runs, 0)) {
    // Slabs suffice, or nearly; chains are long, or the run's own.
    map_ = new_map<Map>(seed % 2 ? runs : runs / 4 + 1, seed % 3 == 0 ? runs / 16 : runs * 200);
    put_some();
    for (uint32_t k = 0; k < num_kernels; ++k) {
      plan(plans_[k]);
      d_plans_.push_back(std::make_unique<device_array<planned_call>>(plans_[k]));
    }
  }
  /// How many histories were judged.
  uint32_t judge() {
    run();
    read_what_is_left();
    uint32_t judged = 0;
    for (auto &[key, calls] : of_key_) {
      EXPECT(calls.size() <= 64, "key %u has %zu calls", key, calls.size());
      EXPECT(key_history(calls).is_linearisable(), "seed %u: %zu calls of key %u have no order",
             seed_, calls.size(), key);
      ++judged;
    }
    return judged;
  }

private:
  uint32_t key_of(uint32_t run, uint32_t k) const { return run * most_keys + k; }

  void put_some() {
    std::vector<item> keys, values;
    for (uint32_t run = 0; run < runs_; ++run)
      if (random_() % 2) {
        slab_call call;
        call.operation = slab_operation::insert;
        call.key = key_of(run, 0);
        call.value = static_cast<uint32_t>(random_() % 1000);
        keys.push_back(widened<item>(call.key));
        values.push_back(widened<item>(call.value));
        of_key_[call.key].push_back(call);
      }
    const device_array<item> d_keys(keys), d_values(values);
    const device_array<uint8_t> present(keys.size());
    device_status status;
    // Where the pool is small some find no slab.
    (void)map_.insert(d_keys.get(), d_values.get(), keys.size(), status);
    CUDA_OK(
        map_.contains(d_keys.get(), reinterpret_cast<bool *>(present.get()), keys.size(), status));
    const std::vector<uint8_t> there = present.read();
    for (size_t i = 0; i < keys.size(); ++i)
      if (!there[i])
        of_key_[narrowed(keys[i])].clear();
  }
  void plan(std::vector<planned_call> &calls) {
    for (uint32_t run = 0; run < runs_; ++run) {
      const uint32_t num_keys = 1 + (seed_ + run) % most_keys;
      for (uint32_t c = 0; c < threads * calls_each; ++c) {
        planned_call p{};
        p.call.key = key_of(run, static_cast<uint32_t>(random_()) % num_keys);
        p.call.operation = static_cast<slab_operation>(random_() % 5);
        p.call.value = static_cast<uint32_t>(random_() % 1'000'000);
        if (!by_bits)
          p.call.variant = static_cast<uint32_t>(random_() % 3);
        p.delay = static_cast<uint32_t>(random_() % 3000);
        p.has = random_() % 100 < 10 + 10 * num_keys && ++planned_[p.call.key] <= most_of_key;
        calls.push_back(p);
      }
    }
  }
  void run() {
    cudaStream_t streams[num_kernels];
    for (cudaStream_t &s : streams)
      CUDA_OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CUDA_OK(cudaDeviceSynchronize());
    for (uint32_t k = 0; k < num_kernels; ++k)
      operate_kernel<<<runs_, threads, 0, streams[k]>>>(map_.ref(), seed_ + k * (1 + seed_ % 3),
                                                        d_plans_[k]->get(), arrived_.get());
    CUDA_OK(cudaGetLastError());
    CUDA_OK(cudaDeviceSynchronize());
    for (cudaStream_t s : streams)
      CUDA_OK(cudaStreamDestroy(s));
    for (const auto &d_plan : d_plans_)
      for (planned_call p : d_plan->read())
        if (p.has) {
          p.call.begin -= clock_slack;
          p.call.end += clock_slack;
          of_key_[p.call.key].push_back(p.call);
        }
  }
  /// What stands there in the end is one more operation on each key.
  void read_what_is_left() {
    std::vector<item> keys;
    for (const auto &[key, calls] : of_key_)
      keys.push_back(widened<item>(key));
    const uint64_t n = keys.size();
    const device_array<item> d_keys(keys), values(n);
    const device_array<uint8_t> present(n);
    device_status status;
    CUDA_OK(
        map_.find(d_keys.get(), values.get(), n, status, reinterpret_cast<bool *>(present.get())));
    const std::vector<item> found = values.read();
    const std::vector<uint8_t> there = present.read();
    uint64_t i = 0;
    for (auto &[key, calls] : of_key_) {
      slab_call last;
      last.key = key;
      last.begin = last.end = ~uint64_t{0};
      if (there[i]) {
        last.was = slab_answer::present;
        last.before = narrowed(found[i]);
      }
      calls.push_back(last);
      ++i;
    }
  }

  uint32_t runs_, seed_;
  std::mt19937 random_;
  Map map_;
  device_array<uint32_t> arrived_;
  std::vector<planned_call> plans_[num_kernels];
  std::vector<std::unique_ptr<device_array<planned_call>>> d_plans_;
  std::map<uint32_t, uint32_t> planned_; // calls of a key
  std::map<uint32_t, std::vector<slab_call>> of_key_;
};

template <class Map> void check(uint32_t batches, uint32_t runs, const char *what) {
  uint32_t judged = 0;
  for (uint32_t seed = 0; seed < batches; ++seed)
    judged += batch<Map>(runs, seed).judge();
  std::printf("%s: %u runs, %u histories\n", what, batches * runs, judged);
}

template <class Item>
using map_of_variants = slab_map<Item, Item, hash_of_variants, variants_are_equal>;

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  const uint32_t batches = small ? 1 : 12, runs = small ? 3 : 100;
  check<word_map>(batches, runs, "32 bits");
  check<slab_map<uint64_t, uint64_t>>(batches, runs, "64 bits");
  check<map_of_variants<uint32_t>>(batches, runs, "equal keys");
  check<map_of_variants<uint64_t>>(small ? 1 : 6, runs, "equal keys of 64 bits");
  check<growing_slab_map<uint32_t, uint32_t>>(small ? 1 : 6, runs, "a pool that grows");
  return gpu_result("histories of slab hash");
}
