//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lsm.cuh: ordered dictionaries on the GPU that change by batches: log-structured merge trees.
//
//   insert, erase, update  a call's operations, sorted and merged: one batch
//   find                   the value of each key
//   successor, predecessor the next key above, or below, that is present
//   count, range           how many, or which, elements lie between two keys; in order
//   cleanup                drops what is stale: replaced and erased elements, and their tombstones
//   build, retrieve_all    from arrays in one go; all elements to arrays, in order
//   save, load             to files and back; to_host, from_host: to vectors of the host
//
//   keys         integers and floats of 32 and 64 bits, ordered as by radix_sort.cuh: -0 equals +0.
//                All of them can be used. A call that inserts a NaN changes nothing; the status
//                says value_out_of_range and the first NaN's index. Queries for NaN are answered by
//                bits
//   values       trivially copyable types of 32 or 64 bits
//   batches      a call changes as many elements as it likes, up to 2^32; fewer than batch_size
//                gather in a buffer, which queries see. What a call did replaces what those
//                before it did
//   equal keys   in one call: a deletion beats all, else the last insertion counts; or, with
//                lsm_order::in_order, simply the last
//   ranges       inclusive at both ends; empty if the first key is above the last; ascending
//   neighbours   strict: of a key itself the next one
//   too full     what finds no room changes nothing: the status says buffer_too_small and how many
//                elements there would be, stale ones included. Calls without _async reserve, at
//                least half as much again, and go on
//   work         n elements in batches of b: O(log(n / b)) merges of each, one pass a call. A query
//                looks into each of at most log2(n / b) + 2 runs, each O(log n); a neighbour does
//                so once more for every erased key that it passes over, so many erased keys are a
//                reason for a cleanup. A range's elements, stale ones too, are looked at once each.
//                A cleanup is one merge of all there is, whatever is stale: one each time that the
//                tree has doubled since the last adds less than two merges of each element, and
//                changes no bound
//   depth        O(log^2 n), of few finds O(log n), since they search all runs at once; of a
//                neighbour as often again as it passes over erased keys
//   traffic      of a call that fills level h (of 2^h b elements): the sort, then what is below
//                level h is read and written once; but b pairs, from 2^18 on, that find level 0
//                and the buffer empty are sorted to level 0, and not written again. A search reads
//                32 bytes for 3 bits of the position (2 of 64-bit keys). Where nothing was ever
//                erased, no tombstones are read or written
//   temporary    of a change: as much as the sort of its operations, a copy of these, and up to
//                2.2 % of the keys and values that there is room for, or 280 KB if that is more; as
//                many operations more if they are more than a batch, but no more than half of what
//                there is room for. Of a cleanup or retrieve_all: the keys and values that there is
//                room for, and the same 2.2 %. Of build, which allocates it: the sort of the pairs
//                and twice their keys and values. Of count and range: 1 byte a query. Of find and
//                neighbours: 1 byte; with lsm_sorted_queries that of an argsort, and 4 bytes a
//                query
//   memory       keys, values, a bit an element, 1/4 of the keys for the index (of 64-bit keys 1/2)
//   stability    which of equal keys counts is said above; nothing else depends on order
//   determinism  the same bits on every run and GPU
//   aliasing     what a call writes overlaps none of its other arrays. Changes exclude all other
//                use of the tree; queries may run at once
//   synchronises …_async calls never: they are graph-capturable, and every replay of a change
//                inserts another batch. After the tree got more levels (reserve, or a call without
//                _async that found no room), a graph of before may be replayed, but knows only the
//                levels of before: while those hold all elements it does all it did; of more it
//                changes and finds nothing, and the status says buffer_too_small and how many there
//                are. Then capture anew. All work is queued on options.stream. Creation and
//                destruction queue work on the stream of creation. Calls without _async allocate,
//                and return when their work is done; what an asynchronous call reports is in
//                `status`
//   n = 0        valid
//   returns      cudaErrorInvalidValue, before any CUDA call, for null, unaligned or overlapping
//                arrays, too little storage, a tree that was not created, more than 2^32
//                operations, for creation with a batch size of 0 or 2^32 and more, or 2^31 batches
//                and more; cudaErrorMemoryAllocation; cudaErrorStreamCaptureUnsupported for
//                creation, reserve and synchronous calls in a captured stream; else what CUDA calls
//                return
//
// Source: S. Ashkiani, thesis (2017), chapter 4. What differs: docs/decisions/0022-lsm.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/lsm/queries.cuh>
#include <colonnade/detail/lsm/ref.cuh>
#include <colonnade/detail/lsm/spans.cuh>

