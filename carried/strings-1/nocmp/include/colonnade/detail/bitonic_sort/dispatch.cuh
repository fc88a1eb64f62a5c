//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// dispatch.cuh: launches the passes of a bitonic sort.
//
// In: arrays that bitonic_sort.cuh has checked. Out: the arrays sorted in place. plan.hpp says
// which steps a pass runs. Invariant: the host's numbers are those of the architecture whose code
// is loaded; blocks that start while the pass before still runs wait for it before they read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bitonic_sort_tuning.hpp>
#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/bitonic_sort/block.hpp>
#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/run_options.cuh>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

enum class bitonic_kernel { sort, merge_spread, merge_tile };

template <class Tunings, class Arguments>
using compiled_bitonic_block = bitonic_block<compiled<Tunings>, Arguments, device_machine>;

template <class Tunings, bitonic_kernel Kind, class Arguments>
__global__ void __launch_bounds__(compiled_bitonic_block<Tunings, Arguments>::threads,
                                  compiled<Tunings>::value.min_blocks)
    bitonic_sort_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char bitonic_shared[];
  const device_machine machine;
  machine.let_next_kernel_start();
  machine.wait_for_previous_kernel();
  compiled_bitonic_block<Tunings, Arguments> block(machine, a, bitonic_shared);
  if constexpr (Kind == bitonic_kernel::sort)
    block.sort();
  else if constexpr (Kind == bitonic_kernel::merge_spread)
    block.merge_spread();
  else
    block.merge_tile();
}

template <class Policy, uint32_t ItemWords, bool Large> struct bitonic_tunings {
  template <gpu_architecture Architecture> struct on {
    static constexpr bitonic_tuning value = Large ? Policy::large_tuning(Architecture, ItemWords)
                                                  : Policy::tuning(Architecture, ItemWords);
  };
};

/// What the host has to know of a bitonic sort's tuning.
struct bitonic_shape {
  uint32_t log2_part, log2_items, threads;
  size_t shared_bytes;
  bool overlap_launches;
};
template <class Tunings, class Arguments>
bitonic_shape bitonic_shape_on(gpu_architecture architecture) {
  return ask_tuning<Tunings>(architecture, [](auto of) {
    using tuning = typename decltype(of)::type;
    using block = bitonic_block<tuning, Arguments, device_machine>;
    return bitonic_shape{tuning::value.log2_part, tuning::value.log2_items, block::threads,
                         block::shared_bytes, tuning::value.overlap_launches};
  });
}

template <class Policy, class Key, class Value, class Exchange> struct bitonic_run {
  using arguments = bitonic_arguments<Key, Value, Exchange>;

  static cudaError_t run(Key *keys, Value *values, uint64_t num_items, const Exchange &exchange,
                         const run_options &options) {
    if (num_items <= 1)
      return cudaSuccess;
    const arguments a{keys, values, num_items, exchange, {}};
    if (num_items < Policy::large)
      return run_with<bitonic_tunings<Policy, arguments::item_words_count, false>>(a, options);
    return run_with<bitonic_tunings<Policy, arguments::item_words_count, true>>(a, options);
  }

private:
  template <class Tunings> static cudaError_t run_with(arguments a, const run_options &options) {
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    const bitonic_shape shape = bitonic_shape_on<Tunings, arguments>(gpu.architecture);
    const bitonic_plan plan{a.num_items, shape.log2_part, shape.log2_items};
    a.pass.stage = plan.tile_stages();
    cudaError_t error =
        start<Tunings, bitonic_kernel::sort>(a, plan.num_tiles(), false, gpu, shape, options);
    plan.for_each_pass([&](const bitonic_pass &pass) {
      if (error != cudaSuccess)
        return false;
      a.pass = pass;
      error = pass.bottom > 0
                  ? start<Tunings, bitonic_kernel::merge_spread>(a, plan.num_parts(pass), true, gpu,
                                                                 shape, options)
                  : start<Tunings, bitonic_kernel::merge_tile>(a, plan.num_parts(pass), true, gpu,
                                                               shape, options);
      return true;
    });
    return error;
  }

  template <class Tunings, bitonic_kernel Kind>
  static cudaError_t start(const arguments &a, uint64_t parts, bool later,
                           const device_properties &gpu, const bitonic_shape &shape,
                           const run_options &options) {
    const auto kernel = bitonic_sort_kernel<Tunings, Kind, arguments>;
    static allowed_devices allowed;
    if (const cudaError_t error =
            allow_shared_memory(kernel, shape.shared_bytes, gpu.device, allowed))
      return error;
    const bool overlaps = later && shape.overlap_launches && gpu.overlaps_launches();
    return launch(
        kernel,
        {static_cast<uint32_t>(parts), shape.threads, shape.shared_bytes, options.stream, overlaps},
        a);
  }
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
