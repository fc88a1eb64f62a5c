//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// timed_call.hpp: a two-phase call with its storage, ready to be timed; command line.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "bench.hpp"

namespace bench {

class timed_call {
public:
  using function = std::function<cudaError_t(void *d_temp, size_t &temp_bytes)>;

  explicit timed_call(function f) : f_(std::move(f)) {
    CUDA_OK(f_(nullptr, bytes_));
    CUDA_OK(cudaMalloc(&d_temp_, bytes_));
  }
  ~timed_call() { CUDA_OK(cudaFree(d_temp_)); }
  timed_call(const timed_call &) = delete;
  void queue() { CUDA_OK(f_(d_temp_, bytes_)); }
  float run() {
    return milliseconds([&] { queue(); });
  }

private:
  function f_;
  void *d_temp_ = nullptr;
  size_t bytes_ = 0;
};

inline std::string option(int argc, char **argv, const char *name, const char *otherwise) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], name) == 0)
      return argv[i + 1];
  return otherwise;
}

} // namespace bench
