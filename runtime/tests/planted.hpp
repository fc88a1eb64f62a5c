//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// planted.hpp: whether a planted fault shows under one of a few schedules.
//
// In a process of its own each: a fault may write anywhere, and a crash or no end
// shows it too.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace colonnade::testing {

/// run(seed): what is wrong, empty if nothing.
template <class Run> bool shows(Run run, unsigned schedules = 20) {
  for (unsigned seed = 0; seed < schedules; ++seed) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      _exit(run(seed).empty() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0)
      return true;
  }
  return false;
}

} // namespace colonnade::testing
