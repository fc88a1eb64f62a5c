//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// block_merge_sort.cuh on the GPU: blocks and warps of users' own kernels, items with
// their number beside a key of few bits, so that stability is seen.
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/block_merge_sort.cuh>

using namespace colonnade;

namespace {

struct tagged {
  uint32_t key, number;
};
struct by_key {
  __host__ __device__ bool operator()(const tagged &a, const tagged &b) const {
    return a.key < b.key;
  }
};

std::vector<tagged> some_items(uint32_t n, uint32_t keys, uint64_t seed) {
  std::vector<tagged> items(n);
  for (uint32_t i = 0; i < n; ++i)
    items[i] = {static_cast<uint32_t>(scramble(i + seed * 1000) % keys), i};
  return items;
}
void expect_same(const std::vector<tagged> &got, const std::vector<tagged> &wanted,
                 const char *what) {
  for (size_t i = 0; i < wanted.size(); ++i)
    if (got[i].key != wanted[i].key || got[i].number != wanted[i].number) {
      EXPECT(false, "%s: item %zu of %zu", what, i, wanted.size());
      return;
    }
}

constexpr uint32_t threads = 128, per_thread = 5, tile = threads * per_thread;

__global__ void sort_tiles(tagged *items, uint32_t n) {
  using sorter = block_merge_sort<tagged, threads, per_thread>;
  __shared__ typename sorter::storage_type storage;
  tagged own[per_thread];
  for (uint32_t i = 0; i < per_thread; ++i)
    if (threadIdx.x * per_thread + i < n)
      own[i] = items[threadIdx.x * per_thread + i];
  sorter(storage).stable_sort(own, n, by_key{});
  __syncthreads();
  sorter(storage).sort(own, n, by_key{}); // sorted already, and keys may be equal
  for (uint32_t i = 0; i < per_thread; ++i)
    if (threadIdx.x * per_thread + i < n)
      items[threadIdx.x * per_thread + i] = own[i];
}

constexpr uint32_t rows = 8;

__global__ void sort_warp(tagged *items, uint32_t n) {
  tagged own[rows];
  for (uint32_t r = 0; r < rows; ++r)
    if (r * 32 + threadIdx.x < n)
      own[r] = items[r * 32 + threadIdx.x];
  warp_sort<true>(own, n, by_key{});
  for (uint32_t r = 0; r < rows; ++r)
    if (r * 32 + threadIdx.x < n)
      items[r * 32 + threadIdx.x] = own[r];
}
__global__ void merge_streams(const item_stream<tagged> *streams, tagged *out) {
  warp_k_merge<4, rows, true>(streams, out, by_key{});
}
__global__ void partition_stream(const tagged *in, uint32_t n, const tagged *pivots, uint64_t *next,
                                 tagged *out) {
  const tagged pivot = pivots[threadIdx.x % 4];
  uint64_t own_next = threadIdx.x < 5 ? next[threadIdx.x] : 0;
  warp_k_partition<5, rows, true>(in, n, pivot, own_next, out, by_key{});
  if (threadIdx.x < 5)
    next[threadIdx.x] = own_next;
}

void test_block(uint32_t n) {
  auto items = some_items(n, 1 << 30, n); // distinct keys, so that both sorts agree
  const device_array<tagged> d_items(items);
  sort_tiles<<<1, threads>>>(d_items.get(), n);
  CUDA_OK(cudaDeviceSynchronize());
  std::stable_sort(items.begin(), items.end(), by_key{});
  expect_same(d_items.read(), items, "block_merge_sort");
  d_items.expect_intact("block_merge_sort");
}
void test_warp(uint32_t n) {
  auto items = some_items(n, 9, n);
  const device_array<tagged> d_items(items);
  sort_warp<<<1, 32>>>(d_items.get(), n);
  CUDA_OK(cudaDeviceSynchronize());
  std::stable_sort(items.begin(), items.end(), by_key{});
  expect_same(d_items.read(), items, "warp_sort");
  d_items.expect_intact("warp_sort");
}
void test_merge(const std::vector<uint32_t> &sizes) {
  std::vector<tagged> all;
  std::vector<item_stream<tagged>> streams(4);
  std::vector<uint32_t> begins;
  for (uint32_t s = 0; s < 4; ++s) {
    auto items = some_items(sizes[s], 50, s);
    std::stable_sort(items.begin(), items.end(), by_key{});
    begins.push_back(static_cast<uint32_t>(all.size()));
    all.insert(all.end(), items.begin(), items.end());
  }
  for (uint32_t i = 0; i < all.size(); ++i)
    all[i].number = i;
  const device_array<tagged> in(all), out(all.size());
  for (uint32_t s = 0; s < 4; ++s)
    streams[s] = {in.get() + begins[s], sizes[s]};
  const device_array<item_stream<tagged>> d_streams(streams);
  merge_streams<<<1, 32>>>(d_streams.get(), out.get());
  CUDA_OK(cudaDeviceSynchronize());
  std::stable_sort(all.begin(), all.end(), by_key{});
  expect_same(out.read(), all, "warp_k_merge");
  out.expect_intact("warp_k_merge");
}
void test_partition(uint32_t n) {
  const auto items = some_items(n, 100, n);
  const std::vector<tagged> pivots = {{10, 0}, {10, 0}, {60, 0}, {90, 0}};
  std::vector<uint64_t> counts(5), next(5);
  const auto partition_of = [&](const tagged &item) {
    return static_cast<uint32_t>(std::count_if(
        pivots.begin(), pivots.end(), [&](const tagged &p) { return !by_key{}(item, p); }));
  };
  for (const tagged &item : items)
    ++counts[partition_of(item)];
  for (uint32_t p = 1; p < 5; ++p)
    next[p] = next[p - 1] + counts[p - 1];
  const device_array<tagged> in(items), out(n), d_pivots(pivots);
  const device_array<uint64_t> d_next(next);
  partition_stream<<<1, 32>>>(in.get(), n, d_pivots.get(), d_next.get(), out.get());
  CUDA_OK(cudaDeviceSynchronize());
  const auto got = out.read();
  const auto ends = d_next.read();
  std::vector<bool> used(n);
  for (uint32_t i = 0; i < n; ++i) {
    const bool fresh = got[i].number < n && !used[got[i].number];
    EXPECT(fresh && got[i].key == items[got[i].number].key, "warp_k_partition: item %u", i);
    if (!fresh)
      return;
    used[got[i].number] = true;
    const uint32_t p = partition_of(got[i]);
    EXPECT(i >= next[p] && i < next[p] + counts[p], "warp_k_partition: partition of item %u", i);
  }
  for (uint32_t p = 0; p < 5; ++p)
    EXPECT(ends[p] == next[p] + counts[p], "warp_k_partition: end of partition %u", p);
  out.expect_intact("warp_k_partition");
}

} // namespace

int main(int, char **) {
  require_gpu();
  for (uint32_t n : {0u, 1u, 31u, 33u, 160u, tile - 1, tile})
    test_block(n);
  for (uint32_t n : {0u, 1u, 31u, 32u, 33u, 255u, 256u})
    test_warp(n);
  for (const std::vector<uint32_t> &sizes :
       std::vector<std::vector<uint32_t>>{{0, 0, 0, 0},
                                          {1, 0, 0, 0},
                                          {0, 5, 0, 32},
                                          {100, 3, 64, 33},
                                          {1000, 1000, 1000, 1000},
                                          {7, 3000, 1, 50}})
    test_merge(sizes);
  for (uint32_t n : {0u, 1u, 33u, 255u, 256u, 257u, 5000u})
    test_partition(n);
  return gpu_result("merge sort's collectives");
}
