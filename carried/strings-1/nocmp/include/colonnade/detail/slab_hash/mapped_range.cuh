//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// mapped_range.cuh: a range of addresses on a GPU, behind the first part of which there is memory.
//
// In: how many bytes there may ever be, and how many there are to be. Out: the memory, at addresses
// that never change. Invariant: move-only; memory is mapped in pieces of the device's granularity,
// and is given back with the addresses, which nobody may use any more then. What cannot be had
// leaves the range as it was. The driver's calls are looked up at run time, so nothing is linked.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace colonnade::detail {

/// The driver's calls; its errors have the runtime's numbers.
class mapping_calls {
public:
  decltype(&cuMemAddressReserve) reserve = nullptr;
  decltype(&cuMemAddressFree) free = nullptr;
  decltype(&cuMemCreate) create = nullptr;
  decltype(&cuMemRelease) release = nullptr;
  decltype(&cuMemMap) map = nullptr;
  decltype(&cuMemUnmap) unmap = nullptr;
  decltype(&cuMemSetAccess) set_access = nullptr;
  decltype(&cuMemGetAllocationGranularity) granularity = nullptr;

  cudaError_t find() {
    cudaError_t error = cudaSuccess;
    const auto look_up = [&](auto &call, const char *name) {
      void *found = nullptr;
      cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
      if (!error)
        error = cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result);
      if (!error && result != cudaDriverEntryPointSuccess)
        error = cudaErrorNotSupported;
      call = reinterpret_cast<std::decay_t<decltype(call)>>(found);
    };
    look_up(reserve, "cuMemAddressReserve");
    look_up(free, "cuMemAddressFree");
    look_up(create, "cuMemCreate");
    look_up(release, "cuMemRelease");
    look_up(map, "cuMemMap");
    look_up(unmap, "cuMemUnmap");
    look_up(set_access, "cuMemSetAccess");
    look_up(granularity, "cuMemGetAllocationGranularity");
    return error;
  }
};

class mapped_range {
public:
  mapped_range() = default;
  mapped_range(mapped_range &&other) noexcept { swap(other); }
  mapped_range &operator=(mapped_range &&other) noexcept {
    mapped_range(std::move(other)).swap(*this);
    return *this;
  }
  ~mapped_range() {
    if (mapped_) {
      (void)cudaDeviceSynchronize(); // memory is taken away at once, in the order of no stream
      (void)calls_.unmap(base_, mapped_);
    }
    if (base_)
      (void)calls_.free(base_, reserved_);
  }

  /// Addresses for at least so many bytes, on the current device; no memory yet.
  cudaError_t reserve(size_t most_bytes) {
    mapped_range fresh;
    if (const cudaError_t error = fresh.calls_.find())
      return error;
    int device = 0;
    if (const cudaError_t error = cudaGetDevice(&device))
      return error;
    fresh.properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    fresh.properties_.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    if (const CUresult error = fresh.calls_.granularity(&fresh.granularity_, &fresh.properties_,
                                                        CU_MEM_ALLOC_GRANULARITY_MINIMUM))
      return static_cast<cudaError_t>(error);
    const size_t bytes = fresh.rounded(most_bytes);
    if (const CUresult error = fresh.calls_.reserve(&fresh.base_, bytes, 0, 0, 0))
      return static_cast<cudaError_t>(error);
    fresh.reserved_ = bytes;
    swap(fresh);
    return cudaSuccess;
  }
  /// At least so many bytes are there.
  cudaError_t map(size_t bytes) {
    const size_t wanted = rounded(bytes);
    if (wanted <= mapped_)
      return cudaSuccess;
    if (wanted > reserved_)
      return cudaErrorMemoryAllocation;
    const size_t more = wanted - mapped_;
    CUmemGenericAllocationHandle memory;
    if (const CUresult error = calls_.create(&memory, more, &properties_, 0))
      return static_cast<cudaError_t>(error);
    CUresult error = calls_.map(base_ + mapped_, more, 0, memory, 0);
    (void)calls_.release(memory); // it stays as long as it is mapped
    if (error)
      return static_cast<cudaError_t>(error);
    const CUmemAccessDesc access{properties_.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    error = calls_.set_access(base_ + mapped_, more, &access, 1);
    if (error) {
      (void)calls_.unmap(base_ + mapped_, more);
      return static_cast<cudaError_t>(error);
    }
    mapped_ = wanted;
    return cudaSuccess;
  }

  void *get() const { return reinterpret_cast<void *>(base_); }
  /// That are there.
  size_t bytes() const { return mapped_; }
  size_t most_bytes() const { return reserved_; }

private:
  size_t rounded(size_t bytes) const {
    return (bytes + granularity_ - 1) / granularity_ * granularity_;
  }
  void swap(mapped_range &other) {
    std::swap(calls_, other.calls_);
    std::swap(properties_, other.properties_);
    std::swap(base_, other.base_);
    std::swap(granularity_, other.granularity_);
    std::swap(reserved_, other.reserved_);
    std::swap(mapped_, other.mapped_);
  }
  mapping_calls calls_;
  CUmemAllocationProp properties_{};
  CUdeviceptr base_ = 0;
  size_t granularity_ = 1, reserved_ = 0, mapped_ = 0;
};

} // namespace colonnade::detail
