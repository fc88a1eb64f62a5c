//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// kernel.cuh: the parts that generated CUDA kernels, and the functions that launch them,
// are made of.
//
//   instance_cells   one instance's cells of an array in some layout: b[i]
//   failure_guard    checks and guarded accesses of one instance; of the instances that
//                    fail in a launch the lowest is kept in the device_status
//   scratch_memory   the memory of local arrays, for the time of a launch
//
// In: arrays in global memory, instances. Out: values of cells; failures as device_status
// or status. Invariant: each thread runs one instance at a time and accesses no other's
// cells; a guarded access outside its array accesses nothing.
//
// For a fixed instance a layout is affine in the cell, so an address costs one
// multiply-add; in the column-wise and tiled layouts neighbouring threads access
// neighbouring cells.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/bind.hpp>
#include <colonnade/bulk/function.hpp>
#include <colonnade/bulk/layout.hpp>
#include <colonnade/bulk/scalar_ops.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#if (defined(__FAST_MATH__) || defined(__CLANG_CUDA_APPROX_TRANSCENDENTALS__)) &&                  \
    !defined(COLONNADE_ALLOW_FAST_MATH)
#error "fast math changes results: build without it, or define COLONNADE_ALLOW_FAST_MATH"
#endif

#if !defined(__clang__) || defined(__NVCC__) // a builtin of clang
extern "C" __device__ int __nvvm_reflect(const char *);
#endif

namespace colonnade::runtime {

/// Stops the compilation if denormals are flushed to zero (-ftz, -use_fast_math). nvcc defines no
/// macro for that, but evaluates __nvvm_reflect while it compiles device code: then ptxas
/// rejects this text. Otherwise nothing remains of it.
__device__ __forceinline__ void require_exact_floats() {
#ifndef COLONNADE_ALLOW_FAST_MATH
  if (__nvvm_reflect("__CUDA_FTZ"))
    asm volatile("fast_math_changes_results. build without it or define COLONNADE_ALLOW_FAST_MATH");
#endif
}

/// The right side of a comparison, of which the compiler knows nothing any more; no instruction.
/// nvcc 13 makes min.f32 of `x < 0.0f ? x : 0.0f`, which takes -0 for less than +0, and max.f32
/// accordingly, whether the constant is in the source or comes from unrolling a loop.
__device__ __forceinline__ float as_compared(float value) {
  asm("" : "+f"(value));
  return value;
}
__device__ __forceinline__ double as_compared(double value) {
  asm("" : "+d"(value));
  return value;
}

/// Cells First to Last of an array.
template <int First, int Last> struct cell_range {};

/// One instance's cells of an array. Layout: see layout.hpp.
template <class Layout, class Cell> class instance_cells {
public:
  __device__ __forceinline__ instance_cells(Cell *array, uint64_t instance, uint64_t cells,
                                            uint64_t count)
      : instance_cells(array, Layout::view(instance, cells, count)) {}

  __device__ __forceinline__ Cell &operator[](int64_t cell) const {
    return base_[cell * static_cast<int64_t>(Layout::kind == layout::tiled      ? Layout::tile
                                             : Layout::kind == layout::row_wise ? 1
                                                                                : stride_)];
  }
  /// All cells, into registers: all loads are issued before the first value is used.
  template <int N>
  __device__ __forceinline__ void load(std::remove_const_t<Cell> (&registers)[N]) const {
    if constexpr (is_walked<N>) {
      Cell *cell = base_;
#pragma unroll
      for (int i = 0; i < N; ++i, cell = moved(cell, stride_))
        registers[i] = *cell;
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i)
        registers[i] = (*this)[i];
    }
  }
  template <int N> __device__ __forceinline__ void store(const Cell (&registers)[N]) const {
    store(registers, cell_range<0, N - 1>{});
  }
  template <int N, int First, int Last>
  __device__ __forceinline__ void store(const Cell (&registers)[N], cell_range<First, Last>) const {
    if constexpr (is_walked<N>) {
      Cell *cell = &(*this)[Last];
#pragma unroll
      for (int i = Last; i >= First; --i, cell = moved(cell, 0 - stride_))
        *cell = registers[i];
    } else {
#pragma unroll
      for (int i = First; i <= Last; ++i)
        (*this)[i] = registers[i];
    }
  }

private:
  __device__ __forceinline__ instance_cells(Cell *array, instance_view view)
      : base_(array + view.base), stride_(view.stride) {}
  /// The distance of columns is known only at run time. Left alone, ptxas computes each cell's
  /// address once, before the first load, and keeps it for the store: two registers a cell. So
  /// addresses of many cells are walked to, upwards for loads and downwards for stores: then none
  /// is computed twice. Up to 32 cells there are registers enough.
  template <int N>
  static constexpr bool is_walked = Layout::kind == layout::column_wise && (N > 32);
  /// A pointer of which the compiler knows only that it points to global memory.
  static __device__ __forceinline__ Cell *moved(Cell *cell, uint64_t distance) {
    cell += distance;
    asm volatile("" : "+l"(cell));
#if defined(__clang__) && !defined(__NVCC__)
    __builtin_assume(__nvvm_isspacep_global(cell));
#else
    __builtin_assume(__isGlobal(cell));
#endif
    return cell;
  }
  Cell *base_;
  uint64_t stride_;
};

