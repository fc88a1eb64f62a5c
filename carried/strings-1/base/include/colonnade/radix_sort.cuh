//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// radix_sort.cuh: sorts integers and floats, stably, on the GPU.
//
//   sort_keys    keys
//   sort_pairs   keys with values
//   argsort      the order: the index of the item that is i-th in order
//
// Common to all, n items and d digits (of at most 8 bits) in the bits that are sorted by:
//   work         O(d n); depth O(d (n / (tile * blocks) + 1)); few items O(n^2), by
//                all SMs at once
//   traffic      one pass that reads the keys, then d passes that read and write all
//   temporary    a copy of the input (of an argsort: two of the keys and one of the indices),
//                2 % of it and 64 KB; of a double buffer: 2 % and 64 KB alone. The first
//                call, with d_temp_storage null, computes it
//   keys         integers and floats of 8 to 64 bits, __half, __nv_bfloat16
//   values       trivially copyable, 1 to 16 bytes
//   order        ascending or descending, by the bits begin_bit to end_bit - 1 of the key. As
//                in CUB, -0 equals +0, and NaN are ordered by their bits (negative ones before
//                -inf, positive ones after +inf). If only a range of bits is sorted by, a
//                float counts as the unsigned word that has its order
//   stability    equal keys keep their order, in descending sorts too
//   determinism  the same bits on every run, GPU and policy
//   aliasing     inputs and outputs are distinct
//   synchronises never; graph-capturable; all work is queued on options.stream
//   n = 0, 1     valid
//   returns      cudaErrorInvalidValue, before any CUDA call, for null, unaligned or
//                overlapping arrays, an invalid bit range, too little storage;
//                else what CUDA calls return
//
// Source: A. Adinets and D. Merrill, Onesweep (2022), by the scatter pass of multisplit.cuh.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/array_checks.hpp>
#include <colonnade/detail/radix_sort/dispatch.cuh>
#include <colonnade/radix_sort_tuning.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <utility>

namespace colonnade {

namespace detail {
template <> struct key_traits<__half> {
  static constexpr key_kind kind = key_kind::floating;
};
template <> struct key_traits<__nv_bfloat16> {
  static constexpr key_kind kind = key_kind::floating;
};
} // namespace detail

/// By which bits, and in which direction, keys are sorted.
struct radix_order {
  bool descending = false;
  uint32_t begin_bit = 0;
  uint32_t end_bit = ~0u; // one after the last bit; the key's if that is less

  /// end_bit for keys of `bits` bits.
  constexpr uint32_t end(uint32_t bits) const { return end_bit < bits ? end_bit : bits; }
  constexpr bool valid(uint32_t bits) const { return begin_bit <= end(bits); }
};

/// Two arrays, both of which a sort may write: the items are in `current`, before and after; what
/// `alternate` has afterwards is unspecified.
template <class T> struct double_buffer {
  T *current, *alternate;
};

namespace detail {

/// Whether the order is valid for this type of keys, and the number of items for the policy.
template <class Policy, class Key> bool valid_radix_sort(radix_order order, uint64_t num_items) {
  return order.valid(8 * sizeof(Key)) && num_items <= Policy::max_items && !too_many(num_items);
}

template <class Key> digit_list sorting_digits(radix_order order) {
  return digits_of_bits(order.begin_bit, order.end(8 * sizeof(Key)),
                        sorted_as<Key>::flip(order.descending));
}

template <class Policy, class Key, class ValuesIn, class Value>
using radix_sort_of = radix_sort_run<Policy, typename sorted_as<Key>::word,
                                     typename sorted_as<Key>::raw, ValuesIn, Value>;

/// Between arrays. keys_out null: an argsort.
template <class Policy, class Key, class ValuesIn, class Value>
radix_sort_of<Policy, Key, ValuesIn, Value>
prepare_radix_sort(const Key *keys_in, Key *keys_out, ValuesIn values_in, Value *values_out,
                   uint64_t num_items, radix_order order, const run_options &options) {
  using raw = typename sorted_as<Key>::raw;
  return {reinterpret_cast<const raw *>(keys_in),
          reinterpret_cast<raw *>(keys_out),
          values_in,
          values_out,
          num_items,
          sorting_digits<Key>(order),
          options};
}

/// keys_dropped: an argsort; keys_out is null. Spare arrays are null unless `where` is given.
template <class Policy, class Key, class ValuesIn, class Value>
cudaError_t radix_sort(void *d_temp, size_t &temp_bytes, const Key *keys_in, Key *keys_out,
                       ValuesIn values_in, Value *values_out, uint64_t num_items, radix_order order,
                       const run_options &options, bool keys_dropped,
                       spares where = spares::in_storage, Key *spare_keys = nullptr,
                       Value *spare_values = nullptr, bool *in_spare = nullptr) {
  auto run = prepare_radix_sort<Policy>(keys_in, keys_out, values_in, values_out, num_items, order,
                                        options);
  run.where = where;
  run.spare_keys = reinterpret_cast<typename sorted_as<Key>::raw *>(spare_keys);
  run.spare_values = spare_values;
  const cudaError_t error = run.run(d_temp, temp_bytes, keys_dropped);
  if (in_spare)
    *in_spare = run.in_spare;
  return error;
}

} // namespace detail

template <class Key, class Policy = radix_sort_policy>
[[nodiscard]] cudaError_t sort_keys(void *d_temp_storage, size_t &temp_storage_bytes,
                                    const Key *d_keys_in, Key *d_keys_out, uint64_t num_items,
                                    radix_order order = {}, run_options options = {}, Policy = {}) {
  using namespace detail;
  if (!valid_radix_sort<Policy, Key>(order, num_items) ||
      (d_temp_storage && !valid_arrays(d_keys_in, d_keys_out, no_items{}, nothing{}, num_items)))
    return cudaErrorInvalidValue;
  return radix_sort<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, no_items{},
                            static_cast<nothing *>(nullptr), num_items, order, options, false);
}

