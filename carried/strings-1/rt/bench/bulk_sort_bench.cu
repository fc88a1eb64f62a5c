//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk_sort_bench.cu: bulk sorts of column-wise arrays against copy bandwidth.
//
//   bulk_sort_bench [--json FILE]
//
// As many arrays as make 2^27 items, a multiple of 32, so that rows begin where 128 bytes
// do; one length besides with an odd number of arrays. Uniform 32-bit keys, in place; the
// network does the same whatever the order of its input. "Bytes" are those that must move: each
// item read once and written once.
//
//===----------------------------------------------------------------------===//

#include "timed_call.hpp"

#include <colonnade/bulk_sort.cuh>

using namespace bench;
using namespace colonnade;

namespace {

constexpr uint64_t num_items = uint64_t{1} << 27;

/// Pairs share registers with keys alone up to 64 items: few lengths to compile.
struct pairs_policy : bulk_sort_policy {
  static constexpr bulk_sort_lengths lengths[] = {{32, 32}, {64, 64}};
  static constexpr uint32_t max_block_log2_rows = 8;
};

uint64_t arrays_of(uint32_t length) { return num_items / length / 32 * 32; }

void keys(report &out, uint32_t length, uint64_t arrays, const char *what = "") {
  const double bytes = 8.0 * static_cast<double>(arrays * length);
  uint32_t *const d_keys = static_cast<uint32_t *>(random_memory(num_items * 4));
  {
    timed_call sort([&](void *t, size_t &b) {
      return bulk_sort_keys(t, b, static_cast<const uint32_t *>(d_keys), d_keys, arrays, length);
    });
    against_copy(out, "bulk sort, column-wise, keys, n = " + std::to_string(length) + what, bytes,
                 [&] { sort.queue(); });
  }
  CUDA_OK(cudaFree(d_keys));
}

void pairs_and_rows(report &out, uint32_t length) {
  const uint64_t arrays = arrays_of(length);
  const double cells = static_cast<double>(arrays * length);
  uint32_t *const d_keys = static_cast<uint32_t *>(random_memory(num_items * 4));
  uint32_t *const d_values = static_cast<uint32_t *>(random_memory(num_items * 4));
  const uint32_t *const keys_in = d_keys;
  {
    timed_call sort([&](void *t, size_t &b) {
      return bulk_sort_pairs(t, b, keys_in, d_keys, static_cast<const uint32_t *>(d_values),
                             d_values, arrays, length, ascending{}, {}, pairs_policy{});
    });
    against_copy(out, "bulk sort, column-wise, pairs, n = " + std::to_string(length), 16 * cells,
                 [&] { sort.queue(); });
    timed_call rows([&](void *t, size_t &b) {
      return bulk_argsort(t, b, keys_in, d_values, arrays, length, ascending{}, {}, pairs_policy{});
    });
    against_copy(out, "bulk argsort, column-wise, n = " + std::to_string(length), 8 * cells,
                 [&] { rows.queue(); });
  }
  CUDA_OK(cudaFree(d_keys));
  CUDA_OK(cudaFree(d_values));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  for (uint32_t length : {8,   16,  25,  32,  33,  48,  64,   80,   96,   100, 128,
                          129, 160, 200, 256, 300, 512, 1024, 2048, 4096, 8192})
    keys(out, length, arrays_of(length));
  keys(out, 100, num_items / 100 | 1, ", odd number of arrays");
  pairs_and_rows(out, 32);
  pairs_and_rows(out, 64);
  pairs_and_rows(out, 256);
  return out.finish();
}
