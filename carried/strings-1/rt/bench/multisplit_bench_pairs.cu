//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// multisplit_bench_pairs.cu: candidates for multisplits of 4-byte keys with
// 4-byte values.
//
//===----------------------------------------------------------------------===//

#include "multisplit_candidates.hpp"

namespace bench {
#ifdef COLONNADE_BENCH_SWEEP
namespace {

COLONNADE_CANDIDATE(lanes_4, "four lanes a bucket", t.look_back_lanes = 4)
COLONNADE_CANDIDATE(lanes_16, "16 lanes a bucket", t.look_back_lanes = 16)
COLONNADE_CANDIDATE(alone_8, "a thread a bucket, eight words in flight", t.look_back_lanes = 1,
                    t.look_back_window = 8)
COLONNADE_CANDIDATE(ahead_8, "values eight rows ahead", t.value_rows_ahead = 8)
COLONNADE_CANDIDATE(late, "the first values loaded after the counts", t.values_early = false)
COLONNADE_CANDIDATE(items_28, "384 x 28, 99 KB", shape(t, 384, 28, 2))
COLONNADE_CANDIDATE(items_32, "384 x 32, 113 KB", shape(t, 384, 32, 2))
COLONNADE_CANDIDATE(turn_32, "384 x 32, values in turn, 16 rows ahead", turn(t, 32, 16))
COLONNADE_CANDIDATE(turn_36, "384 x 36, values in turn, 16 rows ahead", turn(t, 36, 16))
COLONNADE_CANDIDATE(turn_40, "384 x 40, values in turn, 16 rows ahead", turn(t, 40, 16))
COLONNADE_CANDIDATE(turn_40_8, "384 x 40, values in turn, eight rows ahead", turn(t, 40, 8))
COLONNADE_CANDIDATE(turn_40_0, "384 x 40, values in turn, loaded last", turn(t, 40, 0))
template <class Change> candidate swept_pairs(const char *name) {
  return {name, Change::text, split_pairs<swept<Change>>};
}

} // namespace
#endif

const std::vector<candidate> &pairs_candidates() {
  static const std::vector<candidate> all = {
      {"default", "the default policy", split_pairs<colonnade::multisplit_policy>},
#ifdef COLONNADE_BENCH_SWEEP
      swept_pairs<lanes_4>("lanes_4"),
      swept_pairs<lanes_16>("lanes_16"),
      swept_pairs<alone_8>("alone_8"),
      swept_pairs<ahead_8>("ahead_8"),
      swept_pairs<late>("late"),
      swept_pairs<items_28>("items_28"),
      swept_pairs<items_32>("items_32"),
      swept_pairs<turn_32>("turn_32"),
      swept_pairs<turn_36>("turn_36"),
      swept_pairs<turn_40>("turn_40"),
      swept_pairs<turn_40_8>("turn_40_8"),
      swept_pairs<turn_40_0>("turn_40_0"),
#endif
  };
  return all;
}

} // namespace bench
