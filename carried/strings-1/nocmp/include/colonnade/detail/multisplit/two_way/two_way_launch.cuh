//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// two_way_launch.cuh: checks and launches a two-way multisplit.
//
//   memset (24 bytes) -> two-way kernel
//
// In: a caller's arguments. Out: cudaErrorInvalidValue before any CUDA call, the bytes of
// temporary storage, or the queued call.
// Invariant: a tile is taken by one block, and tickets are zeroed in the same stream.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/device/device_machine.cuh>
#include <colonnade/detail/device/launch.cuh>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/multisplit/two_way/two_way.hpp>
#include <colonnade/run_options.cuh>

#include <algorithm>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class Tunings, class Arguments>
__global__ void __launch_bounds__(compiled<Tunings>::value.threads,
                                  compiled<Tunings>::value.min_blocks)
    two_way_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char two_way_shared[];
  const device_machine machine;
  two_way_block<compiled<Tunings>, Arguments, device_machine>(machine, a, two_way_shared).run();
}

/// What the host has to know of a two-way multisplit's tuning.
struct two_way_shape {
  uint32_t threads, tile_items;
  size_t shared_bytes;
};
template <class Tunings, class Key, class Value>
two_way_shape two_way_shape_on(gpu_architecture architecture) {
  return ask_tuning<Tunings>(architecture, [](auto of) {
    using tuning = typename decltype(of)::type;
    using storage = two_way_storage<tuning, Key, Value>;
    return two_way_shape{tuning::value.threads, storage::tile_items, storage::bytes};
  });
}

template <class Policy, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Bucket>
cudaError_t two_way_multisplit(void *d_temp, size_t &temp_bytes, KeysIn keys_in, KeysOut keys_out,
                               ValuesIn values_in, ValuesOut values_out, item_count count,
                               Bucket bucket, uint64_t *offsets, run_options options) {
  using arguments = two_way_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, Bucket>;
  using key = typename arguments::key;
  using value = typename arguments::value;
  using tunings = two_way_tunings<Policy, sizeof(key), bytes_of<value>>;
  static_assert(movable<key>, "two-way multisplit: keys are trivially copyable, of 1 to 16 bytes");
  static_assert(movable<value>,
                "two-way multisplit: values are trivially copyable, of 1 to 16 bytes");
  static_assert(std::is_trivially_copyable_v<Bucket>,
                "multisplit: the bucket functor is trivially copyable");
  const auto tiles_on = [&](gpu_architecture architecture) {
    const uint32_t tile_items = two_way_shape_on<tunings, key, value>(architecture).tile_items;
    return (count.most + tile_items - 1) / tile_items;
  };
  if (too_many(count.most) || most_on_any(tiles_on) > 0x7fffffff ||
      (d_temp &&
       (!valid_arrays(keys_in, keys_out, values_in, values_out, count.most) ||
        !valid_offsets(offsets, 2, keys_in, keys_out, values_in, values_out, count.most))))
    return cudaErrorInvalidValue;
  temp_storage places;
  const size_t taken_at = places.add<uint64_t>(3);
  if (!d_temp || temp_bytes < places.bytes())
    return report_bytes(d_temp, temp_bytes, places.bytes());
  uint64_t *taken = temp_storage::at<uint64_t>(d_temp, taken_at);
  const arguments a{
      {keys_in, keys_out, values_in, values_out}, {bucket, 2},     count, offsets, taken,
      reinterpret_cast<uint32_t *>(taken + 2),    options.d_status};
  device_properties gpu;
  if (const cudaError_t error = query_device(gpu))
    return error;
  static allowed_devices allowed;
  const two_way_shape shape = two_way_shape_on<tunings, key, value>(gpu.architecture);
  const auto kernel = two_way_kernel<tunings, arguments>;
  if (const cudaError_t error =
          allow_shared_memory(kernel, shape.shared_bytes, gpu.device, allowed))
    return error;
  if (const cudaError_t error = cudaMemsetAsync(taken, 0, 3 * sizeof(uint64_t), options.stream))
    return error;
  const uint64_t tiles = tiles_on(gpu.architecture);
  const uint32_t blocks = static_cast<uint32_t>(std::max<uint64_t>(tiles, 1));
  return launch(kernel, {blocks, shape.threads, shape.shared_bytes, options.stream, false}, a);
}

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
