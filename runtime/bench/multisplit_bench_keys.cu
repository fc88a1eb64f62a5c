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

COLONNADE_CANDIDATE(rows_1, "one row at once", t.rows_at_once = 1)
COLONNADE_CANDIDATE(rows_2, "two rows at once", t.rows_at_once = 2)
COLONNADE_CANDIDATE(three_blocks, "384 x 24, three blocks", shape(t, 384, 24, 3))
COLONNADE_CANDIDATE(small_blocks, "256 x 40, three blocks", shape(t, 256, 40, 3))
COLONNADE_CANDIDATE(four_blocks, "256 x 32, four blocks", shape(t, 256, 32, 4))
COLONNADE_CANDIDATE(ranked, "rank first, 384 x 32", shape(t, 384, 32, 2), t.rank_first = true)
COLONNADE_CANDIDATE(ranked_small, "rank first, 256 x 32, three blocks", shape(t, 256, 32, 3),
                    t.rank_first = true)
COLONNADE_CANDIDATE(by_instruction, "match instruction", t.match = colonnade::match_method::instruction)
COLONNADE_CANDIDATE(no_ticket, "tiles by block index", t.ticket = false)
COLONNADE_CANDIDATE(walk_alone, "one predecessor at a time", t.look_back_window = 1,
                    t.look_back_lanes = 1)
COLONNADE_CANDIDATE(batch_2, "write batches of 2", t.write_batch = 2)
COLONNADE_CANDIDATE(from_start, "histogram from the start, launches do not overlap",
                    t.from_the_end = false, t.overlap_launches = false)
COLONNADE_CANDIDATE(copies_1, "histogram: one counter a bucket", t.histogram_copies = 1)
COLONNADE_CANDIDATE(loads_8, "histogram: eight loads in flight", t.histogram_loads = 8,
                    t.histogram_blocks_per_sm = 3)
COLONNADE_CANDIDATE(wide_histogram, "histogram: 512 threads", t.histogram_threads = 512,
                    t.histogram_blocks_per_sm = 3)

template <class Change> candidate swept_keys(const char *name) {
  return {name, Change::text, split_keys<swept<Change>>};
}

} // namespace
#endif

const std::vector<candidate> &keys_candidates() {
  static const std::vector<candidate> all = {
      {"default", "the default policy", split_keys<colonnade::default_policy>},
#ifdef COLONNADE_BENCH_SWEEP
      swept_keys<rows_1>("rows_1"),
      swept_keys<rows_2>("rows_2"),
      swept_keys<three_blocks>("three_blocks"),
      swept_keys<small_blocks>("small_blocks"),
      swept_keys<four_blocks>("four_blocks"),
      swept_keys<ranked>("ranked"),
      swept_keys<ranked_small>("ranked_small"),
      swept_keys<by_instruction>("by_instruction"),
      swept_keys<no_ticket>("no_ticket"),
      swept_keys<walk_alone>("walk_alone"),
      swept_keys<batch_2>("batch_2"),
      swept_keys<from_start>("from_start"),
      swept_keys<copies_1>("copies_1"),
      swept_keys<loads_8>("loads_8"),
      swept_keys<wide_histogram>("wide_histogram"),
#endif
  };
  return all;
}

cudaError_t count_keys(void *d_temp, size_t &temp_bytes, const arrays &a, uint32_t bits) {
  return colonnade::multisplit_counts(d_temp, temp_bytes, a.keys_in, a.num_items, 1u << bits,
                                      shift_bucket{32 - bits},
                                      reinterpret_cast<uint64_t *>(a.keys_out));
}
cudaError_t divide_keys(void *d_temp, size_t &temp_bytes, const arrays &a, uint32_t bits) {
  return colonnade::multisplit_keys(d_temp, temp_bytes, a.keys_in, a.keys_out, a.num_items,
                                    1u << bits, divide_bucket{1u << (32 - bits)}, nullptr);
}

} // namespace bench
