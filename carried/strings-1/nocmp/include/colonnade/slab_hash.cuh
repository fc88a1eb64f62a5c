//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_hash.cuh: dictionaries on the GPU that change while they are used: chains of 128-byte slabs.
//
//   slab_map       a value for each key
//   slab_set       keys alone
//   slab_multimap  any number of values for each key
//   growing_...    the same with a pool of slabs that grows
//
//   slab_list      (slab_list.cuh) one chain without hashing
//   slab_ref       (slab_hash_ref.cuh) in kernels: the same operations for a thread alone
//   slab_warp      in kernels: the same for a warp, each lane with a key or without
//
//   operation          if the key is absent      if it is present
//   find, contains     found nothing             the value; of a multimap any of them
//   insert             the pair is inserted      nothing changes; a multimap gets one pair more
//   insert_or_assign   the pair is inserted      its value is replaced
//   insert_or_apply    the pair is inserted      its value becomes apply(value there, value given)
//   erase              nothing changes           the pair is erased; of a multimap any of them
//   count, erase_all   0                         how many pairs the key has, or had
//   find_all           no values                 the values of all of them
//
//   keys, values trivially copyable types of 32 or 64 bits. Keys are compared by their bits, or by
//                the user's function; equal keys must have equal hashes. Hash, equality, apply:
//                functors, __device__ const, trivially copyable, pure. Hash: uint32_t(key), all
//                bits of it should depend on the key. If equal keys differ in bits, the last that
//                was assigned stays. A pair of which either has 64 bits takes 16 bytes, and needs
//                sm_90: elsewhere calls that would change or read pairs return
//                cudaErrorNotSupported, and kernels that use a ref do not compile
//   reserved     two keys of the caller's choice, by default the two largest integers (of other
//                types those whose bits are the two largest numbers), are no keys: their operations
//                are skipped, and reported (slab_error::reserved_key)
//   promised     of maps and sets: operations on one key are linearisable, in one kernel or in
//                several that run at once, by whichever of the three forms. Nothing is promised
//                about the order of operations on different keys. Equal keys in one array take
//                effect in some order. Of multimaps: each insertion and erasure takes effect at one
//                moment; what is found was there at some moment of the call; where nothing is found
//                no pair of the key was there all the time. count, erase_all, find_all: each pair
//                of the key that is there all the time exactly once, others perhaps
//   find_all     of an array of a multimap has in its places what it has counted. Of a map it
//                counts first and lists then: if a key has gone meanwhile, absent_value stands in
//                its place, and a key that has come since has none
//   one name     count of an array writes offsets, one more than keys, as of lsm.cuh; of a warp or
//                a thread it is a number. erase_all of an array writes a number for each key
//   erased pairs leave a tombstone. In maps and sets the slot waits for its key, and is used again
//                if that comes back; in multimaps the next pair of the chain takes it
//   full pool    an insertion that needs a slab when there is none changes nothing; all other
//                operations are complete. The status says slab_error::pool_full and how many they
//                are, of all calls that it served. Their indices are in d_undone, in any order, as
//                many as the call adds to the status. The list begins at place 0 if the status was
//                fresh; where it had counted c before (an earlier call, or replay of a graph), at
//                place c modulo num_keys, and goes on at place 0 behind the last: it is complete
//                all the same. Calls with d_undone that run at once have a status each. A warp, or
//                a thread alone, holds a slab for a moment for each chain that it lengthens, and
//                gives it back if another came first; so an operation may be refused while as many
//                are free as do that at once
//   work         a chain has 1 + a slabs, a from n / (15 B): an operation reads the slabs up to its
//                key's, or all of them; a change is one atomic more. An operation that meets others
//                at its slot reads the slab again
//   depth        the slabs of the longest chain; operations on equal keys, which share a slot,
//                follow each other there
//   traffic      128 bytes a slab that is read, and the arrays
//   temporary    1 byte: none is used; of count and find_all 8 bytes for 2048 keys, and of find_all
//                of a multimap 16 bytes for each value that there is room for (24, if values have
//                64 bits). Calls that take no storage and no policy (clear_async, flush_async,
//                statistics_async, for_each_async) need neither
//   excludes     all other use of the dictionary: build, rehash, load, clear, flush, statistics,
//                for_each, retrieve_all, to_host, save, and destruction. (Flushes of different
//                chains may run at once, and so may those that only read; flush of a warp or of a
//                thread excludes all other use of its chain alone.) Refs, and graphs with
//                calls on the dictionary, are valid until it is built, rehashed or loaded anew, or
//                destroyed; reserve, clear and flush do not end them
//   whole        build: a multisplit of the pairs by groups of up to 256 chains, which takes two
//                passes for 2^26 pairs, and one pass over the slabs. It allocates as much as keys
//                and values take, 8 bytes a group, and what the multisplit needs. rehash:
//                statistics, all pairs to arrays, and build, all of which stand beside the old
//                dictionary until it is done. flush reads each slab of the chains once, and writes
//                those of chains with tombstones; statistics, for_each and retrieve_all read each
//                slab once; clear writes all slabs there are. These allocate nothing but, without
//                _async, the statistics
//   growth       a growing dictionary's pool grows by `reserve`, also while kernels use it; its
//                slabs cost one load more to reach. Chains stay as many as they are. How far it can
//                grow is decided when it is created (most_slabs of the options; slab_alloc.cuh)
//   memory       128 bytes a chain and 128 bytes and a bit a slab of the pool, when the dictionary
//                is created or its pool grows
//   stability    which of equal keys in an array takes effect last is unspecified
//   determinism  what the dictionary holds and what is answered, if no key comes twice in changes
//                that run at once; where it stands depends on timing
//   aliasing     what a call writes overlaps none of its other arrays; calls that run at once write
//                different arrays
//   synchronises …_async calls never: they are graph-capturable, and all work is queued on
//                options.stream. Creation and destruction queue work on the stream of creation, or
//                of the last rehash, which creates anew.
//                Calls without _async allocate, and return when their work is done; what an
//                asynchronous call reports is in `status`. Of a growing one they let the pool
//                grow by half, or more, and go on with what was not done, until all is; only one
//                host thread at a time may let it grow. They need 8 bytes a key then, and 16 while
//                they go on
//   n = 0        valid; n is below 2^57. Pairs are counted in 64 bits, chains and slabs in 32: a
//                dictionary can hold more than 2^32 pairs, which takes 64 GB at utilisation 0.5
//   returns      cudaErrorInvalidValue, before any CUDA call, for null, unaligned or overlapping
//                arrays, too little storage, d_undone without a status, a dictionary that was not
//                created, for creation without chains, with too many slabs or equal reserved keys;
//                cudaErrorMemoryAllocation, also where memory of the host ends (nothing is thrown),
//                and of a synchronous insertion whose pool is full and cannot grow;
//                cudaErrorStreamCaptureUnsupported for creation, reserve and synchronous calls in a
//                captured stream; else what CUDA calls return
//
// Source: S. Ashkiani, thesis (2017), chapter 5. What differs: docs/decisions/0020-slab-hash.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/slab_hash/spans.cuh>
#include <colonnade/detail/slab_hash/whole.cuh>

