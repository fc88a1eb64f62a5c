//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulk_sort.cuh: sorts many short arrays of the same length on the GPU, by sorting networks.
//
//   bulk_sort_keys, bulk_sort_pairs                  unstable
//   bulk_stable_sort_keys, bulk_stable_sort_pairs    equal keys keep their order
//   bulk_argsort                                     the order: row numbers; stable
//
// Item i of array j, its row i, is at Layout::view(j, length, num_arrays): by default
// column-wise, at i * num_arrays + j (bulk/layout.hpp). Row-wise arrays are sorted too, but
// their accesses are not coalesced.
//
// Common to all, p arrays of n items; an item is a key, its value, and for stable sorts and
// argsorts a row number, each rounded up to 4 bytes:
//   work         O(p n log^2 n) comparators of an odd-even merge network (beyond what
//                registers hold, with bitonic merges), without divergent branches;
//                depth O(log^2 n)
//   traffic      every item is read and written once, if an array fits
//                  in a thread's registers: 128 items of 4 bytes, 64 of 8, 40 of 12;
//                  in those of two threads: twice as many, if keys are numbers in an order of
//                  order.hpp;
//                  in a block's shared memory: 4096 items of 4 or 8 bytes, 2048 of up to 16,
//                  512 of up to 32, 256 of up to 36. For 4-byte items a block accesses the
//                  rows of 32 neighbouring arrays up to n = 256, then of 16, 8, 8, 4
//                Longer arrays are read and written 1 + sum over s = b + 1 ... L of
//                ceil(s / b) times, with L = ceil(log2 n) and b = 6 for items of 4 bytes, 5
//                up to 12, 4 up to 20, else 3
//   temporary    none, but where arrays are sorted in several passes: for an argsort a copy of
//                the keys, for a stable sort 4 bytes an item. The first call, with
//                d_temp_storage null, computes it
//   stability    as said above
//   determinism  the same bits on every run and GPU; of an unstable sort a policy may change
//                where equal keys go
//   aliasing     an output may be its own input (not of an argsort); all else is distinct
//   synchronises never; graph-capturable; all work is queued on options.stream
//   less         a functor, __device__ const, trivially copyable, pure: whether key a
//                comes before key b, a strict weak order. Under another (floats with
//                NaN) the order is unspecified; nothing is lost
//   types        trivially copyable, default constructible, 1 to 16 bytes
//   p = 0, n = 0 valid
//   returns      cudaErrorInvalidValue, before any CUDA call, for null, unaligned or
//                overlapping arrays, n > 2^30, too little storage; else what CUDA calls
//                return
//
// Source: K. E. Batcher, Sorting networks and their applications (1968); K. Nakano and
// others, bulk execution of oblivious algorithms on the UMM (one instance a thread,
// column-wise).
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/bulk_sort/dispatch.cuh>
#include <colonnade/detail/device/report_bytes.cuh>
#include <colonnade/order.hpp>

