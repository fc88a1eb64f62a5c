//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// dispatch.cuh: runs a merge sort: one kernel sorts tiles; then each pass merges groups of
// sorted runs, by a kernel that divides them into tiles and one that merges tiles.
//
// In: arguments that choose.cuh has checked. Out: the sorted items. Few items are sorted by one
// block instead. Invariant: the input is read by the first kernel alone; passes alternate between
// the output and a spare copy, and the last one writes the output.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/alternating_arrays.hpp>
#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/merge_sort/merge_sort_plan.hpp>
#include <colonnade/detail/merge_sort/method.hpp>
#include <colonnade/detail/merging/block_order_launch.cuh>
#include <colonnade/run_options.cuh>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

/// Blocks: one of merge_sort_kernels.
template <class Blocks, class Arguments>
__global__ void __launch_bounds__(compiled<Blocks>::threads, compiled<Blocks>::min_blocks)
    merge_sort_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char merge_sort_shared[];
  const device_machine machine;
  compiled<Blocks>(machine, a, merge_sort_shared).run();
}

/// One call. KeysIn, ValuesIn: the caller's; ValuesIn is no_items for keys alone.
template <class Policy, bool Stable, class KeysIn, class Key, class ValuesIn, class Value,
          class Compare>
class merge_sort_run {
public:
  static constexpr bool has_values = !std::is_same_v<Value, nothing>;
  using kernels = merge_sort_kernels<merge_tunings<Policy, sizeof(Key), bytes_of<Value>>, Stable,
                                     KeysIn, Key, ValuesIn, Value, Compare, device_machine>;
  /// For the types that are the same on all architectures.
  using blocks = typename kernels::template blocks<compiled_architecture>;
  using arrays = typename blocks::arrays;

  KeysIn keys_in;
  ValuesIn values_in;
  arrays output; // keys null in an argsort
  uint64_t num_items;
  Compare compare;
  run_options options;
  device_properties gpu{};

  static merge_sort_plan plan_on(gpu_architecture architecture, uint64_t num_items,
                                 bool keys_dropped) {
    const auto tile_items = ask_tuning<typename kernels::sort>(
        architecture, [](auto of) { return decltype(of)::type::tile_items; });
    const auto tile_samples = ask_tuning<typename kernels::pass>(
        architecture, [](auto of) { return decltype(of)::type::tile_samples; });
    const merge_sort_tuning tuning = Policy::tuning(architecture, sizeof(Key), bytes_of<Value>);
    return merge_sort_plan({num_items, tile_items, tuning.ways, tuning.sample_stride, tile_samples,
                            sizeof(Key), bytes_of<Value>, keys_dropped});
  }

  cudaError_t run(void *d_temp, bool keys_dropped) {
    if (num_items == 0)
      return cudaSuccess;
    if (const cudaError_t error = query_device(gpu))
      return error;
    const merge_sort_plan plan = plan_on(gpu.architecture, num_items, keys_dropped);
    if (plan.shape.keys_dropped)
      output.keys = temp_storage::at<Key>(d_temp, plan.dropped_at);
    if constexpr (Policy::one_block)
      if (pays_in_order(plan.shape.tile_items))
        return launch_block_order(join_inputs(keys_in, values_in),
                                  join_outputs(output.keys_out(), output.values_out()), num_items,
                                  compare, gpu.device, options.stream);
    const arrays spare{temp_storage::at<Key>(d_temp, plan.keys_at), spare_values(d_temp, plan)};
    Key *samples = plan.num_passes ? temp_storage::at<Key>(d_temp, plan.samples_at) : nullptr;
    const uint32_t writes = plan.num_passes + 1; // the sorted tiles are written too
    if (const cudaError_t error =
            sort_tiles(plan.shape.tile_items, writes_output(0, writes) ? output : spare, samples))
      return error;
    for (uint32_t p = 0; p < plan.num_passes; ++p) {
      const bool to_output = writes_output(p + 1, writes);
      if (const cudaError_t error = merge_runs(
              plan.pass(p), to_output ? spare : output, to_output ? output : spare, samples,
              temp_storage::at<uint64_t>(d_temp, plan.splits_at), p + 1 < plan.num_passes))
        return error;
    }
    return cudaSuccess;
  }

private:
  /// Whether one block of many threads (merging/block_order.hpp) sorts faster than the kernel for
  /// a tile, or than tiles and passes. Measured on an H200.
  bool pays_in_order(uint32_t tile_items) const {
    constexpr size_t item_bytes = sizeof(Key) + bytes_of<Value>;
    constexpr uint64_t always = item_bytes <= 8 ? 4608 : 1280, most = item_bytes <= 4   ? 9216
                                                                      : item_bytes <= 8 ? 6144
                                                                                        : 0;
    if (num_items > most_in_block_order<typename blocks::first_in>())
      return false;
    return num_items <= always || (num_items > tile_items && num_items <= most);
  }

