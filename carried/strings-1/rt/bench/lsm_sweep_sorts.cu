//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm_sweep_sorts.cu: the sort of a batch by other tiles.
//
//===----------------------------------------------------------------------===//

#include "lsm_sweep.hpp"

#include <colonnade/radix_sort.cuh>

namespace bench {

using namespace colonnade;

namespace {

/// Tiles of one size. In: tiles of threads x items, so many blocks on an SM; whether values take
/// the keys' shared memory once these are written.
template <uint32_t Threads, uint32_t Items, uint32_t Blocks, bool InTurn>
struct tiles : radix_sort_policy {
  static constexpr std::array<radix_tiles, 2> smaller_tiles(size_t, size_t) { return {}; }
  static constexpr multisplit_tuning tuning(gpu_architecture a, uint32_t bits, size_t key,
                                            size_t value) {
    multisplit_tuning t = radix_sort_policy::tuning(a, bits, key, value);
    t.threads = Threads;
    t.items_per_thread = Items;
    t.min_blocks = Blocks;
    t.values_in_turn = InTurn;
    t.value_rows_ahead = InTurn ? 0 : 8;
    return t;
  }
};

} // namespace

void sweep_sorts(report &out, uint64_t n, int runs) {
  uint32_t *const keys = memory<uint32_t>(n), *const sorted = memory<uint32_t>(2 * n);
  fill_uniform<<<2048, 256>>>(keys, n, 1);
  size_t most = 0;
  const auto sort = [=](void *temp, size_t &bytes, auto policy) {
    return sort_pairs(temp, bytes, keys, sorted, keys, sorted + n, n, {}, {}, policy);
  };
  char *d_temp = nullptr;
  std::vector<way> ways;
  const auto add = [&](const char *name, auto policy) {
    size_t bytes = 0;
    CUDA_OK(sort(nullptr, bytes, policy));
    most = std::max(most, bytes);
    ways.push_back({name, [=, &d_temp, &most] {
                      return milliseconds([&] { CUDA_OK(sort(d_temp, most, policy)); });
                    }});
  };
  add("as it is", radix_sort_policy{});
  add("384 x 21, values beside keys", tiles<384, 21, 2, false>{});
  add("384 x 42", tiles<384, 42, 2, true>{});
  add("384 x 14, 3 blocks", tiles<384, 14, 3, true>{});
  add("256 x 21, 3 blocks", tiles<256, 21, 3, true>{});
  add("256 x 16, 4 blocks", tiles<256, 16, 4, true>{});
  d_temp = memory<char>(most);
  take_turns(out, "sort of " + size_name(n) + " pairs", n, runs, ways);
  for (void *array :
       {static_cast<void *>(keys), static_cast<void *>(sorted), static_cast<void *>(d_temp)})
    CUDA_OK(cudaFree(array));
}

} // namespace bench
