//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort_case.cuh: segmented sorts on the GPU against std::stable_sort, segment
// by segment; items outside all segments must stay as they are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "radix_sort_case.cuh"

#include <colonnade/segmented_sort.cuh>

/// Half as many kernels to compile; those for more items: segmented_sort_huge_gpu_test.cu.
struct below_2_32 : colonnade::segmented_sort_policy {
  static constexpr uint64_t max_items = 0xffffffff;
};

/// Segments on the host; listed ones may leave gaps between them.
struct host_segments {
  std::vector<uint32_t> begin, end;
  uint64_t num_items = 0;
  void add(uint64_t length, uint64_t gap = 0) {
    begin.push_back(static_cast<uint32_t>(num_items));
    end.push_back(static_cast<uint32_t>(num_items + length));
    num_items += length + gap;
  }
};

inline host_segments equal_on_host(uint64_t count, uint64_t length) {
  host_segments s;
  for (uint64_t i = 0; i < count; ++i)
    s.add(length);
  return s;
}

/// Below, at and beyond every border between ways to sort; in random order, with gaps.
inline host_segments segments_of_all_classes(uint64_t most, uint32_t times, uint64_t seed) {
  std::vector<uint64_t> lengths = {0};
  for (uint64_t border = 1; border <= most; border *= 2)
    for (uint64_t length : {border - 1, border, border + 1})
      lengths.push_back(length);
  for (uint64_t length : {9215, 9216, 9217, 20000})
    if (length <= most)
      lengths.push_back(length);
  std::vector<uint64_t> all;
  for (uint32_t t = 0; t < times; ++t)
    for (uint64_t length : lengths)
      if (length < 5000 || t < 2)
        all.push_back(length);
  host_segments s;
  for (uint64_t i = 0; i < all.size(); ++i) {
    std::swap(all[i], all[i + scramble(seed + i) % (all.size() - i)]);
    s.add(all[i], scramble(seed * 31 + i) % 5 == 0 ? scramble(i) % 7 : 0);
  }
  return s;
}

/// P(length >= x) = 1 / x.
inline host_segments power_law(uint64_t items, uint64_t most, uint64_t seed) {
  host_segments s;
  for (uint64_t i = 0; s.num_items < items; ++i) {
    const double u = (static_cast<double>(scramble(seed + i) >> 11) + 1) / 9007199254740993.0;
    s.add(i % 10 == 7 ? 0 : std::min<uint64_t>(most, static_cast<uint64_t>(1 / u)));
  }
  return s;
}

/// The index each item of the output comes from; items outside segments stay.
template <class Key>
std::vector<uint32_t> sorted_segments(const std::vector<Key> &keys, const host_segments &s,
                                      colonnade::radix_order order) {
  std::vector<uint32_t> from(keys.size());
  std::iota(from.begin(), from.end(), 0u);
  for (size_t i = 0; i < s.begin.size(); ++i) {
    const std::vector<Key> part(keys.begin() + s.begin[i], keys.begin() + s.end[i]);
    const auto of_part = sorted_on_host(part, order);
    for (size_t k = 0; k < of_part.size(); ++k)
      from[s.begin[i] + k] = s.begin[i] + of_part[k];
  }
  return from;
}

/// Calls use(segments) with device segments; those of one length also as such.
template <class Use> void with_segments(const host_segments &s, bool equal, Use use) {
  const uint64_t count = s.begin.size();
  if (equal)
    return use(colonnade::equal_segments{count, count ? s.end[0] - s.begin[0] : 0});
  const device_array<uint32_t> begins(s.begin), ends(s.end);
  use(colonnade::listed_segments<const uint32_t *>{count, begins.get(), ends.get(), s.num_items});
}

template <class Key>
std::vector<uint64_t> sorted_bits(const std::vector<Key> &keys, uint32_t begin, uint32_t end) {
  std::vector<uint64_t> bits(end - begin);
  for (uint32_t i = begin; i < end; ++i)
    std::memcpy(&bits[i - begin], &keys[i], sizeof(Key));
  std::sort(bits.begin(), bits.end());
  return bits;
}

/// Inside segments as `from` says, or, unstable, as good; outside untouched (0xa5).
template <class T>
void expect_segments(const std::vector<T> &got, const std::vector<T> &items,
                     const std::vector<uint32_t> &from, const host_segments &s, const char *what) {
  std::vector<char> inside(items.size());
  for (size_t i = 0; i < s.begin.size(); ++i)
    std::fill(inside.begin() + s.begin[i], inside.begin() + s.end[i], char{1});
  T untouched;
  std::memset(&untouched, 0xa5, sizeof(T));
  for (size_t i = 0; i < items.size(); ++i)
    if (std::memcmp(&got[i], inside[i] ? &items[from[i]] : &untouched, sizeof(T)) != 0) {
      size_t k = 0;
      while (k < s.begin.size() && s.end[k] <= i)
        ++k;
      EXPECT(false, "%s, item %zu of %zu, segment %zu (%u to %u) of %zu", what, i, items.size(), k,
             k < s.begin.size() ? s.begin[k] : 0, k < s.begin.size() ? s.end[k] : 0,
             s.begin.size());
      return;
    }
}

