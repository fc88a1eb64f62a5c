//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the kinds of slab hash have besides, on the GPU: sets; multimaps, with all pairs of a key
// counted, listed and erased; insert_or_apply. Keys and values of 32 and 64 bits, also of one each.
// By arrays, by warps and by threads alone.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "slab_case.cuh"

#include <map>

using namespace colonnade;

namespace {

using wide_map = slab_map<uint64_t, uint64_t>;

/// A number as a key or value: of 64 bits all of them are used.
template <class T> __host__ __device__ T as(uint32_t number) {
  return sizeof(T) == 8 ? static_cast<T>(number * 0x9e3779b97f4a7c15u) : static_cast<T>(number);
}
template <class T> std::vector<T> all_as(const words &numbers) {
  std::vector<T> all;
  for (const uint32_t number : numbers)
    all.push_back(as<T>(number));
  return all;
}
words scrambled(uint64_t n, uint32_t different) {
  words all(n);
  for (uint64_t i = 0; i < n; ++i)
    all[i] = static_cast<uint32_t>(scramble(i) % different);
  return all;
}
uint64_t trues(const device_array<uint8_t> &flags) {
  const std::vector<uint8_t> all = flags.read();
  flags.expect_intact("flags");
  return static_cast<uint64_t>(std::count(all.begin(), all.end(), 1));
}
bool *as_flags(const device_array<uint8_t> &bytes) { return reinterpret_cast<bool *>(bytes.get()); }

template <class Key> void check_set(uint32_t n, uint32_t different) {
  using set_type = growing_slab_set<Key>;
  set_type set = new_map<set_type>(50, 10);
  const std::vector<Key> keys = all_as<Key>(scrambled(n, different));
  const uint64_t distinct = std::set<Key>(keys.begin(), keys.end()).size();
  const device_array<Key> d_keys(keys);
  const device_array<uint8_t> flags(n);
  device_status status;
  CUDA_OK(set.insert(d_keys.get(), n, status, as_flags(flags)));
  EXPECT(trues(flags) == n - distinct, "%u keys: were there", n);
  CUDA_OK(set.contains(d_keys.get(), as_flags(flags), n, status));
  EXPECT(trues(flags) == n, "%u keys: are there", n);
  CUDA_OK(set.erase(d_keys.get(), n, status, as_flags(flags)));
  EXPECT(trues(flags) == distinct, "%u keys: erased", n);
  call_twice([&](void *d_temp, size_t &bytes) {
    return set.insert_async(d_temp, bytes, d_keys.get(), n, as_flags(flags));
  });
  EXPECT(trues(flags) == n - distinct && status.ok(), "%u keys: returned", n);
  const device_array<uint64_t> offsets(n + 1), counts(n);
  CUDA_OK(set.count(d_keys.get(), offsets.get(), n, status));
  EXPECT(offsets.read()[n] == n, "%u keys: counted", n);
  CUDA_OK(set.erase_all(d_keys.get(), counts.get(), n, status));
  uint64_t erased = 0;
  for (const uint64_t count : counts.read())
    erased += count;
  EXPECT(erased == distinct, "%u keys: all erased", n);
}

/// Pairs of a multimap in the order of keys and values.
template <class Map>
using sorted_pairs = std::multimap<typename Map::key_type, typename Map::value_type>;

template <class Map>
void check_listed(const Map &map, const sorted_pairs<Map> &right,
                  const std::vector<typename Map::key_type> &asked, uint64_t capacity) {
  using value_type = typename Map::value_type;
  const uint64_t n = asked.size();
  const device_array<typename Map::key_type> d_keys(asked);
  const device_array<value_type> values(capacity);
  const device_array<uint64_t> offsets(n + 1), counts(n + 1);
  const device_array<device_status> status(std::vector<device_status>(1));
  device_status unused;
  CUDA_OK(map.count(d_keys.get(), counts.get(), n, unused));
  call_twice([&](void *d_temp, size_t &bytes) {
    return map.find_all_async(d_temp, bytes, d_keys.get(), n, offsets.get(), values.get(), capacity,
                              {nullptr, status.get()});
  });
  const std::vector<uint64_t> at = offsets.read(), counted = counts.read();
  const std::vector<value_type> listed = values.read();
  offsets.expect_intact("offsets");
  counts.expect_intact("counts");
  values.expect_intact("values");
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; ++i) {
    const unsigned long long key = asked[i];
    EXPECT(at[i] == sum && counted[i] == sum, "key %llu: %llu pairs before, listed from %llu on",
           key, static_cast<unsigned long long>(counted[i]),
           static_cast<unsigned long long>(at[i]));
    sum += right.count(asked[i]);
    std::multiset<value_type> some;
    for (uint64_t k = at[i]; k < std::min({sum, at[i + 1], capacity}); ++k)
      some.insert(listed[k]);
    std::multiset<value_type> all;
    for (auto [it, end] = right.equal_range(asked[i]); it != end; ++it)
      all.insert(it->second);
    EXPECT(sum <= capacity ? some == all
                           : std::includes(all.begin(), all.end(), some.begin(), some.end()),
           "key %llu: values", key);
  }
  const device_status said = status.read()[0];
  EXPECT(counted[n] == sum && unused.ok(), "%llu pairs are counted",
         static_cast<unsigned long long>(counted[n]));
  EXPECT(at[n] == sum && said.ok() == (sum <= capacity), "%llu pairs in all",
         static_cast<unsigned long long>(sum));
  EXPECT(said.ok() || (said.error() == data_error::buffer_too_small && said.detail() == sum),
         "the status says %llu", static_cast<unsigned long long>(said.detail()));
}

