//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// batch_sort.cuh: the sort of a batch, to the lowest level if it fills that alone.
//
// In: pairs of keys and values, the state of the tree, and what it has learned. Out: the sorted
// pairs (lowest_level.hpp). The passes are those of radix_sort.cuh; the last one asks the state
// where it writes. Keys of 64 bits are sorted by half of their digits, and runs of those that agree
// in these are put in order (mend_runs.hpp); where that is not possible, or the tree has learned
// not to try, by all digits, from the input. Which of the two is for the device to know: both are
// launched, and kernels that have nothing to do find that there are no items. Invariant: few
// elements, which are sorted in one launch, are sorted by radix_sort.cuh itself, and copied.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/lowest_level.hpp>
#include <colonnade/detail/lsm/machine.cuh>
#include <colonnade/detail/lsm/mend_runs.hpp>
#include <colonnade/radix_sort.cuh>

#include <algorithm>

namespace colonnade::detail {

inline namespace COLONNADE_ABI {

template <class Arguments>
__global__ void __launch_bounds__(mend_threads, mend_blocks)
    lsm_mend_kernel(const __grid_constant__ Arguments a) {
  const lsm_device_machine machine;
  machine.wait_for_previous_kernel();
  machine.let_next_kernel_start();
  lsm_run_mender<Arguments, lsm_device_machine>(machine, a).run();
}

} // namespace COLONNADE_ABI

/// Where a copy takes longer than a few microseconds.
constexpr uint64_t least_sorted_to_level = uint64_t{1} << 18;

/// Fewer would gain little, and lose more where keys need all digits: kernels that have nothing to
/// do take two to five microseconds each. Of 2^30 keys that are anything, one of four would have
/// another one in its run.
constexpr uint64_t least_by_high_digits = uint64_t{1} << 20,
                   most_by_high_digits = uint64_t{1} << 29;

/// Digits are counted by a third of the blocks that a sort has for it, two an SM: each adds its
/// counts to all others', and of 2^22 pairs that takes 5 us less.
constexpr int counting_share = 3;

template <class Key, class Raw, class Value, class Format> struct lsm_batch_sort {
  using word = typename sorted_as<Key>::word;

  const Raw *keys_in;
  const Value *values_in;
  uint64_t num_items;
  Format format;
  lsm_digits *digits;
  lsm_lowest_or<Raw> keys; // its other array: passes before the last write there, too
  lsm_lowest_or<Value> values;

  /// Whether passes sort so many, none of which the policy leaves out.
  static bool sorts(const device_properties &gpu, uint64_t num_items) {
    using work = sort_work<word, Raw, const Value *, Value>;
    return num_items >= least_sorted_to_level && choose_team<work>(gpu, num_items).blocks == 0;
  }
  /// Of temporary storage.
  static size_t bytes(uint64_t num_items) {
    return most_on_any([&](gpu_architecture architecture) {
      return by_tiles(num_items, [&](auto policy) {
        return places(digits_plan<decltype(policy)>(architecture, num_items)).all.bytes();
      });
    });
  }
  /// d_temp: bytes(). report: of what is to be learned of the batch.
  cudaError_t start(const device_properties &gpu, void *d_temp, lsm_sort_report<Raw> &report,
                    cudaStream_t stream) const {
    return by_tiles(num_items, [&](auto policy) {
      using policy_type = decltype(policy);
      const digit_passes_plan plan = digits_plan<policy_type>(gpu.architecture, num_items);
      const places at(plan);
      const launcher to{gpu, d_temp, at, stream};
      if constexpr (may_sort_by_high_digits<Raw>)
        if (num_items >= least_by_high_digits && num_items <= most_by_high_digits) {
          report = {digits, to.unsorted(), keys};
          return by_high_digits<policy_type>(to, plan);
        }
      return by_digits<digit_passes<policy_type, Raw, Value>>(to, plan, word{}, nullptr);
    });
  }

private:
  template <class Use> static auto by_tiles(uint64_t num_items, Use use) {
    return with_tiles<radix_sort_policy, sizeof(Raw), sizeof(Value)>(num_items, use);
  }
  /// Of a sort by all digits.
  template <class Policy>
  static digit_passes_plan digits_plan(gpu_architecture architecture, uint64_t num_items) {
    return digit_passes<Policy, Raw, Value>::plan(architecture, num_items, sorting_digits<Key>({}));
  }
  /// In temporary storage: that of the passes is used for the high digits, which need less, then
  /// for all.
  struct places {
    temp_storage all;
    size_t keys, values, unsorted, passes;
    explicit places(const digit_passes_plan &plan)
        : keys(all.add<Raw>(plan.num_items)), values(all.add<Value>(plan.num_items)),
          unsorted(all.add<uint64_t>(1)), passes(all.add<char>(plan.storage.bytes())) {}
  };
  struct launcher {
    const device_properties &gpu;
    void *d_temp;
    const places &at;
    cudaStream_t stream;
    uint64_t *unsorted() const { return temp_storage::at<uint64_t>(d_temp, at.unsorted); }
  };

  /// All passes of one list of digits. d_num_items: null, or on the device whether it is to be
  /// done: all bits; else 0.
  template <class Passes, class Word>
  cudaError_t by_digits(const launcher &to, const digit_passes_plan &plan, const Word &of_key,
                        const uint64_t *d_num_items) const {
    const alternating_arrays<Raw> all_keys{keys.otherwise,
                                           temp_storage::at<Raw>(to.d_temp, to.at.keys)};
    const alternating_arrays<Value> all_values{values.otherwise,
                                               temp_storage::at<Value>(to.d_temp, to.at.values)};
    device_properties gpu = to.gpu;
    Passes passes(gpu, plan, temp_storage::at<char>(to.d_temp, to.at.passes), {to.stream, nullptr},
                  d_num_items);
    gpu.num_sms = std::max(1, gpu.num_sms / counting_share);
    if (const cudaError_t error = passes.count(keys_in, word_ids<Word>{of_key}, nothing{}))
      return error;
    gpu.num_sms = to.gpu.num_sms;
    const uint32_t count = plan.digits.count, last = count - 1;
    for (uint32_t k = 0; k < last; ++k)
      if (const cudaError_t error = passes.scatter(
              k, of_key, k ? all_keys.from(k, count) : keys_in, all_keys.to(k, count),
              k ? all_values.from(k, count) : values_in, all_values.to(k, count)))
        return error;
    return passes.scatter(last, of_key, static_cast<const Raw *>(all_keys.from(last, count)), keys,
                          static_cast<const Value *>(all_values.from(last, count)), values);
  }

  template <class Policy>
  cudaError_t by_high_digits(const launcher &to, const digit_passes_plan &all) const {
    using passes = digit_passes<Policy, Raw, Value, item_count>;
    const digit_passes_plan high = passes::plan(
        to.gpu.architecture, num_items, digits_of_bits(4 * sizeof(Raw), 8 * sizeof(Raw), 0));
    if (const cudaError_t error =
            cudaMemsetAsync(to.unsorted(), 0, sizeof *to.unsorted(), to.stream))
      return error;
    if (const cudaError_t error = by_digits<passes>(
            to, high, lsm_high_word<Format>{format, &digits->lead}, &digits->high))
      return error;
    if (const cudaError_t error = mend(to))
      return error;
    return by_digits<passes>(to, all, word{}, to.unsorted());
  }
  cudaError_t mend(const launcher &to) const {
    using arguments = lsm_mend_arguments<Raw, Value, Format>;
    const uint64_t blocks = num_items / (mend_threads * mend_rows) + 1,
                   most = uint64_t{static_cast<uint32_t>(to.gpu.num_sms)} * mend_blocks;
    return launch(lsm_mend_kernel<arguments>,
                  {static_cast<uint32_t>(std::min(blocks, most)), mend_threads, 0, to.stream,
                   to.gpu.overlaps_launches()},
                  arguments{format, digits, keys, values, num_items, to.unsorted()});
  }
};

} // namespace colonnade::detail
