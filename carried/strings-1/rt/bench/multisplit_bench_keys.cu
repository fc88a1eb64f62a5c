//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// multisplit_bench_keys.cu: candidates for multisplits of 4-byte keys.
//
//===----------------------------------------------------------------------===//

#include "multisplit_candidates.hpp"

#include <colonnade/division_bucket.hpp>

namespace bench {
#ifdef COLONNADE_BENCH_SWEEP
namespace {

COLONNADE_CANDIDATE(lanes_2, "two lanes a bucket", t.look_back_lanes = 2)
COLONNADE_CANDIDATE(lanes_4, "four lanes a bucket", t.look_back_lanes = 4)
COLONNADE_CANDIDATE(lanes_16, "16 lanes a bucket", t.look_back_lanes = 16)
COLONNADE_CANDIDATE(lanes_32, "32 lanes a bucket", t.look_back_lanes = 32)
COLONNADE_CANDIDATE(alone_4, "a thread a bucket, four words in flight", t.look_back_lanes = 1,
                    t.look_back_window = 4)
COLONNADE_CANDIDATE(alone_8, "a thread a bucket, eight words in flight", t.look_back_lanes = 1,
                    t.look_back_window = 8)
COLONNADE_CANDIDATE(alone_16, "a thread a bucket, 16 words in flight", t.look_back_lanes = 1,
                    t.look_back_window = 16)
COLONNADE_CANDIDATE(by_counters, "two buckets by counters in shared memory", t.two_way = false)
COLONNADE_CANDIDATE(rows_8, "eight rows at once", t.rows_at_once = 8)
COLONNADE_CANDIDATE(items_48, "384 x 48", shape(t, 384, 48, 2))
COLONNADE_CANDIDATE(small_blocks, "256 x 40, three blocks", shape(t, 256, 40, 3))
COLONNADE_CANDIDATE(batch_20, "write batches of 20", t.write_batch = 20)
COLONNADE_CANDIDATE(no_ticket, "tiles by block index", t.ticket = false)
template <class Change> candidate swept_keys(const char *name) {
  return {name, Change::text, split_keys<swept<Change>>};
}

} // namespace
#endif

const std::vector<candidate> &counts_candidates() {
  static const std::vector<candidate> all = {
      {"counts", "counts alone, the default policy", count_by<colonnade::multisplit_policy>},
  };
  return all;
}

const std::vector<candidate> &keys_candidates() {
  static const std::vector<candidate> all = {
      {"default", "the default policy", split_keys<colonnade::multisplit_policy>},
#ifdef COLONNADE_BENCH_SWEEP
      swept_keys<lanes_2>("lanes_2"),
      swept_keys<lanes_4>("lanes_4"),
      swept_keys<lanes_16>("lanes_16"),
      swept_keys<lanes_32>("lanes_32"),
      swept_keys<alone_4>("alone_4"),
      swept_keys<alone_8>("alone_8"),
      swept_keys<alone_16>("alone_16"),
      swept_keys<by_counters>("by_counters"),
      swept_keys<rows_8>("rows_8"),
      swept_keys<items_48>("items_48"),
      swept_keys<small_blocks>("small_blocks"),
      swept_keys<batch_20>("batch_20"),
      swept_keys<no_ticket>("no_ticket"),
#endif
  };
  return all;
}

cudaError_t divide_keys(void *d_temp, size_t &temp_bytes, const arrays &a, uint32_t bits) {
  return colonnade::multisplit_keys(d_temp, temp_bytes, a.keys_in, a.keys_out, a.num_items,
                                    1u << bits, colonnade::division_bucket(1u << (32 - bits)),
                                    nullptr);
}

cudaError_t divide_keys_plainly(void *d_temp, size_t &temp_bytes, const arrays &a, uint32_t bits) {
  return colonnade::multisplit_keys(d_temp, temp_bytes, a.keys_in, a.keys_out, a.num_items,
                                    1u << bits, divide_bucket{1u << (32 - bits)}, nullptr);
}

} // namespace bench
