//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The chunk scheduler on a GPU: any layout, budget and kind of host memory gives
// the sequential function's bits, and failures name the first instance.
//
//===----------------------------------------------------------------------===//

#include "gpu_test.hpp"
#include "prefix_sums.cuh"

#include <colonnade/bulk/run.hpp>

#include <cstring>
#include <vector>

using namespace colonnade::bulk;

static void fill_rows(float *b, uint64_t cells) {
  for (uint64_t k = 0; k < cells; ++k)
    b[k] = static_cast<float>(scramble(k) % 100000) / 777.0f;
}

static void check(uint64_t p, int32_t n, layout l, uint64_t budget, bool pinned,
                  uint64_t failing = UINT64_MAX, unsigned devices = 1) {
  const uint64_t cells = p * static_cast<uint64_t>(n);
  std::vector<float> plain(pinned ? 0 : cells), expected(cells);
  float *b = plain.data();
  if (pinned)
    CUDA_OK(cudaMallocHost(&b, cells * sizeof(float)));
  fill_rows(b, cells);
  if (failing < p)
    for (uint64_t j = failing; j < p; j += 1000)
      b[j * static_cast<uint64_t>(n)] = -1;
  std::memcpy(expected.data(), b, cells * sizeof(float));
  scalar_bits scalars[] = {bits_of(n)};
  for (uint64_t j = 0; j < p; ++j) {
    void *instance[] = {expected.data() + j * static_cast<uint64_t>(n)};
    prefix_sums::sequential(instance, scalars);
  }
  void *arrays[] = {b};
  const uint64_t num_cells[] = {static_cast<uint64_t>(n)};
  run_report report;
  run_options options;
  options.where = target::cuda;
  options.device_layout = l;
  options.device_memory_bytes = budget;
  options.devices = devices;
  options.report = &report;
  const status s = run_rows(prefix_sums::info(), {arrays, scalars, num_cells, p}, options);
  if (failing < p) {
    EXPECT(s.code == status_code::failed_check && s.instance == failing, "instance %llu: %s",
           (unsigned long long)s.instance, s.message.c_str());
  } else {
    EXPECT(s.ok(), "%s", s.message.c_str());
    EXPECT(std::memcmp(expected.data(), b, cells * sizeof(float)) == 0,
           "p %llu, n %d, layout %d, budget %llu, %llu chunks", (unsigned long long)p, n, int(l),
           (unsigned long long)budget, (unsigned long long)report.num_chunks);
  }
  if (pinned)
    CUDA_OK(cudaFreeHost(b));
}

/// All GPUs of the host, and one more.
void check_devices(bool small) {
  int count = 0;
  CUDA_OK(cudaGetDeviceCount(&count));
  for (unsigned devices : {0u, static_cast<unsigned>(count)}) {
    check(small ? 1000 : 100003, 7, layout::tiled, 1 << 18, true, UINT64_MAX, devices);
    check(5000, 8, layout::row_wise, 1 << 18, true, 4321, devices);
  }
  int current = -1;
  CUDA_OK(cudaGetDevice(&current));
  EXPECT(current == 0, "device %d is the current one", current);
  run_options options;
  options.where = target::cuda;
  options.devices = static_cast<unsigned>(count) + 1;
  std::vector<float> b(8);
  void *arrays[] = {b.data()};
  const scalar_bits scalars[1] = {8};
  const uint64_t num_cells[] = {8};
  const status s = run_rows(prefix_sums::info(), {arrays, scalars, num_cells, 1}, options);
  EXPECT(s.code == status_code::invalid_argument, "%s", s.message.c_str());
}

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small"); // for memcheck
  for (layout l : {layout::row_wise, layout::column_wise, layout::tiled})
    for (uint64_t p : {uint64_t{1}, uint64_t{33}, small ? uint64_t{1000} : uint64_t{100003}})
      for (int32_t n : {1, 7, 32})
        for (uint64_t budget : {uint64_t{0}, uint64_t{1} << 18, uint64_t{3} << 20})
          for (bool pinned : {false, true})
            check(p, n, l, budget, pinned);
  check_devices(small);
  check(5000, 8, layout::tiled, 1 << 18, true, 4321);
  check(5000, 8, layout::column_wise, 0, false, 17);
  if (!small)
    check(20000003, 3, layout::tiled, 0, false); // more than 65535 blocks
  return gpu_result("scheduler");
}
