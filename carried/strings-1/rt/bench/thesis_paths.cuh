//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// thesis_paths.cuh: delta-stepping as the thesis has it, for its table 3.10: a launch
// for every step, and the host chooses what comes next.
//
//   near_far     two piles; a relaxed vertex goes to one of them at once
//   bucketing    ten buckets; after every expansion all vertices that wait are labelled
//                with theirs, and sorted by label (CUB's radix sort over four bits)
//   multisplit   the same with multisplit_keys, which takes the number of vertices from
//                device memory and has the buckets' offsets besides
//
// A phase expands the vertices of the first bucket (the near pile), a block taking an
// equal share of their edges.
//
// Invariant: a vertex waits at most once in a pile. Its mark says where; whoever raises
// the mark writes the vertex. A distance never rises, so a vertex that is expanded again
// because it became nearer finds its mark cleared, and an entry of the far pile that is
// below the threshold has been expanded from the near pile since: it is dropped.
//
// Source: S. Ashkiani, thesis (2017), section 3.7.2; A. Davidson, S. Baxter, M. Garland
// and J. Owens (2014).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../tests/cuda/gpu_test.hpp"

#include <colonnade/multisplit.cuh>
#include <colonnade/shortest_paths_options.hpp>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <cstdint>
#include <vector>

namespace bench {

enum class launched { near_far, bucketing, multisplit };

namespace thesis {

constexpr uint32_t buckets = 10, bucket_bits = 4;
constexpr uint32_t threads = 256, tile_edges = 2048; // of the relaxing kernel's blocks
constexpr uint32_t unreachable = ~0u;
enum mark : uint32_t { nowhere, far, near };

/// The bucket of a labelled vertex.
constexpr uint32_t label_shift = 32 - bucket_bits, vertex_mask = (1u << label_shift) - 1;
struct label_of {
  __host__ __device__ uint32_t operator()(uint32_t labelled) const {
    return labelled >> label_shift;
  }
};

struct state {
  colonnade::csr_graph<uint32_t> graph;
  uint32_t *d_distances, *d_marks;
  uint32_t *d_from, *d_degrees, *d_edge_ends; // of the vertices expanded: distance, degree, sum
  uint64_t *d_row_ends;                       // and where their edges end in the graph
  uint32_t *d_near, *d_far;                   // piles, filled by relaxing
  unsigned long long *d_counts;               // of near and far
};

/// Takes the vertices of a pile out of it, and looks up what relaxing needs. The near
/// pile is empty then, and the far one holds num_far.
static __global__ void take(state s, const uint32_t *d_vertices, uint32_t count, uint64_t num_far) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    s.d_counts[0] = 0, s.d_counts[1] = num_far;
  for (uint32_t i = blockIdx.x * threads + threadIdx.x; i < count; i += gridDim.x * threads) {
    const uint32_t v = d_vertices[i] & vertex_mask;
    s.d_marks[v] = nowhere;
    s.d_from[i] = s.d_distances[v];
    s.d_row_ends[i] = s.graph.d_row_offsets[v + 1];
    s.d_degrees[i] = static_cast<uint32_t>(s.d_row_ends[i] - s.graph.d_row_offsets[v]);
  }
}

/// The first of `ends` that is greater than `edge`.
static __device__ uint32_t owner_of(const uint32_t *ends, uint32_t count, uint32_t edge) {
  uint32_t first = 0;
  while (count > 0) {
    const uint32_t half = count / 2;
    if (ends[first + half] <= edge)
      first += half + 1, count -= half + 1;
    else
      count = half;
  }
  return first;
}

/// Where the vertices that a block wakes wait until it has places for all of them.
struct outbox {
  uint32_t vertices[tile_edges];
  uint32_t count;
  unsigned long long place;

  __device__ void add(uint32_t vertex) { vertices[atomicAdd(&count, 1)] = vertex; }

  /// By all threads, between barriers; the next use comes after another barrier.
  __device__ void flush(uint32_t *d_pile, unsigned long long *d_count) {
    if (threadIdx.x == 0)
      place = count ? atomicAdd(d_count, static_cast<unsigned long long>(count)) : 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < count; i += threads)
      d_pile[place + i] = vertices[i];
    __syncthreads();
    if (threadIdx.x == 0)
      count = 0;
  }
};

