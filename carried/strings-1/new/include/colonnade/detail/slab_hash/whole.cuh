//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// whole.cuh: what is done to a slab hash as a whole: it is built from arrays, cleared, flushed,
// counted, read out, saved and loaded.
//
// In: an owner. Out: launches. Invariant: nobody else uses the dictionary meanwhile; where a call
// makes a new one, the old one stays if that fails.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/read_back.cuh>
#include <colonnade/detail/dictionaries/device_pairs.cuh>
#include <colonnade/detail/dictionaries/whole_files.cuh>
#include <colonnade/detail/slab_hash/build.cuh>
#include <colonnade/detail/slab_hash/chains.cuh>
#include <colonnade/detail/slab_hash/owner.cuh>

namespace colonnade::detail {

template <class Table, class Pool, class Resource>
class slab_whole : public slab_owner<Table, Pool, Resource> {
  using owner = slab_owner<Table, Pool, Resource>;
  using owner::is_there;

public:
  using key_type = typename owner::key_type;
  using value_type = typename owner::value_type;
  using options_type = typename owner::options_type;

  /// A dictionary of these pairs in place of what was there; d_values: null for a set. The call
  /// queues its work on run.stream, and reports as an insertion does; where it returns an error,
  /// what was there is unchanged.
  template <class KeysIn, class ValuesIn>
  [[nodiscard]] static cudaError_t
  build(slab_whole &dictionary, const options_type &options, KeysIn d_keys, ValuesIn d_values,
        uint64_t num_pairs, run_options run = {}, Resource resource = {},
        typename owner::hash_type hash = {}, typename owner::equal_type equal = {}) {
    slab_whole fresh;
    if (!valid_slab_inputs(d_keys, d_values, has_values ? num_pairs : 0) ||
        !valid_array(d_keys, num_pairs) || too_many(num_pairs))
      return cudaErrorInvalidValue;
    if (const cudaError_t error = fresh.allocate(options, run.stream, resource, hash, equal))
      return error;
    if (const cudaError_t error =
            single_phase(resource, run.stream, [&](void *d_temp, size_t &bytes) {
              return build_chains(d_temp, bytes, fresh.table_, d_keys, d_values, num_pairs, run);
            }))
      return error;
    dictionary = std::move(fresh);
    return cudaSuccess;
  }

