//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the kinds of slab hash have besides, on the GPU: sets; multimaps, with all pairs of a key
// counted, listed and erased; insert_or_apply; keys and values of 64 bits. By arrays, by warps and
// by threads alone.
//
//   --small   for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "slab_case.cuh"

#include <map>

using namespace colonnade;

namespace {

using many_map = slab_multimap<uint32_t, uint32_t>;
using word_set = growing_slab_set<uint32_t>;
using wide_map = slab_map<uint64_t, uint64_t>;

template <class T> std::vector<T> scrambled(uint64_t n, uint32_t different, T times = 1) {
  std::vector<T> all(n);
  for (uint64_t i = 0; i < n; ++i)
    all[i] = static_cast<T>(scramble(i) % different) * times;
  return all;
}
uint64_t trues(const device_array<uint8_t> &flags) {
  const std::vector<uint8_t> all = flags.read();
  flags.expect_intact("flags");
  return static_cast<uint64_t>(std::count(all.begin(), all.end(), 1));
}
bool *as_flags(const device_array<uint8_t> &bytes) { return reinterpret_cast<bool *>(bytes.get()); }

void check_set(uint32_t n, uint32_t different) {
  word_set set = new_map<word_set>(50, 10);
  const words keys = scrambled<uint32_t>(n, different);
  const uint64_t distinct = std::set<uint32_t>(keys.begin(), keys.end()).size();
  const device_array<uint32_t> d_keys(keys);
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
}

/// Pairs of a multimap in the order of keys and values.
using sorted_pairs = std::multimap<uint32_t, uint32_t>;

void check_listed(const many_map &map, const sorted_pairs &right, const words &asked,
                  uint64_t capacity) {
  const uint64_t n = asked.size();
  const device_array<uint32_t> d_keys(asked), values(capacity);
  const device_array<uint64_t> offsets(n + 1), counts(n + 1);
  const device_array<device_status> status(std::vector<device_status>(1));
  device_status unused;
  CUDA_OK(map.count(d_keys.get(), counts.get(), n, unused));
  call_twice([&](void *d_temp, size_t &bytes) {
    return map.find_all_async(d_temp, bytes, d_keys.get(), n, offsets.get(), values.get(), capacity,
                              {nullptr, status.get()});
  });
  const std::vector<uint64_t> at = offsets.read(), counted = counts.read();
  const words listed = values.read();
  offsets.expect_intact("offsets");
  values.expect_intact("values");
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; ++i) {
    EXPECT(at[i] == sum && counted[i] == sum, "key %u: %llu pairs before, listed from %llu on",
           asked[i], static_cast<unsigned long long>(counted[i]),
           static_cast<unsigned long long>(at[i]));
    sum += right.count(asked[i]);
    std::multiset<uint32_t> some;
    for (uint64_t k = at[i]; k < std::min({sum, at[i + 1], capacity}); ++k)
      some.insert(listed[k]);
    std::multiset<uint32_t> all;
    for (auto [it, end] = right.equal_range(asked[i]); it != end; ++it)
      all.insert(it->second);
    EXPECT(sum <= capacity ? some == all
                           : std::includes(all.begin(), all.end(), some.begin(), some.end()),
           "key %u: values", asked[i]);
  }
  const device_status said = status.read()[0];
  EXPECT(counted[n] == sum && unused.ok(), "%llu pairs are counted",
         static_cast<unsigned long long>(counted[n]));
  EXPECT(at[n] == sum && said.ok() == (sum <= capacity), "%llu pairs in all",
         static_cast<unsigned long long>(sum));
  EXPECT(said.ok() || (said.error() == data_error::buffer_too_small && said.detail() == sum),
         "the status says %llu", static_cast<unsigned long long>(said.detail()));
}

