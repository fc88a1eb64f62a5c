//===- ThreadCycles.cpp - How long a thread takes by itself ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/ThreadCycles.h"

#include "Model/IssuedOperations.h"
#include "Model/KModel.h"

#include "IR/KernelFacts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace colonnade::model {

using ir::Op;
using ir::Opcode;

namespace {

constexpr double CyclesOfIssue = 1; // of a warp's instruction

/// When values are there, in cycles since a stretch without branches began.
class ReadyTimes {
public:
  /// outside: of what is computed before.
  explicit ReadyTimes(double outside) : outside_(outside) {}

  double of(ValueId value) const {
    const auto found = at_.find(value.index);
    return found == at_.end() ? outside_ : found->second;
  }
  void set(ValueId value, double time) {
    at_[value.index] = time;
    last_ = std::max(last_, time);
  }
  double outside() const { return outside_; }
  double last() const { return last_; }

  double issued = 0; // instructions

private:
  double outside_, last_ = 0;
  llvm::DenseMap<uint32_t, double> at_;
};

class CycleCounter {
public:
  CycleCounter(const ir::Function &kernel, const RegionExecutions &executions)
      : kernel_(kernel), executions_(executions), weights_(kernel) {}

  double run();

private:
  double region(RegionId id, bool folds);
  double loop(const Op &op, RegionId in, bool folds);
  bool isStraight(RegionId id) const;
  bool isStraight(const Op &op) const;
  void straight(RegionId id, bool folds, ReadyTimes &times);
  void step(OpId id, RegionId in, bool folds, ReadyTimes &times);
  void unrolled(OpId id, RegionId in, ReadyTimes &times);
  double handedOn(const Op &loop, bool folds);
  double handedOnUnrolled(OpId loop);
  llvm::ArrayRef<ValueId> yielded(const Op &loop) const;
  double latest(llvm::ArrayRef<ValueId> values, const ReadyTimes &times) const;
  double share(RegionId inner, RegionId outer) const;

  const ir::Function &kernel_;
  const RegionExecutions &executions_;
  OperationWeights weights_;
  llvm::DenseMap<uint32_t, double> handedOn_; // by OpId of loops that are unrolled
};

} // namespace

static double cyclesOf(const ReadyTimes &times) {
  return std::max(times.last(), CyclesOfIssue * times.issued);
}

double CycleCounter::run() {
  double cycles = region(kernel_.body, false);
  for (const ir::Part &part : kernel_.parts)
    cycles += static_cast<double>(executions_[part.body.index].all) * region(part.body, false);
  return cycles;
}

/// Entries of one region for each of the other.
double CycleCounter::share(RegionId inner, RegionId outer) const {
  const auto of = static_cast<double>(executions_[outer.index].all);
  return of > 0 ? static_cast<double>(executions_[inner.index].all) / of : 0;
}

double CycleCounter::latest(llvm::ArrayRef<ValueId> values, const ReadyTimes &times) const {
  double time = -std::numeric_limits<double>::infinity();
  for (ValueId value : values)
    time = std::max(time, times.of(value));
  return time;
}

/// What an iteration of a For hands on, without the flag that it goes on.
llvm::ArrayRef<ValueId> CycleCounter::yielded(const Op &loop) const {
  return llvm::ArrayRef(kernel_.terminator(loop.regions.back()).operands)
      .drop_front(loop.hasContinueFlag);
}

/// Whether the compiler makes no branch of it.
bool CycleCounter::isStraight(const Op &op) const {
  if (op.opcode == Opcode::CallPart || op.opcode == Opcode::Barrier || op.opcode == Opcode::Stage ||
      isRoutine(kernel_, op))
    return false;
  if (op.regions.empty() || isChoice(kernel_, op))
    return true;
  return op.opcode == Opcode::For && !op.hasContinueFlag && isUnrolledFully(kernel_, op) &&
         isStraight(op.regions[0]);
}
bool CycleCounter::isStraight(RegionId id) const {
  return llvm::all_of(kernel_.region(id).ops, [&](OpId op) { return isStraight(kernel_.op(op)); });
}

void CycleCounter::straight(RegionId id, bool folds, ReadyTimes &times) {
  for (OpId op : kernel_.region(id).ops)
    step(op, id, folds, times);
}

