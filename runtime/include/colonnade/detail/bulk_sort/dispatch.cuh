//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// dispatch.cuh: finds a bulk sort's kernel and launches its passes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/layout.hpp>
#include <colonnade/bulk_sort_tuning.hpp>
#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/bulk_sort/column_block.hpp>
#include <colonnade/detail/bulk_sort/column_pair.hpp>
#include <colonnade/detail/bulk_sort/columns.hpp>
#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/run_options.cuh>

#include <iterator>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

/// Blocks a multiprocessor whose threads hold so many items, and 32 registers besides.
template <class Arguments> constexpr uint32_t blocks_for(uint32_t threads, uint32_t items) {
  const uint32_t blocks = 65536 / (threads * (items * decltype(Arguments::arrays)::words + 32));
  return blocks == 0 ? 1 : blocks < 8 ? blocks : 8;
}

template <class Layout, uint32_t Threads, uint32_t From, uint32_t To, class Arguments>
__global__ void __launch_bounds__(Threads, blocks_for<Arguments>(Threads, To))
    bulk_sort_kernel(const __grid_constant__ Arguments a) {
  const device_machine machine;
  bulk_sort_thread<Layout, Arguments, device_machine>(machine, a).template sort<From, To>();
}

template <class Layout, uint32_t Threads, uint32_t From, uint32_t To, class Arguments>
__global__ void __launch_bounds__(Threads, blocks_for<Arguments>(Threads, To / 2))
    bulk_sort_pair_kernel(const __grid_constant__ Arguments a) {
  const device_machine machine;
  column_pair<Layout, From, To, Arguments, device_machine>(machine, a).sort();
}

template <class Layout, uint32_t Log2Rows, uint32_t Log2Columns, uint32_t Bits, class Arguments>
using device_column_block =
    column_block<Layout, Log2Rows, Log2Columns, Bits, Arguments, device_machine>;

template <class Layout, uint32_t Log2Rows, uint32_t Log2Columns, uint32_t Bits, class Arguments>
__global__ void
__launch_bounds__(device_column_block<Layout, Log2Rows, Log2Columns, Bits, Arguments>::threads,
                  device_column_block<Layout, Log2Rows, Log2Columns, Bits, Arguments>::min_blocks)
    bulk_sort_block_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char bulk_sort_shared[];
  const device_machine machine;
  device_column_block<Layout, Log2Rows, Log2Columns, Bits, Arguments>(machine, a, bulk_sort_shared)
      .sort();
}

template <class Layout, uint32_t Threads, uint32_t MinBlocks, uint32_t Bits, class Arguments>
__global__ void __launch_bounds__(Threads, MinBlocks)
    bulk_sort_pass_kernel(const __grid_constant__ Arguments a) {
  const device_machine machine;
  bulk_sort_thread<Layout, Arguments, device_machine>(machine, a).template pass<Bits>();
}