/// Checks and guarded accesses of one instance. site: the number of the message in the generated
/// file. d_status may be null: then failures are not recorded.
class failure_guard {
public:
  __device__ __forceinline__ failure_guard(device_status *d_status, uint64_t instance)
      : d_status_(d_status), instance_(instance) {}

  __device__ __forceinline__ void check(bool holds, uint32_t site) const {
    if (!holds)
      report(site);
  }
  /// A guarded access: one that only some instances make, at an address that was not checked
  /// before the launch. Outside the array it gives 0 and is reported.
  template <class Cells>
  __device__ __forceinline__ auto load(const Cells &array, int64_t cell, uint64_t num_cells,
                                       uint32_t site) const {
    std::remove_cv_t<std::remove_reference_t<decltype(array[0])>> value{};
    if (static_cast<uint64_t>(cell) < num_cells)
      value = array[cell];
    else
      report(site);
    return value;
  }
  template <class Cells, class Cell>
  __device__ __forceinline__ void store(Cells &array, int64_t cell, Cell value, uint64_t num_cells,
                                        uint32_t site) const {
    if (static_cast<uint64_t>(cell) < num_cells)
      array[cell] = value;
    else
      report(site);
  }

private:
  __device__ __noinline__ void report(uint32_t site) const {
    static_assert(sizeof(unsigned long long) == sizeof(d_status_->first_failure), "64 bits");
    if (d_status_)
      atomicMin(reinterpret_cast<unsigned long long *>(&d_status_->first_failure),
                static_cast<unsigned long long>(instance_ << 16 | site));
  }
  device_status *d_status_;
  uint64_t instance_;
};

/// what: what was being done, for the message.
inline status cuda_status(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return status::success();
  const status_code code = error == cudaErrorMemoryAllocation ? status_code::out_of_memory
                           : error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver
                               ? status_code::no_device
                               : status_code::device_error;
  return status::failure(code, std::string(what) + ": " + cudaGetErrorName(error) + ": " +
                                   cudaGetErrorString(error));
}

/// Blocks for one thread per instance. A grid may have at most 2^31 - 1 of them.
inline uint64_t blocks_for(uint64_t count, unsigned threads) {
  return (count + threads - 1) / threads;
}

/// Threads of a block: `threads` at first, and fewer, down to a warp, where so many instances would
/// not make a block for each multiprocessor. Instances are few where they are long, and then what
/// one multiprocessor asks of memory is less than there is.
inline status spread_threads(uint64_t count, unsigned &threads) {
  constexpr unsigned warp_size = 32;
  int device = 0, processors = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  while (threads > warp_size && blocks_for(count, threads) < static_cast<uint64_t>(processors))
    threads /= 2;
  return cuda_status(error, "querying the device");
}

/// Blocks of `kernel` that can run at once on the current device.
template <class Kernel>
inline status resident_blocks(Kernel kernel, unsigned threads, uint64_t &blocks) {
  int device = 0, processors = 0, per_processor = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel,
                                                          static_cast<int>(threads), 0);
  blocks = static_cast<uint64_t>(processors) * static_cast<uint64_t>(per_processor);
  if (error == cudaSuccess && blocks == 0)
    return status::failure(status_code::device_error, "the kernel does not fit on the device");
  return cuda_status(error, "querying the device");
}

/// Stream-ordered memory for local arrays: at most 64 allocations, freed in the stream after the
/// work that was launched while this object lived.
class scratch_memory {
public:
  explicit scratch_memory(cudaStream_t stream) : stream_(stream) {}
  scratch_memory(const scratch_memory &) = delete;
  scratch_memory &operator=(const scratch_memory &) = delete;
  ~scratch_memory() {
    for (unsigned i = 0; i < num_; ++i)
      (void)cudaFreeAsync(memory_[i], stream_);
  }
  /// Memory for `extent` cells of each thread; an invalid extent is an error. cells: the extent.
  status allocate(checked_extent extent, uint64_t threads, uint64_t cell_bytes, uint64_t &cells,
                  void *&memory) {
    const int64_t bytes = (extent * checked_extent(threads * cell_bytes)).value();
    if (bytes < 0)
      return status::failure(status_code::invalid_argument, "size of a local array");
    if (num_ == max_arrays)
      return status::failure(status_code::invalid_argument, "too many local arrays");
    cells = static_cast<uint64_t>(extent.value());
    const cudaError_t error =
        cudaMallocAsync(&memory, static_cast<size_t>(bytes > 0 ? bytes : 1), stream_);
    if (error == cudaSuccess)
      memory_[num_++] = memory;
    return cuda_status(error, "allocating local arrays");
  }

private:
  static constexpr unsigned max_arrays = 64;
  cudaStream_t stream_;
  void *memory_[max_arrays] = {};
  unsigned num_ = 0;
};

} // namespace colonnade::runtime
