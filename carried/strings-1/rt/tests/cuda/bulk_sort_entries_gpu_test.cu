//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every bulk sort on the GPU: two arrays of about 2^20 items; captured in a graph and
// replayed, in registers, in blocks and in several passes.
//
//   --small   few items, for the sanitizers
//
//===----------------------------------------------------------------------===//

#include "replay_case.cuh"

#include <colonnade/bulk_sort.cuh>

#include <numeric>

using namespace colonnade;

namespace {

/// Few instances to compile.
struct light_policy : bulk_sort_policy {
  static constexpr bulk_sort_lengths lengths[] = {{32, 32}};
  static constexpr uint32_t window_bits(gpu_architecture, uint32_t) { return 4; }
  static constexpr uint32_t max_block_log2_rows = 6;
};

/// By the high bits alone, so that stability shows.
struct by_high_bits {
  __host__ __device__ bool operator()(uint32_t a, uint32_t b) const { return a >> 24 < b >> 24; }
};

struct bulk_case {
  uint64_t count;
  uint32_t length;
  uint64_t cells;
  device_array<uint32_t> keys, out, rows;
  device_array<uint64_t> values, values_out;

  bulk_case(uint64_t p, uint32_t n)
      : count(p), length(n), cells(p * n), keys(cells), out(cells), rows(cells), values(cells),
        values_out(cells) {}
  void fill(uint64_t seed) const {
    keys.write(some_keys<uint32_t>(cells, seed));
    std::vector<uint64_t> numbers(cells);
    std::iota(numbers.begin(), numbers.end(), uint64_t{0});
    values.write(numbers);
  }
  const uint32_t *in() const { return keys.get(); }
  const uint64_t *with() const { return values.get(); }

  /// Every form, as use(what, call, outputs...).
  template <class Use> void each_form(Use use) const {
    use(
        "bulk_sort_keys",
        [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
          return bulk_sort_keys(d_temp, bytes, in(), out.get(), count, length, by_high_bits{},
                                {stream}, light_policy{});
        },
        out);
    use(
        "bulk_sort_pairs",
        [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
          return bulk_sort_pairs(d_temp, bytes, in(), out.get(), with(), values_out.get(), count,
                                 length, by_high_bits{}, {stream}, light_policy{});
        },
        out, values_out);
    use(
        "bulk_stable_sort_keys",
        [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
          return bulk_stable_sort_keys(d_temp, bytes, in(), out.get(), count, length,
                                       by_high_bits{}, {stream}, light_policy{});
        },
        out);
    use(
        "bulk_stable_sort_pairs",
        [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
          return bulk_stable_sort_pairs(d_temp, bytes, in(), out.get(), with(), values_out.get(),
                                        count, length, by_high_bits{}, {stream}, light_policy{});
        },
        out, values_out);
    use(
        "bulk_argsort",
        [&](void *d_temp, size_t &bytes, cudaStream_t stream) {
          return bulk_argsort(d_temp, bytes, in(), rows.get(), count, length, by_high_bits{},
                              {stream}, light_policy{});
        },
        rows);
  }
};

void test_replays(uint64_t count, uint32_t length) {
  const bulk_case c(count, length);
  c.each_form([&](const char *what, auto call, const auto &...outputs) {
    check_replays(what, [&](uint64_t seed) { c.fill(seed); }, call, outputs...);
  });
}

/// From which row of array j each of its items comes, in a stable sort.
std::vector<uint32_t> stable_rows(const bulk_case &c, const std::vector<uint32_t> &keys,
                                  uint64_t j) {
  std::vector<uint32_t> from(c.length);
  std::iota(from.begin(), from.end(), 0u);
  std::stable_sort(from.begin(), from.end(), [&](uint32_t a, uint32_t b) {
    return by_high_bits{}(keys[a * c.count + j], keys[b * c.count + j]);
  });
  return from;
}

void test_long(uint32_t length) {
  const bulk_case c(2, length);
  c.fill(length);
  const std::vector<uint32_t> keys = c.keys.read();
  c.each_form([&](const char *what, auto call, const auto &...) {
    call_twice([&](void *d_temp, size_t &bytes) { return call(d_temp, bytes, cudaStream_t{}); });
    const std::string name = what;
    const bool stable = name != "bulk_sort_keys" && name != "bulk_sort_pairs";
    const bool pairs = name.ends_with("pairs"), rows = name == "bulk_argsort";
    const auto got = c.out.read(), numbers = c.rows.read();
    const auto values = c.values_out.read();
    bool right = true;
    for (uint64_t j = 0; j < c.count; ++j) {
      const auto from = stable_rows(c, keys, j);
      std::vector<bool> seen(length);
      for (uint32_t i = 0; i < length && right; ++i) {
        const uint64_t at = i * c.count + j, wanted = from[i] * c.count + j;
        if (rows) {
          right = numbers[at] == from[i];
          continue;
        }
        right = stable ? got[at] == keys[wanted] : got[at] >> 24 == keys[wanted] >> 24;
        if (!pairs || !right)
          continue;
        const uint64_t source = values[at];
        right = stable ? source == wanted
                       : source < c.cells && source % c.count == j && !seen[source / c.count] &&
                             keys[source] == got[at];
        if (right)
          seen[source / c.count] = true;
      }
    }
    EXPECT(right, "%s of %u items", what, length);
  });
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  for (uint32_t length : {32, 60, 300})
    test_replays(small ? 33 : 1000, length);
  for (uint32_t length : small ? std::vector<uint32_t>{700}
                               : std::vector<uint32_t>{(1u << 20) - 1, 1u << 20, (1u << 20) + 1})
    test_long(length);
  return gpu_result("entry points of bulk sort");
}