  /// Removes all pairs; all slabs of the pool are free afterwards.
  [[nodiscard]] cudaError_t clear_async(run_options options = {}) {
    if (!is_there())
      return cudaErrorInvalidValue;
    if (const cudaError_t error = owner::pool_.clear(options.stream))
      return error;
    const Table &table = owner::table_;
    return fill_slabs({table.buckets, table.num_buckets, table.format.filling(), nullptr, 0, 0},
                      options.stream);
  }
  /// Drops the tombstones of all chains, and gives slabs that are empty then back to the pool. The
  /// pairs that stay keep their order.
  [[nodiscard]] cudaError_t flush_async(run_options options = {}) {
    return flush_async(0, ~0u, options);
  }
  /// Of chains first_bucket to first_bucket + num_buckets - 1, as far as there are. Flushes of
  /// different chains may run at once.
  [[nodiscard]] cudaError_t flush_async(uint32_t first_bucket, uint32_t num_buckets,
                                        run_options options = {}) {
    if (!is_there())
      return cudaErrorInvalidValue;
    return launch_chains(owner::table_, first_bucket,
                         end_of_chains(first_bucket, num_buckets, owner::table_.num_buckets),
                         flush_chains<Table>{}, options.stream);
  }
  /// *d_statistics is written.
  [[nodiscard]] cudaError_t statistics_async(slab_statistics *d_statistics,
                                             run_options options = {}) const {
    if (!is_there() || !valid_array(d_statistics, 1))
      return cudaErrorInvalidValue;
    if (const cudaError_t error =
            cudaMemsetAsync(d_statistics, 0, sizeof(slab_statistics), options.stream))
      return error;
    return launch_chains(owner::table_, 0, owner::table_.num_buckets, count_chains{d_statistics},
                         options.stream);
  }
  [[nodiscard]] cudaError_t statistics(slab_statistics &statistics,
                                       cudaStream_t stream = nullptr) const {
    owned_memory<Resource> memory;
    temp_storage layout;
    const size_t at = layout.add<slab_statistics>(1);
    if (!is_there())
      return cudaErrorInvalidValue;
    if (const cudaError_t error = memory.allocate(layout.bytes(), stream, owner::resource_))
      return error;
    slab_statistics *d_statistics = temp_storage::at<slab_statistics>(memory.get(), at);
    if (const cudaError_t error = statistics_async(d_statistics, {stream}))
      return error;
    return read_back(&statistics, d_statistics, 1, stream);
  }
  /// visit(key, value) for every pair, in any order, by many threads: a functor, __device__ const,
  /// trivially copyable.
  template <class Visit>
  [[nodiscard]] cudaError_t for_each_async(Visit visit, run_options options = {}) const {
    if (!is_there())
      return cudaErrorInvalidValue;
    return launch_chains(owner::table_, 0, owner::table_.num_buckets,
                         visit_pairs<key_type, value_type, Visit>{visit}, options.stream);
  }
  /// The first `capacity` of all pairs, in any order, and how many there are: if there are more,
  /// the status says buffer_too_small.
  template <class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t retrieve_all_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                               key_type *d_keys, value_type *d_values,
                                               uint64_t capacity, uint64_t *d_num_pairs,
                                               run_options options = {}, Policy = {}) const {
    constexpr size_t bytes = 1;
    if (!is_there())
      return cudaErrorInvalidValue;
    if (!d_temp_storage || temp_storage_bytes < bytes)
      return report_bytes(d_temp_storage, temp_storage_bytes, bytes);
    if (!valid_array(d_keys, capacity) || !valid_array(d_num_pairs, 1) ||
        (has_values && !valid_array(d_values, capacity)) ||
        !written_apart({{d_keys, capacity}, {d_values, capacity}, {d_num_pairs, 1}}, {}))
      return cudaErrorInvalidValue;
    return copy_all(d_keys, d_values, capacity, d_num_pairs, options);
  }
  /// Of a set.
  template <class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t retrieve_all_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                               key_type *d_keys, uint64_t capacity,
                                               uint64_t *d_num_pairs, run_options options = {},
                                               Policy policy = {}) const {
    require_no_values<Table>();
    return retrieve_all_async(d_temp_storage, temp_storage_bytes, d_keys,
                              static_cast<value_type *>(nullptr), capacity, d_num_pairs, options,
                              policy);
  }

  /// The same pairs in a dictionary of other chains and slabs, without tombstones; reserved keys
  /// stay as they are. Done when it returns; if it fails, nothing has changed.
  [[nodiscard]] cudaError_t rehash(uint32_t num_buckets, uint32_t num_slabs,
                                   cudaStream_t stream = nullptr) {
    pairs_type pairs;
    if (const cudaError_t error = gather(pairs, stream))
      return error;
    slab_whole fresh;
    if (const cudaError_t error =
            build_to_end(fresh, options_for(num_buckets, num_slabs), pairs, stream,
                         owner::resource_, owner::table_.hash, owner::table_.format.equal))
      return error;
    *this = std::move(fresh);
    return cudaSuccess;
  }

  /// All pairs, in any order, to the host; of a set `values` becomes empty. Done when it returns.
  [[nodiscard]] cudaError_t to_host(std::vector<key_type> &keys, std::vector<value_type> &values,
                                    cudaStream_t stream = nullptr) const {
    pairs_type pairs;
    if (const cudaError_t error = gather(pairs, stream))
      return error;
    return pairs.to_host(keys, values, stream);
  }
  /// A dictionary of pairs on the host, in place of what was there; values: null for a set. Where
  /// options.num_slabs are too few it gets more. A reserved key is an error. Done when it returns.
  [[nodiscard]] static cudaError_t from_host(slab_whole &dictionary, options_type options,
                                             const key_type *keys, const value_type *values,
                                             uint64_t num_pairs, cudaStream_t stream = nullptr,
                                             Resource resource = {},
                                             typename owner::hash_type hash = {},
                                             typename owner::equal_type equal = {}) {
    if (!valid_array(keys, num_pairs) || !valid_array(values, has_values ? num_pairs : 0) ||
        too_many(num_pairs))
      return cudaErrorInvalidValue;
    pairs_type pairs;
    if (const cudaError_t error = pairs.allocate(num_pairs, stream, resource))
      return error;
    if (const cudaError_t error = pairs.from_host(keys, values, stream))
      return error;
    slab_whole fresh;
    cudaError_t error = build_to_end(fresh, options, pairs, stream, resource, hash, equal);
    // Equal keys, which stand in one chain, need more slabs than the model says: one a pair at
    // most.
    const uint64_t most = std::min<uint64_t>(num_pairs, Pool::most_slabs);
    while (error == cudaErrorMemoryAllocation && options.num_slabs < most) {
      options.num_slabs =
          static_cast<uint32_t>(std::min(2 * uint64_t{options.num_slabs} + 1024, most));
      error = build_to_end(fresh, options, pairs, stream, resource, hash, equal);
    }
    if (error)
      return error;
    dictionary = std::move(fresh);
    return cudaSuccess;
  }

  /// All pairs to a file (pair_file.hpp). If that is what fails, `file` says so, and the call
  /// returns cudaErrorInvalidValue.
  [[nodiscard]] cudaError_t save(const char *path, pair_file_error &file,
                                 cudaStream_t stream = nullptr) const {
    return save_whole<key_type, value_type>(*this, path, file, stream);
  }
  /// A dictionary of the pairs in a file, in place of what was there. The number of chains and
  /// slabs is for so many pairs and such a utilisation; of `options` only the rest counts. A key of
  /// the file that is reserved here is an error, too.
  [[nodiscard]] static cudaError_t load(slab_whole &dictionary, const char *path,
                                        pair_file_error &file, double utilisation = 0.5,
                                        options_type options = {}, cudaStream_t stream = nullptr,
                                        Resource resource = {}, typename owner::hash_type hash = {},
                                        typename owner::equal_type equal = {}) {
    return load_sized(
        dictionary, path, file,
        [&](uint64_t n) {
          const options_type sizes = slab_map_options_for<key_type, value_type>(n, utilisation);
          options.num_buckets = sizes.num_buckets;
          options.num_slabs = sizes.num_slabs;
          return options;
        },
        stream, resource, hash, equal);
  }