namespace colonnade {

/// Resource: as in single_phase.cuh. build, retrieve_all_async, to_host, from_host, save and load
/// are in detail/lsm/whole.cuh; reserve and statistics in owner.cuh beside it.
template <class Key, class Value, class Resource = async_resource>
class lsm_map : public detail::lsm_queries<Key, Value, Resource>,
                public detail::lsm_spans<lsm_map<Key, Value, Resource>, Value> {
  using owner = detail::lsm_queries<Key, Value, Resource>;
  using spans = detail::lsm_spans<lsm_map, Value>;
  using operations = typename owner::operations;

public:
  using table_type = typename owner::table_type;
  using ref_type = lsm_ref<Key, Value>;

  // For spans: detail/lsm/spans.cuh.
  using owner::retrieve_all_async;
  using spans::count;
  using spans::count_async;
  using spans::erase;
  using spans::erase_async;
  using spans::find;
  using spans::find_async;
  using spans::insert;
  using spans::insert_async;
  using spans::predecessor;
  using spans::predecessor_async;
  using spans::range;
  using spans::range_async;
  using spans::retrieve_all_async;
  using spans::successor;
  using spans::successor_async;
  using spans::update;
  using spans::update_async;

  /// An empty tree in place of what was there; if it cannot be had, that is unchanged.
  [[nodiscard]] static cudaError_t create(lsm_map &tree, const lsm_options &options,
                                          cudaStream_t stream = nullptr, Resource resource = {}) {
    lsm_map fresh;
    if (const cudaError_t error = fresh.create_empty(options, stream, resource))
      return error;
    tree = std::move(fresh);
    return cudaSuccess;
  }
  /// For kernels; until the next change in the order of the stream, or the next reserve: a graph
  /// that holds one is captured anew.
  ref_type ref() const { return ref_type(owner::table_); }
  /// Removes everything. No storage, so one phase.
  [[nodiscard]] cudaError_t clear_async(run_options options = {}) {
    return owner::is_there() ? owner::clear(options.stream) : cudaErrorInvalidValue;
  }

  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t
  insert_async(void *d_temp_storage, size_t &temp_storage_bytes, const Key *d_keys,
               const Value *d_values, uint64_t num_items, run_options options = {}, Policy = {}) {
    return owner::template change<Policy>(d_temp_storage, temp_storage_bytes,
                                          operations{d_keys, d_values, nullptr, num_items, false},
                                          options);
  }
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t erase_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                        const Key *d_keys, uint64_t num_items,
                                        run_options options = {}, Policy = {}) {
    return owner::template change<Policy>(d_temp_storage, temp_storage_bytes,
                                          operations{d_keys, nullptr, nullptr, num_items, true},
                                          options);
  }
  /// d_erases[i]: whether operation i erases; d_values[i] is read all the same.
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t update_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                         const Key *d_keys, const Value *d_values,
                                         const bool *d_erases, uint64_t num_items,
                                         run_options options = {}, Policy = {}) {
    if (!d_erases && num_items)
      return cudaErrorInvalidValue;
    return owner::template change<Policy>(d_temp_storage, temp_storage_bytes,
                                          operations{d_keys, d_values, d_erases, num_items, false},
                                          options);
  }
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t cleanup_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                          run_options options = {}, Policy = {}) {
    return owner::template clean_up<Policy>(d_temp_storage, temp_storage_bytes, options);
  }

  /// d_values[i]: the value of d_keys[i], or `absent`. d_present: null, or whether it is there.
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t find_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                       const Key *d_keys, Value *d_values, uint64_t num_keys,
                                       bool *d_present = nullptr, Value absent = {},
                                       run_options options = {}, Policy = {}) const {
    return owner::template ask<Policy, detail::lsm_query::find>(d_temp_storage, temp_storage_bytes,
                                                                d_keys, num_keys, nullptr, d_values,
                                                                d_present, absent, options);
  }
  /// The smallest key above d_keys[i] that is present, and its value; where d_present[i] is false
  /// there is none, and d_next_keys[i] is unchanged. Any of the outputs may be null.
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t successor_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                            const Key *d_keys, uint64_t num_keys, Key *d_next_keys,
                                            Value *d_values, bool *d_present, Value absent = {},
                                            run_options options = {}, Policy = {}) const {
    return owner::template ask<Policy, detail::lsm_query::successor>(
        d_temp_storage, temp_storage_bytes, d_keys, num_keys, d_next_keys, d_values, d_present,
        absent, options);
  }
  /// The largest below.
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t
  predecessor_async(void *d_temp_storage, size_t &temp_storage_bytes, const Key *d_keys,
                    uint64_t num_keys, Key *d_next_keys, Value *d_values, bool *d_present,
                    Value absent = {}, run_options options = {}, Policy = {}) const {
    return owner::template ask<Policy, detail::lsm_query::predecessor>(
        d_temp_storage, temp_storage_bytes, d_keys, num_keys, d_next_keys, d_values, d_present,
        absent, options);
  }

  /// d_offsets[i]: how many elements lie in the ranges before range i; the last of the num_ranges +
  /// 1 entries: in all.
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t count_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                        const Key *d_first_keys, const Key *d_last_keys,
                                        uint64_t *d_offsets, uint64_t num_ranges,
                                        run_options options = {}, Policy = {}) const {
    return owner::template ranges<Policy>(d_temp_storage, temp_storage_bytes, d_first_keys,
                                          d_last_keys, num_ranges, d_offsets, nullptr, nullptr,
                                          ~uint64_t{0}, options);
  }
  /// The same, and the elements of range i from place d_offsets[i] on. Of them all the first
  /// `capacity` are written; if there are more, the status says buffer_too_small and how many there
  /// are. d_keys_out or d_values_out may be null.
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t
  range_async(void *d_temp_storage, size_t &temp_storage_bytes, const Key *d_first_keys,
              const Key *d_last_keys, uint64_t num_ranges, uint64_t *d_offsets, Key *d_keys_out,
              Value *d_values_out, uint64_t capacity, run_options options = {}, Policy = {}) const {
    return owner::template ranges<Policy>(d_temp_storage, temp_storage_bytes, d_first_keys,
                                          d_last_keys, num_ranges, d_offsets, d_keys_out,
                                          d_values_out, capacity, options);
  }

  // The same, done when they return. What finds no room reserves more, and is done all the same.

  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t insert(const Key *d_keys, const Value *d_values, uint64_t num_items,
                                   device_status &status, cudaStream_t stream = nullptr,
                                   Policy = {}) {
    return owner::template change_to_end<Policy>(
        operations{d_keys, d_values, nullptr, num_items, false}, status, stream);
  }
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t erase(const Key *d_keys, uint64_t num_items, device_status &status,
                                  cudaStream_t stream = nullptr, Policy = {}) {
    return owner::template change_to_end<Policy>(
        operations{d_keys, nullptr, nullptr, num_items, true}, status, stream);
  }
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t update(const Key *d_keys, const Value *d_values, const bool *d_erases,
                                   uint64_t num_items, device_status &status,
                                   cudaStream_t stream = nullptr, Policy = {}) {
    if (!d_erases && num_items)
      return cudaErrorInvalidValue;
    return owner::template change_to_end<Policy>(
        operations{d_keys, d_values, d_erases, num_items, false}, status, stream);
  }
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t cleanup(cudaStream_t stream = nullptr, Policy policy = {}) {
    device_status status;
    return owner::to_end(
        [&](void *d_temp, size_t &bytes, const run_options &options) {
          return cleanup_async(d_temp, bytes, options, policy);
        },
        status, stream);
  }
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t find(const Key *d_keys, Value *d_values, uint64_t num_keys,
                                 bool *d_present = nullptr, Value absent = {},
                                 cudaStream_t stream = nullptr, Policy policy = {}) const {
    device_status status;
    return owner::to_end(
        [&](void *d_temp, size_t &bytes, const run_options &options) {
          return find_async(d_temp, bytes, d_keys, d_values, num_keys, d_present, absent, options,
                            policy);
        },
        status, stream);
  }
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t successor(const Key *d_keys, uint64_t num_keys, Key *d_next_keys,
                                      Value *d_values, bool *d_present, Value absent = {},
                                      cudaStream_t stream = nullptr, Policy policy = {}) const {
    device_status status;
    return owner::to_end(
        [&](void *d_temp, size_t &bytes, const run_options &options) {
          return successor_async(d_temp, bytes, d_keys, num_keys, d_next_keys, d_values, d_present,
                                 absent, options, policy);
        },
        status, stream);
  }
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t predecessor(const Key *d_keys, uint64_t num_keys, Key *d_next_keys,
                                        Value *d_values, bool *d_present, Value absent = {},
                                        cudaStream_t stream = nullptr, Policy policy = {}) const {
    device_status status;
    return owner::to_end(
        [&](void *d_temp, size_t &bytes, const run_options &options) {
          return predecessor_async(d_temp, bytes, d_keys, num_keys, d_next_keys, d_values,
                                   d_present, absent, options, policy);
        },
        status, stream);
  }
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t count(const Key *d_first_keys, const Key *d_last_keys,
                                  uint64_t *d_offsets, uint64_t num_ranges,
                                  cudaStream_t stream = nullptr, Policy policy = {}) const {
    device_status status;
    return owner::to_end(
        [&](void *d_temp, size_t &bytes, const run_options &options) {
          return count_async(d_temp, bytes, d_first_keys, d_last_keys, d_offsets, num_ranges,
                             options, policy);
        },
        status, stream);
  }
  template <class Policy = lsm_policy>
  [[nodiscard]] cudaError_t range(const Key *d_first_keys, const Key *d_last_keys,
                                  uint64_t num_ranges, uint64_t *d_offsets, Key *d_keys_out,
                                  Value *d_values_out, uint64_t capacity, device_status &status,
                                  cudaStream_t stream = nullptr, Policy policy = {}) const {
    return owner::to_end(
        [&](void *d_temp, size_t &bytes, const run_options &options) {
          return range_async(d_temp, bytes, d_first_keys, d_last_keys, num_ranges, d_offsets,
                             d_keys_out, d_values_out, capacity, options, policy);
        },
        status, stream);
  }
};

} // namespace colonnade
