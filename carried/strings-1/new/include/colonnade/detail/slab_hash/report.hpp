//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// report.hpp: what operations on slab hashes tell a status.
//
// In: a status that several calls may share, one after the other or at once. Out: the report in it,
// or one that counts for more. Invariant: pool_full counts, is not replaced, and replaces whatever
// is there; of other reports the one with the smallest detail stays.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>
#include <colonnade/slab_status.hpp>

namespace colonnade::detail {

constexpr COLONNADE_HOST_DEVICE bool is_pool_full(uint64_t status_word) {
  return static_cast<data_error>(status_word & 0xff) == slab_error::pool_full;
}

/// `count` more operations found no slab. How many had before.
template <class Machine>
COLONNADE_KERNEL_CODE uint64_t report_pool_full(const Machine &machine, device_status *status,
                                                uint64_t count) {
  uint64_t known = machine.load_status(&status->first);
  while (!is_pool_full(known)) {
    const uint64_t first = count << 8 | static_cast<uint64_t>(slab_error::pool_full);
    const uint64_t found = machine.compare_exchange(&status->first, known, first);
    if (found == known)
      return 0;
    known = found;
  }
  return machine.take_global(&status->first, count << 8) >> 8;
}

/// Any other error.
template <class Machine>
COLONNADE_KERNEL_CODE void report_beside_pool_full(const Machine &machine, device_status *status,
                                                   data_error error, uint64_t detail) {
  const uint64_t report = detail << 8 | static_cast<uint64_t>(error);
  uint64_t known = machine.load_status(&status->first);
  while (report < known && !is_pool_full(known)) {
    const uint64_t found = machine.compare_exchange(&status->first, known, report);
    if (found == known)
      return;
    known = found;
  }
}

} // namespace colonnade::detail
