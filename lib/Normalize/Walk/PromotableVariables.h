//===- PromotableVariables.h - Arrays that can be slots ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a raw function. Out: for each of its variables, whether every use names a
// constant element, so that the cells of its arrays can be slots. How large they
// are is not looked at.
// Invariant: the pointer to such a variable goes nowhere but into loads, stores,
// and copies or fills of a constant number of elements.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_PROMOTABLEVARIABLES_H
#define COLONNADE_NORMALIZE_WALK_PROMOTABLEVARIABLES_H

#include "IR/Function.h"

namespace colonnade::canonical {

/// By operation; of Objects only.
std::vector<bool> promotableVariables(const ir::Function &raw);

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_PROMOTABLEVARIABLES_H
