//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// allowed_devices.hpp: on which devices a kernel has been allowed what it needs (shared memory
// above 48 KiB, clusters of more than 8 blocks), so that it is asked for once.
//
// nvcc gives a kernel template a handle in every translation unit that starts it, and what is
// allowed one handle is not allowed another. But a static of an inline function, where this stands,
// is one for the whole programme. So it remembers which handle it speaks of.
//
// In: a kernel's handle and a device's number. Out: whether that was noted. Invariant: nothing is
// known that was not noted for this very handle; of more than `most_handles` handles, and of
// devices from 64 on, nothing ever is, and the caller asks every time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <cstdint>

namespace colonnade::detail {

class allowed_devices {
public:
  static constexpr int most_handles = 8;

  bool has(const void *kernel, int device) const {
    for (const entry &e : entries_)
      if (e.kernel.load() == kernel)
        return (e.devices.load() & bit(device)) != 0;
    return false;
  }
  void add(const void *kernel, int device) {
    for (entry &e : entries_) {
      const void *noted = nullptr; // an entry is one handle's for ever
      if (e.kernel.compare_exchange_strong(noted, kernel) || noted == kernel) {
        e.devices.fetch_or(bit(device));
        return;
      }
    }
  }

private:
  struct entry {
    std::atomic<const void *> kernel{nullptr};
    std::atomic<uint64_t> devices{0};
  };
  static uint64_t bit(int device) { return device < 64 ? uint64_t{1} << device : 0; }

  entry entries_[most_handles];
};

} // namespace colonnade::detail
