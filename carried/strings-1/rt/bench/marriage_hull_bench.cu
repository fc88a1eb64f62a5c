//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Marriage before conquest beside the default: figures 3.4 (times of 10^5, 10^6 and 10^7 points in
// a square, a disc, on a circle and in a ring) and 3.6 (iterations, which proposition 3.7 bounds)
// of the source. Every hull is checked once, exactly.
//
//   --sizes 100000,1000000,10000000
//
//===----------------------------------------------------------------------===//

#include "hull_job.cuh"

#include <cmath>
#include <sstream>

using namespace bench;

namespace {

struct counted_policy : marriage_hull_policy {
  static constexpr bool count_iterations = true;
};

marriage_counts counts_in(const void *d_temp) {
  marriage_counts counts;
  const uintptr_t at = (reinterpret_cast<uintptr_t>(d_temp) + 255) / 256 * 256;
  CUDA_OK(cudaMemcpy(&counts, reinterpret_cast<const void *>(at), sizeof counts,
                     cudaMemcpyDeviceToHost));
  return counts;
}

/// Proposition 3.7: 7 log_{6/5} P, of iterations that split n points for P processors. P: as many
/// as there are subproblems of the size that a warp takes, at most Policy::processors.
template <class Policy> double most_iterations(uint64_t n) {
  const uint64_t taken = std::max<uint64_t>(n / Policy::processors + 1, Policy::split_least);
  return 7 * std::log(static_cast<double>(n) / static_cast<double>(taken)) / std::log(1.2);
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
  const std::string table = "Hulls, figure 3.6: iterations of marriage before conquest";
  const double problems = static_cast<double>(counts.independent_problems);
  const double splitting = static_cast<double>(counts.splitting_iterations),
               bound = most_iterations<counted_policy>(job.n);
  EXPECT(splitting <= bound, "%s: %g iterations, more than %g", name.c_str(), splitting, bound);
  out.cell(table, name, "splitting", "", splitting);
  out.cell(table, name, "7 log_{6/5} P", "", bound);
  out.cell(table, name, "subproblems of warps", "", problems);
  out.cell(table, name, "iterations of a warp's subproblem, mean", "",
           problems > 0 ? static_cast<double>(counts.independent_iterations) / problems : 0);
  out.cell(table, name, "most", "", static_cast<double>(counts.longest_independent));
  out.cell(table, name, "vertices", "", static_cast<double>(job.num_vertices()));
}

double median_of_nine(timed_call &call) {
  std::vector<double> times;
  for (int i = 0; i < 9; ++i)
    times.push_back(call.run());
  return quantile(times, 0.5);
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
  std::snprintf(name, sizeof name, "%s, %s, 10^%.0f", shape_names[static_cast<int>(kind)], type,
                std::log10(static_cast<double>(n)));
  alternate(
      out, std::string("hull by marriage before conquest, ") + name, "Gpoints/s", n, "the default",
      [&] { return ours.run(); }, [&] { return usual.run(); });
  const std::string table = "Hulls, figure 3.4: times";
  out.cell(table, name, "marriage before conquest", "ms", median_of_nine(ours));
  out.cell(table, name, "the default", "ms", median_of_nine(usual));
  ours.queue();
  EXPECT(job.is_right(), "%s", name);
  count(out, job, name);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  std::stringstream sizes(option(argc, argv, "--sizes", "100000,1000000,10000000"));
  for (std::string size; std::getline(sizes, size, ',');)
    for (const shape kind : {shape::square, shape::disc, shape::circle, shape::ring})
      run<float>(out, kind, std::stoull(size), "float");
  return out.finish() || gpu_failures() ? 1 : 0;
}
