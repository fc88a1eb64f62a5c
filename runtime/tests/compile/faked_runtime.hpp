//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// faked_runtime.hpp: what owners of device memory do with it, without a device.
//
// The calls of the CUDA runtime that owners make are caught by the linker (--wrap), and as long as
// `faked::on` work on host memory; kernels do not run. `faked::resource` is a user's: it counts
// what it hands out, and ends when it is told to. each_failure() has it end at every allocation of
// a call in turn. `faked::driver` does the same for memory that the driver maps.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../cuda/gpu_test.hpp"

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <sys/mman.h>

namespace faked {

inline bool on = false;
inline bool capturing = false;        // what streams say they are
inline uint32_t synchronisations = 0; // of a stream, and copies from or to the host
inline uint32_t launches = 0;         // of kernels
inline int device = 0;                // the current one; query_device asks each once
inline int ptx_version = 90;          // of the code that is loaded
/// Told of each launch by cudaLaunchKernelEx, unless null.
inline void (*seen)(const cudaLaunchConfig_t &config, void **arguments) = nullptr;

inline uint32_t streams = 0;            // that are there
inline size_t pinned = 0;               // pinned allocations that are there
inline const void *is_pinned = nullptr; // what begins here is host memory that copies go from

/// Streams that are never followed.
inline cudaStream_t stream(uintptr_t number) {
  return reinterpret_cast<cudaStream_t>(0x1000 * number);
}

struct allocation {
  size_t bytes;
  cudaStream_t stream;
  friend bool operator==(const allocation &a, const allocation &b) {
    return a.bytes == b.bytes && a.stream == b.stream;
  }
};
struct ledger {
  std::map<void *, allocation> live;
  uint32_t calls = 0, fail_at = ~0u; // from the fail_at-th call of allocate on each fails
  cudaStream_t freed_on = nullptr;   // where everything is to be given back, unless null
};
inline ledger book;

/// tag: that of the object that the user gave, and of no default one.
struct resource {
  int tag = 0;