namespace colonnade {

namespace detail {

/// Whether two arrays are the same one, or have no byte in common.
template <class T> bool same_or_apart(const T *a, const T *b, uint64_t num_items) {
  return a == b || !arrays_overlap(a, b, num_items);
}

/// Sorts arrays that the caller has checked. Where they take several passes, what the caller does
/// not want written (keys of an argsort, row numbers of a stable sort) goes to temporary storage.
template <class Policy, class Layout, class Arrays, class Exchange, class Key>
cudaError_t bulk_sort(void *d_temp, size_t &temp_bytes, Arrays arrays, uint64_t num_arrays,
                      uint32_t length, const Exchange &exchange, const run_options &options) {
  using run = bulk_sort_run<Policy, Layout, Arrays, Exchange>;
  const bool several = !run::one_pass(length);
  const uint64_t cells = several ? Layout::storage_cells(num_arrays, length) : 0;
  const bool needs_keys = !arrays.keys_out,
             needs_numbers = Arrays::has_numbers && !arrays.numbers_out;
  temp_storage storage;
  const size_t keys_at = storage.add<Key>(needs_keys ? cells : 0);
  const size_t numbers_at = storage.add<uint32_t>(needs_numbers ? cells : 0);
  if (!d_temp || temp_bytes < storage.bytes())
    return report_bytes(d_temp, temp_bytes, storage.bytes());
  if (num_arrays == 0 || length == 0)
    return cudaSuccess;
  if (several && needs_keys)
    arrays.keys_out = temp_storage::at<Key>(d_temp, keys_at);
  if constexpr (std::is_same_v<decltype(arrays.numbers_out), uint32_t *>)
    if (several && needs_numbers)
      arrays.numbers_out = temp_storage::at<uint32_t>(d_temp, numbers_at);
  return run::run(arrays, num_arrays, length, exchange, options);
}

template <class Key, class Value>
bool valid_bulk_arrays(const Key *keys_in, Key *keys_out, const Value *values_in, Value *values_out,
                       uint64_t cells) {
  return valid_array(keys_in, cells) && valid_array(keys_out, cells) &&
         valid_array(values_in, cells) && valid_array(values_out, cells) &&
         same_or_apart(keys_in, static_cast<const Key *>(keys_out), cells) &&
         same_or_apart(values_in, static_cast<const Value *>(values_out), cells) &&
         !arrays_overlap(keys_in, values_in, cells) &&
         !arrays_overlap(keys_in, values_out, cells) &&
         !arrays_overlap(keys_out, values_in, cells) &&
         !arrays_overlap(keys_out, values_out, cells);
}
constexpr uint32_t max_bulk_length = 1u << 30;

/// Checks the arrays and sorts them. Number: the type of row numbers, no_value for an unstable
/// sort.
template <class Policy, class Layout, class Number, template <class> class Exchange, class Key,
          class Value, class Less>
cudaError_t bulk_sort_arrays(void *d_temp, size_t &temp_bytes, const Key *keys_in, Key *keys_out,
                             const Value *values_in, Value *values_out, uint64_t num_arrays,
                             uint32_t length, const Less &less, const run_options &options) {
  static_assert(sortable<Key>, "bulk sort: keys are trivially copyable, of 1 to 16 bytes");
  static_assert(sortable<Value>, "bulk sort: values are trivially copyable, of 1 to 16 bytes");
  constexpr bool pairs = !std::is_same_v<Value, no_value>;
  const uint64_t cells = length <= max_bulk_length ? Layout::storage_cells(num_arrays, length) : 0;
  bool valid = length <= max_bulk_length;
  if constexpr (pairs)
    valid =
        valid && (!d_temp || valid_bulk_arrays(keys_in, keys_out, values_in, values_out, cells));
  else
    valid =
        valid && (!d_temp || (valid_array(keys_in, cells) && valid_array(keys_out, cells) &&
                              same_or_apart(keys_in, static_cast<const Key *>(keys_out), cells)));
  if (!valid)
    return cudaErrorInvalidValue;
  using arrays = bulk_arrays<Key, Value, Number>;
  return bulk_sort<Policy, Layout, arrays, Exchange<Less>, Key>(
      d_temp, temp_bytes, {keys_in, keys_out, values_in, values_out, nullptr, nullptr}, num_arrays,
      length, {less}, options);
}

} // namespace detail

template <class Layout = runtime::column_wise_layout, class Key, class Less = ascending,
          class Policy = bulk_sort_policy>
[[nodiscard]] cudaError_t bulk_sort_keys(void *d_temp_storage, size_t &temp_storage_bytes,
                                         const Key *d_keys_in, Key *d_keys_out, uint64_t num_arrays,
                                         uint32_t length, Less less = {}, run_options options = {},
                                         Policy = {}) {
  using namespace detail;
  return bulk_sort_arrays<Policy, Layout, no_value, exchange_by_key>(
      d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
      static_cast<const no_value *>(nullptr), static_cast<no_value *>(nullptr), num_arrays, length,
      less, options);
}

template <class Layout = runtime::column_wise_layout, class Key, class Value,
          class Less = ascending, class Policy = bulk_sort_policy>
[[nodiscard]] cudaError_t
bulk_sort_pairs(void *d_temp_storage, size_t &temp_storage_bytes, const Key *d_keys_in,
                Key *d_keys_out, const Value *d_values_in, Value *d_values_out, uint64_t num_arrays,
                uint32_t length, Less less = {}, run_options options = {}, Policy = {}) {
  using namespace detail;
  return bulk_sort_arrays<Policy, Layout, no_value, exchange_by_key>(
      d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in, d_values_out,
      num_arrays, length, less, options);
}

template <class Layout = runtime::column_wise_layout, class Key, class Less = ascending,
          class Policy = bulk_sort_policy>
[[nodiscard]] cudaError_t
bulk_stable_sort_keys(void *d_temp_storage, size_t &temp_storage_bytes, const Key *d_keys_in,
                      Key *d_keys_out, uint64_t num_arrays, uint32_t length, Less less = {},
                      run_options options = {}, Policy = {}) {
  using namespace detail;
  return bulk_sort_arrays<Policy, Layout, uint32_t, exchange_by_key_and_value>(
      d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
      static_cast<const no_value *>(nullptr), static_cast<no_value *>(nullptr), num_arrays, length,
      less, options);
}

template <class Layout = runtime::column_wise_layout, class Key, class Value,
          class Less = ascending, class Policy = bulk_sort_policy>
[[nodiscard]] cudaError_t
bulk_stable_sort_pairs(void *d_temp_storage, size_t &temp_storage_bytes, const Key *d_keys_in,
                       Key *d_keys_out, const Value *d_values_in, Value *d_values_out,
                       uint64_t num_arrays, uint32_t length, Less less = {},
                       run_options options = {}, Policy = {}) {
  using namespace detail;
  return bulk_sort_arrays<Policy, Layout, uint32_t, exchange_by_key_and_value>(
      d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, d_values_in, d_values_out,
      num_arrays, length, less, options);
}

/// d_rows has the layout of the keys: row i of an array gets the number of the row whose key is the
/// i-th in order. Index: an unsigned integer type that can hold length - 1.
template <class Layout = runtime::column_wise_layout, class Key, class Index,
          class Less = ascending, class Policy = bulk_sort_policy>
[[nodiscard]] cudaError_t bulk_argsort(void *d_temp_storage, size_t &temp_storage_bytes,
                                       const Key *d_keys_in, Index *d_rows, uint64_t num_arrays,
                                       uint32_t length, Less less = {}, run_options options = {},
                                       Policy = {}) {
  using namespace detail;
  static_assert(sortable<Key>, "bulk sort: keys are trivially copyable, of 1 to 16 bytes");
  static_assert(std::is_unsigned_v<Index>, "bulk sort: row numbers are unsigned integers");
  const uint64_t cells = length <= max_bulk_length ? Layout::storage_cells(num_arrays, length) : 0;
  if (length > max_bulk_length || (length && length - 1 > static_cast<Index>(~Index{0})) ||
      (d_temp_storage && !(valid_array(d_keys_in, cells) && valid_array(d_rows, cells) &&
                           !arrays_overlap(d_keys_in, d_rows, cells))))
    return cudaErrorInvalidValue;
  using arrays = bulk_arrays<Key, no_value, Index>;
  return bulk_sort<Policy, Layout, arrays, exchange_by_key_and_value<Less>, Key>(
      d_temp_storage, temp_storage_bytes, {d_keys_in, nullptr, nullptr, nullptr, nullptr, d_rows},
      num_arrays, length, {less}, options);
}

} // namespace colonnade
