//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Segmented sorts of floats on the GPU: equal and listed segments around all borders
// between classes, empty ones, a huge one beside many tiny ones, power-law lengths;
// orders and bit ranges; bad segments; argument errors; a captured graph.
//
//   --small   a few thousand items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "segmented_sort_case.cuh"

using namespace colonnade;

namespace {

bool small = false;

void test_equal() {
  std::vector<uint64_t> lengths = {0,  1,  2,  3,  4,  5,  8,  12, 16, 17,
                                   24, 28, 31, 32, 33, 48, 63, 64, 96, 112};
  for (uint64_t length : {127, 128, 129, 250, 256, 512, 897, 1000, 1023, 1024, 1025, 2048, 3000})
    if (!small || length % 128 == 1)
      lengths.push_back(length);
  if (!small)
    lengths.insert(lengths.end(), {4095, 4096, 5888, 7168, 8191, 8192, 8193, 9216, 9217, 30000});
  for (uint64_t length : lengths)
    for (uint64_t count : {1, 2, 33, 1000}) {
      if (count * length > (small ? 4000u : 1000000u) && count > 2)
        continue;
      check_segmented_keys(sort_keys_of<float>(count * length, length),
                           equal_on_host(count, length), true, {count % 2 == 0});
    }
  if (!small)
    check_segmented_keys(sort_keys_of<float>(1 << 21, 1), equal_on_host(2, 1 << 20), true);
}

/// Packs of 16 bytes may only be used where both arrays are aligned.
void test_unaligned() {
  const uint64_t count = 100, length = 32, n = count * length;
  auto keys = sort_keys_of<float>(n, 5);
  const device_array<float> in(n + 1), out(n + 1);
  std::vector<float> padded(keys);
  padded.insert(padded.begin(), 0.0f);
  in.write(padded);
  for (const bool in_off : {false, true})
    for (const bool out_off : {false, true}) {
      call_twice([&](void *d_temp, size_t &bytes) {
        return segmented_sort_keys(d_temp, bytes, static_cast<const float *>(in.get() + in_off),
                                   out.get() + out_off, equal_segments{count, length});
      });
      const auto got = out.read();
      const std::vector<float> part(padded.begin() + in_off, padded.begin() + in_off + n);
      const auto from = sorted_segments(part, equal_on_host(count, length), {});
      for (uint64_t i = 0; i < n; ++i)
        if (order_of(got[i + out_off]) != order_of(part[from[i]])) {
          EXPECT(false, "item %llu, offsets %d and %d", static_cast<unsigned long long>(i), in_off,
                 out_off);
          break;
        }
    }
}

void test_listed() {
  for (const bool descending : {false, true}) {
    const auto s = segments_of_all_classes(small ? 600 : 16384, small ? 2 : 12, descending);
    check_segmented_keys(sort_keys_of<float>(s.num_items, descending), s, false, {descending});
  }
  host_segments none;
  check_segmented_keys(sort_keys_of<float>(0, 0), none, false);
  none.add(0);
  none.add(0, 10);
  check_segmented_keys(sort_keys_of<float>(10, 0), none, false);
  if (small)
    return;
  host_segments huge; // beside many tiny ones
  for (uint64_t i = 0; i < 20000; ++i)
    huge.add(i == 7777 ? (1u << 20) + 1 : i % 5);
  check_segmented_keys(sort_keys_of<float>(huge.num_items, 9), huge, false);
  const auto law = power_law(1 << 21, 1 << 20, 3);
  check_segmented_keys(sort_keys_of<float>(law.num_items, 4), law, false);
}

void test_bit_ranges() {
  const auto s = segments_of_all_classes(small ? 300 : 9300, 2, 8);
  const auto keys = sort_keys_of<float>(s.num_items, 8);
  for (const radix_order order :
       {radix_order{false, 4, 20}, radix_order{true, 16, 32}, radix_order{false, 7, 7}})
    check_segmented_keys(keys, s, false, order);
}

/// Not sorted, not read beyond the array, and the first of them reported.
void test_bad_segments() {
  const uint64_t n = 1000;
  const auto keys = sort_keys_of<float>(n, 2);
  const std::vector<uint32_t> begins = {0, 100, 300, 900, 5},
                              ends = {100, 90, 400, 1001, 0xffffffff};
  const device_array<uint32_t> d_begins(begins), d_ends(ends);
  const device_array<float> in(keys), out(n);
  const device_array<device_status> status(std::vector<device_status>(1));
  call_twice([&](void *d_temp, size_t &bytes) {
    return segmented_sort_keys(
        d_temp, bytes, static_cast<const float *>(in.get()), out.get(),
        listed_segments<const uint32_t *>{5, d_begins.get(), d_ends.get(), n}, {},
        {nullptr, status.get()});
  });
  EXPECT(status.read()[0].error() == data_error::bucket_out_of_range &&
             status.read()[0].detail() == 1,
         "status %llx", static_cast<unsigned long long>(status.read()[0].first));
  host_segments good;
  good.add(100, 200);
  good.add(100, 600);
  const auto from = sorted_segments(keys, good, {});
  const auto got = out.read();
  for (uint64_t i = 0; i < n; ++i) {
    const bool inside = i < 100 || (i >= 300 && i < 400);
    uint32_t bits;
    std::memcpy(&bits, &got[i], 4);
    EXPECT(inside ? order_of(got[i]) == order_of(keys[from[i]]) : bits == 0xa5a5a5a5, "item %llu",
           static_cast<unsigned long long>(i));
  }
}

void test_argument_errors() {
  const device_array<float> a(100), b(100);
  const device_array<uint32_t> offsets(11);
  const float *in = a.get();
  size_t bytes = 0;
  const auto call = [&](void *d_temp, size_t &size, float *out, auto segments,
                        radix_order order = {}) {
    return segmented_sort_keys(d_temp, size, in, out, segments, order);
  };
  const equal_segments equal{10, 10};
  const auto listed = segments_between(10, static_cast<const uint32_t *>(offsets.get()), 100);
  const auto no_offsets = segments_between(10, static_cast<const uint32_t *>(nullptr), 100);
  EXPECT(call(nullptr, bytes, b.get(), equal, {false, 9, 8}) == cudaErrorInvalidValue, "bits");
  EXPECT(call(nullptr, bytes, b.get(), equal_segments{1, 1 << 30}) == cudaErrorInvalidValue,
         "length");
  EXPECT(call(nullptr, bytes, b.get(), equal_segments{~uint64_t{0}, 100}) == cudaErrorInvalidValue,
         "count");
  EXPECT(call(nullptr, bytes, b.get(), equal_segments{3, 0}) == cudaSuccess && bytes >= 1, "empty");
  CUDA_OK(call(nullptr, bytes, b.get(), listed));
  const device_array<uint8_t> temp(bytes);
  size_t less = bytes - 1;
  EXPECT(call(temp.get(), less, b.get(), listed) == cudaErrorInvalidValue, "storage");
  EXPECT(call(temp.get(), bytes, nullptr, listed) == cudaErrorInvalidValue, "no output");
  EXPECT(call(temp.get(), bytes, b.get(), no_offsets) == cudaErrorInvalidValue, "no offsets");
  EXPECT(call(temp.get(), bytes, a.get() + 99, equal) == cudaErrorInvalidValue, "overlap");
  EXPECT(cudaGetLastError() == cudaSuccess, "a CUDA error was left pending");
}

/// Keys and offsets change between replays.
void test_graph() {
  const uint64_t n = small ? 3000 : 200000, count = 500;
  const device_array<float> in(n), out(n);
  const device_array<uint32_t> offsets(count + 1);
  size_t bytes = 0;
  const auto call = [&](void *d_temp, cudaStream_t stream) {
    return segmented_sort_keys(
        d_temp, bytes, static_cast<const float *>(in.get()), out.get(),
        segments_between(count, static_cast<const uint32_t *>(offsets.get()), n), {}, {stream});
  };
  CUDA_OK(call(nullptr, nullptr));
  const device_array<uint8_t> temp(bytes);
  const captured_graph graph([&](cudaStream_t stream) { return call(temp.get(), stream); });
  for (uint64_t seed : {31, 32, 33}) {
    const auto keys = sort_keys_of<float>(n, seed);
    std::vector<uint32_t> ends(count + 1, static_cast<uint32_t>(n));
    ends[0] = 0;
    for (uint64_t i = 1; i < count; ++i) // seed 32: all in few
      ends[i] = static_cast<uint32_t>(scramble(i + seed) % n >> (seed == 32 ? 5 : 0));
    std::sort(ends.begin(), ends.end());
    in.write(keys);
    offsets.write(ends);
    graph.replay();
    host_segments s;
    for (uint64_t i = 0; i < count; ++i)
      s.add(ends[i + 1] - ends[i]);
    const auto from = sorted_segments(keys, s, {});
    const auto got = out.read();
    bool right = true;
    for (uint64_t i = 0; i < n; ++i)
      right = right && order_of(got[i]) == order_of(keys[from[i]]);
    EXPECT(right, "replay %llu", static_cast<unsigned long long>(seed));
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  small = has_option(argc, argv, "--small");
  test_equal();
  test_unaligned();
  test_listed();
  test_bit_ranges();
  test_bad_segments();
  test_argument_errors();
  test_graph();
  return gpu_result("segmented sort");
}
