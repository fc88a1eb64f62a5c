//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bulk operations of slab maps on the GPU against std::unordered_map: random inputs, tiles of all
// widths, sizes around warps and blocks; two chains, one key, everything erased, a full pool,
// reserved keys, replayed graphs.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "slab_case.cuh"

using namespace colonnade;

namespace {

constexpr uint32_t none = ~0u;
using model = std::unordered_map<uint32_t, uint32_t>;

words distinct_keys(uint64_t n, uint32_t seed) {
  words keys(n);
  for (uint64_t i = 0; i < n; ++i)
    keys[i] = (static_cast<uint32_t>(i) * 2654435761u ^ seed) & 0x7fffffffu;
  return keys;
}
words values_for(const words &keys, uint32_t seed) {
  words values(keys.size());
  for (size_t i = 0; i < keys.size(); ++i)
    values[i] = static_cast<uint32_t>(scramble(keys[i] | uint64_t{seed} << 32));
  return values;
}
template <class Policy>
void expect_holds(word_map &map, const model &right, const words &asked, const char *when) {
  const found_keys got = on_map<Policy>{map}.find(asked);
  const std::vector<uint8_t> there = on_map<Policy>{map}.contains(asked);
  for (size_t i = 0; i < asked.size(); ++i) {
    const auto it = right.find(asked[i]);
    const bool present = it != right.end();
    EXPECT(got.present[i] == present && there[i] == present &&
               got.values[i] == (present ? it->second : none),
           "%s: key %u of %zu: found %d %d %u", when, asked[i], asked.size(), got.present[i],
           there[i], got.values[i]);
  }
  const slab_contents stands = contents_of(map);
  EXPECT(stands.pairs == right, "%s: %zu pairs in the slabs, not %zu", when, stands.pairs.size(),
         right.size());
}

/// Insertion, replacement, erasure and return; keys of a call are distinct.
template <class Policy> void check_sequence(uint64_t n, uint32_t buckets) {
  // Threads alone may each hold a slab for a moment.
  word_map map = new_map(buckets, static_cast<uint32_t>(n / 15 + 40 + n));
  const on_map<Policy> on{map};
  const words keys = distinct_keys(n, 5), others = distinct_keys(n / 2 + 1, 0x40000001u);
  words asked = keys;
  asked.insert(asked.end(), others.begin(), others.end());
  const words first = values_for(keys, 1), second = values_for(keys, 2);
  model right;
  for (size_t i = 0; i < n; ++i)
    right[keys[i]] = first[i];
  const auto all_are = [&](const std::vector<uint8_t> &flags, bool what, const char *when) {
    EXPECT(std::count(flags.begin(), flags.end(), what) == static_cast<long>(flags.size()),
           "%s: of %zu keys some are not as they should be", when, flags.size());
  };
  all_are(on.insert(keys, first), false, "insert");
  expect_holds<Policy>(map, right, asked, "inserted");
  all_are(on.insert(keys, second), true, "insert again");
  expect_holds<Policy>(map, right, asked, "inserted again");
  const uint64_t slots = contents_of(map).slots;
  const words half(keys.begin(), keys.begin() + static_cast<long>(n / 2));
  all_are(on.erase(half), true, "erase");
  all_are(on.erase(half), false, "erase again");
  for (const uint32_t key : half)
    right.erase(key);
  expect_holds<Policy>(map, right, asked, "half erased");
  const std::vector<uint8_t> was = on.assign(keys, second);
  for (size_t i = 0; i < n; ++i) {
    EXPECT(was[i] == (i >= n / 2), "assign: key %zu of %llu", i,
           static_cast<unsigned long long>(n));
    right[keys[i]] = second[i];
  }
  expect_holds<Policy>(map, right, asked, "assigned");
  EXPECT(contents_of(map).slots == slots, "keys that came back took new slots");
  on.erase(asked);
  expect_holds<Policy>(map, {}, asked, "all erased");
}

/// Equal keys in one call: one of them is new, and a value of that key stays.
template <class Policy> void check_repeats(uint64_t n, uint32_t different) {
  word_map map = new_map(7, static_cast<uint32_t>(different / 15 + 40 + n));
  const on_map<Policy> on{map};
  words keys(n), values(n);
  for (uint64_t i = 0; i < n; ++i) {
    keys[i] = static_cast<uint32_t>(scramble(i) % different);
    values[i] = static_cast<uint32_t>(i);
  }
  const std::set<uint32_t> distinct(keys.begin(), keys.end());
  const auto news = [&](const std::vector<uint8_t> &was) {
    return static_cast<size_t>(std::count(was.begin(), was.end(), 0));
  };
  EXPECT(news(on.insert(keys, values)) == distinct.size(), "%u keys: inserted", different);
  EXPECT(news(on.assign(keys, values)) == 0, "%u keys: assigned", different);
  const slab_contents stands = contents_of(map);
  EXPECT(stands.pairs.size() == distinct.size(), "%u keys: in slabs", different);
  for (const auto &[key, value] : stands.pairs)
    EXPECT(value < n && keys[value] == key, "key %u has a value of another", key);
  EXPECT(n - news(on.erase(keys)) == distinct.size(), "%u keys: erased", different);
  EXPECT(news(on.contains(keys)) == n, "%u keys: still there", different);
  EXPECT(news(on.insert(keys, values)) == distinct.size(), "%u keys: returned", different);
  EXPECT(contents_of(map).slots == distinct.size(), "%u keys: in new slots", different);
}

void check_full_pool(uint64_t n, uint32_t slabs) {
  const uint32_t buckets = 3;
  word_map map = new_map(buckets, slabs);
  const device_array<device_status> status(std::vector<device_status>(1));
  const device_array<uint64_t> undone(n);
  const on_map<> on{map, {nullptr, status.get()}};
  const words keys = distinct_keys(n, 77), values = values_for(keys, 3);
  on.assign(keys, values, undone.get());
  const slab_contents stands = contents_of(map);
  const device_status said = status.read()[0];
  EXPECT(stands.linked == slabs, "%llu of %u slabs are in use",
         static_cast<unsigned long long>(stands.linked), slabs);
  EXPECT(said.error() == slab_error::pool_full && said.detail() == n - stands.pairs.size(),
         "%llu of %llu were not done", static_cast<unsigned long long>(said.detail()),
         static_cast<unsigned long long>(n - stands.pairs.size()));
  std::vector<uint64_t> listed = undone.read();
  undone.expect_intact("undone");
  listed.resize(std::min<uint64_t>(said.detail(), n));
  std::sort(listed.begin(), listed.end());
  uint64_t at = 0;
  for (uint64_t i = 0; i < n; ++i) {
    const bool is_listed = at < listed.size() && listed[at] == i;
    EXPECT(stands.pairs.count(keys[i]) != is_listed, "index %llu",
           static_cast<unsigned long long>(i));
    at += is_listed;
  }
}

void check_reserved() {
  word_map map;
  slab_map_options<uint32_t, uint32_t> options = slab_map_options_for<uint32_t, uint32_t>(100);
  options.empty_key = 0;
  options.tombstone_key = 17;
  options.absent_value = 5;
  CUDA_OK(word_map::create(map, options));
  const device_array<device_status> status(std::vector<device_status>(1));
  const on_map<> on{map, {nullptr, status.get()}};
  const words keys = {none, 3, 17, none - 1, 0}, values = {1, 2, 3, 4, 5};
  EXPECT((on.insert(keys, values) == std::vector<uint8_t>(5, 0)), "inserted");
  const device_status said = status.read()[0];
  EXPECT(said.error() == slab_error::reserved_key && said.detail() == 2, "detail %llu",
         static_cast<unsigned long long>(said.detail()));
  const found_keys got = on.find(keys);
  EXPECT((got.values == words{1, 2, 5, 4, 5}), "values");
  EXPECT((got.present == std::vector<uint8_t>{1, 1, 0, 1, 0}), "present");
  EXPECT((on.erase(keys) == std::vector<uint8_t>{1, 1, 0, 1, 0}), "erased");
}

/// A graph of insert, find and erase; each replay finds what it inserted.
void check_graph(uint64_t n) {
  word_map map = new_map(64, static_cast<uint32_t>(n / 5 + 40));
  const device_array<uint32_t> keys(n), values(n), found(n);
  const device_array<uint8_t> gone(n), temp(1);
  size_t bytes = 1;
  const captured_graph graph([&](cudaStream_t stream) {
    if (const cudaError_t error = map.insert_async(temp.get(), bytes, keys.get(), values.get(), n,
                                                   nullptr, nullptr, {stream}))
      return error;
    if (const cudaError_t error =
            map.find_async(temp.get(), bytes, keys.get(), found.get(), n, nullptr, {stream}))
      return error;
    return map.erase_async(temp.get(), bytes, keys.get(), n, reinterpret_cast<bool *>(gone.get()),
                           {stream});
  });
  for (const uint32_t seed : {1u, 2u, 3u}) {
    const words some = distinct_keys(n, seed * 1000003u), theirs = values_for(some, seed);
    keys.write(some);
    values.write(theirs);
    graph.replay();
    EXPECT(found.read() == theirs, "replay %u: found", seed);
    EXPECT(gone.read() == std::vector<uint8_t>(n, 1), "replay %u: erased", seed);
    EXPECT(contents_of(map).pairs.empty(), "replay %u: left", seed);
  }
}

void check_refused() {
  word_map map = new_map(2, 1);
  const device_array<uint32_t> in(10), out(10);
  const device_array<uint64_t> undone(10);
  const uint32_t *none_in = nullptr;
  uint32_t *none_out = nullptr;
  size_t bytes = 0;
  CUDA_OK(map.find_async(nullptr, bytes, none_in, none_out, 10));
  EXPECT(bytes >= 1, "no bytes");
  const device_array<uint8_t> temp(bytes);
  const auto refused = [&](cudaError_t error, const char *what) {
    EXPECT(error == cudaErrorInvalidValue, "%s: %s", what, cudaGetErrorName(error));
  };
  size_t too_few = 0;
  refused(map.find_async(temp.get(), too_few, in.get(), out.get(), 10), "storage");
  refused(map.find_async(temp.get(), bytes, none_in, out.get(), 10), "no keys");
  refused(map.find_async(temp.get(), bytes, in.get(), none_out, 10), "no values");
  refused(map.contains_async(temp.get(), bytes, in.get(), nullptr, 10), "no answers");
  refused(map.erase_async(temp.get(), bytes, none_in, 10), "no keys to erase");
  refused(map.insert_async(temp.get(), bytes, in.get(), none_in, 10), "no values to insert");
  refused(map.insert_async(temp.get(), bytes, in.get(), out.get(), 10, nullptr, undone.get()),
          "no status");
  refused(map.erase_async(temp.get(), bytes, in.get(), uint64_t{1} << 60), "too many");
  EXPECT(cudaGetLastError() == cudaSuccess, "a CUDA error was left pending");
  CUDA_OK(map.find_async(temp.get(), bytes, none_in, none_out, 0));
}

/// A captured stream refuses creation, and the map that was there stays.
void check_creation() {
  word_map map = new_map(2, 1);
  on_map<>{map}.insert({4}, {8});
  slab_map_options<uint32_t, uint32_t> options = slab_map_options_for<uint32_t, uint32_t>(10);
  cudaStream_t stream;
  cudaGraph_t graph;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  EXPECT(word_map::create(map, options, stream) == cudaErrorStreamCaptureUnsupported, "captured");
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
  EXPECT((on_map<>{map}.find({4}).values == words{8}), "the map that was there");
  word_map moved = std::move(map);
  EXPECT((on_map<>{moved}.find({4}).values == words{8}), "moved");
  size_t bytes = 0;
  EXPECT(map.find_async(nullptr, bytes, static_cast<const uint32_t *>(nullptr),
                        static_cast<uint32_t *>(nullptr), 0) == cudaErrorInvalidValue,
         "a map that is no more");
}

template <class Policy> void check_width(bool small) {
  for (const uint64_t n : small ? std::vector<uint64_t>{0, 33}
                                : std::vector<uint64_t>{0, 1, 31, 32, 33, 127, 128, 129, 5000})
    for (const uint32_t buckets : {1u, 40u})
      check_sequence<Policy>(n, buckets);
  check_sequence<Policy>(137, 2);
  check_repeats<Policy>(small ? 200 : 20000, 1);
  check_repeats<Policy>(small ? 200 : 20000, 300);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  check_width<tile_policy<1, 1>>(small);
  check_width<tile_policy<4, 1>>(small);
  check_width<tile_policy<8, 8>>(small);
  check_width<tile_policy<16, 2>>(small);
  check_width<tile_policy<32, 4>>(small);
  check_width<slab_hash_policy>(small);
  if (!small)
    check_sequence<slab_hash_policy>(300001, 40000);
  check_full_pool(small ? 200 : 3000, 4);
  check_full_pool(small ? 100 : 3000, 0);
  if (!small)
    check_full_pool(40000, 2000);
  check_reserved();
  check_graph(small ? 50 : 3000);
  check_creation();
  check_refused();
  return gpu_result("slab hash");
}