  static Value *spare_values(void *d_temp, const merge_sort_plan &plan) {
    return has_values ? temp_storage::at<Value>(d_temp, plan.values_at) : nullptr;
  }

  cudaError_t sort_tiles(uint32_t tile_items, const arrays &to, Key *samples) const {
    const typename blocks::sort_arguments a{join_inputs(keys_in, values_in),
                                            join_outputs(to.keys_out(), to.values_out()), num_items,
                                            samples, compare};
    return start<typename kernels::sort>((num_items + tile_items - 1) / tile_items, false, a);
  }

  cudaError_t merge_runs(const pass_plan &pass, const arrays &from, const arrays &to, Key *samples,
                         uint64_t *splits, bool more) const {
    const typename blocks::split_arguments s{from.keys, samples, pass, splits, compare};
    if (const cudaError_t error =
            num_items >> 32 ? find_splits<uint64_t>(s) : find_splits<uint32_t>(s))
      return error;
    const typename blocks::pass_arguments a{join_inputs(from.keys_in(), from.values_in()),
                                            join_outputs(to.keys_out(), to.values_out()),
                                            pass,
                                            splits,
                                            more ? samples : nullptr,
                                            compare};
    return start<typename kernels::pass>(pass.num_tiles, true, a);
  }
  template <class Offset> cudaError_t find_splits(const typename blocks::split_arguments &s) const {
    return start<typename kernels::template split<Offset>>(s.plan.num_samples(), true, s);
  }

  template <class Blocks, class Arguments>
  cudaError_t start(uint64_t num_tiles, bool overlaps, const Arguments &arguments) const {
    static allowed_devices allowed;
    const auto kernel = merge_sort_kernel<Blocks, Arguments>;
    const merge_block_shape block = merge_block_shape_on<Blocks>(gpu.architecture);
    const uint64_t num_blocks = block.blocks_for(num_tiles);
    if (num_blocks > 0x7fffffff)
      return cudaErrorInvalidValue;
    if (const cudaError_t error =
            allow_shared_memory(kernel, block.shared_bytes, gpu.device, allowed))
      return error;
    const launch_shape shape{static_cast<uint32_t>(num_blocks), block.threads, block.shared_bytes,
                             options.stream, overlaps && gpu.overlaps_launches()};
    return launch(kernel, shape, arguments);
  }
};

} // namespace COLONNADE_ABI

/// keys_dropped: an argsort; keys_out is null.
template <class Policy, bool Stable, class KeysIn, class Key, class ValuesIn, class Value,
          class Compare>
cudaError_t merge_sort(void *d_temp, size_t &temp_bytes, KeysIn keys_in, Key *keys_out,
                       ValuesIn values_in, Value *values_out, uint64_t num_items,
                       const Compare &compare, const run_options &options, bool keys_dropped) {
  using run = merge_sort_run<Policy, Stable, KeysIn, Key, ValuesIn, Value, Compare>;
  const uint64_t bytes = most_on_any([&](gpu_architecture architecture) {
    return run::plan_on(architecture, num_items, keys_dropped).storage.bytes();
  });
  if (!d_temp || temp_bytes < bytes)
    return report_bytes(d_temp, temp_bytes, bytes);
  return run{keys_in, values_in, {keys_out, values_out}, num_items, compare, options}.run(
      d_temp, keys_dropped);
}

} // namespace colonnade::detail
