//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Included before the files of a runner; see runner-cxx. runner.cpp has what all runners
// share.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../../Fuzz/generated.hpp"

#include <colonnade/bulk/runner.hpp>

namespace colonnade::runtime {
int run_program_once(const function_info &f, int argc, char **argv);
}
#define run_program run_program_once