template <class Map> void check_multimap(uint32_t n, uint32_t different) {
  using key_type = typename Map::key_type;
  using value_type = typename Map::value_type;
  Map map = new_map<Map>(different / 4 + 1, n / 3 + 100);
  const words numbers = scrambled(n, different);
  const std::vector<key_type> keys = all_as<key_type>(numbers);
  words places(n);
  for (uint32_t i = 0; i < n; ++i)
    places[i] = i;
  const std::vector<value_type> values = all_as<value_type>(places);
  std::map<value_type, uint32_t> place_of;
  sorted_pairs<Map> right;
  for (uint32_t i = 0; i < n; ++i) {
    place_of[values[i]] = i;
    right.insert({keys[i], values[i]});
  }
  const device_array<key_type> d_keys(keys);
  const device_array<value_type> d_values(values), found(n);
  const device_array<uint8_t> flags(n);
  device_status status;
  CUDA_OK(map.insert(d_keys.get(), d_values.get(), n, status, as_flags(flags)));
  EXPECT(status.ok() && trues(flags) == 0, "%u pairs: inserted", n);
  CUDA_OK(map.contains(d_keys.get(), as_flags(flags), n, status));
  EXPECT(trues(flags) == n, "%u pairs: contained", n);
  CUDA_OK(map.find(d_keys.get(), found.get(), n, status, as_flags(flags)));
  EXPECT(trues(flags) == n, "%u pairs: found", n);
  const std::vector<value_type> some = found.read();
  for (uint32_t i = 0; i < n; ++i) {
    const auto at = place_of.find(some[i]);
    EXPECT(at != place_of.end() && keys[at->second] == keys[i], "pair %u of %u", i, n);
  }
  words asked_numbers(different + 2);
  for (uint32_t i = 0; i < asked_numbers.size(); ++i)
    asked_numbers[i] = i;
  const std::vector<key_type> asked = all_as<key_type>(asked_numbers);
  check_listed(map, right, asked, n);
  check_listed(map, right, asked, n / 2);
  // Half of the pairs go, one by one; what goes is not said, so what stays is read.
  const uint64_t slots = wide_contents_of(map).slots;
  CUDA_OK(map.erase(d_keys.get(), n / 2, status, as_flags(flags)));
  auto stands = wide_contents_of(map);
  EXPECT(stands.all_pairs.size() == n - n / 2, "%zu pairs stay", stands.all_pairs.size());
  right.clear();
  for (const auto &[key, value] : stands.all_pairs)
    right.insert({key, static_cast<value_type>(value)});
  check_listed(map, right, asked, n);
  CUDA_OK(map.insert(d_keys.get(), d_values.get(), n / 2, status));
  EXPECT(wide_contents_of(map).slots == slots, "new slots");
  const device_array<key_type> d_asked(asked);
  const device_array<uint64_t> counts(asked.size());
  CUDA_OK(map.erase_all(d_asked.get(), counts.get(), asked.size(), status));
  uint64_t erased = 0;
  for (const uint64_t count : counts.read())
    erased += count;
  EXPECT(erased == n && wide_contents_of(map).all_pairs.empty(), "%llu of %u were erased",
         static_cast<unsigned long long>(erased), n);
}

