//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// device_cuda.cuh: the chunk scheduler's device, implemented with the CUDA runtime.
//
// In: the current device. Out: a device of device.hpp, which the caller deletes.
// Invariant: its streams do not synchronise with the default stream, and no pending CUDA
// error of the caller is cleared.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/device.hpp>
#include <colonnade/bulk/kernel.cuh>
#include <colonnade/bulk/transpose.cuh>
#include <colonnade/detail/device/launch.cuh>

#include <new>

namespace colonnade::runtime {

namespace detail {
inline namespace publish_v1 {
struct published {
  uint32_t *words; // pinned, and thereby mapped
  const uint32_t *d_words;
  uint32_t num_words;
};
/// One warp writes to host memory directly: a copy would wait for the large copies queued
/// before it. A template, so that every translation unit may contain it.
template <class Words> __global__ void publish_words(Words of) {
  for (uint32_t i = threadIdx.x; i < of.num_words; i += 32)
    of.words[i] = of.d_words[i];
}
} // namespace publish_v1
} // namespace detail

/// CellSizes: the sum of the cell sizes in bytes that the arrays have; transposes of other sizes
/// are not compiled.
template <unsigned CellSizes = 15> class cuda_device final : public device {
public:
  /// The current device; null, with a status, if there is none.
  static device *open(status &result) {
    int count = 0, index = 0;
    const cudaError_t counted = cudaGetDeviceCount(&count);
    if (counted != cudaSuccess || count == 0) {
      result = status::failure(status_code::no_device,
                               std::string("no CUDA device: ") + cudaGetErrorString(counted));
      return nullptr;
    }
    result = cuda_status(cudaGetDevice(&index), "no CUDA device");
    return result.ok() ? open_index(result, index) : nullptr;
  }
  /// The first device follows the last.
  device *open_behind(status &result, unsigned number) const override {
    int counted = 0;
    result = cuda_status(cudaGetDeviceCount(&counted), "no CUDA device");
    const auto count = static_cast<unsigned>(counted);
    if (result.ok() && number >= count)
      result = status::failure(status_code::invalid_argument,
                               count == 1 ? "there is one CUDA device"
                                          : "there are " + std::to_string(count) + " CUDA devices");
    return result.ok()
               ? open_index(result,
                            static_cast<int>((static_cast<unsigned>(index_) + number) % count))
               : nullptr;
  }

  const char *name() const override { return name_.c_str(); }
  status use() override { return cuda_status(cudaSetDevice(index_), "choosing a CUDA device"); }
  uint64_t free_bytes() override {
    int before = index_;
    size_t free = 0, total = 0;
    if (cudaGetDevice(&before) != cudaSuccess || (before != index_ && !use()))
      return 0;
    const cudaError_t asked = cudaMemGetInfo(&free, &total);
    if (before != index_)
      (void)cudaSetDevice(before);
    return asked == cudaSuccess ? free : 0;
  }
  uint64_t tile(const function_info &) const override { return 32; }
  uint64_t full_load() const override { return busy_threads_ * multiprocessors_; }

  status allocate(uint64_t bytes, void **d_memory) override {
    return cuda_status(cudaMalloc(d_memory, bytes), "allocating device memory");
  }
  void release(void *d_memory) override { (void)cudaFree(d_memory); }
  status allocate_pinned(uint64_t bytes, void **memory) override {
    return cuda_status(cudaMallocHost(memory, bytes), "allocating pinned memory");
  }
  void release_pinned(void *memory) override { (void)cudaFreeHost(memory); }

  status create_stream(stream *result) override {
    cudaStream_t created = nullptr;
    const status made = cuda_status(cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking),
                                    "creating a stream");
    *result = created;
    return made;
  }
  void destroy_stream(stream s) override { (void)cudaStreamDestroy(as_stream(s)); }
  status create_event(event *result) override {
    cudaEvent_t created = nullptr;
    const status made = cuda_status(cudaEventCreateWithFlags(&created, cudaEventDisableTiming),
                                    "creating an event");
    *result = created;
    return made;
  }
  void destroy_event(event e) override { (void)cudaEventDestroy(as_event(e)); }

