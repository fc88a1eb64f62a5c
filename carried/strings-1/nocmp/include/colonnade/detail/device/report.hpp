//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// report.hpp: reports errors in the data to the caller's status (device_status.hpp).
//
// In: an error, and its detail: an index or a size. Out: the status. Invariant: of all errors that
// any thread reports, the one with the smallest detail stays, so it is the same on every run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>
#include <colonnade/device_status.hpp>

namespace colonnade::detail {

/// Of several errors the one with the smallest detail stays. `status` is not null.
template <class Machine>
COLONNADE_KERNEL_CODE void report_error(const Machine &machine, device_status *status,
                                        data_error error, uint64_t detail) {
  machine.min_global(&status->first, detail << 8 | static_cast<uint64_t>(error));
}

} // namespace colonnade::detail
