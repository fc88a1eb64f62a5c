//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// segmented.cuh: checks a segmented multisplit's arguments and launches its kernels.
//
//   memset (48 bytes) -> short segments and lists -> middle segments
//                     -> counts and scan of long segments -> large segments
//
// In: a caller's arguments. Out: cudaErrorInvalidValue before any CUDA call, the bytes of
// temporary storage, or the queued call. Invariant: the host reads no offset; kernels that can
// have no work, by the number of items, are not launched.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/multisplit/chunks/chunk_launch.cuh>
#include <colonnade/detail/multisplit/segmented/segments_plan.hpp>
#include <colonnade/run_options.cuh>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

constexpr uint32_t segments_threads = 128;

/// Rows: how many of a warp, for each architecture.
template <class Rows, uint32_t Bits, class Arguments>
__global__ void __launch_bounds__(segments_threads)
    segments_kernel(const __grid_constant__ Arguments a) {
  extern __shared__ __align__(16) char segments_shared[];
  const device_machine machine;
  segments_block<segments_threads, compiled<Rows>::value, Bits, Arguments, device_machine>(
      machine, a, segments_shared)
      .run();
}

template <class Policy, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Bucket>
class segmented_run {
public:
  using ids_type = bucket_ids<Bucket, false>;
  using first = segments_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, ids_type>;
  using key = typename first::key;
  using value = typename first::value;
  static constexpr size_t item_bytes = first::item_bytes;
  struct rows {
    template <gpu_architecture Architecture> struct on {
      static constexpr uint32_t value = Policy::warp_rows(Architecture, item_bytes);
    };
  };
  struct middle {
    template <gpu_architecture Architecture> struct on {
      static constexpr chunk_tuning value = Policy::middle(Architecture, item_bytes);
    };
  };
  struct large {
    template <gpu_architecture Architecture> struct on {
      static constexpr chunk_tuning value = Policy::large(Architecture, item_bytes);
    };
  };

  KeysIn keys_in;
  KeysOut keys_out;
  ValuesIn values_in;
  ValuesOut values_out;
  uint64_t num_items;
  uint32_t num_segments;
  const uint64_t *segments;
  ids_type ids;
  uint64_t *offsets;
  run_options options;

  cudaError_t run(void *d_temp, size_t &temp_bytes) const {
    const uint64_t bytes = most_on_any(
        [&](gpu_architecture architecture) { return plan_on(architecture).storage.bytes(); });
    if (!d_temp || temp_bytes < bytes)
      return report_bytes(d_temp, temp_bytes, bytes);
    uint32_t bits = 1;
    while ((1u << bits) < ids.num_buckets)
      ++bits;
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    return with_bits<1>(
        bits, gpu,
        plan_on(gpu.architecture).lists(d_temp, segments, num_segments, ids.num_buckets, offsets));
  }

private:
  static uint64_t short_items_on(gpu_architecture architecture) {
    return 32 * Policy::warp_rows(architecture, item_bytes);
  }
  static uint64_t tile_items(const chunk_tuning &tuning) {
    return uint64_t{tuning.threads} * tuning.items_per_thread;
  }
  segments_plan plan_on(gpu_architecture architecture) const {
    const chunk_tuning middle_tuning = Policy::middle(architecture, item_bytes);
    const chunk_tuning large_tuning = Policy::large(architecture, item_bytes);
    return segments_plan(num_items, ids.num_buckets, short_items_on(architecture),
                         tile_items(middle_tuning),
                         tile_items(large_tuning) * large_tuning.chunk_tiles);
  }

  template <uint32_t Bits>
  cudaError_t with_bits(uint32_t bits, const device_properties &gpu,
                        const segment_lists &lists) const {
    constexpr uint32_t rounded = Policy::round_up_bits(Bits);
    static_assert(rounded >= Bits && rounded <= 8, "round_up_bits returns Bits to 8");
    if constexpr (Bits < 8)
      if (bits > Bits)
        return with_bits<Bits + 1>(bits, gpu, lists);
    return split<rounded>(gpu, lists);
  }

