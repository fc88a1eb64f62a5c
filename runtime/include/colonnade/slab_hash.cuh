//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// slab_hash.cuh: a dictionary on the GPU that changes while it is used: chains of 128-byte slabs.
//
//   slab_map      owns the memory; operations on arrays of keys
//   slab_map_ref  in kernels: the same operations for a thread alone
//   slab_map_warp in kernels: the same for a warp, each lane with a key or without
//
//   operation          if the key is absent      if it is present
//   find, contains     found nothing             the value
//   insert             the pair is inserted      nothing changes
//   insert_or_assign   the pair is inserted      its value is replaced
//   erase              nothing changes           the pair is erased
//
//   keys, values trivially copyable types of 32 bits. Keys are compared by their bits, or by the
//                user's function; equal keys must have equal hashes. Hash and equality: functors,
//                __device__ const, trivially copyable, pure. Hash: uint32_t(key), all bits of it
//                should depend on the key. If equal keys differ in bits, the last that was assigned
//                stays
//   reserved     two keys of the caller's choice, by default the two largest of 32 bits, are no
//                keys: their operations are skipped, and reported (slab_error::reserved_key)
//   promised     operations on one key are linearisable, in one kernel or in several that run at
//                once, by whichever of the three forms. Nothing is promised about the order of
//                operations on different keys. Equal keys in one array take effect in some order
//   erased pairs leave a tombstone: the slot waits for its key, and is used again if that comes
//                back; other keys do not use it
//   full pool    an insertion that needs a slab when there is none changes nothing. The status says
//                slab_error::pool_full and how many they are; their indices are in d_undone, in any
//                order; all other operations are complete. A warp, or a thread alone, holds a slab
//                for a moment for each chain that it lengthens, and gives it back if another came
//                first; so an operation may be refused while as many are free as do that at once
//   work         a chain has 1 + a slabs, a from n / (15 B): an operation reads the slabs up to its
//                key's, or all of them; a change is one atomic more. An operation that meets others
//                at its slot reads the slab again
//   depth        the slabs of the longest chain; operations on equal keys, which share a slot,
//                follow each other there
//   traffic      128 bytes a slab that is read, and the arrays
//   temporary    1 byte: none is used
//   growth       a growing_slab_map's pool grows by `reserve`, also while kernels use the map; its
//                slabs cost one load more to reach. Chains stay as many as they are
//   memory       128 bytes a chain and 128 bytes and a bit a slab of the pool, when the map is
//                created or its pool grows
//   stability    which of equal keys in an array takes effect last is unspecified
//   determinism  what the map holds and what is answered, if no key comes twice in changes that run
//                at once; where it stands depends on timing
//   aliasing     the arrays of a call are distinct; calls that run at once write different arrays
//   synchronises …_async calls never: they are graph-capturable, and all work is queued on
//                options.stream. Creation and destruction queue work on the stream of creation.
//                Calls without _async allocate, and return when their work is done; what an
//                asynchronous call reports is in `status`. Of a growing_slab_map they let the pool
//                grow by half, or more, and go on with what was not done, until all is; only one
//                host thread at a time may let it grow. They need 8 bytes a key then, and 16 while
//                they go on
//   n = 0        valid; n is below 2^57
//   returns      cudaErrorInvalidValue, before any CUDA call, for null or unaligned arrays, too
//                little storage, d_undone without a status, a map that was not created, for
//                creation without chains, with too many slabs or equal reserved keys;
//                cudaErrorMemoryAllocation, also of a synchronous insertion whose pool is full and
//                cannot grow; cudaErrorStreamCaptureUnsupported for creation, reserve and
//                synchronous calls in a captured stream; else what CUDA calls return
//
// Source: S. Ashkiani, thesis (2017), chapter 5. What differs: docs/decisions/0020-slab-hash.md.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/joined.hpp>
#include <colonnade/detail/slab_hash/call_memory.cuh>
#include <colonnade/detail/slab_hash/dispatch.cuh>
#include <colonnade/detail/slab_hash/sizing.hpp>
#include <colonnade/slab_alloc.cuh>

