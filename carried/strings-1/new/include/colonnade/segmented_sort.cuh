//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// segmented_sort.cuh: sorts every segment of an array by itself, on the GPU.
//
//   segmented_sort_keys         keys; equal keys in any order
//   segmented_stable_sort_keys  keys; equal keys (-0 and +0; a range of bits) keep their order
//   segmented_sort_pairs        keys with values, stable
//   segmented_argsort           the order: places within segments, stable
//
// Segments are equal_segments{count, length}, or listed_segments: where each begins and
// ends, as iterators over device memory (segments_between for the usual count + 1
// offsets). Segments do not share items; items in none are left alone.
//
// Common to all, n items, L the length of a segment:
//   work         for segments of up to 8192 items (4096 of 64-bit keys if not keys alone)
//                O(L log^2 L) comparisons; where the whole input is small O(L^2) or O(L log L);
//                for longer ones O(d L), d digits of at most 8 bits in the bits that are sorted
//                by. depth O(n / threads) of that
//   traffic      segments of up to 8192 items: every key is read and written once (stable
//                forms read keys, and values, once more, in any order within the segment).
//                Longer ones: one pass that reads keys, then d passes that read and write
//                all. For each listed segment 8 bytes, and its begin and end several times
//   temporary    listed segments: 4.1 bytes each and 64 KB; where a segment may be longer
//                than above: a copy of keys and values (two of keys and one of indices in
//                an argsort), and about (d + 2) / 8 bytes an item, twice that for 64-bit
//                keys if not keys alone; for small inputs, of up to 73728 items in all, a copy
//                of keys and values from 5121 items on. The first call, with d_temp_storage
//                null, computes it
//   lengths      0 to 2^30 - 1 items; fewer than 2^32 listed segments
//   keys, values, order
//                as in radix_sort.cuh; unstable sorts may put -0 and +0 in any order
//   stability    as said above, in descending sorts too
//   determinism  the same bits on every run; stable forms on every GPU and policy
//   aliasing     inputs, outputs and where segments begin and end are distinct
//   synchronises never; graph-capturable; all work is queued on options.stream; lengths
//                in device memory may change between replays
//   bad segments one that ends before it begins or beyond num_items, or has 2^30 items or
//                more, is not sorted, and is reported in options.d_status as
//                data_error::bucket_out_of_range with the segment's number
//   n = 0, 1     valid
//   returns      cudaErrorInvalidValue, before any CUDA call, for null, unaligned or
//                overlapping arrays, an invalid bit range, lengths out of range, too
//                little storage; else what CUDA calls return
//
// Source: K. E. Batcher, Sorting networks and their applications (1968), in registers;
// long segments: A. Adinets and D. Merrill, Onesweep (2022), by the scatter pass of
// multisplit.cuh, whose look-back ends at the segment's begin.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/segmented_sort/dispatch.cuh>
#include <colonnade/radix_sort.cuh>
#include <colonnade/segmented_sort_tuning.hpp>

#include <iterator>

