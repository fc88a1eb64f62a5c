//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// launch.cuh: starts a kernel, and knows what devices can do.
//
// What is asked of a device is asked once and kept, so that later calls can be captured
// into a graph. Errors are returned; a pending error of the caller's is not touched.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>
#include <colonnade/gpu_architecture.hpp>

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>

namespace colonnade::detail {

struct device_facts {
  int device = 0;
  int num_sms = 0;
  gpu_architecture architecture{}; // of the code that the device runs

  /// A kernel may start before the one before it ends, and waits for it itself.
  bool overlaps_launches() const { return architecture >= gpu_architecture::sm_90; }
};

/// What an architecture's version is packed with, for the cache of query_device.
constexpr uint32_t packed_facts(int num_sms, int version) {
  return static_cast<uint32_t>(num_sms) << 8 |
         static_cast<uint32_t>(nearest_architecture(static_cast<uint32_t>(version)));
}
inline void unpack_facts(uint32_t packed, device_facts &facts) {
  facts.num_sms = static_cast<int>(packed >> 8);
  facts.architecture = static_cast<gpu_architecture>(packed & 0xff);
}

inline namespace COLONNADE_ABI {

/// Asked what it was compiled for, and never started. All kernels of this namespace are
/// compiled for the same architectures, so a device loads all of them for the same one.
template <class = void> __global__ void architecture_kernel() {}

/// Asked once per device; capturable. ptxVersion is what __CUDA_ARCH__ was, whether the
/// device runs code that was compiled ahead or PTX compiled when it was loaded; a template,
/// so that only files that ask have the kernel.
template <class = void> cudaError_t query_device(device_facts &facts) {
  constexpr int most = 64;
  static std::atomic<uint32_t> cache[most]; // 0: not known
  if (const cudaError_t error = cudaGetDevice(&facts.device))
    return error;
  uint32_t known = facts.device < most ? cache[facts.device].load() : 0;
  if (!known) {
    int num_sms = 0;
    if (const cudaError_t error =
            cudaDeviceGetAttribute(&num_sms, cudaDevAttrMultiProcessorCount, facts.device))
      return error;
    cudaFuncAttributes attributes{};
    if (const cudaError_t error = cudaFuncGetAttributes(&attributes, architecture_kernel<>))
      return error;
    known = packed_facts(num_sms, attributes.ptxVersion);
    if (facts.device < most)
      cache[facts.device].store(known);
  }
  unpack_facts(known, facts);
  return cudaSuccess;
}

} // namespace COLONNADE_ABI

/// Allows the kernel `shared_bytes` of dynamic shared memory; once per device.
template <class... Parameters>
cudaError_t allow_shared_memory(void (*kernel)(Parameters...), size_t shared_bytes, int device,
                                std::atomic<uint64_t> &allowed_on) {
  const uint64_t bit = device < 64 ? uint64_t{1} << device : 0; // 0: asked every time
  if (shared_bytes <= 48 * 1024 || (allowed_on.load() & bit))
    return cudaSuccess;
  const cudaError_t error = cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                 static_cast<int>(shared_bytes));
  if (error == cudaSuccess)
    allowed_on.fetch_or(bit);
  return error;
}

struct launch_shape {
  uint32_t blocks, threads;
  size_t shared_bytes;
  cudaStream_t stream;
  bool overlaps_previous; // may start before the kernel before it ends: it waits itself
  uint32_t team = 1;      // blocks of a cluster; more than one from sm_90 on
};

template <class Arguments>
cudaError_t launch(void (*kernel)(Arguments), const launch_shape &shape,
                   const Arguments &arguments) {
  cudaLaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (shape.overlaps_previous) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  if (shape.team > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count++].val.clusterDim = {shape.team, 1, 1};
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.blocks);
  config.blockDim = dim3(shape.threads);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = shape.stream;
  config.attrs = attributes;
  config.numAttrs = count;
  return cudaLaunchKernelEx(&config, kernel, arguments);
}

} // namespace colonnade::detail
