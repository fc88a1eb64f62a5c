//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls by the number of their vertices: 10 to 10^6 corners of a polygon of int32_t
// (lattice_polygon.hpp), all other points inside. The default beside marriage before conquest; the
// time per point stands beside the logarithm of the number of vertices. Every hull is checked once,
// exactly, and has just the corners as vertices.
//
//   --n 10000000
//
//===----------------------------------------------------------------------===//

#include "hull_job.cuh"
#include "lattice_polygon.hpp"

#include <cmath>

using namespace bench;

namespace {

/// The corners are spread over all points, no two neighbours among them side by side; 3 does not
/// divide their number. The others are in a disc of this radius.
__global__ void fill_polygon(int32_t *points, uint64_t n, const int2 *corners, uint64_t num_corners,
                             double radius) {
  const uint64_t share = n / num_corners, step = 387420489; // 3^18
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const double angle = 2 * M_PI * unit(2 * i), away = radius * sqrt(unit(2 * i + 1));
    int2 at{static_cast<int32_t>(away * cos(angle)), static_cast<int32_t>(away * sin(angle))};
    if (i % share == 0 && i / share < num_corners)
      at = corners[i / share * step % num_corners];
    points[2 * i] = at.x;
    points[2 * i + 1] = at.y;
  }
}

void fill(const hull_job<int32_t> &job, uint64_t num_corners) {
  const lattice_polygon polygon = polygon_of(num_corners);
  std::vector<int2> corners;
  for (const lattice_vector &corner : polygon.corners)
    corners.push_back({static_cast<int32_t>(corner.x), static_cast<int32_t>(corner.y)});
  int2 *d_corners = nullptr;
  CUDA_OK(cudaMalloc(&d_corners, num_corners * sizeof(int2)));
  CUDA_OK(
      cudaMemcpy(d_corners, corners.data(), num_corners * sizeof(int2), cudaMemcpyHostToDevice));
  fill_polygon<<<4096, 256>>>(job.points, job.n, d_corners, num_corners, polygon.inner_radius);
  CUDA_OK(cudaFree(d_corners));
}

/// A call whose times are kept.
template <class Policy> class method {
public:
  explicit method(const hull_job<int32_t> &job)
      : job_(job), call_([&job](void *d_temp, size_t &bytes) {
          return job.template find<Policy>(d_temp, bytes);
        }) {}
  float run() {
    times_.push_back(call_.run());
    return static_cast<float>(times_.back());
  }
  void add_cells(report &out, const std::string &job, const std::string &name) const {
    const std::vector<double> times(times_.begin() + warm_ups, times_.end());
    const double picoseconds = quantile(times, 0.5) * 1e9 / static_cast<double>(job_.n),
                 rounds = std::log2(static_cast<double>(job_.num_vertices()));
    const std::string table = "convex hulls: time per point by the number of vertices";
    out.cell(table, job, name + ", a point", "ps", picoseconds);
    out.cell(table, job, name + ", over log2 h", "ps", picoseconds / rounds);
  }
  void expect_right(const std::string &job, uint64_t num_corners) {
    call_.queue();
    const uint64_t h = job_.num_vertices();
    EXPECT(job_.is_right() && h == num_corners, "%s: %llu vertices", job.c_str(),
           static_cast<unsigned long long>(h));
  }

private:
  const hull_job<int32_t> &job_;
  timed_call call_;
  std::vector<double> times_;
};

void run(report &out, uint64_t n, uint64_t num_corners) {
  const hull_job<int32_t> job(n);
  fill(job, num_corners);
  method<convex_hull_policy> usual(job);
  method<marriage_hull_policy> marriage(job);
  const std::string name =
      "int32_t, " + power_of_ten(n) + ", " + std::to_string(num_corners) + " corners";
  alternate(
      out, "hull, " + name, "Gpoints/s", n, "marriage before conquest", [&] { return usual.run(); },
      [&] { return marriage.run(); });
  usual.expect_right(name, num_corners);
  usual.add_cells(out, name, "the default");
  marriage.expect_right(name + ", marriage before conquest", num_corners);
  marriage.add_cells(out, name, "marriage before conquest");
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint64_t n = std::stoull(option(argc, argv, "--n", "10000000"));
  for (uint64_t num_corners = 10; num_corners <= 1000000 && num_corners <= n; num_corners *= 10)
    run(out, n, num_corners);
  return out.finish() || gpu_failures() ? 1 : 0;
}
