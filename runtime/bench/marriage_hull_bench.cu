//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Marriage before conquest beside the default: figures 3.4 (times of 10^5, 10^6 and 10^7 points in
// a square, a disc, on a circle and in a ring) and 3.6 (iterations) of the source. Every hull is
// checked once, exactly.
//
//   --sizes 100000,1000000,10000000
//   --once shape n    one call, for a profiler (figure 3.5)
//
//===----------------------------------------------------------------------===//

#include "hull_shapes.cuh"
#include "timed_call.hpp"

#include <colonnade/check_convex_hull.cuh>
#include <colonnade/marriage_hull.cuh>

#include <sstream>

using namespace colonnade;
using namespace bench;

namespace {

struct counted_policy : marriage_hull_policy {
  static constexpr bool count_iterations = true;
};

/// What a hull is found in and from.
template <class T> struct hull_job {
  uint64_t n;
  T *points = nullptr;
  uint32_t *hull = nullptr;
  uint64_t *num_hull = nullptr;
  hull_check *result = nullptr;

  hull_job(shape kind, uint64_t number) : n(number) {
    CUDA_OK(cudaMalloc(&points, 2 * n * sizeof(T)));
    CUDA_OK(cudaMalloc(&hull, n * sizeof(uint32_t)));
    CUDA_OK(cudaMalloc(&num_hull, sizeof(uint64_t)));
    CUDA_OK(cudaMalloc(&result, sizeof(hull_check)));
    fill_points<<<4096, 256>>>(points, n, kind);
  }
  ~hull_job() {
    for (void *d_memory : {static_cast<void *>(points), static_cast<void *>(hull),
                           static_cast<void *>(num_hull), static_cast<void *>(result)})
      CUDA_OK(cudaFree(d_memory));
  }
  hull_job(const hull_job &) = delete;

  template <class Policy> cudaError_t find(void *d_temp, size_t &bytes) const {
    return convex_hull(d_temp, bytes, interleaved_points<T>{points}, n, hull, n, num_hull, {}, {},
                       Policy{});
  }
  uint64_t checked(const char *what) const {
    timed_call check([&](void *d_temp, size_t &bytes) {
      return check_convex_hull(d_temp, bytes, interleaved_points<T>{points}, n,
                               static_cast<const uint32_t *>(hull), item_count(num_hull, n),
                               result);
    });
    check.queue();
    uint64_t h = 0;
    hull_check found;
    CUDA_OK(cudaMemcpy(&h, num_hull, sizeof h, cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(&found, result, sizeof found, cudaMemcpyDeviceToHost));
    EXPECT(found.ok(), "%s: fault %d at %llu", what, static_cast<int>(found.fault()),
           static_cast<unsigned long long>(found.at()));
    return h;
  }
};

marriage_counts counts_in(const void *d_temp) {
  marriage_counts counts;
  const uintptr_t at = (reinterpret_cast<uintptr_t>(d_temp) + 255) / 256 * 256;
  CUDA_OK(cudaMemcpy(&counts, reinterpret_cast<const void *>(at), sizeof counts,
                     cudaMemcpyDeviceToHost));
  return counts;
}

/// Figure 3.6.
template <class T> void count(report &out, const hull_job<T> &job, const std::string &name) {
  size_t bytes = 0;
  void *d_temp = nullptr;
  CUDA_OK(job.template find<counted_policy>(nullptr, bytes));
  CUDA_OK(cudaMalloc(&d_temp, bytes));
  CUDA_OK(job.template find<counted_policy>(d_temp, bytes));
  const marriage_counts counts = counts_in(d_temp);
  CUDA_OK(cudaFree(d_temp));
  const std::string table = "marriage before conquest: iterations (figure 3.6)";
  const double problems = static_cast<double>(counts.independent_problems);
  out.cell(table, name, "splitting", "", static_cast<double>(counts.splitting_iterations));
  out.cell(table, name, "subproblems of warps", "", problems);
  out.cell(table, name, "iterations of a warp's subproblem, mean", "",
           problems > 0 ? static_cast<double>(counts.independent_iterations) / problems : 0);
  out.cell(table, name, "most", "", static_cast<double>(counts.longest_independent));
  out.cell(table, name, "vertices", "", static_cast<double>(job.checked(name.c_str())));
}

template <class T> void run(report &out, shape kind, uint64_t n, const char *type) {
  const hull_job<T> job(kind, n);
  timed_call ours([&](void *d_temp, size_t &bytes) {
    return job.template find<marriage_hull_policy>(d_temp, bytes);
  });
  timed_call usual([&](void *d_temp, size_t &bytes) {
    return job.template find<convex_hull_policy>(d_temp, bytes);
  });
  char name[80];
  std::snprintf(name, sizeof name, "%s, %s, %.0e", shape_names[static_cast<int>(kind)], type,
                static_cast<double>(n));
  alternate(
      out, std::string("hull by marriage before conquest, ") + name, "Gpoints/s", n, "the default",
      [&] { return ours.run(); }, [&] { return usual.run(); });
  ours.queue();
  job.checked(name);
  count(out, job, name);
}

void run_once(const std::string &name, uint64_t n) {
  for (const shape kind : {shape::square, shape::disc, shape::circle, shape::ring})
    if (name == shape_names[static_cast<int>(kind)]) {
      const hull_job<float> job(kind, n);
      timed_call([&](void *d_temp, size_t &bytes) {
        return job.find<marriage_hull_policy>(d_temp, bytes);
      }).queue();
      CUDA_OK(cudaDeviceSynchronize());
    }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  for (int i = 1; i + 2 < argc; ++i)
    if (std::strcmp(argv[i], "--once") == 0) {
      run_once(argv[i + 1], std::stoull(argv[i + 2]));
      return gpu_failures() ? 1 : 0;
    }
  report out(argc, argv);
  std::stringstream sizes(option(argc, argv, "--sizes", "100000,1000000,10000000"));
  for (std::string size; std::getline(sizes, size, ',');)
    for (const shape kind : {shape::square, shape::disc, shape::circle, shape::ring})
      run<float>(out, kind, std::stoull(size), "float");
  return out.finish() || gpu_failures() ? 1 : 0;
}
