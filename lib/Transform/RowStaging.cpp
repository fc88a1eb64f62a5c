//===- RowStaging.cpp - Row-wise instances through shared memory ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   stage what is read; if the thread has an instance { the kernel }; stage what was written
//
// Barriers stand between the copies of a warp and its threads' own accesses.
//
//===----------------------------------------------------------------------===//

#include "Transform/RowStaging.h"

#include "Transform/BlockBuilder.h"
#include "Transform/LiveCopies.h"
#include "Transform/RowStagingPlan.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class RowStaging {
public:
  explicit RowStaging(RowStagingPlan plan)
      : plan_(std::move(plan)), kernel_(plan_.kernel), builder_(kernel_) {}

  Function run() {
    build();
    copyLiveCells(kernel_);
    return std::move(kernel_);
  }

private:
  void build();
  void rewrite(RegionId region);
  void append(OpId id);
  void toRows(OpId id, const StagedArray &staged);
  void batchIn(const StripBatch &batch);
  void batchOut(const StripBatch &batch);
  ValueId beginOf(const RowStrip &strip);
  void eachCell(const RowStrip &strip, bool isIn);
  void copyDirectly(const StagedArray &staged, bool isIn);

  RowStagingPlan plan_;
  Function &kernel_;
  BlockBuilder builder_;
  ValueId lane_, hasInstance_;
};

} // namespace

/// Between a strip in shared memory and the thread's registers.
void RowStaging::eachCell(const RowStrip &strip, bool isIn) {
  const ValueId width = builder_.number(strip.width), base = builder_.number(strip.first);
  const ArrayId registers = strip.staged->registers;
  builder_.forCells(strip.width, [&](ValueId cell) {
    const ValueId inRegisters = builder_.binary(Opcode::Add, base, cell), inStrip[] = {lane_, cell};
    if (isIn)
      builder_.store(registers, builder_.varying(builder_.load(strip.rows, inStrip, {width})),
                     {inRegisters});
    else
      builder_.store(strip.rows, builder_.varying(builder_.load(registers, {inRegisters})), inStrip,
                     {width});
  });
}

/// Threads without an instance do not, so this is not left to registers that are loaded first.
void RowStaging::copyDirectly(const StagedArray &staged, bool isIn) {
  if (isIn)
    builder_.copyCells(staged.registers, staged.memory, staged.cells);
  else
    builder_.copyCells(staged.memory, staged.registers, staged.cells);
}

/// Invalid if the strip is all of the row.
ValueId RowStaging::beginOf(const RowStrip &strip) {
  return strip.width < strip.staged->cells ? builder_.number(strip.first) : ValueId();
}

void RowStaging::batchIn(const StripBatch &batch) {
  for (const RowStrip &strip : batch)
    builder_.stage(strip.rows, strip.staged->memory, beginOf(strip));
  builder_.wait();
  builder_.barrier(Sharing::Warp);
  builder_.onlyIf(hasInstance_, [&] {
    for (const RowStrip &strip : batch)
      eachCell(strip, true);
  });
  builder_.barrier(Sharing::Warp);
}

void RowStaging::batchOut(const StripBatch &batch) {
  builder_.onlyIf(hasInstance_, [&] {
    for (const RowStrip &strip : batch)
      eachCell(strip, false);
  });
  builder_.barrier(Sharing::Warp);
  for (const RowStrip &strip : batch)
    builder_.stage(strip.staged->memory, strip.rows, beginOf(strip));
}

/// An operation of the kernel: its access goes to registers, or to the lane's row.
void RowStaging::append(OpId id) {
  const Op &op = kernel_.op(id);
  const bool isAccess = op.opcode == Opcode::Load || op.opcode == Opcode::Store;
  const auto staged = llvm::find_if(
      plan_.staged, [&](const StagedArray &each) { return isAccess && each.memory == op.array; });
  if (staged != plan_.staged.end() && staged->registers)
    kernel_.op(id).array = staged->registers;
  else if (staged != plan_.staged.end())
    toRows(id, *staged);
  kernel_.region(builder_.insertionRegion()).ops.push_back(id);
}

void RowStaging::toRows(OpId id, const StagedArray &staged) {
  const Op access = kernel_.op(id);
  llvm::SmallVector<ValueId, 4> operands = {lane_, builder_.cellOf(access),
                                            builder_.number(staged.width)};
  if (access.opcode == Opcode::Store)
    operands.push_back(accessOperands(access).stored);
  kernel_.op(id).array = staged.rows;
  kernel_.op(id).operands = std::move(operands);
}

void RowStaging::rewrite(RegionId region) {
  const std::vector<OpId> ops = std::move(kernel_.region(region).ops);
  kernel_.region(region).ops.clear();
  builder_.setRegion(region);
  for (OpId id : ops)
    append(id);
}

void RowStaging::build() {
  const size_t numRegions = kernel_.regions.size();
  std::vector<OpId> ops = std::move(kernel_.region(kernel_.body).ops);
  kernel_.region(kernel_.body).ops.clear();
  builder_.setRegion(kernel_.body);
  lane_ = builder_.place(Opcode::Lane, ScalarType::S64);
  hasInstance_ = builder_.place(Opcode::HasInstance, ScalarType::Bool);
  {
    const InsertionScope scope(builder_);
    for (size_t r = 0; r < numRegions; ++r)
      if (RegionId(r) != kernel_.body)
        rewrite(RegionId(r));
  }
  const auto whole = [&] {
    return llvm::make_filter_range(plan_.staged,
                                   [](const StagedArray &each) { return !each.registers; });
  };
  for (const StagedArray &staged : whole())
    if (staged.isRead)
      builder_.stage(staged.rows, staged.memory);
  for (const StripBatch &batch : plan_.in)
    batchIn(batch);
  if (plan_.in.empty()) {
    builder_.wait();
    builder_.barrier(Sharing::Warp);
  }
  builder_.onlyIf(hasInstance_, [&] {
    for (const StagedArray &staged : plan_.staged)
      if (staged.isDirect && staged.isRead)
        copyDirectly(staged, true);
    for (OpId id : llvm::drop_end(ops))
      append(id);
    for (const StagedArray &staged : plan_.staged)
      if (staged.isDirect && kernel_.array(staged.memory).writes)
        copyDirectly(staged, false);
  });
  builder_.barrier(Sharing::Warp);
  for (const StagedArray &staged : whole())
    if (kernel_.array(staged.memory).writes)
      builder_.stage(staged.memory, staged.rows);
  for (const StripBatch &batch : plan_.out) {
    if (&batch != &plan_.out.front())
      builder_.barrier(Sharing::Warp);
    batchOut(batch);
  }
  kernel_.region(kernel_.body).ops.push_back(ops.back());
}

StagedRows colonnade::stageRows(const Function &kernel, llvm::ArrayRef<uint64_t> accesses,
                                const std::vector<bool> &fullyWritten,
                                llvm::ArrayRef<uint64_t> mostCells) {
  RowStagingPlan plan = planRowStaging(kernel, accesses, fullyWritten, mostCells);
  if (plan.isEmpty())
    return {std::nullopt, std::move(plan.reason)};
  return {RowStaging(std::move(plan)).run(), ""};
}
