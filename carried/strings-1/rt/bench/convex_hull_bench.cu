//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Convex hulls of points that are uniform in a square or a disc, on a circle, in a ring of width
// 10^-4, of Gaussian ones, of a tight cluster with one far point, of equal points, and of some of
// these by x. The limit is the time of reading all points twice; on the circle and the ring CUB's
// radix sort of x with indices stands beside it. Every hull is checked once, exactly.
//
//   --sizes 100000,1000000,10000000   and --large 100000000 for the square and the disc
//
//===----------------------------------------------------------------------===//

#include "convex_hull_peer.hpp"
#include "hull_job.cuh"

#include <sstream>

using namespace colonnade;
using namespace bench;

namespace {

__global__ void read_words(const uint4 *words, uint64_t n, uint32_t *out) {
  uint32_t sum = 0;
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += uint64_t{gridDim.x} * blockDim.x) {
    const uint4 word = words[i];
    sum += word.x ^ word.y ^ word.z ^ word.w;
  }
  if (sum == 0x12345)
    *out = sum;
}

template <class T> const char *type_name() {
  return std::is_same_v<T, float> ? "float" : std::is_same_v<T, double> ? "double" : "int32_t";
}

/// Wagener's stages of all points: threads find the hoods of strips of 29 points (log2 of 10^7 is
/// 24, and a tile has a strip for each of its 128 threads), which are joined; and with a thread for
/// each point, or three as that is what a strip must have, nearly all is joining.
struct strips_policy : convex_hull_policy {
  static constexpr uint32_t tile_turns = 0, tile_least_run = 3;
};
struct plain_policy : strips_policy {
  static constexpr uint32_t tile_threads = 512, tile_items = 1;
};

/// stages: what the policy makes of points by x, which have h vertices.
template <class Policy, class T, class ReadTwice>
void run_by_x(report &out, const char *stages, const std::string &name, const hull_job<T> &job,
              uint64_t h, ReadTwice read_twice) {
  timed_call by_x([&](void *d_temp, size_t &bytes) {
    return convex_hull_by_x(d_temp, bytes, interleaved_points<T>{job.points}, job.n, job.hull,
                            job.n, job.num_hull, {}, {}, Policy{});
  });
  alternate(
      out, std::string("hull of points by x, ") + stages + name, "Gpoints/s", job.n,
      "reading all points twice", [&] { return by_x.run(); }, read_twice);
  by_x.queue();
  EXPECT(job.is_right() && job.num_vertices() == h, "%s%s by x", stages, name.c_str());
}

template <class T> void run(report &out, shape kind, uint64_t n) {
  const hull_job<T> job(kind, n);
  timed_call ours([&](void *d_temp, size_t &bytes) {
    return job.template find<convex_hull_policy>(d_temp, bytes);
  });
  const std::string name = std::string(shape_names[static_cast<int>(kind)]) + ", " +
                           type_name<T>() + ", " + power_of_ten(n);
  const auto read_twice = [&] {
    return milliseconds([&] {
      for (int i = 0; i < 2; ++i)
        read_words<<<2112, 512>>>(reinterpret_cast<const uint4 *>(job.points),
                                  2 * n * sizeof(T) / 16, job.hull);
    });
  };
  alternate(
      out, "hull, " + name, "Gpoints/s", n, "reading all points twice", [&] { return ours.run(); },
      read_twice);
  ours.queue();
  EXPECT(job.is_right(), "%s", name.c_str());
  const uint64_t h = job.num_vertices();
  out.cell("convex hulls: vertices", name, "h", "", static_cast<double>(h));
  if (kind == shape::disc_by_x || kind == shape::circle_by_x) {
    run_by_x<convex_hull_policy>(out, "", name, job, h, read_twice);
    run_by_x<strips_policy>(out, "strips of log n points, O(n) work, ", name, job, h, read_twice);
    run_by_x<plain_policy>(out, "a thread for each point, ", name, job, h, read_twice);
  }
  if (kind == shape::circle || kind == shape::ring) {
    const peer_sort sort(n, sizeof(T), std::is_floating_point_v<T>);
    alternate(
        out, "hull beside a sort by x, " + name, "Gpoints/s", n,
        "CUB, radix sort of x with indices", [&] { return ours.run(); },
        [&] { return milliseconds([&] { sort.queue(job.points); }); });
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  std::stringstream sizes(option(argc, argv, "--sizes", "100000,1000000,10000000"));
  for (std::string size; std::getline(sizes, size, ',');) {
    const uint64_t n = std::stoull(size);
    for (const shape kind : {shape::square, shape::disc, shape::circle, shape::ring}) {
      run<float>(out, kind, n);
      if (n >= 10000000) {
        run<double>(out, kind, n);
        run<int32_t>(out, kind, n);
      }
    }
    if (n == 10000000)
      for (const shape kind : {shape::gaussian, shape::cluster, shape::equal, shape::disc_by_x,
                               shape::circle_by_x, shape::circle_by_angle})
        run<float>(out, kind, n);
  }
  const uint64_t large = std::stoull(option(argc, argv, "--large", "100000000"));
  for (const shape kind : {shape::square, shape::disc}) {
    run<float>(out, kind, large);
    run<double>(out, kind, large);
    run<int32_t>(out, kind, large);
  }
  return out.finish() || gpu_failures() ? 1 : 0;
}
