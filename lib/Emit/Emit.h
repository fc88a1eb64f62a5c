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
  const Kernel *cpu = nullptr;                     // null: no CPU back end wanted
  const Kernel *cuda = nullptr;                    // null: no CUDA back end wanted
  std::string identifier;                          // file stem: "f"
  std::map<std::string, int64_t> sizes = {};       // --size n=32: the code is for that alone
  std::map<std::string, std::string> aliases = {}; // --alias out=in: out is the array in
};

// What one function's files define, all in the namespace of GeneratedNamespace.h, which
// users call colonnade::bulk::<apiName(identifier)>:
//
//   f.bulk.hpp        struct arguments; inline run_cpu, run_cuda, run; declares info()
//                     and, in `detail`, what the other files define:
//   f.bulk.cpp        info() (text from emitDescriptor), detail::check_extents and
//                     detail::launch_cpu
//   f.bulk.cu         detail::launch_cuda, detail::cuda_failure, detail::open_device;
//                     info() refers to them if COLONNADE_BULK_CUDA is defined
//   f.sequential.cpp  colonnade_sequential_f, extern "C": the original function behind the
//                     type-erased interface; used if COLONNADE_BULK_SEQUENTIAL is defined.
//                     f.sequential.c, to be compiled as C, if the original is C

/// f.bulk.hpp: the documented API, the same for all back ends.
llvm::Expected<EmittedFile> emitHeader(const EmitInput &input);
/// f.bulk.cpp: descriptor, host entry points, bounds check, CPU kernel if wanted.
llvm::Expected<EmittedFile> emitCpu(const EmitInput &input);
/// f.bulk.cu: CUDA kernels and their launchers.
llvm::Expected<EmittedFile> emitCuda(const EmitInput &input);
/// The part of f.bulk.cpp that is the same for all back ends: array and scalar
/// tables, extents, and `const function_info &info()`. Goes inside no namespace;
/// expects f.bulk.hpp to be included and, if there is a CPU back end,
/// `constexpr uint64_t detail::cpu_tile` (instances per tile) before it.
llvm::Expected<std::string> emitDescriptor(const EmitInput &input);
/// f.sequential.cpp or f.sequential.c: includes `source` (the file that defines the entry) and
/// defines the thunk. `raw` is the entry's raw function. Error: a parameter whose
/// C++ type cannot be rebuilt from cells.
llvm::Expected<EmittedFile> emitSequential(const EmitInput &input, const ir::Function &raw,
                                           const std::string &source);

} // namespace colonnade

#endif // COLONNADE_EMIT_EMIT_H
