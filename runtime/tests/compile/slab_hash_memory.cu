//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory of slab hashes, slab lists and pools, from a resource of the user: if any allocation of a
// call fails, what was there is unchanged; all is given back, on the stream of creation.
//
//===----------------------------------------------------------------------===//

#include "faked_runtime.hpp"

#include <colonnade/slab_list.cuh>

using namespace colonnade;

namespace {

using map_type = slab_map<uint32_t, uint32_t, slab_hash_function, equal_bits, faked::resource>;
using growing_type =
    growing_slab_map<uint32_t, uint32_t, slab_hash_function, equal_bits, faked::resource>;
using list_type = slab_list<uint32_t, uint32_t, equal_bits, faked::resource>;

uint32_t keys[3000], values[3000];
uint64_t counts[3001];
const cudaStream_t stream = faked::stream(1);
device_status status;

slab_map_options<uint32_t, uint32_t> options_of(uint32_t buckets) {
  slab_map_options<uint32_t, uint32_t> options;
  options.num_buckets = buckets;
  options.num_slabs = 5000;
  return options;
}
template <class Map> cudaError_t create(Map &map, uint32_t buckets) {
  return Map::create(map, options_of(buckets), stream, {7});
}

template <class Map, class Call> void check(const char *what, Call call) {
  size_t bytes = 0; // of what was there
  faked::each_failure<Map>(
      what,
      [&](Map &map) {
        CUDA_OK(create(map, 100));
        bytes = map.bytes();
      },
      call, [&](const Map &map) { return map.bytes() == bytes && map.num_slabs() >= 5000; });
}

template <class Map> void check_calls() {
  check<Map>("create", [](Map &map) { return create(map, 50); });
  check<Map>("insert",
             [](Map &map) { return map.insert(keys, values, 3000, status, nullptr, stream); });
  check<Map>("erase", [](Map &map) { return map.erase(keys, 3000, status, nullptr, stream); });
  check<Map>("find",
             [](Map &map) { return map.find(keys, values, 3000, status, nullptr, stream); });
  check<Map>("find_all", [](Map &map) {
    return map.find_all(keys, 3000, counts, values, 3000, status, stream);
  });
  check<Map>("build", [](Map &map) {
    return Map::build(map, options_of(50), keys, values, 3000, {stream}, {7});
  });
  check<Map>("from_host", [](Map &map) {
    return Map::from_host(map, options_of(50), keys, values, 3000, stream, {7});
  });
  check<Map>("rehash", [](Map &map) { return map.rehash(50, 6000, stream); });
  check<Map>("statistics", [](Map &map) {
    slab_statistics now;
    return map.statistics(now, stream);
  });
}

/// A stream that a dictionary has grown on, or was rehashed on, may be gone when the dictionary is.
void check_streams() {
  faked::on = true;
  faked::book = {};
  {
    growing_type map;
    CUDA_OK(create(map, 100));
    CUDA_OK(map.reserve(100000, faked::stream(2)));
    faked::book.freed_on = stream;
  }
  EXPECT(faked::book.live.empty(), "memory that nobody gave back");
  faked::on = false;
}

} // namespace

int main() {
  check_calls<map_type>();
  check_calls<growing_type>();
  check<growing_type>("reserve", [](growing_type &map) { return map.reserve(1u << 20, stream); });
  faked::each_failure<list_type>(
      "a list", [](list_type &) {},
      [](list_type &list) { return list_type::create(list, {}, stream, {7}); },
      [](const list_type &list) { return list.bytes() == 0; });
  check_streams();
  return gpu_result("memory of slab hashes");
}
