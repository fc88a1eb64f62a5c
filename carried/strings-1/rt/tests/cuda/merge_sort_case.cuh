//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// merge_sort_case.cuh: merge sorts on the GPU against std::stable_sort. Values are the
// items' numbers, so that no item can be lost, and stability is seen.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "sort_case.cuh"

#include <colonnade/merge_sort.cuh>

#include <numeric>

enum class sort_form { unstable, stable };

/// From which index each item of the sorted sequence comes.
template <class Key, class Compare>
std::vector<uint32_t> stably_sorted(const std::vector<Key> &keys, const Compare &compare) {
  std::vector<uint32_t> from(keys.size());
  std::iota(from.begin(), from.end(), 0u);
  std::stable_sort(from.begin(), from.end(),
                   [&](uint32_t a, uint32_t b) { return compare(keys[a], keys[b]); });
  return from;
}

/// Key i of the output is as good as key from[i]: the same, or equal to it in the order.
template <sort_form Form, class Key, class Compare>
void expect_keys(const std::vector<Key> &got, const std::vector<Key> &keys,
                 const std::vector<uint32_t> &from, const Compare &compare, const char *what) {
  for (size_t i = 0; i < from.size(); ++i) {
    const Key &wanted = keys[from[i]];
    const bool right = Form == sort_form::stable
                           ? std::memcmp(&got[i], &wanted, sizeof(Key)) == 0
                           : !compare(got[i], wanted) && !compare(wanted, got[i]);
    if (!right) {
      EXPECT(false, "%s, key %zu of %zu, %zu bytes each", what, i, from.size(), sizeof(Key));
      return;
    }
  }
}

/// The places items came from: a permutation, and where stable, the one.
template <sort_form Form, class Index, class Key, class Compare>
void expect_origins(const std::vector<Index> &got, const std::vector<Key> &keys,
                    const std::vector<uint32_t> &from, const Compare &compare, const char *what) {
  std::vector<bool> used(from.size());
  for (size_t i = 0; i < from.size(); ++i) {
    bool right = got[i] < from.size() && !used[got[i]];
    if (right) {
      used[got[i]] = true;
      const Key &key = keys[got[i]], &wanted = keys[from[i]];
      right = Form == sort_form::stable ? got[i] == from[i]
                                        : !compare(key, wanted) && !compare(wanted, key);
    }
    if (!right) {
      EXPECT(false, "%s, origin %zu of %zu", what, i, from.size());
      return;
    }
  }
}

template <class Policy, sort_form Form = sort_form::stable, class Key, class Compare>
void check_merge_keys(const std::vector<Key> &keys, Compare compare) {
  using namespace colonnade;
  const uint64_t n = keys.size();
  const auto from = stably_sorted(keys, compare);
  const device_array<Key> in(keys), out(n);
  const auto sort = [&](void *d_temp, size_t &bytes, const Key *d_in, Key *d_out) {
    if constexpr (Form == sort_form::stable)
      return stable_merge_sort_keys(d_temp, bytes, d_in, d_out, n, compare, {}, Policy{});
    else
      return merge_sort_keys(d_temp, bytes, d_in, d_out, n, compare, {}, Policy{});
  };
  call_twice([&](void *d_temp, size_t &bytes) { return sort(d_temp, bytes, in.get(), out.get()); });
  expect_keys<Form>(out.read(), keys, from, compare, "keys");
  out.expect_intact("keys");
  call_twice([&](void *d_temp, size_t &bytes) { return sort(d_temp, bytes, in.get(), in.get()); });
  expect_keys<Form>(in.read(), keys, from, compare, "keys in place");
  in.expect_intact("keys in place");
}

template <class Policy, class Value, sort_form Form = sort_form::stable, class Key, class Compare>
void check_merge_pairs(const std::vector<Key> &keys, Compare compare) {
  using namespace colonnade;
  const uint64_t n = keys.size();
  const auto from = stably_sorted(keys, compare);
  std::vector<Value> values(n);
  for (uint64_t i = 0; i < n; ++i)
    values[i] = item_of<Value>(i);
  const device_array<Key> in(keys), out(n);
  const device_array<Value> values_in(values), values_out(n);
  call_twice([&](void *d_temp, size_t &bytes) {
    const Key *d_in = in.get();
    const Value *d_values = values_in.get();
    if constexpr (Form == sort_form::stable)
      return stable_merge_sort_pairs(d_temp, bytes, d_in, out.get(), d_values, values_out.get(), n,
                                     compare, {}, Policy{});
    else
      return merge_sort_pairs(d_temp, bytes, d_in, out.get(), d_values, values_out.get(), n,
                              compare, {}, Policy{});
  });
  expect_keys<Form>(out.read(), keys, from, compare, "keys of pairs");
  const std::vector<Value> moved = values_out.read();
  std::vector<uint32_t> origins(n);
  for (uint64_t i = 0; i < n; ++i)
    origins[i] = number_of(moved[i]);
  if (sizeof(Value) >= 4) // narrower values do not tell their number
    expect_origins<Form>(origins, keys, from, compare, "values");
  else if (Form == sort_form::stable)
    for (uint64_t i = 0; i < n; ++i)
      EXPECT(std::memcmp(&moved[i], &values[from[i]], sizeof(Value)) == 0, "value %llu",
             static_cast<unsigned long long>(i));
  out.expect_intact("keys of pairs");
  values_out.expect_intact("values");
}

template <class Policy, class Index, sort_form Form = sort_form::stable, class Key, class Compare>
void check_merge_argsort(const std::vector<Key> &keys, Compare compare) {
  using namespace colonnade;
  const auto from = stably_sorted(keys, compare);
  const device_array<Key> in(keys);
  const device_array<Index> permutation(keys.size());
  call_twice([&](void *d_temp, size_t &bytes) {
    const Key *d_in = in.get();
    if constexpr (Form == sort_form::stable)
      return stable_merge_argsort(d_temp, bytes, d_in, permutation.get(), keys.size(), compare, {},
                                  Policy{});
    else
      return merge_argsort(d_temp, bytes, d_in, permutation.get(), keys.size(), compare, {},
                           Policy{});
  });
  expect_origins<Form>(permutation.read(), keys, from, compare, "argsort");
  permutation.expect_intact("permutation");
}