template <class Policy, class Layout, class Arrays, class Exchange> struct bulk_sort_run {
  using arguments = bulk_sort_arguments<Arrays, Exchange>;
  static constexpr uint32_t bits = Policy::window_bits(Arrays::words);
  static constexpr uint32_t num_lengths = static_cast<uint32_t>(std::size(Policy::lengths));
  /// Into how many threads' registers arrays of entry `k` fit; 0 if in no more than two.
  static constexpr uint32_t threads_for(uint32_t k) {
    constexpr bool asks = !last_item<Exchange, typename Arrays::item>::exists;
    const bulk_sort_lengths lengths = Policy::lengths[k];
    const uint32_t words = lengths.to * Arrays::words;
    if (words <= Policy::max_words)
      return 1;
    return asks || words > 2 * Policy::max_words || lengths.to % 4 || lengths.from <= lengths.to / 2
               ? 0
               : 2;
  }

  /// Whether arrays of this length are read and written once.
  static bool one_pass(uint32_t length) { return in_registers(length) || in_a_block(length); }
  static constexpr bool in_registers(uint32_t length) {
    for (uint32_t k = 0; k < num_lengths; ++k)
      if (threads_for(k) && Policy::lengths[k].from <= length && length <= Policy::lengths[k].to)
        return true;
    return false;
  }

  static cudaError_t run(const Arrays &arrays, uint64_t num_arrays, uint32_t length,
                         const Exchange &exchange, const run_options &options) {
    const uint64_t blocks = (num_arrays + Policy::threads - 1) / Policy::threads;
    const arguments a{arrays, num_arrays, length, static_cast<uint32_t>(blocks), {}, exchange};
    if (in_registers(length))
      return from_registers<0>(a, options);
    return in_a_block(length) ? from_blocks<block_rows_from>(a, options) : in_several(a, options);
  }

private:
  /// Longer than what registers hold.
  static constexpr uint32_t block_rows_from = [] {
    uint32_t length = Policy::max_words / Arrays::words + 1;
    while (in_registers(length))
      ++length;
    return ceil_log2(length);
  }();
  static bool in_a_block(uint32_t length) {
    const uint32_t rows = std::max(block_rows_from, ceil_log2(length));
    return rows <= Policy::max_block_log2_rows &&
           Policy::block_shape(rows, Arrays::words).log2_columns > 0;
  }

  template <uint32_t Log2Rows>
  static cudaError_t from_blocks(const arguments &a, const run_options &options) {
    if constexpr (Log2Rows > Policy::max_block_log2_rows) {
      return cudaErrorInvalidValue; // never: in_a_block has said so
    } else {
      constexpr bulk_sort_block_shape shape = Policy::block_shape(Log2Rows, Arrays::words);
      if constexpr (shape.log2_columns > 0)
        if (ceil_log2(a.length) <= Log2Rows)
          return start_blocks<Log2Rows, shape.log2_columns, shape.log2_items>(a, options);
      return from_blocks<Log2Rows + 1>(a, options);
    }
  }
  template <uint32_t Log2Rows, uint32_t Log2Columns, uint32_t Bits>
  static cudaError_t start_blocks(const arguments &a, const run_options &options) {
    using block = device_column_block<Layout, Log2Rows, Log2Columns, Bits, arguments>;
    const auto kernel = bulk_sort_block_kernel<Layout, Log2Rows, Log2Columns, Bits, arguments>;
    static std::atomic<uint64_t> allowed{0};
    device_facts facts;
    if (const cudaError_t error = query_device(facts))
      return error;
    if (const cudaError_t error =
            allow_shared_memory(kernel, block::shared_bytes, facts.device, allowed))
      return error;
    const uint64_t blocks = (a.num_arrays + block::columns - 1) / block::columns;
    return launch(
        kernel,
        {static_cast<uint32_t>(blocks), block::threads, block::shared_bytes, options.stream, false},
        a);
  }

  static uint32_t pair_blocks(uint64_t num_arrays) {
    return static_cast<uint32_t>((num_arrays + Policy::threads / 2 - 1) / (Policy::threads / 2));
  }
  template <uint32_t K>
  static cudaError_t from_registers(const arguments &a, const run_options &options) {
    if constexpr (K == num_lengths) {
      return cudaErrorInvalidValue; // never: in_registers has found one
    } else {
      constexpr bulk_sort_lengths lengths = Policy::lengths[K];
      if (lengths.from <= a.length && a.length <= lengths.to) {
        if constexpr (threads_for(K) == 1)
          return launch(
              bulk_sort_kernel<Layout, Policy::threads, lengths.from, lengths.to, arguments>,
              {a.blocks_per_row, Policy::threads, 0, options.stream, false}, a);
        if constexpr (threads_for(K) == 2)
          return launch(
              bulk_sort_pair_kernel<Layout, Policy::threads, lengths.from, lengths.to, arguments>,
              {pair_blocks(a.num_arrays), Policy::threads, 0, options.stream, false}, a);
      }
      return from_registers<K + 1>(a, options);
    }
  }

  static cudaError_t in_several(arguments a, const run_options &options) {
    cudaError_t error = cudaSuccess;
    for_each_column_pass(a.length, bits, [&](const column_pass &pass) {
      a.pass = pass;
      const uint64_t blocks = a.blocks_per_row * num_groups(a.length, bits, pass.bottom);
      error = launch(
          bulk_sort_pass_kernel<Layout, Policy::threads, Policy::pass_min_blocks, bits, arguments>,
          {static_cast<uint32_t>(blocks), Policy::threads, 0, options.stream, false}, a);
      a.arrays = a.arrays.in_place();
      return error == cudaSuccess;
    });
    return error;
  }
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