namespace colonnade {

template <class Key, class Value> struct slab_map_options {
  uint32_t num_buckets = 0; // chains, each of which begins with a slab of its own
  uint32_t num_slabs = 0;   // in the pool
  Key empty_key = detail::from_slab_bits<Key>(~0u);
  Key tombstone_key = detail::from_slab_bits<Key>(~0u - 1);
  Value absent_value = detail::from_slab_bits<Value>(~0u); // what find writes for absent keys
};

/// Room for num_pairs distinct keys, which then take this share of the memory of the slabs that
/// they stand in: 0.05 to 0.9. At 0.5 nearly every chain is one slab; see
/// docs/runtime/slab_hash.md.
template <class Key, class Value>
slab_map_options<Key, Value> slab_map_options_for(uint64_t num_pairs, double utilisation = 0.5) {
  const detail::slab_counts counts = detail::slabs_for(num_pairs, utilisation);
  slab_map_options<Key, Value> options;
  options.num_buckets = counts.buckets;
  options.num_slabs = counts.slabs;
  return options;
}

/// What an operation found. value: only if the key was present; the one that is there, or that was
/// there before.
template <class Value> struct slab_found {
  slab_answer was;
  Value value;
  COLONNADE_HOST_DEVICE bool present() const { return was == slab_answer::present; }
};

template <class Table, uint32_t Lanes, uint32_t InFlight> class slab_map_warp;

/// What kernels take: trivially copyable, valid as long as the map. Its operations are called by
/// any thread, wherever it is; those of a warp (slab_map_warp) are faster.
template <class Table> class slab_map_ref {
public:
  using key_type = typename Table::key_type;
  using value_type = typename Table::value_type;
  /// Lanes that read a slab together, and slabs that they have asked for at once.
  template <uint32_t Lanes = 8, uint32_t InFlight = 2>
  using warp = slab_map_warp<Table, Lanes, InFlight>;

  slab_map_ref() = default;
  explicit slab_map_ref(const Table &table) : table_(table) {}

  __device__ slab_found<value_type> find(const key_type &key) const {
    return run<slab_operation::find>(key, 0);
  }
  __device__ bool contains(const key_type &key) const { return find(key).present(); }
  __device__ slab_found<value_type> insert(const key_type &key, const value_type &value) const {
    return run<slab_operation::insert>(key, detail::slab_bits(value));
  }
  __device__ slab_found<value_type> insert_or_assign(const key_type &key,
                                                     const value_type &value) const {
    return run<slab_operation::insert_or_assign>(key, detail::slab_bits(value));
  }
  __device__ slab_found<value_type> erase(const key_type &key) const {
    return run<slab_operation::erase>(key, 0);
  }

  /// The slabs themselves; their format is in detail/slab_hash/slab.hpp and may change.
  COLONNADE_HOST_DEVICE const Table &table() const { return table_; }

private:
  template <class, uint32_t, uint32_t> friend class slab_map_warp;

  template <slab_operation Operation>
  __device__ slab_found<value_type> run(const key_type &key, uint32_t value) const {
    using namespace detail;
    const device_slab_machine machine;
    slab_worker<device_slab_machine, Table, 1, 1> worker(machine, table_);
    const slab_outcome outcome = worker.run(true, fixed_operation<Operation>{}, key, value);
    return {outcome.was, from_slab_bits<value_type>(outcome.value)};
  }
  Table table_;
};

/// One for each thread, made once in a kernel: it remembers where the warp takes slabs. All lanes
/// of the warp call its operations together; those that have one say so.
template <class Table, uint32_t Lanes, uint32_t InFlight> class slab_map_warp {
public:
  using key_type = typename Table::key_type;
  using value_type = typename Table::value_type;
  using found = slab_found<value_type>;

  __device__ explicit slab_map_warp(const slab_map_ref<Table> &map)
      : table_(map.table_), worker_(machine_, table_) {}
  slab_map_warp(const slab_map_warp &) = delete;
  slab_map_warp &operator=(const slab_map_warp &) = delete;

  __device__ found find(bool has, const key_type &key) {
    return run(has, detail::fixed_operation<slab_operation::find>{}, key, value_type{});
  }
  __device__ bool contains(bool has, const key_type &key) { return find(has, key).present(); }
  __device__ found insert(bool has, const key_type &key, const value_type &value) {
    return run(has, detail::fixed_operation<slab_operation::insert>{}, key, value);
  }
  __device__ found insert_or_assign(bool has, const key_type &key, const value_type &value) {
    return run(has, detail::fixed_operation<slab_operation::insert_or_assign>{}, key, value);
  }
  __device__ found erase(bool has, const key_type &key) {
    return run(has, detail::fixed_operation<slab_operation::erase>{}, key, value_type{});
  }
  /// Each lane its own operation.
  __device__ found apply(bool has, slab_operation operation, const key_type &key,
                         const value_type &value) {
    return run(has, operation, key, value);
  }

private:
  template <class Operation>
  __device__ found run(bool has, Operation operation, const key_type &key,
                       const value_type &value) {
    const detail::slab_outcome outcome = worker_.run(has, operation, key, detail::slab_bits(value));
    return {outcome.was, detail::from_slab_bits<value_type>(outcome.value)};
  }
  const detail::device_slab_machine machine_{};
  const Table table_;
  detail::slab_worker<detail::device_slab_machine, Table, Lanes, InFlight> worker_;
};

/// Unique keys. Resource: as in single_phase.cuh. Pool: light_slab_pool, or slab_pool, which grows.
template <class Key, class Value, class Hash = slab_hash_function, class Equal = equal_bits,
          class Resource = async_resource, template <class> class Pool = light_slab_pool>
class slab_map {
  using pool_type = Pool<Resource>;
  using table_type = detail::slab_table<Key, Value, Hash, Equal, typename pool_type::ref_type>;
  using no_values = detail::no_items;

public:
  using key_type = Key;
  using value_type = Value;
  using options_type = slab_map_options<Key, Value>;
  using ref_type = slab_map_ref<table_type>;

