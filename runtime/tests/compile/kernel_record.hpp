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
// ptxas prints for it; the two meet by the kernel's type, demangled.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <typeinfo>
#include <vector>

namespace colonnade::testing {

struct kernel_record {
  const char *name;
  const char *type; // of kernel_of<the kernel>, mangled
  uint32_t threads; // a block
  size_t dynamic_shared_bytes;
};
using kernel_records = std::vector<kernel_record>;

template <auto Kernel> struct kernel_of {};

template <auto Kernel>
kernel_record record(const char *name, uint32_t threads, size_t dynamic_shared_bytes = 0) {
  return {name, typeid(kernel_of<Kernel>).name(), threads, dynamic_shared_bytes};
}

} // namespace colonnade::testing
