//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner/main.hpp: a runner's `main`, the same for all functions: so that it can be compiled once.
//
// In: a generated entry.cpp, which says what function it is. Out: the exit code (runner.hpp).
// Invariant: nothing here depends on the function.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/runner.hpp>

namespace colonnade::runtime {
const function_info &runner_entry(); // entry.cpp
}

int main(int argc, char **argv) {
  return colonnade::runtime::run_program(colonnade::runtime::runner_entry(), argc, argv);
}
