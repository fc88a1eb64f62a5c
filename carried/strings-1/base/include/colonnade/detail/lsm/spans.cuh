//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// spans.cuh: the operations of a log-structured merge tree, for spans.
//
// In: cuda::std::span, or anything else with data() and size(). Out: what the form for pointers
// returns; cudaErrorInvalidValue, before any CUDA call, if sizes that must be equal differ.
// Invariant: arrays that may be left out (d_present) stay pointers, to as many entries as there are
// keys.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/spans.hpp>
#include <colonnade/device_status.hpp>
#include <colonnade/lsm_tuning.hpp>
#include <colonnade/run_options.cuh>

namespace colonnade::detail {

/// Tree: an lsm_map of such values.
template <class Tree, class Value> class lsm_spans {
public:
  template <span_like Keys, span_like Values, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t insert_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                         const Keys &keys, const Values &values,
                                         run_options options = {}, Policy policy = {}) {
    return same_size(keys, values)
               ? self().insert_async(d_temp_storage, temp_storage_bytes, keys.data(), values.data(),
                                     keys.size(), options, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Values, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t insert(const Keys &keys, const Values &values, device_status &status,
                                   cudaStream_t stream = nullptr, Policy policy = {}) {
    return same_size(keys, values)
               ? self().insert(keys.data(), values.data(), keys.size(), status, stream, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t erase_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                        const Keys &keys, run_options options = {},
                                        Policy policy = {}) {
    return self().erase_async(d_temp_storage, temp_storage_bytes, keys.data(), keys.size(), options,
                              policy);
  }
  template <span_like Keys, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t erase(const Keys &keys, device_status &status,
                                  cudaStream_t stream = nullptr, Policy policy = {}) {
    return self().erase(keys.data(), keys.size(), status, stream, policy);
  }
  template <span_like Keys, span_like Values, span_like Erases, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t update_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                         const Keys &keys, const Values &values,
                                         const Erases &erases, run_options options = {},
                                         Policy policy = {}) {
    return same_size(keys, values, erases)
               ? self().update_async(d_temp_storage, temp_storage_bytes, keys.data(), values.data(),
                                     erases.data(), keys.size(), options, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Values, span_like Erases, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t update(const Keys &keys, const Values &values, const Erases &erases,
                                   device_status &status, cudaStream_t stream = nullptr,
                                   Policy policy = {}) {
    return same_size(keys, values, erases)
               ? self().update(keys.data(), values.data(), erases.data(), keys.size(), status,
                               stream, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Values, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t find_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                       const Keys &keys, const Values &values,
                                       bool *d_present = nullptr, Value absent = {},
                                       run_options options = {}, Policy policy = {}) const {
    return same_size(keys, values)
               ? self().find_async(d_temp_storage, temp_storage_bytes, keys.data(), values.data(),
                                   keys.size(), d_present, absent, options, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Values, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t find(const Keys &keys, const Values &values, bool *d_present = nullptr,
                                 Value absent = {}, cudaStream_t stream = nullptr,
                                 Policy policy = {}) const {
    return same_size(keys, values) ? self().find(keys.data(), values.data(), keys.size(), d_present,
                                                 absent, stream, policy)
                                   : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like NextKeys, span_like Values, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t
  successor_async(void *d_temp_storage, size_t &temp_storage_bytes, const Keys &keys,
                  const NextKeys &next_keys, const Values &values, bool *d_present,
                  Value absent = {}, run_options options = {}, Policy policy = {}) const {
    return same_size(keys, next_keys, values)
               ? self().successor_async(d_temp_storage, temp_storage_bytes, keys.data(),
                                        keys.size(), next_keys.data(), values.data(), d_present,
                                        absent, options, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like NextKeys, span_like Values, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t
  predecessor_async(void *d_temp_storage, size_t &temp_storage_bytes, const Keys &keys,
                    const NextKeys &next_keys, const Values &values, bool *d_present,
                    Value absent = {}, run_options options = {}, Policy policy = {}) const {
    return same_size(keys, next_keys, values)
               ? self().predecessor_async(d_temp_storage, temp_storage_bytes, keys.data(),
                                          keys.size(), next_keys.data(), values.data(), d_present,
                                          absent, options, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like NextKeys, span_like Values, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t successor(const Keys &keys, const NextKeys &next_keys,
                                      const Values &values, bool *d_present, Value absent = {},
                                      cudaStream_t stream = nullptr, Policy policy = {}) const {
    return same_size(keys, next_keys, values)
               ? self().successor(keys.data(), keys.size(), next_keys.data(), values.data(),
                                  d_present, absent, stream, policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like NextKeys, span_like Values, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t predecessor(const Keys &keys, const NextKeys &next_keys,
                                        const Values &values, bool *d_present, Value absent = {},
                                        cudaStream_t stream = nullptr, Policy policy = {}) const {
    return same_size(keys, next_keys, values)
               ? self().predecessor(keys.data(), keys.size(), next_keys.data(), values.data(),
                                    d_present, absent, stream, policy)
               : cudaErrorInvalidValue;
  }
  /// offsets: one more than ranges.
  template <span_like Keys, span_like Offsets, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t count_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                        const Keys &first_keys, const Keys &last_keys,
                                        const Offsets &offsets, run_options options = {},
                                        Policy policy = {}) const {
    return same_size(first_keys, last_keys) && offsets.size() == first_keys.size() + 1
               ? self().count_async(d_temp_storage, temp_storage_bytes, first_keys.data(),
                                    last_keys.data(), offsets.data(), first_keys.size(), options,
                                    policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Offsets, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t count(const Keys &first_keys, const Keys &last_keys,
                                  const Offsets &offsets, cudaStream_t stream = nullptr,
                                  Policy policy = {}) const {
    return same_size(first_keys, last_keys) && offsets.size() == first_keys.size() + 1
               ? self().count(first_keys.data(), last_keys.data(), offsets.data(),
                              first_keys.size(), stream, policy)
               : cudaErrorInvalidValue;
  }
  /// As many elements as there is room for.
  template <span_like Keys, span_like Offsets, span_like KeysOut, span_like Values,
            class Policy = lsm_policy>
  [[nodiscard]] cudaError_t
  range_async(void *d_temp_storage, size_t &temp_storage_bytes, const Keys &first_keys,
              const Keys &last_keys, const Offsets &offsets, const KeysOut &keys_out,
              const Values &values_out, run_options options = {}, Policy policy = {}) const {
    return same_size(first_keys, last_keys) && offsets.size() == first_keys.size() + 1 &&
                   same_size(keys_out, values_out)
               ? self().range_async(d_temp_storage, temp_storage_bytes, first_keys.data(),
                                    last_keys.data(), first_keys.size(), offsets.data(),
                                    keys_out.data(), values_out.data(), keys_out.size(), options,
                                    policy)
               : cudaErrorInvalidValue;
  }
  template <span_like Keys, span_like Offsets, span_like KeysOut, span_like Values,
            class Policy = lsm_policy>
  [[nodiscard]] cudaError_t range(const Keys &first_keys, const Keys &last_keys,
                                  const Offsets &offsets, const KeysOut &keys_out,
                                  const Values &values_out, device_status &status,
                                  cudaStream_t stream = nullptr, Policy policy = {}) const {
    return same_size(first_keys, last_keys) && offsets.size() == first_keys.size() + 1 &&
                   same_size(keys_out, values_out)
               ? self().range(first_keys.data(), last_keys.data(), first_keys.size(),
                              offsets.data(), keys_out.data(), values_out.data(), keys_out.size(),
                              status, stream, policy)
               : cudaErrorInvalidValue;
  }
  /// As many elements as there is room for.
  template <span_like Keys, span_like Values, class Policy = lsm_policy>
  [[nodiscard]] cudaError_t retrieve_all_async(void *d_temp_storage, size_t &temp_storage_bytes,
                                               const Keys &keys, const Values &values,
                                               uint64_t *d_num_elements, run_options options = {},
                                               Policy policy = {}) const {
    return same_size(keys, values)
               ? self().retrieve_all_async(d_temp_storage, temp_storage_bytes, keys.data(),
                                           values.data(), keys.size(), d_num_elements, options,
                                           policy)
               : cudaErrorInvalidValue;
  }

private:
  Tree &self() { return static_cast<Tree &>(*this); }
  const Tree &self() const { return static_cast<const Tree &>(*this); }
};

} // namespace colonnade::detail
