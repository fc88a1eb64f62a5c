//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// digit_passes.cuh: launches a stable least-significant-digit sort: one histogram pass for all
// digits, then one scatter pass for each digit.
//
// In: keys, which scatter passes take digits of, and values, or nothing. Out: the items sorted by
// the digits. The caller calls count() first, and then scatter() once for every digit, in order,
// with the arrays between which it moves the items. Invariant: each pass is stable, so after the
// last one the items are sorted by all digits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/digits/digit_histogram.hpp>
#include <colonnade/detail/digits/digit_passes_plan.hpp>
#include <colonnade/detail/scatter/scatter_launch.cuh>

namespace colonnade::detail {
inline namespace COLONNADE_ABI {

template <class ItemsIn, class Ids, class WordsOut, class Count = uint64_t>
__global__ void __launch_bounds__(digit_buckets) digit_histogram_kernel(
    const __grid_constant__ digit_histogram_arguments<ItemsIn, Ids, WordsOut, Count> a) {
  extern __shared__ __align__(16) char digit_histogram_shared[];
  const device_machine machine;
  digit_histogram_block<ItemsIn, Ids, WordsOut, device_machine, Count>(machine, a,
                                                                       digit_histogram_shared)
      .run();
}

/// Count: uint64_t, or item_count where the number of items may be on the device.
template <class Policy, class Key, class Value, class Count = uint64_t> class digit_passes {
public:
  using tunings = multisplit_tunings<Policy, digit_bits, sizeof(Key), bytes_of<Value>>;

  static digit_passes_plan plan(gpu_architecture architecture, uint64_t num_items,
                                const digit_list &digits) {
    return digit_passes_plan(num_items, digits, scatter_tile_items<tunings>(architecture),
                             sizeof(Key) + bytes_of<Value>);
  }

  /// plan: that for gpu.architecture. d_num_items: the number of items, on the device; null: as
  /// many as planned.
  digit_passes(const device_properties &gpu, const digit_passes_plan &plan, void *d_temp,
               const run_options &options, const uint64_t *d_num_items = nullptr)
      : gpu_(gpu), plan_(plan), d_temp_(d_temp), options_(options), d_num_items_(d_num_items) {}

  /// The histogram pass; to be called first.
  template <class ItemsIn, class Ids, class WordsOut>
  cudaError_t count(ItemsIn items_in, const Ids &ids, WordsOut words_out) {
    using block = digit_histogram_block<ItemsIn, Ids, WordsOut, device_machine, Count>;
    if (const cudaError_t error =
            cudaMemsetAsync(plan_.counts(d_temp_), 0, plan_.header_bytes, options_.stream))
      return error;
    empty_.zeroed(plan_.num_words);
    const digit_histogram_arguments<ItemsIn, Ids, WordsOut, Count> h{
        items_in,
        ids,
        plan_.digits,
        num_items(),
        words_out,
        plan_.counts(d_temp_),
        plan_.bases(d_temp_, 0),
        temp_storage::at<uint64_t>(d_temp_, plan_.kept),
        plan_.done(d_temp_),
        words(),
        plan_.num_words,
        options_.d_status};
    const uint64_t chunks = plan_.num_items / block::chunk::items_per_chunk + 1;
    const uint64_t most = uint64_t{block::tuning.blocks_per_sm} * gpu_.num_sms;
    return launch(digit_histogram_kernel<ItemsIn, Ids, WordsOut, Count>,
                  {static_cast<uint32_t>(std::min(chunks, most)), block::threads,
                   block::shared_bytes(plan_.digits.count), options_.stream, false},
                  h);
  }

  template <class Word, class KeysIn, class KeysOut, class ValuesIn, class ValuesOut>
  cudaError_t scatter(uint32_t pass, const Word &word, KeysIn keys_in, KeysOut keys_out,
                      ValuesIn values_in, ValuesOut values_out) {
    using arguments = scatter_arguments<KeysIn, KeysOut, ValuesIn, ValuesOut, digit_ids<Word>>;
    const arguments a{{keys_in, keys_out, values_in, values_out},
                      digit_ids<Word>(word, plan_.digits.at[pass]),
                      0,
                      0,
                      0,
                      nullptr,
                      nullptr,
                      words(),
                      nullptr,
                      d_num_items_};
    return launch_scatter<tunings, ranked_bits<digit_bits>>(
        gpu_, plan_,
        {plan_.bases(d_temp_, pass), temp_storage::at<uint64_t>(d_temp_, plan_.odd_base)},
        plan_.tickets(d_temp_, pass), empty_, a, options_.stream);
  }

private:
  Count num_items() const {
    if constexpr (std::is_same_v<Count, item_count>)
      return {d_num_items_, plan_.num_items};
    else
      return plan_.num_items;
  }
  uint32_t *words() const { return temp_storage::at<uint32_t>(d_temp_, plan_.words); }

  const device_properties &gpu_;
  const digit_passes_plan &plan_;
  void *d_temp_;
  run_options options_;
  const uint64_t *d_num_items_;
  empty_words empty_;
};

} // namespace COLONNADE_ABI
} // namespace colonnade::detail
