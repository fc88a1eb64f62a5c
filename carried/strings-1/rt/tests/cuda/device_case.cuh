//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// device_case.cuh: what tests of every family call their kernels with: items of any size, arrays
// and temporary storage on the device with a red zone behind, a call in its two phases, and one
// captured to be replayed.
//
// In: numbers of items, calls. Out: what the device has written; a message where a red zone was
// written to. Invariant: nothing here knows of a family.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "gpu_test.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

/// An item of any size whose first bytes are its number.
template <size_t Bytes> struct blob {
  uint8_t byte[Bytes];
  friend bool operator==(const blob &a, const blob &b) {
    return std::memcmp(a.byte, b.byte, Bytes) == 0;
  }
};

template <class T> __host__ __device__ uint32_t number_of(const T &item) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<uint32_t>(item);
  } else {
    uint32_t number = 0;
    for (size_t i = 0; i < sizeof(T) && i < 4; ++i)
      number |= static_cast<uint32_t>(item.byte[i]) << 8 * i;
    return number;
  }
}
template <class T> T item_of(uint64_t number) {
  T item;
  uint64_t words[2] = {number, scramble(number)};
  std::memcpy(&item, words, sizeof(T));
  return item;
}

template <class Key> std::vector<Key> some_keys(uint64_t n, uint64_t seed) {
  std::vector<Key> keys(n);
  for (uint64_t i = 0; i < n; ++i)
    keys[i] = item_of<Key>(scramble(i + seed * 1000003));
  return keys;
}

/// Temporary storage is garbage, and unset where initcheck is to see who reads it.
enum class contents { garbage, unset };
inline contents contents_of_storage() {
  return std::getenv("COLONNADE_LEAVE_UNSET") ? contents::unset : contents::garbage;
}

template <class T> class device_array {
public:
  static constexpr size_t zone = 256;
  explicit device_array(uint64_t count, size_t offset_bytes = 0, contents c = contents::garbage)
      : bytes_(count * sizeof(T)), offset_(offset_bytes) {
    const size_t set_from = c == contents::garbage ? 0 : offset_ + bytes_;
    CUDA_OK(cudaMalloc(&d_raw_, bytes_ + offset_ + zone));
    CUDA_OK(cudaMemset(static_cast<char *>(d_raw_) + set_from, 0xa5,
                       bytes_ + offset_ + zone - set_from));
  }
  explicit device_array(const std::vector<T> &items) : device_array(items.size()) { write(items); }
  ~device_array() { CUDA_OK(cudaFree(d_raw_)); }
  device_array(const device_array &) = delete;

  T *get() const { return reinterpret_cast<T *>(static_cast<char *>(d_raw_) + offset_); }
  /// A copy from pageable memory returns when it is staged, maybe before it has
  /// arrived, and a stream that does not block on the default one does not wait.
  void write(const std::vector<T> &items) const {
    CUDA_OK(cudaMemcpy(get(), items.data(), bytes_, cudaMemcpyHostToDevice));
    CUDA_OK(cudaStreamSynchronize(nullptr));
  }
  std::vector<T> read() const {
    std::vector<T> items(bytes_ / sizeof(T));
    CUDA_OK(cudaMemcpy(items.data(), get(), bytes_, cudaMemcpyDeviceToHost));
    return items;
  }
  void expect_intact(const char *what) const {
    unsigned char bytes[zone];
    CUDA_OK(
        cudaMemcpy(bytes, reinterpret_cast<char *>(get()) + bytes_, zone, cudaMemcpyDeviceToHost));
    EXPECT(std::all_of(bytes, bytes + zone, [](unsigned char b) { return b == 0xa5; }),
           "%s: written beyond its end", what);
  }

private:
  uint64_t bytes_;
  size_t offset_;
  void *d_raw_ = nullptr;
};

/// A call in its two phases, with storage of an odd alignment.
template <class Call> void call_twice(Call call) {
  size_t bytes = 0;
  CUDA_OK(call(nullptr, bytes));
  EXPECT(bytes >= 1, "no bytes");
  device_array<uint8_t> temp(bytes, 3, contents_of_storage());
  CUDA_OK(call(temp.get(), bytes));
  CUDA_OK(cudaDeviceSynchronize());
  temp.expect_intact("temporary storage");
}

/// A call captured once, to be replayed.
class captured_graph {
public:
  template <class Call> explicit captured_graph(Call call) {
    cudaGraph_t graph;
    CUDA_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CUDA_OK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    CUDA_OK(call(stream_));
    CUDA_OK(cudaStreamEndCapture(stream_, &graph));
    CUDA_OK(cudaGraphInstantiate(&executable_, graph, 0));
    CUDA_OK(cudaGraphDestroy(graph));
  }
  ~captured_graph() {
    CUDA_OK(cudaGraphExecDestroy(executable_));
    CUDA_OK(cudaStreamDestroy(stream_));
  }
  captured_graph(const captured_graph &) = delete;
  void replay() const {
    CUDA_OK(cudaGraphLaunch(executable_, stream_));
    CUDA_OK(cudaStreamSynchronize(stream_));
  }

private:
  cudaStream_t stream_;
  cudaGraphExec_t executable_;
};
