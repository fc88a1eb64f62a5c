//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What runner.hpp only declares.
//
//===----------------------------------------------------------------------===//

#include "runner.hpp"

#include "../../Fuzz/launcher.cpp"

#undef run_program

int colonnade::runtime::run_program_once(const function_info &f, int argc, char **argv) {
  return run_program(f, argc, argv);
}