  status record(event e, stream s) override {
    return cuda_status(cudaEventRecord(as_event(e), as_stream(s)), "recording an event");
  }
  status wait(stream s, event e) override {
    return cuda_status(cudaStreamWaitEvent(as_stream(s), as_event(e), 0), "waiting on an event");
  }
  status synchronize_event(event e) override {
    return cuda_status(cudaEventSynchronize(as_event(e)), "running on the GPU");
  }
  status synchronize() override {
    return cuda_status(cudaDeviceSynchronize(), "running on the GPU");
  }

  status copy_in(void *d_target, const void *source, const copy_shape &c, stream s) override {
    return copy(d_target, c.device_pitch_bytes, source, c.host_pitch_bytes, c,
                cudaMemcpyHostToDevice, s);
  }
  status copy_out(void *target, const void *d_source, const copy_shape &c, stream s) override {
    return copy(target, c.host_pitch_bytes, d_source, c.device_pitch_bytes, c,
                cudaMemcpyDeviceToHost, s);
  }
  status publish(void *target, const void *d_source, uint64_t bytes, stream s) override {
    const detail::published of{static_cast<uint32_t *>(target),
                               static_cast<const uint32_t *>(d_source),
                               static_cast<uint32_t>(bytes / sizeof(uint32_t))};
    return cuda_status(colonnade::detail::launch(detail::publish_words<detail::published>,
                                                 {1, 32, 0, as_stream(s), false}, of),
                       "copying a status");
  }
  status fill(void *d_target, uint8_t value, uint64_t bytes, stream s) override {
    return cuda_status(cudaMemsetAsync(d_target, value, bytes, as_stream(s)), "filling memory");
  }
  status rows_to_layout(layout l, const void *d_rows, void *d_laid, uint64_t tile, uint64_t count,
                        uint64_t cells, size_t cell_bytes, stream s) override {
    return cuda_status(transpose_to_layout<CellSizes>(l, tile, d_rows, d_laid, count, cells,
                                                      cell_bytes, as_stream(s)),
                       "transposing");
  }
  status layout_to_rows(layout l, const void *d_laid, void *d_rows, uint64_t tile, uint64_t count,
                        uint64_t cells, size_t cell_bytes, stream s) override {
    return cuda_status(transpose_to_rows<CellSizes>(l, tile, d_laid, d_rows, count, cells,
                                                    cell_bytes, as_stream(s)),
                       "transposing");
  }
  status launch(const function_info &f, const raw_arguments &arguments, layout l, void *d_status,
                stream s) override {
    return f.run_cuda(arguments, l, s, d_status);
  }

private:
  /// Threads per multiprocessor: a quarter to a third of what it holds hides most latency.
  static constexpr uint64_t busy_threads_ = 512;

  static device *open_index(status &result, int index) {
    cudaDeviceProp properties{};
    result = cuda_status(cudaGetDeviceProperties(&properties, index), "no CUDA device");
    if (!result)
      return nullptr;
    device *opened = new (std::nothrow) cuda_device(index, properties);
    if (!opened)
      result = status::failure(status_code::out_of_memory, "not enough host memory");
    return opened;
  }
  cuda_device(int index, const cudaDeviceProp &properties)
      : index_(index), name_(properties.name),
        multiprocessors_(static_cast<uint64_t>(properties.multiProcessorCount)) {}

  static cudaStream_t as_stream(stream s) { return static_cast<cudaStream_t>(s); }
  static cudaEvent_t as_event(event e) { return static_cast<cudaEvent_t>(e); }

  // A 2-D copy is limited to pitches below 2 GiB: beyond that, pieces are copied one by one.
  static status copy(void *target, uint64_t target_pitch, const void *source, uint64_t source_pitch,
                     const copy_shape &c, cudaMemcpyKind kind, stream s) {
    constexpr uint64_t max_pitch = 0x7fffffff;
    if (c.rows > 1 && target_pitch <= max_pitch && source_pitch <= max_pitch)
      return cuda_status(cudaMemcpy2DAsync(target, target_pitch, source, source_pitch,
                                           c.width_bytes, c.rows, kind, as_stream(s)),
                         "copying");
    cudaError_t error = cudaSuccess;
    for (uint64_t r = 0; r < c.rows && error == cudaSuccess; ++r)
      error = cudaMemcpyAsync(static_cast<char *>(target) + r * target_pitch,
                              static_cast<const char *>(source) + r * source_pitch, c.width_bytes,
                              kind, as_stream(s));
    return cuda_status(error, "copying");
  }

  int index_;
  std::string name_;
  uint64_t multiprocessors_;
};

} // namespace colonnade::runtime
