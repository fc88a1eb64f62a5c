//===- KernelPlaces.h - A kernel with arrays elsewhere ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a CUDA kernel, and where arrays of instances are to be. Out: what the models price then. No
// code is generated from it: nobody has asked whether the array's subscripts allow the place.
//
// Invariant: the operations are the kernel's; where an array goes to registers, loops are unrolled.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_KERNELPLACES_H
#define COLONNADE_MODEL_KERNELPLACES_H

#include "Model/BulkCost.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace colonnade::model {

/// `--place b=registers`
struct ArrayPlace {
  std::string array;
  ir::Space space; // Memory ("global"), Registers or Local
};
/// "global", "registers", "local"
std::optional<ir::Space> findPlace(llvm::StringRef name);

/// Error: there is no such array, or all instances share it.
llvm::Error place(ir::Function &kernel, const ArrayPlace &wanted);

/// The kernel that fixed sizes may lead to.
struct RegisterKernel {
  ir::Function kernel;
  std::vector<std::string> sizes; // to be fixed: "n"
};
/// nullopt: no array of the caller is in memory for its unknown size alone, or they are larger than
/// `words` registers.
std::optional<RegisterKernel> withRegisters(const ir::Function &kernel,
                                            llvm::ArrayRef<ModelArray> arrays, uint64_t words);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_KERNELPLACES_H
