//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bucket_bounds.hpp: finds where each bucket begins, by a binary search in one thread for each.
//
// In: items sorted by bucket. Out: num_buckets + 1 offsets. Invariant: items are only read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>

namespace colonnade::detail {

template <class SortedIn, class Word> struct bucket_bounds_arguments {
  SortedIn sorted;
  Word word;            // id of an item
  const uint64_t *kept; // number of items
  uint32_t num_buckets;
  uint64_t *offsets; // num_buckets + 1
};

template <class SortedIn, class Word, class Machine>
COLONNADE_KERNEL_CODE void find_bucket_bounds(const Machine &machine,
                                              const bucket_bounds_arguments<SortedIn, Word> &a,
                                              uint32_t threads) {
  const uint64_t step = uint64_t{threads} * machine.num_blocks();
  for (uint64_t b = uint64_t{threads} * machine.block() + machine.thread(); b <= a.num_buckets;
       b += step) {
    uint64_t first = 0, last = *a.kept; // items before `first` are below b, from `last` on not
    while (first < last) {
      const uint64_t middle = first + (last - first) / 2;
      if (a.word(a.sorted[static_cast<std::ptrdiff_t>(middle)]) < b)
        first = middle + 1;
      else
        last = middle;
    }
    a.offsets[b] = first;
  }
}

} // namespace colonnade::detail
