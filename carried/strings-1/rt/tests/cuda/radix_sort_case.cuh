//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort_case.cuh: radix sorts on the GPU against std::stable_sort.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "small_sort_policy.hpp"
#include "sort_case.cuh"

#include <colonnade/radix_sort.cuh>

#include <numeric>

/// The key's place in the order, written anew: not with the runtime's own words.
template <class Key> uint64_t order_of(const Key &key) {
  uint64_t bits = 0;
  std::memcpy(&bits, &key, sizeof(Key));
  const uint64_t sign = uint64_t{1} << (8 * sizeof(Key) - 1);
  constexpr auto kind = colonnade::detail::key_traits<Key>::kind;
  if (kind == colonnade::detail::key_kind::signed_integer)
    return bits < sign ? bits + sign : bits - sign;
  if (kind == colonnade::detail::key_kind::floating) {
    if (bits == sign)
      bits = 0;
    return bits < sign ? bits + sign : 2 * sign - 1 - bits;
  }
  return bits;
}

/// From which index each item of the sorted sequence comes.
template <class Key>
std::vector<uint32_t> sorted_on_host(const std::vector<Key> &keys, colonnade::radix_order order) {
  std::vector<uint32_t> from(keys.size());
  std::vector<uint64_t> place(keys.size());
  std::iota(from.begin(), from.end(), 0u);
  const uint32_t end = order.end(8 * sizeof(Key)), width = end - order.begin_bit;
  const uint64_t mask = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  for (size_t i = 0; i < keys.size(); ++i)
    place[i] = width ? order_of(keys[i]) >> order.begin_bit & mask : 0;
  std::stable_sort(from.begin(), from.end(), [&](uint32_t a, uint32_t b) {
    return order.descending ? place[a] > place[b] : place[a] < place[b];
  });
  return from;
}

/// Any bits; many small numbers, zeros of both signs, infinities and NaNs.
template <class Key> std::vector<Key> sort_keys_of(uint64_t n, uint64_t seed) {
  std::vector<Key> keys(n);
  const uint64_t sign = uint64_t{1} << (8 * sizeof(Key) - 1);
  const uint64_t all = sign | (sign - 1), exponent = sizeof(Key) == 2   ? 0x7c00
                                                     : sizeof(Key) == 4 ? 0x7f800000
                                                                        : 0x7ff0000000000000;
  const uint64_t special[] = {0, sign, exponent, exponent | sign, all, sign - 1};
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t a = scramble(i + seed * 1000003), b = scramble(~a);
    const uint64_t bits = b % 8 == 0 ? special[a % 6] : b % 8 == 1 ? a & 15 : a ^ b << 32;
    std::memcpy(&keys[i], &bits, sizeof(Key));
  }
  return keys;
}

template <class T>
void expect_sorted(const std::vector<T> &got, const std::vector<T> &items,
                   const std::vector<uint32_t> &from, const char *what) {
  for (size_t i = 0; i < from.size(); ++i)
    if (std::memcmp(&got[i], &items[from[i]], sizeof(T)) != 0) {
      EXPECT(false, "%s, item %zu of %zu, %zu bytes each", what, i, from.size(), sizeof(T));
      return;
    }
}

template <class Policy, class Key>
void check_sort_keys(const std::vector<Key> &keys, colonnade::radix_order order) {
  using namespace colonnade;
  const uint64_t n = keys.size();
  const auto from = sorted_on_host(keys, order);
  const device_array<Key> in(keys), out(n), alternate(n);
  call_twice([&](void *d_temp, size_t &bytes) {
    return sort_keys(d_temp, bytes, static_cast<const Key *>(in.get()), out.get(), n, order, {},
                     Policy{});
  });
  expect_sorted(out.read(), keys, from, "keys");
  expect_sorted(
      in.read(), keys,
      [&] {
        auto all = from;
        std::iota(all.begin(), all.end(), 0u);
        return all;
      }(),
      "input");
  out.expect_intact("keys");
  double_buffer<Key> both{in.get(), alternate.get()};
  call_twice([&](void *d_temp, size_t &bytes) {
    return sort_keys(d_temp, bytes, both, n, order, {}, Policy{});
  });
  EXPECT(both.current == in.get() || both.current == alternate.get(), "neither buffer");
  expect_sorted((both.current == in.get() ? in : alternate).read(), keys, from,
                "double-buffered keys");
  in.expect_intact("first buffer");
  alternate.expect_intact("second buffer");
}

template <class Policy, class Value, class Key>
void check_sort_pairs(const std::vector<Key> &keys, colonnade::radix_order order) {
  using namespace colonnade;
  const uint64_t n = keys.size();
  const auto from = sorted_on_host(keys, order);
  std::vector<Value> values(n);
  for (uint64_t i = 0; i < n; ++i)
    values[i] = item_of<Value>(i);
  const device_array<Key> in(keys), out(n), alternate(n);
  const device_array<Value> values_in(values), values_out(n), values_alternate(n);
  call_twice([&](void *d_temp, size_t &bytes) {
    return sort_pairs(d_temp, bytes, static_cast<const Key *>(in.get()), out.get(),
                      static_cast<const Value *>(values_in.get()), values_out.get(), n, order, {},
                      Policy{});
  });
  expect_sorted(out.read(), keys, from, "keys of pairs");
  expect_sorted(values_out.read(), values, from, "values");
  values_out.expect_intact("values");
  double_buffer<Key> both{in.get(), alternate.get()};
  double_buffer<Value> both_values{values_in.get(), values_alternate.get()};
  call_twice([&](void *d_temp, size_t &bytes) {
    return sort_pairs(d_temp, bytes, both, both_values, n, order, {}, Policy{});
  });
  expect_sorted((both.current == in.get() ? in : alternate).read(), keys, from,
                "double-buffered keys");
  expect_sorted((both_values.current == values_in.get() ? values_in : values_alternate).read(),
                values, from, "double-buffered values");
}

template <class Policy, class Index, class Key>
void check_argsort(const std::vector<Key> &keys, colonnade::radix_order order) {
  const auto from = sorted_on_host(keys, order);
  const device_array<Key> in(keys);
  const device_array<Index> permutation(keys.size());
  call_twice([&](void *d_temp, size_t &bytes) {
    return colonnade::argsort(d_temp, bytes, static_cast<const Key *>(in.get()), permutation.get(),
                              keys.size(), order, {}, Policy{});
  });
  const std::vector<Index> got = permutation.read();
  EXPECT(std::equal(got.begin(), got.end(), from.begin()), "argsort of %zu keys of %zu bytes",
         keys.size(), sizeof(Key));
  permutation.expect_intact("permutation");
}

/// Keys of one type, both ways, by all bits and by some.
template <class Key> void check_sorts_of(uint64_t n) {
  const auto keys = sort_keys_of<Key>(n, sizeof(Key));
  for (const bool descending : {false, true}) {
    check_sort_keys<small_sort_policy>(keys, {descending});
    check_sort_keys<small_sort_policy>(keys, {descending, 2, 7});
    check_argsort<small_sort_policy, uint32_t>(keys, {descending});
  }
}
