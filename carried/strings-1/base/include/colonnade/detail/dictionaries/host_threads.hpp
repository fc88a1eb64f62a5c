//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_threads.hpp: shares the items of an array among threads of the CPU.
//
// In: how many items, and how many threads at most (0: as many as there are cores). Out: every item
// is done once. Invariant: items of one thread are done in order; few items are one thread's. Where
// no thread can be had, this one does what it would have done; the first exception of any part is
// thrown here, when all parts have ended.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace colonnade::detail {

/// How many threads that is.
inline uint64_t host_parts(uint64_t num_items, uint32_t threads) {
  const uint32_t cores = std::max(1u, std::thread::hardware_concurrency());
  return std::clamp<uint64_t>(num_items / 1000, 1, threads ? threads : cores);
}
/// part(p) for p from 0 to num_parts - 1, each by a thread of its own.
template <class Part> void each_host_part(uint64_t num_parts, const Part &part) {
  std::exception_ptr thrown;
  std::mutex throwing;
  const auto run = [&](uint64_t p) {
    try {
      part(p);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(throwing);
      if (!thrown)
        thrown = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  try {
    others.reserve(num_parts - 1);
    while (others.size() + 1 < num_parts)
      others.emplace_back(run, others.size() + 1);
  } catch (const std::exception &) { // no memory, or no thread
  }
  for (uint64_t p = others.size() + 1; p < num_parts; ++p)
    run(p);
  run(0);
  for (std::thread &t : others)
    t.join();
  if (thrown)
    std::rethrow_exception(thrown);
}
/// each(i) for i from 0 to num_items - 1.
template <class Each> void share_items(uint64_t num_items, uint32_t threads, const Each &each) {
  const uint64_t parts = host_parts(num_items, threads);
  each_host_part(parts, [&](uint64_t p) {
    for (uint64_t i = num_items * p / parts; i < num_items * (p + 1) / parts; ++i)
      each(i);
  });
}

} // namespace colonnade::detail