/// Relaxes all edges of the vertices taken. Below `threshold` a vertex goes to the near
/// pile, otherwise to the far one.
static __global__ __launch_bounds__(threads) void relax(state s, uint32_t count,
                                                        uint32_t threshold) {
  __shared__ uint32_t ends[tile_edges];
  __shared__ uint32_t first_owner, num_owners;
  __shared__ outbox near_box, far_box;
  if (threadIdx.x == 0)
    near_box.count = far_box.count = 0;
  const uint32_t num_edges = s.d_edge_ends[count - 1];
  for (uint32_t begin = blockIdx.x * tile_edges; begin < num_edges;
       begin += gridDim.x * tile_edges) {
    const uint32_t end = min(begin + tile_edges, num_edges);
    if (threadIdx.x < 2) {
      const uint32_t owner = owner_of(s.d_edge_ends, count, threadIdx.x ? end - 1 : begin);
      const uint32_t other = __shfl_xor_sync(3, owner, 1);
      if (threadIdx.x == 0)
        first_owner = owner, num_owners = other - owner + 1;
    }
    __syncthreads();
    // Vertices without edges may make it more than fit: then the search is in memory.
    const bool in_shared = num_owners <= tile_edges;
    const uint32_t *owners = s.d_edge_ends + first_owner;
    for (uint32_t i = threadIdx.x; in_shared && i < num_owners; i += threads)
      ends[i] = owners[i];
    __syncthreads();
    for (uint32_t edge = begin + threadIdx.x; edge < end; edge += threads) {
      const uint32_t i = first_owner + owner_of(in_shared ? ends : owners, num_owners, edge);
      const uint64_t place = s.d_row_ends[i] - (s.d_edge_ends[i] - edge);
      const uint32_t to = s.graph.d_columns[place];
      const uint32_t distance = s.d_from[i] + s.graph.d_weights[place];
      if (distance >= __ldcg(s.d_distances + to) ||
          distance >= atomicMin(s.d_distances + to, distance))
        continue;
      if (distance < threshold) {
        if (atomicMax(s.d_marks + to, near) < near)
          near_box.add(to);
      } else if (atomicMax(s.d_marks + to, far) == nowhere) {
        far_box.add(to);
      }
    }
    __syncthreads();
    near_box.flush(s.d_near, s.d_counts);
    far_box.flush(s.d_far, s.d_counts + 1);
  }
}

/// Looks through the far pile: what is below the threshold now goes near.
static __global__ __launch_bounds__(threads) void split_far(state s, const uint32_t *d_far,
                                                            uint32_t count, uint32_t old_threshold,
                                                            uint32_t threshold) {
  __shared__ outbox near_box, far_box;
  if (threadIdx.x == 0)
    near_box.count = far_box.count = 0;
  __syncthreads();
  for (uint32_t begin = blockIdx.x * tile_edges; begin < count; begin += gridDim.x * tile_edges) {
    for (uint32_t i = begin + threadIdx.x; i < min(begin + tile_edges, count); i += threads) {
      const uint32_t v = d_far[i], distance = s.d_distances[v];
      if (distance >= old_threshold && distance < threshold)
        s.d_marks[v] = near, near_box.add(v);
      else if (distance >= threshold)
        far_box.add(v);
    }
    __syncthreads();
    near_box.flush(s.d_near, s.d_counts);
    far_box.flush(s.d_far, s.d_counts + 1);
    __syncthreads();
  }
}

/// Labels all that wait, in place, by the distance that is left from base; counts them
/// by label, unless d_sizes is null.
static __global__ void label(state s, uint32_t base, uint32_t delta, unsigned long long *d_sizes) {
  __shared__ uint32_t sizes[buckets];
  if (threadIdx.x < buckets)
    sizes[threadIdx.x] = 0;
  __syncthreads();
  const uint32_t count = static_cast<uint32_t>(s.d_counts[1]);
  for (uint32_t i = blockIdx.x * threads + threadIdx.x; i < count; i += gridDim.x * threads) {
    const uint32_t v = s.d_far[i] & vertex_mask;
    const uint32_t bucket = min((s.d_distances[v] - base) / delta, buckets - 1);
    s.d_far[i] = bucket << label_shift | v;
    if (d_sizes)
      atomicAdd(sizes + bucket, 1);
  }
  __syncthreads();
  if (d_sizes && threadIdx.x < buckets && sizes[threadIdx.x])
    atomicAdd(d_sizes + threadIdx.x, static_cast<unsigned long long>(sizes[threadIdx.x]));
}

