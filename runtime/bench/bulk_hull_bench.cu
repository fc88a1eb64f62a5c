//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Many convex hulls by one call: 10^6 sets of 32 points, 10^5 of 512, 10^4 of 4096, and 100 of
// 10^5, uniform in a disc or on a circle. The limit is a copy of all points.
//
//   --scale 1      so many times as many sets
//
//===----------------------------------------------------------------------===//

#include "hull_shapes.cuh"
#include "timed_call.hpp"

#include <colonnade/bulk_convex_hull.cuh>

using namespace colonnade;
using namespace bench;

namespace {

__global__ void fill_offsets(uint32_t *offsets, uint64_t sets, uint32_t size) {
  for (uint64_t s = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; s <= sets;
       s += uint64_t{gridDim.x} * blockDim.x)
    offsets[s] = static_cast<uint32_t>(s * size);
}

template <class T>
void run(report &out, const char *type, shape kind, uint64_t sets, uint32_t size) {
  const uint64_t n = sets * size;
  T *points = nullptr, *copy = nullptr;
  uint32_t *offsets = nullptr, *hulls = nullptr, *counts = nullptr;
  CUDA_OK(cudaMalloc(&points, 2 * n * sizeof(T)));
  CUDA_OK(cudaMalloc(&copy, 2 * n * sizeof(T)));
  CUDA_OK(cudaMalloc(&offsets, (sets + 1) * sizeof(uint32_t)));
  CUDA_OK(cudaMalloc(&hulls, n * sizeof(uint32_t)));
  CUDA_OK(cudaMalloc(&counts, sets * sizeof(uint32_t)));
  fill_points<<<4096, 256>>>(points, n, kind);
  fill_offsets<<<1024, 256>>>(offsets, sets, size);
  const uint32_t *d_offsets = offsets;
  for (const bool bounded : {false, true}) {
    timed_call ours([&](void *d_temp, size_t &bytes) {
      return bulk_convex_hull(d_temp, bytes, interleaved_points<T>{points}, n, d_offsets, sets,
                              hulls, counts,
                              {hull_part::whole, false, bounded ? size : ~uint64_t{0}});
    });
    alternate(
        out,
        "bulk hulls, " + std::string(shape_names[static_cast<int>(kind)]) + ", " + type + ", " +
            std::to_string(sets) + " x " + std::to_string(size) + (bounded ? ", bounded" : ""),
        "Gpoints/s", n, "copying all points", [&] { return ours.run(); },
        [&] {
          return milliseconds([&] {
            CUDA_OK(cudaMemcpyAsync(copy, points, 2 * n * sizeof(T), cudaMemcpyDeviceToDevice));
          });
        });
  }
  for (void *d_memory :
       {static_cast<void *>(points), static_cast<void *>(copy), static_cast<void *>(offsets),
        static_cast<void *>(hulls), static_cast<void *>(counts)})
    CUDA_OK(cudaFree(d_memory));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint64_t scale = std::stoull(option(argc, argv, "--scale", "1"));
  const struct {
    uint64_t sets;
    uint32_t size;
  } jobs[] = {{1000000, 32}, {100000, 512}, {10000, 4096}, {100, 100000}};
  for (const auto &job : jobs)
    for (const shape kind : {shape::disc, shape::circle}) {
      run<float>(out, "float", kind, job.sets * scale, job.size);
      if (kind == shape::disc) {
        run<double>(out, "double", kind, job.sets * scale, job.size);
        run<int32_t>(out, "int32_t", kind, job.sets * scale, job.size);
      }
    }
  return out.finish() || gpu_failures() ? 1 : 0;
}