  void *allocate(size_t bytes, cudaStream_t on_stream) const {
    EXPECT(tag == 7, "memory of a resource that nobody gave");
    if (++book.calls >= book.fail_at)
      return nullptr;
    void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    std::memset(memory, 0, bytes);
    book.live[memory] = {bytes, on_stream};
    return memory;
  }
  void deallocate(void *memory, size_t bytes, cudaStream_t on_stream) const {
    EXPECT(tag == 7, "memory is given back to another resource");
    const auto at = book.live.find(memory);
    EXPECT(at != book.live.end() && at->second.bytes == bytes, "memory that is not there, or less");
    EXPECT(!book.freed_on || on_stream == book.freed_on, "given back on stream %p",
           static_cast<void *>(on_stream));
    book.live.erase(memory);
    std::free(memory);
  }
};

/// The driver's calls that map memory.
namespace driver {
inline std::map<CUdeviceptr, size_t> ranges;           // addresses that are reserved
inline size_t mapped = 0;                              // bytes
inline uint32_t handles = 0, calls = 0, fail_at = ~0u; // the fail_at-th call fails

inline CUresult fails() { return ++calls == fail_at ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS; }
inline CUresult reserve(CUdeviceptr *at, size_t bytes, size_t, CUdeviceptr, unsigned long long) {
  if (const CUresult error = fails())
    return error;
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *at = reinterpret_cast<CUdeviceptr>(memory);
  ranges[*at] = bytes;
  return CUDA_SUCCESS;
}
inline CUresult free(CUdeviceptr at, size_t bytes) {
  EXPECT(ranges[at] == bytes, "other addresses are given back");
  ranges.erase(at);
  munmap(reinterpret_cast<void *>(at), bytes);
  return CUDA_SUCCESS;
}
inline CUresult create(CUmemGenericAllocationHandle *memory, size_t, const CUmemAllocationProp *,
                       unsigned long long) {
  const CUresult error = fails();
  handles += !error;
  *memory = handles;
  return error;
}
inline CUresult release(CUmemGenericAllocationHandle) { return --handles, CUDA_SUCCESS; }
inline CUresult map(CUdeviceptr, size_t bytes, size_t, CUmemGenericAllocationHandle,
                    unsigned long long) {
  const CUresult error = fails();
  mapped += error ? 0 : bytes;
  return error;
}
inline CUresult unmap(CUdeviceptr, size_t bytes) { return mapped -= bytes, CUDA_SUCCESS; }
inline CUresult set_access(CUdeviceptr, size_t, const CUmemAccessDesc *, size_t) { return fails(); }
inline CUresult granularity(size_t *bytes, const CUmemAllocationProp *,
                            CUmemAllocationGranularity_flags) {
  return *bytes = size_t{1} << 21, CUDA_SUCCESS;
}
inline void *find(const char *name) {
  const std::map<std::string, void *> all = {
      {"cuMemAddressReserve", reinterpret_cast<void *>(&reserve)},
      {"cuMemAddressFree", reinterpret_cast<void *>(&free)},
      {"cuMemCreate", reinterpret_cast<void *>(&create)},
      {"cuMemRelease", reinterpret_cast<void *>(&release)},
      {"cuMemMap", reinterpret_cast<void *>(&map)},
      {"cuMemUnmap", reinterpret_cast<void *>(&unmap)},
      {"cuMemSetAccess", reinterpret_cast<void *>(&set_access)},
      {"cuMemGetAllocationGranularity", reinterpret_cast<void *>(&granularity)}};
  return all.at(name);
}
} // namespace driver

/// call(object) with memory ending at each of its allocations in turn, each time of what
/// prepare(object) makes: what there was is unchanged, as unchanged(object) says, and nothing more
/// is allocated. Then once without; at the end all memory has been given back.
template <class Object, class Prepare, class Call, class Unchanged>
void each_failure(const char *what, Prepare prepare, Call call, Unchanged unchanged) {
  on = true;
  for (uint32_t k = 1; k < 100; ++k) {
    book = {};
    cudaError_t error;
    {
      Object object;
      prepare(object);
      const auto before = book.live;
      book.calls = 0;
      book.fail_at = k;
      error = call(object);
      if (error) {
        EXPECT(error == cudaErrorMemoryAllocation, "%s, allocation %u: %s", what, k,
               cudaGetErrorName(error));
        EXPECT(book.live == before, "%s, allocation %u: other memory than before", what, k);
        EXPECT(unchanged(object), "%s, allocation %u: changed", what, k);
      } else {
        EXPECT(book.calls < k && k > 1, "%s: %u allocations, one of which failed", what,
               static_cast<unsigned>(book.calls));
      }
    }
    EXPECT(book.live.empty(), "%s, allocation %u: memory that nobody gave back", what, k);
    if (!error)
      break;
    EXPECT(k + 1 < 100, "%s: never done", what);
  }
  on = false;
}

/// Both phases of a call neither allocate nor wait, and can be captured.
template <class Call> void expect_asynchronous(const char *what, Call call) {
  size_t bytes = 0;
  book.calls = 0;
  synchronisations = 0;
  capturing = true;
  cudaError_t error = call(nullptr, bytes);
  EXPECT(!error && bytes > 0, "%s: %s, %zu bytes", what, cudaGetErrorName(error), bytes);
  void *temp = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  error = call(temp, bytes);
  EXPECT(!error, "%s: %s", what, cudaGetErrorName(error));
  EXPECT(book.calls == 0 && synchronisations == 0, "%s: %u allocations, waits %u times", what,
         static_cast<unsigned>(book.calls), static_cast<unsigned>(synchronisations));
  std::free(temp);
  capturing = false;
}
/// The same of a call of one phase.
template <class Call> void expect_queued(const char *what, Call call) {
  expect_asynchronous(what, [&](void *temp, size_t &bytes) {
    bytes = 1;
    return temp ? call() : cudaSuccess;
  });
}
/// Refused while the stream is captured, and nothing has happened.
template <class Call> void expect_not_captured(const char *what, Call call) {
  const auto before = book.live;
  launches = 0;
  capturing = true;
  const cudaError_t error = call();
  capturing = false;
  EXPECT(error == cudaErrorStreamCaptureUnsupported, "%s in a captured stream: %s", what,
         cudaGetErrorName(error));
  EXPECT(book.live == before && launches == 0, "%s in a captured stream does something", what);
}

} // namespace faked