namespace colonnade {

/// Segment s has the items s * length to (s + 1) * length - 1.
struct equal_segments {
  uint64_t count, length;
};

/// Segment s has the items begins[s] to ends[s] - 1 of arrays of num_items. begins and ends are
/// iterators over integers, which are read on the device.
template <class Begins, class Ends = Begins> struct listed_segments {
  uint64_t count;
  Begins begins;
  Ends ends;
  uint64_t num_items;
};

/// Segment s has the items offsets[s] to offsets[s + 1] - 1.
template <class Offsets>
listed_segments<Offsets> segments_between(uint64_t count, Offsets offsets, uint64_t num_items) {
  return {count, offsets, count ? offsets + 1 : offsets, num_items};
}

namespace detail {

template <class Segments> constexpr bool are_segments = false;
template <> inline constexpr bool are_segments<equal_segments> = true;
template <class Begins, class Ends>
inline constexpr bool are_segments<listed_segments<Begins, Ends>> =
    std::is_integral_v<typename std::iterator_traits<Begins>::value_type> &&
    std::is_integral_v<typename std::iterator_traits<Ends>::value_type>;

inline bool valid_segments(const equal_segments &s) {
  return s.length <= most_row_items && (s.length == 0 || s.count <= ~uint64_t{0} / 16 / s.length);
}
template <class Begins, class Ends> bool valid_segments(const listed_segments<Begins, Ends> &s) {
  return s.count < 0xffffffff && s.num_items <= ~uint64_t{0} / 16;
}
inline bool valid_arrays(const equal_segments &) { return true; }
template <class Begins, class Ends> bool valid_arrays(const listed_segments<Begins, Ends> &s) {
  return valid_array(s.begins, s.count) && valid_array(s.ends, s.count);
}
template <class Out> bool apart_from(const equal_segments &, Out, uint64_t) { return true; }
template <class Begins, class Ends, class Out>
bool apart_from(const listed_segments<Begins, Ends> &s, Out out, uint64_t num_items) {
  const auto apart_from_list = [&](auto list) {
    if constexpr (std::is_pointer_v<decltype(list)>)
      return apart(out, num_items, list, s.count * sizeof(*list));
    return true;
  };
  return apart_from_list(s.begins) && apart_from_list(s.ends);
}
inline uint64_t num_items(const equal_segments &s) { return s.count * s.length; }
template <class Begins, class Ends> uint64_t num_items(const listed_segments<Begins, Ends> &s) {
  return s.num_items;
}

/// Whether Index can hold the places in segments, as far as the host knows the lengths.
template <class Index> bool holds_places(const equal_segments &s) {
  return s.length == 0 || s.length - 1 <= static_cast<Index>(~Index{0});
}
template <class Index, class Begins, class Ends>
bool holds_places(const listed_segments<Begins, Ends> &) {
  return true;
}

template <class Run>
cudaError_t run_on(const Run &run, void *d_temp, size_t &bytes, const equal_segments &s) {
  return run.equal(d_temp, bytes, s.count, s.length);
}
template <class Run, class Begins, class Ends>
cudaError_t run_on(const Run &run, void *d_temp, size_t &bytes,
                   const listed_segments<Begins, Ends> &s) {
  return run.listed(d_temp, bytes, s.count, s.begins, s.ends, s.num_items);
}

template <class Key> word_range range_of(radix_order order) {
  const uint32_t end = order.end(8 * sizeof(Key));
  return {sorted_as<Key>::flip(order.descending), order.begin_bit, end - order.begin_bit};
}
template <class Key> bool all_bits(radix_order order) {
  return order.begin_bit == 0 && order.end(8 * sizeof(Key)) == 8 * sizeof(Key);
}

/// Sorts keys alone: as words, from which the keys are made again.
template <class Policy, class Key, class Segments>
cudaError_t sort_segments_by_words(void *d_temp, size_t &bytes, const Key *keys_in, Key *keys_out,
                                   const Segments &segments, radix_order order,
                                   const run_options &options) {
  using raw = typename sorted_as<Key>::raw;
  using output = word_output<Key>;
  const segmented_sort_run<Policy, Key, output, no_items, nothing> run{
      reinterpret_cast<const raw *>(keys_in),
      reinterpret_cast<raw *>(keys_out),
      {},
      nullptr,
      {word_items<Key>(range_of<Key>(order)), reinterpret_cast<raw *>(keys_out)},
      sorting_digits<Key>(order),
      options};
  return run_on(run, d_temp, bytes, segments);
}

/// Sorts stably, by words and places, from which keys and values are fetched. An argsort has
/// keys_out and row_values_in null.
template <class Policy, class Key, class ValuesIn, class Value, class Segments>
cudaError_t sort_segments_by_places(void *d_temp, size_t &bytes, const Key *keys_in, Key *keys_out,
                                    ValuesIn values_in, const Value *row_values_in,
                                    Value *values_out, const Segments &segments, radix_order order,
                                    const run_options &options) {
  using raw = typename sorted_as<Key>::raw;
  using output = placed_output<Key, Value>;
  const raw *in = reinterpret_cast<const raw *>(keys_in);
  raw *out = reinterpret_cast<raw *>(keys_out);
  const segmented_sort_run<Policy, Key, output, ValuesIn, Value> run{
      in,
      out,
      values_in,
      values_out,
      {placed_items<Key>(range_of<Key>(order)), in, out, row_values_in, values_out},
      sorting_digits<Key>(order),
      options};
  return run_on(run, d_temp, bytes, segments);
}

template <class Policy, class Key, class Segments, class KeysOut, class ValuesIn, class ValuesOut>
bool valid_segmented_sort(const void *d_temp, const Key *keys_in, KeysOut keys_out,
                          ValuesIn values_in, ValuesOut values_out, const Segments &segments,
                          radix_order order) {
  static_assert(are_segments<Segments>, "segmented sort: segments are equal_segments, or "
                                        "listed_segments whose begins and ends are integers");
  return order.valid(8 * sizeof(Key)) && valid_segments(segments) &&
         num_items(segments) <= Policy::max_items &&
         (!d_temp || (valid_arrays(segments) &&
                      valid_arrays(keys_in, keys_out, values_in, values_out, num_items(segments)) &&
                      apart_from(segments, keys_out, num_items(segments)) &&
                      apart_from(segments, values_out, num_items(segments))));
}

} // namespace detail

template <class Key, class Segments, class Policy = segmented_sort_policy>
[[nodiscard]] cudaError_t segmented_sort_keys(void *d_temp_storage, size_t &temp_storage_bytes,
                                              const Key *d_keys_in, Key *d_keys_out,
                                              Segments segments, radix_order order = {},
                                              run_options options = {}, Policy = {}) {
  using namespace detail;
  if (!valid_segmented_sort<Policy>(d_temp_storage, d_keys_in, d_keys_out, no_items{}, nothing{},
                                    segments, order))
    return cudaErrorInvalidValue;
  if constexpr (sorted_as<Key>::kind == key_kind::floating)
    if (!all_bits<Key>(order)) // the word of -0 and +0 is one: it does not give the key back
      return sort_segments_by_places<Policy>(
          d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out, no_items{},
          static_cast<const nothing *>(nullptr), static_cast<nothing *>(nullptr), segments, order,
          options);
  return sort_segments_by_words<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                        segments, order, options);
}

