//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// scatter_launch.cuh: launches the scatter pass over all portions of an input.
//
// In: the bases of the first portion, tickets zero, one for every portion; which look-back words
// are empty. Words that are not are zeroed before a portion.
// Out: the whole input in the output, once what is queued has run; which words are empty then.
// Invariant: a portion begins where the one before it has ended, bucket by bucket.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/scatter/empty_words.hpp>
#include <colonnade/detail/scatter/portion_plan.hpp>
#include <colonnade/detail/scatter/scatter.hpp>
#include <colonnade/run_options.cuh>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class Tunings, class Bits, class Arguments>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks)
    multisplit_scatter_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char scatter_shared[];
  const device_machine machine;
  machine.wait_for_previous_kernel();
  scatter_block<compiled<Tunings>, Bits, Arguments, device_machine>(machine, a, scatter_shared)
      .run();
}

/// What the host has to know of a scatter pass's tuning.
struct scatter_shape {
  uint32_t threads, tile_items;
  size_t shared_bytes;
  bool overlap_launches;
};
template <class Tunings, uint32_t Bits, class Key, class Value>
scatter_shape scatter_shape_on(gpu_architecture architecture) {
  return ask_tuning<Tunings>(architecture, [](auto of) {
    using tuning = typename decltype(of)::type;
    using storage = tile_storage<tuning, Bits, Key, Value>;
    return scatter_shape{tuning::value.threads, storage::tile_items, storage::bytes,
                         tuning::value.overlap_launches};
  });
}
/// The same for all Bits: the tile alone.
template <class Tunings> uint32_t scatter_tile_items(gpu_architecture architecture) {
  const multisplit_tuning tuning =
      ask_tuning<Tunings>(architecture, [](auto of) { return decltype(of)::type::value; });
  return tuning.threads * tuning.items_per_thread;
}

/// Portions alternate: the scatter of one leaves the bases of the next.
struct alternating_bases {
  uint64_t *even, *odd;
  uint64_t *of(uint32_t portion) const { return portion % 2 ? odd : even; }
};

/// `whole`: the arguments for the input as a whole; what differs from portion to
/// portion is filled in here. The plan's portions are of tiles of gpu.architecture.
template <class Tunings, class Bits, class Arguments>
cudaError_t launch_scatter(const device_properties &gpu, const portion_plan &plan,
                           alternating_bases bases, uint32_t *tickets, empty_words &empty,
                           const Arguments &whole, cudaStream_t stream) {
  const scatter_shape shape =
      scatter_shape_on<Tunings, Bits::most, typename Arguments::key, typename Arguments::value>(
          gpu.architecture);
  static allowed_devices allowed;
  const auto kernel = multisplit_scatter_kernel<Tunings, Bits, Arguments>;
  if (const cudaError_t error =
          allow_shared_memory(kernel, shape.shared_bytes, gpu.device, allowed))
    return error;
  for (uint32_t p = 0; p < plan.num_portions; ++p) {
    Arguments a = whole;
    a.first = p * plan.portion_items;
    a.num_items = std::min(plan.portion_items, plan.num_items - a.first);
    a.num_tiles = static_cast<uint32_t>((a.num_items + shape.tile_items - 1) / shape.tile_items);
    a.base = bases.of(p);
    a.next_base = p + 1 < plan.num_portions ? bases.of(p + 1) : nullptr;
    a.ticket = tickets + p;
    a.far = plan.num_items >> 32 != 0;
    const uint64_t num_words = uint64_t{a.num_tiles} * a.ids.count();
    const bool zeroes = empty.have_to_be_zeroed(num_words);
    if (zeroes) {
      if (const cudaError_t error =
              cudaMemsetAsync(whole.words, 0, num_words * sizeof(uint32_t), stream))
        return error;
      empty.zeroed(num_words);
    }
    a.turn = empty.turn();
    const bool overlaps = shape.overlap_launches && !zeroes && gpu.overlaps_launches();
    if (const cudaError_t error =
            launch(kernel, {a.num_tiles, shape.threads, shape.shared_bytes, stream, overlaps}, a))
      return error;
    empty.used(num_words);
    // Only the device knows which portions have items: those without leave their words as they are.
    if (whole.d_num_items && plan.num_portions > 1)
      empty.lost();
  }
  return cudaSuccess;
}

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
