//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// given_segments.hpp: the segments of a small input as the caller gave them: nobody lists
// them by class.
//
// In: where they begin and end, in device memory. Out: the row of a segment; the first bad
// one (it ends before it begins or behind the items) is in the status. Invariant: a row lies
// within the items; a bad segment has none.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/report.hpp>
#include <colonnade/detail/segmented_sort/row_walks.hpp>

namespace colonnade::detail {

template <class Begins, class Ends> struct given_segments {
  Begins begins;
  Ends ends;
  uint32_t count;
  uint32_t num_items;

  /// Empty where there is none, or a bad one.
  template <class Machine>
  COLONNADE_KERNEL_CODE row_span row(const Machine &machine, uint32_t s,
                                     device_status *status) const {
    if (s >= count)
      return {};
    const uint64_t begin = static_cast<uint64_t>(begins[s]), end = static_cast<uint64_t>(ends[s]);
    if (begin == end)
      return {};
    if (begin < end && end <= num_items)
      return {begin, static_cast<uint32_t>(end - begin)};
    if (status)
      report_error(machine, status, data_error::bucket_out_of_range, s);
    return {};
  }
};

} // namespace colonnade::detail
