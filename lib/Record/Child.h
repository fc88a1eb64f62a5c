//===- Child.h - A process with limits --------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recorded code is the user's: it may crash, never end, or take all memory. In: work, and
// limits. Out: how the process ended that did it.
//
// Invariant: the child is dead when run() returns; it reads and prints nothing, leaves no core
// file, runs no handler of this process and removes none of its files.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_RECORD_CHILD_H
#define COLONNADE_RECORD_CHILD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace colonnade::record {

struct Limits {
  double seconds = 10;               // by the clock
  uint64_t memoryBytes = 1ull << 30; // beside what this process has
};

struct ChildEnd {
  bool isTooSlow = false;
  int signal = 0; // that ended it; 0: none
};

/// Error: no process can be started.
llvm::Expected<ChildEnd> runInChild(llvm::function_ref<void()> work, const Limits &limits);

} // namespace colonnade::record

#endif // COLONNADE_RECORD_CHILD_H