void CycleCounter::step(OpId id, RegionId in, bool folds, ReadyTimes &times) {
  const Op &op = kernel_.op(id);
  if (op.opcode == Opcode::For)
    return unrolled(id, in, times);
  const double weight = weights_.of(op, folds);
  times.issued += weight;
  double start = std::max(times.outside(), latest(op.operands, times));
  for (RegionId arm : op.regions) {
    straight(arm, folds, times);
    start = std::max(start, latest(kernel_.terminator(arm).operands, times));
  }
  for (ValueId result : op.results)
    times.set(result, start + weight * CyclesOfResult);
}

/// All iterations begin at once, but for what one hands on to the next.
void CycleCounter::unrolled(OpId id, RegionId in, ReadyTimes &times) {
  const Op &op = kernel_.op(id);
  const RegionId body = op.regions[0];
  const llvm::ArrayRef<ValueId> inits = llvm::ArrayRef(op.operands).drop_front(3),
                                carried = llvm::ArrayRef(kernel_.region(body).args).drop_front();
  for (auto [arg, init] : llvm::zip_equal(carried, inits))
    times.set(arg, times.of(init));
  const double before = times.issued, iterations = share(body, in);
  straight(body, true, times);
  times.issued = before + iterations * (times.issued - before);
  const double others = std::max(0.0, iterations - 1) * handedOnUnrolled(id);
  for (auto [result, value] : llvm::zip_equal(llvm::ArrayRef(op.results).drop_front(), yielded(op)))
    times.set(result, times.of(value) + others);
}

/// Cycles from what an iteration is given to what it hands on.
double CycleCounter::handedOn(const Op &loop, bool folds) {
  ReadyTimes times(-std::numeric_limits<double>::infinity());
  for (ValueId arg : llvm::ArrayRef(kernel_.region(loop.regions[0]).args).drop_front())
    times.set(arg, 0);
  straight(loop.regions[0], folds, times);
  return std::max(0.0, latest(yielded(loop), times));
}

/// Asked once: nests that are unrolled ask of each loop again for every one around it.
double CycleCounter::handedOnUnrolled(OpId loop) {
  const auto [place, isNew] = handedOn_.try_emplace(loop.index, 0);
  if (!isNew)
    return place->second;
  const double cycles = handedOn(kernel_.op(loop), true);
  return handedOn_[loop.index] = cycles;
}

/// One entry: an iteration, times how many there are.
double CycleCounter::loop(const Op &op, RegionId in, bool folds) {
  const bool folded = folds || isUnrolledFully(kernel_, op);
  if (op.opcode == Opcode::Loop || op.hasContinueFlag || !isStraight(op.regions[0])) {
    double cycles = 0;
    for (RegionId part : op.regions)
      cycles += share(part, in) * region(part, folded);
    return cycles;
  }
  const double atOnce = iterationsAtOnce(op.unrolling);
  ReadyTimes times(0);
  straight(op.regions[0], folded, times);
  times.issued += OperationsOfIteration / atOnce;
  const double iterations = share(op.regions[0], in);
  const double rest = std::min(iterations, (atOnce - 1) / 2); // on average, one by one
  return std::max({iterations * handedOn(op, folded), (iterations / atOnce + rest) * times.last(),
                   CyclesOfIssue * iterations * times.issued});
}

/// One entry.
double CycleCounter::region(RegionId id, bool folds) {
  double cycles = 0;
  ReadyTimes times(0);
  for (OpId opId : kernel_.region(id).ops) {
    const Op &op = kernel_.op(opId);
    if (isStraight(op)) {
      step(opId, id, folds, times);
      continue;
    }
    cycles += cyclesOf(times);
    times = ReadyTimes(0);
    times.issued = weights_.of(op, folds);
    if (op.opcode == Opcode::For || op.opcode == Opcode::Loop)
      cycles += loop(op, id, folds);
    else
      for (RegionId arm : op.regions)
        cycles += share(arm, id) * region(arm, folds);
  }
  return cycles + cyclesOf(times);
}

double threadCycles(const ir::Function &kernel, const RegionExecutions &executions) {
  return CycleCounter(kernel, executions).run();
}

} // namespace colonnade::model