  /// An empty map in place of `map`; if it cannot be had, that is unchanged.
  [[nodiscard]] static cudaError_t create(slab_map &map, const options_type &options,
                                          cudaStream_t stream = nullptr, Resource resource = {},
                                          Hash hash = {}, Equal equal = {}) {
    using namespace detail;
    const slab_format<Key, Equal> format{slab_bits(options.empty_key),
                                         slab_bits(options.tombstone_key), equal};
    if (options.num_buckets == 0 || format.empty_key == format.tombstone_key)
      return cudaErrorInvalidValue;
    slab_map fresh;
    temp_storage layout;
    const size_t buckets_at = layout.add<slab>(options.num_buckets);
    if (const cudaError_t error =
            pool_type::create(fresh.pool_, options.num_slabs, stream, format.open(), resource))
      return error;
    if (const cudaError_t error = fresh.buckets_.allocate(layout.bytes(), stream, resource))
      return error;
    slab *buckets = temp_storage::at<slab>(fresh.buckets_.get(), buckets_at);
    if (const cudaError_t error =
            fill_slabs({buckets, options.num_buckets, format.open(), nullptr, 0, 0}, stream))
      return error;
    fresh.table_ = {buckets, options.num_buckets, fresh.pool_.ref(), format, hash};
    fresh.absent_ = slab_bits(options.absent_value);
    fresh.resource_ = resource;
    map = std::move(fresh);
    return cudaSuccess;
  }

  ref_type ref() const { return ref_type(table_); }
  /// Of device memory.
  size_t bytes() const { return buckets_.bytes() + pool_.bytes(); }
  /// Slabs of the pool, in chains or not.
  uint32_t num_slabs() const { return pool_.num_slabs(); }
  /// Only with a pool that grows: at least num_slabs of the pool. Kernels on other streams may use
  /// the map meanwhile, and find the new slabs once the work queued here is done.
  [[nodiscard]] cudaError_t reserve(uint32_t num_slabs, cudaStream_t stream = nullptr) {
    return pool_.reserve(num_slabs, stream);
  }

