//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// huge_case.cuh: programmes with more items than 32 bits can count, judged on the GPU.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "device_case.cuh"

/// More than 2^32; with --small a few thousand. Ends the programme, as skipped, where the
/// device has less memory than this many bytes an item.
inline uint64_t huge_number(int argc, char **argv, double bytes_an_item) {
  const uint64_t n = has_option(argc, argv, "--small") ? 5003 : (uint64_t{1} << 32) + 100003;
  size_t free_bytes = 0, all_bytes = 0;
  CUDA_OK(cudaMemGetInfo(&free_bytes, &all_bytes));
  if (static_cast<double>(free_bytes) > static_cast<double>(n) * bytes_an_item)
    return n;
  std::printf("skipped: %zu bytes of device memory are free\n", free_bytes);
  std::exit(77);
}

/// Counts what a kernel finds wrong: kernel<<<blocks, 256>>>(arguments..., counter).
class wrong_counter {
public:
  wrong_counter() : wrong_(std::vector<unsigned long long>(1)) {}
  unsigned long long *get() const { return wrong_.get(); }
  void expect_none(const char *what) const {
    EXPECT(wrong_.read()[0] == 0, "%llu wrong: %s", wrong_.read()[0], what);
    wrong_.write({0});
  }

private:
  device_array<unsigned long long> wrong_;
};
