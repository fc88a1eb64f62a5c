//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The main kernels of lsm.cuh, under the default policy.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <colonnade/lsm.cuh>

namespace colonnade::testing {

namespace {
using namespace detail;

template <class Table, bool Drops> kernel_record merge_record(const char *name) {
  using arguments = lsm_merge_arguments<Table>;
  using tunings = lsm_tunings_of<lsm_policy, Table>;
  return record_on<lsm_merge_kernel<tunings, Drops, arguments>>(
      name, [](gpu_architecture architecture) {
        return ask_tuning<tunings>(architecture, [](auto of) {
          using tuning = typename decltype(of)::type;
          using block = lsm_merge_block<tuning, Drops, arguments, lsm_device_machine>;
          return block_of_bytes{tuning::value.threads, sizeof(typename block::storage)};
        });
      });
}
/// The last pass of the sort of a batch, which decides where it writes.
template <class T> kernel_record last_pass(const char *name) {
  using policy = smaller_tiles_policy<radix_sort_policy, 21>;
  using tunings = multisplit_tunings<policy, digit_bits, sizeof(T), sizeof(T)>;
  using arguments = scatter_arguments<const T *, lsm_lowest_or<T>, const T *, lsm_lowest_or<T>,
                                      digit_ids<typename sorted_as<T>::word>>;
  return record_on<multisplit_scatter_kernel<tunings, ranked_bits<digit_bits>, arguments>>(
      name, scatter_shape_on<tunings, digit_bits, T, T>);
}
} // namespace

kernel_records lsm_kernels() {
  using table = lsm_map<uint32_t, uint32_t>::table_type;
  using wide = lsm_map<uint64_t, uint64_t>::table_type;
  using tunings = lsm_tunings_of<lsm_policy, table>;
  using wide_tunings = lsm_tunings_of<lsm_policy, wide>;
  using find = lsm_find_arguments<table>;
  using wide_find = lsm_find_arguments<wide>;
  using ordered_find = lsm_ordered_find_arguments<table>;
  using ranges = lsm_range_arguments<table>;
  using wide_ranges = lsm_range_arguments<wide>;
  return {
      record<lsm_partition_kernel<tunings, table>>("partition, 4 + 4", lsm_partition_threads),
      record<lsm_partition_kernel<wide_tunings, wide>>("partition, 8 + 8", lsm_partition_threads),
      last_pass<uint32_t>("last pass of the sort, 4 + 4"),
      record<lsm_mend_kernel<lsm_mend_arguments<uint64_t, uint64_t, wide::format_type>>>(
          "runs of the sort, 8 + 8", mend_threads),
      merge_record<table, false>("merge, 4 + 4"),
      merge_record<table, true>("merge of a cleanup, 4 + 4"),
      merge_record<wide, false>("merge, 8 + 8"),
      merge_record<wide, true>("merge of a cleanup, 8 + 8"),
      record<lsm_move_kernel<table>>("move, 4 + 4", lsm_move_threads),
      record<lsm_move_kernel<wide>>("move, 8 + 8", lsm_move_threads),
      record<lsm_find_kernel<tunings, lsm_query::find, find>>("find, 4 + 4", 256),
      record<lsm_find_kernel<tunings, lsm_query::find, ordered_find>>("find, sorted queries, 4 + 4",
                                                                      256),
      record<lsm_find_kernel<tunings, lsm_query::successor, find>>("successor, 4 + 4", 256),
      record<lsm_find_kernel<tunings, lsm_query::predecessor, find>>("predecessor, 4 + 4", 256),
      record<lsm_find_kernel<wide_tunings, lsm_query::find, wide_find>>("find, 8 + 8", 256),
      record<lsm_few_find_kernel<tunings, lsm_query::find, find>>("few finds, 4 + 4", 256),
      record<lsm_few_find_kernel<tunings, lsm_query::successor, find>>("few successors, 4 + 4",
                                                                       256),
      record<lsm_few_find_kernel<wide_tunings, lsm_query::find, wide_find>>("few finds, 8 + 8",
                                                                            256),
      record<lsm_range_kernel<tunings, false, ranges>>("count, 4 + 4", lsm_range_threads),
      record<lsm_range_kernel<tunings, true, ranges>>("range, 4 + 4", lsm_range_threads),
      record<lsm_range_kernel<wide_tunings, false, wide_ranges>>("count, 8 + 8", lsm_range_threads),
      record<lsm_range_kernel<wide_tunings, true, wide_ranges>>("range, 8 + 8", lsm_range_threads),
      record<lsm_few_ranges_kernel<tunings, ranges>>("few ranges, 4 + 4", lsm_range_threads),
  };
}

} // namespace colonnade::testing
