//===- WalkBudget.h - What is left for walks --------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps that are left for all walks (IR/KnownWalk.h) that one choice takes.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_WALKBUDGET_H
#define COLONNADE_TRANSFORM_WALKBUDGET_H

#include <cstdint>

namespace colonnade {

struct WalkBudget {
  uint64_t left = uint64_t(1) << 27; // some seconds
};

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_WALKBUDGET_H