namespace colonnade {

/// Resource: as in single_phase.cuh. Pool: light_slab_pool, or slab_pool, which grows. Multiple: a
/// key may have several pairs. create, reserve and ref are in detail/slab_hash/owner.cuh; build,
/// clear, flush, rehash, statistics and iteration in whole.cuh beside it.
template <class Key, class Value, class Hash, class Equal, class Resource,
          template <class> class Pool, bool Multiple>
class slab_dictionary
    : public detail::slab_whole<
          detail::slab_table<Key, Value, Hash, Equal, typename Pool<Resource>::ref_type, Multiple>,
          Pool<Resource>, Resource>,
      public detail::slab_spans<slab_dictionary<Key, Value, Hash, Equal, Resource, Pool, Multiple>,
                                Value> {
  using table_type =
      detail::slab_table<Key, Value, Hash, Equal, typename Pool<Resource>::ref_type, Multiple>;
  using owner = detail::slab_whole<table_type, Pool<Resource>, Resource>;
  using no_values = detail::no_items;
  using nothing = detail::nothing;
  template <slab_operation Operation> using fixed = detail::fixed_operation<Operation>;
  template <class Apply> using applied = detail::applied_operation<Apply, Value>;
  using spans = detail::slab_spans<slab_dictionary, Value>;

public:
  // For spans: detail/slab_hash/spans.cuh.
  using owner::build;
  using owner::from_host;
  using owner::retrieve_all_async;
  using spans::build;
  using spans::contains;
  using spans::contains_async;
  using spans::count;
  using spans::count_async;
  using spans::erase;
  using spans::erase_all;
  using spans::erase_all_async;
  using spans::erase_async;
  using spans::find;
  using spans::find_all;
  using spans::find_all_async;
  using spans::find_async;
  using spans::from_host;
  using spans::insert;
  using spans::insert_async;
  using spans::insert_or_apply;
  using spans::insert_or_apply_async;
  using spans::insert_or_assign;
  using spans::insert_or_assign_async;
  using spans::retrieve_all_async;

  /// d_values[i] = the value of d_keys[i], or absent_value. d_present: null, or whether it is
  /// there.
  template <class KeysIn, class ValuesOut, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t find_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                       KeysIn d_keys, ValuesOut d_values, uint64_t num_keys,
                                       bool *d_present = nullptr, run_options options = {},
                                       Policy = {}) const {
    detail::require_values<table_type>();
    if (d_temp_storage && !detail::valid_array(d_values, num_keys))
      return cudaErrorInvalidValue;
    return owner::template run<Policy>(d_temp_storage, temp_storage_bytes,
                                       fixed<slab_operation::find>{}, d_keys, no_values{}, num_keys,
                                       d_values, d_present, nullptr, options);
  }
  /// d_present[i]: whether d_keys[i] is there.
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t contains_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                           KeysIn d_keys, bool *d_present, uint64_t num_keys,
                                           run_options options = {}, Policy = {}) const {
    if (d_temp_storage && !detail::valid_array(d_present, num_keys))
      return cudaErrorInvalidValue;
    return owner::template run<Policy>(d_temp_storage, temp_storage_bytes,
                                       fixed<slab_operation::find>{}, d_keys, no_values{}, num_keys,
                                       nothing{}, d_present, nullptr, options);
  }
  /// d_present: null, or whether the key was there before (of a multimap: false). d_undone: null,
  /// or room for the indices of all operations, of which those that were not done are written (see
  /// full pool); it takes options.d_status.
  template <class KeysIn, class ValuesIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                         KeysIn d_keys, ValuesIn d_values, uint64_t num_keys,
                                         bool *d_present = nullptr, uint64_t *d_undone = nullptr,
                                         run_options options = {}, Policy = {}) {
    detail::require_values<table_type>();
    return owner::template run<Policy>(d_temp_storage, temp_storage_bytes,
                                       fixed<slab_operation::insert>{}, d_keys, d_values, num_keys,
                                       nothing{}, d_present, d_undone, options);
  }
  /// Of a set.
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                         KeysIn d_keys, uint64_t num_keys,
                                         bool *d_present = nullptr, uint64_t *d_undone = nullptr,
                                         run_options options = {}, Policy = {}) {
    detail::require_no_values<table_type>();
    return owner::template run<Policy>(d_temp_storage, temp_storage_bytes,
                                       fixed<slab_operation::insert>{}, d_keys, no_values{},
                                       num_keys, nothing{}, d_present, d_undone, options);
  }
  template <class KeysIn, class ValuesIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t
  insert_or_assign_async(void *d_temp_storage, size_t &temp_storage_bytes, KeysIn d_keys,
                         ValuesIn d_values, uint64_t num_keys, bool *d_present = nullptr,
                         uint64_t *d_undone = nullptr, run_options options = {}, Policy = {}) {
    detail::require_values<table_type>();
    detail::require_unique<table_type>();
    return owner::template run<Policy>(d_temp_storage, temp_storage_bytes,
                                       fixed<slab_operation::insert_or_assign>{}, d_keys, d_values,
                                       num_keys, nothing{}, d_present, d_undone, options);
  }
  /// d_old_values: null, or the values that were there before, absent_value where there was none.
  template <class KeysIn, class ValuesIn, class Apply, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t
  insert_or_apply_async(void *d_temp_storage, size_t &temp_storage_bytes, KeysIn d_keys,
                        ValuesIn d_values, uint64_t num_keys, Apply apply,
                        Value *d_old_values = nullptr, bool *d_present = nullptr,
                        uint64_t *d_undone = nullptr, run_options options = {}, Policy = {}) {
    detail::require_values<table_type>();
    detail::require_unique<table_type>();
    if (d_old_values && !detail::valid_array(d_old_values, num_keys))
      return cudaErrorInvalidValue;
    return owner::template run<Policy>(
        d_temp_storage, temp_storage_bytes, applied<Apply>{slab_operation::insert_or_apply, apply},
        d_keys, d_values, num_keys, d_old_values, d_present, d_undone, options);
  }
  /// d_present: null, or whether the key was there before.
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t erase_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                        KeysIn d_keys, uint64_t num_keys, bool *d_present = nullptr,
                                        run_options options = {}, Policy = {}) {
    return owner::template run<Policy>(d_temp_storage, temp_storage_bytes,
                                       fixed<slab_operation::erase>{}, d_keys, no_values{},
                                       num_keys, nothing{}, d_present, nullptr, options);
  }
  /// d_offsets[i]: how many pairs the keys before d_keys[i] have; the last of the num_keys + 1
  /// entries: all of them.
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t count_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                        KeysIn d_keys, uint64_t *d_offsets, uint64_t num_keys,
                                        run_options options = {}, Policy = {}) const {
    return owner::template count_all<Policy>(d_temp_storage, temp_storage_bytes, d_keys, num_keys,
                                             d_offsets, options);
  }
  /// d_counts[i]: how many pairs of d_keys[i] were erased.
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t erase_all_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                            KeysIn d_keys, uint64_t *d_counts, uint64_t num_keys,
                                            run_options options = {}, Policy = {}) {
    if (d_temp_storage && !detail::valid_array(d_counts, num_keys))
      return cudaErrorInvalidValue;
    return owner::template run<Policy>(d_temp_storage, temp_storage_bytes,
                                       detail::erase_all_operation{}, d_keys, no_values{}, num_keys,
                                       d_counts, nullptr, nullptr, options);
  }
  /// The same, and the values of d_keys[i] from place d_offsets[i] on, in any order. Of them all
  /// the first `capacity` are written; if there are more, the status says buffer_too_small and how
  /// many there are, and if others change a multimap meanwhile, some of the first may be missing.
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t find_all_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                           KeysIn d_keys, uint64_t num_keys, uint64_t *d_offsets,
                                           Value *d_values, uint64_t capacity,
                                           run_options options = {}, Policy = {}) const {
    detail::require_values<table_type>();
    if (d_temp_storage && !detail::valid_array(d_values, capacity))
      return cudaErrorInvalidValue;
    return owner::template list_all<Policy>(d_temp_storage, temp_storage_bytes, d_keys, num_keys,
                                            d_offsets, d_values, capacity, options);
  }

  // The same, done when they return; status: what an asynchronous call reports.

  template <class KeysIn, class ValuesOut, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t find(KeysIn d_keys, ValuesOut d_values, uint64_t num_keys,
                                 device_status &status, bool *d_present = nullptr,
                                 cudaStream_t stream = nullptr, Policy policy = {}) const {
    return owner::to_end(
        valid(d_keys, num_keys, d_values, num_keys, d_present),
        [&](void *d_temp, size_t &bytes, const run_options &options) {
          return find_async(d_temp, bytes, d_keys, d_values, num_keys, d_present, options, policy);
        },
        status, stream);
  }
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t contains(KeysIn d_keys, bool *d_present, uint64_t num_keys,
                                     device_status &status, cudaStream_t stream = nullptr,
                                     Policy policy = {}) const {
    return owner::to_end(
        valid(d_keys, num_keys, d_present, num_keys),
        [&](void *d_temp, size_t &bytes, const run_options &options) {
          return contains_async(d_temp, bytes, d_keys, d_present, num_keys, options, policy);
        },
        status, stream);
  }
  /// The pool grows as far as needed, if it can; else the status says pool_full and how many
  /// operations were not done, and the call returns cudaErrorMemoryAllocation. d_undone: null, or
  /// room for the indices of all operations, of which it then begins with theirs. (With that error
  /// and another status nothing was done.)
  template <class KeysIn, class ValuesIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert(KeysIn d_keys, ValuesIn d_values, uint64_t num_keys,
                                   device_status &status, bool *d_present = nullptr,
                                   uint64_t *d_undone = nullptr, cudaStream_t stream = nullptr,
                                   Policy = {}) {
    detail::require_values<table_type>();
    return owner::template insert_to_end<Policy>(fixed<slab_operation::insert>{}, d_keys, d_values,
                                                 num_keys, nothing{}, d_present, d_undone, status,
                                                 stream);
  }
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert(KeysIn d_keys, uint64_t num_keys, device_status &status,
                                   bool *d_present = nullptr, uint64_t *d_undone = nullptr,
                                   cudaStream_t stream = nullptr, Policy = {}) {
    detail::require_no_values<table_type>();
    return owner::template insert_to_end<Policy>(fixed<slab_operation::insert>{}, d_keys,
                                                 no_values{}, num_keys, nothing{}, d_present,
                                                 d_undone, status, stream);
  }
  template <class KeysIn, class ValuesIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert_or_assign(KeysIn d_keys, ValuesIn d_values, uint64_t num_keys,
                                             device_status &status, bool *d_present = nullptr,
                                             uint64_t *d_undone = nullptr,
                                             cudaStream_t stream = nullptr, Policy = {}) {
    detail::require_values<table_type>();
    detail::require_unique<table_type>();
    return owner::template insert_to_end<Policy>(fixed<slab_operation::insert_or_assign>{}, d_keys,
                                                 d_values, num_keys, nothing{}, d_present, d_undone,
                                                 status, stream);
  }
  template <class KeysIn, class ValuesIn, class Apply, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t
  insert_or_apply(KeysIn d_keys, ValuesIn d_values, uint64_t num_keys, Apply apply,
                  device_status &status, Value *d_old_values = nullptr, bool *d_present = nullptr,
                  uint64_t *d_undone = nullptr, cudaStream_t stream = nullptr, Policy = {}) {
    detail::require_values<table_type>();
    detail::require_unique<table_type>();
    if (d_old_values && !detail::valid_array(d_old_values, num_keys))
      return cudaErrorInvalidValue;
    return owner::template insert_to_end<Policy>(
        applied<Apply>{slab_operation::insert_or_apply, apply}, d_keys, d_values, num_keys,
        d_old_values, d_present, d_undone, status, stream);
  }
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t erase(KeysIn d_keys, uint64_t num_keys, device_status &status,
                                  bool *d_present = nullptr, cudaStream_t stream = nullptr,
                                  Policy policy = {}) {
    return owner::to_end(
        valid(d_keys, num_keys, nothing{}, 0, d_present),
        [&](void *d_temp, size_t &bytes, const run_options &options) {
          return erase_async(d_temp, bytes, d_keys, num_keys, d_present, options, policy);
        },
        status, stream);
  }
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t count(KeysIn d_keys, uint64_t *d_offsets, uint64_t num_keys,
                                  device_status &status, cudaStream_t stream = nullptr,
                                  Policy policy = {}) const {
    return owner::to_end(
        valid(d_keys, num_keys, d_offsets, num_keys + 1),
        [&](void *d_temp, size_t &bytes, const run_options &options) {
          return count_async(d_temp, bytes, d_keys, d_offsets, num_keys, options, policy);
        },
        status, stream);
  }
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t erase_all(KeysIn d_keys, uint64_t *d_counts, uint64_t num_keys,
                                      device_status &status, cudaStream_t stream = nullptr,
                                      Policy policy = {}) {
    return owner::to_end(
        valid(d_keys, num_keys, d_counts, num_keys),
        [&](void *d_temp, size_t &bytes, const run_options &options) {
          return erase_all_async(d_temp, bytes, d_keys, d_counts, num_keys, options, policy);
        },
        status, stream);
  }
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t find_all(KeysIn d_keys, uint64_t num_keys, uint64_t *d_offsets,
                                     Value *d_values, uint64_t capacity, device_status &status,
                                     cudaStream_t stream = nullptr, Policy policy = {}) const {
    return owner::to_end(
        valid(d_keys, num_keys, d_offsets, num_keys + 1) &&
            valid(d_keys, num_keys, d_values, capacity) &&
            detail::written_apart({{d_offsets, num_keys + 1}, {d_values, capacity}}, {}),
        [&](void *d_temp, size_t &bytes, const run_options &options) {
          return find_all_async(d_temp, bytes, d_keys, num_keys, d_offsets, d_values, capacity,
                                options, policy);
        },
        status, stream);
  }

