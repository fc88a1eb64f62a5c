//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// multisplit_candidates.hpp: tunings that the benchmark can compare.
//
// Each changes some fields of the default; `--sweep` runs them all.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "multisplit_bench.hpp"

#include <colonnade/multisplit.cuh>

namespace bench {

/// As many bits as the sweep shows; the others are left out for the compile time.
template <class Change> struct swept : colonnade::multisplit_policy {
  static constexpr uint32_t round_up_bits(uint32_t bits) {
    return bits <= 1 ? 1 : bits <= 3 ? 3 : bits <= 5 ? 5 : bits;
  }
  static constexpr colonnade::multisplit_tuning tuning(colonnade::gpu_architecture architecture,
                                                       uint32_t bits, size_t key_bytes,
                                                       size_t value_bytes) {
    colonnade::multisplit_tuning t =
        multisplit_policy::tuning(architecture, bits, key_bytes, value_bytes);
    Change::apply(t);
    return t;
  }
};

template <class Policy>
cudaError_t split_keys(void *d_temp, size_t &temp_bytes, const arrays &a, uint32_t bits) {
  return colonnade::multisplit_keys(d_temp, temp_bytes, a.keys_in, a.keys_out, a.num_items,
                                    1u << bits, shift_bucket{32 - bits}, nullptr, {}, Policy{});
}
template <class Policy>
cudaError_t split_pairs(void *d_temp, size_t &temp_bytes, const arrays &a, uint32_t bits) {
  return colonnade::multisplit_pairs(d_temp, temp_bytes, a.keys_in, a.keys_out, a.values_in,
                                     a.values_out, a.num_items, 1u << bits, shift_bucket{32 - bits},
                                     nullptr, {}, Policy{});
}

template <class Policy>
cudaError_t count_by(void *d_temp, size_t &temp_bytes, const arrays &a, uint32_t bits) {
  return colonnade::multisplit_counts(d_temp, temp_bytes, a.keys_in, a.num_items, 1u << bits,
                                      shift_bucket{32 - bits},
                                      reinterpret_cast<uint64_t *>(a.keys_out), {}, Policy{});
}

#define COLONNADE_CANDIDATE(name, about, ...)                                                      \
  struct name {                                                                                    \
    static constexpr const char *text = about;                                                     \
    static constexpr void apply(colonnade::multisplit_tuning &t) { __VA_ARGS__; }                  \
  };

constexpr void shape(colonnade::multisplit_tuning &t, uint32_t threads, uint32_t items,
                     uint32_t blocks) {
  t.threads = threads;
  t.items_per_thread = items;
  t.min_blocks = blocks;
}

constexpr void turn(colonnade::multisplit_tuning &t, uint32_t items, uint32_t ahead) {
  shape(t, 384, items, 2);
  t.values_in_turn = true;
  t.value_rows_ahead = ahead;
}

} // namespace bench
