//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bulk sorts on the GPU against std::sort and std::stable_sort, array by array: keys
// of every length in registers, longer ones, pairs, row numbers, both layouts, in
// place and not; replayed from a graph.
//
//   --small   few arrays, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "device_case.cuh"

#include <colonnade/bulk_sort.cuh>

#include <numeric>

using namespace colonnade;

namespace {

/// Few instances to compile, and several passes early.
struct light_policy : bulk_sort_policy {
  static constexpr bulk_sort_lengths lengths[] = {{9, 13}, {32, 32}};
  static constexpr uint32_t window_bits(gpu_architecture, uint32_t) { return 4; }
  static constexpr uint32_t max_block_log2_rows = 0;
};
/// Blocks between registers and several passes.
struct middle_policy : light_policy {
  static constexpr uint32_t max_block_log2_rows = 6;
};

/// By the tens alone, so that stability shows.
struct by_tens {
  template <class Key> __host__ __device__ bool operator()(const Key &a, const Key &b) const {
    return number_of(a) / 10 < number_of(b) / 10;
  }
};

template <class Layout> struct shape {
  uint64_t count;
  uint32_t length;
  uint64_t cells() const { return Layout::storage_cells(count, length); }
  uint64_t at(uint64_t array, uint32_t row) const {
    const auto view = Layout::view(array, length, count);
    return view.base + row * view.stride;
  }
};

template <class Layout, class Key>
std::vector<Key> bulk_keys(const shape<Layout> &s, uint64_t seed, uint64_t different) {
  std::vector<Key> keys(s.cells());
  for (uint64_t i = 0; i < keys.size(); ++i)
    keys[i] = item_of<Key>(scramble(i + seed * 1000003) % different);
  return keys;
}

template <class Layout, class Key, class Less>
std::vector<uint32_t> stable_rows(const shape<Layout> &s, const std::vector<Key> &keys,
                                  uint64_t array, Less less) {
  std::vector<uint32_t> from(s.length);
  std::iota(from.begin(), from.end(), 0u);
  std::stable_sort(from.begin(), from.end(), [&](uint32_t a, uint32_t b) {
    return less(keys[s.at(array, a)], keys[s.at(array, b)]);
  });
  return from;
}

template <class Layout, class Policy>
void check_keys(uint64_t count, uint32_t length, bool in_place) {
  const shape<Layout> s{count, length};
  const auto keys = bulk_keys<Layout, uint32_t>(s, length, uint64_t{1} << (length % 2 ? 32 : 5));
  const device_array<uint32_t> in(keys), out(s.cells());
  uint32_t *const to = in_place ? in.get() : out.get();
  call_twice([&](void *d_temp, size_t &bytes) {
    return bulk_sort_keys<Layout>(d_temp, bytes, static_cast<const uint32_t *>(in.get()), to, count,
                                  length, ascending{}, {}, Policy{});
  });
  const auto got = (in_place ? in : out).read();
  for (uint64_t j = 0; j < count; ++j) {
    const auto from = stable_rows(s, keys, j, ascending{});
    for (uint32_t i = 0; i < length; ++i)
      if (got[s.at(j, i)] != keys[s.at(j, from[i])]) {
        EXPECT(false, "key %u of %u, array %d of %d", i, length, static_cast<int>(j),
               static_cast<int>(count));
        return;
      }
  }
  in.expect_intact("input");
  out.expect_intact("output");
}

/// Unstable pairs: every row comes once, with its key. Stable ones, and row numbers.
template <class Layout, class Key, class Index, class policy>
void check_pairs(uint64_t count, uint32_t length) {
  const shape<Layout> s{count, length};
  const auto keys = bulk_keys<Layout, Key>(s, length, 100);
  std::vector<uint64_t> rows(s.cells());
  for (uint64_t j = 0; j < count; ++j)
    for (uint32_t i = 0; i < length; ++i)
      rows[s.at(j, i)] = i;
  const device_array<Key> in(keys), out(s.cells()), stable_out(s.cells()), lone_out(s.cells());
  const device_array<uint64_t> values(rows), values_out(s.cells()), stable_values(s.cells());
  const device_array<Index> indices(s.cells());
  const Key *const from_keys = in.get();
  const uint64_t *const from_values = values.get();
  call_twice([&](void *d_temp, size_t &bytes) {
    return bulk_sort_pairs<Layout>(d_temp, bytes, from_keys, out.get(), from_values,
                                   values_out.get(), count, length, by_tens{}, {}, policy{});
  });
  call_twice([&](void *d_temp, size_t &bytes) {
    return bulk_stable_sort_pairs<Layout>(d_temp, bytes, from_keys, stable_out.get(), from_values,
                                          stable_values.get(), count, length, by_tens{}, {},
                                          policy{});
  });
  call_twice([&](void *d_temp, size_t &bytes) {
    return bulk_stable_sort_keys<Layout>(d_temp, bytes, from_keys, lone_out.get(), count, length,
                                         by_tens{}, {}, policy{});
  });
  call_twice([&](void *d_temp, size_t &bytes) {
    return bulk_argsort<Layout>(d_temp, bytes, from_keys, indices.get(), count, length, by_tens{},
                                {}, policy{});
  });
  const auto got = out.read(), stable = stable_out.read(), lone = lone_out.read();
  const auto got_values = values_out.read(), stable_rows_got = stable_values.read();
  const auto index = indices.read();
  bool unstable_right = true, stable_right = true, keys_right = true, rows_right = true;
  for (uint64_t j = 0; j < count; ++j) {
    const auto from = stable_rows(s, keys, j, by_tens{});
    std::vector<bool> seen(length);
    for (uint32_t i = 0; i < length; ++i) {
      const uint64_t at = s.at(j, i), row = got_values[at];
      unstable_right &= row < length && !seen[row] &&
                        got[at] == keys[s.at(j, static_cast<uint32_t>(row))] &&
                        number_of(got[at]) / 10 == number_of(keys[s.at(j, from[i])]) / 10;
      if (row < length)
        seen[row] = true;
      stable_right &= stable[at] == keys[s.at(j, from[i])] && stable_rows_got[at] == from[i];
      keys_right &= lone[at] == keys[s.at(j, from[i])];
      rows_right &= index[at] == from[i];
    }
  }
  const int n = static_cast<int>(length), p = static_cast<int>(count);
  EXPECT(unstable_right, "pairs of %zu-byte keys, %d arrays of %d", sizeof(Key), p, n);
  EXPECT(stable_right, "stable pairs of %zu-byte keys, %d arrays of %d", sizeof(Key), p, n);
  EXPECT(keys_right, "stable keys of %zu bytes, %d arrays of %d", sizeof(Key), p, n);
  EXPECT(rows_right, "row numbers of %zu-byte keys, %d arrays of %d", sizeof(Key), p, n);
  EXPECT(in.read() == keys, "input");
  for (const auto *array : {&out, &stable_out, &lone_out})
    array->expect_intact("keys");
  values_out.expect_intact("values");
  indices.expect_intact("row numbers");
}

void check_replay(uint64_t count, uint32_t length) {
  using layout = runtime::column_wise_layout;
  const shape<layout> s{count, length};
  const device_array<uint32_t> keys(s.cells());
  size_t bytes = 0;
  CUDA_OK(bulk_sort_keys(nullptr, bytes, static_cast<const uint32_t *>(keys.get()), keys.get(),
                         count, length));
  const device_array<uint8_t> temp(bytes);
  const captured_graph graph([&](cudaStream_t stream) {
    return bulk_sort_keys(temp.get(), bytes, static_cast<const uint32_t *>(keys.get()), keys.get(),
                          count, length, ascending{}, {stream});
  });
  for (uint64_t replay = 0; replay < 2; ++replay) {
    const auto given = bulk_keys<layout, uint32_t>(s, 7 + replay, uint64_t{1} << 32);
    keys.write(given);
    graph.replay();
    const auto got = keys.read();
    bool right = true;
    for (uint64_t j = 0; j < count; ++j) {
      const auto from = stable_rows(s, given, j, ascending{});
      for (uint32_t i = 0; i < length; ++i)
        right &= got[s.at(j, i)] == given[s.at(j, from[i])];
    }
    EXPECT(right, "replay %d of length %u", static_cast<int>(replay), length);
  }
}

} // namespace

