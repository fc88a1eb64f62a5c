//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// device_resources.hpp: owns the memory, streams and events that one run takes of a device.
//
// In: a device, and requests for memory, streams and events. Out: each of them, or the
// device's failure. Invariant: at the end all work on the device is finished first, then
// everything is given back; so nothing is freed that a kernel or a copy still uses.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/device.hpp>

#include <cstdint>
#include <vector>

namespace colonnade::runtime::detail {

class device_resources {
public:
  explicit device_resources(device &d) : device_(d) {}
  device_resources(const device_resources &) = delete;
  device_resources &operator=(const device_resources &) = delete;
  ~device_resources() {
    (void)device_.synchronize(); // the first failure has been reported already
    for (device::event e : events_)
      device_.destroy_event(e);
    for (device::stream s : streams_)
      device_.destroy_stream(s);
    for (void *memory : pinned_)
      device_.release_pinned(memory);
    for (void *memory : memory_)
      device_.release(memory);
  }

  status allocate(uint64_t bytes, char **result) {
    void *memory = nullptr;
    if (status s = device_.allocate(bytes, &memory); !s)
      return s;
    memory_.push_back(memory);
    *result = static_cast<char *>(memory);
    return status::success();
  }
  status allocate_pinned(uint64_t bytes, void **result) {
    if (status s = device_.allocate_pinned(bytes, result); !s)
      return s;
    pinned_.push_back(*result);
    return status::success();
  }
  status create_stream(device::stream *result) {
    if (status s = device_.create_stream(result); !s)
      return s;
    streams_.push_back(*result);
    return status::success();
  }
  status create_event(device::event *result) {
    if (status s = device_.create_event(result); !s)
      return s;
    events_.push_back(*result);
    return status::success();
  }

private:
  device &device_;
  std::vector<void *> memory_, pinned_;
  std::vector<device::stream> streams_;
  std::vector<device::event> events_;
};

} // namespace colonnade::runtime::detail