private:
  /// Of a call that writes `out`, and for each key a flag, if any.
  template <class KeysIn, class Out>
  static bool valid(KeysIn d_keys, uint64_t num_keys, Out d_out, uint64_t num_out,
                    const bool *d_flags = nullptr) {
    return detail::valid_slab_inputs(d_keys, nothing{}, num_keys) &&
           detail::valid_array(d_out, num_out) &&
           detail::written_apart({{d_out, num_out}, {d_flags, num_keys}}, {{d_keys, num_keys}});
  }
};

template <class Key, class Value, class Hash = slab_hash_function, class Equal = equal_bits,
          class Resource = async_resource, template <class> class Pool = light_slab_pool>
using slab_map = slab_dictionary<Key, Value, Hash, Equal, Resource, Pool, false>;
template <class Key, class Hash = slab_hash_function, class Equal = equal_bits,
          class Resource = async_resource, template <class> class Pool = light_slab_pool>
using slab_set = slab_dictionary<Key, no_value, Hash, Equal, Resource, Pool, false>;
template <class Key, class Value, class Hash = slab_hash_function, class Equal = equal_bits,
          class Resource = async_resource, template <class> class Pool = light_slab_pool>
using slab_multimap = slab_dictionary<Key, Value, Hash, Equal, Resource, Pool, true>;

template <class Key, class Value, class Hash = slab_hash_function, class Equal = equal_bits,
          class Resource = async_resource>
using growing_slab_map = slab_map<Key, Value, Hash, Equal, Resource, slab_pool>;
template <class Key, class Hash = slab_hash_function, class Equal = equal_bits,
          class Resource = async_resource>
using growing_slab_set = slab_set<Key, Hash, Equal, Resource, slab_pool>;
template <class Key, class Value, class Hash = slab_hash_function, class Equal = equal_bits,
          class Resource = async_resource>
using growing_slab_multimap = slab_multimap<Key, Value, Hash, Equal, Resource, slab_pool>;

} // namespace colonnade
