//===- LibraryAccesses.h - What library functions access --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of the C library that read or write the caller's memory, among those that the front
// end takes (Frontend/Library/Functions.def). Their code is not recorded, only what they access:
// memcmp reads both ranges, as the standard lets it.
//
// In: a function's name. Out: which ranges a call of it reads and writes, by its arguments.
// Invariant: what one call accesses is one step.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_LIBRARYACCESSES_H
#define COLONNADE_RECORD_LIBRARYACCESSES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace colonnade::record {

struct LibraryAccess {
  unsigned pointerArgument;
  bool isStore;
  uint64_t bytes = 0;
  std::optional<unsigned> countArgument = {}; // the number of bytes; else `bytes`
};

/// None: it is no such function, or has not that many arguments.
std::vector<LibraryAccess> libraryAccesses(llvm::StringRef function, size_t numArguments);

} // namespace colonnade::record

#endif // COLONNADE_RECORD_LIBRARYACCESSES_H
