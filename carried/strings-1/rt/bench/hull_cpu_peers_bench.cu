//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls of floats, points on the device, beside Qhull's and CGAL's on one thread of this
// machine's CPU, points in its memory. Each round has five runs of ours, of which the median
// counts, and one of each method of the peers. How many times as fast ours is, is asked of CGAL's
// fastest method and of Qhull. Built only where both libraries are. 10^7 points take 50 seconds a
// round.
//
//   --n 10000000   --rounds 3
//
//===----------------------------------------------------------------------===//

#include "hull_cpu_peers.hpp"
#include "hull_job.cuh"

#include <map>

using namespace colonnade;
using namespace bench;

namespace {

/// What the rounds measured of one shape.
struct rounds {
  std::vector<double> ours;                         // seconds
  std::map<std::string, std::vector<double>> peers; // by method

  double least_ratio_to(const char *library, std::string &fastest) const {
    double least = 0;
    for (const auto &[method, seconds] : peers)
      if (method.rfind(library, 0) == 0 && (least == 0 || quantile(seconds, 0.5) < least)) {
        least = quantile(seconds, 0.5);
        fastest = method;
      }
    return least / quantile(ours, 0.5);
  }
};

std::vector<double> rates(const std::vector<double> &seconds, uint64_t n) {
  std::vector<double> found;
  for (const double s : seconds)
    found.push_back(static_cast<double>(n) / s / 1e6);
  return found;
}

void add(report &out, const std::string &name, uint64_t n, const rounds &measured) {
  const std::string table = "convex hulls beside one thread of a CPU";
  out.cell(table, name, "ours", "ms", 1e3 * quantile(measured.ours, 0.5));
  for (const auto &[method, seconds] : measured.peers) {
    out.add(name, "Mpoints/s", method.c_str(), rates(measured.ours, n), rates(seconds, n));
    out.cell(table, name, method, "ms", 1e3 * quantile(seconds, 0.5));
  }
  for (const char *library : {"CGAL", "Qhull"}) {
    std::string fastest;
    const double ratio = measured.least_ratio_to(library, fastest);
    out.cell("convex hulls beside one thread of a CPU: times as fast", name, fastest, "", ratio);
    EXPECT(ratio >= 300 || n != 10000000, "%s: %g times as fast as %s", name.c_str(), ratio,
           fastest.c_str());
  }
}

void run(report &out, shape kind, uint64_t n, int num_rounds) {
  std::vector<float> xy(2 * n);
  for (uint64_t i = 0; i < n; ++i) {
    const place at = place_in(kind, i, n);
    xy[2 * i] = static_cast<float>(at.x);
    xy[2 * i + 1] = static_cast<float>(at.y);
  }
  const std::string name =
      std::string("hull, ") + shape_names[static_cast<int>(kind)] + ", float, " + std::to_string(n);
  const hull_job<float> job(n);
  CUDA_OK(cudaMemcpy(job.points, xy.data(), xy.size() * sizeof(float), cudaMemcpyHostToDevice));
  timed_call call([&](void *d_temp, size_t &bytes) {
    return job.template find<convex_hull_policy>(d_temp, bytes);
  });
  call.run();
  EXPECT(job.is_right(), "%s", name.c_str());
  const uint64_t h = job.num_vertices();
  const cpu_peers peers({xy.begin(), xy.end()});
  rounds measured;
  for (int round = 0; round < num_rounds; ++round) {
    std::vector<double> times;
    for (int i = 0; i < 5; ++i)
      times.push_back(call.run() / 1e3);
    measured.ours.push_back(quantile(times, 0.5));
    for (const cpu_hull &peer : peers.run()) {
      measured.peers[peer.method].push_back(peer.seconds);
      EXPECT(peer.num_vertices == h || !peer.is_exact, "%s: %s finds %llu vertices, ours %llu",
             name.c_str(), peer.method.c_str(), static_cast<unsigned long long>(peer.num_vertices),
             static_cast<unsigned long long>(h));
      if (round == 0)
        out.cell("convex hulls: vertices of one thread", name, peer.method.c_str(), "",
                 static_cast<double>(peer.num_vertices));
    }
  }
  out.cell("convex hulls: vertices of one thread", name, "ours", "", static_cast<double>(h));
  add(out, name, n, measured);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  out.cell("convex hulls: the CPU of the peers", cpu_name(), "threads", "", 1);
  const uint64_t n = std::stoull(option(argc, argv, "--n", "10000000"));
  const int num_rounds = std::stoi(option(argc, argv, "--rounds", "3"));
  for (const shape kind : {shape::square, shape::disc, shape::circle, shape::ring})
    run(out, kind, n, num_rounds);
  return out.finish() || gpu_failures() ? 1 : 0;
}
