//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// device.cuh: the two buffers of a stream of text on a GPU.
//
// In: a search, and how large chunks are. Out: what pipeline.hpp asks of a device. Invariant:
// memory only grows, up to what two chunks need: text, temporary storage, positions.
//
// Search: what is looked for.
//   shortest(), longest(), most_at_place()   as in stream_plan
//   has_patterns                             matches have numbers of patterns
//   count(d_temp, temp_bytes, d_text, n, d_number, options)
//   find(d_temp, temp_bytes, d_text, n, d_positions, d_patterns, capacity, d_number, options)
//                                            two-phase calls; d_patterns is null if !has_patterns
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/device/owned_memory.cuh>
#include <colonnade/detail/string_matching/stream/pipeline.hpp>
#include <colonnade/run_options.cuh>

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
    d_positions = std::move(other.d_positions), d_patterns = std::move(other.d_patterns);
    d_numbers = std::move(other.d_numbers), numbers = std::move(other.numbers);
    positions = std::move(other.positions), patterns = std::move(other.patterns);
    return *this;
  }
  ~stream_buffer() {
    if (!stream)
      return;
    for (owned_memory<Resource> *m : {&d_text, &d_temp, &d_positions, &d_patterns, &d_numbers})
      *m = {};
    (void)cudaStreamDestroy(stream);
  }
  cudaError_t create() {
    return stream ? cudaSuccess : cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  }

  cudaError_t grow(owned_memory<Resource> &memory, size_t bytes, const Resource &resource) {
    // Not a little more for each of many small texts.
    return memory.bytes() >= bytes
               ? cudaSuccess
               : memory.allocate(std::max<size_t>(bytes, 1u << 16), stream, resource);
  }
  size_t bytes() const {
    return d_text.bytes() + d_temp.bytes() + d_positions.bytes() + d_patterns.bytes() +
           d_numbers.bytes();
  }

  cudaStream_t stream = nullptr;
  /// d_numbers: of matches, and of those among them that begin in the overlap.
  owned_memory<Resource> d_text, d_temp, d_positions, d_patterns, d_numbers;
  pinned_memory numbers, positions, patterns;
};

/// What stays for the next call.
template <class Resource> struct stream_buffers {
  Resource resource;
  stream_buffer<Resource> of[2];
  pinned_memory staging[staging_slots];

  size_t bytes() const { return of[0].bytes() + of[1].bytes(); }
};

