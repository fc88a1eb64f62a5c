//===- Jit.h - LLVM code to functions of this process -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an instrumented module. Out: its callers, compiled without optimisation, and a function
// that runs the constructors of its global variables.
//
// Invariant: nothing of the module runs here.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_JIT_H
#define COLONNADE_RECORD_JIT_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace colonnade::record {

using CallerFunction = void(void *const *arrays, const uint64_t *scalars);

struct CompiledCallers {
  std::unique_ptr<llvm::orc::LLJIT> jit; // owns the code
  void (*construct)() = nullptr;
  std::vector<CallerFunction *> callers; // in the order of the names
};

/// Error: the code is for another machine, or calls what is defined nowhere.
llvm::Expected<CompiledCallers> compile(std::unique_ptr<llvm::Module> module,
                                        std::unique_ptr<llvm::LLVMContext> context,
                                        const std::vector<std::string> &names);

} // namespace colonnade::record

#endif // COLONNADE_RECORD_JIT_H
