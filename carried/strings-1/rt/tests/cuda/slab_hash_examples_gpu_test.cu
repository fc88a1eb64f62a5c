//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The examples of docs/runtime/slab_hash.md, compiled and run.
//
//===----------------------------------------------------------------------===//

#include "slab_case.cuh"

namespace {

using dictionary = colonnade::slab_map<uint32_t, uint32_t>;

/// d_found[i] = the value of d_keys[i].
cudaError_t insert_and_find(const uint32_t *d_keys, const uint32_t *d_values, uint64_t n,
                            uint32_t *d_found) {
  dictionary map;
  if (const cudaError_t error =
          dictionary::create(map, colonnade::slab_map_options_for<uint32_t, uint32_t>(n)))
    return error;
  size_t bytes = 1;
  colonnade::async_resource resource;
  void *d_temp = resource.allocate(bytes, nullptr);
  if (!d_temp)
    return cudaErrorMemoryAllocation;
  cudaError_t error = map.insert_or_assign_async(d_temp, bytes, d_keys, d_values, n);
  if (!error)
    error = map.find_async(d_temp, bytes, d_keys, d_found, n);
  resource.deallocate(d_temp, bytes, nullptr);
  return error;
}

// Each thread has a word; the first thread of each word is told so.
__global__ void mark_first(dictionary::ref_type map, const uint32_t *words, uint32_t n,
                           bool *is_first) {
  dictionary::ref_type::warp<> warp(map);
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto found = warp.insert(i < n, i < n ? words[i] : 0, i);
  if (i < n)
    is_first[i] = !found.present();
}

// Threads come and go as they like.
__global__ void drop_odd(dictionary::ref_type map, const uint32_t *words, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && words[i] % 2 == 1)
    map.erase(words[i]);
}

} // namespace

int main() {
  require_gpu();
  const words keys = {7, 3, 1000000, 0}, values = {70, 30, 10, 1};
  const device_array<uint32_t> d_keys(keys), d_values(values), found(4);
  CUDA_OK(insert_and_find(d_keys.get(), d_values.get(), 4, found.get()));
  EXPECT(found.read() == values, "values");

  const words text = {5, 6, 5, 5, 9, 6, 11};
  const device_array<uint32_t> d_text(text);
  const device_array<uint8_t> first(text.size());
  word_map map = new_map(10, 10);
  mark_first<<<1, 64>>>(map.ref(), d_text.get(), 7, reinterpret_cast<bool *>(first.get()));
  const std::vector<uint8_t> marked = first.read();
  EXPECT(std::count(marked.begin(), marked.end(), 1) == 4 && marked[4] == 1 && marked[6] == 1,
         "first of each word");
  drop_odd<<<1, 32>>>(map.ref(), d_text.get(), 7);
  EXPECT((on_map<>{map}.contains({5, 6, 9, 11}) == std::vector<uint8_t>{0, 1, 0, 0}), "odd");
  return gpu_result("examples of slab hash");
}
