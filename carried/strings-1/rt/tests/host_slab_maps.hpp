//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_slab_maps.hpp: for tests of slab hashes on the CPU: maps of words and of wide pairs, threads
// that use them at once, and what is in one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/host_slab_hash.hpp>

#include <gtest/gtest.h>

#include <map>
#include <thread>
#include <vector>

namespace colonnade::testing {

using word_map = host_slab_map<uint32_t, uint32_t>;
using wide_map = host_slab_map<uint64_t, uint64_t>;

template <class Map> typename Map::options_type buckets(uint32_t count) {
  typename Map::options_type options;
  options.num_buckets = count;
  return options;
}

template <class Body> void by_threads(uint32_t count, Body body) {
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < count; ++t)
    threads.emplace_back(body, t);
  for (std::thread &t : threads)
    t.join();
}

template <class Map> auto contents(const Map &map) {
  std::map<typename Map::key_type, typename Map::value_type> all;
  map.for_each([&](auto key, auto value) {
    EXPECT_TRUE(all.insert({key, value}).second) << key << " stands there twice";
  });
  return all;
}

} // namespace colonnade::testing