static __global__ void start(state s, uint32_t *d_pile, uint32_t source) {
  s.d_distances[source] = 0;
  d_pile[0] = source;
}

} // namespace thesis

/// One method on one graph of up to 2^27 vertices and fewer than 2^31 edges. Distances stay below
/// 2^32 - 1.
class launched_paths {
public:
  launched_paths(const colonnade::csr_graph<uint32_t> &graph, launched method)
      : method_(method), n_(graph.num_vertices) {
    s_.graph = graph;
    for (uint32_t **d : {&s_.d_distances, &s_.d_marks, &s_.d_from, &s_.d_degrees, &s_.d_edge_ends})
      allocate(*d, n_);
    for (uint32_t *&d_pile : d_piles_)
      allocate(d_pile, 2 * uint64_t{n_}); // all of them expanded, and all woken
    allocate(s_.d_row_ends, n_);
    allocate(s_.d_counts, 2);
    allocate(d_sizes_, thesis::buckets + 1);
    CUDA_OK(cudaMallocHost(&sizes_, (thesis::buckets + 1) * sizeof(uint64_t)));
    size_t bytes = 0;
    CUDA_OK(cub::DeviceScan::InclusiveSum(nullptr, temp_bytes_, s_.d_degrees, s_.d_edge_ends, n_));
    s_.d_far = d_piles_[0];
    CUDA_OK(split(nullptr, bytes, d_piles_[1]));
    temp_bytes_ = std::max(temp_bytes_, bytes);
    allocate(d_temp_, temp_bytes_);
    int device = 0, sms = 0;
    CUDA_OK(cudaGetDevice(&device));
    CUDA_OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    grid_ = static_cast<uint32_t>(sms) * 8;
  }
  ~launched_paths() {
    for (void *d : owned_)
      CUDA_OK(cudaFree(d));
    CUDA_OK(cudaFreeHost(sizes_));
  }
  launched_paths(const launched_paths &) = delete;

  /// Synchronises. delta: above 0.
  void run(uint32_t source, uint32_t delta) {
    delta_ = delta;
    CUDA_OK(cudaMemsetAsync(s_.d_distances, 0xff, n_ * sizeof(uint32_t)));
    CUDA_OK(cudaMemsetAsync(s_.d_marks, 0, n_ * sizeof(uint32_t)));
    thesis::start<<<1, 1>>>(s_, d_piles_[0], source);
    method_ == launched::near_far ? run_near_far() : run_buckets();
    CUDA_OK(cudaGetLastError());
    CUDA_OK(cudaDeviceSynchronize());
  }

