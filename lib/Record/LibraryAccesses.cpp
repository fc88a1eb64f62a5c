//===- LibraryAccesses.cpp - What library functions access ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/LibraryAccesses.h"

#include "llvm/ADT/StringSwitch.h"

namespace colonnade::record {

using Accesses = std::vector<LibraryAccess>;

std::vector<LibraryAccess> libraryAccesses(llvm::StringRef function, size_t numArguments) {
  const Accesses compare = {{0, false, 0, 2}, {1, false, 0, 2}};
  const Accesses copy = {{1, false, 0, 2}, {0, true, 0, 2}};
  Accesses accesses = llvm::StringSwitch<Accesses>(function)
                          .Cases("memcmp", "bcmp", compare)
                          .Cases("memcpy", "memmove", "__memcpy_chk", "__memmove_chk", copy)
                          .Cases("memset", "__memset_chk", {{0, true, 0, 2}})
                          .Cases("frexp", "frexpf", {{1, true, sizeof(int)}})
                          .Case("modf", {{1, true, sizeof(double)}})
                          .Case("modff", {{1, true, sizeof(float)}})
                          .Default({});
  for (const LibraryAccess &access : accesses)
    if (access.pointerArgument >= numArguments || access.countArgument.value_or(0) >= numArguments)
      return {};
  return accesses;
}

} // namespace colonnade::record
