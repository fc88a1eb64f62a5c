//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Many convex hulls by one call: 10^6 sets of 32 points, 10^5 of 512, 10^4 of 4096, 4,000 of 10^4,
// 666 of 60,000 and 100 of 10^5, uniform in a disc or on a circle; the first three in discs by x,
// too. Bounded: the call is told how large sets are. The limit is a copy of all points. Of every
// call up to 200 hulls, spread over all sets, are compared with the host's function.
//
//   --scale 1      so many times as many sets
//
//===----------------------------------------------------------------------===//

#include "hull_orders.cuh"
#include "hull_shapes.cuh"
#include "timed_call.hpp"

#include <colonnade/bulk_convex_hull.cuh>
#include <colonnade/host_convex_hull.hpp>

using namespace colonnade;
using namespace bench;

namespace {

__global__ void fill_offsets(uint32_t *offsets, uint64_t sets, uint32_t size) {
  for (uint64_t s = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; s <= sets;
       s += uint64_t{gridDim.x} * blockDim.x)
    offsets[s] = static_cast<uint32_t>(s * size);
}

template <class T> std::vector<T> read(const T *d_items, uint64_t count) {
  std::vector<T> items(count);
  CUDA_OK(cudaMemcpy(items.data(), d_items, count * sizeof(T), cudaMemcpyDeviceToHost));
  return items;
}

/// Sets of one size in memory, with room for what is found.
template <class T> class bulk_job {
public:
  bulk_job(shape kind, uint64_t sets, uint32_t size, bool by_x)
      : sets_(sets), n_(sets * size), size_(size) {
    CUDA_OK(cudaMalloc(&points_, 2 * n_ * sizeof(T)));
    CUDA_OK(cudaMalloc(&copy_, 2 * n_ * sizeof(T)));
    CUDA_OK(cudaMalloc(&offsets_, (sets + 1) * sizeof(uint32_t)));
    CUDA_OK(cudaMalloc(&hulls_, n_ * sizeof(uint32_t)));
    CUDA_OK(cudaMalloc(&counts_, sets * sizeof(uint32_t)));
    fill_points<<<4096, 256>>>(by_x ? copy_ : points_, n_, kind);
    if constexpr (std::is_same_v<T, float>)
      if (by_x)
        put_sets_by_x(copy_, n_, size, points_);
    fill_offsets<<<1024, 256>>>(offsets_, sets, size);
  }
  ~bulk_job() {
    for (void *d_memory :
         {static_cast<void *>(points_), static_cast<void *>(copy_), static_cast<void *>(offsets_),
          static_cast<void *>(hulls_), static_cast<void *>(counts_)})
      CUDA_OK(cudaFree(d_memory));
  }
  bulk_job(const bulk_job &) = delete;

  void run(report &out, const std::string &name, bulk_hull_options what) {
    CUDA_OK(cudaMemset(hulls_, 0xff, n_ * sizeof(uint32_t)));
    CUDA_OK(cudaMemset(counts_, 0xff, sets_ * sizeof(uint32_t)));
    timed_call ours([&](void *d_temp, size_t &bytes) {
      return bulk_convex_hull(d_temp, bytes, interleaved_points<T>{points_}, n_,
                              static_cast<const uint32_t *>(offsets_), sets_, hulls_, counts_,
                              what);
    });
    alternate(
        out, name, "Gpoints/s", n_, "copying all points", [&] { return ours.run(); },
        [&] {
          return milliseconds([&] {
            CUDA_OK(cudaMemcpyAsync(copy_, points_, 2 * n_ * sizeof(T), cudaMemcpyDeviceToDevice));
          });
        });
    expect_right(name);
  }

private:
  /// Up to 200 sets, of a million points in all; of large ones ten.
  void expect_right(const std::string &name) const {
    const std::vector<uint32_t> counts = read(counts_, sets_);
    const uint64_t some = std::clamp<uint64_t>(1'000'000 / size_, 10, 200),
                   asked = std::min(some, sets_);
    for (uint64_t k = 0; k < asked; ++k) {
      const uint64_t set = asked == 1 ? 0 : k * (sets_ - 1) / (asked - 1);
      const std::vector<uint32_t> expected = host_hull(set);
      EXPECT(counts[set] == expected.size() &&
                 read(hulls_ + set * size_, expected.size()) == expected,
             "%s: set %llu: %u vertices, not these %zu", name.c_str(),
             static_cast<unsigned long long>(set), counts[set], expected.size());
    }
  }
  std::vector<uint32_t> host_hull(uint64_t set) const {
    const std::vector<T> points = read(points_ + 2 * set * size_, uint64_t{2} * size_);
    std::vector<uint32_t> hull(size_);
    uint64_t h = 0;
    EXPECT(
        host_convex_hull(interleaved_points<T>{points.data()}, size_, hull.data(), size_, h).ok(),
        "on the host");
    hull.resize(h);
    for (uint32_t &i : hull)
      i += static_cast<uint32_t>(set * size_);
    return hull;
  }

  uint64_t sets_, n_;
  uint32_t size_;
  T *points_ = nullptr, *copy_ = nullptr;
  uint32_t *offsets_ = nullptr, *hulls_ = nullptr, *counts_ = nullptr;
};

template <class T>
void run(report &out, const char *type, shape kind, uint64_t sets, uint32_t size,
         bool by_x = false) {
  bulk_job<T> job(kind, sets, size, by_x);
  const std::string name = "bulk hulls, " + std::string(shape_names[static_cast<int>(kind)]) +
                           ", " + type + ", " + std::to_string(sets) + " x " +
                           std::to_string(size) + (by_x ? ", by x" : "");
  job.run(out, name, {hull_part::whole, by_x});
  job.run(out, name + ", bounded", {hull_part::whole, by_x, size});
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint64_t scale = std::stoull(option(argc, argv, "--scale", "1"));
  const struct {
    uint64_t sets;
    uint32_t size;
  } jobs[] = {{1000000, 32}, {100000, 512}, {10000, 4096},
              {4000, 10000}, {666, 60000},  {100, 100000}};
  for (const auto &job : jobs) {
    const uint64_t sets = job.sets * scale;
    for (const shape kind : {shape::disc, shape::circle}) {
      run<float>(out, "float", kind, sets, job.size);
      if (kind == shape::disc || (job.size > 512 && job.size < 100000))
        run<double>(out, "double", kind, sets, job.size);
    }
    if (job.size < 10000 || job.size == 100000)
      run<int32_t>(out, "int32_t", shape::disc, sets, job.size);
    if (job.size < 10000)
      run<float>(out, "float", shape::disc, sets, job.size, true);
  }
  return out.finish() || gpu_failures() ? 1 : 0;
}
