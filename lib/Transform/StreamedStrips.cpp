//===- StreamedStrips.cpp - Strips of rows while a loop runs --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/StreamedStrips.h"

#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

/// The accesses of a loop, in its regions.
void StreamedStrips::toRows(RegionId region, llvm::ArrayRef<Strip> strips) {
  const std::vector<OpId> ops = std::move(kernel_.region(region).ops);
  kernel_.region(region).ops.clear();
  for (OpId id : ops) {
    const llvm::SmallVector<RegionId, 2> inner = kernel_.op(id).regions;
    for (RegionId each : inner)
      toRows(each, strips);
    builder_.setRegion(region);
    const Op &op = kernel_.op(id);
    if (op.opcode == Opcode::Load || op.opcode == Opcode::Store)
      for (const Strip &strip : strips)
        if (strip.array->memory == op.array) {
          toRow(id, strip);
          break;
        }
    kernel_.region(region).ops.push_back(id);
  }
}

void StreamedStrips::toRow(OpId id, const Strip &strip) {
  const Op access = kernel_.op(id);
  const ValueId cell = builder_.cellOf(access);
  ValueId inRow = builder_.binary(Opcode::Sub, builder_.cast(cell, ScalarType::S64), strip.begin);
  kernel_.value(inRow).varying = kernel_.varying(cell);
  llvm::SmallVector<ValueId, 4> operands = {place_.lane, inRow,
                                            builder_.number(strip.array->width)};
  if (access.opcode == Opcode::Store)
    operands.push_back(accessOperands(access).stored);
  kernel_.op(id).array = strip.rows;
  kernel_.op(id).operands = std::move(operands);
}

/// first + strip * step, but within the row.
ValueId StreamedStrips::beginOf(const StreamedArray &array, const StripNumber &strip,
                                uint64_t numStrips) {
  const auto number = [&](int64_t value) { return builder_.constantInt(ScalarType::S64, value); };
  const int64_t last = static_cast<int64_t>(array.cells - array.width),
                end = array.first + array.step * static_cast<int64_t>(numStrips - 1);
  if (strip.known)
    return number(std::clamp<int64_t>(array.first + array.step * static_cast<int64_t>(*strip.known),
                                      0, last));
  ValueId at = builder_.binary(Opcode::Mul, strip.value, number(array.step));
  if (array.first)
    at = builder_.binary(Opcode::Add, at, number(array.first));
  if (std::min(array.first, end) < 0)
    at = most(at, number(0));
  if (std::max(array.first, end) > last)
    at = least(at, number(last));
  return at;
}

static bool beginsAlike(const StreamedArray &a, const StreamedArray &b) {
  return a.first == b.first && a.step == b.step && a.cells - a.width == b.cells - b.width;
}

/// The loop itself, from the strip's first iteration to its last; what it carries then.
std::vector<ValueId> StreamedStrips::iterations(const StreamedLoop &loop, ValueId number,
                                                llvm::ArrayRef<ValueId> carried) {
  const Op &op = kernel_.op(loop.loop);
  const ValueId low = op.operands[0], step = op.operands[2];
  const ScalarType type = kernel_.value(low).type;
  const ValueId perStrip = builder_.number(loop.perStrip), all = builder_.number(loop.iterations),
                steps = builder_.binary(Opcode::Mul, number, perStrip),
                begin = loop.before
                            ? builder_.binary(Opcode::Sub, steps, builder_.number(loop.before))
                            : steps,
                next = builder_.binary(Opcode::Add, begin, perStrip), behind = least(next, all),
                first = loop.before ? most(begin, builder_.number(0)) : begin;
  const auto counterAt = [&](ValueId iteration) {
    return builder_.binary(Opcode::Add, low,
                           builder_.binary(Opcode::Mul, builder_.cast(iteration, type), step));
  };
  const ValueId from = counterAt(first), to = counterAt(behind);
  setLoop(loop.loop, {from, to, step}, loop.isAscending ? Predicate::Lt : Predicate::Gt, carried);
  return resultsOf(loop.loop);
}

