//===- MakePart.h - Puts a part and its calls in place ----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel and the plan of a part. Out: the kernel rebuilt, with one part more, and a call
// of it in place of each segment of the plan.
// Invariant: a part stands behind those that it calls. Constants of a segment stay where it was,
// for what comes behind it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_CALLS_MAKEPART_H
#define COLONNADE_TRANSFORM_CALLS_MAKEPART_H

#include "Transform/Calls/PartPlan.h"

namespace colonnade {

ir::Function withPart(const ir::Function &kernel, const PartPlan &plan, std::string name);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_CALLS_MAKEPART_H
