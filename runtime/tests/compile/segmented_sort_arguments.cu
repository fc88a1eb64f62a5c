//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What segmented_sort.cuh refuses before any CUDA call.
//
//===----------------------------------------------------------------------===//

#include "no_gpu.hpp"

#include <colonnade/segmented_sort.cuh>

using namespace colonnade;

namespace {

struct light : segmented_sort_policy {
  static constexpr uint64_t max_items = 9999;
};

some_memory<uint32_t> keys, sorted, offsets;
some_memory<uint64_t> values, moved;
some_memory<uint8_t> places;
some_memory<char> temp;

constexpr size_t plenty = ~size_t{0};

template <class Segments>
cudaError_t sort(size_t bytes, const uint32_t *in, uint32_t *out, Segments segments,
                 radix_order order = {}) {
  return segmented_sort_keys(temp.get(), bytes, in, out, segments, order, {}, light{});
}

void test_equal() {
  size_t bytes = 0;
  const equal_segments segments{10, 10};
  const uint32_t *in = keys.in();
  uint32_t *out = sorted.get();
  EXPECT(segmented_sort_keys(nullptr, bytes, in, out, segments, {}, {}, light{}) == cudaSuccess &&
             bytes > 0,
         "bytes");
  REACHES_CUDA(sort(bytes, in, out, segments));
  REFUSED(sort(bytes - 1, in, out, segments));
  REFUSED(sort(plenty, in, out, equal_segments{100, 100}));
  REFUSED(sort(plenty, in, out, equal_segments{~uint64_t{0}, 2}));
  REFUSED(sort(plenty, in, out, equal_segments{1, uint64_t{1} << 30}));
  REFUSED(sort(plenty, nullptr, out, segments));
  REFUSED(sort(plenty, in, nullptr, segments));
  REFUSED(sort(plenty, keys.at(2), out, segments));
  REFUSED(sort(plenty, in, sorted.at(1), segments));
  REFUSED(sort(plenty, in, keys.get() + 99, segments));
  REFUSED(sort(plenty, in, out, segments, {false, 9, 8}));
  REFUSED(sort(plenty, in, out, segments, {true, 33}));
  EXPECT(sort(plenty, nullptr, nullptr, equal_segments{7, 0}) == cudaSuccess, "nothing to sort");
}

void test_listed() {
  size_t bytes = 0;
  const auto segments = segments_between(10, offsets.in(), 900);
  const uint32_t *in = keys.in();
  uint32_t *out = sorted.get();
  EXPECT(segmented_sort_keys(nullptr, bytes, in, out, segments, {}, {}, light{}) == cudaSuccess &&
             bytes > 40,
         "bytes");
  REACHES_CUDA(sort(bytes, in, out, segments));
  REFUSED(sort(bytes - 1, in, out, segments));
  REFUSED(sort(plenty, in, out, segments_between(10, static_cast<const uint32_t *>(nullptr), 900)));
  REFUSED(sort(plenty, in, out,
               segments_between(10, static_cast<const uint32_t *>(offsets.at(2)), 900)));
  REFUSED(sort(plenty, in, out, segments_between(10, offsets.in(), 10000)));
  REFUSED(sort(plenty, in, out, segments_between(0xffffffff, offsets.in(), 900)));
  REFUSED(sort(plenty, in, keys.get() + 899, segments));
  EXPECT(sort(plenty, nullptr, nullptr, segments_between(0, offsets.in(), 0)) == cudaSuccess,
         "no segments");
}

/// Where segments begin and end must not be where the result goes.
void test_segments_apart() {
  const auto in_output = segments_between(10, sorted.in() + 890, 900),
             in_input = segments_between(10, keys.in(), 900);
  REFUSED(sort(plenty, keys.in(), sorted.get(), in_output));
  REACHES_CUDA(sort(plenty, keys.in(), sorted.get(), segments_between(10, sorted.in() + 900, 900)));
  REACHES_CUDA(sort(plenty, keys.in(), sorted.get(), in_input)); // both are only read
  REFUSED(sort(plenty, keys.in(), sorted.get(),
               listed_segments<const uint32_t *>{10, offsets.in(), sorted.in() + 899, 900}));
}

cudaError_t sort_pairs(const uint64_t *from, uint64_t *to, uint32_t *out = sorted.get()) {
  size_t bytes = plenty;
  return segmented_sort_pairs(temp.get(), bytes, keys.in(), out, from, to, equal_segments{9, 100},
                              {}, {}, light{});
}
void test_pairs() {
  REACHES_CUDA(sort_pairs(values.in(), moved.get()));
  REFUSED(sort_pairs(nullptr, moved.get()));
  REFUSED(sort_pairs(values.in(), nullptr));
  REFUSED(sort_pairs(values.at(4), moved.get()));
  REFUSED(sort_pairs(values.in(), moved.at(4)));
  REFUSED(sort_pairs(values.in(), values.get() + 899));
  REFUSED(sort_pairs(values.in(), moved.get(), reinterpret_cast<uint32_t *>(moved.get())));
}
void test_stable_keys() {
  size_t bytes = 0, less = 1;
  const equal_segments segments{10, 10};
  const auto stable = [&](void *d_temp, size_t &size, uint32_t *out) {
    return segmented_stable_sort_keys(d_temp, size, keys.in(), out, segments, {}, {}, light{});
  };
  EXPECT(stable(nullptr, bytes, nullptr) == cudaSuccess && bytes > 0, "bytes");
  REACHES_CUDA(stable(temp.get(), bytes, sorted.get()));
  REFUSED(stable(temp.get(), less, sorted.get()));
  REFUSED(stable(temp.get(), bytes, nullptr));
  REFUSED(stable(temp.get(), bytes, keys.get()));
}

void test_argsort() {
  const auto order_of = [](uint64_t length, radix_order order = {}) {
    size_t bytes = plenty;
    return segmented_argsort(temp.get(), bytes, keys.in(), places.get(), equal_segments{2, length},
                             order, {}, light{});
  };
  REACHES_CUDA(order_of(256));
  REFUSED(order_of(257));
  REFUSED(order_of(256, {false, 2, 1}));
}

/// As documented: listed segments take 4.1 bytes each and 64 KB; where some may be large,
/// copies of the items and (digits + 2) / 8 bytes an item.
void test_storage() {
  const uint8_t *in = nullptr;
  uint8_t *out = nullptr;
  uint32_t *to = nullptr;
  for (uint64_t n = 1; n >> 36 == 0; n = n * 7 + 3)
    for (uint64_t count = 1; count <= n && count < 0xffffffff; count = count * 9 + 1) {
      size_t bytes = 0, argsort_bytes = 0;
      const auto listed = segments_between(count, offsets.in(), n);
      EXPECT(segmented_sort_keys(nullptr, bytes, in, out, listed) == cudaSuccess, "bytes");
      EXPECT(segmented_argsort(nullptr, argsort_bytes, in, to, listed) == cudaSuccess, "bytes");
      const double lists = 4.1 * static_cast<double>(count) + 65536, items = static_cast<double>(n);
      const bool may_be_large = n > 8192;
      EXPECT(static_cast<double>(bytes) <= lists + may_be_large * items * (1 + 3 / 8.0 * 1.05),
             "%zu bytes for %llu items in %llu", bytes, static_cast<unsigned long long>(n),
             static_cast<unsigned long long>(count));
      EXPECT(static_cast<double>(argsort_bytes) <=
                 lists + may_be_large * items * (2 + 4 + 3 / 8.0 * 1.05),
             "argsort: %zu bytes for %llu items in %llu", argsort_bytes,
             static_cast<unsigned long long>(n), static_cast<unsigned long long>(count));
    }
  for (uint64_t length : {1, 100, 8192}) {
    size_t bytes = 0;
    EXPECT(segmented_sort_keys(nullptr, bytes, in, out, equal_segments{1000, length}) ==
                   cudaSuccess &&
               bytes <= 65536,
           "%zu bytes for short equal segments", bytes);
  }
}

} // namespace

int main() {
  require_no_gpu();
  test_equal();
  test_listed();
  test_segments_apart();
  test_pairs();
  test_stable_keys();
  test_argsort();
  test_storage();
  return gpu_result("arguments of segmented sort");
}
