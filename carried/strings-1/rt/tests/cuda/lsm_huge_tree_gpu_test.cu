//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Log-structured merge trees of more than 2^32 elements: 31 batches, in five levels; their cleanup;
// 32 batches, which one merge makes one level. Keys come again: what a GPU has room for is more
// than there are keys of 32 bits. find, neighbours and ranges, judged on the GPU.
//
//   --small   batches of a thousand
//
// Ends as skipped where less than 48 GB of device memory are free, and leaves out the cleanup below
// 82 GB and the last merge below 92.
//
//===----------------------------------------------------------------------===//

#include "huge_case.cuh"

#include <colonnade/lsm.cuh>

using namespace colonnade;

namespace {

/// Element e of all that are inserted, one after the other; keys are even.
struct elements {
  uint64_t count;
  uint32_t mask; // there are so many different keys, and one more

  static constexpr uint32_t factor = 2654435761u;
  static constexpr __host__ __device__ uint32_t inverse() {
    uint32_t x = factor; // right in 3 bits
    for (int i = 0; i < 4; ++i)
      x *= 2 - factor * x;
    return x;
  }

  __host__ __device__ uint32_t key(uint64_t e) const {
    return 2 * (static_cast<uint32_t>(e) * factor & mask);
  }
  static __host__ __device__ uint32_t value(uint64_t e) {
    return static_cast<uint32_t>(e * 0x9e3779b97f4a7c15u >> 32);
  }
  /// Of an even key: the element that came last.
  __host__ __device__ uint64_t last(uint32_t key) const {
    const uint64_t first = key / 2 * inverse() & mask;
    return first + (count - 1 - first) / (uint64_t{mask} + 1) * (uint64_t{mask} + 1);
  }
  __host__ __device__ uint32_t largest() const { return 2 * mask; }
  /// Keys to ask for: even and odd ones.
  __host__ __device__ uint32_t query(uint64_t i) const {
    return static_cast<uint32_t>(scramble(i) % (uint64_t{largest()} + 1));
  }
};
static_assert(elements::factor * elements::inverse() == 1);

__global__ void fill(elements all, uint32_t *keys, uint32_t *values, uint64_t first, uint64_t n) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    keys[i] = all.key(first + i);
    values[i] = elements::value(first + i);
  }
}
/// last: of ranges; of about a thousand keys.
__global__ void fill_queries(elements all, uint32_t *keys, uint32_t *last, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint32_t key = all.query(i), width = static_cast<uint32_t>(scramble(~uint64_t{i}) % 2000);
  keys[i] = key;
  last[i] = all.largest() - key < width ? all.largest() : key + width;
}
__global__ void check_found(elements all, const uint32_t *found, uint32_t n,
                            unsigned long long *wrong) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint32_t key = all.query(i);
  if (found[i] != (key % 2 ? 5 : elements::value(all.last(key))))
    atomicAdd(wrong, 1ull);
}
/// direction: 1, or -1.
__global__ void check_neighbours(elements all, const uint32_t *next, const uint32_t *values,
                                 uint32_t n, int direction, unsigned long long *wrong) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const uint32_t key = all.query(i);
  const bool there = direction > 0 ? key < all.largest() : key > 0;
  const uint32_t right = direction > 0 ? key / 2 * 2 + 2 : (key + 1) / 2 * 2 - 2;
  if (there ? next[i] != right || values[i] != elements::value(all.last(right)) : values[i] != 5)
    atomicAdd(wrong, 1ull);
}
/// A block a range.
__global__ void check_ranges(elements all, const uint32_t *first, const uint32_t *last,
                             const uint64_t *offsets, const uint32_t *keys, const uint32_t *values,
                             unsigned long long *wrong) {
  const uint32_t range = blockIdx.x, from = (first[range] + 1) / 2 * 2;
  const uint32_t count = last[range] < from ? 0 : (last[range] - from) / 2 + 1;
  if (offsets[range + 1] - offsets[range] != count)
    atomicAdd(wrong, 1ull);
  for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    const uint64_t at = offsets[range] + i;
    if (keys[at] != from + 2 * i || values[at] != elements::value(all.last(from + 2 * i)))
      atomicAdd(wrong, 1ull);
  }
}

