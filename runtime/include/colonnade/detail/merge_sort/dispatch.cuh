//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// dispatch.cuh: runs a merge sort: sorts tiles, then merges groups of runs, a
// partition and a merge kernel a pass.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device_machine.cuh>
#include <colonnade/detail/launch.cuh>
#include <colonnade/detail/merge_sort/merge_sort_plan.hpp>
#include <colonnade/detail/merge_sort/merge_tile.hpp>
#include <colonnade/detail/merge_sort/partition.hpp>
#include <colonnade/detail/merge_sort/tile_sort.hpp>
#include <colonnade/detail/radix_sort/buffers.hpp>
#include <colonnade/run_options.cuh>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class Tuning, bool Stable, class Arguments>
__global__ void __launch_bounds__(Tuning::value.threads, Tuning::value.min_blocks)
    tile_sort_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char tile_sort_shared[];
  const device_machine machine;
  tile_sort_block<Tuning, Stable, Arguments, device_machine>(machine, a, tile_sort_shared).run();
}

template <uint32_t Ways, class Offset, class Arguments>
__global__ void partition_kernel(const __grid_constant__ Arguments a) {
  const device_machine machine;
  machine.wait_for_previous_kernel();
  machine.let_next_kernel_start();
  partition_thread<Ways, Offset, Arguments, device_machine>(machine, a).run();
}

template <class Tuning, class Arguments>
__global__ void __launch_bounds__(Tuning::value.merge_threads, Tuning::value.merge_min_blocks)
    merge_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char merge_shared[];
  const device_machine machine;
  machine.wait_for_previous_kernel();
  machine.let_next_kernel_start();
  merge_block<Tuning, Arguments, device_machine>(machine, a, merge_shared).run();
}

/// KeysIn, ValuesIn: what the caller gave; no_items for values that are none.
template <class Policy, bool Stable, class KeysIn, class Key, class ValuesIn, class Value,
          class Compare>
class merge_sort_run {
public:
  static constexpr bool has_values = !std::is_same_v<Value, nothing>;
  using tuning = merge_tuned<Policy, sizeof(Key), bytes_of<Value>>;
  using first_in = decltype(join_inputs(std::declval<KeysIn>(), std::declval<ValuesIn>()));
  using arrays = spare_arrays<Key, Value>;
  using next_in = decltype(join_inputs(std::declval<arrays>().keys_in(),
                                       std::declval<arrays>().values_in()));
  using out = decltype(join_outputs(std::declval<arrays>().keys_out(),
                                    std::declval<arrays>().values_out()));
  using sort_arguments = tile_sort_arguments<first_in, out, Key, Compare>;
  using sort_block = tile_sort_block<tuning, Stable, sort_arguments, device_machine>;
  using split_arguments = partition_arguments<Key, Compare>;
  static constexpr uint32_t split_threads =
      partition_thread<tuning::value.ways, uint32_t, split_arguments, device_machine>::threads;
  using pass_arguments = merge_arguments<next_in, out, Key, Compare>;
  using pass_block = merge_block<tuning, pass_arguments, device_machine>;

  KeysIn keys_in;
  ValuesIn values_in;
  arrays output; // keys null in an argsort
  uint64_t num_items;
  Compare compare;
  run_options options;
  device_facts facts{};

  static merge_sort_plan plan(uint64_t num_items, bool keys_dropped) {
    return merge_sort_plan({num_items, sort_block::tile_items, tuning::value.ways,
                            tuning::value.sample_stride, pass_block::tile_samples, sizeof(Key),
                            bytes_of<Value>, keys_dropped});
  }

