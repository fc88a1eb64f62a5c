//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The examples of docs/runtime/lsm.md, compiled and run.
//
//===----------------------------------------------------------------------===//

#include "multisplit_case.cuh"

#include <colonnade/lsm.cuh>

namespace {

using tree = colonnade::lsm_map<uint32_t, float>;

/// Of readings at certain times some are withdrawn; d_offsets[1]: how many of the rest lie between
/// *d_first and *d_last. They are in d_when and d_what, in order, if there are at most n.
cudaError_t readings_between(const uint32_t *d_times, const float *d_readings, uint64_t n,
                             const uint32_t *d_withdrawn, uint64_t num_withdrawn,
                             const uint32_t *d_first, const uint32_t *d_last, uint64_t *d_offsets,
                             uint32_t *d_when, float *d_what) {
  tree log;
  colonnade::lsm_options options;
  options.batch_size = 1 << 16;
  colonnade::device_status status;
  if (const cudaError_t error = tree::create(log, options))
    return error;
  if (const cudaError_t error = log.insert(d_times, d_readings, n, status))
    return error;
  if (const cudaError_t error = log.erase(d_withdrawn, num_withdrawn, status))
    return error;
  return log.range(d_first, d_last, 1, d_offsets, d_when, d_what, n, status);
}

} // namespace

int main() {
  require_gpu();
  const device_array<uint32_t> times(std::vector<uint32_t>{50, 10, 40, 20, 30}),
      withdrawn(std::vector<uint32_t>{50}), first(std::vector<uint32_t>{20}),
      last(std::vector<uint32_t>{1000}), when(5);
  const device_array<float> readings(std::vector<float>{5, 1, 4, 2, 3}), what(5);
  const device_array<uint64_t> offsets(2);
  CUDA_OK(readings_between(times.get(), readings.get(), 5, withdrawn.get(), 1, first.get(),
                           last.get(), offsets.get(), when.get(), what.get()));
  EXPECT(offsets.read()[1] == 3, "those of 20, 30 and 40");
  for (uint32_t i = 0; i < 3; ++i)
    EXPECT(when.read()[i] == 20 + 10 * i && what.read()[i] == static_cast<float>(2 + i), "%u", i);
  return gpu_result("examples of log-structured merge trees");
}
