//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// few_buckets.cuh: a multisplit into up to 256 buckets on the GPU.
//
//   memset (a few KB) -> histogram pass -> scatter pass, once for every portion
//
// In: arguments that have been checked, temporary storage or null to ask for its bytes.
// Out: every item in its bucket, stable; the offsets, if wanted. Nothing is read back on
// the host: all sizes come from the plan.
// Invariant: the kernels and the order of items are the same in every run of the same call.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/digits/digits.hpp>
#include <colonnade/detail/multisplit/arguments.cuh>
#include <colonnade/detail/multisplit/few_buckets/histogram.hpp>
#include <colonnade/detail/multisplit/few_buckets/plan.hpp>
#include <colonnade/detail/multisplit/few_buckets/scatter_kernels.hpp>
#include <colonnade/detail/multisplit/few_buckets/split_work.hpp>
#include <colonnade/detail/multisplit/many_buckets/carried_ids.hpp>
#include <colonnade/detail/scatter/scatter_launch.cuh>
#include <colonnade/detail/team/team_launch.cuh>
#include <colonnade/run_options.cuh>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class Tunings, class KeysIn, class Ids>
__global__ void __launch_bounds__(compiled<Tunings>::value.histogram_threads)
    multisplit_histogram_kernel(const __grid_constant__ histogram_arguments<KeysIn, Ids> a) {
  extern __shared__ __align__(16) char histogram_shared[];
  const device_machine machine;
  histogram_block<compiled<Tunings>, KeysIn, Ids, device_machine>(machine, a, histogram_shared)
      .run();
}

/// What the host has to know of a histogram pass's tuning.
struct histogram_shape {
  uint32_t threads, blocks_per_sm;
  uint64_t chunk_items;
  size_t shared_bytes;
};

template <class Policy, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut, class Ids>
class few_buckets {
public:
  using arguments = multisplit_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, Ids>;
  using scatter = scatter_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, Ids>;
  using key = typename scatter::key;
  using value = typename scatter::value;
  using work = split_work<KeysIn, KeysOut, ValuesIn, ValuesOut, Ids>;
  static constexpr bool moves = scatter::writes_keys || scatter::has_values; // or counts only

  /// Bytes, or the run itself.
  static cudaError_t run(void *d_temp, size_t &temp_bytes, const arguments &a) {
    const uint32_t bits = bits_of_ids(a.ids.count());
    return with_bits<1>(bits, d_temp, temp_bytes, a);
  }

private:
  using kernels = scatter_kernels<Policy, Ids::discards, scatter::has_values>;

  /// Finds the kernel for ids of `bits` bits.
  template <uint32_t Bits>
  static cudaError_t with_bits(uint32_t bits, void *d_temp, size_t &temp_bytes,
                               const arguments &a) {
    if constexpr (Bits < kernels::most_bits)
      if (bits > Bits)
        return with_bits<Bits + 1>(bits, d_temp, temp_bytes, a);
    return with_kernel<typename kernels::template of<Bits>>(d_temp, temp_bytes, a);
  }

  /// Bits: ranked_bits.
  template <class Bits>
  static cudaError_t with_kernel(void *d_temp, size_t &temp_bytes, const arguments &a) {
    using tunings = multisplit_tunings<Policy, Bits::most, sizeof(key), bytes_of<value>>;
    const auto plan_on = [&](gpu_architecture architecture) {
      return multisplit_plan(moves ? a.num_items.most : 0, a.ids.count(),
                             scatter_tile_items<tunings>(architecture), scatter::input_bytes);
    };
    const uint64_t bytes = most_on_any(
        [&](gpu_architecture architecture) { return plan_on(architecture).storage.bytes(); });
    if (!d_temp || temp_bytes < bytes)
      return report_bytes(d_temp, temp_bytes, bytes);
    device_properties gpu;
    if (const cudaError_t error = query_device(gpu))
      return error;
    if constexpr (moves && Policy::most_team_items > 0)
      if (a.num_items.most <= Policy::most_team_items) {
        const team_shape team = choose_team<work>(gpu, a.num_items.most);
        if (team.blocks > 0)
          return launch_team(work{a, a.ids, a.num_items, a.offsets, a.options.d_status,
                                  bits_of_ids(a.ids.count())},
                             a.num_items.most, team, gpu.device, a.options.stream);
      }
    const multisplit_plan plan = plan_on(gpu.architecture);
    if (const cudaError_t error =
            count<multisplit_tunings<Policy, 8, sizeof(key), bytes_of<value>>>(gpu, plan, d_temp,
                                                                               a))
      return error;
    if constexpr (moves)
      return move<tunings, Bits>(gpu, plan, d_temp, a);
    return cudaSuccess;
  }