void check_multimap(uint32_t n, uint32_t different) {
  many_map map = new_map<many_map>(different / 4 + 1, n / 5 + 100);
  const words keys = scrambled<uint32_t>(n, different);
  words values(n);
  sorted_pairs right;
  for (uint32_t i = 0; i < n; ++i) {
    values[i] = i;
    right.insert({keys[i], i});
  }
  const device_array<uint32_t> d_keys(keys), d_values(values), found(n);
  const device_array<uint8_t> flags(n);
  device_status status;
  CUDA_OK(map.insert(d_keys.get(), d_values.get(), n, status, as_flags(flags)));
  EXPECT(status.ok() && trues(flags) == 0, "%u pairs: inserted", n);
  CUDA_OK(map.find(d_keys.get(), found.get(), n, status, as_flags(flags)));
  EXPECT(trues(flags) == n, "%u pairs: found", n);
  const words some = found.read();
  for (uint32_t i = 0; i < n; ++i)
    EXPECT(some[i] < n && keys[some[i]] == keys[i], "pair %u of %u", i, n);
  words asked(different + 2);
  for (uint32_t i = 0; i < asked.size(); ++i)
    asked[i] = i;
  check_listed(map, right, asked, n);
  check_listed(map, right, asked, n / 2);
  // Half of the pairs go, one by one; what goes is not said, so what stays is read.
  const uint64_t slots = wide_contents_of(map).slots;
  CUDA_OK(map.erase(d_keys.get(), n / 2, status, as_flags(flags)));
  auto stands = wide_contents_of(map);
  EXPECT(stands.all_pairs.size() == n - n / 2, "%zu pairs stay", stands.all_pairs.size());
  right.clear();
  for (const auto &[key, value] : stands.all_pairs)
    right.insert({key, static_cast<uint32_t>(value)});
  check_listed(map, right, asked, n);
  CUDA_OK(map.insert(d_keys.get(), d_values.get(), n / 2, status));
  EXPECT(wide_contents_of(map).slots == slots, "new slots");
  const device_array<uint32_t> d_asked(asked);
  const device_array<uint64_t> counts(asked.size());
  CUDA_OK(map.erase_all(d_asked.get(), counts.get(), asked.size(), status));
  uint64_t erased = 0;
  for (const uint64_t count : counts.read())
    erased += count;
  EXPECT(erased == n && wide_contents_of(map).all_pairs.empty(), "%llu of %u were erased",
         static_cast<unsigned long long>(erased), n);
}

struct add {
  __host__ __device__ uint32_t operator()(uint32_t old, uint32_t given) const {
    return old + given;
  }
};

/// Sums by key: what is there afterwards, and old values that are all different sums.
void check_apply(uint32_t n, uint32_t different) {
  word_map map = new_map(different / 9 + 1, n / 15 + 4000);
  const words keys = scrambled<uint32_t>(n, different), ones(n, 1);
  std::unordered_map<uint32_t, uint32_t> right;
  const device_array<uint32_t> d_keys(keys), d_ones(ones), old(n);
  const device_array<uint8_t> flags(n);
  device_status status;
  call_twice([&](void *d_temp, size_t &bytes) {
    return map.insert_or_apply_async(d_temp, bytes, d_keys.get(), d_ones.get(), n, add{}, old.get(),
                                     as_flags(flags));
  });
  const words before = old.read();
  std::set<std::pair<uint32_t, uint32_t>> sums;
  for (uint32_t i = 0; i < n; ++i) {
    ++right[keys[i]];
    EXPECT(sums.insert({keys[i], before[i]}).second, "key %u was %u twice", keys[i], before[i]);
  }
  EXPECT(trues(flags) == n - right.size(), "%u of %u were new", n, different);
  EXPECT(contents_of(map).pairs == right, "%u of %u: sums", n, different);
  CUDA_OK(map.insert_or_apply(d_keys.get(), d_ones.get(), n, add{}, status));
  for (auto &[key, sum] : right)
    sum *= 2;
  EXPECT(contents_of(map).pairs == right && status.ok(), "%u of %u: twice", n, different);
}

