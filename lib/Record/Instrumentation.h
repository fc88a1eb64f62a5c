//===- Instrumentation.h - Calls at each access -----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: Clang's code at -O0 of callers and what they call (Frontend/Sources/OriginalCode.h). Out: the
// same with a call of the recorder (Log.h) at each access: loads and stores of any width, vectors,
// atomics, copies, fills, and what functions of the C library do (LibraryAccesses.h).
//
// With Detail::Named each access carries a number for the calls and iterations that it happens in
// (Names.h), accesses to arrays and structs on the stack and to global variables are recorded as
// well, and each time that a loop's head is come to. Otherwise the numbers are 0.
//
// The functions that the callers call say where their parameters lie.
//
// Invariant: code that stands in the callers' own file is left as it is. An access is left out
// only if it is to a whole variable on the stack, whose address is that of the variable.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_INSTRUMENTATION_H
#define COLONNADE_RECORD_INSTRUMENTATION_H

#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace colonnade::record {

/// An instruction that accesses memory, in the source.
struct Site {
  std::string file;
  unsigned line = 0, column = 0;
};

/// A variable of the original that is no array of the function's interface.
struct ObjectInfo {
  std::string name;
  uint64_t elementBytes = 0;
};

struct Instrumented {
  std::vector<Site> sites;
  std::vector<ObjectInfo> objects;
};

enum class Detail : uint8_t { Plain, Named };

Instrumented instrument(llvm::Module &module, llvm::StringRef callersPath, Detail detail);

} // namespace colonnade::record

#endif // COLONNADE_RECORD_INSTRUMENTATION_H
