//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// launch.cuh: starts a kernel, and knows what devices can do.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>

namespace colonnade::detail {

struct device_facts {
  int device = 0;
  int num_sms = 0;
  int capability_major = 0;
};

/// Asked once per device; capturable.
inline cudaError_t query_device(device_facts &facts) {
  constexpr int most = 64;
  static std::atomic<uint32_t> cache[most]; // num_sms * 256 + major, 0: not known
  if (const cudaError_t error = cudaGetDevice(&facts.device))
    return error;
  uint32_t known = facts.device < most ? cache[facts.device].load() : 0;
  if (!known) {
    if (const cudaError_t error =
            cudaDeviceGetAttribute(&facts.num_sms, cudaDevAttrMultiProcessorCount, facts.device))
      return error;
    if (const cudaError_t error = cudaDeviceGetAttribute(
            &facts.capability_major, cudaDevAttrComputeCapabilityMajor, facts.device))
      return error;
    known =
        static_cast<uint32_t>(facts.num_sms) << 8 | static_cast<uint32_t>(facts.capability_major);
    if (facts.device < most)
      cache[facts.device].store(known);
  }
  facts.num_sms = static_cast<int>(known >> 8);
  facts.capability_major = static_cast<int>(known & 0xff);
  return cudaSuccess;
}

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
};

template <class Arguments>
cudaError_t launch(void (*kernel)(Arguments), const launch_shape &shape,
                   const Arguments &arguments) {
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.blocks);
  config.blockDim = dim3(shape.threads);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = shape.stream;
  config.attrs = &overlap;
  config.numAttrs = shape.overlaps_previous ? 1 : 0;
  return cudaLaunchKernelEx(&config, kernel, arguments);
}

} // namespace colonnade::detail
