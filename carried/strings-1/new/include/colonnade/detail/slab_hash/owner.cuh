//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// owner.cuh: the memory of a slab hash, and how its operations on arrays are launched.
//
// In: options, a resource, operations and arrays. Out: launches and, for calls that return when
// their work is done, the status. Invariant: move-only; an owner that was not created, or was moved
// from, refuses all calls; if creation fails the owner is as before.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/apart.hpp>
#include <colonnade/detail/arrays/joined.hpp>
#include <colonnade/detail/slab_hash/call_memory.cuh>
#include <colonnade/detail/slab_hash/dispatch.cuh>
#include <colonnade/detail/slab_hash/offsets.cuh>
#include <colonnade/detail/slab_hash/staged_pairs.cuh>
#include <colonnade/slab_alloc.cuh>
#include <colonnade/slab_hash_options.hpp>
#include <colonnade/slab_hash_ref.cuh>

namespace colonnade::detail {

template <class Table, class Pool, class Resource> class slab_owner {
public:
  using key_type = typename Table::key_type;
  using value_type = typename Table::value_type;
  using options_type = slab_map_options<key_type, value_type>;
  using ref_type = slab_ref<Table>;
  using hash_type = decltype(Table::hash);
  using equal_type = decltype(Table::format_type::equal);

  /// An empty dictionary in place of what was there; if it cannot be had, that is unchanged.
  [[nodiscard]] static cudaError_t create(slab_owner &dictionary, const options_type &options,
                                          cudaStream_t stream = nullptr, Resource resource = {},
                                          hash_type hash = {}, equal_type equal = {}) {
    slab_owner fresh;
    if (const cudaError_t error = fresh.allocate(options, stream, resource, hash, equal))
      return error;
    if (const cudaError_t error = fill_slabs({fresh.table_.buckets, options.num_buckets,
                                              fresh.table_.format.filling(), nullptr, 0, 0},
                                             stream))
      return error;
    dictionary = std::move(fresh);
    return cudaSuccess;
  }

  ref_type ref() const { return ref_type(table_); }
  /// Of device memory.
  size_t bytes() const { return buckets_.bytes() + pool_.bytes(); }
  /// Slabs of the pool, in chains or not.
  uint32_t num_slabs() const { return pool_.num_slabs(); }
  /// Only with a pool that grows: at least num_slabs of the pool. Kernels on other streams may use
  /// the dictionary meanwhile, and find the new slabs once the work queued here is done.
  [[nodiscard]] cudaError_t reserve(uint32_t num_slabs, cudaStream_t stream = nullptr) {
    return pool_.reserve(num_slabs, stream);
  }

protected:
  using half = typename Table::half;
  static constexpr bool has_values = !std::is_same_v<value_type, no_value>;

  /// All but the first slabs of chains, which are not filled.
  cudaError_t allocate(const options_type &options, cudaStream_t stream, const Resource &resource,
                       const hash_type &hash, const equal_type &equal) {
    const typename Table::format_type format{slab_bits(options.empty_key),
                                             slab_bits(options.tombstone_key), equal};
    if (options.num_buckets == 0 || format.empty_key == format.tombstone_key)
      return cudaErrorInvalidValue;
    temp_storage layout;
    const size_t buckets_at = layout.add<slab>(options.num_buckets);
    if (const cudaError_t error = Pool::create(pool_, options.num_slabs, stream, format.filling(),
                                               resource, options.most_slabs))
      return error;
    if (const cudaError_t error = buckets_.allocate(layout.bytes(), stream, resource))
      return error;
    table_ = {temp_storage::at<slab>(buckets_.get(), buckets_at), options.num_buckets, pool_.ref(),
              format, hash};
    absent_ = slab_bits(options.absent_value);
    slab_bytes_ = sizeof(slab) * (uint64_t{options.num_buckets} + pool_.num_slabs());
    resource_ = resource;
    return cudaSuccess;
  }

  bool is_there() const { return buckets_.get() != nullptr; }

  /// Both phases of a call that needs no storage.
  template <class Policy, class Operation, class KeysIn, class ValuesIn, class ValuesOut>
  cudaError_t run(void *d_temp, size_t &temp_bytes, const Operation &operation, KeysIn keys,
                  ValuesIn values, uint64_t n, ValuesOut values_out, bool *present,
                  uint64_t *undone, const run_options &options) const {
    constexpr size_t needed = 1;
    if (too_many(n) || !is_there() || (undone && !options.d_status))
      return cudaErrorInvalidValue;
    if (!d_temp || temp_bytes < needed)
      return report_bytes(d_temp, temp_bytes, needed);
    if (!valid_slab_inputs(keys, values, n) || !valid_array(undone, undone ? n : 0) ||
        !apart(keys, values, values_out, present, undone, n))
      return cudaErrorInvalidValue;
    return launch_slab_bulk<Policy>(arguments(operation, keys, values, n, values_out, present,
                                              {undone, options.d_status, options.d_status},
                                              all_items{}),
                                    slab_bytes_, options.stream);
  }

  /// Both phases: counts, then offsets.
  template <class Policy, class KeysIn>
  cudaError_t count_all(void *d_temp, size_t &temp_bytes, KeysIn keys, uint64_t n,
                        uint64_t *offsets, const run_options &options) const {
    return list<Policy>(d_temp, temp_bytes, keys, n, offsets, all_values<false>{}, options);
  }
  /// And then the values.
  template <class Policy, class KeysIn>
  cudaError_t list_all(void *d_temp, size_t &temp_bytes, KeysIn keys, uint64_t n, uint64_t *offsets,
                       value_type *values, uint64_t capacity, const run_options &options) const {
    return list<Policy>(d_temp, temp_bytes, keys, n, offsets, all_values<true>{values, capacity},
                        options);
  }

  /// call(d_temp, bytes, options), both phases of a call whose arguments are `valid`; done when it
  /// returns.
  template <class Call>
  cudaError_t to_end(bool valid, Call call, device_status &status, cudaStream_t stream) const {
    if (!is_there() || !valid)
      return cudaErrorInvalidValue;
    slab_call_memory<Resource> memory;
    if (const cudaError_t error = memory.create(0, stream, resource_))
      return error;
    const run_options options{stream, memory.reports().status};
    Resource resource = resource_;
    if (const cudaError_t error = single_phase(resource, stream, [&](void *d_temp, size_t &bytes) {
          return call(d_temp, bytes, options);
        }))
      return error;
    device_status full;
    return memory.read(status, full);
  }

  /// undone: null, or where the list of what was not done goes in the end.
  template <class Policy, class Operation, class KeysIn, class ValuesIn, class ValuesOut>
  cudaError_t insert_to_end(const Operation &operation, KeysIn keys, ValuesIn values, uint64_t n,
                            ValuesOut values_out, bool *present, uint64_t *undone,
                            device_status &status, cudaStream_t stream) {
    constexpr bool grows = Pool::ref_type::grows;
    status = {};
    if (!is_there() || !valid_slab_inputs(keys, values, n) ||
        !valid_array(undone, undone ? n : 0) ||
        !apart(keys, values, values_out, present, undone, n))
      return cudaErrorInvalidValue;
    slab_call_memory<Resource> memory;
    if (const cudaError_t error = memory.create(grows || undone ? n : 0, stream, resource_))
      return error;
    const auto launch = [&](auto items, uint64_t count) {
      return launch_slab_bulk<Policy>(
          arguments(operation, keys, values, count, values_out, present, memory.reports(), items),
          slab_bytes_, stream);
    };
    if (const cudaError_t error = launch(all_items{}, n))
      return error;
    device_status full;
    cudaError_t error = memory.read(status, full);
    if constexpr (grows)
      while (!error && !full.ok())
        error = go_on(launch, memory, full, stream);
    if (full.ok())
      return error;
    status = full;
    if (error && error != cudaErrorMemoryAllocation)
      return error;
    if (const cudaError_t lost = undone ? memory.copy_list(undone, full.detail()) : cudaSuccess)
      return lost;
    return cudaErrorMemoryAllocation;
  }

private:
  template <class KeysIn, class ValuesIn, class ValuesOut>
  static bool apart(KeysIn keys, ValuesIn values, ValuesOut values_out, const bool *present,
                    const uint64_t *undone, uint64_t n) {
    return written_apart({{values_out, n}, {present, n}, {undone, n}}, {{keys, n}, {values, n}});
  }
  template <class Operation, class KeysIn, class ValuesIn, class ValuesOut, class Items>
  auto arguments(const Operation &operation, KeysIn keys, ValuesIn values, uint64_t n,
                 ValuesOut values_out, bool *present, const slab_reports &reports,
                 Items items) const {
    return slab_bulk_arguments<Table, Operation, KeysIn, ValuesIn, ValuesOut, Items>{
        table_, operation, keys, values, n, {values_out, present, absent_}, reports, items};
  }
  /// Where the values of all keys go, if they are wanted.
  template <bool AreWanted> struct all_values {
    /// Whether they are taken along when they are counted.
    static constexpr bool are_staged = AreWanted && Table::format_type::multiple;
    value_type *array = nullptr;
    uint64_t capacity = ~uint64_t{0};

    uint64_t num_places() const { return AreWanted ? capacity : 0; }
  };
  /// The temporary storage of a list.
  struct list_storage {
    temp_storage all;
    size_t sums, staged_count, staged;

    template <class Values>
    list_storage(uint64_t tiles, const Values &values)
        : sums(all.add<uint64_t>(tiles)), staged_count(all.add<uint64_t>(Values::are_staged)),
          staged(all.add<staged_pair<value_type>>(Values::are_staged ? values.capacity : 0)) {}
    staged_pairs<value_type> pairs(void *d_temp, uint64_t capacity) const {
      return {temp_storage::at<staged_pair<value_type>>(d_temp, staged),
              temp_storage::at<uint64_t>(d_temp, staged_count), capacity};
    }
  };
  template <class Policy, class KeysIn, class Values>
  cudaError_t list(void *d_temp, size_t &temp_bytes, KeysIn keys, uint64_t n, uint64_t *offsets,
                   const Values &values, const run_options &options) const {
    const uint64_t tiles = offset_tiles(n);
    if (too_many(n) || tiles >> 31 || too_many(values.num_places()) || !is_there())
      return cudaErrorInvalidValue;
    const list_storage at(tiles, values);
    if (!d_temp || temp_bytes < at.all.bytes())
      return report_bytes(d_temp, temp_bytes, at.all.bytes());
    if (!valid_array(keys, n) || !valid_array(offsets, n + 1) ||
        !valid_array(values.array, values.num_places()) ||
        !written_apart({{offsets, n + 1}, {values.array, values.num_places()}}, {{keys, n}}))
      return cudaErrorInvalidValue;
    const auto each = [&](const auto &operation, auto out, device_status *status) {
      return launch_slab_bulk<Policy>(arguments(operation, keys, no_items{}, n, out, nullptr,
                                                {nullptr, status, status}, all_items{}),
                                      slab_bytes_, options.stream);
    };
    const staged_pairs<value_type> staged = at.pairs(d_temp, values.capacity);
    if (const cudaError_t error = count_each<Values>(each, staged, offsets, options))
      return error;
    if (const cudaError_t error =
            counts_to_offsets({offsets, n, temp_storage::at<uint64_t>(d_temp, at.sums), tiles,
                               values.capacity, options.d_status},
                              options.stream))
      return error;
    return write_values(each, staged, offsets, n, values, options.stream);
  }
  template <class Values, class Each>
  static cudaError_t count_each(Each each, const staged_pairs<value_type> &staged,
                                uint64_t *offsets, const run_options &options) {
    if constexpr (Values::are_staged) {
      if (const cudaError_t error =
              cudaMemsetAsync(staged.count, 0, sizeof *staged.count, options.stream))
        return error;
      return each(stage_operation<value_type>(staged), offsets, options.d_status);
    } else {
      return each(count_operation{}, offsets, options.d_status);
    }
  }
  /// Reserved keys have been reported.
  template <bool AreWanted, class Each>
  cudaError_t write_values(Each each, const staged_pairs<value_type> &staged,
                           const uint64_t *offsets, uint64_t n, const all_values<AreWanted> &values,
                           cudaStream_t stream) const {
    if constexpr (AreWanted) {
      constexpr bool are_staged = all_values<AreWanted>::are_staged;
      if constexpr (are_staged)
        if (const cudaError_t error =
                launch_place_values<value_type>({staged, offsets, values.array}, stream))
          return error;
      return each(find_all_operation<value_type>{offsets, values.array, values.capacity,
                                                 from_slab_bits<value_type>(absent_),
                                                 are_staged ? offsets + n : nullptr},
                  nothing{}, nullptr);
    }
    return cudaSuccess;
  }

  /// By what so many refused operations probably need; if there is no memory for it, by the least.
  cudaError_t grow_for(uint64_t undone, cudaStream_t stream) {
    const slabs_wanted wanted =
        slabs_for_refused(undone, Table::format_type::slots, table_.num_buckets);
    const cudaError_t error = pool_.grow(wanted.likely, stream);
    return error == cudaErrorMemoryAllocation ? pool_.grow(wanted.least, stream) : error;
  }
  /// Lets the pool grow, and does what was not done. full: how many they are, before and after.
  template <class Launch>
  cudaError_t go_on(Launch launch, slab_call_memory<Resource> &memory, device_status &full,
                    cudaStream_t stream) {
    const uint64_t undone = full.detail();
    listed_items items;
    if (const cudaError_t error = grow_for(undone, stream))
      return error;
    if (const cudaError_t error = memory.go_on(undone, items))
      return error;
    if (const cudaError_t error = launch(items, undone))
      return error;
    device_status of_all;
    return memory.read(of_all, full);
  }

protected:
  Pool pool_;
  owned_memory<Resource> buckets_;
  Table table_{};
  half absent_ = 0;
  uint64_t slab_bytes_ = 0; // when it was created: others may let the pool grow while this is read
  Resource resource_{};
};

} // namespace colonnade::detail
