//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// batch_sort.cuh: the sort of a batch, to the lowest level if it fills that alone.
//
// In: pairs of keys and values. Out: the sorted pairs (lowest_level.hpp). The passes are those of
// radix_sort.cuh; the last one asks the state where it writes. Invariant: few elements, which are
// sorted in one launch, are sorted by radix_sort.cuh itself, and copied.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/lowest_level.hpp>
#include <colonnade/radix_sort.cuh>

namespace colonnade::detail {

/// Where a copy takes longer than a few microseconds.
constexpr uint64_t least_sorted_to_level = uint64_t{1} << 18;

template <class Key, class Raw, class Value> struct lsm_batch_sort {
  using word = typename sorted_as<Key>::word;

  const Raw *keys_in;
  const Value *values_in;
  uint64_t num_items;
  lsm_lowest_or<Raw> keys; // its other array: passes before the last write there, too
  lsm_lowest_or<Value> values;

  /// Whether passes sort so many, none of which the policy leaves out.
  static bool sorts(const device_properties &gpu, uint64_t num_items) {
    using work = sort_work<word, Raw, const Value *, Value>;
    return num_items >= least_sorted_to_level && choose_team<work>(gpu, num_items).blocks == 0;
  }
  /// d_temp: as much as radix_sort.cuh asks for.
  cudaError_t start(const device_properties &gpu, void *d_temp, cudaStream_t stream) const {
    return with_tiles<radix_sort_policy, sizeof(Raw), sizeof(Value)>(
        num_items, [&](auto policy) { return run<decltype(policy)>(gpu, d_temp, stream); });
  }

private:
  template <class Policy>
  cudaError_t run(const device_properties &gpu, void *d_temp, cudaStream_t stream) const {
    using passes_type = digit_passes<Policy, Raw, Value>;
    const digit_list digits = sorting_digits<Key>({});
    digit_passes_plan plan = passes_type::plan(gpu.architecture, num_items, digits);
    const size_t spare_keys = plan.storage.template add<Raw>(num_items),
                 spare_values = plan.storage.template add<char>(num_items * sizeof(Value));
    const alternating_arrays<Raw> all_keys{keys.otherwise,
                                           temp_storage::at<Raw>(d_temp, spare_keys)};
    const alternating_arrays<Value> all_values{values.otherwise,
                                               temp_storage::at<Value>(d_temp, spare_values)};
    passes_type passes(gpu, plan, d_temp, {stream, nullptr});
    if (const cudaError_t error = passes.count(keys_in, word_ids<word>{}, nothing{}))
      return error;
    const uint32_t count = digits.count, last = count - 1;
    for (uint32_t k = 0; k < last; ++k)
      if (const cudaError_t error = passes.scatter(
              k, word{}, k ? all_keys.from(k, count) : keys_in, all_keys.to(k, count),
              k ? all_values.from(k, count) : values_in, all_values.to(k, count)))
        return error;
    return passes.scatter(last, word{}, static_cast<const Raw *>(all_keys.from(last, count)), keys,
                          static_cast<const Value *>(all_values.from(last, count)), values);
  }
};

} // namespace colonnade::detail
