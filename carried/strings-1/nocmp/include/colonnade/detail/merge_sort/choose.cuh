//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// choose.cuh: checks the arguments of a merge sort, and chooses between merging and, for numbers
// in ascending or descending order, a radix sort.
//
// In: a caller's arguments. Out: cudaErrorInvalidValue before any CUDA call, the bytes of
// temporary storage, or the queued call. Invariant: the storage is enough for both sorts wherever
// the call itself chooses: sorting in place always merges, and a GPU may have no teams of blocks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/detail/merge_sort/dispatch.cuh>
#include <colonnade/order.hpp>
#include <colonnade/radix_sort.cuh>

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace colonnade::detail {

enum class stability : bool { none, stable };

/// Whether the radix sort takes keys of this type.
template <class Key>
constexpr bool is_number = (std::is_arithmetic_v<Key> && sizeof(Key) <= 8) ||
                           std::is_same_v<Key, __half> || std::is_same_v<Key, __nv_bfloat16>;

/// Whether merge sort takes keys and values of this type.
template <class T> constexpr bool sort_object = movable<T> && std::is_default_constructible_v<T>;

/// Whether two arrays are known to be the same one: pointers to the same place.
template <class A, class B> bool same_array(A a, B b) {
  if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>)
    return static_cast<const void *>(a) == static_cast<const void *>(b) && sizeof(*a) == sizeof(*b);
  return false;
}

/// Outputs may be the inputs: only the kernel that sorts tiles reads the input, and its blocks
/// read a tile before they write it.
template <class KeysIn, class Key, class ValuesIn, class Value>
bool valid_sort_arrays(KeysIn keys_in, Key *keys_out, ValuesIn values_in, Value *values_out,
                       uint64_t n) {
  if constexpr (!std::is_same_v<Value, nothing>) {
    if (!valid_array(values_in, n) || !valid_array(values_out, n) ||
        arrays_overlap(keys_in, values_out, n) || arrays_overlap(values_in, keys_out, n) ||
        arrays_overlap(keys_out, values_out, n) ||
        (!same_array(values_in, values_out) && arrays_overlap(values_in, values_out, n)))
      return false;
  }
  return valid_array(keys_in, n) && valid_array(keys_out, n) &&
         (same_array(keys_in, keys_out) || !arrays_overlap(keys_in, keys_out, n));
}

/// When a radix sort is chosen for these keys, in this order, under this policy.
template <class Policy, class KeysIn, class Compare, size_t ValueBytes> struct radix_choice {
  using key = typename std::iterator_traits<KeysIn>::value_type;
  static constexpr bool descending = std::is_same_v<Compare, colonnade::descending>;
  static constexpr uint64_t from = Policy::radix_from(sizeof(key), ValueBytes);
  static constexpr bool possible = is_number<key> && std::is_pointer_v<KeysIn> &&
                                   from != ~uint64_t{0} &&
                                   (descending || std::is_same_v<Compare, ascending>);
  /// So few that the radix sort's kernels for small inputs may sort them sooner than merging.
  static constexpr bool may_be_few(uint64_t num_items) {
    return small(num_items) && (can_rank(num_items) || fits_team(num_items, most_teammates));
  }
  /// That they do on this GPU, where merging takes so many passes over sorted tiles. Counting
  /// places does while an SM has one share, and up to a quarter more where it saves two passes.
  /// Measured on an H200.
  static bool are_few(const device_properties &gpu, uint64_t num_items, uint32_t merge_passes) {
    const uint64_t most_counted = items_of_shares(gpu, merge_passes > 1 ? 5 : 4) / 4;
    const bool by_rank = can_rank(num_items) && num_items <= most_counted &&
                         pays_by_rank<key>(gpu, num_items, sizeof(key));
    return small(num_items) && (by_rank || fits_team(num_items, most_blocks_of_team(gpu)));
  }

private:
  static constexpr bool small(uint64_t num_items) {
    return Policy::one_block && num_items <= Policy::radix::most_team_items;
  }
  static constexpr bool can_rank(uint64_t num_items) {
    return sizeof(key) >= 4 && num_items <= most_by_rank(sizeof(key));
  }
  static constexpr bool fits_team(uint64_t num_items, uint32_t most_blocks) {
    const uint64_t most = most_blocks == most_teammates ? 73728 : most_blocks > 1 ? 45056 : 0;
    return sizeof(key) == 4 && ValueBytes == 0 && num_items > 8192 && num_items <= most;
  }
};