/// The sorted keys are in keys.current afterwards; current and alternate may have been exchanged.
template <class Key, class Policy = radix_sort_policy>
[[nodiscard]] cudaError_t sort_keys(void *d_temp_storage, size_t &temp_storage_bytes,
                                    double_buffer<Key> &keys, uint64_t num_items,
                                    radix_order order = {}, run_options options = {}, Policy = {}) {
  using namespace detail;
  if (!valid_radix_sort<Policy, Key>(order, num_items) ||
      (d_temp_storage &&
       !valid_arrays(keys.current, keys.alternate, no_items{}, nothing{}, num_items)))
    return cudaErrorInvalidValue;
  const bool odd = sorting_digits<Key>(order).count % 2;
  bool in_spare = false;
  const cudaError_t error = radix_sort<Policy>(
      d_temp_storage, temp_storage_bytes, static_cast<const Key *>(keys.current),
      odd ? keys.alternate : keys.current, no_items{}, static_cast<nothing *>(nullptr), num_items,
      order, options, false, spares::given, odd ? keys.current : keys.alternate,
      static_cast<nothing *>(nullptr), &in_spare);
  if (d_temp_storage && error == cudaSuccess && odd != in_spare)
    std::swap(keys.current, keys.alternate);
  return error;
}

template <class Key, class Value, class Policy = radix_sort_policy>
[[nodiscard]] cudaError_t
sort_pairs(void *d_temp_storage, size_t &temp_storage_bytes, const Key *d_keys_in, Key *d_keys_out,
           const Value *d_values_in, Value *d_values_out, uint64_t num_items,
           radix_order order = {}, run_options options = {}, Policy = {}) {
  using namespace detail;
  static_assert(movable<Value>, "radix sort: values are trivially copyable, of 1 to 16 bytes");
  if (!valid_radix_sort<Policy, Key>(order, num_items) ||
      (d_temp_storage &&
       !valid_arrays(d_keys_in, d_keys_out, d_values_in, d_values_out, num_items)))
    return cudaErrorInvalidValue;
  return radix_sort<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in,
                            d_values_out, num_items, order, options, false);
}

/// The sorted pairs are in keys.current and values.current afterwards.
template <class Key, class Value, class Policy = radix_sort_policy>
[[nodiscard]] cudaError_t sort_pairs(void *d_temp_storage, size_t &temp_storage_bytes,
                                     double_buffer<Key> &keys, double_buffer<Value> &values,
                                     uint64_t num_items, radix_order order = {},
                                     run_options options = {}, Policy = {}) {
  using namespace detail;
  static_assert(movable<Value>, "radix sort: values are trivially copyable, of 1 to 16 bytes");
  if (!valid_radix_sort<Policy, Key>(order, num_items) ||
      (d_temp_storage &&
       (!valid_arrays(keys.current, keys.alternate, values.current, values.alternate, num_items) ||
        arrays_overlap(keys.current, values.current, num_items))))
    return cudaErrorInvalidValue;
  const bool odd = sorting_digits<Key>(order).count % 2;
  bool in_spare = false;
  const cudaError_t error = radix_sort<Policy>(
      d_temp_storage, temp_storage_bytes, static_cast<const Key *>(keys.current),
      odd ? keys.alternate : keys.current, static_cast<const Value *>(values.current),
      odd ? values.alternate : values.current, num_items, order, options, false, spares::given,
      odd ? keys.current : keys.alternate, odd ? values.current : values.alternate, &in_spare);
  if (d_temp_storage && error == cudaSuccess && odd != in_spare) {
    std::swap(keys.current, keys.alternate);
    std::swap(values.current, values.alternate);
  }
  return error;
}

/// d_permutation[i]: the index of the item that is i-th in order. Index: an unsigned integer type
/// that can hold num_items - 1.
template <class Key, class Index, class Policy = radix_sort_policy>
[[nodiscard]] cudaError_t argsort(void *d_temp_storage, size_t &temp_storage_bytes,
                                  const Key *d_keys_in, Index *d_permutation, uint64_t num_items,
                                  radix_order order = {}, run_options options = {}, Policy = {}) {
  using namespace detail;
  static_assert(std::is_unsigned_v<Index>,
                "radix sort: a permutation's indices are unsigned integers");
  if (!valid_radix_sort<Policy, Key>(order, num_items) ||
      (num_items && num_items - 1 > static_cast<Index>(~Index{0})) ||
      (d_temp_storage && !valid_arrays(d_keys_in, nothing{}, no_items{}, d_permutation, num_items)))
    return cudaErrorInvalidValue;
  return radix_sort<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in,
                            static_cast<Key *>(nullptr), index_iterator<Index>{}, d_permutation,
                            num_items, order, options, true);
}

} // namespace colonnade
