//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk_figure.cu: figures 11 and 12 of "Bulk Execution of Oblivious Algorithms on
// the UMM": what a bulk execution takes by the number of instances p, for the
// sequential function on one CPU core and for the generated kernel in each layout.
//
// In: FUNCTION, the identifier, with its generated code and bench/sequential.cpp;
// usage: bulk_figure N:P…, a size and the most instances of it. Out: CSV lines
// `n,p,way,microseconds`, medians; on a GPU by events around one launch. Invariant:
// at p = 64 each layout's results are the sequential function's, bit by bit.
//
//===----------------------------------------------------------------------===//
#include "../compared_function.hpp"
#include "../generated_interface.hpp"
#include "timing.cuh"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

using namespace colonnade::bulk;

namespace {

constexpr uint64_t first_count = 64;
constexpr uint64_t max_cpu_cells = uint64_t{1} << 26; // of all instances on the CPU
constexpr double most_cpu_seconds = 2;                // of the count before
constexpr int most_runs = 21;
constexpr double seconds_a_point = 0.15;

__global__ void fill(float *cells, uint64_t num_cells) {
  for (uint64_t k = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; k < num_cells;
       k += uint64_t{gridDim.x} * blockDim.x)
    cells[k] = 1.0f + static_cast<float>(k * 2654435761u % 1024) / 1024;
}

/// As many runs as take `seconds_a_point`, one at least; `seconds` is what one takes.
double median(const std::function<double()> &seconds) {
  std::vector<double> times = {seconds()};
  const double wanted = seconds_a_point / std::max(times[0], 1e-9);
  const int runs = static_cast<int>(std::min<double>(most_runs, wanted));
  if (runs > 1)
    times.clear(); // the first was a warm-up
  while (static_cast<int>(times.size()) < runs)
    times.push_back(seconds());
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

class figure {
public:
  figure(int32_t n, uint64_t most) : most_(most) {
    scalars_[0] = bits_of(n);
    n_ = n;
    for (uint32_t a = 0; a < f_.num_arrays; ++a) {
      int64_t cells = 1;
      for (uint32_t d = 0; d < f_.arrays[a].rank; ++d)
        cells *= f_.arrays[a].extent(d, scalars_);
      cells_.push_back(static_cast<uint64_t>(cells));
      d_arrays_.push_back(nullptr);
      check(cudaMalloc(&d_arrays_[a], most * cells_[a] * sizeof(float)));
    }
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
  }
  ~figure() {
    for (void *d_array : d_arrays_)
      check(cudaFree(d_array));
    check(cudaEventDestroy(begin_));
    check(cudaEventDestroy(end_));
  }
  figure(const figure &) = delete;
  figure &operator=(const figure &) = delete;

  void compare() {
    std::vector<std::vector<float>> expected = rows(first_count);
    const std::vector<std::vector<float>> input = expected;
    run_sequential(expected, first_count);
    for (layout l : {layout::row_wise, layout::column_wise}) {
      for (uint32_t a = 0; a < f_.num_arrays; ++a)
        copy_in(a, laid_out(input[a], a, l));
      launch(l, first_count);
      for (uint32_t a = 0; a < f_.num_arrays; ++a)
        if (const auto wanted = laid_out(expected[a], a, l); copied_out(a, wanted) != wanted) {
          std::fprintf(stderr, "%s, n = %d: results differ\n", f_.name, n_);
          std::exit(1);
        }
    }
  }

  void measure() {
    double cpu_seconds = 0;
    for (uint64_t p = first_count; p <= most_; p *= 2) {
      for (uint32_t a = 0; a < f_.num_arrays; ++a)
        fill<<<1024, 256>>>(static_cast<float *>(d_arrays_[a]), p * cells_[a]);
      print(p, "row", median([&] { return launch(layout::row_wise, p); }));
      print(p, "column", median([&] { return launch(layout::column_wise, p); }));
      if (p * cells_[0] > max_cpu_cells || cpu_seconds > most_cpu_seconds)
        continue;
      std::vector<std::vector<float>> memory = rows(p);
      cpu_seconds = median([&] { return run_sequential(memory, p); });
      print(p, "cpu", cpu_seconds);
    }
  }

private:
  void print(uint64_t p, const char *way, double seconds) const {
    std::printf("%d,%llu,%s,%.4f\n", n_, static_cast<unsigned long long>(p), way, seconds * 1e6);
    std::fflush(stdout);
  }

  /// Seconds by events.
  double launch(layout l, uint64_t p) {
    const raw_arguments arguments{d_arrays_.data(), scalars_, cells_.data(), p};
    check(cudaEventRecord(begin_));
    if (const status s = FUNCTION::detail::launch_cuda(arguments, l, nullptr, nullptr); !s.ok()) {
      std::fprintf(stderr, "%s\n", s.message.c_str());
      std::exit(1);
    }
    check(cudaEventRecord(end_));
    check(cudaEventSynchronize(end_));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return static_cast<double>(milliseconds) / 1e3;
  }

  std::vector<std::vector<float>> rows(uint64_t p) const {
    std::vector<std::vector<float>> memory;
    for (uint32_t a = 0; a < f_.num_arrays; ++a) {
      memory.emplace_back(p * cells_[a]);
      for (size_t k = 0; k < memory[a].size(); ++k)
        memory[a][k] = 1.0f + static_cast<float>(k * 2654435761u % 1024) / 1024;
    }
    return memory;
  }

  double run_sequential(std::vector<std::vector<float>> &memory, uint64_t p) const {
    std::vector<void *> arrays;
    std::vector<uint64_t> step;
    for (uint32_t a = 0; a < f_.num_arrays; ++a) {
      arrays.push_back(memory[a].data());
      step.push_back(cells_[a] * sizeof(float));
    }
    const auto begin = std::chrono::steady_clock::now();
    sequential_all(arrays.data(), scalars_, step.data(), p);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  std::vector<float> laid_out(const std::vector<float> &from, uint32_t a, layout l) const {
    if (l == layout::row_wise)
      return from;
    std::vector<float> to(from.size());
    const uint64_t cells = cells_[a], p = from.size() / cells;
    for (uint64_t j = 0; j < p; ++j)
      for (uint64_t i = 0; i < cells; ++i)
        to[i * p + j] = from[j * cells + i];
    return to;
  }
  void copy_in(uint32_t a, const std::vector<float> &from) {
    check(
        cudaMemcpy(d_arrays_[a], from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice));
  }
  std::vector<float> copied_out(uint32_t a, const std::vector<float> &like) const {
    std::vector<float> to(like.size());
    check(cudaMemcpy(to.data(), d_arrays_[a], to.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return to;
  }

  const function_info &f_ = FUNCTION::info();
  uint64_t most_;
  int32_t n_;
  scalar_bits scalars_[1];
  std::vector<uint64_t> cells_;
  std::vector<void *> d_arrays_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

} // namespace

int main(int argc, char **argv) {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  std::printf("# %s\nn,p,way,microseconds\n", properties.name);
  for (int i = 1; i < argc; ++i) {
    const char *colon = std::strchr(argv[i], ':');
    if (!colon) {
      std::fprintf(stderr, "usage: bulk_figure N:P...\n");
      return 2;
    }
    figure of(std::atoi(argv[i]), std::strtoull(colon + 1, nullptr, 10));
    of.compare();
    of.measure();
  }
}