  /// d_values[i] = the value of d_keys[i], or absent_value. d_present: null, or whether it is
  /// there.
  template <class KeysIn, class ValuesOut, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t find_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                       KeysIn d_keys, ValuesOut d_values, uint64_t num_keys,
                                       bool *d_present = nullptr, run_options options = {},
                                       Policy = {}) const {
    if (d_temp_storage && !detail::valid_array(d_values, num_keys))
      return cudaErrorInvalidValue;
    return run<slab_operation::find, Policy>(d_temp_storage, temp_storage_bytes, d_keys,
                                             no_values{}, num_keys, d_values, d_present, nullptr,
                                             options);
  }
  /// d_present[i]: whether d_keys[i] is there.
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t contains_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                           KeysIn d_keys, bool *d_present, uint64_t num_keys,
                                           run_options options = {}, Policy = {}) const {
    if (d_temp_storage && !detail::valid_array(d_present, num_keys))
      return cudaErrorInvalidValue;
    return run<slab_operation::find, Policy>(d_temp_storage, temp_storage_bytes, d_keys,
                                             no_values{}, num_keys, detail::nothing{}, d_present,
                                             nullptr, options);
  }
  /// d_present: null, or whether the key was there before. d_undone: null, or room for the indices
  /// of all operations, of which those that were not done are written; it takes options.d_status.
  template <class KeysIn, class ValuesIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                         KeysIn d_keys, ValuesIn d_values, uint64_t num_keys,
                                         bool *d_present = nullptr, uint64_t *d_undone = nullptr,
                                         run_options options = {}, Policy = {}) {
    return run<slab_operation::insert, Policy>(d_temp_storage, temp_storage_bytes, d_keys, d_values,
                                               num_keys, detail::nothing{}, d_present, d_undone,
                                               options);
  }
  /// The same arrays.
  template <class KeysIn, class ValuesIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t
  insert_or_assign_async(void *d_temp_storage, size_t &temp_storage_bytes, KeysIn d_keys,
                         ValuesIn d_values, uint64_t num_keys, bool *d_present = nullptr,
                         uint64_t *d_undone = nullptr, run_options options = {}, Policy = {}) {
    return run<slab_operation::insert_or_assign, Policy>(d_temp_storage, temp_storage_bytes, d_keys,
                                                         d_values, num_keys, detail::nothing{},
                                                         d_present, d_undone, options);
  }
  /// d_present: null, or whether the key was there before.
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t erase_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                        KeysIn d_keys, uint64_t num_keys, bool *d_present = nullptr,
                                        run_options options = {}, Policy = {}) {
    return run<slab_operation::erase, Policy>(d_temp_storage, temp_storage_bytes, d_keys,
                                              no_values{}, num_keys, detail::nothing{}, d_present,
                                              nullptr, options);
  }

  // The same, done when they return; status: what an asynchronous call reports.

  template <class KeysIn, class ValuesOut, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t find(KeysIn d_keys, ValuesOut d_values, uint64_t num_keys,
                                 device_status &status, bool *d_present = nullptr,
                                 cudaStream_t stream = nullptr, Policy = {}) const {
    if (!detail::valid_array(d_values, num_keys))
      return cudaErrorInvalidValue;
    return run_to_end<slab_operation::find, Policy>(d_keys, num_keys, d_values, d_present, status,
                                                    stream);
  }
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t contains(KeysIn d_keys, bool *d_present, uint64_t num_keys,
                                     device_status &status, cudaStream_t stream = nullptr,
                                     Policy = {}) const {
    if (!detail::valid_array(d_present, num_keys))
      return cudaErrorInvalidValue;
    return run_to_end<slab_operation::find, Policy>(d_keys, num_keys, detail::nothing{}, d_present,
                                                    status, stream);
  }
  /// The pool grows as far as needed, if it can; else the status says pool_full, and the call
  /// returns cudaErrorMemoryAllocation.
  template <class KeysIn, class ValuesIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert(KeysIn d_keys, ValuesIn d_values, uint64_t num_keys,
                                   device_status &status, bool *d_present = nullptr,
                                   cudaStream_t stream = nullptr, Policy = {}) {
    return insert_to_end<slab_operation::insert, Policy>(d_keys, d_values, num_keys, d_present,
                                                         status, stream);
  }
  template <class KeysIn, class ValuesIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert_or_assign(KeysIn d_keys, ValuesIn d_values, uint64_t num_keys,
                                             device_status &status, bool *d_present = nullptr,
                                             cudaStream_t stream = nullptr, Policy = {}) {
    return insert_to_end<slab_operation::insert_or_assign, Policy>(d_keys, d_values, num_keys,
                                                                   d_present, status, stream);
  }
  template <class KeysIn, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t erase(KeysIn d_keys, uint64_t num_keys, device_status &status,
                                  bool *d_present = nullptr, cudaStream_t stream = nullptr,
                                  Policy = {}) {
    return run_to_end<slab_operation::erase, Policy>(d_keys, num_keys, detail::nothing{}, d_present,
                                                     status, stream);
  }

