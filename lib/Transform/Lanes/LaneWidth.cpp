//===- LaneWidth.cpp - How many instances share a register -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The narrower the lanes, the more instances a register holds, and the more registers each
// value takes that is wider than a lane: twice as many for each doubling, and registers are
// few. So the width taken is the narrowest that a fair part of the operations can use.
//
//===----------------------------------------------------------------------===//

#include "Transform/Lanes/LaneWidth.h"

#include "Transform/Lanes/LaneCost.h"

#include <algorithm>
#include <array>

using namespace colonnade;
using namespace colonnade::ir;

static constexpr double FairPart = 0.5;

namespace {

struct Histogram {
  const Function &kernel;
  std::array<double, 4> weight = {}; // by log2 of the bytes

  void add(ScalarType type, double amount) {
    unsigned bytes = sizeBytes(type);
    weight[bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3] += amount;
  }

  void visit(RegionId region, double iterations) {
    for (OpId id : kernel.region(region).ops) {
      const Op &op = kernel.op(id);
      bool loop = op.opcode == Opcode::For || op.opcode == Opcode::Loop;
      for (RegionId nested : op.regions)
        visit(nested, loop ? std::min(iterations * IterationsPerLoop, 1e6) : iterations);
      if (!op.regions.empty())
        continue;
      if (op.opcode == Opcode::Store) {
        if (kernel.array(op.array).isPerInstance())
          add(kernel.array(op.array).cell, iterations);
      } else if (op.results.size() == 1 && kernel.varying(op.results[0])) {
        ScalarType type = kernel.value(op.results[0]).type;
        if (type == ScalarType::Bool && op.opcode != Opcode::Load && !op.operands.empty())
          type = kernel.value(op.operands[0]).type; // comparisons work on their operands
        if (type != ScalarType::Bool || op.opcode == Opcode::Load)
          add(type, iterations);
      }
    }
  }
};

} // namespace

unsigned colonnade::chooseLaneBytes(const Function &kernel) {
  Histogram histogram{kernel};
  histogram.visit(kernel.body, 1);
  double all = 0, sum = 0;
  for (double weight : histogram.weight)
    all += weight;
  if (all == 0)
    return 4;
  for (unsigned k = 0; k < 4; ++k) {
    sum += histogram.weight[k];
    if (sum >= FairPart * all)
      return 1u << k;
  }
  return 8;
}