  cudaError_t run(void *d_temp, const merge_sort_plan &plan) {
    if (num_items == 0)
      return cudaSuccess;
    if (const cudaError_t error = query_device(facts))
      return error;
    if (plan.shape.keys_dropped)
      output.keys = temp_storage::at<Key>(d_temp, plan.dropped_at);
    const arrays spare{temp_storage::at<Key>(d_temp, plan.keys_at), spare_values(d_temp, plan)};
    Key *samples = plan.num_passes ? temp_storage::at<Key>(d_temp, plan.samples_at) : nullptr;
    const uint32_t rounds = plan.num_passes + 1;
    if (const cudaError_t error = sort_tiles(writes_output(0, rounds) ? output : spare, samples))
      return error;
    for (uint32_t p = 0; p < plan.num_passes; ++p) {
      const bool to_output = writes_output(p + 1, rounds);
      if (const cudaError_t error =
              merge_runs(plan.pass(p), to_output ? spare : output, to_output ? output : spare, samples,
                         temp_storage::at<uint64_t>(d_temp, plan.splits_at), p + 1 < plan.num_passes))
        return error;
    }
    return cudaSuccess;
  }

private:
  static Value *spare_values(void *d_temp, const merge_sort_plan &plan) {
    return has_values ? temp_storage::at<Value>(d_temp, plan.values_at) : nullptr;
  }

  cudaError_t sort_tiles(const arrays &to, Key *samples) const {
    static std::atomic<uint64_t> allowed{0};
    const auto kernel = tile_sort_kernel<tuning, Stable, sort_arguments>;
    const uint64_t tiles = (num_items + sort_block::tile_items - 1) / sort_block::tile_items;
    return start(kernel, allowed, sort_block::shared_bytes, tiles, sort_block::threads, false,
                 sort_arguments{join_inputs(keys_in, values_in),
                                join_outputs(to.keys_out(), to.values_out()), num_items, samples,
                                compare});
  }

  cudaError_t merge_runs(const pass_plan &pass, const arrays &from, const arrays &to, Key *samples,
                         uint64_t *splits, bool more) const {
    static std::atomic<uint64_t> none{0}, allowed{0};
    const bool overlap = facts.capability_major >= 9;
    const auto split = num_items >> 32
                           ? partition_kernel<tuning::value.ways, uint64_t, split_arguments>
                           : partition_kernel<tuning::value.ways, uint32_t, split_arguments>;
    const uint64_t blocks = (pass.num_samples() + split_threads - 1) / split_threads;
    if (const cudaError_t error = start(split, none, 0, blocks, split_threads, overlap,
                                        split_arguments{from.keys, samples, pass, splits, compare}))
      return error;
    return start(merge_kernel<tuning, pass_arguments>, allowed, pass_block::shared_bytes,
                 pass.num_tiles, pass_block::threads, overlap,
                 pass_arguments{join_inputs(from.keys_in(), from.values_in()),
                                join_outputs(to.keys_out(), to.values_out()), pass, splits,
                                more ? samples : nullptr, compare});
  }

  template <class Arguments>
  cudaError_t start(void (*kernel)(Arguments), std::atomic<uint64_t> &allowed, size_t shared_bytes,
                    uint64_t blocks, uint32_t threads, bool overlap, const Arguments &arguments) const {
    if (blocks > 0x7fffffff)
      return cudaErrorInvalidValue;
    if (const cudaError_t error = allow_shared_memory(kernel, shared_bytes, facts.device, allowed))
      return error;
    return launch(kernel,
                  {static_cast<uint32_t>(blocks), threads, shared_bytes, options.stream, overlap},
                  arguments);
  }
};

} // namespace COLONNADE_ABI

/// d_keys_out null: an argsort.
template <class Policy, bool Stable, class KeysIn, class Key, class ValuesIn, class Value,
          class Compare>
cudaError_t merge_sort(void *d_temp, size_t &temp_bytes, KeysIn keys_in, Key *keys_out,
                       ValuesIn values_in, Value *values_out, uint64_t num_items,
                       const Compare &compare, const run_options &options, bool keys_dropped) {
  using run = merge_sort_run<Policy, Stable, KeysIn, Key, ValuesIn, Value, Compare>;
  const merge_sort_plan plan = run::plan(num_items, keys_dropped);
  if (!d_temp) {
    temp_bytes = plan.storage.bytes();
    return cudaSuccess;
  }
  if (temp_bytes < plan.storage.bytes())
    return cudaErrorInvalidValue;
  return run{keys_in, values_in, {keys_out, values_out}, num_items, compare, options}.run(d_temp, plan);
}

} // namespace colonnade::detail
