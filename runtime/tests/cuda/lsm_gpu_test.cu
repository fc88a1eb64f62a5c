//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Log-structured merge trees of 32-bit pairs on the GPU against std::map: calls of every size,
// insertions, deletions and both at once, cleanups; find, neighbours, count and range after each;
// calls that are refused; a ref in a kernel; captured graphs, of which every replay inserts another
// batch.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "lsm_case.cuh"

using namespace lsm_test;

namespace {

/// A tree is filled by replays of one graph, and cleaned by another; no replay allocates.
void check_graphs(bool small) {
  const uint64_t b = small ? 300 : 5000, replays = 6;
  checked_tree<uint32_t, uint32_t> tree(b, 20 * b, lsm_order::deletions_win);
  const device_array<uint32_t> keys(b), values(b);
  size_t bytes = 0, cleanup_bytes = 0;
  CUDA_OK(tree.tree.insert_async(nullptr, bytes, keys.get(), values.get(), b));
  CUDA_OK(tree.tree.cleanup_async(nullptr, cleanup_bytes));
  const device_array<uint8_t> temp(std::max(bytes, cleanup_bytes), 5, contents_of_storage());
  const captured_graph insertion([&](cudaStream_t stream) {
    return tree.tree.insert_async(temp.get(), bytes, keys.get(), values.get(), b, {stream});
  });
  const captured_graph cleanup([&](cudaStream_t stream) {
    return tree.tree.cleanup_async(temp.get(), cleanup_bytes, {stream});
  });
  for (uint64_t i = 0; i < replays; ++i) {
    const auto one = random_batch<uint32_t, uint32_t>(b, 3 * b, change::insert, i);
    keys.write(one.keys);
    values.write(one.values);
    insertion.replay();
    for (uint64_t k = 0; k < b; ++k)
      tree.model[one.keys[k]] = one.values[k];
    EXPECT(tree.num_elements() >= tree.model.size(), "replay %llu",
           static_cast<unsigned long long>(i));
    if (i == 3) {
      cleanup.replay();
      EXPECT(tree.num_elements() == tree.model.size(), "replayed cleanup");
    }
    tree.check_finds("replays", 500, 3 * b, i);
  }
  temp.expect_intact("storage of graphs");
}

/// Synchronous calls are refused while a stream is captured; asynchronous ones are not.
void check_capture() {
  checked_tree<uint32_t, uint32_t> tree(100, 1000, lsm_order::deletions_win);
  const device_array<uint32_t> keys(100), values(100);
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  device_status status;
  lsm_statistics now;
  EXPECT(tree.tree.insert(keys.get(), values.get(), 100, status, stream) ==
             cudaErrorStreamCaptureUnsupported,
         "insert");
  EXPECT(tree.tree.find(keys.get(), values.get(), 100, nullptr, 0, stream) ==
             cudaErrorStreamCaptureUnsupported,
         "find");
  EXPECT(tree.tree.reserve(1u << 20, stream) == cudaErrorStreamCaptureUnsupported, "reserve");
  EXPECT(tree.tree.statistics(now, stream) == cudaErrorStreamCaptureUnsupported, "statistics");
  cudaGraph_t graph;
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

__global__ void ask_ref(lsm_ref<int32_t, uint32_t> tree, const int32_t *keys, uint32_t n,
                        int64_t *answers) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || i % 3 == 2)
    return;
  const auto found = tree.find(keys[i]), next = tree.successor(keys[i]),
             last = tree.predecessor(keys[i]);
  answers[3 * i] = found.present ? int64_t{found.value} : -1;
  answers[3 * i + 1] = next.present ? int64_t{next.value} : -1;
  answers[3 * i + 2] = last.present ? int64_t{last.value} : -1;
}
/// Threads alone, some of which have ended.
void check_ref() {
  checked_tree<int32_t, uint32_t> tree(100, 0, lsm_order::in_order);
  for (uint64_t i = 0; i < 4; ++i)
    tree.apply(random_batch<int32_t, uint32_t>(170, 300, change::update, i), change::update);
  std::vector<int32_t> queries;
  for (int32_t i = -40; i < 1000; ++i)
    queries.push_back(i);
  const uint32_t n = static_cast<uint32_t>(queries.size());
  const device_array<int32_t> keys(queries);
  const device_array<int64_t> answers(3 * n);
  ask_ref<<<n / 128 + 1, 128>>>(tree.tree.ref(), keys.get(), n, answers.get());
  CUDA_OK(cudaDeviceSynchronize());
  const auto got = answers.read();
  for (uint32_t i = 0; i < n; i += i % 3 == 1 ? 2 : 1) {
    const auto value = [&](auto at) {
      return at == tree.model.end() ? int64_t{-1} : int64_t{at->second};
    };
    auto before = tree.model.lower_bound(queries[i]);
    before = before == tree.model.begin() ? tree.model.end() : std::prev(before);
    EXPECT(got[3 * i] == value(tree.model.find(queries[i])) &&
               got[3 * i + 1] == value(tree.model.upper_bound(queries[i])) &&
               got[3 * i + 2] == value(before),
           "a thread asks for %d", queries[i]);
  }
}

template <class Search> struct binary : Search {
  static constexpr lsm_tuning tuning(gpu_architecture a, size_t key, size_t value) {
    lsm_tuning t = Search::tuning(a, key, value);
    t.search = lsm_search::binary;
    return t;
  }
};
/// The same answers without the index.
void check_binary() {
  checked_tree<uint32_t, uint32_t> tree(500, 0, lsm_order::in_order);
  for (uint64_t i = 0; i < 5; ++i)
    tree.apply(random_batch<uint32_t, uint32_t>(700, 2000, change::update, i), change::update);
  const auto queries = random_batch<uint32_t, uint32_t>(3000, 2500, change::insert, 9);
  const device_array<uint32_t> keys(queries.keys), found(3000), again(3000);
  CUDA_OK(tree.tree.find(keys.get(), found.get(), 3000, nullptr, 7));
  CUDA_OK(tree.tree.find(keys.get(), again.get(), 3000, nullptr, 7, nullptr, binary<lsm_policy>{}));
  EXPECT(found.read() == again.read(), "without index");
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  const auto in_order = lsm_order::in_order, win = lsm_order::deletions_win;
  check_tree<uint32_t, uint32_t>("small batches", {37, 0, 150, 900, small ? 8u : 18u, in_order});
  check_graphs(small);
  check_capture();
  check_binary();
  check_ref();
  if (!small) {
    check_tree<uint32_t, uint32_t>("32 bits", {1000, 4000, 9000, 20000, 30, win});
    check_tree<uint32_t, uint32_t>("large", {1u << 16, 0, 3u << 17, 1u << 19, 15, win});
  }
  check_tree<int32_t, uint32_t>("signed", {100, 0, 900, 2000, small ? 3u : 8u, win});
  return gpu_result("log-structured merge trees");
}
