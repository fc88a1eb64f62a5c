//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Generated CPU code: lanes of every instruction set that this machine has, and serial code.
//
//===----------------------------------------------------------------------===//
#include "back_end.hpp"

#include <cstring>

namespace fuzz {

std::vector<const char *> variants() {
  __builtin_cpu_init();
  std::vector<const char *> isas{"sse2"};
  if (__builtin_cpu_supports("avx2"))
    isas.push_back("avx2");
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
    isas.push_back("avx512");
  isas.push_back("serial"); // of the best of them
  return isas;
}

uint64_t tile(const colonnade::bulk::function_info &info) { return info.cpu_tile; }

std::vector<uint64_t> counts(const colonnade::bulk::function_info &info) {
  const uint64_t w = info.cpu_tile;
  return {1, w - 1, w, w + 1, 3 * w + 5};
}

bool is_exact(const colonnade::bulk::function_info &) { return true; }

colonnade::bulk::status run(const colonnade::bulk::function_info &info, const host_arrays &arrays,
                            colonnade::bulk::layout l, const char *variant) {
  const bool is_serial = !std::strcmp(variant, "serial");
  colonnade::bulk::cpu_launch_options options;
  options.num_threads = arrays.count > 2 * info.cpu_tile ? 2u : 1u;
  options.isa = is_serial ? nullptr : variant;
  options.plan = is_serial ? colonnade::bulk::cpu_plan::serial : colonnade::bulk::cpu_plan::lanes;
  return info.run_cpu(
      {arrays.pointers.data(), arrays.scalars.data(), arrays.cells.data(), arrays.count}, l,
      options);
}

} // namespace fuzz
