//===- Predication.h - Divergent control becomes masks -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an accepted canonical function and its uniformity. Out: a kernel in
// which all control is uniform: one lane per instance, masks where lanes part.
//
//   divergent If     both arms, masked; results blended. An arm stands behind
//                    `if (any lane active)` unless it is cheap and safe to run anyway
//   divergent loop   runs while any lane is active; a lane that has left keeps
//                    its values
//   inactive lanes   never divide by zero, shift too far or convert out of range
//
// Invariant: with no lane active nothing is loaded or stored, except that a
// store to a cell already accessed by all lanes of this mask rewrites it.
// Lanes without an instance do not occur: the runtime fills them with copies of
// the last instance, so the kernel starts with all lanes active.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_PREDICATION_PREDICATION_H
#define COLONNADE_TRANSFORM_PREDICATION_PREDICATION_H

#include "Oblivious/Oblivious.h"

namespace colonnade {

ir::Function predicate(const ir::Function &function, const Uniformity &uniformity);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_PREDICATION_PREDICATION_H
