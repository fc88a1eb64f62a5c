//===- UniformArrays.h - -i to cells ----------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an .npy file, and a uniform array at concrete sizes. Out: its cells.
//
// Invariant: files are read as the runner reads them (bulk/npy.hpp).
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_UNIFORMARRAYS_H
#define COLONNADE_DRIVER_UNIFORMARRAYS_H

#include "IR/Function.h"

#include "llvm/Support/Error.h"

namespace colonnade {

/// Fills `cells` with so many, which the array has. Error: the file has another type or size.
llvm::Error readUniformArray(const std::string &path, const ir::Array &array, uint64_t count,
                             std::vector<uint64_t> &cells);

} // namespace colonnade

#endif // COLONNADE_DRIVER_UNIFORMARRAYS_H
