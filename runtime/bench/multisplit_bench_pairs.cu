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

COLONNADE_CANDIDATE(late, "the first values loaded after the counts",
                    t.values_early = false)
COLONNADE_CANDIDATE(ahead_4, "values four rows ahead",
                    t.value_rows_ahead = 4)
COLONNADE_CANDIDATE(ahead_16, "values 16 rows ahead",
                    t.value_rows_ahead = 16)
COLONNADE_CANDIDATE(all_ahead, "384 x 24, all values with the keys",
                    shape(t, 384, 24, 2), t.value_rows_ahead = 24)
COLONNADE_CANDIDATE(items_24, "384 x 24",
                    shape(t, 384, 24, 2))
COLONNADE_CANDIDATE(items_20, "384 x 20, three blocks",
                    shape(t, 384, 20, 3))
COLONNADE_CANDIDATE(three_blocks, "384 x 16, three blocks",
                    shape(t, 384, 16, 3))
COLONNADE_CANDIDATE(small_blocks, "256 x 28, three blocks",
                    shape(t, 256, 28, 3))
COLONNADE_CANDIDATE(four_blocks, "256 x 20, four blocks",
                    shape(t, 256, 20, 4))
COLONNADE_CANDIDATE(wide_blocks, "512 x 24",
                    shape(t, 512, 24, 2))
COLONNADE_CANDIDATE(ranked, "rank first, 384 x 24, values late",
                    shape(t, 384, 24, 2), t.rank_first = true, t.values_early = false)
COLONNADE_CANDIDATE(batch_4, "write batches of 4",
                    t.write_batch = 4)
template <class Change> candidate swept_pairs(const char *name) {
  return {name, Change::text, split_pairs<swept<Change>>};
}

} // namespace
#endif

const std::vector<candidate> &pairs_candidates() {
  static const std::vector<candidate> all = {
      {"default", "the default policy", split_pairs<colonnade::default_policy>},
#ifdef COLONNADE_BENCH_SWEEP
      swept_pairs<late>("late"),
      swept_pairs<ahead_4>("ahead_4"),
      swept_pairs<ahead_16>("ahead_16"),
      swept_pairs<all_ahead>("all_ahead"),
      swept_pairs<items_24>("items_24"),
      swept_pairs<items_20>("items_20"),
      swept_pairs<three_blocks>("three_blocks"),
      swept_pairs<small_blocks>("small_blocks"),
      swept_pairs<four_blocks>("four_blocks"),
      swept_pairs<wide_blocks>("wide_blocks"),
      swept_pairs<ranked>("ranked"),
      swept_pairs<batch_4>("batch_4"),
#endif
  };
  return all;
}

} // namespace bench
