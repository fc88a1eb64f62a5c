//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The main kernels of bitonic_sort.cuh and bulk_sort.cuh, under the default policies.
//
//===----------------------------------------------------------------------===//

#include "kernel_record.hpp"

#include <colonnade/bitonic_sort.cuh>
#include <colonnade/bulk_sort.cuh>

namespace colonnade::testing {

template <class Tunings, detail::bitonic_kernel Kind, class Key, class Value = detail::no_value>
kernel_record bitonic_pass_of(const char *name) {
  using namespace detail;
  using arguments = bitonic_arguments<Key, Value, exchange_by_key<ascending>>;
  return record_on<bitonic_sort_kernel<Tunings, Kind, arguments>>(
      name, bitonic_shape_on<Tunings, arguments>);
}

template <uint32_t From, uint32_t To, class Value = detail::no_value>
kernel_record bulk_sort_of(const char *name) {
  using namespace detail;
  using arguments =
      bulk_sort_arguments<bulk_arrays<uint32_t, Value, no_value>, exchange_by_key<ascending>>;
  constexpr uint32_t threads = bulk_sort_policy::threads;
  if constexpr (To * decltype(arguments::arrays)::words <= bulk_sort_policy::max_words)
    return record<bulk_sort_kernel<runtime::column_wise_layout, threads, From, To, arguments>>(
        name, threads);
  else
    return record<bulk_sort_pair_kernel<runtime::column_wise_layout, threads, From, To, arguments>>(
        name, threads);
}

template <uint32_t Log2Rows> kernel_record bulk_block_of(const char *name) {
  using namespace detail;
  using arguments =
      bulk_sort_arguments<bulk_arrays<uint32_t, no_value, no_value>, exchange_by_key<ascending>>;
  using layout = runtime::column_wise_layout;
  using blocks = column_blocks<bulk_sort_policy, layout, Log2Rows, arguments>;
  return record_on<bulk_sort_block_kernel<blocks, arguments>>(
      name, [](gpu_architecture architecture) {
        return ask_tuning<blocks>(architecture, [](auto of) {
          using block = typename decltype(of)::type;
          return block_of_bytes{block::threads, block::shared_bytes};
        });
      });
}

kernel_records bitonic_sort_kernels() {
  using namespace detail;
  using tuning = bitonic_tunings<bitonic_sort_policy, 1, false>;
  using large = bitonic_tunings<bitonic_sort_policy, 1, true>;
  using pairs = bitonic_tunings<bitonic_sort_policy, 2, true>;
  using bulk_arguments =
      bulk_sort_arguments<bulk_arrays<uint32_t, no_value, no_value>, exchange_by_key<ascending>>;
  using policy = bulk_sort_policy;
  return {
      bitonic_pass_of<tuning, bitonic_kernel::sort, uint32_t>("sort of tiles, 32-bit keys"),
      bitonic_pass_of<tuning, bitonic_kernel::merge_spread, uint32_t>(
          "merge of spread parts, 32-bit keys"),
      bitonic_pass_of<tuning, bitonic_kernel::merge_tile, uint32_t>("merge of tiles, 32-bit keys"),
      bitonic_pass_of<large, bitonic_kernel::sort, uint32_t>("sort of tiles, many 32-bit keys"),
      bitonic_pass_of<large, bitonic_kernel::merge_spread, uint32_t>(
          "merge of spread parts, many 32-bit keys"),
      bitonic_pass_of<large, bitonic_kernel::merge_tile, uint32_t>(
          "merge of tiles, many 32-bit keys"),
      bitonic_pass_of<pairs, bitonic_kernel::merge_tile, uint32_t, uint32_t>(
          "merge of tiles, 32-bit pairs"),
      bulk_sort_of<25, 32>("bulk sort, 25 to 32 keys"),
      bulk_sort_of<64, 64>("bulk sort, 64 keys"),
      bulk_sort_of<113, 127>("bulk sort, 113 to 127 keys"),
      bulk_sort_of<128, 128>("bulk sort, 128 keys"),
      bulk_sort_of<225, 256>("bulk sort, 225 to 256 keys in two threads"),
      bulk_sort_of<25, 32, uint32_t>("bulk sort, 25 to 32 pairs"),
      bulk_sort_of<97, 112, uint32_t>("bulk sort, 97 to 112 pairs in two threads"),
      bulk_block_of<9>("bulk sort, blocks of 512 keys an array"),
      bulk_block_of<12>("bulk sort, blocks of 4096 keys an array"),
      record<bulk_sort_pass_kernel<policy, runtime::column_wise_layout, bulk_arguments>>(
          "bulk sort, a pass", policy::threads),
  };
}

} // namespace colonnade::testing
