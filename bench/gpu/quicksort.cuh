//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// quicksort.cuh: the quicksort of Cederman and Tsigas on a GPU, as section VI of
// "K-model: A New Computational Model for Stream Processors" describes it, to be
// counted beside bitonic sort. A level splits all sequences of more than 2^log2_part
// keys, each around a pivot, by three kernels:
//
//   count_keys    each thread counts its keys below the pivot, and those above
//   add_up        prefix sums of both sets of counters, a block each
//   scatter_keys  each thread writes its keys to both ends of the sequence in the
//                 other array, from its own places on; the pivot fills the gap
//
//   sort_leaves   what is left: bitonic sort in shared memory, by the paper's
//                 algorithm 2 with its queues
//
// In: keys in the first of two arrays. Out: them in order, there.
// Invariant: at any time a place belongs to one sequence, in one of the arrays. A
// pivot is a key of its sequence, so each level makes all of them shorter.
//
// It is a reference, not a fast sort: levels are as many as pivots make them (the
// median of three), and the host waits for each. Nothing keeps keys from the same
// banks of shared memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "timing.cuh"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace reference {

constexpr unsigned lanes = 32;                   // the model's k
constexpr unsigned keys_of_warp = lanes * lanes; // k * k to an element of the stream
constexpr unsigned warps_of_block = 8, threads_of_block = warps_of_block * lanes;
constexpr unsigned threads_of_sum = 1024, counters_of_sum = 2 * threads_of_sum;
constexpr unsigned threads_of_leaf = 512;

struct sequence {
  uint32_t begin, end;
  uint32_t first_counter; // of one for each thread
  __host__ __device__ uint32_t warps() const {
    return (end - begin + keys_of_warp - 1) / keys_of_warp;
  }
};

/// What a block has of a sequence: its number among the sequence's blocks.
struct piece {
  uint32_t sequence, number;
};

struct leaf {
  uint32_t begin, end;
  uint32_t array; // that its keys are in
};

/// Both sets of counters, of threads and of sequences.
struct counters {
  uint32_t *d_below, *d_above;
  uint32_t *d_all_below, *d_all_above;
};

/// Of a level, on the device.
struct level_of_sort {
  const sequence *d_sequences;
  const piece *d_pieces;
  counters counted;
};

/// What all threads of a block ask for: read by one.
struct block_task {
  sequence keys;
  piece of;
  uint32_t pivot;
};

inline __device__ uint32_t median(uint32_t a, uint32_t b, uint32_t c) {
  return max(min(a, b), min(max(a, b), c));
}

inline __device__ void read_task(block_task &task, const uint32_t *d_keys, level_of_sort level) {
  if (threadIdx.x == 0) {
    task.of = level.d_pieces[blockIdx.x];
    task.keys = level.d_sequences[task.of.sequence];
    const sequence keys = task.keys;
    task.pivot = median(d_keys[keys.begin], d_keys[keys.begin + (keys.end - keys.begin) / 2],
                        d_keys[keys.end - 1]);
  }
  __syncthreads();
}

inline __device__ uint32_t warp_of_sequence(const block_task &task) {
  return task.of.number * warps_of_block + threadIdx.x / lanes;
}

inline __device__ uint32_t counter_of_thread(const block_task &task) {
  return task.keys.first_counter + task.of.number * threads_of_block + threadIdx.x;
}

/// A warp's lanes read side by side.
template <class Visit>
__device__ void for_each_key(const uint32_t *d_keys, const block_task &task, Visit visit) {
  const uint32_t first = task.keys.begin + warp_of_sequence(task) * keys_of_warp;
  for (uint32_t step = 0; step < lanes; ++step) {
    const uint32_t at = first + step * lanes + threadIdx.x % lanes;
    if (at < task.keys.end)
      visit(d_keys[at]);
  }
}

static __global__ void count_keys(const uint32_t *d_keys, level_of_sort level) {
  __shared__ block_task task;
  read_task(task, d_keys, level);
  if (warp_of_sequence(task) >= task.keys.warps())
    return;
  uint32_t below = 0, above = 0;
  for_each_key(d_keys, task, [&](uint32_t key) {
    below += key < task.pivot;
    above += key > task.pivot;
  });
  level.counted.d_below[counter_of_thread(task)] = below;
  level.counted.d_above[counter_of_thread(task)] = above;
}

