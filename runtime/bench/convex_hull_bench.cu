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
#include "hull_shapes.cuh"
#include "timed_call.hpp"

#include <colonnade/check_convex_hull.cuh>
#include <colonnade/convex_hull.cuh>

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
std::string power_of_ten(uint64_t n) {
  int power = 0;
  while (n % 10 == 0)
    n /= 10, ++power;
  return (n == 1 ? "10^" : std::to_string(n) + " * 10^") + std::to_string(power);
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

/// Of points by x, with h vertices.
template <class T, class ReadTwice, class Policy>
void run_wagener(report &out, const std::string &job, const char *stages, const T *points,
                 uint64_t n, uint32_t *hull, uint64_t *num_hull, uint64_t h, ReadTwice read_twice,
                 Policy policy) {
  timed_call by_x([&](void *d_temp, size_t &bytes) {
    return convex_hull_by_x(d_temp, bytes, interleaved_points<T>{points}, n, hull, n, num_hull, {},
                            {}, policy);
  });
  alternate(
      out, "hull of points by x, " + std::string(stages) + ", " + job, "Gpoints/s", n,
      "reading all points twice", [&] { return by_x.run(); }, read_twice);
  uint64_t again = 0;
  CUDA_OK(cudaMemcpy(&again, num_hull, sizeof again, cudaMemcpyDeviceToHost));
  EXPECT(again == h, "%s by x, %s", job.c_str(), stages);
}

template <class T> void run(report &out, shape kind, uint64_t n) {
  T *points = nullptr;
  uint32_t *hull = nullptr;
  uint64_t *num_hull = nullptr;
  hull_check *result = nullptr;
  CUDA_OK(cudaMalloc(&points, 2 * n * sizeof(T)));
  CUDA_OK(cudaMalloc(&hull, n * sizeof(uint32_t)));
  CUDA_OK(cudaMalloc(&num_hull, sizeof(uint64_t)));
  CUDA_OK(cudaMalloc(&result, sizeof(hull_check)));
  fill_points<<<4096, 256>>>(points, n, kind);
  timed_call ours([&](void *d_temp, size_t &bytes) {
    return convex_hull(d_temp, bytes, interleaved_points<T>{points}, n, hull, n, num_hull);
  });
  const std::string job = std::string(shape_names[static_cast<int>(kind)]) + ", " + type_name<T>() +
                          ", " + power_of_ten(n);
  const auto read_twice = [&] {
    return milliseconds([&] {
      for (int i = 0; i < 2; ++i)
        read_words<<<2112, 512>>>(reinterpret_cast<const uint4 *>(points), 2 * n * sizeof(T) / 16,
                                  hull);
    });
  };
  alternate(
      out, "hull, " + job, "Gpoints/s", n, "reading all points twice", [&] { return ours.run(); },
      read_twice);
  ours.queue();
  uint64_t h = 0;
  hull_check found;
  timed_call check([&](void *d_temp, size_t &bytes) {
    return check_convex_hull(d_temp, bytes, interleaved_points<T>{points}, n,
                             static_cast<const uint32_t *>(hull), item_count(num_hull, n), result);
  });
  check.queue();
  CUDA_OK(cudaMemcpy(&h, num_hull, sizeof h, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost));
  EXPECT(found.ok(), "%s: fault %d at %llu", job.c_str(), static_cast<int>(found.fault()),
         static_cast<unsigned long long>(found.at()));
  out.cell("convex hulls: vertices", job, "h", "", static_cast<double>(h));
  if (kind == shape::disc_by_x || kind == shape::circle_by_x) {
    timed_call by_x([&](void *d_temp, size_t &bytes) {
      return convex_hull_by_x(d_temp, bytes, interleaved_points<T>{points}, n, hull, n, num_hull);
    });
    alternate(
        out, "hull of points by x, " + job, "Gpoints/s", n, "reading all points twice",
        [&] { return by_x.run(); }, read_twice);
    uint64_t again = 0;
    CUDA_OK(cudaMemcpy(&again, num_hull, sizeof again, cudaMemcpyDeviceToHost));
    EXPECT(again == h, "%s by x", job.c_str());
    run_wagener<T>(out, job, "strips of log n points, O(n) work", points, n, hull, num_hull, h,
                   read_twice, strips_policy{});
    run_wagener<T>(out, job, "a thread for each point, O(n log n) work", points, n, hull, num_hull,
                   h, read_twice, plain_policy{});
  }
  if (kind == shape::circle || kind == shape::ring) {
    const peer_sort sort(n, sizeof(T), std::is_floating_point_v<T>);
    alternate(
        out, "hull beside a sort by x, " + job, "Gpoints/s", n, "CUB, radix sort of x with indices",
        [&] { return ours.run(); }, [&] { return milliseconds([&] { sort.queue(points); }); });
  }
  for (void *d_memory : {static_cast<void *>(points), static_cast<void *>(hull),
                         static_cast<void *>(num_hull), static_cast<void *>(result)})
    CUDA_OK(cudaFree(d_memory));
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
