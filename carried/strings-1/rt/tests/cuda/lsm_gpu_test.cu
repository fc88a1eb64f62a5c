//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Log-structured merge trees of 32-bit pairs on the GPU against std::map: calls of every size,
// insertions, deletions and both at once, cleanups; find, neighbours, count and range after each;
// trees that are built at once, read out, saved and loaded; forms for spans; calls that are
// refused; a ref in a kernel. (Captured graphs: lsm_graphs_gpu_test.cu.)
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "lsm_case.cuh"

#include <colonnade/multisplit.cuh>

#include <cuda/std/span>
#include <string>
#include <unistd.h>

using namespace lsm_test;

namespace {

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
/// The same answers without the index, and to queries that are sorted first.
void check_policies() {
  checked_tree<uint32_t, uint32_t> tree(500, 0, lsm_order::in_order);
  for (uint64_t i = 0; i < 5; ++i)
    tree.apply(random_batch<uint32_t, uint32_t>(700, 2000, change::update, i), change::update);
  const auto queries = random_batch<uint32_t, uint32_t>(3000, 2500, change::insert, 9);
  const device_array<uint32_t> keys(queries.keys), found(3000), again(3000);
  CUDA_OK(tree.tree.find(keys.get(), found.get(), 3000, nullptr, 7));
  CUDA_OK(tree.tree.find(keys.get(), again.get(), 3000, nullptr, 7, nullptr, binary<lsm_policy>{}));
  EXPECT(found.read() == again.read(), "without index");
  const device_array<uint8_t> present(3000), there(3000);
  const auto flags = [](const device_array<uint8_t> &a) {
    return reinterpret_cast<bool *>(a.get());
  };
  call_twice([&](void *d_temp, size_t &bytes) {
    return tree.tree.find_async(d_temp, bytes, keys.get(), again.get(), 3000, flags(present), 7, {},
                                lsm_sorted_queries{});
  });
  EXPECT(found.read() == again.read(), "sorted queries");
  for (const bool sorts : {false, true})
    call_twice([&](void *d_temp, size_t &bytes) {
      const auto ask = [&](auto policy) {
        return tree.tree.successor_async(d_temp, bytes, keys.get(), 3000, nullptr,
                                         (sorts ? again : found).get(),
                                         flags(sorts ? there : present), 7, {}, policy);
      };
      return sorts ? ask(lsm_sorted_queries{}) : ask(lsm_policy{});
    });
  EXPECT(found.read() == again.read() && present.read() == there.read(), "sorted neighbours");
}

/// Built from arrays, saved and loaded; what comes to it later counts.
void check_whole(uint64_t n) {
  checked_tree<uint32_t, uint32_t> tree(n / 7, 0, lsm_order::in_order);
  lsm_options options;
  options.batch_size = n / 7;
  options.order = lsm_order::in_order;
  const auto b = random_batch<uint32_t, uint32_t>(n, n / 2, change::insert, 3);
  const device_array<uint32_t> keys(b.keys), values(b.values);
  const device_array<device_status> status(std::vector<device_status>(1));
  CUDA_OK(
      tree.tree.build(tree.tree, options, keys.get(), values.get(), n, {nullptr, status.get()}));
  for (uint64_t i = 0; i < n; ++i)
    tree.model[b.keys[i]] = b.values[i];
  EXPECT(status.read()[0].ok() && tree.num_elements() == tree.model.size(), "built");
  tree.check_finds("built", 1000, n / 2, 1);
  tree.apply(random_batch<uint32_t, uint32_t>(n / 3, n / 2, change::update, 4), change::update);
  tree.check_finds("built and changed", 1000, n / 2, 2);
  const std::string path = "lsm_gpu_test." + std::to_string(getpid());
  pair_file_error file;
  CUDA_OK(tree.tree.save(path.c_str(), file));
  CUDA_OK(tree.tree.load(tree.tree, path.c_str(), file, options));
  EXPECT(tree.num_elements() == tree.model.size(), "loaded");
  tree.check_finds("loaded", 1000, n / 2, 3);
  tree.check_export("loaded");
  EXPECT(std::fclose(std::fopen(path.c_str(), "wb")) == 0 &&
             tree.tree.load(tree.tree, path.c_str(), file) == cudaErrorInvalidValue &&
             file == pair_file_error::no_pairs,
         "an empty file");
  std::remove(path.c_str());
  tree.check_export("after a file that is refused");
  CUDA_OK(tree.tree.build(tree.tree, options, keys.get(), values.get(), 0));
  EXPECT(tree.num_elements() == 0, "built from nothing");
}

struct is_large {
  __device__ uint32_t operator()(uint32_t key) const { return key >= 100; }
};
/// How many elements ranges have is given to the next call where it stands: in device memory.
void check_total_is_given_on() {
  lsm_map<uint32_t, uint32_t> tree;
  CUDA_OK(tree.create(tree, {}));
  std::vector<uint32_t> numbers(1000);
  for (uint32_t i = 0; i < 1000; ++i)
    numbers[i] = i * 7919 % 1000;
  const device_array<uint32_t> keys(numbers), first(std::vector<uint32_t>{10, 500}),
      last(std::vector<uint32_t>{59, 699}), listed(1000), values(1000),
      sorted(std::vector<uint32_t>(1000, 9999));
  const device_array<uint64_t> offsets(3);
  device_status status;
  CUDA_OK(tree.insert(keys.get(), keys.get(), 1000, status));
  CUDA_OK(tree.range(first.get(), last.get(), 2, offsets.get(), listed.get(), values.get(), 1000,
                     status));
  const device_array<uint64_t> parts(3);
  call_twice([&](void *d_temp, size_t &bytes) {
    return multisplit_keys(d_temp, bytes, listed.get(), sorted.get(),
                           item_count(offsets.get() + 2, 1000), 2, is_large{}, parts.get());
  });
  EXPECT(parts.read()[1] == 50 && sorted.read()[50] == 500 && sorted.read()[249] == 699 &&
             sorted.read()[250] == 9999,
         "250 elements are split");
}

/// Spans are arrays that know their size; where sizes differ, nothing happens.
void check_spans() {
  using cuda::std::span;
  lsm_map<uint32_t, uint32_t> tree;
  CUDA_OK(tree.create(tree, {}));
  const device_array<uint32_t> keys(std::vector<uint32_t>{5, 2, 8}), values(keys.read()), out(4);
  const device_array<uint8_t> erases(std::vector<uint8_t>{0, 1, 0});
  const device_array<uint64_t> offsets(3), total(1);
  const span<const uint32_t> k(keys.get(), 3);
  const span<uint32_t> o(out.get(), 4);
  const span<uint64_t> two(offsets.get(), 2), three(offsets.get(), 3);
  const span<const bool> e(reinterpret_cast<const bool *>(erases.get()), 3);
  device_status status;
  size_t bytes = 0;
  EXPECT(tree.insert(k, k.first(2), status) == cudaErrorInvalidValue &&
             tree.update(k, k, e.first(2), status) == cudaErrorInvalidValue &&
             tree.find(k, o) == cudaErrorInvalidValue &&
             tree.count(k.first(2), k.first(2), two) == cudaErrorInvalidValue &&
             tree.successor_async(nullptr, bytes, k, o, o, nullptr) == cudaErrorInvalidValue &&
             tree.predecessor(k, o, o, nullptr) == cudaErrorInvalidValue &&
             tree.range(k, k, three, o, o, status) == cudaErrorInvalidValue,
         "sizes differ");
  CUDA_OK(tree.insert(k, k, status));
  CUDA_OK(tree.update(k, k, e, status));
  CUDA_OK(tree.count(k.first(2), k.last(2), three));
  EXPECT((offsets.read() == std::vector<uint64_t>{0, 0, 2}), "counted");
  CUDA_OK(tree.range(k.subspan(1, 1), k.last(1), two, o.first(1), o.last(1), status));
  EXPECT(status.detail() == 2 && out.read()[0] == 5 && out.read()[3] == 5, "listed");
  CUDA_OK(tree.erase(k.first(1), status));
  CUDA_OK(tree.find(k, o.first(3), nullptr, 77));
  EXPECT((out.read() == std::vector<uint32_t>{77, 77, 8, 5}), "found");
  const device_array<uint32_t> next(3);
  const span<uint32_t> n(next.get(), 3);
  CUDA_OK(tree.insert(k, k, status)); // 2, 5, 8
  CUDA_OK(tree.successor(k, n, o.first(3), nullptr, 77));
  EXPECT((out.read() == std::vector<uint32_t>{8, 5, 77, 5} && next.read()[1] == 5), "successors");
  CUDA_OK(tree.predecessor(k, n, o.first(3), nullptr, 77));
  EXPECT((out.read() == std::vector<uint32_t>{2, 77, 5, 5} && next.read()[2] == 5), "predecessors");
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  const auto in_order = lsm_order::in_order, win = lsm_order::deletions_win;
  check_tree<uint32_t, uint32_t>("small batches", {37, 0, 150, 900, small ? 8u : 18u, in_order});
  check_policies();
  check_whole(small ? 700 : 100000);
  check_spans();
  check_total_is_given_on();
  check_ref();
  if (!small) {
    checked_tree<uint32_t, uint32_t> many(5000, 0, in_order);
    many.apply(random_batch<uint32_t, uint32_t>(33000, 50000, change::update, 1), change::update);
    many.check_ranges("many ranges", (1u << 16) + 77, 50000, 20, 2);
    check_tree<uint32_t, uint32_t>("32 bits", {1000, 4000, 9000, 20000, 30, win});
    check_tree<uint32_t, uint32_t>("large", {1u << 16, 0, 3u << 17, 1u << 19, 15, win});
  }
  check_tree<int32_t, uint32_t>("signed", {100, 0, 900, 2000, small ? 3u : 8u, win});
  return gpu_result("log-structured merge trees");
}
