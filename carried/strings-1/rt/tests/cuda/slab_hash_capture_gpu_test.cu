//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_hash.cuh while a stream is captured: all asynchronous calls in one graph, which is replayed
// with other keys; a full pool, whose status counts from replay to replay; synchronous calls, which
// are refused and change nothing.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "slab_case.cuh"

#include <unistd.h>

using namespace colonnade;

namespace {

struct add {
  __host__ __device__ uint32_t operator()(uint32_t old, uint32_t given) const {
    return old + given;
  }
};
struct count_visits {
  unsigned long long *visits;
  __device__ void operator()(uint32_t, uint32_t) const { atomicAdd(visits, 1ull); }
};

words distinct_keys(uint32_t n, uint32_t seed) {
  words keys(n);
  for (uint32_t i = 0; i < n; ++i)
    keys[i] = (i + seed * n) * 2654435761u >> 1;
  return keys;
}
words values_of(const words &keys) {
  words values;
  for (const uint32_t key : keys)
    values.push_back(key ^ 0x5555u);
  return values;
}

/// Temporary storage that is enough for each call; find_all of a multimap takes most.
size_t bytes_of_calls(uint32_t n) { return 24 * (size_t{n} + 2048); }

/// What calls take and write.
struct arrays {
  explicit arrays(uint32_t count)
      : n(count), keys(n), values(n), found(n), all_keys(n), all_values(n), old(n), there(n),
        gone(n), counts(n), offsets(n + 1), total(1), visits(1), status(1), statistics(1),
        temp(bytes_of_calls(n)) {}
  bool *was_there() const { return reinterpret_cast<bool *>(there.get()); }
  bool *was_erased() const { return reinterpret_cast<bool *>(gone.get()); }

