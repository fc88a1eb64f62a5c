//===- CudaFilePrinter.h - f.bulk.cu: CUDA kernels and their launchers --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function with a kernel of threads. Out: f.bulk.cu. The kernel is a template over
// the layout; addresses that only some instances reach are guarded in it, all others were
// checked before the launch.
// Invariant: the build stops where flags would change results (flush to zero).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CUDA_CUDAFILEPRINTER_H
#define COLONNADE_EMIT_CUDA_CUDAFILEPRINTER_H

#include "Emit/Emit.h"

namespace colonnade {

llvm::Expected<EmittedFile> emitCuda(const EmitInput &input);

} // namespace colonnade

#endif // COLONNADE_EMIT_CUDA_CUDAFILEPRINTER_H
