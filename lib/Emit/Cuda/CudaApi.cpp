//===- CudaApi.cpp - The CUDA back end in f.bulk.hpp ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cuda/CudaApi.h"

#include "Emit/Api/EntryText.h"

using namespace colonnade;

void colonnade::declareCudaInternals(CxxWriter &out) {
  out.line("status launch_cuda(const raw_arguments &arguments, layout l, void *stream,"
           " void *d_status);");
  out.line("const char *cuda_failure(uint32_t site);");
  out.line("device *open_device(status &result);");
  out.line("layout device_layout(const scalar_bits *scalars);");
}

void colonnade::defineCudaEntry(const EmitInput &input, CxxWriter &out) {
  docLine(out, "Runs `count` instances over device arrays that are already in layout `l`");
  docLine(out, "(tiled: tiles of 32 instances; storage for whole tiles), on `stream`, a");
  docLine(out, "cudaStream_t; asynchronous. `d_status`: null, or a device_status in device");
  docLine(out, "memory, all ones, which receives the first failing instance.");
  docLine(out, "Errors: as run_cpu before the launch; device_error. Needs " + input.identifier +
                   ".bulk.cu.");
  openEntry(out, "inline status run_cuda(const arguments &from, uint64_t count, layout l,"
                 " void *stream = nullptr, void *d_status = nullptr)");
  closeEntry(out, "detail::launch_cuda(raw, l, stream, d_status)");
}
