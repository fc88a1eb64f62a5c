//===- StripForm.h - What a kernel in strips accesses -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of one thread an instance, and the certificate of its function. Out: nothing, if its
// accesses are those of the certificate; else, for a kernel in strips, a certificate of its own, in
// which what rows hand on in registers is not accessed. For cost models.
// Invariant: arrays have the same ids; accesses of strips have ids that the function has not.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_STRIPS_STRIPFORM_H
#define COLONNADE_TRANSFORM_STRIPS_STRIPFORM_H

#include "IR/Function.h"

#include <optional>

namespace colonnade {

std::optional<ir::Function> certificateOfStrips(const ir::Module &module,
                                                const ir::Function &certificate,
                                                const ir::Function &kernel);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_STRIPS_STRIPFORM_H
