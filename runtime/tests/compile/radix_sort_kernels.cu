//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The main kernels of radix_sort.cuh, under the default policy.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <colonnade/radix_sort.cuh>

namespace colonnade::testing {

template <class Word, class Key, class ValuesIn, class Value,
          class Policy = colonnade::radix_sort_policy>
kernel_record sort_scatter(const char *name) {
  using namespace detail;
  using values_out = std::conditional_t<std::is_same_v<Value, nothing>, nothing, Value *>;
  using arguments = scatter_arguments<const Key *, Key *, ValuesIn, values_out, digit_ids<Word>>;
  using tunings = multisplit_tunings<Policy, digit_bits, sizeof(Key), bytes_of<Value>>;
  return record_on<multisplit_scatter_kernel<tunings, ranked_bits<digit_bits>, arguments>>(
      name, scatter_shape_on<tunings, digit_bits, Key, Value>);
}

template <class Word, class Key> kernel_record sort_histogram(const char *name, uint32_t digits) {
  using namespace detail;
  using ids = word_ids<Word>;
  using block = digit_histogram_block<const Key *, ids, nothing, device_machine>;
  return record<digit_histogram_kernel<const Key *, ids, nothing>>(name, block::threads,
                                                                   block::shared_bytes(digits));
}

template <class Word, class Key, class ValuesIn, class Value>
kernel_record sort_team(const char *name) {
  using namespace detail;
  using work = sort_work<Word, Key, ValuesIn, Value>;
  return record<team_split_kernel<work>>(
      name, 1024,
      team_split_block<work, device_machine>::shared_bytes(1024 * work::items_per_thread));
}
template <class Key, class ValuesIn, class Value> kernel_record sort_ranks(const char *name) {
  using namespace detail;
  using arguments =
      rank_sort_arguments<Key, digit_order<integer_word<Key>>, ValuesIn, Value, one_row>;
  return record<rank_sort_kernel<arguments>>(
      name, 32 * most_rank_warps,
      rank_sort_block<arguments, device_machine>::shared_bytes(32 * most_rank_warps));
}

kernel_records radix_sort_kernels() {
  using namespace detail;
  using word_32 = integer_word<uint32_t>;
  using word_64 = integer_word<uint64_t>;
  using few = smaller_tiles_policy<radix_sort_policy, 21>;
  using fewest = smaller_tiles_policy<radix_sort_policy, 10>;
  return {
      sort_histogram<word_32, uint32_t>("histogram, 32-bit keys, 4 digits", 4),
      sort_histogram<word_64, uint64_t>("histogram, 64-bit keys, 8 digits", 8),
      sort_scatter<word_32, uint32_t, no_items, nothing>("scatter, 32-bit keys"),
      sort_scatter<floating_word<uint32_t>, uint32_t, no_items, nothing>("scatter, floats"),
      sort_scatter<word_32, uint32_t, const uint32_t *, uint32_t>("scatter, 32-bit pairs"),
      sort_scatter<word_32, uint32_t, no_items, nothing, few>("scatter of few, 32-bit keys"),
      sort_scatter<word_32, uint32_t, const uint32_t *, uint32_t, few>(
          "scatter of few, 32-bit pairs"),
      sort_scatter<word_32, uint32_t, const uint32_t *, uint32_t, fewest>(
          "scatter of fewest, 32-bit pairs"),
      sort_scatter<word_64, uint64_t, no_items, nothing>("scatter, 64-bit keys"),
      sort_team<word_32, uint32_t, no_items, nothing>("team, 32-bit keys"),
      sort_team<word_32, uint32_t, const uint32_t *, uint32_t>("team, 32-bit pairs"),
      sort_team<word_64, uint64_t, const uint64_t *, uint64_t>("team, 64-bit pairs"),
      sort_ranks<uint32_t, no_items, nothing>("ranks, 32-bit keys"),
      sort_ranks<uint64_t, const uint64_t *, uint64_t>("ranks, 64-bit pairs"),
  };
}

} // namespace colonnade::testing
