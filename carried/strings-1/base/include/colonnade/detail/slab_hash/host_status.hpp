//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_status.hpp: what operations on arrays report, by threads of the host.
//
// In: reports of several threads. Out: the one with the smallest detail.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/slab_status.hpp>

#include <atomic>

namespace colonnade::detail {

class host_slab_status {
public:
  host_slab_status(device_status known = {}) : first_(known.first) {}

  void report(data_error error, uint64_t detail) {
    const uint64_t report = detail << 8 | static_cast<uint64_t>(error);
    uint64_t known = first_;
    while (report < known && !first_.compare_exchange_weak(known, report)) {
    }
  }
  device_status get() const {
    device_status status;
    status.first = first_;
    return status;
  }

private:
  std::atomic<uint64_t> first_;
};

} // namespace colonnade::detail
