//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Asynchronous calls of slab hashes neither allocate nor wait; others are refused where a stream is
// captured.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "slab_hash_calls.cuh"

#include <vector>

namespace {

struct larger {
  __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a < b ? b : a; }
};
struct nothing_of {
  __device__ void operator()(uint32_t, uint32_t) const {}
};

template <class Map> void check_asynchronous_calls() {
  faked::on = true;
  faked::book = {};
  Map map;
  CUDA_OK(create(map, 100));
  const run_options on{faked::stream(3), &status};
  const auto check = [](const char *what, auto call) { faked::expect_asynchronous(what, call); };
  check("find", [&](void *temp, size_t &bytes) {
    return map.find_async(temp, bytes, keys, values, 3000, flags, on);
  });
  check("contains", [&](void *temp, size_t &bytes) {
    return map.contains_async(temp, bytes, keys, flags, 3000, on);
  });
  check("insert", [&](void *temp, size_t &bytes) {
    return map.insert_async(temp, bytes, keys, values, 3000, flags, undone, on);
  });
  check("insert_or_assign", [&](void *temp, size_t &bytes) {
    return map.insert_or_assign_async(temp, bytes, keys, values, 3000, flags, undone, on);
  });
  check("insert_or_apply", [&](void *temp, size_t &bytes) {
    return map.insert_or_apply_async(temp, bytes, keys, values, 3000, larger{}, nullptr, flags,
                                     undone, on);
  });
  check("erase", [&](void *temp, size_t &bytes) {
    return map.erase_async(temp, bytes, keys, 3000, flags, on);
  });
  check("count", [&](void *temp, size_t &bytes) {
    return map.count_async(temp, bytes, keys, counts, 3000, on);
  });
  check("erase_all", [&](void *temp, size_t &bytes) {
    return map.erase_all_async(temp, bytes, keys, counts, 3000, on);
  });
  check("find_all", [&](void *temp, size_t &bytes) {
    return map.find_all_async(temp, bytes, keys, 3000, counts, values, 3000, on);
  });
  slab_statistics now;
  faked::expect_queued("clear", [&] { return map.clear_async(on); });
  faked::expect_queued("flush", [&] { return map.flush_async(on); });
  faked::expect_queued("statistics", [&] { return map.statistics_async(&now, on); });
  faked::expect_queued("for_each", [&] { return map.for_each_async(nothing_of{}, on); });
  check("retrieve_all", [&](void *temp, size_t &bytes) {
    return map.retrieve_all_async(temp, bytes, keys, values, 3000, counts, on);
  });
  faked::on = false;
}

template <class Map> void check_captured_calls() {
  faked::on = true;
  faked::book = {};
  {
    Map map;
    CUDA_OK(create(map, 100));
    slab_statistics now;
    std::vector<uint32_t> some;
    const auto check = [](const char *what, auto call) { faked::expect_not_captured(what, call); };
    check("create", [&] { return create(map, 50); });
    check("find", [&] { return map.find(keys, values, 10, status, nullptr, stream); });
    check("contains", [&] { return map.contains(keys, flags, 10, status, stream); });
    check("insert", [&] { return map.insert(keys, values, 10, status, nullptr, nullptr, stream); });
    check("insert_or_assign",
          [&] { return map.insert_or_assign(keys, values, 10, status, nullptr, nullptr, stream); });
    check("insert_or_apply", [&] {
      return map.insert_or_apply(keys, values, 10, larger{}, status, nullptr, nullptr, nullptr,
                                 stream);
    });
    check("erase", [&] { return map.erase(keys, 10, status, nullptr, stream); });
    check("count", [&] { return map.count(keys, counts, 10, status, stream); });
    check("erase_all", [&] { return map.erase_all(keys, counts, 10, status, stream); });
    check("find_all", [&] { return map.find_all(keys, 10, counts, values, 10, status, stream); });
    check("build",
          [&] { return Map::build(map, options_of(50), keys, values, 10, {stream}, {7}); });
    check("from_host",
          [&] { return Map::from_host(map, options_of(50), keys, values, 10, stream, {7}); });
    check("to_host", [&] { return map.to_host(some, some, stream); });
    check("rehash", [&] { return map.rehash(50, 100, stream); });
    check("statistics", [&] { return map.statistics(now, stream); });
  }
  EXPECT(faked::book.live.empty(), "memory that nobody gave back");
  faked::on = false;
}
/// Also where there is room already, so that nothing would be reserved.
void check_captured_reserve() {
  faked::on = true;
  faked::book = {};
  {
    growing_type map;
    CUDA_OK(create(map, 100));
    for (const uint32_t slabs : {10u, 100000u})
      faked::expect_not_captured("reserve", [&] { return map.reserve(slabs, stream); });
  }
  faked::on = false;
}

} // namespace
