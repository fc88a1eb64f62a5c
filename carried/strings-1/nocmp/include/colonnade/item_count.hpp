//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// item_count.hpp: how many items a call works on: a number, or one that an earlier kernel
// writes to device memory.
//
// In: a number; or a device pointer to it, and the most that it may be, by which storage and
// grids are sized. Out: the number of items, inside kernels. Invariant: never more than the most:
// if there are more, the rest is ignored and the status says how many there are
// (buffer_too_small).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/report.hpp>

#include <cstdint>

namespace colonnade {

struct item_count {
  uint64_t most = 0;                     // the number, or what it is at most
  const uint64_t *d_num_items = nullptr; // null: `most` is the number

  constexpr item_count(uint64_t number) : most(number) {}
  constexpr item_count(const uint64_t *d_number, uint64_t at_most)
      : most(at_most), d_num_items(d_number) {}

  /// The number of items; in kernels that run after the one that writes the number.
  COLONNADE_KERNEL_CODE uint64_t now() const {
    return d_num_items && *d_num_items < most ? *d_num_items : most;
  }
  /// Reports that there are more items than the most. status may be null.
  template <class Machine>
  COLONNADE_KERNEL_CODE void report(const Machine &machine, device_status *status) const {
    if (status && d_num_items && *d_num_items > most)
      detail::report_error(machine, status, data_error::buffer_too_small, *d_num_items);
  }
};

namespace detail {

constexpr uint64_t most_items(uint64_t number) { return number; }
constexpr uint64_t most_items(const item_count &count) { return count.most; }

/// now() and report() for kernels that take a plain number or an item_count.
COLONNADE_KERNEL_CODE uint64_t items_now(uint64_t number) { return number; }
COLONNADE_KERNEL_CODE uint64_t items_now(const item_count &count) { return count.now(); }
template <class Machine>
COLONNADE_KERNEL_CODE void report_count(const Machine &, uint64_t, device_status *) {}
template <class Machine>
COLONNADE_KERNEL_CODE void report_count(const Machine &machine, const item_count &count,
                                        device_status *status) {
  if (machine.block() == 0 && machine.thread() == 0)
    count.report(machine, status);
}

} // namespace detail

} // namespace colonnade
