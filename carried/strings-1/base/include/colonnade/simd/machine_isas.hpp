//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// machine_isas.hpp: the instruction sets that this machine runs.
//
// In: the name of one, as begin.hpp gives it. Out: whether its kernels can run here. Invariant: yes
// only if the machine has every extension that begin.hpp lets the compiler use for it; the baseline
// can always run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstring>

namespace colonnade::runtime::detail {

/// "avx512", "avx2", or the baseline, by any other name.
inline bool isa_supported(const char *name) {
#if defined(__x86_64__) || defined(__i386__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (!std::strcmp(name, "avx512"))
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (!std::strcmp(name, "avx2"))
    return avx2;
#endif
  return true;
}

} // namespace colonnade::runtime::detail