  template <uint32_t Bits>
  cudaError_t split(const device_properties &gpu, const segment_lists &lists) const {
    if (const cudaError_t error =
            cudaMemsetAsync(lists.header, 0, sizeof(segment_header), options.stream))
      return error;
    if (const cudaError_t error = split_short<Bits>(gpu, lists))
      return error;
    const uint64_t most_middle = num_items / short_items_on(gpu.architecture);
    const uint64_t most_large = num_items / lists.middle_items;
    if (const cudaError_t error = move<middle, Bits>(gpu, middle_segments{lists},
                                                     &lists.header->middle_ticket, most_middle))
      return error;
    const large_segments source{lists};
    const uint64_t most_long = num_items / lists.chunk_items;
    const chunk_counts_arguments<KeysIn, ids_type, large_segments> c{keys_in, ids, source,
                                                                     &lists.header->counts_ticket};
    if (const cudaError_t error = launch_chunk_counts(gpu, c, 2 * most_long, options.stream))
      return error;
    const row_scan_arguments<large_segments> r{source, ids.num_buckets, &lists.header->rows_ticket};
    if (const cudaError_t error =
            launch_row_scan(gpu, r, most_long * ids.num_buckets, options.stream))
      return error;
    return move<large, Bits>(gpu, source, &lists.header->move_ticket, most_large);
  }

  template <uint32_t Bits>
  cudaError_t split_short(const device_properties &gpu, const segment_lists &lists) const {
    const size_t shared_bytes = ask_tuning<rows>(gpu.architecture, [](auto of) {
      return segments_block<segments_threads, decltype(of)::type::value, Bits, first,
                            device_machine>::shared_bytes;
    });
    static allowed_devices allowed;
    const auto kernel = segments_kernel<rows, Bits, first>;
    if (const cudaError_t error = allow_shared_memory(kernel, shared_bytes, gpu.device, allowed))
      return error;
    const first a{{keys_in, keys_out, values_in, values_out}, ids, lists, options.d_status};
    const uint64_t warps = num_segments / 32 + 1;
    const uint64_t blocks =
        std::min<uint64_t>(warps / (segments_threads / 32) + 1, uint64_t{12} * gpu.num_sms);
    return launch(
        kernel,
        {static_cast<uint32_t>(blocks), segments_threads, shared_bytes, options.stream, false}, a);
  }

  template <class Tunings, uint32_t Bits, class Source>
  cudaError_t move(const device_properties &gpu, const Source &source, uint32_t *ticket,
                   uint64_t most_work) const {
    using arguments = chunk_move_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, ids_type, Source>;
    const arguments a{keys_in, keys_out, values_in, values_out,
                      ids,     source,   ticket,    options.d_status};
    return launch_chunk_move<Tunings, Bits>(gpu, a, most_work, options.stream);
  }
};

template <class Policy, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Bucket>
cudaError_t segmented_multisplit(void *d_temp, size_t &temp_bytes, KeysIn keys_in, KeysOut keys_out,
                                 ValuesIn values_in, ValuesOut values_out, uint64_t num_items,
                                 uint64_t num_segments, const uint64_t *segments,
                                 uint32_t num_buckets, Bucket bucket, uint64_t *offsets,
                                 run_options options) {
  using run = segmented_run<Policy, KeysIn, KeysOut, ValuesIn, ValuesOut, Bucket>;
  using key = typename run::key;
  using value = typename run::value;
  static_assert(movable<key>,
                "segmented multisplit: keys are trivially copyable, of 1 to 16 bytes");
  static_assert(movable<value>,
                "segmented multisplit: values are trivially copyable, of 1 to 16 bytes");
  static_assert(std::is_trivially_copyable_v<Bucket>,
                "multisplit: the bucket functor is trivially copyable");
  if (num_buckets == 0 || num_buckets > 256 || num_segments >= 0xffffffff || too_many(num_items))
    return cudaErrorInvalidValue;
  const uint64_t segments_bytes = (num_segments + 1) * sizeof(uint64_t);
  if (d_temp &&
      (!valid_array(segments, 1) ||
       !valid_arrays(keys_in, keys_out, values_in, values_out, num_items) ||
       !valid_offsets(offsets, num_segments * num_buckets, keys_in, keys_out, values_in, values_out,
                      num_items) ||
       !apart(keys_out, num_items, segments, segments_bytes) ||
       !apart(values_out, num_items, segments, segments_bytes) ||
       (offsets && !apart(offsets, num_segments * num_buckets + 1, segments, segments_bytes))))
    return cudaErrorInvalidValue;
  return run{keys_in,   keys_out,
             values_in, values_out,
             num_items, static_cast<uint32_t>(num_segments),
             segments,  {bucket, num_buckets},
             offsets,   options}
      .run(d_temp, temp_bytes);
}

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
