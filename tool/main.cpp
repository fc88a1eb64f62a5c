//===- main.cpp - Entry of the colonnade command --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Driver.h"

#include <optional>
#include <utility>

#include "llvm/Support/thread.h" // uses <utility> without including it

// Lowering and rebuilding recurse as deep as the source nests, and a `break`
// nests the rest of its block: generated code needs more than the usual 8 MB.
// Only what is touched becomes memory.
static constexpr unsigned StackBytes = 256u << 20;

int main(int argc, char **argv) {
  int code = 0;
  llvm::thread worker(std::optional<unsigned>(StackBytes),
                      [&] { code = colonnade::runTool(argc, argv); });
  worker.join();
  return code;
}
