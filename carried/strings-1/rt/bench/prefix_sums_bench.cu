//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Prefix sums of n = 32 floats for p = 8M instances, by layout, against the
// device's copy bandwidth; and the chunked pipeline from pinned memory against
// its longest stage. Targets: column-wise >= 0.7 and >= 5 times row-wise; the
// pipeline takes <= 1.15 times max(copy-in, kernel, copy-out), so that its ratio
// here is >= 0.87.
//
//===----------------------------------------------------------------------===//

#include "../tests/cuda/prefix_sums.cuh"
#include "bench.hpp"

#include <colonnade/bulk/run.hpp>

#include <chrono>

using namespace colonnade::bulk;

static void check_ok(const status &s) {
  if (s.ok())
    return;
  std::printf("%s\n", s.message.c_str());
  std::exit(1);
}

static void layouts(bench::report &out, uint64_t p, int32_t n) {
  const uint64_t bytes = (p + 31) / 32 * 32 * static_cast<uint64_t>(n) * sizeof(float);
  void *d_b = bench::random_memory(bytes);
  void *arrays[] = {d_b};
  const scalar_bits scalars[] = {bits_of(n)};
  const uint64_t cells[] = {static_cast<uint64_t>(n)};
  const raw_arguments arguments{arrays, scalars, cells, p};
  const char *names[] = {"row-wise", "column-wise", "tiled"};
  for (layout l : {layout::row_wise, layout::column_wise, layout::tiled})
    bench::against_copy(out,
                        std::string("prefix sums, ") + names[int(l)] +
                            ", n = " + std::to_string(n) + ", p = " + std::to_string(p),
                        2.0 * static_cast<double>(p) * n * sizeof(float), [&] {
                          check_ok(prefix_sums::launch_cuda(arguments, l, nullptr, nullptr));
                        });
  CUDA_OK(cudaFree(d_b));
}

static double seconds(const std::function<void()> &work) {
  CUDA_OK(cudaDeviceSynchronize());
  const auto begin = std::chrono::steady_clock::now();
  work();
  CUDA_OK(cudaDeviceSynchronize());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The stages alone, each over the whole problem at once, and all of them piped.
static void pipeline(bench::report &out, uint64_t p, int32_t n, uint64_t budget) {
  const uint64_t bytes = p * static_cast<uint64_t>(n) * sizeof(float);
  float *pinned = nullptr;
  CUDA_OK(cudaMallocHost(&pinned, bytes));
  for (uint64_t k = 0; k < bytes / sizeof(float); ++k)
    pinned[k] = 1.0f + static_cast<float>(k % 1021) / 1024;
  void *d_rows = bench::random_memory(bytes), *d_laid = bench::random_memory(bytes);
  const scalar_bits scalars[] = {bits_of(n)};
  const uint64_t cells[] = {static_cast<uint64_t>(n)};
  void *d_arrays[] = {d_laid}, *arrays[] = {pinned};
  run_options options;
  options.where = target::cuda;
  options.device_memory_bytes = budget;
  run_report report;
  options.report = &report;
  std::vector<double> ours, limit;
  for (int i = 0; i < bench::warm_ups + bench::pairs; ++i) {
    const double in = seconds(
        [&] { CUDA_OK(cudaMemcpyAsync(d_rows, pinned, bytes, cudaMemcpyHostToDevice, nullptr)); });
    const double kernel = seconds([&] {
      CUDA_OK(transpose_to_layout(layout::tiled, 32, d_rows, d_laid, p, n, sizeof(float)));
      check_ok(
          prefix_sums::launch_cuda({d_arrays, scalars, cells, p}, layout::tiled, nullptr, nullptr));
      CUDA_OK(transpose_to_rows(layout::tiled, 32, d_laid, d_rows, p, n, sizeof(float)));
    });
    const double back = seconds(
        [&] { CUDA_OK(cudaMemcpyAsync(pinned, d_rows, bytes, cudaMemcpyDeviceToHost, nullptr)); });
    const double all = seconds(
        [&] { check_ok(run_rows(prefix_sums::info(), {arrays, scalars, cells, p}, options)); });
    if (i < bench::warm_ups)
      continue;
    ours.push_back(static_cast<double>(p) / all);
    limit.push_back(static_cast<double>(p) / std::max({in, kernel, back}));
  }
  out.add("prefix sums piped from pinned memory, n = " + std::to_string(n) +
              ", p = " + std::to_string(p) + ", " + std::to_string(report.num_chunks) + " chunks",
          "instances/s", "max(copy-in, kernel, copy-out)", ours, limit);
  CUDA_OK(cudaFreeHost(pinned));
  CUDA_OK(cudaFree(d_rows));
  CUDA_OK(cudaFree(d_laid));
}

int main(int argc, char **argv) {
  require_gpu();
  bench::report out(argc, argv);
  layouts(out, uint64_t{8} << 20, 32);
  layouts(out, 8388617, 32);
  pipeline(out, uint64_t{16} << 20, 32, 0);
  pipeline(out, uint64_t{16} << 20, 32, uint64_t{256} << 20);
  pipeline(out, uint64_t{64} << 20, 32, 0);
  pipeline(out, uint64_t{32} << 10, 32768, 0); // few long instances
  return out.finish();
}
