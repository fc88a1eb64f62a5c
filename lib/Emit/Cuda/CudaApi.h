//===- CudaApi.h - The CUDA back end in f.bulk.hpp --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function and its verdict. Out: the declarations of what f.bulk.cu defines, and the entry
// point `run_cuda`.
// Invariant: arguments are checked before the launch.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_CUDA_CUDAAPI_H
#define COLONNADE_EMIT_CUDA_CUDAAPI_H

#include "Emit/Emit.h"

namespace colonnade {

void declareCudaInternals(CxxWriter &out);
void defineCudaEntry(const EmitInput &input, CxxWriter &out);

} // namespace colonnade

#endif // COLONNADE_EMIT_CUDA_CUDAAPI_H