template <class Key, class Segments, class Policy = segmented_sort_policy>
[[nodiscard]] cudaError_t
segmented_stable_sort_keys(void *d_temp_storage, size_t &temp_storage_bytes, const Key *d_keys_in,
                           Key *d_keys_out, Segments segments, radix_order order = {},
                           run_options options = {}, Policy = {}) {
  using namespace detail;
  if (!valid_segmented_sort<Policy>(d_temp_storage, d_keys_in, d_keys_out, no_items{}, nothing{},
                                    segments, order))
    return cudaErrorInvalidValue;
  if constexpr (sorted_as<Key>::kind != key_kind::floating)
    if (all_bits<Key>(order)) // equal keys are the same
      return sort_segments_by_words<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in,
                                            d_keys_out, segments, order, options);
  return sort_segments_by_places<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         no_items{}, static_cast<const nothing *>(nullptr),
                                         static_cast<nothing *>(nullptr), segments, order, options);
}

template <class Key, class Value, class Segments, class Policy = segmented_sort_policy>
[[nodiscard]] cudaError_t segmented_sort_pairs(void *d_temp_storage, size_t &temp_storage_bytes,
                                               const Key *d_keys_in, Key *d_keys_out,
                                               const Value *d_values_in, Value *d_values_out,
                                               Segments segments, radix_order order = {},
                                               run_options options = {}, Policy = {}) {
  using namespace detail;
  static_assert(movable<Value>, "segmented sort: values are trivially copyable, of 1 to 16 bytes");
  if (!valid_segmented_sort<Policy>(d_temp_storage, d_keys_in, d_keys_out, d_values_in,
                                    d_values_out, segments, order))
    return cudaErrorInvalidValue;
  return sort_segments_by_places<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in, d_keys_out,
                                         d_values_in, d_values_in, d_values_out, segments, order,
                                         options);
}

/// d_places[i]: the place in its segment, from 0 on, of the item that is i-th in order. Index: an
/// unsigned integer type that can hold the length of the longest segment less one.
template <class Key, class Index, class Segments, class Policy = segmented_sort_policy>
[[nodiscard]] cudaError_t segmented_argsort(void *d_temp_storage, size_t &temp_storage_bytes,
                                            const Key *d_keys_in, Index *d_places,
                                            Segments segments, radix_order order = {},
                                            run_options options = {}, Policy = {}) {
  using namespace detail;
  static_assert(std::is_unsigned_v<Index>, "segmented sort: places are unsigned integers");
  if (!valid_segmented_sort<Policy>(d_temp_storage, d_keys_in, nothing{}, no_items{}, d_places,
                                    segments, order) ||
      !holds_places<Index>(segments))
    return cudaErrorInvalidValue;
  return sort_segments_by_places<Policy>(d_temp_storage, temp_storage_bytes, d_keys_in,
                                         static_cast<Key *>(nullptr), index_iterator<Index>{},
                                         static_cast<const Index *>(nullptr), d_places, segments,
                                         order, options);
}

} // namespace colonnade
