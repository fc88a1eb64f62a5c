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
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/multisplit/arguments.cuh>
#include <colonnade/detail/multisplit/few_buckets/histogram.hpp>
#include <colonnade/detail/multisplit/few_buckets/plan.hpp>
#include <colonnade/detail/multisplit/few_buckets/split_work.hpp>
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
    if constexpr (Policy::max_items >> 32 != 0)
      if (a.num_items.most >> 32) // rare: one instance serves every number of buckets
        return with_instance<8, uint64_t>(d_temp, temp_bytes, a);
    return with_bits<1>(bits, d_temp, temp_bytes, a);
  }

private:
  /// What the policy's calls come to: no instance is compiled beyond.
  static constexpr uint32_t most_bits =
      Policy::max_buckets < 256 ? bits_of_ids(Policy::max_buckets + Ids::discards) : 8;

  /// Finds the instance that ranks `bits` bits.
  template <uint32_t Bits>
  static cudaError_t with_bits(uint32_t bits, void *d_temp, size_t &temp_bytes,
                               const arguments &a) {
    constexpr uint32_t rounded = Policy::round_up_bits(Bits);
    static_assert(rounded >= Bits && rounded <= 8, "round_up_bits returns Bits to 8");
    if constexpr (Bits < most_bits)
      if (bits > Bits)
        return with_bits<Bits + 1>(bits, d_temp, temp_bytes, a);
    return with_instance<rounded, uint32_t>(d_temp, temp_bytes, a);
  }

  template <uint32_t Bits, class Offset>
  static cudaError_t with_instance(void *d_temp, size_t &temp_bytes, const arguments &a) {
    using tunings = multisplit_tunings<Policy, Bits, sizeof(key), bytes_of<value>>;
    const auto plan_on = [&](gpu_architecture architecture) {
      return multisplit_plan(moves ? a.num_items.most : 0, a.ids.count(),
                             scatter_tile_items<tunings>(architecture), scatter::input_bytes);
    };
    const uint64_t bytes = most_on_any(
        [&](gpu_architecture architecture) { return plan_on(architecture).storage.bytes(); });
    if (!d_temp) {
      temp_bytes = bytes;
      return cudaSuccess;
    }
    if (temp_bytes < bytes)
      return cudaErrorInvalidValue;
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
      return move<tunings, Bits, Offset>(gpu, plan, d_temp, a);
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

  template <class Tunings, uint32_t Bits, class Offset>
  static cudaError_t move(const device_properties &gpu, const multisplit_plan &plan, void *d_temp,
                          const arguments &a) {
    const scatter s{a,       a.ids,
                    0,       0,
                    0,       nullptr,
                    nullptr, temp_storage::at<uint32_t>(d_temp, plan.words),
                    nullptr, a.num_items.d_num_items};
    return launch_scatter<Tunings, Bits, Offset>(gpu, plan,
                                                 {temp_storage::at<uint64_t>(d_temp, plan.base[0]),
                                                  temp_storage::at<uint64_t>(d_temp, plan.base[1])},
                                                 plan.ticket(d_temp, a.ids.count(), 0),
                                                 words_are_empty::yes, s, a.options.stream);
  }
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
