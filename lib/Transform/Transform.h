//===- Transform.h - Canonical instance IR to kernel IR -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an accepted canonical function and its uniformity.
// Out: a Kernel: the same nodes, predicated where the target needs it, with a
// shape (uniform or per lane) for every value and a place for every array.
// Emitters only print kernels and decide nothing.
//
//   CUDA: one thread per instance; divergent control stays control flow.
//   CPU:  one lane per instance; divergent If and loops become masks (Blend,
//         masked Load/Store, AnyLane), operands of inactive lanes are made safe.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TRANSFORM_H
#define COLONNADE_TRANSFORM_TRANSFORM_H

#include "IR/Function.h"
#include "Oblivious/Oblivious.h"

namespace colonnade {

enum class Target : uint8_t { Cuda, Cpu };

/// Where an array lives during the run.
enum class Place : uint8_t {
  Global,    // the caller's memory, through a layout accessor
  Uniform,   // one copy for all instances
  Local,     // per-thread or per-lane local array
  Registers, // fully unrolled, every subscript constant
  Constant,  // a table, emitted with its contents
};

struct Kernel {
  Target target = Target::Cpu;
  ir::Function body;              // stage Kernel
  std::vector<bool> varying;      // per value of body: one per lane (or thread)
  std::vector<Place> places;      // per array of body
  unsigned laneBytes = 4;         // CPU: a register of b bytes holds b / laneBytes instances
  std::vector<std::string> notes; // why each choice was made, for the user
};

Kernel lowerToKernel(const ir::Module &module, const ir::Function &function,
                     const Uniformity &uniformity, Target target);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TRANSFORM_H
