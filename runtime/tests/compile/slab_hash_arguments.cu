//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What slab_hash.cuh and slab_alloc.cuh refuse before any CUDA call. (A map whose arguments are
// right cannot be created without a device: calls on maps are refused in slab_hash_gpu_test.)
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/mapped_slab_pool.cuh>
#include <colonnade/slab_list.cuh>

using namespace colonnade;

namespace {

using map_type = slab_map<uint32_t, uint32_t>;
some_memory<uint32_t> keys, values;
some_memory<uint64_t> counts;
some_memory<char> temp;

/// Kernels take refs by value; owners are moved only.
template <class Owner>
constexpr bool is_owner =
    std::is_trivially_copyable_v<typename Owner::ref_type> &&
    !std::is_copy_constructible_v<Owner> && std::is_nothrow_move_constructible_v<Owner>;
static_assert(is_owner<slab_map<uint32_t, uint32_t>> && is_owner<slab_set<uint64_t>> &&
              is_owner<slab_multimap<uint32_t, uint64_t>> &&
              is_owner<growing_slab_map<uint32_t, uint32_t>> &&
              is_owner<slab_list<uint32_t, uint32_t>>);
static_assert(is_owner<light_slab_pool<>> && is_owner<slab_pool<>> && is_owner<mapped_slab_pool<>>);

struct larger {
  __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a < b ? b : a; }
};

cudaError_t create(uint32_t buckets, uint32_t slabs, uint32_t empty = ~0u, uint32_t stone = 5) {
  map_type map;
  slab_map_options<uint32_t, uint32_t> options;
  options.num_buckets = buckets;
  options.num_slabs = slabs;
  options.empty_key = empty;
  options.tombstone_key = stone;
  return map_type::create(map, options);
}

void test_creation() {
  REACHES_CUDA(create(1, 0));
  REFUSED(create(0, 10));
  REFUSED(create(1, light_slab_pool<>::most_slabs + 1));
  REFUSED(create(1, 10, 5));
  slab_list<uint32_t, uint64_t> list;
  REACHES_CUDA(list.create(list));
  slab_list_options<uint32_t, uint64_t> same_keys;
  same_keys.empty_key = same_keys.tombstone_key;
  REFUSED(list.create(list, same_keys));
  REFUSED(list.from_host(list, {}, nullptr, nullptr, 5));
  pair_file_error file;
  REFUSED(list.load(list, "/there/is/no/such/file", file));
  EXPECT(file == pair_file_error::not_opened, "a file that is not there");
  light_slab_pool<> pool;
  REACHES_CUDA(light_slab_pool<>::create(pool, 10));
  REFUSED(light_slab_pool<>::create(pool, light_slab_pool<>::most_slabs + 1));
  slab_pool<> growing;
  REACHES_CUDA(slab_pool<>::create(growing, 10));
  REFUSED(slab_pool<>::create(growing, slab_pool<>::most_slabs + 1));
  REFUSED(growing.reserve(10));
  EXPECT(growing.num_slabs() == 0, "slabs without a device");
}

/// A map that was never created refuses whatever it is asked, also for bytes.
void test_empty_handle() {
  map_type map;
  size_t bytes = 1;
  REFUSED(map.find_async(nullptr, bytes, keys.in(), values.get(), 10));
  REFUSED(map.find_async(temp.get(), bytes, keys.in(), values.get(), 0));
  REFUSED(map.contains_async(temp.get(), bytes, keys.in(), nullptr, 10));
  REFUSED(map.insert_async(temp.get(), bytes, keys.in(), values.in(), 10));
  REFUSED(map.insert_or_assign_async(temp.get(), bytes, keys.in(), values.in(), 10));
  REFUSED(map.erase_async(temp.get(), bytes, keys.in(), 10));
  REFUSED(map.insert_or_apply_async(temp.get(), bytes, keys.in(), values.in(), 10, larger{}));
  REFUSED(map.count_async(temp.get(), bytes, keys.in(), counts.get(), 10));
  REFUSED(map.erase_all_async(temp.get(), bytes, keys.in(), counts.get(), 10));
  REFUSED(map.find_all_async(temp.get(), bytes, keys.in(), 10, counts.get(), values.get(), 10));
  device_status status;
  REFUSED(map.insert_or_apply(keys.in(), values.in(), 10, larger{}, status));
  REFUSED(map.count(keys.in(), counts.get(), 10, status));
  REFUSED(map.erase_all(keys.in(), counts.get(), 10, status));
  REFUSED(map.find_all(keys.in(), 10, counts.get(), values.get(), 10, status));
  REFUSED(map.find(keys.in(), values.get(), 10, status));
  REFUSED(map.contains(keys.in(), nullptr, 10, status));
  REFUSED(map.insert(keys.in(), values.in(), 10, status));
  REFUSED(map.insert_or_assign(keys.in(), values.in(), 10, status));
  REFUSED(map.erase(keys.in(), 10, status));
}

void test_sizing() {
  EXPECT((slab_list_options_for<int, int>(30).num_slabs == 2 &&
          slab_list_options_for<uint64_t, int>(29).num_slabs == 4),
         "slabs of a list");
  for (const double utilisation : {0.05, 0.3, 0.5, 0.55, 0.65, 0.7, 0.8, 0.9}) {
    const auto options = slab_map_options_for<uint32_t, uint32_t>(1u << 24, utilisation);
    const double slabs = double(options.num_buckets) + options.num_slabs;
    const double reached = (1u << 24) * 8.0 / (128 * slabs);
    EXPECT(reached > 0.98 * utilisation && reached < 1.02 * utilisation, "%f: %f", utilisation,
           reached);
  }
  for (const double utilisation : {0.05, 0.3, 0.5, 0.55, 0.65, 0.7, 0.8}) {
    const auto options = slab_map_options_for<uint64_t, uint32_t>(1u << 24, utilisation);
    const double slabs = double(options.num_buckets) + options.num_slabs;
    const double reached = (1u << 24) * 16.0 / (128 * slabs);
    EXPECT(reached > 0.98 * utilisation && reached < 1.02 * utilisation, "wide, %f: %f",
           utilisation, reached);
  }
  const auto none = slab_map_options_for<uint32_t, uint32_t>(0);
  EXPECT(none.num_buckets >= 1, "no chain for no pairs");
}

} // namespace

int main() {
  require_no_gpu();
  test_creation();
  test_empty_handle();
  test_sizing();
  return gpu_result("arguments of slab hash");
}