  template <class Tunings>
  static cudaError_t count(const device_properties &gpu, const multisplit_plan &plan, void *d_temp,
                           const arguments &a) {
    const uint32_t num_ids = a.ids.count();
    const histogram_shape shape = ask_tuning<Tunings>(gpu.architecture, [&](auto of) {
      using tuning = typename decltype(of)::type;
      using block = histogram_block<tuning, KeysIn, Ids, device_machine>;
      return histogram_shape{block::threads, tuning::value.histogram_blocks_per_sm,
                             block::chunk::items_per_chunk, block::shared_bytes(num_ids)};
    });
    if (const cudaError_t error =
            cudaMemsetAsync(plan.counts(d_temp), 0, plan.header_bytes, a.options.stream))
      return error;
    const histogram_arguments<KeysIn, Ids> h{a.keys_in,
                                             a.ids,
                                             a.num_items,
                                             plan.counts(d_temp),
                                             temp_storage::at<uint64_t>(d_temp, plan.base[0]),
                                             a.offsets,
                                             plan.done(d_temp, num_ids),
                                             temp_storage::at<uint32_t>(d_temp, plan.words),
                                             plan.num_words,
                                             a.options.d_status};
    const uint64_t chunks = a.num_items.most / shape.chunk_items + 1;
    const uint64_t most = uint64_t{shape.blocks_per_sm} * gpu.num_sms;
    const uint32_t blocks = static_cast<uint32_t>(std::min(chunks, most));
    return launch(multisplit_histogram_kernel<Tunings, KeysIn, Ids>,
                  {blocks, shape.threads, shape.shared_bytes, a.options.stream, false}, h);
  }

  template <class Tunings, class Bits>
  static cudaError_t move(const device_properties &gpu, const multisplit_plan &plan, void *d_temp,
                          const arguments &a) {
    const auto ids = ids_of<Bits>(a.ids);
    using shared =
        scatter_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, std::decay_t<decltype(ids)>>;
    const shared s{a,       ids,
                   0,       0,
                   0,       nullptr,
                   nullptr, temp_storage::at<uint32_t>(d_temp, plan.words),
                   nullptr, a.num_items.d_num_items};
    empty_words empty(plan.num_words); // the histogram pass has zeroed them
    return launch_scatter<Tunings, Bits>(gpu, plan,
                                         {temp_storage::at<uint64_t>(d_temp, plan.base[0]),
                                          temp_storage::at<uint64_t>(d_temp, plan.base[1])},
                                         plan.ticket(d_temp, a.ids.count(), 0), empty, s,
                                         a.options.stream);
  }
  /// Pairs: as the passes of a multisplit into more buckets have them, where it is by the same
  /// functor, so that the kernel is the same: then an id is a digit.
  template <class Bits> static auto ids_of(const Ids &ids) {
    constexpr bool more_buckets = Policy::max_buckets + Ids::discards > digit_buckets;
    if constexpr (scatter::has_values && more_buckets && Bits::most == digit_bits &&
                  Bits::least == digit_bits &&
                  !carries_ids<Policy, key, KeysOut, decltype(Ids::bucket)>)
      return digit_ids<bucket_word<Ids>>({ids},
                                         digits_of_ids(ids.num_buckets, Ids::discards).at[0]);
    else
      return ids;
  }
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
