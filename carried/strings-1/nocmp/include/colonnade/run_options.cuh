//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// run_options.cuh: the stream of a call of the runtime library, and where it reports errors.
//
// In: what the caller chooses. Out: the options of every function of the library but those that run
// within a kernel. Invariant: the default is the default stream, and that errors in data are not
// reported; no option changes a result.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/device_status.hpp>

#include <cuda_runtime.h>

namespace colonnade {

struct run_options {
  cudaStream_t stream = nullptr;     // all work is queued on this stream
  device_status *d_status = nullptr; // errors in data; null: not reported
};

} // namespace colonnade
