//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// launch.cuh: starts a kernel, and asks the current device for the properties that a launch
// depends on.
//
// In: a kernel, its one argument struct and a launch_shape; for query_device nothing but the
// current device. Out: a cudaError_t, and the device's properties.
// Invariant: a device is asked once and its answer kept, so that later calls can be captured
// into a graph. A pending CUDA error of the caller is not cleared.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>
#include <colonnade/detail/device/allowed_devices.hpp>
#include <colonnade/gpu_architecture.hpp>

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>

namespace colonnade::detail {

/// The current device, as query_device fills it in.
struct device_properties {
  int device = 0; // its number, as cudaGetDevice counts
  int num_sms = 0;
  gpu_architecture architecture{}; // the one that the code it runs was compiled for
  bool wide_clusters = false;      // lets clusters of 16 blocks run; all with clusters let 8

  /// A kernel may start before the one before it ends, and waits for it itself.
  bool overlaps_launches() const { return architecture >= gpu_architecture::sm_90; }
};

/// Properties in one word, for the cache of query_device; never 0.
constexpr uint32_t packed_properties(const device_properties &gpu) {
  return static_cast<uint32_t>(gpu.num_sms) << 9 | uint32_t{gpu.wide_clusters} << 8 |
         static_cast<uint32_t>(gpu.architecture);
}
inline void unpack_properties(uint32_t packed, device_properties &gpu) {
  gpu.num_sms = static_cast<int>(packed >> 9);
  gpu.wide_clusters = packed >> 8 & 1;
  gpu.architecture = static_cast<gpu_architecture>(packed & 0xff);
}

inline namespace COLONNADE_ABI {

/// Never started: query_device asks which architecture it was compiled for. All kernels of this
/// namespace are compiled for the same architectures, so the answer holds for all of them.
template <class = void> __global__ void architecture_kernel() {}

/// Whether a cluster of 16 blocks finds room: it depends on how many SMs of a part of the GPU
/// work. Not asked where no device lets it run, since the question would be an error.
template <class = void> cudaError_t ask_wide_clusters(device_properties &gpu) {
  const bool possible =
      gpu.architecture == gpu_architecture::sm_90 || gpu.architecture == gpu_architecture::sm_100;
  if (!possible)
    return cudaSuccess;
  if (const cudaError_t error = cudaFuncSetAttribute(
          architecture_kernel<>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1))
    return error;
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {16, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(16);
  config.blockDim = dim3(1024);
  config.attrs = &cluster;
  config.numAttrs = 1;
  int clusters = 0;
  const cudaError_t error =
      cudaOccupancyMaxActiveClusters(&clusters, architecture_kernel<>, &config);
  gpu.wide_clusters = clusters > 0;
  return error;
}

/// The current device's properties; cached for the first 64 devices, and allowed during stream
/// capture. The kernel's ptxVersion is __CUDA_ARCH__ / 10 of the code that was loaded, also where
/// the driver compiled that code from PTX. A template, so that only translation units that call
/// it contain the kernel.
template <class = void> cudaError_t query_device(device_properties &gpu) {
  constexpr int most = 64;
  static std::atomic<uint32_t> cache[most]; // 0: not known
  if (const cudaError_t error = cudaGetDevice(&gpu.device))
    return error;
  uint32_t known = gpu.device < most ? cache[gpu.device].load() : 0;
  if (!known) {
    if (const cudaError_t error =
            cudaDeviceGetAttribute(&gpu.num_sms, cudaDevAttrMultiProcessorCount, gpu.device))
      return error;
    cudaFuncAttributes attributes{};
    if (const cudaError_t error = cudaFuncGetAttributes(&attributes, architecture_kernel<>))
      return error;
    gpu.architecture = nearest_architecture(static_cast<uint32_t>(attributes.ptxVersion));
    if (const cudaError_t error = ask_wide_clusters(gpu))
      return error;
    known = packed_properties(gpu);
    if (gpu.device < most)
      cache[gpu.device].store(known);
  }
  unpack_properties(known, gpu);
  return cudaSuccess;
}

} // namespace COLONNADE_ABI

/// Allows the kernel `shared_bytes` of dynamic shared memory, which it needs above 48 KiB.
template <class... Parameters>
cudaError_t allow_shared_memory(void (*kernel)(Parameters...), size_t shared_bytes, int device,
                                allowed_devices &allowed_on) {
  const void *handle = reinterpret_cast<const void *>(kernel);
  if (shared_bytes <= 48 * 1024 || allowed_on.has(handle, device))
    return cudaSuccess;
  const cudaError_t error = cudaFuncSetAttribute(
      handle, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
  if (error == cudaSuccess)
    allowed_on.add(handle, device);
  return error;
}

/// Allows the kernel clusters of more than 8 blocks.
template <class... Parameters>
cudaError_t allow_wide_clusters(void (*kernel)(Parameters...), int device,
                                allowed_devices &allowed_on) {
  const void *handle = reinterpret_cast<const void *>(kernel);
  if (allowed_on.has(handle, device))
    return cudaSuccess;
  const cudaError_t error =
      cudaFuncSetAttribute(handle, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  if (error == cudaSuccess)
    allowed_on.add(handle, device);
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
