//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// report_bytes.cuh: what a two-phase call returns where it does not run.
//
// In: the caller's temporary storage, and the bytes that the call takes. Out: these bytes if
// there is no storage; an error if there is too little.
// Invariant: called only where one of the two holds; nothing is launched or asked of a device.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace colonnade::detail {

inline cudaError_t report_bytes(const void *d_temp, size_t &temp_bytes, size_t bytes) {
  if (d_temp)
    return cudaErrorInvalidValue;
  temp_bytes = bytes;
  return cudaSuccess;
}

} // namespace colonnade::detail
