//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_bench_parts.hpp: the parts of lsm_bench, a file each.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "bench.hpp"

namespace bench {

/// n elements batch by batch.
void measure_insertion(report &out, uint64_t n, int runs);
/// In up to n elements.
void measure_find(report &out, uint64_t n, int runs);
void measure_ranges(report &out, uint64_t n);
void measure_cleanup(report &out, int runs);
/// 64-bit pairs beside 32-bit ones.
void measure_wide(report &out, uint64_t inserted, uint64_t queried, int runs);

} // namespace bench
