//===- AllCalls.h - Calls of short kernels, kept ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Users' kernels keep calls only if they are long. With these limits each one keeps whatever
// can be kept, so that tests see it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_ALLCALLS_H
#define COLONNADE_TEST_TOOLS_ALLCALLS_H

#include "Transform/Calls/KeepCalls.h"

namespace colonnade {

inline constexpr CallLimits AllCalls = {
    .operations = 0, .enough = 0, .leastOperations = 2, .callOperations = 0};

} // namespace colonnade

#endif // COLONNADE_TEST_TOOLS_ALLCALLS_H