struct add {
  template <class T> __host__ __device__ T operator()(T old, T given) const { return old + given; }
};

/// Sums by key: what is there afterwards, and old values that are all different sums.
template <class Map> void check_apply(uint32_t n, uint32_t different) {
  using key_type = typename Map::key_type;
  using value_type = typename Map::value_type;
  Map map = new_map<Map>(different / 5 + 1, n / 7 + 4000);
  const std::vector<key_type> keys = all_as<key_type>(scrambled(n, different));
  const std::vector<value_type> ones(n, as<value_type>(1));
  std::unordered_map<key_type, uint64_t> right;
  const device_array<key_type> d_keys(keys);
  const device_array<value_type> d_ones(ones), old(n);
  const device_array<uint8_t> flags(n);
  device_status status;
  call_twice([&](void *d_temp, size_t &bytes) {
    return map.insert_or_apply_async(d_temp, bytes, d_keys.get(), d_ones.get(), n, add{}, old.get(),
                                     as_flags(flags));
  });
  const std::vector<value_type> before = old.read();
  old.expect_intact("old values");
  std::set<std::pair<key_type, value_type>> sums;
  for (uint32_t i = 0; i < n; ++i) {
    right[keys[i]] += ones[i];
    EXPECT(sums.insert({keys[i], before[i]}).second, "key %llu was the same twice",
           static_cast<unsigned long long>(keys[i]));
  }
  const auto is_right = [&] { return wide_contents_of(map).pairs == right; };
  EXPECT(trues(flags) == n - right.size(), "%u of %u were new", n, different);
  EXPECT(is_right(), "%u of %u: sums", n, different);
  CUDA_OK(map.insert_or_apply(d_keys.get(), d_ones.get(), n, add{}, status));
  for (auto &[key, sum] : right)
    sum *= 2;
  EXPECT(is_right() && status.ok(), "%u of %u: twice", n, different);
}

/// Pairs of 16 bytes, inserted, replaced and erased; equal keys in a call.
void check_wide(uint32_t n, uint32_t different) {
  wide_map map = new_map<wide_map>(different / 5 + 1, n / 7 + 4000);
  const std::vector<uint64_t> keys = all_as<uint64_t>(scrambled(n, different));
  std::vector<uint64_t> values(n);
  for (uint32_t i = 0; i < n; ++i)
    values[i] = keys[i] * 3 + (uint64_t{i} << 40);
  const uint64_t distinct = std::set<uint64_t>(keys.begin(), keys.end()).size();
  const device_array<uint64_t> d_keys(keys), d_values(values), found(n);
  const device_array<uint8_t> flags(n);
  device_status status;
  CUDA_OK(map.insert_or_assign(d_keys.get(), d_values.get(), n, status, as_flags(flags)));
  EXPECT(status.ok() && trues(flags) == n - distinct, "%u wide keys", n);
  CUDA_OK(map.find(d_keys.get(), found.get(), n, status, as_flags(flags)));
  EXPECT(trues(flags) == n, "%u wide keys: found", n);
  const std::vector<uint64_t> some = found.read();
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t by = (some[i] - keys[i] * 3) >> 40;
    EXPECT(by < n && keys[by] == keys[i] && values[by] == some[i], "wide key %u", i);
  }
  const auto stands = wide_contents_of(map);
  EXPECT(stands.pairs.size() == distinct, "%zu wide pairs", stands.pairs.size());
  CUDA_OK(map.erase(d_keys.get(), n, status, as_flags(flags)));
  EXPECT(trues(flags) == distinct, "%u wide keys: erased", n);
  CUDA_OK(map.insert(d_keys.get(), d_values.get(), n, status, as_flags(flags)));
  EXPECT(wide_contents_of(map).slots == stands.slots, "wide keys in new slots");
}