/// Exclusive sums of `size` words, a power of two, up and down the tree; returns the sum of all.
inline __device__ uint32_t sweep_tree(uint32_t *tree, uint32_t size) {
  const uint32_t pair = 2 * threadIdx.x + 2;
  for (uint32_t distance = 1; distance < size; distance *= 2) {
    __syncthreads();
    if (const uint32_t at = pair * distance - 1; at < size)
      tree[at] += tree[at - distance];
  }
  __syncthreads();
  const uint32_t all = tree[size - 1];
  __syncthreads();
  if (threadIdx.x == 0)
    tree[size - 1] = 0;
  for (uint32_t distance = size / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (const uint32_t at = pair * distance - 1; at < size) {
      const uint32_t left = tree[at - distance];
      tree[at - distance] = tree[at];
      tree[at] += left;
    }
  }
  __syncthreads();
  return all;
}

/// Block (s, 0) for those below, (s, 1) for those above.
static __global__ void add_up(level_of_sort level) {
  __shared__ uint32_t tree[counters_of_sum];
  const sequence of = level.d_sequences[blockIdx.x];
  const bool is_above = blockIdx.y == 1;
  uint32_t *const d_own =
      (is_above ? level.counted.d_above : level.counted.d_below) + of.first_counter;
  const uint32_t number = of.warps() * lanes;
  uint32_t before = 0, width = counters_of_sum;
  while (width / 2 >= number)
    width /= 2;
  for (uint32_t first = 0; first < number; first += width) {
    for (uint32_t at = threadIdx.x; at < width; at += threads_of_sum)
      tree[at] = first + at < number ? d_own[first + at] : 0;
    const uint32_t all = sweep_tree(tree, width);
    for (uint32_t at = threadIdx.x; at < width && first + at < number; at += threads_of_sum)
      d_own[first + at] = before + tree[at];
    before += all;
    __syncthreads();
  }
  if (threadIdx.x == 0)
    (is_above ? level.counted.d_all_above : level.counted.d_all_below)[blockIdx.x] = before;
}

static __global__ void scatter_keys(const uint32_t *d_keys, uint32_t *d_out, level_of_sort level) {
  __shared__ block_task task;
  read_task(task, d_keys, level);
  if (warp_of_sequence(task) >= task.keys.warps())
    return;
  uint32_t *d_below = d_out + task.keys.begin + level.counted.d_below[counter_of_thread(task)];
  uint32_t *d_above = d_out + task.keys.end - level.counted.d_above[counter_of_thread(task)];
  for_each_key(d_keys, task, [&](uint32_t key) {
    if (key < task.pivot)
      *d_below++ = key;
    else if (key > task.pivot)
      *--d_above = key;
  });
  const uint32_t gap = task.keys.begin + level.counted.d_all_below[task.of.sequence];
  const uint32_t gap_end = task.keys.end - level.counted.d_all_above[task.of.sequence];
  const uint32_t thread = counter_of_thread(task) - task.keys.first_counter;
  for (uint32_t at = gap + thread; at < gap_end; at += task.keys.warps() * lanes)
    d_out[at] = task.pivot;
}

/// The number with a 0 inserted at bit p.
inline __device__ uint32_t insert_zero(uint32_t number, uint32_t p) {
  const uint32_t low = number & ((1u << p) - 1);
  return (number >> p) << (p + 1) | low;
}

inline __device__ void sort_part(uint32_t *part, uint32_t size) {
  for (uint32_t stage = 1; 1u << stage <= size; ++stage)
    for (uint32_t step = stage; step-- > 0;) {
      __syncthreads();
      for (uint32_t pair = threadIdx.x; pair < size / 2; pair += threads_of_leaf) {
        const uint32_t at = insert_zero(pair, step), other = at | 1u << step;
        const uint32_t low = part[at], high = part[other];
        const bool is_rising = (at >> stage & 1) == 0;
        part[at] = is_rising ? min(low, high) : max(low, high);
        part[other] = is_rising ? max(low, high) : min(low, high);
      }
    }
  __syncthreads();
}

/// A block for each leaf, filled up to a power of two.
static __global__ void sort_leaves(const leaf *d_leaves, const uint32_t *d_first,
                                   const uint32_t *d_second, uint32_t *d_out) {
  extern __shared__ uint32_t part[];
  const leaf of = d_leaves[blockIdx.x];
  const uint32_t *const d_in = (of.array == 0 ? d_first : d_second) + of.begin;
  const uint32_t number = of.end - of.begin;
  uint32_t size = 1;
  while (size < number)
    size *= 2;
  for (uint32_t at = threadIdx.x; at < size; at += threads_of_leaf)
    part[at] = at < number ? d_in[at] : ~0u;
  sort_part(part, size);
  for (uint32_t at = threadIdx.x; at < number; at += threads_of_leaf)
    d_out[of.begin + at] = part[at];
}