private:
  template <slab_operation Operation, class Policy, class KeysIn, class ValuesIn, class ValuesOut>
  cudaError_t run(void *d_temp, size_t &temp_bytes, KeysIn keys, ValuesIn values, uint64_t n,
                  ValuesOut values_out, bool *present, uint64_t *undone,
                  const run_options &options) const {
    using namespace detail;
    constexpr size_t bytes = 1;
    if (too_many(n) || !buckets_.get() || (undone && !options.d_status))
      return cudaErrorInvalidValue;
    if (!d_temp || temp_bytes < bytes)
      return report_bytes(d_temp, temp_bytes, bytes);
    if (!valid_slab_inputs(keys, values, n) || !valid_array(undone, undone ? n : 0))
      return cudaErrorInvalidValue;
    return launch_slab_bulk<Policy, Operation>(
        arguments(keys, values, n, values_out, present,
                  {undone, options.d_status, options.d_status}, all_items{}),
        options.stream);
  }
  template <class KeysIn, class ValuesIn, class ValuesOut, class Items>
  auto arguments(KeysIn keys, ValuesIn values, uint64_t n, ValuesOut values_out, bool *present,
                 const detail::slab_reports &reports, Items items) const {
    return detail::slab_bulk_arguments<table_type, KeysIn, ValuesIn, ValuesOut, Items>{
        table_, keys, values, n, {values_out, present, absent_}, reports, items};
  }

  /// Of find and erase.
  template <slab_operation Operation, class Policy, class KeysIn, class ValuesOut>
  cudaError_t run_to_end(KeysIn keys, uint64_t n, ValuesOut values_out, bool *present,
                         device_status &status, cudaStream_t stream) const {
    using namespace detail;
    if (!buckets_.get() || !valid_slab_inputs(keys, no_values{}, n))
      return cudaErrorInvalidValue;
    slab_call_memory<Resource> memory;
    if (const cudaError_t error = memory.create(0, stream, resource_))
      return error;
    if (const cudaError_t error = launch_slab_bulk<Policy, Operation>(
            arguments(keys, no_values{}, n, values_out, present, memory.reports(), all_items{}),
            stream))
      return error;
    device_status full;
    return memory.read(status, full);
  }
  template <slab_operation Operation, class Policy, class KeysIn, class ValuesIn>
  cudaError_t insert_to_end(KeysIn keys, ValuesIn values, uint64_t n, bool *present,
                            device_status &status, cudaStream_t stream) {
    using namespace detail;
    constexpr bool grows = pool_type::ref_type::grows;
    if (!buckets_.get() || !valid_slab_inputs(keys, values, n))
      return cudaErrorInvalidValue;
    slab_call_memory<Resource> memory;
    if (const cudaError_t error = memory.create(grows ? n : 0, stream, resource_))
      return error;
    const auto launch = [&](auto items, uint64_t count) {
      return launch_slab_bulk<Policy, Operation>(
          arguments(keys, values, count, nothing{}, present, memory.reports(), items), stream);
    };
    if (const cudaError_t error = launch(all_items{}, n))
      return error;
    device_status full;
    cudaError_t error = memory.read(status, full);
    if constexpr (grows)
      while (!error && !full.ok())
        error = go_on(launch, memory, full, stream);
    if (!full.ok())
      status = full;
    return error || full.ok() ? error : cudaErrorMemoryAllocation;
  }
  /// Lets the pool grow, and does what was not done. full: how many they are, before and after.
  template <class Launch>
  cudaError_t go_on(Launch launch, detail::slab_call_memory<Resource> &memory, device_status &full,
                    cudaStream_t stream) {
    const uint64_t undone = full.detail();
    detail::listed_items items;
    if (const cudaError_t error = pool_.grow(undone / detail::slab_slots + 1, stream))
      return error;
    if (const cudaError_t error = memory.go_on(undone, items))
      return error;
    if (const cudaError_t error = launch(items, undone))
      return error;
    device_status of_all;
    return memory.read(of_all, full);
  }

  pool_type pool_;
  detail::owned_memory<Resource> buckets_;
  table_type table_{};
  uint32_t absent_ = 0;
  Resource resource_{};
};

/// A map whose pool of slabs grows.
template <class Key, class Value, class Hash = slab_hash_function, class Equal = equal_bits,
          class Resource = async_resource>
using growing_slab_map = slab_map<Key, Value, Hash, Equal, Resource, slab_pool>;

} // namespace colonnade
