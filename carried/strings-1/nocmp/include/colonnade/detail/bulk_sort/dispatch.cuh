//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// dispatch.cuh: finds the kernel for a bulk sort's length and launches its passes.
//
// In: arrays that bulk_sort.cuh has checked, and their length. Out: sorted arrays. They are sorted
// by threads in registers, by blocks in shared memory, or in several passes over memory.
// Invariant: which of the three depends on the length, the types and the policy alone, not on the
// GPU: the temporary storage depends on it, and its size is asked for without any CUDA call.
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

/// Blocks on an SM, of its 65,536 registers, if each thread holds `items` items and needs 32
/// registers more: 1 to 8.
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

/// The blocks that sort arrays of up to 2^Log2Rows items, as each architecture is tuned.
template <class Policy, class Layout, uint32_t Log2Rows, class Arguments> struct column_blocks {
  template <gpu_architecture Architecture>
  static constexpr bulk_sort_block_shape shape =
      Policy::block_shape(Architecture, Log2Rows, decltype(Arguments::arrays)::words);
  template <gpu_architecture Architecture>
  using on = column_block<Layout, Log2Rows, shape<Architecture>.log2_columns,
                          shape<Architecture>.log2_items, Arguments, device_machine>;
};

template <class Blocks, class Arguments>
__global__ void __launch_bounds__(compiled<Blocks>::threads, compiled<Blocks>::min_blocks)
    bulk_sort_block_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char bulk_sort_shared[];
  const device_machine machine;
  compiled<Blocks>(machine, a, bulk_sort_shared).sort();
}

template <class Policy, class Arguments>
constexpr uint32_t compiled_window_bits =
    Policy::window_bits(compiled_architecture, decltype(Arguments::arrays)::words);

template <class Policy, class Layout, class Arguments>
__global__ void __launch_bounds__(Policy::threads, Policy::pass_min_blocks(compiled_architecture))
    bulk_sort_pass_kernel(const __grid_constant__ Arguments a) {
  const device_machine machine;
  bulk_sort_thread<Layout, Arguments, device_machine>(machine, a)
      .template pass<compiled_window_bits<Policy, Arguments>>();
}

template <class Policy, class Layout, class Arrays, class Exchange> struct bulk_sort_run {
  using arguments = bulk_sort_arguments<Arrays, Exchange>;
  static constexpr uint32_t num_lengths = static_cast<uint32_t>(std::size(Policy::lengths));
  /// How many threads sort an array of entry `k` of Policy::lengths: 1 or 2; 0 if it does not fit
  /// in their registers.
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
  /// ceil_log2 of the shortest length that registers do not hold.
  static constexpr uint32_t block_rows_from = [] {
    uint32_t length = Policy::max_words / Arrays::words + 1;
    while (in_registers(length))
      ++length;
    return ceil_log2(length);
  }();
  static bool in_a_block(uint32_t length) {
    const uint32_t rows = std::max(block_rows_from, ceil_log2(length));
    return rows <= Policy::max_block_log2_rows && blocks_sort(rows);
  }
  /// Whether blocks sort arrays of up to 2^log2_rows items. It must be the same on every
  /// architecture, because the size of the temporary storage depends on it.
  static constexpr bool blocks_sort(uint32_t log2_rows) {
    return Policy::block_shape(gpu_architectures[0], log2_rows, Arrays::words).log2_columns > 0;
  }
  static constexpr bool same_everywhere(uint32_t log2_rows) {
    for (const gpu_architecture listed : gpu_architectures)
      if ((Policy::block_shape(listed, log2_rows, Arrays::words).log2_columns > 0) !=
          blocks_sort(log2_rows))
        return false;
    return true;
  }

  template <uint32_t Log2Rows>
  static cudaError_t from_blocks(const arguments &a, const run_options &options) {
    if constexpr (Log2Rows > Policy::max_block_log2_rows) {
      return cudaErrorInvalidValue; // not reached: in_a_block says that one fits
    } else {
      static_assert(same_everywhere(Log2Rows),
                    "bulk sort: blocks sort the same lengths on every architecture");
      if constexpr (blocks_sort(Log2Rows))
        if (ceil_log2(a.length) <= Log2Rows)
          return start_blocks<Log2Rows>(a, options);
      return from_blocks<Log2Rows + 1>(a, options);
    }
  }
  /// What the host has to know of a block's tuning.
  struct block_launch {
    uint32_t threads, columns;
    size_t shared_bytes;
  };
  template <uint32_t Log2Rows>
  static cudaError_t start_blocks(const arguments &a, const run_options &options) {
    using column_blocks_type = column_blocks<Policy, Layout, Log2Rows, arguments>;
    const auto kernel = bulk_sort_block_kernel<column_blocks_type, arguments>;
    static allowed_devices allowed;
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    const block_launch shape = ask_tuning<column_blocks_type>(gpu.architecture, [](auto of) {
      using block = typename decltype(of)::type;
      return block_launch{block::threads, block::columns, block::shared_bytes};
    });
    if (const cudaError_t error =
            allow_shared_memory(kernel, shape.shared_bytes, gpu.device, allowed))
      return error;
    const uint64_t blocks = (a.num_arrays + shape.columns - 1) / shape.columns;
    return launch(
        kernel,
        {static_cast<uint32_t>(blocks), shape.threads, shape.shared_bytes, options.stream, false},
        a);
  }

  static uint32_t pair_blocks(uint64_t num_arrays) {
    return static_cast<uint32_t>((num_arrays + Policy::threads / 2 - 1) / (Policy::threads / 2));
  }
  template <uint32_t K>
  static cudaError_t from_registers(const arguments &a, const run_options &options) {
    if constexpr (K == num_lengths) {
      return cudaErrorInvalidValue; // not reached: in_registers says that one fits
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
    device_properties gpu;
    cudaError_t error = query_device(gpu);
    if (error != cudaSuccess)
      return error;
    const uint32_t bits = Policy::window_bits(gpu.architecture, Arrays::words);
    for_each_column_pass(a.length, bits, [&](const column_pass &pass) {
      a.pass = pass;
      const uint64_t blocks = a.blocks_per_row * num_groups(a.length, bits, pass.bottom);
      error = launch(bulk_sort_pass_kernel<Policy, Layout, arguments>,
                     {static_cast<uint32_t>(blocks), Policy::threads, 0, options.stream, false}, a);
      a.arrays = a.arrays.in_place();
      return error == cudaSuccess;
    });
    return error;
  }
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
