//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// multisplit_bench_keys.cu: candidates for multisplits of 4-byte keys.
//
//===----------------------------------------------------------------------===//

#include "multisplit_candidates.hpp"

namespace bench {
#ifdef COLONNADE_BENCH_SWEEP
namespace {

COLONNADE_CANDIDATE(by_counters, "two buckets by counters in shared memory",
                    t.two_way = false)
COLONNADE_CANDIDATE(atomics, "counted by shared atomics alone",
                    t.packed_count_bits = 0)
COLONNADE_CANDIDATE(packed_8, "up to 8 buckets counted in registers",
                    t.packed_count_bits = 3)
COLONNADE_CANDIDATE(rows_2, "two rows at once",
                    t.rows_at_once = 2)
COLONNADE_CANDIDATE(rows_8, "eight rows at once",
                    t.rows_at_once = 8)
COLONNADE_CANDIDATE(items_48, "384 x 48",
                    shape(t, 384, 48, 2))
COLONNADE_CANDIDATE(items_32, "384 x 32",
                    shape(t, 384, 32, 2))
COLONNADE_CANDIDATE(three_blocks, "384 x 24, three blocks",
                    shape(t, 384, 24, 3))
COLONNADE_CANDIDATE(wide_blocks, "512 x 32",
                    shape(t, 512, 32, 2))
COLONNADE_CANDIDATE(small_blocks, "256 x 40, three blocks",
                    shape(t, 256, 40, 3))
COLONNADE_CANDIDATE(four_blocks, "256 x 32, four blocks",
                    shape(t, 256, 32, 4))
COLONNADE_CANDIDATE(ranked, "rank first, 384 x 32",
                    shape(t, 384, 32, 2), t.rank_first = true)
COLONNADE_CANDIDATE(no_ticket, "tiles by block index",
                    t.ticket = false)
COLONNADE_CANDIDATE(walk_alone, "one predecessor at a time",
                    t.look_back_window = 1, t.look_back_lanes = 1)
COLONNADE_CANDIDATE(window_8, "eight words a walking thread, eight lanes",
                    t.look_back_window = 8, t.look_back_lanes = 8)
COLONNADE_CANDIDATE(batch_4, "write batches of 4",
                    t.write_batch = 4)
COLONNADE_CANDIDATE(batch_20, "write batches of 20",
                    t.write_batch = 20)
COLONNADE_CANDIDATE(from_start, "histogram from the start",
                    t.from_the_end = false)
COLONNADE_CANDIDATE(apart, "launches do not overlap",
                    t.overlap_launches = false)
COLONNADE_CANDIDATE(h_32_4_256_6, "histogram: 32 copies, 4 loads, 256 threads, 6 blocks per SM",
                    histogram(t, 32, 4, 256, 6))
COLONNADE_CANDIDATE(h_1_4_256_6, "histogram: 1 copies, 4 loads, 256 threads, 6 blocks per SM",
                    histogram(t, 1, 4, 256, 6))
COLONNADE_CANDIDATE(h_1_4_256_8, "histogram: 1 copies, 4 loads, 256 threads, 8 blocks per SM",
                    histogram(t, 1, 4, 256, 8))
COLONNADE_CANDIDATE(h_1_8_256_3, "histogram: 1 copies, 8 loads, 256 threads, 3 blocks per SM",
                    histogram(t, 1, 8, 256, 3))
COLONNADE_CANDIDATE(h_1_8_256_4, "histogram: 1 copies, 8 loads, 256 threads, 4 blocks per SM",
                    histogram(t, 1, 8, 256, 4))
COLONNADE_CANDIDATE(h_1_8_256_6, "histogram: 1 copies, 8 loads, 256 threads, 6 blocks per SM",
                    histogram(t, 1, 8, 256, 6))
COLONNADE_CANDIDATE(h_4_8_256_4, "histogram: 4 copies, 8 loads, 256 threads, 4 blocks per SM",
                    histogram(t, 4, 8, 256, 4))
COLONNADE_CANDIDATE(h_1_8_512_2, "histogram: 1 copies, 8 loads, 512 threads, 2 blocks per SM",
                    histogram(t, 1, 8, 512, 2))
COLONNADE_CANDIDATE(h_1_8_512_3, "histogram: 1 copies, 8 loads, 512 threads, 3 blocks per SM",
                    histogram(t, 1, 8, 512, 3))
COLONNADE_CANDIDATE(h_1_16_256_2, "histogram: 1 copies, 16 loads, 256 threads, 2 blocks per SM",
                    histogram(t, 1, 16, 256, 2))
COLONNADE_CANDIDATE(h_1_16_256_3, "histogram: 1 copies, 16 loads, 256 threads, 3 blocks per SM",
                    histogram(t, 1, 16, 256, 3))
template <class Change> candidate swept_keys(const char *name) {
  return {name, Change::text, split_keys<swept<Change>>};
}

template <class Change> candidate swept_counts(const char *name) {
  return {name, Change::text, count_by<swept<Change>>};
}

} // namespace
#endif

const std::vector<candidate> &counts_candidates() {
  static const std::vector<candidate> all = {
      {"counts", "counts alone, the default policy", count_by<colonnade::default_policy>},
#ifdef COLONNADE_BENCH_SWEEP
      swept_counts<h_32_4_256_6>("h_32_4_256_6"),
      swept_counts<h_1_4_256_6>("h_1_4_256_6"),
      swept_counts<h_1_4_256_8>("h_1_4_256_8"),
      swept_counts<h_1_8_256_3>("h_1_8_256_3"),
      swept_counts<h_1_8_256_4>("h_1_8_256_4"),
      swept_counts<h_1_8_256_6>("h_1_8_256_6"),
      swept_counts<h_4_8_256_4>("h_4_8_256_4"),
      swept_counts<h_1_8_512_2>("h_1_8_512_2"),
      swept_counts<h_1_8_512_3>("h_1_8_512_3"),
      swept_counts<h_1_16_256_2>("h_1_16_256_2"),
      swept_counts<h_1_16_256_3>("h_1_16_256_3"),
#endif
  };
  return all;
}

const std::vector<candidate> &keys_candidates() {
  static const std::vector<candidate> all = {
      {"default", "the default policy", split_keys<colonnade::default_policy>},
#ifdef COLONNADE_BENCH_SWEEP
      swept_keys<by_counters>("by_counters"),
      swept_keys<atomics>("atomics"),
      swept_keys<packed_8>("packed_8"),
      swept_keys<rows_2>("rows_2"),
      swept_keys<rows_8>("rows_8"),
      swept_keys<items_48>("items_48"),
      swept_keys<items_32>("items_32"),
      swept_keys<three_blocks>("three_blocks"),
      swept_keys<wide_blocks>("wide_blocks"),
      swept_keys<small_blocks>("small_blocks"),
      swept_keys<four_blocks>("four_blocks"),
      swept_keys<ranked>("ranked"),
      swept_keys<no_ticket>("no_ticket"),
      swept_keys<walk_alone>("walk_alone"),
      swept_keys<window_8>("window_8"),
      swept_keys<batch_4>("batch_4"),
      swept_keys<batch_20>("batch_20"),
      swept_keys<from_start>("from_start"),
      swept_keys<apart>("apart"),
#endif
  };
  return all;
}

cudaError_t divide_keys(void *d_temp, size_t &temp_bytes, const arrays &a, uint32_t bits) {
  return colonnade::multisplit_keys(d_temp, temp_bytes, a.keys_in, a.keys_out, a.num_items,
                                    1u << bits, divide_bucket{1u << (32 - bits)}, nullptr);
}

} // namespace bench
