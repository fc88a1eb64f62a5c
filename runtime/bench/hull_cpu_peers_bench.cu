//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls of floats, points on the device, beside Qhull's and CGAL's on one thread of this
// machine's CPU, points in its memory. Built only where both libraries are.
//
//   --n 10000000
//
//===----------------------------------------------------------------------===//

#include "hull_cpu_peers.hpp"
#include "hull_shapes.cuh"
#include "timed_call.hpp"

#include <colonnade/convex_hull.cuh>

using namespace colonnade;
using namespace bench;

namespace {

/// Rates of ours, the vertices it finds.
std::vector<double> our_rates(const std::vector<float> &xy, uint64_t &h) {
  const uint64_t n = xy.size() / 2;
  float *points = nullptr;
  uint32_t *hull = nullptr;
  uint64_t *num_hull = nullptr;
  CUDA_OK(cudaMalloc(&points, xy.size() * sizeof(float)));
  CUDA_OK(cudaMalloc(&hull, n * sizeof(uint32_t)));
  CUDA_OK(cudaMalloc(&num_hull, sizeof(uint64_t)));
  CUDA_OK(cudaMemcpy(points, xy.data(), xy.size() * sizeof(float), cudaMemcpyHostToDevice));
  timed_call ours([&](void *d_temp, size_t &bytes) {
    return convex_hull(d_temp, bytes, interleaved_points<float>{points}, n, hull, n, num_hull);
  });
  std::vector<double> rates;
  ours.run();
  for (int i = 0; i < 15; ++i)
    rates.push_back(static_cast<double>(n) / ours.run() / 1e3);
  CUDA_OK(cudaMemcpy(&h, num_hull, sizeof h, cudaMemcpyDeviceToHost));
  for (void *d_memory :
       {static_cast<void *>(points), static_cast<void *>(hull), static_cast<void *>(num_hull)})
    CUDA_OK(cudaFree(d_memory));
  return rates;
}

void run(report &out, shape kind, uint64_t n) {
  std::vector<float> xy(2 * n);
  for (uint64_t i = 0; i < n; ++i) {
    const place at = place_in(kind, i, n);
    xy[2 * i] = static_cast<float>(at.x);
    xy[2 * i + 1] = static_cast<float>(at.y);
  }
  uint64_t h = 0;
  const std::vector<double> rates = our_rates(xy, h);
  const std::string name =
      std::string("hull, ") + shape_names[static_cast<int>(kind)] + ", float, " + std::to_string(n);
  for (const cpu_hull &peer : cpu_hulls({xy.begin(), xy.end()})) {
    const double rate = static_cast<double>(n) / peer.seconds / 1e6;
    out.add(name, "Mpoints/s", peer.method.c_str(), rates, std::vector<double>(rates.size(), rate));
    out.cell("convex hulls: vertices of one thread", name, peer.method.c_str(), "",
             static_cast<double>(peer.num_vertices));
    EXPECT(peer.num_vertices == h || peer.method == "Qhull",
           "%s: %s finds %llu vertices, ours %llu", name.c_str(), peer.method.c_str(),
           static_cast<unsigned long long>(peer.num_vertices), static_cast<unsigned long long>(h));
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  std::printf("%s\n", cpu_name().c_str());
  const uint64_t n = std::stoull(option(argc, argv, "--n", "10000000"));
  for (const shape kind : {shape::square, shape::disc, shape::circle, shape::ring})
    run(out, kind, n);
  return out.finish() || gpu_failures() ? 1 : 0;
}