template <class Resource, class Search> class stream_device {
public:
  stream_device(stream_buffers<Resource> &buffers, const Search &search)
      : buffers_(buffers.of), staging_(buffers.staging), resource_(buffers.resource),
        search_(search) {}

  /// chunk_bytes: at most so many.
  cudaError_t prepare(const text_source &source, uint64_t chunk_bytes, bool lists) {
    const uint64_t n = source.size();
    if (!copies_from(source.memory(), n)) // is read by few megabytes, which stay in the cache
      chunk_bytes = std::min(chunk_bytes, std::max(read_chunk_bytes, 32 * search_.longest()));
    chunk_bytes_ = std::min(n, std::max({chunk_bytes, 4 * search_.longest(), least_chunk_bytes}));
    capacity_ = std::max({chunk_bytes_ / 64, least_capacity, search_.most_at_place()});
    for (uint32_t i : {0u, 1u}) {
      if (n == chunk_bytes_ && i == 1)
        break; // one is enough
      if (const cudaError_t error = prepare(buffers_[i], lists))
        return error;
    }
    return cudaSuccess;
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
  cudaError_t staging(uint32_t slot, uint8_t *&memory) {
    const cudaError_t error = staging_[slot].reserve(std::max(chunk_bytes_, least_chunk_bytes));
    memory = static_cast<uint8_t *>(staging_[slot].get());
    return error;
  }
  cudaError_t copy_in(uint32_t b, const uint8_t *from, uint64_t bytes) {
    return cudaMemcpyAsync(buffers_[b].d_text.get(), from, bytes, cudaMemcpyDefault,
                           buffers_[b].stream);
  }
  cudaError_t match(uint32_t b, const stream_part &part, bool lists) {
    stream_buffer<Resource> &buffer = buffers_[b];
    const bool counts_twice = Search::has_patterns && !lists && part.overlap > 0;
    in_overlap_[b] = counts_twice;
    if (const cudaError_t error = search(buffer, part.first, part.bytes, lists, 0))
      return error;
    if (counts_twice)
      if (const cudaError_t error =
              search(buffer, part.first + part.bytes - part.overlap, part.overlap, false, 1))
        return error;
    return cudaMemcpyAsync(buffer.numbers.get(), buffer.d_numbers.get(),
                           (1 + counts_twice) * sizeof(uint64_t), cudaMemcpyDeviceToHost,
                           buffer.stream);
  }
  cudaError_t wait(uint32_t b) {
    return buffers_[b].stream ? cudaStreamSynchronize(buffers_[b].stream) : cudaSuccess;
  }
  uint64_t number(uint32_t b) const {
    const auto *const numbers = static_cast<const uint64_t *>(buffers_[b].numbers.get());
    return in_overlap_[b] ? numbers[0] - numbers[1] : numbers[0];
  }
  cudaError_t matches(uint32_t b, uint64_t count, stream_matches &result) {
    stream_buffer<Resource> &buffer = buffers_[b];
    result.positions = nullptr;
    if (const cudaError_t error =
            copy_out(buffer, buffer.positions, buffer.d_positions, count, result.positions))
      return error;
    if constexpr (Search::has_patterns) {
      uint32_t *patterns = nullptr;
      if (const cudaError_t error =
              copy_out(buffer, buffer.patterns, buffer.d_patterns, count, patterns))
        return error;
      result.patterns = patterns;
    }
    return cudaStreamSynchronize(buffer.stream);
  }

private:
  static constexpr uint64_t least_chunk_bytes = 1u << 20, read_chunk_bytes = 8u << 20,
                            least_capacity = 1024;

  cudaError_t prepare(stream_buffer<Resource> &b, bool lists) {
    cudaError_t error = b.create();
    const auto grow = [&](owned_memory<Resource> &memory, size_t bytes) {
      if (!error)
        error = b.grow(memory, bytes, resource_);
    };
    grow(b.d_text, std::max(chunk_bytes_, least_chunk_bytes));
    grow(b.d_numbers, 2 * sizeof(uint64_t));
    if (!error)
      error = b.numbers.reserve(2 * sizeof(uint64_t));
    if (lists)
      grow(b.d_positions, capacity_ * sizeof(uint64_t));
    if (lists && Search::has_patterns)
      grow(b.d_patterns, capacity_ * sizeof(uint32_t));
    return error;
  }
  /// Its number becomes d_numbers[which].
  cudaError_t search(stream_buffer<Resource> &b, uint64_t first, uint64_t bytes, bool lists,
                     uint32_t which) {
    const uint8_t *const d_text = static_cast<const uint8_t *>(b.d_text.get()) + first;
    uint64_t *const d_number = static_cast<uint64_t *>(b.d_numbers.get()) + which;
    const auto call = [&](void *d_temp, size_t &temp_bytes) {
      const run_options options{b.stream, nullptr};
      return lists ? search_.find(d_temp, temp_bytes, d_text, bytes,
                                  static_cast<uint64_t *>(b.d_positions.get()),
                                  static_cast<uint32_t *>(b.d_patterns.get()), capacity_, d_number,
                                  options)
                   : search_.count(d_temp, temp_bytes, d_text, bytes, d_number, options);
    };
    size_t temp_bytes = 0;
    if (const cudaError_t error = call(nullptr, temp_bytes))
      return error;
    if (const cudaError_t error = b.grow(b.d_temp, temp_bytes, resource_))
      return error;
    temp_bytes = b.d_temp.bytes();
    return call(b.d_temp.get(), temp_bytes);
  }
  template <class T>
  cudaError_t copy_out(const stream_buffer<Resource> &b, pinned_memory &memory,
                       const owned_memory<Resource> &from, uint64_t count, T *&result) {
    if (const cudaError_t error = memory.reserve(capacity_ * sizeof(T)))
      return error;
    result = static_cast<T *>(memory.get());
    return cudaMemcpyAsync(result, from.get(), count * sizeof(T), cudaMemcpyDeviceToHost, b.stream);
  }

  stream_buffer<Resource> *const buffers_;
  pinned_memory *const staging_;
  const Resource &resource_;
  const Search search_;
  uint64_t chunk_bytes_ = 0, capacity_ = 0;
  bool in_overlap_[2] = {};
};

} // namespace colonnade::detail
