//===- Transform.cpp - Canonical instance IR to kernel IR -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA keeps the canonical structure; CPU goes through Predication.
//
//===----------------------------------------------------------------------===//

#include "Transform/Transform.h"

#include "Transform/LaneWidth.h"
#include "Transform/Predication.h"
#include "Transform/Retype.h"

using namespace colonnade;
using namespace colonnade::ir;

static Place placeOf(const Array &array) {
  switch (array.role) {
  case ArrayRole::Local:
    return Place::Local;
  case ArrayRole::Table:
    return Place::Constant;
  default:
    return array.sharing == Sharing::Uniform ? Place::Uniform : Place::Global;
  }
}

Kernel colonnade::lowerToKernel(const Module &module, const Function &function,
                                const Uniformity &uniformity, Target target) {
  Kernel kernel;
  kernel.target = target;
  if (target == Target::Cuda) {
    kernel.body = function;
    kernel.varying = uniformity.varying;
  } else {
    predicate(function, uniformity, kernel);
  }
  kernel.body.stage = Stage::Kernel;
  for (size_t a = 0; a < kernel.body.arrays.size(); ++a) {
    Array &array = kernel.body.arrays[a];
    if (array.isLocal())
      array.sharing = uniformity.arrayVarying[a] ? Sharing::Instance : Sharing::Uniform;
    kernel.places.push_back(placeOf(array));
  }
  if (target == Target::Cpu) {
    kernel = retype(kernel, chooseLaneTypes(kernel));
    kernel.laneBytes = chooseLaneBytes(kernel);
  }
  return kernel;
}