protected:
  /// options_of(n): of a dictionary of n pairs.
  template <class OptionsOf>
  static cudaError_t load_sized(slab_whole &dictionary, const char *path, pair_file_error &file,
                                OptionsOf options_of, cudaStream_t stream, const Resource &resource,
                                const typename owner::hash_type &hash,
                                const typename owner::equal_type &equal) {
    return load_whole<key_type, value_type>(
        path, file, [&](const key_type *keys, const value_type *values, uint64_t num_pairs) {
          return from_host(dictionary, options_of(num_pairs), keys, values, num_pairs, stream,
                           resource, hash, equal);
        });
  }

private:
  using pairs_type = device_pairs<key_type, value_type, Resource>;
  using owner::has_values;
  cudaError_t copy_all(key_type *d_keys, value_type *d_values, uint64_t capacity,
                       uint64_t *d_num_pairs, const run_options &options) const {
    if (const cudaError_t error =
            cudaMemsetAsync(d_num_pairs, 0, sizeof *d_num_pairs, options.stream))
      return error;
    const copy_pairs<key_type, value_type, key_type *, value_type *> job{d_keys, d_values, capacity,
                                                                         d_num_pairs};
    if (const cudaError_t error =
            launch_chains(owner::table_, 0, owner::table_.num_buckets, job, options.stream))
      return error;
    if (!options.d_status)
      return cudaSuccess;
    return launch(report_total_kernel<>, {1, 1, 0, options.stream, false},
                  total_arguments{d_num_pairs, capacity, options.d_status});
  }
  /// All pairs of the dictionary, into arrays that are allocated.
  cudaError_t gather(pairs_type &pairs, cudaStream_t stream) const {
    slab_statistics now;
    if (const cudaError_t error = statistics(now, stream))
      return error;
    if (const cudaError_t error = pairs.allocate(now.num_pairs, stream, owner::resource_))
      return error;
    return copy_all(pairs.keys, pairs.values, pairs.n, pairs.count, {stream});
  }
  /// All pairs find room, or it is an error.
  static cudaError_t build_to_end(slab_whole &fresh, const options_type &options,
                                  const pairs_type &pairs, cudaStream_t stream,
                                  const Resource &resource, const typename owner::hash_type &hash,
                                  const typename owner::equal_type &equal) {
    if (const cudaError_t error = cudaMemsetAsync(pairs.status, 0xff, sizeof *pairs.status, stream))
      return error;
    if (const cudaError_t error = build(fresh, options, static_cast<const key_type *>(pairs.keys),
                                        static_cast<const value_type *>(pairs.values), pairs.n,
                                        {stream, pairs.status}, resource, hash, equal))
      return error;
    device_status status;
    if (const cudaError_t error = read_back(&status, pairs.status, 1, stream))
      return error;
    if (status.ok())
      return cudaSuccess;
    return status.error() == slab_error::pool_full ? cudaErrorMemoryAllocation
                                                   : cudaErrorInvalidValue;
  }
  options_type options_for(uint32_t num_buckets, uint32_t num_slabs) const {
    options_type options;
    options.num_buckets = num_buckets;
    options.num_slabs = num_slabs;
    options.empty_key = from_slab_bits<key_type>(owner::table_.format.empty_key);
    options.tombstone_key = from_slab_bits<key_type>(owner::table_.format.tombstone_key);
    options.absent_value = from_slab_bits<value_type>(owner::absent_);
    if constexpr (Pool::ref_type::grows)
      options.most_slabs = owner::pool_.limit();
    return options;
  }
};

} // namespace colonnade::detail
