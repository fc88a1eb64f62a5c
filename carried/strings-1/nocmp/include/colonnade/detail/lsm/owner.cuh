//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// owner.cuh: the memory of a log-structured merge tree.
//
// In: options, a resource. Out: a table with as many levels as are wanted. Invariant: move-only; an
// owner that was not created, or was moved from, refuses all calls; what is there stays as it is
// where memory cannot be had. A level is a piece of memory of its own, so growing moves nothing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/arrays/temp_storage.hpp>
#include <colonnade/detail/device/owned_memory.cuh>
#include <colonnade/detail/device/read_back.cuh>
#include <colonnade/detail/lsm/mend_runs.hpp>
#include <colonnade/detail/lsm/table_of.hpp>
#include <colonnade/lsm_options.hpp>
#include <colonnade/run_options.cuh>
#include <colonnade/single_phase.cuh>

#include <array>
#include <utility>

namespace colonnade::detail {

template <class Key, class Value, class Resource> class lsm_owner {
public:
  using key_type = Key;
  using value_type = Value;
  using table_type = lsm_table_of<Key, Value>;

  lsm_owner() { check_lsm_types<Key, Value>(); }
  lsm_owner(lsm_owner &&other) noexcept { swap(other); }
  lsm_owner &operator=(lsm_owner &&other) noexcept {
    lsm_owner(std::move(other)).swap(*this);
    return *this;
  }

  /// Elements that there is room for, stale ones included.
  uint64_t capacity() const { return is_there() ? table_.capacity() : 0; }
  uint64_t batch_size() const { return table_.batch_size; }
  /// Of device memory.
  size_t bytes() const {
    size_t all = memory_.bytes();
    for (const auto &level : level_memory_)
      all += level.bytes();
    return all;
  }

  /// Room for so many elements, stale ones included; what is there stays.
  [[nodiscard]] cudaError_t reserve(uint64_t num_elements, cudaStream_t stream = nullptr) {
    if (!is_there())
      return cudaErrorInvalidValue;
    uint32_t levels = 0;
    if (!levels_for(num_elements, table_.batch_size, levels))
      return cudaErrorInvalidValue;
    return add_levels(levels, stream);
  }

  /// What is in the tree once the work queued so far is done.
  [[nodiscard]] cudaError_t statistics(lsm_statistics &statistics,
                                       cudaStream_t stream = nullptr) const {
    lsm_state state{};
    if (!is_there())
      return cudaErrorInvalidValue;
    if (const cudaError_t error = refuse_capture(stream))
      return error;
    if (const cudaError_t error = read_back(&state, table_.state, 1, stream))
      return error;
    statistics.full_levels = state.batches;
    statistics.num_elements = state.batches * table_.batch_size + state.buffered;
    return cudaSuccess;
  }

protected:
  using raw = typename table_type::raw;
  using raw_value = typename table_type::value;
  using slice = typename table_type::slice;
  using layout = typename table_type::layout;

  bool is_there() const { return table_.state != nullptr; }

  cudaError_t create_empty(const lsm_options &options, cudaStream_t stream,
                           const Resource &resource) {
    uint32_t levels = 0;
    if (!levels_for(options.capacity, options.batch_size, levels))
      return cudaErrorInvalidValue;
    const layout buffer(options.batch_size);
    temp_storage places;
    const size_t state_at = places.add<lsm_state>(1), digits_at = places.add<lsm_digits>(1),
                 first_at = places.add<char>(buffer.bytes),
                 second_at = places.add<char>(buffer.bytes);
    resource_ = resource;
    stream_ = stream;
    order_ = options.order;
    if (const cudaError_t error = memory_.allocate(places.bytes(), stream, resource))
      return error;
    table_.batch_size = options.batch_size;
    table_.format.flip = lsm_flip<Key>();
    table_.buffers[0] = temp_storage::at<char>(memory_.get(), first_at);
    table_.buffers[1] = temp_storage::at<char>(memory_.get(), second_at);
    for (char *at : table_.buffers)
      if (const cudaError_t error = no_tombstones(at, buffer, stream))
        return error;
    table_.state = temp_storage::at<lsm_state>(memory_.get(), state_at);
    digits_ = temp_storage::at<lsm_digits>(memory_.get(), digits_at);
    if (const cudaError_t error = cudaMemsetAsync(digits_, 0, sizeof *digits_, stream))
      return error;
    if (const cudaError_t error =
            cudaMemsetAsync(&digits_->high, 0xff, sizeof digits_->high, stream))
      return error;
    if (const cudaError_t error = clear(stream))
      return error;
    return add_levels(levels, stream);
  }
  cudaError_t clear(cudaStream_t stream) {
    return cudaMemsetAsync(table_.state, 0, sizeof(lsm_state), stream);
  }

  /// call(d_temp, bytes, options), both phases; done when it returns.
  template <class Call>
  cudaError_t to_end(Call call, device_status &status, cudaStream_t stream) const {
    if (!is_there())
      return cudaErrorInvalidValue;
    owned_memory<Resource> memory;
    temp_storage places;
    const size_t status_at = places.add<device_status>(1);
    if (const cudaError_t error = memory.allocate(places.bytes(), stream, resource_))
      return error;
    device_status *d_status = temp_storage::at<device_status>(memory.get(), status_at);
    if (const cudaError_t error = cudaMemsetAsync(d_status, 0xff, sizeof *d_status, stream))
      return error;
    Resource resource = resource_;
    if (const cudaError_t error = single_phase(resource, stream, [&](void *d_temp, size_t &bytes) {
          return call(d_temp, bytes, run_options{stream, d_status});
        }))
      return error;
    return read_back(&status, d_status, 1, stream);
  }

private:
  static cudaError_t no_tombstones(char *memory, const layout &at, cudaStream_t stream) {
    return cudaMemsetAsync(memory + at.tombstones, 0, at.tombstone_bytes(), stream);
  }
  /// So that there are `levels`.
  cudaError_t add_levels(uint32_t levels, cudaStream_t stream) {
    std::array<owned_memory<Resource>, most_lsm_levels> fresh;
    for (uint32_t i = table_.num_levels; i < levels; ++i) {
      const layout at(table_.level_size(i));
      if (const cudaError_t error =
              fresh[i].allocate(at.bytes + temp_storage::alignment, stream, resource_))
        return error;
      if (const cudaError_t error =
              no_tombstones(temp_storage::at<char>(fresh[i].get(), 0), at, stream))
        return error;
    }
    for (uint32_t i = table_.num_levels; i < levels; ++i) {
      level_memory_[i] = std::move(fresh[i]);
      level_memory_[i].give_back_on(stream_); // the caller's stream may have ended by then
      table_.levels[i] = temp_storage::at<char>(level_memory_[i].get(), 0);
    }
    table_.num_levels = std::max(table_.num_levels, levels);
    return cudaSuccess;
  }
  void swap(lsm_owner &other) {
    std::swap(memory_, other.memory_);
    std::swap(level_memory_, other.level_memory_);
    std::swap(table_, other.table_);
    std::swap(digits_, other.digits_);
    std::swap(resource_, other.resource_);
    std::swap(stream_, other.stream_);
    std::swap(order_, other.order_);
  }

  owned_memory<Resource> memory_; // the state, what is learned, and the buffers
  std::array<owned_memory<Resource>, most_lsm_levels> level_memory_;

protected:
  table_type table_{};
  lsm_digits *digits_ = nullptr; // on the device
  Resource resource_{};
  cudaStream_t stream_ = nullptr; // of creation
  lsm_order order_ = lsm_order::deletions_win;
};

} // namespace colonnade::detail
