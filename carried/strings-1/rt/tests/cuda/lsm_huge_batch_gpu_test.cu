//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One call of 2^32 operations, the most that a call may bring: all keys of 32 bits, each once, with
// themselves as values. As an insertion into an empty tree they fill all levels but the lowest, and
// the buffer, by one merge, half of which is staged; then every key is there. As an erasure of all
// keys after a few insertions they leave nothing. Takes 143 GB of device memory; where there is
// less, the insertion is left out; the erasure takes 109.
//
//   --small    16,384 keys
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"

#include <colonnade/lsm.cuh>

using namespace colonnade;

namespace {

/// Keys 0 ... n - 1, n a power of two up to 2^32, in some order.
struct all_keys {
  uint64_t count;

  __host__ __device__ uint32_t mask() const { return static_cast<uint32_t>(count - 1); }
  __host__ __device__ uint32_t key(uint64_t i) const {
    return static_cast<uint32_t>(i * 2654435761u) & mask();
  }
  /// Two keys to ask for, the lower one first.
  __device__ uint32_t first(uint32_t i) const {
    return static_cast<uint32_t>(scramble(i)) & mask();
  }
  __device__ uint32_t last(uint32_t i) const {
    const uint32_t width = static_cast<uint32_t>(scramble(~uint64_t{i}) % 1000), key = first(i);
    return mask() - key < width ? mask() : key + width;
  }
};

__global__ void fill(all_keys all, uint32_t *keys) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < all.count;
       i += uint64_t{gridDim.x} * blockDim.x)
    keys[i] = all.key(i);
}
__global__ void fill_queries(all_keys all, uint32_t *first, uint32_t *last, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  first[i] = all.first(i);
  last[i] = all.last(i);
}
/// The right answer is key + step, or `absent` where there is no such key.
__global__ void check_answers(all_keys all, const uint32_t *answers, uint32_t n, int step,
                              uint32_t absent, unsigned long long *wrong) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int64_t right = int64_t{all.first(i)} + step;
  const bool there = right >= 0 && right <= int64_t{all.mask()};
  if (answers[i] != (there ? static_cast<uint32_t>(right) : absent))
    atomicAdd(wrong, 1ull);
}
__global__ void check_ranges(all_keys all, const uint64_t *offsets, const uint32_t *keys,
                             const uint32_t *values, unsigned long long *wrong) {
  const uint32_t range = blockIdx.x, from = all.first(range), count = all.last(range) - from + 1;
  if (offsets[range + 1] - offsets[range] != count)
    atomicAdd(wrong, 1ull);
  for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    const uint64_t at = offsets[range] + i;
    if (keys[at] != from + i || values[at] != from + i)
      atomicAdd(wrong, 1ull);
  }
}

using tree_type = lsm_map<uint32_t, uint32_t>;
constexpr uint32_t levels = 12, most = 1 << 20, ranges = 1 << 12, absent = 5, few = 1000;

/// A tree of `levels` levels that just hold all keys, and a few more.
void create(tree_type &tree, const all_keys &all) {
  lsm_options options;
  options.batch_size = (all.count + few + (1u << levels) - 2) / ((1u << levels) - 1);
  options.capacity = all.count + few;
  CUDA_OK(tree_type::create(tree, options));
  EXPECT(tree.capacity() == ((1u << levels) - 1) * options.batch_size, "other levels");
}
void expect_elements(const tree_type &tree, uint64_t right) {
  lsm_statistics now;
  CUDA_OK(tree.statistics(now));
  EXPECT(now.num_elements == right, "%llu elements",
         static_cast<unsigned long long>(now.num_elements));
}

struct queries {
  device_array<uint32_t> first{most}, last{most}, found{most}, keys{ranges * 1000},
      values{ranges * 1000};
  device_array<uint64_t> offsets{ranges + 1};
  wrong_counter wrong;

  explicit queries(const all_keys &all) {
    fill_queries<<<most / 256, 256>>>(all, first.get(), last.get(), most);
  }
};

void check_insertion(const all_keys &all, const device_array<uint32_t> &keys, const queries &q) {
  tree_type tree;
  create(tree, all);
  device_status status;
  CUDA_OK(tree.insert(keys.get(), keys.get(), all.count, status));
  EXPECT(status.ok(), "not inserted");
  expect_elements(tree, all.count);
  for (const uint32_t n : {most, 1u << 11}) { // by threads, and by tiles of lanes
    const auto expect = [&](int step, uint32_t otherwise, const char *what) {
      check_answers<<<n / 256, 256>>>(all, q.found.get(), n, step, otherwise, q.wrong.get());
      q.wrong.expect_none(what);
    };
    CUDA_OK(tree.find(q.first.get(), q.found.get(), n, nullptr, absent));
    expect(0, absent, "values");
    CUDA_OK(tree.successor(q.first.get(), n, nullptr, q.found.get(), nullptr, absent));
    expect(1, absent, "successors");
    CUDA_OK(tree.predecessor(q.first.get(), n, nullptr, q.found.get(), nullptr, absent));
    expect(-1, absent, "predecessors");
  }
  CUDA_OK(tree.range(q.first.get(), q.last.get(), ranges, q.offsets.get(), q.keys.get(),
                     q.values.get(), ranges * 1000, status));
  EXPECT(status.ok(), "there is room for all that lies in ranges");
  check_ranges<<<ranges, 256>>>(all, q.offsets.get(), q.keys.get(), q.values.get(), q.wrong.get());
  q.wrong.expect_none("ranges");
}

void check_erasure(const all_keys &all, const device_array<uint32_t> &keys, const queries &q) {
  tree_type tree;
  create(tree, all);
  device_status status;
  CUDA_OK(tree.insert(q.first.get(), q.last.get(), few, status));
  CUDA_OK(tree.erase(keys.get(), all.count, status));
  EXPECT(status.ok(), "not erased");
  expect_elements(tree, all.count + few);
  CUDA_OK(tree.find(q.first.get(), q.found.get(), most, nullptr, absent));
  const std::vector<uint32_t> found = q.found.read();
  for (uint32_t i = 0; i < most; ++i)
    if (found[i] != absent) {
      EXPECT(false, "a key is still there");
      return;
    }
  CUDA_OK(tree.count(q.first.get(), q.last.get(), q.offsets.get(), ranges));
  EXPECT(q.offsets.read()[ranges] == 0, "elements in ranges");
}

bool has_room(bool small, uint64_t gigabytes, const char *what) {
  size_t free_bytes = 0, all_bytes = 0;
  CUDA_OK(cudaMemGetInfo(&free_bytes, &all_bytes));
  if (small || free_bytes > gigabytes * 1'000'000'000)
    return true;
  std::printf("left out: %s: %zu bytes of device memory are free\n", what, free_bytes);
  return false;
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  if (!has_room(small, 111, "all"))
    return 77;
  const bool inserts = has_room(small, 144, "the insertion");
  const all_keys all{small ? uint64_t{1} << 14 : uint64_t{1} << 32};
  const device_array<uint32_t> keys(all.count);
  fill<<<2048, 256>>>(all, keys.get());
  const queries q(all);
  if (inserts)
    check_insertion(all, keys, q);
  check_erasure(all, keys, q);
  return gpu_result("a batch of 2^32 operations");
}