class huge_tree {
public:
  huge_tree(uint64_t batch_size, uint32_t mask) : b_(batch_size), all_{0, mask} {
    lsm_options options;
    options.batch_size = b_;
    options.capacity = 31 * b_;
    CUDA_OK(tree.create(tree, options));
  }
  void fill_with(uint64_t batches) {
    const device_array<uint32_t> keys(b_), values(b_);
    CUDA_OK(tree.clear_async());
    for (uint64_t r = 0; r < batches; ++r) {
      device_status status;
      fill<<<2048, 256>>>(all_, keys.get(), values.get(), r * b_, b_);
      CUDA_OK(tree.insert(keys.get(), values.get(), b_, status));
      EXPECT(status.ok(), "batch %llu", static_cast<unsigned long long>(r));
    }
    all_.count = batches * b_;
  }
  void expect_elements(uint64_t right, uint64_t levels) const {
    lsm_statistics now;
    CUDA_OK(tree.statistics(now));
    EXPECT(now.num_elements == right && (!levels || now.full_levels == levels),
           "%llu elements, levels %llx", static_cast<unsigned long long>(now.num_elements),
           static_cast<unsigned long long>(now.full_levels));
  }
  void check(const char *when) const {
    constexpr uint32_t most = 1 << 20, ranges = 1 << 12;
    const device_array<uint32_t> keys(most), last(most), next(most), values(most),
        listed(ranges * 1024);
    const device_array<uint32_t> listed_values(ranges * 1024);
    const device_array<uint64_t> offsets(ranges + 1);
    const wrong_counter wrong;
    fill_queries<<<most / 256, 256>>>(all_, keys.get(), last.get(), most);
    for (const uint32_t n : {most, 1u << 11}) { // by threads, and by tiles of lanes
      const uint32_t blocks = n / 256;
      CUDA_OK(tree.find(keys.get(), values.get(), n, nullptr, 5));
      check_found<<<blocks, 256>>>(all_, values.get(), n, wrong.get());
      wrong.expect_none(when);
      CUDA_OK(tree.successor(keys.get(), n, next.get(), values.get(), nullptr, 5));
      check_neighbours<<<blocks, 256>>>(all_, next.get(), values.get(), n, 1, wrong.get());
      wrong.expect_none("successors");
      CUDA_OK(tree.predecessor(keys.get(), n, next.get(), values.get(), nullptr, 5));
      check_neighbours<<<blocks, 256>>>(all_, next.get(), values.get(), n, -1, wrong.get());
      wrong.expect_none("predecessors");
    }
    device_status status;
    CUDA_OK(tree.range(keys.get(), last.get(), ranges, offsets.get(), listed.get(),
                       listed_values.get(), ranges * 1024, status));
    EXPECT(status.ok(), "there is room for all that lies in ranges");
    check_ranges<<<ranges, 256>>>(all_, keys.get(), last.get(), offsets.get(), listed.get(),
                                  listed_values.get(), wrong.get());
    wrong.expect_none("ranges");
  }

  lsm_map<uint32_t, uint32_t> tree;

private:
  uint64_t b_;
  elements all_;
};

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
  if (!has_room(small, 48, "all"))
    return 77;
  const bool cleans = has_room(small, 82, "the cleanup"),
             merges = has_room(small, 92, "the last merge");
  const uint64_t b = small ? 1003 : 138'600'000; // 31 of them: more than 2^32
  const uint32_t mask = small ? (1u << 14) - 1 : (1u << 31) - 1;
  huge_tree tree(b, mask);
  tree.fill_with(31);
  tree.expect_elements(31 * b, 31);
  tree.check("31 batches");
  if (cleans) {
    CUDA_OK(tree.tree.cleanup());
    tree.expect_elements(uint64_t{mask} + 1, 0);
    tree.check("31 batches, cleaned up");
  }
  if (merges) {
    CUDA_OK(tree.tree.reserve(32 * b));
    tree.fill_with(32);
    tree.expect_elements(32 * b, 32);
    tree.check("32 batches in one level");
  }
  return gpu_result("huge log-structured merge trees");
}
