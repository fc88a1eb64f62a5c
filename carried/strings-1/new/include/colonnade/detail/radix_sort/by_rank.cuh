//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// by_rank.cuh: a radix sort of few items in one launch that counts their places
// (rank_sort.hpp), and when that pays.
//
// In: as a radix sort's, and the digits. Out: the sorted items; no temporary storage.
// Invariant: they are in other arrays than the input, which every block reads to the end.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/digits/digit_order.hpp>
#include <colonnade/detail/rank_sort/rank_sort_launch.cuh>

#include <algorithm>

namespace colonnade::detail {

/// On any GPU.
constexpr uint64_t most_by_rank(uint32_t num_digits) { return uint64_t{4096} * num_digits; }

/// Whether counting takes less time than passes: as long as an SM has few shares (the time
/// for them grows with the number of items), and the passes are not few. Measured on an H200.
template <class Key>
bool pays_by_rank(const device_properties &gpu, uint64_t num_items, uint32_t num_digits) {
  constexpr uint64_t shares_per_sm = sizeof(Key) <= 4 ? 1 : 2;
  return num_items <= std::min(items_of_shares(gpu, shares_per_sm), most_by_rank(num_digits));
}

/// Key: an unsigned word. keys_out null: an argsort.
template <class Word, class Key, class ValuesIn, class Value>
cudaError_t sort_by_rank(const device_properties &gpu, const Key *keys_in, Key *keys_out,
                         ValuesIn values_in, Value *values_out, uint64_t num_items,
                         const digit_list &digits, cudaStream_t stream) {
  using arguments = rank_sort_arguments<Key, digit_order<Word>, ValuesIn, Value, one_row>;
  const uint32_t n = static_cast<uint32_t>(num_items);
  return launch_rank_sort(
      gpu,
      arguments{keys_in, keys_out, values_in, values_out, digit_order<Word>(digits), one_row{n}},
      (n + share_items - 1) / share_items, n, stream);
}

} // namespace colonnade::detail
