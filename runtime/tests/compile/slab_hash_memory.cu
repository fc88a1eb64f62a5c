//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Memory of slab hashes, slab lists and pools, from a resource of the user: if any allocation of a
// call fails, what was there is unchanged; all is given back, on the stream of creation. Memory of
// the host may end as well: nothing is thrown. Arrays that overlap are refused before anything
// happens. Calls that neither allocate nor wait: slab_hash_asynchronous.cuh.
//
//===----------------------------------------------------------------------===//

#include "../failing_new.hpp"
#include "slab_hash_asynchronous.cuh"
#include "slab_hash_calls.cuh"

namespace {

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
  check<Map>("insert", [](Map &map) {
    return map.insert(keys, values, 3000, status, nullptr, nullptr, stream);
  });
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

/// What a pool can become is decided when it is created, and stays over a rehash.
void check_limits() {
  faked::on = true;
  faked::book = {};
  {
    using pool_type = slab_pool<faked::resource>;
    pool_type pool;
    CUDA_OK(pool_type::create(pool, 10, stream, {}, {7}));
    EXPECT(pool.limit() == (1u << 24) - 1024 && pool.num_slabs() == 1024, "limit %u", pool.limit());
    EXPECT(pool.reserve(1u << 24, stream) == cudaErrorInvalidValue, "more than the limit");
    CUDA_OK(pool_type::create(pool, 10, stream, {}, {7}, 1u << 27));
    EXPECT(pool.limit() >= 1u << 27 && pool.num_slabs() < 1u << 15, "limit %u", pool.limit());
    EXPECT(detail::log2_of_super_blocks(10, pool_type::most_slabs) == 18 &&
               detail::log2_of_super_blocks(1u << 22, 0) == 18 &&
               detail::log2_of_super_blocks(1u << 14, 1u << 24) == 11,
           "super blocks");
    growing_type map;
    auto options = options_of(100);
    options.most_slabs = 1u << 26;
    CUDA_OK(growing_type::create(map, options, stream, {7}));
    const uint32_t slabs = map.num_slabs();
    CUDA_OK(map.rehash(50, 10, stream));
    EXPECT(map.num_slabs() == slabs, "super blocks of another size after a rehash");
    options.most_slabs = ~0u;
    EXPECT(growing_type::create(map, options, stream, {7}) == cudaErrorInvalidValue, "too many");
  }
  EXPECT(faked::book.live.empty(), "memory that nobody gave back");
  faked::on = false;
}

/// As if the kernel of an insertion found the pool full: operations 3 and 7 are not done.
template <class Map> void refuse_two(const cudaLaunchConfig_t &, void **arguments) {
  using table_type = typename Map::ref_type::table_type;
  using arguments_type =
      detail::slab_bulk_arguments<table_type, detail::fixed_operation<slab_operation::insert>,
                                  uint32_t *, uint32_t *, detail::nothing>;
  const auto &reports = static_cast<const arguments_type *>(arguments[0])->reports;
  faked::seen = nullptr;
  reports.full->first = 2 << 8 | static_cast<uint64_t>(slab_error::pool_full);
  if (reports.undone) {
    reports.undone[0] = 3;
    reports.undone[1] = 7;
  }
}
/// What a synchronous insertion has not done it says, whether the pool cannot grow or has no
/// memory.
template <class Map> void check_undone(bool lists) {
  faked::on = true;
  faked::book = {};
  {
    Map map;
    CUDA_OK(create(map, 100));
    std::fill(undone, undone + 5, ~uint64_t{0});
    faked::seen = refuse_two<Map>;
    faked::book.calls = 0;
    faked::book.fail_at = 3; // statuses and a list are there
    const cudaError_t error =
        map.insert(keys, values, 3000, status, nullptr, lists ? undone : nullptr, stream);
    EXPECT(error == cudaErrorMemoryAllocation && status.error() == slab_error::pool_full &&
               status.detail() == 2,
           "a full pool: %s", cudaGetErrorName(error));
    EXPECT(undone[0] == (lists ? 3 : ~uint64_t{0}) && undone[1] == (lists ? 7 : ~uint64_t{0}) &&
               undone[2] == ~uint64_t{0},
           "the list of what was not done");
    faked::book.calls = 0;
    faked::book.fail_at = 1;
    EXPECT(map.insert(keys, values, 3000, status, nullptr, undone, stream) ==
                   cudaErrorMemoryAllocation &&
               status.ok(),
           "nothing was done, and the status says something");
    faked::book.fail_at = ~0u;
  }
  EXPECT(faked::book.live.empty(), "memory that nobody gave back");
  faked::on = false;
}

/// What a call writes overlaps none of its other arrays; what it only reads may be the same.
void check_overlaps() {
  faked::on = true;
  faked::book = {};
  {
    map_type map;
    CUDA_OK(create(map, 100));
    char temp[1024];
    size_t bytes = sizeof temp;
    uint32_t *const k = keys;
    bool *const in_keys = reinterpret_cast<bool *>(k + 5), *const in_values = in_keys + 20;
    uint32_t *const in_counts = reinterpret_cast<uint32_t *>(counts) + 5;
    uint64_t *const in_flags = reinterpret_cast<uint64_t *>(k);
    faked::launches = 0;
    faked::book.calls = 0;
    const auto refused = [](cudaError_t error, const char *call) {
      EXPECT(error == cudaErrorInvalidValue, "%s: %s", call, cudaGetErrorName(error));
      EXPECT(faked::launches == 0 && faked::book.calls == 0, "%s does something", call);
    };
    refused(map.find(k, k + 9, 10, status), "find");
    refused(map.find_async(temp, bytes, k, k, 10), "find_async");
    refused(map.contains(k, in_keys, 10, status), "contains");
    refused(map.contains_async(temp, bytes, k, in_keys, 10), "contains_async");
    refused(map.insert(k, k + 10, 10, status, in_keys), "insert");
    refused(map.insert_or_assign(k, k + 10, 10, status, in_values), "insert_or_assign");
    refused(map.insert_or_apply(k, k, 10, larger{}, status, k + 9), "insert_or_apply");
    refused(map.insert(k, k, 10, status, nullptr, in_flags), "insert, undone");
    refused(map.insert_async(temp, bytes, k, k, 10, nullptr, in_flags, {stream, &status}),
            "insert_async, undone");
    refused(map.erase(k, 10, status, in_keys), "erase");
    refused(map.erase_async(temp, bytes, k, 10, in_keys), "erase_async");
    refused(map.count(in_counts, counts, 4, status), "count");
    refused(map.count_async(temp, bytes, in_counts, counts, 4), "count_async");
    refused(map.erase_all(in_counts, counts, 4, status), "erase_all");
    refused(map.find_all(k, 4, counts, k + 3, 9, status), "find_all");
    refused(map.find_all_async(temp, bytes, k, 4, counts, in_counts, 9), "find_all_async");
    refused(map.retrieve_all_async(temp, bytes, k, k + 4, 5, counts), "retrieve_all");
    CUDA_OK(map.insert(k, k, 10, status));
  }
  faked::on = false;
}

/// Pairs of 16 bytes on a GPU that cannot change them: nothing is launched, and all is given back.
template <class Map, class Call> void not_supported(const char *what, Map &map, Call call) {
  faked::launches = 0;
  const cudaError_t error = call(map);
  EXPECT(error == cudaErrorNotSupported && faked::launches == 0, "%s on sm_80: %s", what,
         cudaGetErrorName(error));
}
void check_older_gpu() {
  using wide_map = slab_map<uint64_t, uint32_t, slab_hash_function, equal_bits, faked::resource>;
  faked::on = true;
  faked::book = {};
  faked::device = 1;
  faked::ptx_version = 80;
  {
    wide_map map;
    slab_map_options<uint64_t, uint32_t> options;
    options.num_buckets = options.num_slabs = 10;
    CUDA_OK(wide_map::create(map, options, stream, {7}));
    char temp[1024];
    size_t bytes = sizeof temp;
    const auto check = [&](const char *what, auto call) { not_supported(what, map, call); };
    check("find", [&](auto &m) { return m.find(wide_keys, values, 10, status); });
    check("contains", [&](auto &m) { return m.contains(wide_keys, flags, 10, status); });
    check("insert", [&](auto &m) { return m.insert(wide_keys, values, 10, status); });
    check("insert_async",
          [&](auto &m) { return m.insert_async(temp, bytes, wide_keys, values, 10); });
    check("insert_or_assign",
          [&](auto &m) { return m.insert_or_assign(wide_keys, values, 10, status); });
    check("insert_or_apply",
          [&](auto &m) { return m.insert_or_apply(wide_keys, values, 10, larger{}, status); });
    check("erase", [&](auto &m) { return m.erase(wide_keys, 10, status); });
    check("count", [&](auto &m) { return m.count(wide_keys, counts, 10, status); });
    check("erase_all", [&](auto &m) { return m.erase_all(wide_keys, counts, 10, status); });
    check("find_all",
          [&](auto &m) { return m.find_all(wide_keys, 10, counts, values, 10, status); });
    CUDA_OK(map.clear_async());
    map_type narrow;
    CUDA_OK(create(narrow, 100));
    CUDA_OK(narrow.insert(keys, values, 10, status));
  }
  EXPECT(faked::book.live.empty(), "memory that nobody gave back");
  faked::device = 0;
  faked::ptx_version = 90;
  faked::on = false;
}

/// A driver that refuses memory at each of its calls in turn: creation and growth leave what was
/// there, and work later; all is given back.
void check_mapped_pool() {
  using pool_type = mapped_slab_pool<>;
  namespace driver = faked::driver;
  faked::on = true;
  const auto is_clean = [] {
    return driver::ranges.empty() && driver::mapped == 0 && driver::handles == 0;
  };
  const auto refused = [](cudaError_t error, const char *call, uint32_t k) {
    EXPECT(!error || error == cudaErrorMemoryAllocation, "%s, call %u: %s", call, k,
           cudaGetErrorName(error));
    return error != cudaSuccess;
  };
  uint32_t failures = 0;
  for (uint32_t k = 1; k < 30; ++k) {
    pool_type pool;
    driver::calls = 0;
    driver::fail_at = k;
    if (refused(pool_type::create(pool, 20000, stream), "create", k)) {
      ++failures;
      EXPECT(is_clean() && pool.num_slabs() == 0, "call %u: something is left", k);
      driver::fail_at = ~0u;
      CUDA_OK(pool_type::create(pool, 20000, stream));
    }
    const uint32_t slabs = pool.num_slabs();
    driver::calls = 0;
    driver::fail_at = k;
    if (refused(pool.reserve(200000, stream), "reserve", k)) {
      ++failures;
      EXPECT(pool.num_slabs() == slabs, "call %u: %u slabs", k, pool.num_slabs());
      driver::fail_at = ~0u;
      CUDA_OK(pool.reserve(200000, stream));
    }
    EXPECT(pool.num_slabs() >= 200000 && pool.limit() == 1u << 19, "%u slabs", pool.num_slabs());
    driver::fail_at = ~0u;
    EXPECT(pool.grow(1u << 20, stream) == cudaSuccess && pool.num_slabs() == pool.limit(),
           "grows to its limit");
    EXPECT(pool.grow(1, stream) == cudaErrorMemoryAllocation, "grows beyond its limit");
  }
  EXPECT(failures >= 8, "the driver refused %u times", failures);
  EXPECT(is_clean(), "memory that nobody gave back");
  faked::on = false;
}

/// The error of a call that memory of the host ends in, after `allocations`.
template <class Call> cudaError_t without_host_memory(int64_t allocations, const Call &call) {
  cudaError_t error = cudaSuccess;
  EXPECT(!testing::runs_out(allocations, [&] { error = call(); }), "something was thrown");
  return error;
}
/// A pool that cannot note what it has reserved reserves nothing, which kernels would know of.
void check_host_memory_of_reserve() {
  faked::on = true;
  faked::book = {};
  {
    growing_type map;
    CUDA_OK(create(map, 100));
    const uint32_t slabs = map.num_slabs();
    const auto before = faked::book.live;
    faked::launches = 0;
    EXPECT(without_host_memory(0, [&] { return map.reserve(1u << 20, stream); }) ==
               cudaErrorMemoryAllocation,
           "reserve without memory");
    EXPECT(map.num_slabs() == slabs && faked::book.live == before && faked::launches == 0,
           "reserve without memory does something");
    CUDA_OK(map.reserve(1u << 20, stream));
  }
  EXPECT(faked::book.live.empty(), "memory that nobody gave back");
  faked::on = false;
}
void check_host_memory_of_copies() {
  faked::on = true;
  faked::book = {};
  {
    detail::device_pairs<uint32_t, uint32_t, faked::resource> pairs;
    CUDA_OK(pairs.allocate(1000, stream, {7}));
    *pairs.count = 1000;
    for (const int64_t allocations : {0, 1}) {
      std::vector<uint32_t> to_keys, to_values;
      EXPECT(without_host_memory(allocations,
                                 [&] { return pairs.to_host(to_keys, to_values, stream); }) ==
                 cudaErrorMemoryAllocation,
             "to_host without memory");
    }
  }
  faked::on = false;
  const char *path = "slab_hash_memory.pairs";
  EXPECT(write_pairs(path, keys, 4, values, 4, 3000) == pair_file_error::none, "a file");
  pair_file_error file;
  uint32_t failures = 0;
  const auto load = [&] {
    return detail::load_whole<uint32_t, uint32_t>(
        path, file, [](const uint32_t *, const uint32_t *, uint64_t n) {
          return n == 3000 ? cudaSuccess : cudaErrorInvalidValue;
        });
  };
  for (; failures < 10; ++failures) {
    const cudaError_t error = without_host_memory(failures, load);
    EXPECT(file == pair_file_error::none, "a file that is right");
    if (!error)
      break;
    EXPECT(error == cudaErrorMemoryAllocation, "load: %s", cudaGetErrorName(error));
  }
  EXPECT(failures == 2, "load with memory for %u arrays", failures);
  std::remove(path);
}

} // namespace

int main() {
  check_asynchronous_calls<map_type>();
  check_asynchronous_calls<growing_type>();
  check_captured_calls<map_type>();
  check_captured_calls<growing_type>();
  check_captured_reserve();
  check_calls<map_type>();
  check_calls<growing_type>();
  check<growing_type>("reserve", [](growing_type &map) { return map.reserve(1u << 20, stream); });
  faked::each_failure<list_type>(
      "a list", [](list_type &) {},
      [](list_type &list) { return list_type::create(list, {}, stream, {7}); },
      [](const list_type &list) { return list.bytes() == 0; });
  check_streams();
  check_limits();
  for (const bool lists : {false, true}) {
    check_undone<map_type>(lists);
    check_undone<growing_type>(lists);
  }
  check_overlaps();
  check_older_gpu();
  check_mapped_pool();
  check_host_memory_of_reserve();
  check_host_memory_of_copies();
  return gpu_result("memory of slab hashes");
}
