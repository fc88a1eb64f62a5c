//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The main kernels of bulk execution: transposes, and prefix sums of tiled columns as
// an example of a generated kernel.
//
//===----------------------------------------------------------------------===//

#include "../cuda/prefix_sums.cuh"
#include "kernel_record.hpp"

#include <colonnade/bulk/transpose.cuh>

namespace colonnade::testing {

template <class Cell, runtime::detail::transpose_way Way>
kernel_record transposing(const char *name) {
  using namespace runtime::detail;
  constexpr transpose_tuning tuning = transpose_tuning_at(Way, sizeof(Cell), 0);
  constexpr uint64_t cells = 32;
  const transpose_shape s =
      make_transpose_shape(runtime::layout::tiled, 32, 1 << 20, cells, sizeof(Cell), tuning);
  const size_t shared_bytes =
      transpose_shared_words(s, sizeof(Cell)) * sizeof(typename word_of<Cell>::type);
  return record<transpose_kernel<Cell, tuning.cut_row_bytes == 0, Way, tuning.threads,
                                 tuning.loads_in_flight, tuning.min_blocks>>(name, tuning.threads,
                                                                             shared_bytes);
}

kernel_records bulk_kernels() {
  using way = runtime::detail::transpose_way;
  return {
      transposing<uint8_t, way::rows_to_layout>("rows of 32 bytes to tiles"),
      transposing<uint8_t, way::layout_to_rows>("tiles to rows of 32 bytes"),
      transposing<uint32_t, way::rows_to_layout>("rows of 32 words to tiles"),
      transposing<uint32_t, way::layout_to_rows>("tiles to rows of 32 words"),
      transposing<uint64_t, way::rows_to_layout>("rows of 32 double words to tiles"),
      record<prefix_sums::bulk_kernel<runtime::tiled_layout<32>>>("prefix sums of tiled columns",
                                                                  256),
  };
}

} // namespace colonnade::testing
