//===- LoadWaits.cpp - How often a kernel's thread waits for memory -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/LoadWaits.h"

#include "Model/IssuedOperations.h"
#include "Model/KModel.h"
#include "Model/RegisterArrays.h"

#include "IR/KernelFacts.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

#include <cmath>

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::Space;

namespace {

using Stored = llvm::SmallSet<uint32_t, 4>; // arrays

class BatchFinder {
public:
  BatchFinder(const ir::Function &kernel, const RegionExecutions &executions, Layout layout)
      : kernel_(kernel), executions_(executions), layout_(layout),
        inRegisters_(registerArrays(kernel)), mayMeet_(kernel.arrays.size()) {
    for (const Op &op : kernel.ops)
      if (op.opcode == Opcode::Store)
        mayMeet_[op.array.index] = kernel.array(op.array).space != Space::Local;
  }

  std::vector<LoadBatch> run();
  bool isInline(const Op &op) const;

private:
  void region(RegionId id, double entries);
  void straight(RegionId id, double entries);
  void loop(const Op &op, double entries);
  void access(const Op &op, double entries);
  void close(double entries);
  bool isMemory(ArrayId array) const;
  bool mayPassStores(ArrayId array) const;
  bool mayBeStored(const Op &load, const Stored &stored) const;
  bool loadsOverlap(RegionId body) const;
  bool isNested(const Op &op) const;
  bool isAlike(const Op &loop) const;
  bool isOfMember(const Op &branch) const;
  bool gather(RegionId body, Stored &stored, std::vector<const Op *> &loads) const;
  bool comesFrom(const Op &op, llvm::function_ref<bool(ValueId)> wanted) const;
  bool waitsForOpen(const Op &op) const;
  bool isOfLoad(const Op &op) const;
  double entriesOf(RegionId id) const { return static_cast<double>(executions_[id.index].all); }

  const ir::Function &kernel_;
  const RegionExecutions &executions_;
  Layout layout_;
  std::vector<bool> inRegisters_; // by array
  std::vector<bool> mayMeet_;     // likewise: written, in memory that all threads see
  std::vector<LoadBatch> batches_;
  std::vector<uint32_t> open_;         // loads of the batch that is not closed yet
  llvm::SmallSet<uint32_t, 8> loaded_; // their values
  Stored stored_;                      // in memory since the batch began
};

} // namespace

std::vector<LoadBatch> BatchFinder::run() {
  region(kernel_.body, 1);
  for (const ir::Part &part : kernel_.parts)
    region(part.body, entriesOf(part.body));
  return std::move(batches_);
}

bool BatchFinder::isMemory(ArrayId array) const {
  const std::optional<Space> space = kernel_.array(array).space;
  return space && !inRegisters_[array.index] && *space != Space::Constant;
}

/// Whether the compiler can tell the array's cells apart: their distance is a constant.
bool BatchFinder::mayPassStores(ArrayId array) const {
  const Space space = *kernel_.array(array).space;
  return space != Space::Scratch && (layout_ != Layout::Column || space != Space::Memory);
}

/// Whether the load may be of what was stored, for all that the compiler knows. It knows that what
/// the kernel does not write is not stored, and that a thread's local memory is its own; of two
/// other arrays that are written, it knows nothing.
bool BatchFinder::mayBeStored(const Op &load, const Stored &stored) const {
  const uint32_t own = load.array.index;
  return llvm::any_of(stored, [&](uint32_t other) {
    return other == own ? !mayPassStores(load.array) : mayMeet_[own] && mayMeet_[other];
  });
}

void BatchFinder::close(double entries) {
  if (!open_.empty())
    batches_.push_back({std::move(open_), entries, 1});
  open_.clear();
  stored_.clear();
  loaded_.clear();
}

