//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// kernel_record.hpp: what scripts/kernel-budgets has to know of a main kernel and
// the compiler does not say: its name in budgets.json and how it is launched.
//
// Each family has a file FAMILY_kernels.cu that returns its records; naming a
// kernel there instantiates it. Its registers, spills and shared memory are what
// ptxas prints for it; the two meet by the kernel's type, demangled. How it is launched
// depends on the architecture, as the tuning does.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/gpu_architecture.hpp>

#include <cstddef>
#include <cstdint>
#include <typeinfo>
#include <vector>

namespace colonnade::testing {

struct block_record {
  uint32_t threads;
  size_t dynamic_shared_bytes;
};
struct kernel_record {
  const char *name;
  const char *type;                                       // of kernel_of<the kernel>, mangled
  block_record blocks[std::size(gpu_architectures)] = {}; // a block, on each architecture
};
using kernel_records = std::vector<kernel_record>;

template <auto Kernel> struct kernel_of {};

/// block_on(architecture): something with threads and shared_bytes.
template <auto Kernel, class BlockOn> kernel_record record_on(const char *name, BlockOn block_on) {
  kernel_record r{name, typeid(kernel_of<Kernel>).name()};
  for (size_t i = 0; i < std::size(gpu_architectures); ++i) {
    const auto block = block_on(gpu_architectures[i]);
    r.blocks[i] = {block.threads, block.shared_bytes};
  }
  return r;
}
struct block_of_bytes {
  uint32_t threads;
  size_t shared_bytes;
};
/// The same block on all of them.
template <auto Kernel>
kernel_record record(const char *name, uint32_t threads, size_t dynamic_shared_bytes = 0) {
  return record_on<Kernel>(
      name, [&](gpu_architecture) { return block_of_bytes{threads, dynamic_shared_bytes}; });
}

} // namespace colonnade::testing
