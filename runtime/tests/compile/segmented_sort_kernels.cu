//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The main kernels of segmented_sort.cuh, under the default policy.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <colonnade/segmented_sort.cuh>

namespace colonnade::testing {

template <class Output, uint32_t E> kernel_record equal_warps(const char *name) {
  using namespace detail;
  using sorter = row_sorter<Output, E, false, device_machine>;
  return record_on<equal_rows_warps_kernel<segmented_sort_policy, Output, E>>(
      name, [](gpu_architecture architecture) {
        const uint32_t warps = row_tuning_on<segmented_sort_policy, Output>(architecture).warps;
        return block_of_bytes{32 * warps, warps * sorter::shared_bytes(32)};
      });
}
template <class Output, uint32_t E> kernel_record equal_block(const char *name) {
  using namespace detail;
  constexpr uint32_t threads = row_classes<E>::block_threads;
  using sorter = row_sorter<Output, E, true, device_machine>;
  return record<equal_rows_block_kernel<segmented_sort_policy, Output, E>>(
      name, threads, sorter::shared_bytes(threads));
}
template <class Output> kernel_record listed_warps(const char *name) {
  using namespace detail;
  using rows = listed_rows<const uint32_t *, const uint32_t *>;
  using sorter = row_sorter<Output, 32, false, device_machine>;
  return record_on<listed_rows_warps_kernel<segmented_sort_policy, Output, 32, rows>>(
      name, [](gpu_architecture architecture) {
        const uint32_t warps = row_tuning_on<segmented_sort_policy, Output>(architecture).warps;
        return block_of_bytes{32 * warps, warps * sorter::shared_bytes(32)};
      });
}

template <class Output, class ValuesIn, class Value> kernel_record ranked(const char *name) {
  using namespace detail;
  using rows = segment_shares<given_segments<const uint32_t *, const uint32_t *>>;
  using arguments =
      rank_sort_arguments<typename Output::raw, typename Output::items, ValuesIn, Value, rows>;
  return record<rank_sort_kernel<arguments>>(
      name, 32 * most_rank_warps,
      rank_sort_block<arguments, device_machine>::shared_bytes(32 * most_rank_warps));
}
template <class Output> kernel_record short_rows(const char *name) {
  using namespace detail;
  using segments = given_segments<const uint32_t *, const uint32_t *>;
  using block = short_rows_block<Output, segments, device_machine>;
  return record<short_rows_kernel<Output, segments>>(name, 1024, block::shared_bytes(1024));
}
template <class Work> kernel_record long_rows(const char *name) {
  using namespace detail;
  using segments = given_segments<const uint32_t *, const uint32_t *>;
  return record<long_rows_kernel<long_rows_arguments<Work, segments>>>(
      name, 1024,
      team_split_block<Work, device_machine>::shared_bytes(1024 * Work::items_per_thread));
}

kernel_records segmented_sort_kernels() {
  using namespace detail;
  using floats = word_output<float>;
  using pairs = placed_output<float, uint32_t>;
  return {
      equal_warps<floats, 32>("equal rows of floats, 32 a thread, warps"),
      equal_block<floats, 24>("equal rows of floats, 24 a thread, blocks"),
      equal_block<floats, 32>("equal rows of floats, 32 a thread, blocks"),
      equal_warps<pairs, 32>("equal rows of 32-bit pairs, 32 a thread, warps"),
      listed_warps<floats>("listed rows of floats, warps"),
      ranked<pairs, const uint32_t *, uint32_t>("ranks in listed segments, 32-bit pairs"),
      short_rows<floats>("short rows of floats"),
      short_rows<pairs>("short rows of 32-bit pairs"),
      long_rows<sort_work<floating_word<uint32_t>, uint32_t, const uint32_t *, uint32_t>>(
          "long rows of 32-bit pairs"),
  };
}

} // namespace colonnade::testing