template <class Key>
void check_segmented_keys(const std::vector<Key> &keys, const host_segments &s, bool equal,
                          colonnade::radix_order order = {}) {
  const auto from = sorted_segments(keys, s, order);
  const device_array<Key> in(keys), out(keys.size());
  with_segments(s, equal, [&](auto segments) {
    call_twice([&](void *d_temp, size_t &bytes) {
      return colonnade::segmented_sort_keys(d_temp, bytes, static_cast<const Key *>(in.get()),
                                            out.get(), segments, order, {}, below_2_32{});
    });
  });
  std::vector<Key> got = out.read();
  out.expect_intact("keys");
  const uint32_t end = order.end(8 * sizeof(Key)), width = end - order.begin_bit;
  const uint64_t mask = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const auto place = [&](const Key &key) {
    return width ? order_of(key) >> order.begin_bit & mask : 0;
  };
  for (size_t i = 0; i < s.begin.size(); ++i) { // unstable: the same places, the same bits
    bool right = true;
    for (uint32_t k = s.begin[i]; k < s.end[i]; ++k)
      right = right && place(got[k]) == place(keys[from[k]]);
    EXPECT(right, "segment %zu (%u items) is not sorted", i, s.end[i] - s.begin[i]);
    EXPECT(sorted_bits(got, s.begin[i], s.end[i]) == sorted_bits(keys, s.begin[i], s.end[i]),
           "segment %zu (%u items) has other keys", i, s.end[i] - s.begin[i]);
    for (uint32_t k = s.begin[i]; k < s.end[i]; ++k)
      got[k] = keys[from[k]];
  }
  expect_segments(got, keys, from, s, "keys outside segments");
}

template <class Key>
void check_segmented_stable_keys(const std::vector<Key> &keys, const host_segments &s, bool equal,
                                 colonnade::radix_order order = {}) {
  const auto from = sorted_segments(keys, s, order);
  const device_array<Key> in(keys), out(keys.size());
  with_segments(s, equal, [&](auto segments) {
    call_twice([&](void *d_temp, size_t &bytes) {
      return colonnade::segmented_stable_sort_keys(d_temp, bytes,
                                                   static_cast<const Key *>(in.get()), out.get(),
                                                   segments, order, {}, below_2_32{});
    });
  });
  expect_segments(out.read(), keys, from, s, "stable keys");
  out.expect_intact("stable keys");
}

template <class Value, class Key>
void check_segmented_pairs(const std::vector<Key> &keys, const host_segments &s, bool equal,
                           colonnade::radix_order order = {}) {
  const auto from = sorted_segments(keys, s, order);
  std::vector<Value> values(keys.size());
  for (uint64_t i = 0; i < keys.size(); ++i)
    values[i] = item_of<Value>(i);
  const device_array<Key> in(keys), out(keys.size());
  const device_array<Value> values_in(values), values_out(keys.size());
  with_segments(s, equal, [&](auto segments) {
    call_twice([&](void *d_temp, size_t &bytes) {
      return colonnade::segmented_sort_pairs(d_temp, bytes, static_cast<const Key *>(in.get()),
                                             out.get(), static_cast<const Value *>(values_in.get()),
                                             values_out.get(), segments, order, {}, below_2_32{});
    });
  });
  expect_segments(out.read(), keys, from, s, "keys of pairs");
  expect_segments(values_out.read(), values, from, s, "values");
  out.expect_intact("keys of pairs");
  values_out.expect_intact("values");
}

template <class Index, class Key>
void check_segmented_argsort(const std::vector<Key> &keys, const host_segments &s, bool equal,
                             colonnade::radix_order order = {}) {
  const auto from = sorted_segments(keys, s, order);
  std::vector<Index> places(keys.size());
  for (size_t i = 0; i < s.begin.size(); ++i)
    for (uint32_t k = s.begin[i]; k < s.end[i]; ++k)
      places[k] = static_cast<Index>(k - s.begin[i]);
  const device_array<Key> in(keys);
  const device_array<Index> out(keys.size());
  with_segments(s, equal, [&](auto segments) {
    call_twice([&](void *d_temp, size_t &bytes) {
      return colonnade::segmented_argsort(d_temp, bytes, static_cast<const Key *>(in.get()),
                                          out.get(), segments, order, {}, below_2_32{});
    });
  });
  expect_segments(out.read(), places, from, s, "argsort");
  out.expect_intact("argsort");
}
