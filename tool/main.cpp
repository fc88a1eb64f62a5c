//===- main.cpp - Entry of the colonnade command --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Driver.h"

#include <csignal>
#include <cstdlib>
#include <new>
#include <optional>
#include <unistd.h>
#include <utility>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/thread.h" // uses <utility> without including it

// Lowering and rebuilding recurse as deep as the source nests, and a `break`
// nests the rest of its block: generated code needs more than the usual 8 MB.
// Only what is touched becomes memory.
static constexpr unsigned StackBytes = 256u << 20;

static volatile std::sig_atomic_t isEnding = 0;

/// What has failed cannot go on. Aborting lets whoever has temporary files remove them.
[[noreturn]] static void endWith(const char *error) {
  for (llvm::StringRef part : {"error: ", error, "\n"})
    if (::write(STDERR_FILENO, part.data(), part.size()) < 0)
      break; // nobody listens
  isEnding = 1;
  std::abort();
}

[[noreturn]] static void endWithoutMemory() {
  endWith("not enough memory (check fewer functions or files at once, or raise the limit, "
          "`ulimit -v`)");
}

extern "C" void onAbort(int signal) {
  if (isEnding)
    ::_exit(3);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Before anything else: who comes later and has files to remove does that first, and ends here.
static void installLastHandlers() {
  std::signal(SIGABRT, onAbort);
  std::set_new_handler(endWithoutMemory);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { endWithoutMemory(); },
                                        nullptr);
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) { endWith(reason); },
                                    nullptr);
}

int main(int argc, char **argv) {
  installLastHandlers();
  int code = 0;
  llvm::thread worker(std::optional<unsigned>(StackBytes),
                      [&] { code = colonnade::runTool(argc, argv); });
  worker.join();
  return code;
}
