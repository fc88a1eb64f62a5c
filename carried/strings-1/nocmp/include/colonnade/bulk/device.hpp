//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// device.hpp: the interface through which the chunk scheduler uses a device.
//
// device_cuda.cuh implements it with the CUDA runtime. The tests implement it over host
// memory: work is put off and run in any order that streams and events allow, so that a
// missing wait shows.
//
// In: streams, events, memory (pointers named d_ are device memory). Out: statuses.
// Invariant: work on one stream runs in order; every call that takes a stream may return
// before its work is done, and synchronize and synchronize_event wait for it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/function.hpp>

#include <cstddef>
#include <cstdint>

namespace colonnade::runtime {

/// A copy of `rows` pieces of `width_bytes` each. A pitch is the distance in bytes from the
/// beginning of a piece to that of the next.
struct copy_shape {
  uint64_t width_bytes;
  uint64_t rows;
  uint64_t device_pitch_bytes;
  uint64_t host_pitch_bytes;
};

class device {
public:
  using stream = void *;
  using event = void *;

  virtual ~device() = default;

  virtual const char *name() const = 0;
  /// The device `number` places behind this one, which the caller deletes. Null, with a status, if
  /// there is none: invalid_argument if there are not so many.
  virtual device *open_behind(status &result, unsigned number) const = 0;
  /// To be called first by each thread that uses the device, but for the calls that ask what it is.
  virtual status use() = 0;
  /// Bytes that can still be allocated.
  virtual uint64_t free_bytes() = 0;
  /// Instances in one tile of the tiled layout of `f` on this device.
  virtual uint64_t tile(const function_info &f) const = 0;
  /// The instances that keep the device busy: a launch of fewer takes as long as one of so many.
  virtual uint64_t full_load() const = 0;

  virtual status allocate(uint64_t bytes, void **d_memory) = 0;
  virtual void release(void *d_memory) = 0;
  /// Pinned host memory: copies from and to it are asynchronous, and kernels can write to it.
  virtual status allocate_pinned(uint64_t bytes, void **memory) = 0;
  virtual void release_pinned(void *memory) = 0;

  virtual status create_stream(stream *result) = 0;
  virtual void destroy_stream(stream s) = 0;
  virtual status create_event(event *result) = 0;
  virtual void destroy_event(event e) = 0;

  virtual status record(event e, stream s) = 0;
  virtual status wait(stream s, event e) = 0;
  virtual status synchronize_event(event e) = 0;
  virtual status synchronize() = 0;

  virtual status copy_in(void *d_target, const void *source, const copy_shape &shape, stream s) = 0;
  virtual status copy_out(void *target, const void *d_source, const copy_shape &shape,
                          stream s) = 0;
  /// Copies a few words to pinned memory, not behind the copies of other streams.
  virtual status publish(void *target, const void *d_source, uint64_t bytes, stream s) = 0;
  virtual status fill(void *d_target, uint8_t value, uint64_t bytes, stream s) = 0;
  /// Transposes; see transpose.cuh.
  virtual status rows_to_layout(layout l, const void *d_rows, void *d_laid, uint64_t tile,
                                uint64_t count, uint64_t cells, size_t cell_bytes, stream s) = 0;
  virtual status layout_to_rows(layout l, const void *d_laid, void *d_rows, uint64_t tile,
                                uint64_t count, uint64_t cells, size_t cell_bytes, stream s) = 0;
  /// Runs the function over device arrays in layout `l`.
  virtual status launch(const function_info &f, const raw_arguments &arguments, layout l,
                        void *d_status, stream s) = 0;
};

} // namespace colonnade::runtime
