//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pools that grow: slabs are taken, and pairs inserted, by a kernel on one stream while the host
// reserves on another; what was inserted is found, by warps and by threads alone; what is refused
// before growth is inserted after it; synchronous insertions let the pool grow.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "slab_case.cuh"

#include <colonnade/mapped_slab_pool.cuh>

using namespace colonnade;

namespace {

using growing_map = growing_slab_map<uint32_t, uint32_t>;
using mapped_map =
    slab_map<uint32_t, uint32_t, slab_hash_function, equal_bits, async_resource, mapped_slab_pool>;

struct attempts {
  uint32_t most; // of a thread
  uint32_t *refused, *given_up;
};

/// Each thread inserts its number, and tries again until there is a slab; the host sees to it.
template <class Ref> __global__ void insert_again_and_again(Ref map, attempts a) {
  typename Ref::template warp<> warp(map);
  const uint32_t key = blockIdx.x * blockDim.x + threadIdx.x;
  bool has = true;
  for (uint32_t i = 0; i < a.most && __any_sync(~0u, has); ++i) {
    has = warp.insert(has, key, key * 3).was == slab_answer::no_slab;
    if (has)
      atomicAdd(a.refused, 1u);
    __nanosleep(1000);
  }
  if (has)
    atomicAdd(a.given_up, 1u);
}

words numbers(uint32_t n, uint32_t times) {
  words all(n);
  for (uint32_t i = 0; i < n; ++i)
    all[i] = i * times;
  return all;
}

/// Until somebody has been refused: what is reserved from then on is new to the kernel.
void wait_for_refusal(const device_array<uint32_t> &counts, cudaStream_t stream) {
  uint32_t refused = 0;
  while (!refused && gpu_failures() == 0) {
    CUDA_OK(
        cudaMemcpyAsync(&refused, counts.get(), sizeof refused, cudaMemcpyDeviceToHost, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
  }
}

/// most: attempts of a thread; few if a tool lets kernels run only one after the other. at_once:
/// the pool grows while they insert.
template <class Map> void check_while_inserting(uint32_t blocks, uint32_t most, bool at_once) {
  const uint32_t n = blocks * 128;
  Map map = new_map<Map>(n / 150 + 1, 0);
  const device_array<uint32_t> counts(words{0, 0});
  cudaStream_t inserting, growing;
  CUDA_OK(cudaStreamCreateWithFlags(&inserting, cudaStreamNonBlocking));
  CUDA_OK(cudaStreamCreateWithFlags(&growing, cudaStreamNonBlocking));
  Map other = new_map<Map>(1, 0);
  CUDA_OK(other.reserve(1, growing)); // the first launch of these kernels loads them
  CUDA_OK(cudaDeviceSynchronize());
  insert_again_and_again<<<blocks, 128, 0, inserting>>>(map.ref(),
                                                        {most, counts.get(), counts.get() + 1});
  CUDA_OK(cudaGetLastError());
  if (!at_once) // memcheck allows a kernel what was allocated when it began
    CUDA_OK(cudaDeviceSynchronize());
  else
    wait_for_refusal(counts, growing);
  while (map.num_slabs() < n / 8 + 2048) // all warps may hold a slab for a moment
    CUDA_OK(map.reserve(map.num_slabs() + 1, growing));
  CUDA_OK(cudaDeviceSynchronize());
  const words counted = counts.read();
  EXPECT(!at_once || (counted[0] > 0 && counted[1] == 0), "%u keys: %u refused, %u gave up", n,
         counted[0], counted[1]);
  const on_map<slab_hash_policy, Map> on{map};
  if (!at_once)
    on.insert(numbers(n, 1), numbers(n, 3));
  EXPECT(on.find(numbers(n, 1)).values == numbers(n, 3), "%u keys: values", n);
  const on_map<tile_policy<1, 1>, Map> alone{map};
  EXPECT(alone.find(numbers(n, 1)).values == numbers(n, 3), "%u keys, threads alone: values", n);
  std::printf("%u keys, %u slabs, %u refusals\n", n, map.num_slabs(), counted[0]);
  CUDA_OK(cudaStreamDestroy(inserting));
  CUDA_OK(cudaStreamDestroy(growing));
}

/// A full pool refuses; after it has grown the same call inserts the rest.
void check_refused_then_grown(uint32_t n) {
  growing_map map = new_map<growing_map>(1, 0);
  const device_array<device_status> status(std::vector<device_status>(1));
  const on_map<slab_hash_policy, growing_map> on{map, {nullptr, status.get()}};
  on.insert(numbers(n, 1), numbers(n, 3));
  const device_status said = status.read()[0];
  EXPECT(said.error() == slab_error::pool_full && said.detail() == n - 15, "%llu were not done",
         static_cast<unsigned long long>(said.detail()));
  EXPECT(map.num_slabs() == 0, "%u slabs", map.num_slabs());
  CUDA_OK(map.reserve(n / 15 + 100));
  status.write(std::vector<device_status>(1));
  on.insert(numbers(n, 1), numbers(n, 3));
  EXPECT(status.read()[0].ok(), "the pool is full");
  EXPECT(on.find(numbers(n, 1)).values == numbers(n, 3), "values");
}

/// Synchronous calls: the pool grows until all is done; flags and reserved keys as in one call.
template <class Map> void check_synchronous(uint32_t n, uint32_t buckets) {
  Map map = new_map<Map>(buckets, 0);
  words keys = numbers(n, 1), values = numbers(n, 3);
  keys[n / 2] = ~0u; // reserved
  const device_array<uint32_t> d_keys(keys), d_values(values), found(n);
  const device_array<uint8_t> present(n);
  bool *flags = reinterpret_cast<bool *>(present.get());
  device_status status;
  const auto all_but_one = [&](uint8_t what, const char *when) {
    const std::vector<uint8_t> are = present.read();
    for (uint32_t i = 0; i < n; ++i)
      EXPECT(are[i] == (i == n / 2 ? 0 : what), "%s: key %u of %u", when, i, n);
    EXPECT(status.error() == slab_error::reserved_key && status.detail() == n / 2, "%s: the status",
           when);
  };
  CUDA_OK(map.insert(d_keys.get(), d_values.get(), n, status, flags));
  all_but_one(0, "insert");
  CUDA_OK(map.insert_or_assign(d_keys.get(), d_keys.get(), n, status, flags));
  all_but_one(1, "assign");
  CUDA_OK(map.find(d_keys.get(), found.get(), n, status, flags));
  all_but_one(1, "find");
  EXPECT(found.read() == keys, "%u keys: values", n);
  CUDA_OK(map.erase(d_keys.get(), n, status, flags));
  all_but_one(1, "erase");
  CUDA_OK(map.contains(d_keys.get(), flags, n, status));
  all_but_one(0, "contains");
  found.expect_intact("found");
  present.expect_intact("present");
}

/// A pool that cannot grow: what has room is inserted, the rest counted and listed.
void check_synchronous_full() {
  word_map map = new_map(1, 1);
  const device_array<uint32_t> keys(numbers(100, 1));
  const device_array<uint64_t> undone(100);
  device_status status;
  EXPECT(map.insert(keys.get(), keys.get(), 100, status) == cudaErrorMemoryAllocation, "grew");
  EXPECT(status.error() == slab_error::pool_full && status.detail() == 70, "%llu were not done",
         static_cast<unsigned long long>(status.detail()));
  EXPECT(map.insert(keys.get(), keys.get(), 100, status, nullptr, undone.get()) ==
             cudaErrorMemoryAllocation,
         "grew");
  const auto stands = contents_of(map);
  EXPECT(stands.pairs.size() == 30 && status.detail() == 70, "%zu pairs", stands.pairs.size());
  const std::vector<uint64_t> list = undone.read();
  undone.expect_intact("undone");
  std::set<uint64_t> listed(list.begin(), list.begin() + 70);
  for (uint32_t i = 0; i < 100; ++i)
    EXPECT(listed.count(i) + stands.pairs.count(i) == 1, "key %u", i);
}

void check_refused_calls() {
  growing_map none;
  device_status status;
  const device_array<uint32_t> keys(numbers(10, 1));
  EXPECT(none.insert(keys.get(), keys.get(), 10, status) == cudaErrorInvalidValue,
         "insertion into a map that was not created");
  EXPECT(none.reserve(10) == cudaErrorInvalidValue, "a map that was not created");
  growing_map map = new_map<growing_map>(1, 10);
  const uint32_t before = map.num_slabs();
  cudaStream_t stream;
  cudaGraph_t graph;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  EXPECT(map.reserve(100000, stream) == cudaErrorStreamCaptureUnsupported, "captured");
  EXPECT(map.insert(keys.get(), keys.get(), 10, status, nullptr, nullptr, stream) ==
             cudaErrorStreamCaptureUnsupported,
         "captured insertion");
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
  EXPECT(map.num_slabs() == before, "%u slabs", map.num_slabs());
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  if (small) {
    check_while_inserting<growing_map>(2, 10, false);
    check_while_inserting<mapped_map>(2, 10, false);
  } else {
    check_while_inserting<growing_map>(32, 1000000, true);
    check_while_inserting<mapped_map>(32, 1000000, true);
    check_while_inserting<growing_map>(512, 1000000, true);
    check_while_inserting<mapped_map>(512, 1000000, true);
  }
  check_refused_then_grown(small ? 400 : 40000);
  check_synchronous<growing_map>(small ? 500 : 300000, small ? 2 : 1000);
  check_synchronous<mapped_map>(small ? 500 : 300000, small ? 2 : 1000);
  check_synchronous<growing_map>(1, 1);
  check_synchronous<mapped_map>(1, 1);
  check_synchronous_full();
  check_refused_calls();
  return gpu_result("growth of slab hash");
}
