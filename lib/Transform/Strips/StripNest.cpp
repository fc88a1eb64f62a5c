//===- StripNest.cpp - Two loops whose rows may be done together ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/StripNest.h"

#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"
#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

static constexpr int64_t MostRows = 1 << 20;

static bool isLoop(const Op &op) { return op.opcode == Opcode::For || op.opcode == Opcode::Loop; }

/// Computes, loads and stores, in branches too; no loop.
static bool isStraight(const Function &kernel, OpId id) {
  const Op &op = kernel.op(id);
  if (op.opcode == Opcode::If)
    return llvm::all_of(op.regions, [&](RegionId arm) {
      return llvm::all_of(kernel.region(arm).ops,
                          [&](OpId inner) { return isStraight(kernel, inner); });
    });
  return isPure(op) || op.opcode == Opcode::Load || op.opcode == Opcode::Store ||
         op.opcode == Opcode::Yield;
}

static bool endsByCounter(const Op &loop) {
  return loop.opcode == Opcode::For && !loop.hasContinueFlag && !loop.postTest;
}

/// Counters of whole blocks are computed: they must not begin anew.
static bool hasRoom(ScalarType type, int64_t low, int64_t step, uint64_t rows) {
  int64_t way = 0, end = 0;
  if (bitWidth(type) < 32 || (step < 0 && !isSigned(type)) ||
      __builtin_mul_overflow(step, static_cast<int64_t>(rows), &way) ||
      __builtin_add_overflow(low, way, &end))
    return false;
  return bitWidth(type) == 64 || (isSigned(type) ? end == int32_t(end) : end == uint32_t(end));
}

std::optional<StripNest> colonnade::asStripNest(const Function &kernel, OpId outer,
                                                std::string &reason) {
  const auto refuse = [&](const char *why) {
    reason = why;
    return std::nullopt;
  };
  const Op &loop = kernel.op(outer);
  StripNest nest;
  nest.outer = outer;
  for (OpId id : kernel.region(loop.regions[0]).ops)
    if (isLoop(kernel.op(id))) {
      if (nest.inner)
        return refuse("a row has several loops");
      nest.inner = id;
    }
  if (!nest.inner)
    return refuse("there is no loop in it");
  if (!endsByCounter(loop) || !endsByCounter(kernel.op(nest.inner)))
    return refuse("data decides when a loop ends");
  const auto isSimple = [&](RegionId region) {
    return llvm::all_of(kernel.region(region).ops,
                        [&](OpId id) { return id == nest.inner || isStraight(kernel, id); });
  };
  if (!isSimple(loop.regions[0]) || !isSimple(kernel.op(nest.inner).regions[0]))
    return refuse("an iteration has loops, calls or checks of its own");
  const std::optional<int64_t> rows = constantIterations(kernel, loop);
  if (!rows || *rows < 2 || *rows >= MostRows)
    return refuse("the number of rows is not known, below two, or too large");
  nest.rows = static_cast<uint64_t>(*rows);
  nest.low = asInt64(*kernel.constant(loop.operands[0]));
  nest.step = asStep(loop, *kernel.constant(loop.operands[2]));
  if (!hasRoom(kernel.value(loop.operands[0]).type, nest.low, nest.step, nest.rows))
    return refuse("the counter of a row is too large");
  return nest;
}

static void addNests(const Function &kernel, RegionId region, std::vector<StripNest> &nests) {
  for (OpId id : kernel.region(region).ops) {
    const Op &op = kernel.op(id);
    std::string reason;
    if (op.opcode == Opcode::For && op.unrolling.kind == Unrolling::Kind::None)
      if (const auto nest = asStripNest(kernel, id, reason))
        nests.push_back(*nest);
    for (RegionId inner : op.regions)
      addNests(kernel, inner, nests);
  }
}

std::vector<StripNest> colonnade::findStripNests(const Function &kernel) {
  std::vector<StripNest> nests;
  addNests(kernel, kernel.body, nests);
  return nests;
}

uint32_t colonnade::freshAccess(const Function &function) {
  uint32_t fresh = 0;
  for (const Op &op : function.ops)
    if (op.accessId != UINT32_MAX)
      fresh = std::max(fresh, op.accessId + 1);
  return fresh;
}

bool colonnade::isCellAccess(const Op &op) {
  return op.opcode == Opcode::Load || op.opcode == Opcode::Store;
}

void colonnade::markRegion(const Function &kernel, RegionId region, std::vector<bool> &marks) {
  for (OpId id : kernel.region(region).ops) {
    marks[id.index] = true;
    for (RegionId inner : kernel.op(id).regions)
      markRegion(kernel, inner, marks);
  }
}