/// keys_dropped: an argsort; keys_out is null.
template <class Policy, stability Stability, class KeysIn, class Key, class ValuesIn, class Value,
          class Compare>
cudaError_t run_by_order(void *d_temp, size_t &temp_bytes, KeysIn keys_in, Key *keys_out,
                         ValuesIn values_in, Value *values_out, uint64_t num_items,
                         const Compare &compare, const run_options &options, bool keys_dropped) {
  using choice = radix_choice<Policy, KeysIn, Compare, bytes_of<Value>>;
  using merging =
      merge_sort_run<Policy, Stability == stability::stable, KeysIn, Key, ValuesIn, Value, Compare>;
  const auto by_merging = [&](void *d_storage, size_t &bytes) {
    return merge_sort < Policy,
           Stability == stability::stable > (d_storage, bytes, keys_in, keys_out, values_in,
                                             values_out, num_items, compare, options, keys_dropped);
  };
  if constexpr (choice::possible) {
    const bool large = num_items >= choice::from && num_items <= Policy::radix::max_items;
    if (large || (num_items > 0 && choice::may_be_few(num_items))) {
      auto radix = prepare_radix_sort<typename Policy::radix>(
          static_cast<const Key *>(keys_in), keys_out, values_in, values_out, num_items,
          {choice::descending}, options);
      size_t bytes = 0; // enough for either
      if (const cudaError_t error = by_merging(nullptr, bytes))
        return error;
      bytes = std::max(bytes, radix.bytes(keys_dropped));
      if (!d_temp || temp_bytes < bytes)
        return report_bytes(d_temp, temp_bytes, bytes);
      if (same_array(keys_in, keys_out) || same_array(values_in, values_out))
        return by_merging(d_temp, temp_bytes);
      device_properties gpu;
      if (const cudaError_t error = query_device(gpu))
        return error;
      const merge_sort_plan plan = merging::plan_on(gpu.architecture, num_items, keys_dropped);
      if (large || choice::are_few(gpu, num_items, plan.num_passes))
        return radix.start(gpu, d_temp, keys_dropped);
    }
  }
  return by_merging(d_temp, temp_bytes);
}

template <class Policy, stability Stability, class KeysIn, class Key, class ValuesIn, class Value,
          class Compare>
cudaError_t sort_by_order(void *d_temp, size_t &temp_bytes, KeysIn keys_in, Key *keys_out,
                          ValuesIn values_in, Value *values_out, uint64_t num_items,
                          const Compare &compare, const run_options &options) {
  static_assert(std::is_same_v<typename std::iterator_traits<KeysIn>::value_type, Key>,
                "merge sort: keys in and out are of one type");
  static_assert(sort_object<Key>, "merge sort: keys are trivially copyable, of 1 to 16 bytes");
  if constexpr (!std::is_same_v<Value, nothing>) {
    static_assert(std::is_same_v<typename std::iterator_traits<ValuesIn>::value_type, Value>,
                  "merge sort: values in and out are of one type");
    static_assert(sort_object<Value>,
                  "merge sort: values are trivially copyable, of 1 to 16 bytes");
  }
  if (too_many(num_items) ||
      (d_temp && !valid_sort_arrays(keys_in, keys_out, values_in, values_out, num_items)))
    return cudaErrorInvalidValue;
  return run_by_order<Policy, Stability>(d_temp, temp_bytes, keys_in, keys_out, values_in,
                                         values_out, num_items, compare, options, false);
}

template <class Policy, stability Stability, class KeysIn, class Index, class Compare>
cudaError_t argsort_by_order(void *d_temp, size_t &temp_bytes, KeysIn keys_in, Index *permutation,
                             uint64_t num_items, const Compare &compare,
                             const run_options &options) {
  using key = typename std::iterator_traits<KeysIn>::value_type;
  static_assert(sort_object<key>, "merge sort: keys are trivially copyable, of 1 to 16 bytes");
  static_assert(std::is_unsigned_v<Index>, "merge sort: a permutation's indices are unsigned");
  if (too_many(num_items) || (num_items && num_items - 1 > static_cast<Index>(~Index{0})) ||
      (d_temp && (!valid_array(keys_in, num_items) || !valid_array(permutation, num_items) ||
                  arrays_overlap(keys_in, permutation, num_items))))
    return cudaErrorInvalidValue;
  return run_by_order<Policy, Stability>(d_temp, temp_bytes, keys_in, static_cast<key *>(nullptr),
                                         index_iterator<Index>{}, permutation, num_items, compare,
                                         options, true);
}

} // namespace colonnade::detail