void BatchFinder::access(const Op &op, double entries) {
  if (!isMemory(op.array))
    return;
  if (op.opcode == Opcode::Store) {
    stored_.insert(op.array.index);
    return;
  }
  if (mayBeStored(op, stored_) || waitsForOpen(op))
    close(entries);
  open_.push_back(op.accessId);
  loaded_.insert(op.results[0].index);
}

/// Whether an operand, or what it is computed from, is wanted. Nothing is asked twice: operands
/// that are used again and again would double the work each time.
bool BatchFinder::comesFrom(const Op &op, llvm::function_ref<bool(ValueId)> wanted) const {
  llvm::SmallVector<ValueId, 16> open(op.operands.begin(), op.operands.end());
  llvm::DenseSet<uint32_t> seen;
  while (!open.empty()) {
    const ValueId id = open.pop_back_val();
    if (!seen.insert(id.index).second)
      continue;
    if (wanted(id))
      return true;
    const Op *const from = kernel_.definition(id);
    if (from && from->opcode != Opcode::Load && from->regions.empty())
      open.append(from->operands.begin(), from->operands.end());
  }
  return false;
}

/// Whether its address, or what it stores, is computed from what the batch loads.
bool BatchFinder::waitsForOpen(const Op &op) const {
  return !loaded_.empty() && comesFrom(op, [&](ValueId id) { return loaded_.contains(id.index); });
}

/// Whether a load is in its address.
bool BatchFinder::isOfLoad(const Op &op) const {
  return comesFrom(op, [&](ValueId id) {
    const Op *const from = kernel_.definition(id);
    return from && from->opcode == Opcode::Load;
  });
}

/// A loop of few iterations, which the compiler unrolls: of 32 loads at most.
bool BatchFinder::isInline(const Op &op) const {
  static constexpr int64_t MostLoads = 32;
  const std::optional<int64_t> iterations = constantIterations(kernel_, op);
  if (!iterations || op.hasContinueFlag || op.unrolling.kind == ir::Unrolling::Kind::Fully)
    return false;
  int64_t loads = 0;
  for (OpId id : kernel_.region(op.regions[0]).ops) {
    const Op &inner = kernel_.op(id);
    if (isNested(inner))
      return false;
    loads += inner.opcode == Opcode::Load;
    if (isInline(inner))
      loads += *constantIterations(kernel_, inner);
  }
  return *iterations <= MostLoads && loads * *iterations <= MostLoads;
}

/// Loads do not pass it. Where an If chooses values, the compiler makes no branch of it.
bool BatchFinder::isNested(const Op &op) const {
  return op.opcode == Opcode::CallPart || isRoutine(kernel_, op) ||
         (!op.regions.empty() && !isLikelyChoice(kernel_, op) && !isInline(op) && !isOfMember(op));
}

/// A branch that a team's members take by their numbers, the first one always: what it needs is
/// known early.
bool BatchFinder::isOfMember(const Op &branch) const {
  if (branch.opcode != Opcode::If || kernel_.region(branch.regions[1]).ops.size() > 1 ||
      executions_[branch.regions[1].index].all > 0)
    return false;
  return !comesFrom(branch, [&](ValueId id) {
    const Op *const from = kernel_.definition(id);
    if (from)
      return from->opcode == Opcode::Load || from->opcode == Opcode::HasInstance ||
             !from->regions.empty();
    const OpId loop = kernel_.region(kernel_.value(id).region).parent;
    return !loop || kernel_.value(id).index != 0; // else a counter
  });
}

/// What the region loads and stores, with what is unrolled in it. False: loads do not pass it.
bool BatchFinder::gather(RegionId body, Stored &stored, std::vector<const Op *> &loads) const {
  return llvm::all_of(kernel_.region(body).ops, [&](OpId id) {
    const Op &op = kernel_.op(id);
    const bool isUnrolled =
        op.opcode == Opcode::For && op.unrolling.kind == ir::Unrolling::Kind::Fully;
    if ((isNested(op) && !isUnrolled) || (op.guarded && isOfLoad(op)))
      return false;
    if (op.opcode == Opcode::Store && isMemory(op.array))
      stored.insert(op.array.index);
    if (op.opcode == Opcode::Load && isMemory(op.array))
      loads.push_back(&op);
    return llvm::all_of(op.regions, [&](RegionId part) { return gather(part, stored, loads); });
  });
}

