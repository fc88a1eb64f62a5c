//===- Emit.h - Kernel IR to generated C++ and CUDA -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the canonical function, its verdict, and a kernel per target. Out: texts
// of f.bulk.hpp (API), f.bulk.cpp (CPU), f.bulk.cu (CUDA), f.bulk.json. Nothing
// is decided here and nothing is written to disk here.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_EMIT_H
#define COLONNADE_EMIT_EMIT_H

#include "Transform/Transform.h"

#include "llvm/Support/Error.h"

namespace colonnade {

struct EmittedFile {
  std::string name; // "f.bulk.cpp"
  std::string text;
};

struct EmitInput {
  const ir::Module &module;
  const ir::Function &function; // canonical
  const Verdict &verdict;
  const Kernel *cpu = nullptr;  // null: no CPU back end wanted
  const Kernel *cuda = nullptr; // null: no CUDA back end wanted
  std::string identifier;       // file stem and namespace: "f"
};

/// f.bulk.hpp: the documented API, the same for all back ends.
llvm::Expected<EmittedFile> emitHeader(const EmitInput &input);
/// f.bulk.cpp: descriptor, host entry points, bounds check, CPU kernel if wanted.
llvm::Expected<EmittedFile> emitCpu(const EmitInput &input);
/// f.bulk.cu: CUDA kernels and their launchers.
llvm::Expected<EmittedFile> emitCuda(const EmitInput &input);

} // namespace colonnade

#endif // COLONNADE_EMIT_EMIT_H
