//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// dispatch.cuh: checks a radix sort's arguments and runs its passes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/alternating_arrays.hpp>
#include <colonnade/detail/arrays/moved_arrays.hpp>
#include <colonnade/detail/digits/digit_passes.cuh>
#include <colonnade/detail/digits/key_words.hpp>

namespace colonnade::detail {

/// The spare arrays are the caller's (double-buffered), or in temporary storage.
enum class spares : bool { in_storage, given };

/// Key: an unsigned word. ValuesIn: a pointer, an index iterator or no_items.
template <class Policy, class Word, class Key, class ValuesIn, class Value> struct radix_sort_run {
  static constexpr bool has_values = !std::is_same_v<Value, nothing>;
  using passes = digit_passes<Policy, Key, Value>;

  const Key *keys_in;
  Key *keys_out; // null in an argsort, whose keys are dropped: then both in storage
  ValuesIn values_in;
  Value *values_out;
  uint64_t num_items;
  digit_list digits;
  run_options options;
  spares where = spares::in_storage;
  Key *spare_keys = nullptr;
  Value *spare_values = nullptr;

  cudaError_t run(void *d_temp, size_t &temp_bytes, bool keys_dropped) {
    digit_passes_plan plan = passes::plan(num_items, digits);
    const bool spare = where == spares::in_storage && digits.count > 1;
    const uint64_t spare_items = spare ? num_items : 0;
    const size_t keys_at = plan.storage.add<Key>(spare_items);
    const size_t values_at = plan.storage.add<char>(spare_items * bytes_of<Value>);
    const size_t dropped_at = plan.storage.add<Key>(keys_dropped ? num_items : 0);
    if (!d_temp) {
      temp_bytes = plan.storage.bytes();
      return cudaSuccess;
    }
    if (temp_bytes < plan.storage.bytes())
      return cudaErrorInvalidValue;
    if (num_items == 0)
      return cudaSuccess;
    if (spare) {
      spare_keys = temp_storage::at<Key>(d_temp, keys_at);
      if constexpr (has_values)
        spare_values = temp_storage::at<Value>(d_temp, values_at);
    }
    if (keys_dropped)
      keys_out = temp_storage::at<Key>(d_temp, dropped_at);
    passes r(plan, d_temp, options);
    if (const cudaError_t error = r.count(keys_in, word_ids<Word>{}, nothing{}))
      return error;
    return move(r);
  }

private:
  cudaError_t move(passes &r) const {
    const alternating_arrays<Key> keys{keys_out, spare_keys};
    const alternating_arrays<Value> values{values_out, spare_values};
    for (uint32_t k = 0; k < digits.count; ++k) {
      const Key *from = k ? keys.from(k, digits.count) : keys_in;
      Key *to = keys.to(k, digits.count);
      cudaError_t error;
      if constexpr (!has_values)
        error = r.scatter(k, Word{}, from, to, no_items{}, nothing{});
      else if (k == 0)
        error = r.scatter(k, Word{}, from, to, values_in, values.to(k, digits.count));
      else
        error = r.scatter(k, Word{}, from, to, values.from(k, digits.count),
                          values.to(k, digits.count));
      if (error)
        return error;
    }
    return cudaSuccess;
  }
};

} // namespace colonnade::detail