/// An array on the device, as long as this is.
template <class Item> class device_array {
public:
  explicit device_array(size_t size) { check(cudaMalloc(&d_items_, (size + 1) * sizeof(Item))); }
  ~device_array() { check(cudaFree(d_items_)); }
  device_array(const device_array &) = delete;
  device_array &operator=(const device_array &) = delete;

  Item *get() const { return d_items_; }
  void put(const std::vector<Item> &items) {
    check(cudaMemcpy(d_items_, items.data(), items.size() * sizeof(Item), cudaMemcpyDefault));
  }
  std::vector<Item> take(size_t size) const {
    std::vector<Item> items(size);
    check(cudaMemcpy(items.data(), d_items_, size * sizeof(Item), cudaMemcpyDefault));
    return items;
  }

private:
  Item *d_items_ = nullptr;
};

class quicksort {
public:
  /// Of at most 2^31 keys; parts of 2^log2_part keys fit a block's shared memory.
  quicksort(uint32_t *d_keys, uint32_t num_keys, unsigned log2_part)
      : num_keys_(num_keys), part_(1u << log2_part), d_other_(num_keys),
        // Sequences of a level are longer than a part, and so are a warp's keys or more.
        most_(num_keys / part_ + 1), d_sequences_(most_),
        d_pieces_(num_keys / (keys_of_warp * warps_of_block) + most_),
        d_counters_(2 * num_counters()), d_sums_(2 * most_) {
    d_arrays_[0] = d_keys;
    d_arrays_[1] = d_other_.get();
  }

  void run() {
    add({0, num_keys_, 0});
    while (!next_.empty())
      split(std::exchange(next_, {}));
    if (leaves_.empty())
      return;
    device_array<leaf> d_leaves(leaves_.size());
    d_leaves.put(leaves_);
    sort_leaves<<<static_cast<unsigned>(leaves_.size()), threads_of_leaf, part_ * 4>>>(
        d_leaves.get(), d_arrays_[0], d_arrays_[1], d_arrays_[0]);
    check(cudaGetLastError());
  }

  unsigned levels() const { return levels_; }

private:
  size_t num_counters() const { return num_keys_ / lanes + size_t{most_} * lanes; }

  counters counted() const {
    uint32_t *const d_all = d_counters_.get(), *const d_sums = d_sums_.get();
    return {d_all, d_all + num_counters(), d_sums, d_sums + most_};
  }

  /// It is split at the next level, or a leaf.
  void add(sequence keys) {
    if (keys.end - keys.begin > part_)
      next_.push_back(keys);
    else if (keys.end > keys.begin)
      leaves_.push_back({keys.begin, keys.end, array_});
  }

  /// The pivot's copies are in order, wherever they end; parts of them are copied as leaves are.
  void add_equal(uint32_t begin, uint32_t end) {
    for (; begin < end; begin += std::min(part_, end - begin))
      leaves_.push_back({begin, std::min(begin + part_, end), array_});
  }

  void split(std::vector<sequence> level) {
    std::vector<piece> pieces;
    uint32_t first_counter = 0;
    for (uint32_t s = 0; s < level.size(); ++s) {
      level[s].first_counter = first_counter;
      first_counter += level[s].warps() * lanes;
      for (uint32_t number = 0; number * warps_of_block < level[s].warps(); ++number)
        pieces.push_back({s, number});
    }
    d_sequences_.put(level);
    d_pieces_.put(pieces);
    launch(static_cast<unsigned>(level.size()), static_cast<unsigned>(pieces.size()));
    array_ = 1 - array_;
    ++levels_;
    const std::vector<uint32_t> sums = d_sums_.take(2 * most_);
    for (uint32_t s = 0; s < level.size(); ++s) {
      const uint32_t middle = level[s].begin + sums[s], end = level[s].end - sums[most_ + s];
      add({level[s].begin, middle, 0});
      add_equal(middle, end);
      add({end, level[s].end, 0});
    }
  }

  void launch(unsigned num_sequences, unsigned num_pieces) {
    const level_of_sort level{d_sequences_.get(), d_pieces_.get(), counted()};
    const uint32_t *const d_from = d_arrays_[array_];
    count_keys<<<num_pieces, threads_of_block>>>(d_from, level);
    add_up<<<dim3(num_sequences, 2), threads_of_sum>>>(level);
    scatter_keys<<<num_pieces, threads_of_block>>>(d_from, d_arrays_[1 - array_], level);
    check(cudaGetLastError());
  }

  uint32_t num_keys_, part_;
  device_array<uint32_t> d_other_;
  uint32_t most_; // sequences of a level
  device_array<sequence> d_sequences_;
  device_array<piece> d_pieces_;
  device_array<uint32_t> d_counters_, d_sums_;
  uint32_t *d_arrays_[2];
  uint32_t array_ = 0; // that the level's keys are in
  unsigned levels_ = 0;
  std::vector<sequence> next_;
  std::vector<leaf> leaves_;
};

} // namespace reference