/// The same of a strip whose number is known.
std::vector<ValueId> StreamedStrips::iterations(const StreamedLoop &loop, uint64_t number,
                                                llvm::ArrayRef<ValueId> carried) {
  const Op &op = kernel_.op(loop.loop);
  const ValueId step = op.operands[2];
  const ScalarType type = kernel_.value(step).type;
  const int64_t low = asInt64(*kernel_.constant(op.operands[0])),
                by = asStep(op, *kernel_.constant(step)),
                first = static_cast<int64_t>(number * loop.perStrip) -
                        static_cast<int64_t>(loop.before),
                behind = first + static_cast<int64_t>(loop.perStrip),
                all = static_cast<int64_t>(loop.iterations);
  const ValueId from = builder_.constantInt(type, low + std::max<int64_t>(first, 0) * by),
                to = builder_.constantInt(type, low + std::min(behind, all) * by);
  setLoop(loop.loop, {from, to, step}, by > 0 ? Predicate::Lt : Predicate::Gt, carried);
  return resultsOf(loop.loop);
}

/// At the builder's place.
void StreamedStrips::setLoop(OpId loop, std::initializer_list<ValueId> bounds, Predicate predicate,
                             llvm::ArrayRef<ValueId> carried) {
  Op &op = kernel_.op(loop);
  op.operands = bounds;
  op.operands.append(carried.begin(), carried.end());
  op.predicate = predicate;
  op.postTest = false;
  kernel_.region(builder_.insertionRegion()).ops.push_back(loop);
}

/// But the counter's.
std::vector<ValueId> StreamedStrips::resultsOf(OpId loop) const {
  const auto &results = kernel_.op(loop).results;
  return {std::next(results.begin()), results.end()};
}

std::vector<Strip> StreamedStrips::of(const StreamedLoop &loop, const StripNumber &number,
                                      bool isOther) {
  std::vector<Strip> strips;
  for (const StreamedArray &array : loop.arrays) {
    const auto alike =
        llvm::find_if(strips, [&](const Strip &other) { return beginsAlike(*other.array, array); });
    strips.push_back(
        {&array, isOther ? array.otherRows : array.rows,
         alike == strips.end() ? beginOf(array, number, loop.numStrips()) : alike->begin});
  }
  return strips;
}

static ValueId atOf(const StreamedArray &array, ValueId begin) {
  return array.width < array.cells ? begin : ValueId();
}

void StreamedStrips::stageIn(llvm::ArrayRef<Strip> strips) {
  for (const Strip &strip : strips)
    if (strip.array->isRead)
      builder_.stage(strip.rows, strip.array->memory, atOf(*strip.array, strip.begin));
}

llvm::SmallVector<ValueId, 4> StreamedStrips::run(const StreamedLoop &loop,
                                                  const StripNumber &number,
                                                  llvm::ArrayRef<Strip> strips,
                                                  llvm::ArrayRef<ValueId> carried) {
  builder_.barrier(Sharing::Warp);
  std::vector<ScalarType> types;
  for (ValueId value : carried)
    types.push_back(kernel_.value(value).type);
  const OpId branch = builder_.createIf(place_.hasInstance, types);
  {
    const InsertionScope scope(builder_);
    builder_.setRegion(kernel_.op(branch).regions[0]);
    const std::vector<ValueId> left = number.known ? iterations(loop, *number.known, carried)
                                                   : iterations(loop, number.value, carried);
    builder_.yield(left);
    toRows(kernel_.op(loop.loop).regions[0], strips);
    builder_.setRegion(kernel_.op(branch).regions[1]);
    builder_.yield(carried);
    for (auto [result, value] : llvm::zip_equal(kernel_.op(branch).results, left))
      kernel_.value(result).varying = kernel_.varying(value);
  }
  builder_.barrier(Sharing::Warp);
  for (const Strip &strip : strips)
    if (strip.array->isWritten)
      builder_.stage(strip.array->memory, strip.rows, atOf(*strip.array, strip.begin));
  if (llvm::any_of(strips, [](const Strip &strip) { return strip.array->isWritten; }))
    builder_.barrier(Sharing::Warp);
  return {kernel_.op(branch).results.begin(), kernel_.op(branch).results.end()};
}
