//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// timing.cuh: how long work on the device takes, by events.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Ends the programme with a message if there is an error.
inline void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

/// Seconds of one run, by events.
template <class Work> double seconds_between(Work work) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin));
  work();
  check(cudaEventRecord(end));
  check(cudaEventSynchronize(end));
  check(cudaGetLastError());
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  return static_cast<double>(milliseconds) / 1e3;
}

/// The median of so many runs, in seconds; one more before them warms up.
template <class Work> double median_seconds(int runs, Work work) {
  seconds_between(work);
  std::vector<double> times;
  for (int run = 0; run < runs; ++run)
    times.push_back(seconds_between(work));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}