struct device_answers {
  uint32_t wrong;
};

/// Each warp has a key of its own, with 20 pairs more than lanes; threads alone ask as well.
template <class Ref>
__global__ void ask_for_all(Ref map, typename Ref::value_type *listed, device_answers *answers) {
  using value_type = typename Ref::value_type;
  typename Ref::template warp<> warp(map);
  const uint32_t lane = threadIdx.x % 32;
  const auto key = as<typename Ref::key_type>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  value_type *own = listed + (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  warp.insert(true, key, as<value_type>(lane));
  warp.insert(lane < 20, key, as<value_type>(32 + lane));
  bool wrong = warp.count(lane % 2 == 0, key) != (lane % 2 == 0 ? 52 : 0);
  wrong |= map.count(key) != 52;
  wrong |= warp.find_all(lane == 5, key, own, 4) != (lane == 5 ? 52 : 0);
  if (lane == 7)
    wrong |= map.find_all(key, own, 4) != 52;
  if (lane == 5 || lane == 7)
    for (uint32_t i = 0; i < 4; ++i) {
      bool given = false;
      for (uint32_t number = 0; number < 52; ++number)
        given |= own[i] == as<value_type>(number);
      wrong |= !given;
    }
  __syncwarp();
  wrong |= !map.erase(key).present(); // 32 of them
  __syncwarp();
  if (lane == 9)
    wrong |= map.count(key) != 20;
  __syncwarp();
  const uint32_t erased = lane % 2 ? 0 : map.find(key).present();
  wrong |= erased != (lane % 2 ? 0 : 1);
  __syncwarp();
  const uint32_t gone = warp.erase_all(lane < 2, key);
  wrong |= __reduce_add_sync(~0u, gone) != 20 || warp.contains(true, key);
  if (lane == 3)
    wrong |= map.erase_all(key) != 0 || map.contains(key);
  if (wrong)
    atomicAdd(&answers->wrong, 1u);
}
template <uint32_t Lanes, class Ref> __global__ void add_by_all(Ref map, uint32_t *sum) {
  const auto key = as<typename Ref::key_type>(3);
  const auto one = as<typename Ref::value_type>(1);
  typename Ref::template warp<Lanes> warp(map);
  const auto by_warp = warp.insert_or_apply(threadIdx.x % 2 == 0, key, one, add{});
  const auto alone = map.insert_or_apply(key, one, add{});
  if (!by_warp.present() && threadIdx.x % 2 == 0)
    atomicAdd(sum, 1u);
  if (!alone.present())
    atomicAdd(sum, 1u);
}
template <class Ref> __global__ void use_set(Ref set, uint32_t *news) {
  using key_type = typename Ref::key_type;
  typename Ref::template warp<4> warp(set);
  if (!warp.insert(true, as<key_type>(threadIdx.x % 10)).present())
    atomicAdd(news, 1u);
  if (!set.insert(as<key_type>(threadIdx.x % 20)).present())
    atomicAdd(news, 1u);
}

template <uint32_t Lanes, class Map> void check_sums(uint32_t blocks) {
  Map sums = new_map<Map>(1, 10);
  const device_array<uint32_t> news(words{0});
  add_by_all<Lanes><<<blocks, 128>>>(sums.ref(), news.get());
  EXPECT(news.read()[0] == 1, "%u lanes: %u were new", Lanes, news.read()[0]);
  const auto pairs = wide_contents_of(sums).pairs;
  const auto at = pairs.find(as<typename Map::key_type>(3));
  const uint64_t right = static_cast<typename Map::value_type>(
      blocks * 192 * uint64_t{as<typename Map::value_type>(1)});
  EXPECT(at != pairs.end() && at->second == right, "%u lanes: sum", Lanes);
}
template <class Map> void check_sums_of_all(uint32_t blocks) {
  check_sums<4, Map>(blocks);
  check_sums<8, Map>(blocks);
  check_sums<16, Map>(blocks);
  check_sums<32, Map>(blocks);
}
template <class Map> void check_multimap_in_kernels(uint32_t blocks) {
  Map map = new_map<Map>(blocks, blocks * 128);
  const device_array<typename Map::value_type> listed(blocks * 128 * 4);
  const device_array<device_answers> answers(std::vector<device_answers>(1));
  ask_for_all<<<blocks, 128>>>(map.ref(), listed.get(), answers.get());
  EXPECT(answers.read()[0].wrong == 0, "%u lanes got wrong answers", answers.read()[0].wrong);
  EXPECT(wide_contents_of(map).all_pairs.empty(), "pairs are left");
}
template <class Key> void check_set_in_kernels(uint32_t blocks) {
  using set_type = growing_slab_set<Key>;
  const device_array<uint32_t> news(words{0});
  set_type set = new_map<set_type>(2, 1000);
  use_set<<<blocks, 64>>>(set.ref(), news.get());
  EXPECT(news.read()[0] == 20, "%u were new", news.read()[0]);
}

// Both widths, and one of each.

void check_multimaps(uint32_t n, uint32_t different) {
  check_multimap<slab_multimap<uint32_t, uint32_t>>(n, different);
  check_multimap<slab_multimap<uint64_t, uint64_t>>(n, different);
  check_multimap<slab_multimap<uint32_t, uint64_t>>(n, different);
}
void check_applied(uint32_t n, uint32_t different) {
  check_apply<word_map>(n, different);
  check_apply<wide_map>(n, different);
  check_apply<slab_map<uint64_t, uint32_t>>(n, different);
}
void check_in_kernels(uint32_t blocks) {
  check_multimap_in_kernels<slab_multimap<uint32_t, uint32_t>>(blocks);
  check_multimap_in_kernels<slab_multimap<uint64_t, uint64_t>>(blocks);
  check_multimap_in_kernels<slab_multimap<uint32_t, uint64_t>>(blocks);
  check_sums_of_all<word_map>(blocks);
  check_sums_of_all<wide_map>(blocks);
  check_sums<8, slab_map<uint64_t, uint32_t>>(blocks);
  check_set_in_kernels<uint32_t>(blocks);
  check_set_in_kernels<uint64_t>(blocks);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  check_set<uint32_t>(1000, 300);
  check_set<uint64_t>(small ? 200 : 1000, 60);
  check_multimaps(small ? 150 : 1000, 7);
  check_multimaps(small ? 60 : 5000, 3000);
  check_applied(small ? 150 : 20000, small ? 20 : 1000);
  check_wide(small ? 300 : 1000, 600);
  check_in_kernels(2);
  if (!small) {
    check_set<uint32_t>(300000, 100000);
    check_set<uint64_t>(300000, 100000);
    check_multimap<slab_multimap<uint32_t, uint32_t>>(300000, 50000);
    check_multimap<slab_multimap<uint64_t, uint64_t>>(100000, 20000);
    check_multimap<slab_multimap<uint32_t, uint32_t>>(3000, 1);
    check_apply<word_map>(100000, 1000);
    check_applied(3000, 1);
    check_wide(300000, 100000);
    check_in_kernels(500);
  }
  return gpu_result("kinds of slab hash");
}