#define FAKED(name, parameters, arguments, ...)                                                    \
  extern "C" cudaError_t __real_##name parameters;                                                 \
  extern "C" cudaError_t __wrap_##name parameters {                                                \
    if (!faked::on)                                                                                \
      return __real_##name arguments;                                                              \
    __VA_ARGS__;                                                                                   \
    return cudaSuccess;                                                                            \
  }

FAKED(cudaStreamIsCapturing, (cudaStream_t stream, cudaStreamCaptureStatus *status),
      (stream, status),
      *status = faked::capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone)
FAKED(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags),
      *stream = faked::stream(++faked::streams))
FAKED(cudaStreamDestroy, (cudaStream_t stream), (stream), --faked::streams)
FAKED(cudaMallocHost, (void **memory, size_t count), (memory, count), ++faked::pinned,
      *memory = std::malloc(count))
FAKED(cudaFreeHost, (void *memory), (memory), --faked::pinned, std::free(memory))
FAKED(cudaPointerGetAttributes, (cudaPointerAttributes * attributes, const void *memory),
      (attributes, memory),
      attributes->type = faked::is_pinned && memory >= faked::is_pinned
                             ? cudaMemoryTypeHost
                             : cudaMemoryTypeUnregistered)
FAKED(cudaStreamSynchronize, (cudaStream_t stream), (stream), ++faked::synchronisations)
FAKED(cudaMemsetAsync, (void *memory, int byte, size_t count, cudaStream_t stream),
      (memory, byte, count, stream), std::memset(memory, byte, count))
FAKED(cudaMemcpyAsync,
      (void *to, const void *from, size_t count, cudaMemcpyKind kind, cudaStream_t stream),
      (to, from, count, kind, stream), ++faked::synchronisations, std::memcpy(to, from, count))
FAKED(cudaGetDevice, (int *device), (device), *device = faked::device)
FAKED(cudaDeviceGetAttribute, (int *value, cudaDeviceAttr attribute, int device),
      (value, attribute, device), *value = 4)
FAKED(cudaFuncGetAttributes, (cudaFuncAttributes * attributes, const void *kernel),
      (attributes, kernel), attributes->ptxVersion = faked::ptx_version)
FAKED(cudaFuncSetAttribute, (const void *kernel, cudaFuncAttribute attribute, int value),
      (kernel, attribute, value), )
FAKED(cudaOccupancyMaxActiveClusters,
      (int *clusters, const void *kernel, const cudaLaunchConfig_t *config),
      (clusters, kernel, config), *clusters = 1)
FAKED(cudaLaunchKernelExC, (const cudaLaunchConfig_t *config, const void *kernel, void **arguments),
      (config, kernel, arguments), ++faked::launches,
      faked::seen ? faked::seen(*config, arguments) : void())
FAKED(cudaLaunchKernel,
      (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
       cudaStream_t stream),
      (kernel, grid, block, arguments, shared_bytes, stream), ++faked::launches)
FAKED(cudaMemGetInfo, (size_t *free_bytes, size_t *all_bytes), (free_bytes, all_bytes),
      *free_bytes = *all_bytes = size_t{64} << 20)
FAKED(cudaDeviceSynchronize, (), (), ++faked::synchronisations)
FAKED(cudaGetDriverEntryPointByVersion,
      (const char *name, void **found, unsigned version, unsigned long long flags,
       cudaDriverEntryPointQueryResult *result),
      (name, found, version, flags, result), *found = faked::driver::find(name),
      *result = cudaDriverEntryPointSuccess)