int main(int argc, char **argv) {
  using columns = runtime::column_wise_layout;
  using tiles = runtime::tiled_layout<32>;
  require_gpu();
  const bool small = has_option(argc, argv, "--small");
  for (uint32_t length = 0; length <= 140; length += small ? 31 : 1)
    check_keys<columns, bulk_sort_policy>(small ? 35 : 300, length, length % 3 == 0);
  for (uint32_t length : small ? std::vector<uint32_t>{200}
                               : std::vector<uint32_t>{160, 161, 192, 200, 224, 225, 256, 257, 300,
                                                       1000, 1500, 4095, 4096, 4097})
    check_keys<columns, bulk_sort_policy>(small ? 35 : 130, length, length % 3 == 0);
  check_keys<columns, light_policy>(small ? 35 : 130, small ? 100 : 4097, true);
  for (uint64_t count : {0, 1, 31, 33, 129})
    check_keys<columns, bulk_sort_policy>(count, 32, false);
  for (uint32_t length : {1, 9, 12, 13, 17, 32, 33, 150}) {
    check_pairs<columns, uint32_t, uint8_t, middle_policy>(small ? 35 : 300, length);
    check_pairs<tiles, blob<5>, uint32_t, light_policy>(small ? 35 : 100, length);
  }
  if (!small)
    check_keys<columns, bulk_sort_policy>((uint64_t{1} << 20) + 1, 5, false);
  check_replay(100, 32);
  check_replay(100, 300);
  check_replay(100, 5000);
  return gpu_result("bulk sort");
}
