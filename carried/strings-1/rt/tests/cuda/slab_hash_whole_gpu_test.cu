//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Slab hashes as a whole, on the GPU: built from arrays with equal keys in them, flushed, cleared,
// rehashed, counted and read out; maps, sets, multimaps and 64-bit pairs, against maps on the host.
// Lists, which are chains without hashing.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "slab_case.cuh"

#include <colonnade/slab_list.cuh>

#include <map>
#include <string>
#include <unistd.h>

using namespace colonnade;

namespace {

template <class T> std::vector<T> random_keys(uint64_t n, uint32_t different) {
  std::vector<T> all(n);
  for (uint64_t i = 0; i < n; ++i)
    all[i] = static_cast<T>(scramble(i + different) % different) * static_cast<T>(0x9e3779b1u);
  return all;
}
template <class T> std::vector<T> numbers(uint64_t n) {
  std::vector<T> all(n);
  for (uint64_t i = 0; i < n; ++i)
    all[i] = static_cast<T>(i);
  return all;
}

template <class Key> using pairs_of = std::map<std::pair<Key, uint64_t>, uint32_t>;

/// What is read out, and what statistics say; both of what there is.
template <class Map> pairs_of<typename Map::key_type> read_all(const Map &map) {
  using key = typename Map::key_type;
  using value = typename Map::value_type;
  slab_statistics now;
  CUDA_OK(map.statistics(now));
  const uint64_t n = now.num_pairs;
  const device_array<key> keys(n);
  const device_array<value> values(n);
  const device_array<uint64_t> count(1);
  const device_array<device_status> status(std::vector<device_status>(1));
  const auto retrieve = [&](uint64_t capacity) {
    call_twice([&](void *d_temp, size_t &bytes) {
      return map.retrieve_all_async(d_temp, bytes, keys.get(), values.get(), capacity, count.get(),
                                    {nullptr, status.get()});
    });
  };
  retrieve(n);
  EXPECT(count.read()[0] == n && status.read()[0].ok(), "%llu pairs",
         static_cast<unsigned long long>(count.read()[0]));
  keys.expect_intact("keys");
  values.expect_intact("values");
  pairs_of<key> all;
  const std::vector<key> k = keys.read();
  const std::vector<value> v = values.read();
  for (uint64_t i = 0; i < n; ++i)
    if constexpr (std::is_same_v<value, no_value>)
      ++all[{k[i], 0}];
    else
      ++all[{k[i], v[i]}];
  if (n) {
    retrieve(n - 1);
    const device_status said = status.read()[0];
    EXPECT(said.error() == data_error::buffer_too_small && said.detail() == n, "no room for one");
  }
  return all;
}
template <class Key, bool Multiple>
pairs_of<Key> pairs_of_arrays(const std::vector<Key> &keys, uint64_t begin, uint64_t end) {
  pairs_of<Key> all;
  std::unordered_map<Key, uint64_t> last;
  for (uint64_t i = begin; i < end; ++i) {
    last[keys[i]] = i;
    if (Multiple)
      ++all[{keys[i], i}];
  }
  if (!Multiple)
    for (const auto &[key, i] : last)
      ++all[{key, i}];
  return all;
}

/// To a file and back, at another utilisation; a file that is cut off is refused.
template <class Map> void check_saved(const Map &map) {
  // Tests run side by side.
  const std::string name = "slab_hash_whole_gpu_test." + std::to_string(getpid());
  const char *path = name.c_str();
  pair_file_error file;
  CUDA_OK(map.save(path, file));
  const auto right = read_all(map);
  Map loaded;
  CUDA_OK(Map::load(loaded, path, file, 0.7));
  EXPECT(read_all(loaded) == right, "%zu pairs: loaded", right.size());
  slab_map<uint32_t, uint64_t> other;
  EXPECT((slab_map<uint32_t, uint64_t>::load(other, path, file)) == cudaErrorInvalidValue &&
             file == pair_file_error::other_types,
         "other types");
  std::FILE *opened = std::fopen(path, "r+b");
  EXPECT(opened && std::fseek(opened, 24, SEEK_SET) == 0 && std::fputs("checksum", opened) >= 0 &&
             std::fclose(opened) == 0,
         "to change the file");
  EXPECT(Map::load(loaded, path, file) == cudaErrorInvalidValue && file == pair_file_error::damaged,
         "damaged");
  EXPECT(read_all(loaded) == right, "%zu pairs: after a damaged file", right.size());
  EXPECT(map.save("/there/is/no/such/folder", file) == cudaErrorInvalidValue &&
             file == pair_file_error::not_opened,
         "no folder");
  std::remove(path);
}

/// Builds, erases some, flushes, rehashes and clears.
template <class Map, bool Multiple>
void check_whole(uint64_t n, uint32_t different, uint32_t buckets, uint32_t slabs) {
  using key = typename Map::key_type;
  const std::vector<key> keys = random_keys<key>(n, different);
  const device_array<key> d_keys(keys), d_values(numbers<key>(n));
  typename Map::options_type options;
  options.num_buckets = buckets;
  options.num_slabs = slabs;
  Map map;
  const device_array<device_status> d_status(std::vector<device_status>(1));
  CUDA_OK(Map::build(map, options, d_keys.get(), d_values.get(), n, {nullptr, d_status.get()}));
  EXPECT(d_status.read()[0].ok(), "%llu of %u: the status", static_cast<unsigned long long>(n),
         different);
  const auto right = pairs_of_arrays<key, Multiple>(keys, 0, n);
  EXPECT(read_all(map) == right, "%llu of %u in %u: built", static_cast<unsigned long long>(n),
         different, buckets);
  EXPECT(wide_contents_of(map).slots == wide_contents_of(map).all_pairs.size(), "tombstones");
  device_status status;
  CUDA_OK(map.erase(d_keys.get(), n / 2, status));
  const auto stays = read_all(map);
  slab_statistics before, after;
  CUDA_OK(map.statistics(before));
  CUDA_OK(map.flush_async());
  CUDA_OK(map.statistics(after));
  EXPECT(read_all(map) == stays && after.num_tombstones == 0 && after.num_slabs <= before.num_slabs,
         "%llu of %u in %u: flushed", static_cast<unsigned long long>(n), different, buckets);
  const auto stands = wide_contents_of(map);
  EXPECT(stands.slots == stands.all_pairs.size() && after.num_slabs == buckets + stands.linked,
         "%llu slots, %llu slabs", static_cast<unsigned long long>(stands.slots),
         static_cast<unsigned long long>(after.num_slabs));
  CUDA_OK(map.insert(d_keys.get(), d_values.get(), n / 2, status));
  const auto again = read_all(map);
  CUDA_OK(map.rehash(buckets * 2 + 1, slabs));
  EXPECT(read_all(map) == again, "%llu of %u in %u: rehashed", static_cast<unsigned long long>(n),
         different, buckets);
  if (again.size() > buckets * 30 + 45) {
    EXPECT(map.rehash(buckets, 0) == cudaErrorMemoryAllocation, "no room");
    EXPECT(read_all(map) == again, "no room, but changed");
  }
  check_saved(map);
  CUDA_OK(map.clear_async());
  EXPECT(read_all(map).empty() && wide_contents_of(map).slots == 0, "cleared");
  CUDA_OK(map.insert(d_keys.get(), d_values.get(), n, status));
  EXPECT(status.ok(), "%llu: no room once cleared", static_cast<unsigned long long>(n));
}

struct sum_up {
  unsigned long long *sums;
  __device__ void operator()(uint32_t key, uint32_t value) const {
    atomicAdd(sums, key);
    atomicAdd(sums + 1, value);
  }
};

/// Reserved keys are reported and left out; a pool that is too small is, too; pairs are visited.
void check_reports(uint32_t n) {
  words keys = random_keys<uint32_t>(n, n), values = numbers<uint32_t>(n);
  keys[n / 3] = keys[n / 2] = ~0u;
  const device_array<uint32_t> d_keys(keys), d_values(values);
  const device_array<device_status> status(std::vector<device_status>(1));
  word_map map;
  slab_map_options<uint32_t, uint32_t> options = slab_map_options_for<uint32_t, uint32_t>(n);
  CUDA_OK(word_map::build(map, options, d_keys.get(), d_values.get(), n, {nullptr, status.get()}));
  device_status said = status.read()[0];
  EXPECT(said.error() == slab_error::reserved_key && said.detail() == n / 3, "detail %llu",
         static_cast<unsigned long long>(said.detail()));
  const std::map<uint32_t, uint32_t> all = [&] {
    std::map<uint32_t, uint32_t> last;
    for (uint32_t i = 0; i < n; ++i)
      if (keys[i] != ~0u)
        last[keys[i]] = i;
    return last;
  }();
  unsigned long long key_sum = 0, value_sum = 0;
  for (const auto &[key, value] : all) {
    key_sum += key;
    value_sum += value;
  }
  const device_array<unsigned long long> sums(std::vector<unsigned long long>(2));
  CUDA_OK(map.for_each_async(sum_up{sums.get()}));
  EXPECT(sums.read()[0] == key_sum && sums.read()[1] == value_sum, "visited: %llu, not %llu",
         sums.read()[0], key_sum);
  options.num_buckets = 2;
  options.num_slabs = 3;
  status.write(std::vector<device_status>(1));
  CUDA_OK(word_map::build(map, options, d_keys.get(), d_values.get(), n, {nullptr, status.get()}));
  said = status.read()[0];
  EXPECT(said.error() == slab_error::pool_full &&
             said.detail() + contents_of(map).pairs.size() >= all.size(),
         "%llu were not done", static_cast<unsigned long long>(said.detail()));
  EXPECT(contents_of(map).linked == 3, "slabs are left");
}

void check_set(uint32_t n) {
  using set_type = slab_set<uint32_t>;
  const words keys = random_keys<uint32_t>(n, n / 2 + 1);
  const device_array<uint32_t> d_keys(keys);
  set_type set;
  CUDA_OK(set_type::build(set, slab_set_options_for<uint32_t>(n), d_keys.get(),
                          static_cast<const no_value *>(nullptr), n));
  pairs_of<uint32_t> right;
  for (const uint32_t key : keys)
    right[{key, 0}] = 1;
  EXPECT(read_all(set) == right, "%u keys of a set", n);
}

void check_refused() {
  word_map map;
  const device_array<uint64_t> count(1);
  slab_statistics statistics;
  size_t bytes = 0;
  EXPECT(map.clear_async() == cudaErrorInvalidValue && map.flush_async() == cudaErrorInvalidValue &&
             map.statistics(statistics) == cudaErrorInvalidValue &&
             map.rehash(1, 1) == cudaErrorInvalidValue &&
             map.retrieve_all_async(nullptr, bytes, nullptr, nullptr, 0, count.get()) ==
                 cudaErrorInvalidValue,
         "a map that was not created");
  const uint32_t *none = nullptr;
  const auto five = slab_map_options_for<uint32_t, uint32_t>(5);
  EXPECT(word_map::build(map, five, none, none, 5) == cudaErrorInvalidValue &&
             word_map::from_host(map, five, none, none, 5) == cudaErrorInvalidValue,
         "no keys");
}

/// Chain by chain: those that are flushed lose their tombstones, and no other.
template <class Map> void check_flush_of_some(uint32_t n) {
  using key = typename Map::key_type;
  const uint32_t buckets = n / 20 + 2, first = buckets / 3;
  Map map = new_map<Map>(buckets, n);
  const device_array<key> d_keys(random_keys<key>(n, 4 * n)), d_values(numbers<key>(n));
  device_status status;
  CUDA_OK(map.insert(d_keys.get(), d_values.get(), n, status));
  CUDA_OK(map.erase(d_keys.get(), n / 2, status));
  const auto stays = read_all(map);
  const auto tombstones = [&] {
    slab_statistics now;
    CUDA_OK(map.statistics(now));
    return now.num_tombstones;
  };
  const uint64_t all = tombstones();
  CUDA_OK(map.flush_async(buckets, 5)); // there are none
  EXPECT(tombstones() == all, "%u keys: flushed behind the last chain", n);
  CUDA_OK(map.flush_async(first, 1));
  CUDA_OK(map.flush_async(first + 1, buckets));
  const uint64_t left = tombstones();
  EXPECT(left < all, "%u keys: %llu tombstones of %llu", n, static_cast<unsigned long long>(left),
         static_cast<unsigned long long>(all));
  CUDA_OK(map.flush_async(0, first));
  EXPECT(tombstones() == 0 && (first == 0 || left > 0 || n < 200), "%u keys: tombstones", n);
  EXPECT(read_all(map) == stays, "%u keys: pairs", n);
}

/// Flushing is captured and replayed.
void check_graph(uint32_t n) {
  word_map map = new_map(n / 30 + 1, n);
  const words keys = random_keys<uint32_t>(n, 4 * n);
  const device_array<uint32_t> d_keys(keys), d_values(numbers<uint32_t>(n));
  const device_array<uint8_t> temp(1);
  const device_array<slab_statistics> statistics(1);
  size_t bytes = 1;
  const captured_graph graph([&](cudaStream_t stream) {
    if (const cudaError_t error = map.insert_async(temp.get(), bytes, d_keys.get(), d_values.get(),
                                                   n, nullptr, nullptr, {stream}))
      return error;
    if (const cudaError_t error =
            map.erase_async(temp.get(), bytes, d_keys.get(), n, nullptr, {stream}))
      return error;
    if (const cudaError_t error = map.flush_async({stream}))
      return error;
    return map.statistics_async(statistics.get(), {stream});
  });
  for (int replay = 0; replay < 3; ++replay) {
    graph.replay();
    const slab_statistics now = statistics.read()[0];
    EXPECT(now.num_slabs == n / 30 + 1 && now.num_pairs == 0 && now.num_tombstones == 0,
           "replay %d: %llu slabs", replay, static_cast<unsigned long long>(now.num_slabs));
  }
}

template <class Map> auto pairs_on_host(const Map &map) {
  std::vector<typename Map::key_type> keys;
  std::vector<typename Map::value_type> values;
  CUDA_OK(map.to_host(keys, values));
  std::multimap<typename Map::key_type, typename Map::value_type> all;
  for (size_t i = 0; i < keys.size(); ++i)
    all.insert({keys[i], values[i]});
  return all;
}

/// A list grows, loses tombstones, and is built, saved and loaded.
void check_list(uint32_t n, uint32_t different) {
  using list_type = slab_list<uint32_t, uint32_t>;
  const words keys = random_keys<uint32_t>(n, different), values = numbers<uint32_t>(n);
  const device_array<uint32_t> d_keys(keys), d_values(values), found(n);
  list_type list;
  CUDA_OK(list_type::create(list));
  device_status status;
  CUDA_OK(list.insert_or_assign(d_keys.get(), d_values.get(), n, status));
  EXPECT(status.ok(), "a list grows");
  std::map<uint32_t, uint32_t> last;
  for (uint32_t i = 0; i < n; ++i)
    last[keys[i]] = values[i];
  const auto there = pairs_on_host(list);
  EXPECT(there.size() == last.size(), "%zu keys in a list, %zu right", there.size(), last.size());
  slab_statistics now;
  CUDA_OK(list.statistics(now));
  EXPECT(now.longest_chain == now.num_slabs && now.num_slabs == (last.size() - 1) / 15 + 1,
         "%llu slabs in a list", static_cast<unsigned long long>(now.num_slabs));
  CUDA_OK(list.find(d_keys.get(), found.get(), n, status));
  const words got = found.read();
  for (uint32_t i = 0; i < n; ++i)
    EXPECT(got[i] == there.find(keys[i])->second && keys[got[i]] == keys[i], "key %u", i);
  CUDA_OK(list.erase(d_keys.get(), n / 3, status));
  CUDA_OK(list.flush_async());
  for (uint32_t i = 0; i < n / 3; ++i)
    last.erase(keys[i]);
  CUDA_OK(list.statistics(now));
  EXPECT(now.num_pairs == last.size() && now.num_tombstones == 0 &&
             now.num_slabs == (std::max<size_t>(last.size(), 1) - 1) / 15 + 1,
         "a list after a flush");
  CUDA_OK(list_type::build(list, slab_list_options_for<uint32_t, uint32_t>(n), d_keys.get(),
                           d_values.get(), n));
  const auto built = pairs_on_host(list);
  for (uint32_t i = 0; i < n; ++i)
    last[keys[i]] = values[i];
  EXPECT(std::map(built.begin(), built.end()) == last && built.size() == last.size(), "built");
  const std::string path = "slab_list_gpu_test." + std::to_string(getpid());
  pair_file_error file;
  CUDA_OK(list.save(path.c_str(), file));
  list_type loaded;
  CUDA_OK(list_type::load(loaded, path.c_str(), file));
  EXPECT(pairs_on_host(loaded) == built, "loaded");
  std::remove(path.c_str());
}

template <class Map, bool Multiple> void check_sizes(bool small) {
  check_whole<Map, Multiple>(0, 1, 3, 5);
  check_whole<Map, Multiple>(200, 60, 2, 100);
  check_whole<Map, Multiple>(1000, 3, 40, 400);
  if (small)
    return;
  check_whole<Map, Multiple>(20000, 20000, 1, 6000);
  check_whole<Map, Multiple>(200000, 150000, 20000, 60000);
  check_whole<Map, Multiple>(300000, 1000, 30000, 60000);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  check_sizes<word_map, false>(small);
  check_sizes<slab_map<uint64_t, uint64_t>, false>(small);
  check_sizes<slab_multimap<uint32_t, uint32_t>, true>(small);
  check_reports(small ? 200 : 100000);
  check_set(small ? 200 : 100000);
  check_flush_of_some<word_map>(small ? 300 : 30000);
  check_flush_of_some<slab_multimap<uint64_t, uint64_t>>(small ? 300 : 30000);
  check_graph(small ? 300 : 30000);
  check_list(small ? 100 : 6000, small ? 60 : 1500);
  check_refused();
  return gpu_result("slab hash as a whole");
}
