//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// device.cuh: the two buffers of a stream of text on a GPU.
//
// In: a matcher's ref, and how large chunks are. Out: what pipeline.hpp asks of a device.
// Invariant: memory only grows, up to what two chunks need: text, temporary storage, positions.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/owned_memory.cuh>
#include <colonnade/string_matching.cuh>

#include <algorithm>

namespace colonnade::detail {

/// Host memory that copies go from and to at once.
class pinned_memory {
public:
  pinned_memory() = default;
  pinned_memory(pinned_memory &&other) noexcept {
    std::swap(memory_, other.memory_), std::swap(bytes_, other.bytes_);
  }
  pinned_memory &operator=(pinned_memory &&other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~pinned_memory() {
    if (memory_)
      (void)cudaFreeHost(memory_);
  }
  /// At least so many; what was there is lost if there were fewer.
  cudaError_t reserve(size_t bytes) {
    if (bytes <= bytes_)
      return cudaSuccess;
    pinned_memory fresh;
    if (const cudaError_t error = cudaMallocHost(&fresh.memory_, bytes))
      return error;
    fresh.bytes_ = bytes;
    *this = std::move(fresh);
    return cudaSuccess;
  }
  void *get() const { return memory_; }

private:
  void *memory_ = nullptr;
  size_t bytes_ = 0;
};

template <class Resource> class stream_buffer {
public:
  stream_buffer() = default;
  stream_buffer(stream_buffer &&other) noexcept { *this = std::move(other); }
  stream_buffer &operator=(stream_buffer &&other) noexcept {
    std::swap(stream, other.stream);
    d_text = std::move(other.d_text), d_temp = std::move(other.d_temp);
    d_positions = std::move(other.d_positions), d_number = std::move(other.d_number);
    number = std::move(other.number), staging = std::move(other.staging);
    positions = std::move(other.positions);
    return *this;
  }
  ~stream_buffer() {
    if (!stream)
      return;
    for (owned_memory<Resource> *m : {&d_text, &d_temp, &d_positions, &d_number})
      *m = {};
    (void)cudaStreamDestroy(stream);
  }
  cudaError_t create() {
    return stream ? cudaSuccess : cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  }

  cudaStream_t stream = nullptr;
  owned_memory<Resource> d_text, d_temp, d_positions, d_number;
  pinned_memory number, staging, positions;
};

template <class Resource> class stream_device {
public:
  explicit stream_device(const Resource &resource) : resource_(resource) {}

  /// For texts of n bytes; chunk_bytes: at most so many.
  cudaError_t prepare(matcher_ref pattern, uint64_t n, uint64_t chunk_bytes, bool lists) {
    pattern_ = pattern;
    chunk_bytes_ = std::min(n, std::max({chunk_bytes, 4 * pattern.length(), least_chunk_bytes}));
    capacity_ = std::max<uint64_t>(chunk_bytes_ / 64, least_capacity);
    for (stream_buffer<Resource> &b : buffers_) {
      if (n == chunk_bytes_ && &b != buffers_)
        break; // one is enough
      if (const cudaError_t error = b.create())
        return error;
      const uint64_t text_bytes = std::max(chunk_bytes_, least_chunk_bytes);
      if (const cudaError_t error = grow(b.d_text, text_bytes, b.stream))
        return error;
      if (const cudaError_t error = grow(b.d_number, sizeof(uint64_t), b.stream))
        return error;
      if (const cudaError_t error = b.number.reserve(sizeof(uint64_t)))
        return error;
      if (lists)
        if (const cudaError_t error = grow(b.d_positions, capacity_ * sizeof(uint64_t), b.stream))
          return error;
    }
    return cudaSuccess;
  }
  /// Of device memory.
  size_t bytes() const {
    size_t all = 0;
    for (const stream_buffer<Resource> &b : buffers_)
      all += b.d_text.bytes() + b.d_temp.bytes() + b.d_positions.bytes() + b.d_number.bytes();
    return all;
  }

  uint64_t chunk_bytes() const { return chunk_bytes_; }
  uint64_t capacity() const { return capacity_; }
  bool copies_from(const uint8_t *memory, uint64_t bytes) const {
    if (!memory)
      return false;
    for (const uint8_t *at : {memory, memory + (bytes - 1)}) {
      cudaPointerAttributes attributes{};
      if (cudaPointerGetAttributes(&attributes, at) != cudaSuccess ||
          attributes.type == cudaMemoryTypeUnregistered)
        return false;
    }
    return true;
  }
  cudaError_t staging(uint32_t b, uint8_t *&memory) {
    const cudaError_t error =
        buffers_[b].staging.reserve(std::max(chunk_bytes_, least_chunk_bytes));
    memory = static_cast<uint8_t *>(buffers_[b].staging.get());
    return error;
  }
  cudaError_t copy_in(uint32_t b, const uint8_t *from, uint64_t bytes) {
    return cudaMemcpyAsync(buffers_[b].d_text.get(), from, bytes, cudaMemcpyDefault,
                           buffers_[b].stream);
  }
  cudaError_t match(uint32_t b, uint64_t first, uint64_t bytes, bool lists) {
    stream_buffer<Resource> &buffer = buffers_[b];
    size_t temp_bytes = 0;
    if (const cudaError_t error = match_bytes(bytes, lists, nullptr, temp_bytes, {}))
      return error;
    if (const cudaError_t error = grow(buffer.d_temp, temp_bytes, buffer.stream))
      return error;
    temp_bytes = buffer.d_temp.bytes();
    if (const cudaError_t error =
            match_bytes(bytes, lists, buffer.d_temp.get(), temp_bytes, {&buffer, first}))
      return error;
    return cudaMemcpyAsync(buffer.number.get(), buffer.d_number.get(), sizeof(uint64_t),
                           cudaMemcpyDeviceToHost, buffer.stream);
  }
  cudaError_t wait(uint32_t b) {
    return buffers_[b].stream ? cudaStreamSynchronize(buffers_[b].stream) : cudaSuccess;
  }
  uint64_t number(uint32_t b) const {
    return *static_cast<const uint64_t *>(buffers_[b].number.get());
  }
  cudaError_t positions(uint32_t b, uint64_t count, uint64_t *&result) {
    stream_buffer<Resource> &buffer = buffers_[b];
    if (const cudaError_t error = buffer.positions.reserve(capacity_ * sizeof(uint64_t)))
      return error;
    result = static_cast<uint64_t *>(buffer.positions.get());
    if (const cudaError_t error =
            cudaMemcpyAsync(result, buffer.d_positions.get(), count * sizeof(uint64_t),
                            cudaMemcpyDeviceToHost, buffer.stream))
      return error;
    return cudaStreamSynchronize(buffer.stream);
  }

private:
  static constexpr uint64_t least_chunk_bytes = 1u << 20, least_capacity = 1024;
  struct place {
    stream_buffer<Resource> *buffer = nullptr;
    uint64_t first = 0;
  };

  /// Both phases.
  cudaError_t match_bytes(uint64_t bytes, bool lists, void *d_temp, size_t &temp_bytes,
                          const place &at) const {
    const uint8_t *d_text = nullptr;
    uint64_t *d_number = nullptr, *d_positions = nullptr;
    run_options options;
    if (at.buffer) {
      d_text = static_cast<const uint8_t *>(at.buffer->d_text.get()) + at.first;
      d_number = static_cast<uint64_t *>(at.buffer->d_number.get());
      d_positions = static_cast<uint64_t *>(at.buffer->d_positions.get());
      options.stream = at.buffer->stream;
    }
    if (!lists)
      return count_matches(d_temp, temp_bytes, pattern_, d_text, bytes, d_number, options);
    return find_matches(d_temp, temp_bytes, pattern_, d_text, bytes, d_positions, capacity_,
                        d_number, options);
  }
  cudaError_t grow(owned_memory<Resource> &memory, size_t bytes, cudaStream_t stream) {
    // Not a little more for each of many small texts.
    return memory.bytes() >= bytes
               ? cudaSuccess
               : memory.allocate(std::max<size_t>(bytes, 1u << 16), stream, resource_);
  }

  Resource resource_;
  matcher_ref pattern_;
  uint64_t chunk_bytes_ = 0, capacity_ = 0;
  stream_buffer<Resource> buffers_[2];
};

} // namespace colonnade::detail
