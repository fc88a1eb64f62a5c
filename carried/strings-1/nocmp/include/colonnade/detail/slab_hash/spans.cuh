//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// spans.cuh: the operations on arrays of a slab hash, for spans.
//
// In: cuda::std::span, or anything else with data() and size(). Out: what the form for pointers
// returns; cudaErrorInvalidValue, before any CUDA call, if sizes that must be equal differ.
// Invariant: arrays that may be left out (d_present, d_undone, d_old_values) stay pointers, to as
// many entries as there are keys.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/spans.hpp>
#include <colonnade/device_status.hpp>
#include <colonnade/run_options.cuh>
#include <colonnade/slab_hash_tuning.hpp>

namespace colonnade::detail {

/// Map: a slab_dictionary of such values.
template <class Map, class Value> class slab_spans {
public:
  template <span_like Keys, span_like Values, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t find_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                       const Keys &keys, const Values &values,
                                       bool *d_present = nullptr, run_options options = {},
                                       Policy policy = {}) const {
    return same_size(keys, values)
               ? self().find_async(d_temp_storage, temp_storage_bytes, keys.data(), values.data(),
                                   keys.size(), d_present, options, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Values, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t find(const Keys &keys, const Values &values, device_status &status,
                                 bool *d_present = nullptr, cudaStream_t stream = nullptr,
                                 Policy policy = {}) const {
    return same_size(keys, values) ? self().find(keys.data(), values.data(), keys.size(), status,
                                                 d_present, stream, policy)
                                   : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Present, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t contains_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                           const Keys &keys, const Present &present,
                                           run_options options = {}, Policy policy = {}) const {
    return same_size(keys, present)
               ? self().contains_async(d_temp_storage, temp_storage_bytes, keys.data(),
                                       present.data(), keys.size(), options, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Present, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t contains(const Keys &keys, const Present &present,
                                     device_status &status, cudaStream_t stream = nullptr,
                                     Policy policy = {}) const {
    return same_size(keys, present)
               ? self().contains(keys.data(), present.data(), keys.size(), status, stream, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Values, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                         const Keys &keys, const Values &values,
                                         bool *d_present = nullptr, uint64_t *d_undone = nullptr,
                                         run_options options = {}, Policy policy = {}) {
    return same_size(keys, values)
               ? self().insert_async(d_temp_storage, temp_storage_bytes, keys.data(), values.data(),
                                     keys.size(), d_present, d_undone, options, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Values, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert(const Keys &keys, const Values &values, device_status &status,
                                   bool *d_present = nullptr, uint64_t *d_undone = nullptr,
                                   cudaStream_t stream = nullptr, Policy policy = {}) {
    return same_size(keys, values) ? self().insert(keys.data(), values.data(), keys.size(), status,
                                                   d_present, d_undone, stream, policy)
                                   : cudaErrorInvalidValue;
  }
  /// Of a set.
  template <span_like Keys, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                         const Keys &keys, bool *d_present = nullptr,
                                         uint64_t *d_undone = nullptr, run_options options = {},
                                         Policy policy = {}) {
    return self().insert_async(d_temp_storage, temp_storage_bytes, keys.data(), keys.size(),
                               d_present, d_undone, options, policy);
  }
  template <span_like Keys, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert(const Keys &keys, device_status &status,
                                   bool *d_present = nullptr, uint64_t *d_undone = nullptr,
                                   cudaStream_t stream = nullptr, Policy policy = {}) {
    return self().insert(keys.data(), keys.size(), status, d_present, d_undone, stream, policy);
  }
  template <span_like Keys, span_like Values, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert_or_assign_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                                   const Keys &keys, const Values &values,
                                                   bool *d_present = nullptr,
                                                   uint64_t *d_undone = nullptr,
                                                   run_options options = {}, Policy policy = {}) {
    return same_size(keys, values)
               ? self().insert_or_assign_async(d_temp_storage, temp_storage_bytes, keys.data(),
                                               values.data(), keys.size(), d_present, d_undone,
                                               options, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Values, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert_or_assign(const Keys &keys, const Values &values,
                                             device_status &status, bool *d_present = nullptr,
                                             uint64_t *d_undone = nullptr,
                                             cudaStream_t stream = nullptr, Policy policy = {}) {
    return same_size(keys, values)
               ? self().insert_or_assign(keys.data(), values.data(), keys.size(), status, d_present,
                                         d_undone, stream, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Values, class Apply, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t
  insert_or_apply_async(void *d_temp_storage, size_t &temp_storage_bytes, const Keys &keys,
                        const Values &values, Apply apply, Value *d_old_values = nullptr,
                        bool *d_present = nullptr, uint64_t *d_undone = nullptr,
                        run_options options = {}, Policy policy = {}) {
    return same_size(keys, values)
               ? self().insert_or_apply_async(d_temp_storage, temp_storage_bytes, keys.data(),
                                              values.data(), keys.size(), apply, d_old_values,
                                              d_present, d_undone, options, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Values, class Apply, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t insert_or_apply(const Keys &keys, const Values &values, Apply apply,
                                            device_status &status, Value *d_old_values = nullptr,
                                            bool *d_present = nullptr, uint64_t *d_undone = nullptr,
                                            cudaStream_t stream = nullptr, Policy policy = {}) {
    return same_size(keys, values)
               ? self().insert_or_apply(keys.data(), values.data(), keys.size(), apply, status,
                                        d_old_values, d_present, d_undone, stream, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t erase_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                        const Keys &keys, bool *d_present = nullptr,
                                        run_options options = {}, Policy policy = {}) {
    return self().erase_async(d_temp_storage, temp_storage_bytes, keys.data(), keys.size(),
                              d_present, options, policy);
  }
  template <span_like Keys, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t erase(const Keys &keys, device_status &status,
                                  bool *d_present = nullptr, cudaStream_t stream = nullptr,
                                  Policy policy = {}) {
    return self().erase(keys.data(), keys.size(), status, d_present, stream, policy);
  }
  /// offsets: one more than keys.
  template <span_like Keys, span_like Offsets, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t count_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                        const Keys &keys, const Offsets &offsets,
                                        run_options options = {}, Policy policy = {}) const {
    return offsets.size() == keys.size() + 1
               ? self().count_async(d_temp_storage, temp_storage_bytes, keys.data(), offsets.data(),
                                    keys.size(), options, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Offsets, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t count(const Keys &keys, const Offsets &offsets, device_status &status,
                                  cudaStream_t stream = nullptr, Policy policy = {}) const {
    return offsets.size() == keys.size() + 1
               ? self().count(keys.data(), offsets.data(), keys.size(), status, stream, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Counts, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t erase_all_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                            const Keys &keys, const Counts &counts,
                                            run_options options = {}, Policy policy = {}) {
    return same_size(keys, counts)
               ? self().erase_all_async(d_temp_storage, temp_storage_bytes, keys.data(),
                                        counts.data(), keys.size(), options, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Counts, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t erase_all(const Keys &keys, const Counts &counts, device_status &status,
                                      cudaStream_t stream = nullptr, Policy policy = {}) {
    return same_size(keys, counts)
               ? self().erase_all(keys.data(), counts.data(), keys.size(), status, stream, policy)
               : cudaErrorInvalidValue;
  }
  /// As many values as there is room for; offsets: one more than keys.
  template <span_like Keys, span_like Offsets, span_like Values, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t find_all_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                           const Keys &keys, const Offsets &offsets,
                                           const Values &values, run_options options = {},
                                           Policy policy = {}) const {
    return offsets.size() == keys.size() + 1
               ? self().find_all_async(d_temp_storage, temp_storage_bytes, keys.data(), keys.size(),
                                       offsets.data(), values.data(), values.size(), options,
                                       policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Offsets, span_like Values, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t find_all(const Keys &keys, const Offsets &offsets, const Values &values,
                                     device_status &status, cudaStream_t stream = nullptr,
                                     Policy policy = {}) const {
    return offsets.size() == keys.size() + 1
               ? self().find_all(keys.data(), keys.size(), offsets.data(), values.data(),
                                 values.size(), status, stream, policy)
               : cudaErrorInvalidValue;
  }
  /// As many pairs as there is room for.
  template <span_like Keys, span_like Values, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t retrieve_all_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                               const Keys &keys, const Values &values,
                                               uint64_t *d_num_pairs, run_options options = {},
                                               Policy policy = {}) const {
    return same_size(keys, values)
               ? self().retrieve_all_async(d_temp_storage, temp_storage_bytes, keys.data(),
                                           values.data(), keys.size(), d_num_pairs, options, policy)
               : cudaErrorInvalidValue;
  }
  /// Of a set.
  template <span_like Keys, class Policy = slab_hash_policy>
  [[nodiscard]] cudaError_t retrieve_all_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                               const Keys &keys, uint64_t *d_num_pairs,
                                               run_options options = {}, Policy policy = {}) const {
    return self().retrieve_all_async(d_temp_storage, temp_storage_bytes, keys.data(), keys.size(),
                                     d_num_pairs, options, policy);
  }

  // A new dictionary; more: resource, hash, equality.

  template <class Options, span_like Keys, span_like Values, class... More>
  [[nodiscard]] static cudaError_t build(Map &map, const Options &options, const Keys &keys,
                                         const Values &values, run_options run = {},
                                         const More &...more) {
    return same_size(keys, values)
               ? Map::build(map, options, keys.data(), values.data(), keys.size(), run, more...)
               : cudaErrorInvalidValue;
  }
  /// Of a set.
  template <class Options, span_like Keys, class... More>
  [[nodiscard]] static cudaError_t build(Map &set, const Options &options, const Keys &keys,
                                         run_options run = {}, const More &...more) {
    return Map::build(set, options, keys.data(), static_cast<const Value *>(nullptr), keys.size(),
                      run, more...);
  }
  /// Of arrays on the host.
  template <class Options, span_like Keys, span_like Values, class... More>
  [[nodiscard]] static cudaError_t from_host(Map &map, const Options &options, const Keys &keys,
                                             const Values &values, cudaStream_t stream = nullptr,
                                             const More &...more) {
    return same_size(keys, values) ? Map::from_host(map, options, keys.data(), values.data(),
                                                    keys.size(), stream, more...)
                                   : cudaErrorInvalidValue;
  }
  template <class Options, span_like Keys, class... More>
  [[nodiscard]] static cudaError_t from_host(Map &set, const Options &options, const Keys &keys,
                                             cudaStream_t stream = nullptr, const More &...more) {
    return Map::from_host(set, options, keys.data(), nullptr, keys.size(), stream, more...);
  }

private:
  Map &self() { return static_cast<Map &>(*this); }
  const Map &self() const { return static_cast<const Map &>(*this); }
};

} // namespace colonnade::detail
