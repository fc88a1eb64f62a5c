//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// compared_function.hpp: a function's generated interface, and the original over
// many instances. In: FUNCTION, its identifier. Out: the interface, and
// sequential_all, which cpu/sequential.cpp defines.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "generated_interface.hpp"

#include <cstdint>

/// The original, one instance after the other. arrays: row-wise, one an array of the function;
/// step: bytes from an instance to the next, 0 if all share it; scalars: bits.
void sequential_all(void *const *arrays, const uint64_t *scalars, const uint64_t *step,
                    uint64_t count);