  std::vector<uint32_t> distances() const {
    std::vector<uint32_t> all(n_);
    CUDA_OK(cudaMemcpy(all.data(), s_.d_distances, n_ * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    return all;
  }

private:
  template <class T> void allocate(T *&d, uint64_t count) {
    CUDA_OK(cudaMalloc(&d, count * sizeof(T)));
    owned_.push_back(d);
  }

  uint32_t blocks_for(uint64_t count) const {
    return static_cast<uint32_t>(
        std::min<uint64_t>((count + thesis::threads - 1) / thesis::threads, grid_));
  }

  void to_host(const void *d_from, uint32_t numbers) {
    CUDA_OK(cudaMemcpyAsync(sizes_, d_from, numbers * sizeof(uint64_t), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaStreamSynchronize(nullptr));
  }

  void expand(const uint32_t *d_vertices, uint64_t count, uint64_t num_far, uint32_t threshold) {
    const uint32_t number = static_cast<uint32_t>(count);
    thesis::take<<<blocks_for(count), thesis::threads>>>(s_, d_vertices, number, num_far);
    size_t bytes = temp_bytes_;
    CUDA_OK(cub::DeviceScan::InclusiveSum(d_temp_, bytes, s_.d_degrees, s_.d_edge_ends, number));
    thesis::relax<<<grid_, thesis::threads>>>(s_, number, threshold);
  }

  void run_near_far() {
    uint32_t *d_pile = d_piles_[0], threshold = delta_;
    s_.d_near = d_piles_[1], s_.d_far = d_piles_[2];
    for (uint64_t near = 1, far = 0; near + far > 0; near = sizes_[0], far = sizes_[1]) {
      if (near > 0) {
        expand(d_pile, near, far, threshold);
      } else {
        std::swap(d_pile, s_.d_far);
        CUDA_OK(cudaMemsetAsync(s_.d_counts, 0, 2 * sizeof(uint64_t)));
        thesis::split_far<<<blocks_for(far), thesis::threads>>>(
            s_, d_pile, static_cast<uint32_t>(far), threshold, threshold + delta_);
        threshold += delta_;
      }
      std::swap(d_pile, s_.d_near);
      to_host(s_.d_counts, 2);
    }
  }

  /// All that wait, by label, from the far pile to d_split.
  cudaError_t split(void *d_temp, size_t &bytes, uint32_t *d_split) {
    if (method_ == launched::multisplit)
      return colonnade::multisplit_keys(d_temp, bytes, s_.d_far, d_split,
                                        {reinterpret_cast<const uint64_t *>(s_.d_counts + 1), n_},
                                        thesis::buckets, thesis::label_of{}, d_sizes_);
    return cub::DeviceRadixSort::SortKeys(d_temp, bytes, s_.d_far, d_split, d_temp ? sizes_[1] : n_,
                                          thesis::label_shift, 32);
  }

  /// And the buckets' sizes to the host.
  void run_split(uint32_t *d_split, uint32_t base) {
    size_t bytes = temp_bytes_;
    if (method_ == launched::multisplit) {
      thesis::label<<<grid_, thesis::threads>>>(s_, base, delta_, nullptr);
      CUDA_OK(split(d_temp_, bytes, d_split));
      to_host(d_sizes_, thesis::buckets + 1);
      for (uint32_t b = 0; b < thesis::buckets; ++b)
        sizes_[b] = sizes_[b + 1] - sizes_[b]; // from offsets
      return;
    }
    CUDA_OK(cudaMemsetAsync(d_sizes_, 0, thesis::buckets * sizeof(uint64_t)));
    thesis::label<<<grid_, thesis::threads>>>(s_, base, delta_,
                                              reinterpret_cast<unsigned long long *>(d_sizes_));
    to_host(s_.d_counts, 2); // the sort is told the number by the host
    if (sizes_[1] > 0)
      CUDA_OK(split(d_temp_, bytes, d_split));
    to_host(d_sizes_, thesis::buckets);
  }

  /// Buckets in order in one array; what is woken goes behind them, and the next split
  /// takes all but the vertices expanded.
  void run_buckets() {
    uint32_t *d_all = d_piles_[0], *d_split = d_piles_[1], base = 0;
    for (uint64_t opened = 1, rest = 0; opened > 0;) {
      s_.d_far = d_all + opened;
      expand(d_all, opened, rest, 0);
      for (bool again = true; again; s_.d_far = d_all) {
        run_split(d_split, base);
        std::swap(d_all, d_split);
        uint32_t b = 0;
        while (b < thesis::buckets && sizes_[b] == 0)
          ++b;
        if (b == thesis::buckets)
          return;
        base += b * delta_;
        again = b + 1 == thesis::buckets; // beyond all others: they get buckets of their own
        opened = sizes_[b];
        rest = 0;
        for (++b; b < thesis::buckets; ++b)
          rest += sizes_[b];
      }
    }
  }

  launched method_;
  uint32_t n_, grid_ = 0, delta_ = 1;
  thesis::state s_{};
  uint32_t *d_piles_[3] = {};
  uint64_t *d_sizes_ = nullptr, *sizes_ = nullptr; // of the buckets; of near and far
  char *d_temp_ = nullptr;
  size_t temp_bytes_ = 0;
  std::vector<void *> owned_;
};

} // namespace bench