/// Whether loads of the next iteration may be made before this one's stores.
bool BatchFinder::loadsOverlap(RegionId body) const {
  Stored stored;
  std::vector<const Op *> loads;
  return gather(body, stored, loads) &&
         llvm::none_of(loads, [&](const Op *load) { return mayBeStored(*load, stored); });
}

/// Whether the loop's iterations are as many each time that it is entered: its bounds are computed
/// before all loops.
bool BatchFinder::isAlike(const Op &loop) const {
  if (loop.opcode != Opcode::For)
    return false;
  return llvm::all_of(llvm::ArrayRef(loop.operands).take_front(3), [&](ValueId bound) {
    const ir::Value &value = kernel_.value(bound);
    return kernel_.constant(bound) ||
           (value.def ? llvm::is_contained(kernel_.region(kernel_.body).ops, value.def)
                      : value.region == kernel_.body);
  });
}

/// Of a loop that runs `atOnce` iterations at a time, and the rest one by one.
static double stepsOf(double entries, double iterations, unsigned atOnce, bool isAlike) {
  const double each = iterations / entries;
  if (isAlike)
    return entries * (std::floor(each / atOnce) + std::fmod(each, atOnce));
  const double rest = std::min(each, (atOnce - 1) / 2.0); // on average
  return iterations / atOnce + entries * rest;
}

/// Iterations that overlap wait for each of their batches together; so do those of a nest that is
/// unrolled.
void BatchFinder::loop(const Op &op, double entries) {
  for (RegionId part : op.regions) {
    const size_t first = batches_.size();
    const double iterations = entriesOf(part);
    const bool isUnrolled = op.unrolling.kind == ir::Unrolling::Kind::Fully;
    region(part, iterations);
    if (iterations == 0 || !loadsOverlap(part))
      continue;
    for (LoadBatch &batch : llvm::MutableArrayRef(batches_).drop_front(first)) {
      const unsigned atOnce =
          std::max(1u, static_cast<unsigned>(iterationsAtOnce(op.unrolling) / batch.together));
      const double steps = isUnrolled
                               ? entries * std::ceil(iterations / entries / atOnce)
                               : stepsOf(entries, iterations, atOnce, entries == 1 || isAlike(op));
      if (steps >= iterations)
        continue;
      batch.times *= steps / iterations;
      batch.together *= iterations / steps;
    }
  }
}

void BatchFinder::region(RegionId id, double entries) {
  straight(id, entries);
  close(entries);
}

void BatchFinder::straight(RegionId id, double entries) {
  for (OpId opId : kernel_.region(id).ops) {
    const Op &op = kernel_.op(opId);
    if (op.opcode == Opcode::Load || op.opcode == Opcode::Store)
      access(op, entries);
    else if (isNested(op))
      close(entries);
    if (isInline(op))
      for (int64_t i = 0; i < *constantIterations(kernel_, op); ++i)
        straight(op.regions[0], entries);
    else if (op.opcode == Opcode::For || op.opcode == Opcode::Loop)
      loop(op, entries);
    else if (isOfMember(op))
      straight(op.regions[0], entries);
    else if (!isLikelyChoice(kernel_, op)) // which loads nothing
      for (RegionId arm : op.regions)
        region(arm, entriesOf(arm));
  }
}

bool isShortLoop(const ir::Function &kernel, const RegionExecutions &executions, const Op &loop) {
  return BatchFinder(kernel, executions, Layout::Row).isInline(loop);
}

std::vector<LoadBatch> loadBatches(const ir::Function &kernel, const RegionExecutions &executions,
                                   Layout layout) {
  return BatchFinder(kernel, executions, layout).run();
}

} // namespace colonnade::model