  uint32_t n;
  device_array<uint32_t> keys, values, found, all_keys, all_values, old;
  device_array<uint8_t> there, gone;
  device_array<uint64_t> counts, offsets, total;
  device_array<unsigned long long> visits;
  device_array<device_status> status;
  device_array<slab_statistics> statistics;
  device_array<char> temp;
};

/// Runs the calls one after the other, as far as they succeed.
template <class... Calls> cudaError_t one_by_one(Calls... calls) {
  cudaError_t error = cudaSuccess;
  ((error = error ? error : calls()), ...);
  return error;
}

/// Half of the keys are erased in the end, all are gone after clear.
void check_map(uint32_t n) {
  word_map map = new_map(n / 9 + 1, n / 5 + 100);
  const arrays a(n);
  size_t bytes = bytes_of_calls(n);
  void *temp = a.temp.get();
  const captured_graph graph([&](cudaStream_t s) {
    const run_options run{s, a.status.get()};
    return one_by_one(
        [&] { return map.clear_async({s}); },
        [&] {
          return map.insert_async(temp, bytes, a.keys.get(), a.keys.get(), n, nullptr, nullptr,
                                  run);
        },
        [&] {
          return map.insert_or_assign_async(temp, bytes, a.keys.get(), a.values.get(), n,
                                            a.was_there(), nullptr, run);
        },
        [&] {
          return map.insert_or_apply_async(temp, bytes, a.keys.get(), a.values.get(), n, add{},
                                           a.old.get(), nullptr, nullptr, run);
        },
        [&] { return map.find_async(temp, bytes, a.keys.get(), a.found.get(), n, nullptr, run); },
        [&] { return map.count_async(temp, bytes, a.keys.get(), a.offsets.get(), n, run); },
        [&] {
          return map.retrieve_all_async(temp, bytes, a.all_keys.get(), a.all_values.get(), n,
                                        a.total.get(), run);
        },
        [&] { return map.erase_async(temp, bytes, a.keys.get(), n / 2, nullptr, run); },
        [&] { return map.contains_async(temp, bytes, a.keys.get(), a.was_erased(), n, run); },
        [&] { return map.flush_async({s}); },
        [&] { return cudaMemsetAsync(a.visits.get(), 0, 8, s); },
        [&] { return map.for_each_async(count_visits{a.visits.get()}, {s}); },
        [&] { return map.statistics_async(a.statistics.get(), {s}); });
  });
  for (const uint32_t seed : {1u, 2u, 3u}) {
    words keys = distinct_keys(n, seed);
    keys[n / 3] = ~0u; // reserved: reported in each replay
    const words values = values_of(keys);
    a.keys.write(keys);
    a.values.write(values);
    a.status.write(std::vector<device_status>(1));
    graph.replay();
    const words found = a.found.read(), old = a.old.read(), all = a.all_keys.read();
    const std::vector<uint8_t> there = a.there.read(), stays = a.gone.read();
    const std::vector<uint64_t> offsets = a.offsets.read();
    for (uint32_t i = 0; i < n; ++i) {
      const bool is_key = i != n / 3;
      EXPECT(there[i] == is_key && offsets[i + 1] - offsets[i] == is_key &&
                 old[i] == (is_key ? values[i] : ~0u) &&
                 found[i] == (is_key ? 2 * values[i] : ~0u) && stays[i] == (is_key && i >= n / 2),
             "replay %u, key %u of %u", seed, i, n);
    }
    EXPECT(a.total.read()[0] == n - 1 &&
               std::set<uint32_t>(all.begin(), all.end() - 1).size() == n - 1,
           "replay %u: exported", seed);
    const device_status said = a.status.read()[0];
    EXPECT(said.error() == slab_error::reserved_key && said.detail() == n / 3, "replay %u: status",
           seed);
    const uint64_t left = n - n / 2 - (n / 3 >= n / 2);
    EXPECT(a.visits.read()[0] == left && a.statistics.read()[0].num_pairs == left &&
               a.statistics.read()[0].num_tombstones == 0,
           "replay %u: %llu visited", seed, a.visits.read()[0]);
  }
}

/// Every key has three values; find_all lists them, erase_all removes them.
void check_multimap(uint32_t n) {
  using map_type = slab_multimap<uint32_t, uint32_t>;
  map_type map = new_map<map_type>(n / 9 + 1, n + 100);
  const arrays a(n);
  size_t bytes = bytes_of_calls(n);
  void *temp = a.temp.get();
  const uint32_t different = n / 3;
  const captured_graph graph([&](cudaStream_t s) {
    const run_options run{s, a.status.get()};
    return one_by_one(
        [&] {
          return map.insert_async(temp, bytes, a.keys.get(), a.values.get(), n, nullptr, nullptr,
                                  run);
        },
        [&] {
          return map.find_all_async(temp, bytes, a.keys.get(), different, a.offsets.get(),
                                    a.found.get(), n, run);
        },
        [&] { return map.erase_all_async(temp, bytes, a.keys.get(), a.counts.get(), n, run); });
  });
  for (const uint32_t seed : {1u, 2u, 3u}) {
    const words some = distinct_keys(different, seed);
    words keys, values(n);
    for (uint32_t i = 0; i < n; ++i) {
      keys.push_back(some[i % different]);
      values[i] = i;
    }
    a.keys.write(keys);
    a.values.write(values);
    a.status.write(std::vector<device_status>(1));
    graph.replay();
    const std::vector<uint64_t> offsets = a.offsets.read(), counts = a.counts.read();
    words found = a.found.read();
    uint64_t erased = 0, listed = 0;
    for (uint32_t i = 0; i < n; ++i)
      erased += counts[i];
    for (uint32_t k = 0; k < different; ++k)
      for (uint64_t i = offsets[k]; i < std::min<uint64_t>(offsets[k + 1], n); ++i)
        listed += found[i] % different == k;
    std::sort(found.begin(), found.begin() + static_cast<long>(different * 3));
    EXPECT(erased == n && listed == offsets[different] &&
               listed == n / different * different + n % different,
           "replay %u: %llu erased, %llu listed", seed, static_cast<unsigned long long>(erased),
           static_cast<unsigned long long>(listed));
    EXPECT(std::unique(found.begin(), found.begin() + static_cast<long>(listed)) ==
               found.begin() + static_cast<long>(listed),
           "replay %u: values", seed);
    EXPECT(a.status.read()[0].ok() && wide_contents_of(map).all_pairs.empty(), "replay %u: left",
           seed);
  }
}

/// Nobody resets the status between replays: each lists all that it did not do, from the place on
/// where the list before ended.
void check_full_pool(uint32_t n) {
  word_map map = new_map(1, 2);
  const arrays a(n);
  const device_array<uint64_t> undone(n);
  size_t bytes = 1;
  a.status.write(std::vector<device_status>(1));
  const captured_graph graph([&](cudaStream_t s) {
    return map.insert_async(a.temp.get(), bytes, a.keys.get(), a.keys.get(), n, nullptr,
                            undone.get(), {s, a.status.get()});
  });
  uint64_t before = 0;
  std::set<uint32_t> stands; // pairs that are there stay
  for (const uint32_t seed : {1u, 2u, 3u, 4u}) {
    const words keys = distinct_keys(n, seed);
    a.keys.write(keys);
    undone.write(std::vector<uint64_t>(n, ~uint64_t{0}));
    graph.replay();
    undone.expect_intact("undone");
    const device_status said = a.status.read()[0];
    for (const auto &[key, value] : contents_of(map).pairs)
      stands.insert(key);
    std::set<uint64_t> right, listed;
    for (uint32_t i = 0; i < n; ++i)
      if (!stands.count(keys[i]))
        right.insert(i);
    EXPECT(said.error() == slab_error::pool_full && said.detail() == before + right.size(),
           "replay %u: %llu were not done", seed, static_cast<unsigned long long>(said.detail()));
    const std::vector<uint64_t> list = undone.read();
    for (uint64_t k = 0; k < right.size(); ++k)
      listed.insert(list[(before + k) % n]);
    EXPECT(listed == right, "replay %u: %zu of %zu are listed", seed, listed.size(), right.size());
    before = said.detail();
  }
}

/// Calls that allocate or wait for their work refuse a stream that is captured, and the capture
/// goes on.
template <class Map> void check_synchronous(Map map) {
  const words keys = {3, 1, 4}, values = {30, 10, 40};
  const arrays a(3);
  a.keys.write(keys);
  a.values.write(values);
  device_status status;
  CUDA_OK(map.insert(a.keys.get(), a.values.get(), 3, status));
  const std::string path = "slab_hash_capture_gpu_test." + std::to_string(getpid());
  pair_file_error file;
  CUDA_OK(map.save(path.c_str(), file));
  slab_statistics statistics;
  std::vector<uint32_t> all_keys, all_values;
  const auto options = slab_map_options_for<uint32_t, uint32_t>(100);
  cudaStream_t s;
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CUDA_OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  const auto refuses = [](cudaError_t error, const char *call) {
    EXPECT(error == cudaErrorStreamCaptureUnsupported, "%s: %s", call, cudaGetErrorName(error));
  };
  const uint32_t *k = a.keys.get(), *v = a.values.get();
  refuses(Map::create(map, options, s), "create");
  refuses(map.find(k, a.found.get(), 3, status, nullptr, s), "find");
  refuses(map.contains(k, a.was_there(), 3, status, s), "contains");
  refuses(map.insert(k, v, 3, status, nullptr, nullptr, s), "insert");
  refuses(map.insert_or_assign(k, v, 3, status, nullptr, nullptr, s), "insert_or_assign");
  refuses(map.insert_or_apply(k, v, 3, add{}, status, nullptr, nullptr, nullptr, s),
          "insert_or_apply");
  refuses(map.erase(k, 3, status, nullptr, s), "erase");
  refuses(map.count(k, a.offsets.get(), 3, status, s), "count");
  refuses(map.erase_all(k, a.counts.get(), 3, status, s), "erase_all");
  refuses(map.find_all(k, 3, a.offsets.get(), a.found.get(), 3, status, s), "find_all");
  refuses(Map::build(map, options, k, v, 3, {s}), "build");
  refuses(map.statistics(statistics, s), "statistics");
  refuses(map.rehash(10, 10, s), "rehash");
  refuses(map.to_host(all_keys, all_values, s), "to_host");
  refuses(Map::from_host(map, options, keys.data(), values.data(), 3, s), "from_host");
  refuses(map.save((path + "2").c_str(), file, s), "save");
  refuses(Map::load(map, path.c_str(), file, 0.5, {}, s), "load");
  EXPECT(cudaGetLastError() == cudaSuccess, "an error is left");
  CUDA_OK(cudaStreamEndCapture(s, &graph));
  size_t nodes = 1;
  CUDA_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 0, "%zu things were captured", nodes);
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(s));
  CUDA_OK(map.find(k, a.found.get(), 3, status));
  EXPECT(a.found.read() == values, "the pairs that were there");
  EXPECT(access((path + "2").c_str(), F_OK) != 0, "a file was written");
  std::remove(path.c_str());
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  for (const uint32_t n : small ? words{99} : words{3, 99, 30000})
    check_map(n);
  for (const uint32_t n : small ? words{99} : words{3, 99, 30000})
    check_multimap(n);
  check_full_pool(small ? 60 : 5000);
  check_synchronous(new_map(3, 3));
  check_synchronous(new_map<growing_slab_map<uint32_t, uint32_t>>(3, 3));
  return gpu_result("slab hash in graphs");
}
