//===- Spaces.h - Where each array of a kernel lives ------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel whose launch shape is known. Out: Array::space of every array, and a note
// for each that ends up in scratch memory.
// Invariant: an array in registers or local memory has a constant number of cells.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_SPACES_H
#define COLONNADE_TRANSFORM_SPACES_H

#include "Oblivious/Oblivious.h"
#include "Transform/RegisterPlacement.h"

namespace colonnade {

/// A local array needs a copy per instance only where its contents differ.
void shareLocalArrays(ir::Function &kernel, const Uniformity &uniformity);

/// `fullyWritten`: per array, every cell is stored to in every run (FullyWritten.h).
void placeForThreads(ir::Function &kernel, const RegisterPlan &registers,
                     const std::vector<bool> &fullyWritten);
void placeForLanes(ir::Function &kernel);
void placeForOne(ir::Function &kernel); // of launch shape serial

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_SPACES_H