/// Pairs of 16 bytes, inserted, replaced and erased; equal keys in a call.
void check_wide(uint32_t n, uint32_t different) {
  wide_map map = new_map<wide_map>(different / 5 + 1, n / 7 + 4000);
  const uint64_t times = 0x9e3779b97f4a7c15u;
  const std::vector<uint64_t> keys = scrambled<uint64_t>(n, different, times);
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
__global__ void ask_for_all(many_map::ref_type map, uint32_t *listed, device_answers *answers) {
  many_map::ref_type::warp<> warp(map);
  const uint32_t lane = threadIdx.x % 32, key = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  uint32_t *own = listed + (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  warp.insert(true, key, lane);
  warp.insert(lane < 20, key, 32 + lane);
  bool wrong = warp.count(lane % 2 == 0, key) != (lane % 2 == 0 ? 52 : 0);
  wrong |= map.count(key) != 52;
  wrong |= warp.find_all(lane == 5, key, own, 4) != (lane == 5 ? 52 : 0);
  if (lane == 7)
    wrong |= map.find_all(key, own, 4) != 52;
  if (lane == 5 || lane == 7)
    for (uint32_t i = 0; i < 4; ++i)
      wrong |= own[i] >= 52;
  __syncwarp();
  wrong |= !map.erase(key).present(); // 32 of them
  __syncwarp();
  if (lane == 9)
    wrong |= map.count(key) != 20;
  __syncwarp();
  const uint32_t erased = warp.erase_all(lane < 2, key);
  wrong |= __reduce_add_sync(~0u, erased) != 20 || warp.contains(true, key);
  if (wrong)
    atomicAdd(&answers->wrong, 1u);
}
template <uint32_t Lanes> __global__ void add_by_all(word_map::ref_type map, uint32_t *sum) {
  word_map::ref_type::warp<Lanes> warp(map);
  const auto by_warp = warp.insert_or_apply(threadIdx.x % 2 == 0, 3, 1, add{});
  const auto alone = map.insert_or_apply(3, 1, add{});
  if (!by_warp.present() && threadIdx.x % 2 == 0)
    atomicAdd(sum, 1u);
  if (!alone.present())
    atomicAdd(sum, 1u);
}
__global__ void use_set(word_set::ref_type set, uint32_t *news) {
  word_set::ref_type::warp<4> warp(set);
  if (!warp.insert(true, threadIdx.x % 10).present())
    atomicAdd(news, 1u);
  if (!set.insert(threadIdx.x % 20).present())
    atomicAdd(news, 1u);
}

template <uint32_t Lanes> void check_sums(uint32_t blocks) {
  word_map sums = new_map(1, 10);
  const device_array<uint32_t> news(words{0});
  add_by_all<Lanes><<<blocks, 128>>>(sums.ref(), news.get());
  EXPECT(news.read()[0] == 1, "%u lanes: %u were new", Lanes, news.read()[0]);
  EXPECT(contents_of(sums).pairs.at(3) == blocks * 192, "%u lanes: %u", Lanes,
         contents_of(sums).pairs.at(3));
}
void check_in_kernels(uint32_t blocks) {
  many_map map = new_map<many_map>(blocks, blocks * 64);
  const device_array<uint32_t> listed(blocks * 128 * 4);
  const device_array<device_answers> answers(std::vector<device_answers>(1));
  ask_for_all<<<blocks, 128>>>(map.ref(), listed.get(), answers.get());
  EXPECT(answers.read()[0].wrong == 0, "%u lanes got wrong answers", answers.read()[0].wrong);
  EXPECT(wide_contents_of(map).all_pairs.empty(), "pairs are left");
  const device_array<uint32_t> news(words{0});
  check_sums<4>(blocks);
  check_sums<8>(blocks);
  check_sums<16>(blocks);
  check_sums<32>(blocks);
  word_set set = new_map<word_set>(2, 1000);
  news.write({0});
  use_set<<<blocks, 64>>>(set.ref(), news.get());
  EXPECT(news.read()[0] == 20, "%u were new", news.read()[0]);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  check_set(1000, 300);
  check_multimap(small ? 300 : 1000, 7);
  check_multimap(small ? 100 : 5000, 3000);
  check_apply(small ? 300 : 100000, small ? 20 : 1000);
  check_wide(1000, 600);
  check_in_kernels(2);
  if (!small) {
    check_set(300000, 100000);
    check_multimap(300000, 50000);
    check_multimap(3000, 1);
    check_apply(3000, 1);
    check_wide(300000, 100000);
    check_in_kernels(500);
  }
  return gpu_result("kinds of slab hash");
}
