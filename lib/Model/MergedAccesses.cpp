//===- MergedAccesses.cpp - Loads that a compiler leaves out --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/MergedAccesses.h"

#include "Model/IssuedOperations.h"

#include "IR/KernelFacts.h"

#include "IR/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace colonnade::model {

using ir::Op;
using ir::Opcode;
using ir::Space;

double MergedAccesses::total() const {
  double sum = 0;
  for (const auto &[id, count] : loads)
    sum += count;
  return sum;
}

double MergedAccesses::of(uint32_t accessId) const {
  const auto found = loads.find(accessId);
  return found == loads.end() ? 0 : found->second;
}

namespace {

/// counter · perIteration + constant + the sum of other values, each so many times.
struct Subscript {
  uint64_t perIteration = 0, constant = 0; // they wrap, as addresses do
  std::map<uint64_t, uint64_t> others;     // by ValueId and iteration, if it is another in each

  friend bool operator==(const Subscript &, const Subscript &) = default;
  friend auto operator<=>(const Subscript &, const Subscript &) = default;
};

/// A cell in an iteration: subscripts with the counter's part in the constant.
struct Cell {
  uint32_t array;
  std::vector<Subscript> subscripts;

  friend auto operator<=>(const Cell &, const Cell &) = default;
};

class Merger {
public:
  Merger(const ir::Function &kernel, const RegionExecutions &executions)
      : kernel_(kernel), executions_(executions) {}

  MergedAccesses run();

private:
  void region(RegionId id, const Op *loop, unsigned atOnce, double entries);
  std::map<uint32_t, unsigned> window(RegionId id, const Op *loop, unsigned iterations);
  const Subscript &subscript(ValueId id, RegionId body, unsigned iteration);
  Subscript found(ValueId id, RegionId body, unsigned iteration);
  bool isOf(ValueId id, RegionId body) const;
  bool isSeen(const Op &op) const;
  bool isUnrolledInPart(const Op &op) const;

  const ir::Function &kernel_;
  const RegionExecutions &executions_;
  MergedAccesses result_;
  std::map<uint32_t, Subscript> subscripts_; // of this iteration, by ValueId
  std::map<uint32_t, bool> isShared_;        // by accessId, of loads that are left out
};

} // namespace

/// Whether the value is computed anew each time that the region is entered.
bool Merger::isOf(ValueId id, RegionId body) const {
  const ir::Value &value = kernel_.value(id);
  return value.def ? llvm::is_contained(kernel_.region(body).ops, value.def) : value.region == body;
}

/// Each value once an iteration: one that is added to itself, and so on, would double the work.
const Subscript &Merger::subscript(ValueId id, RegionId body, unsigned iteration) {
  if (auto known = subscripts_.find(id.index); known != subscripts_.end())
    return known->second;
  Subscript of = found(id, body, iteration);
  return subscripts_[id.index] = std::move(of);
}

/// Sums with constants and products with them; anything else is a value of its own.
Subscript Merger::found(ValueId id, RegionId body, unsigned iteration) {
  const ir::Region &region = kernel_.region(body);
  if (region.parent && !region.args.empty() && id == region.args[0])
    return {1, 0, {}};
  if (const ir::Scalar *const known = kernel_.constant(id))
    return {0, static_cast<uint64_t>(ir::asInt64(*known)), {}};
  const Op *const op = kernel_.definition(id);
  const auto scaled = [](Subscript of, uint64_t factor) {
    of.perIteration *= factor;
    of.constant *= factor;
    for (auto &[value, times] : of.others)
      times *= factor;
    return of;
  };
  if (op && op->opcode == Opcode::Cast && ir::isInteger(kernel_.value(op->operands[0]).type))
    return subscript(op->operands[0], body, iteration);
  if (op && (op->opcode == Opcode::Add || op->opcode == Opcode::Sub)) {
    Subscript sum = subscript(op->operands[0], body, iteration);
    const Subscript other = scaled(subscript(op->operands[1], body, iteration),
                                   op->opcode == Opcode::Add ? 1 : UINT64_MAX);
    sum.perIteration += other.perIteration;
    sum.constant += other.constant;
    for (const auto &[value, times] : other.others)
      if ((sum.others[value] += times) == 0)
        sum.others.erase(value);
    return sum;
  }
  if (op && op->opcode == Opcode::Mul)
    for (unsigned side : {0, 1})
      if (const ir::Scalar *const factor = kernel_.constant(op->operands[side]))
        return scaled(subscript(op->operands[1 - side], body, iteration),
                      static_cast<uint64_t>(ir::asInt64(*factor)));
  const uint64_t moves = isOf(id, body) ? iteration : 0;
  return {0, 0, {{moves << 32 | id.index, 1}}};
}

/// An access to memory, which a register may stand for.
bool Merger::isSeen(const Op &op) const {
  if (op.opcode != Opcode::Load && op.opcode != Opcode::Store)
    return false;
  const Space space = *kernel_.array(op.array).space;
  return space != Space::Registers && space != Space::Constant;
}

/// Whether the compiler cannot tell two cells apart.
static bool mayBeSame(const Cell &a, const Cell &b) {
  return a.array == b.array &&
         llvm::any_of(llvm::zip(a.subscripts, b.subscripts), [](const auto &pair) {
           return std::get<0>(pair).others != std::get<1>(pair).others;
         });
}

/// Loads that so many iterations leave out, by site.
std::map<uint32_t, unsigned> Merger::window(RegionId id, const Op *loop, unsigned iterations) {
  const auto step =
      static_cast<uint64_t>(loop ? ir::asInt64(*kernel_.constant(loop->operands[2])) : 0);
  std::map<uint32_t, unsigned> left;
  std::set<Cell> known;
  for (unsigned i = 0; i < iterations; ++i) {
    subscripts_.clear();
    for (OpId opId : kernel_.region(id).ops) {
      const Op &op = kernel_.op(opId);
      if (!op.regions.empty() || op.opcode == Opcode::CallPart)
        known.clear();
      if (!isSeen(op))
        continue;
      Cell cell{static_cast<uint32_t>(op.array.index), {}};
      for (ValueId part : ir::accessOperands(op).subscripts) {
        cell.subscripts.push_back(subscript(part, id, i));
        cell.subscripts.back().constant += i * step * cell.subscripts.back().perIteration;
      }
      if (op.opcode == Opcode::Load && known.count(cell)) {
        ++left[op.accessId];
        isShared_[op.accessId] = kernel_.array(op.array).isShared();
      }
      if (op.opcode == Opcode::Store)
        std::erase_if(known, [&](const Cell &other) { return mayBeSame(cell, other); });
      known.insert(cell);
    }
  }
  return left;
}

/// Whole windows, and what is left over one iteration after the other.
void Merger::region(RegionId id, const Op *loop, unsigned atOnce, double entries) {
  const auto iterations = static_cast<double>(executions_[id.index].all);
  const double each = entries > 0 ? iterations / entries : 0;
  const double windows = entries * std::floor(each / atOnce);
  const double rest = iterations - windows * atOnce;
  const auto add = [&](const std::map<uint32_t, unsigned> &left, double times) {
    for (const auto &[access, count] : left) {
      (isShared_[access] ? result_.ofShared : result_.loads[access]) += count * times;
      if (times > 0)
        result_.iterations = std::max(result_.iterations, atOnce);
    }
  };
  if (atOnce > 1)
    add(window(id, loop, atOnce), windows);
  add(window(id, loop, 1), atOnce > 1 ? rest : iterations);
}

/// By us, or, where the number of iterations is known and no loop is within, by the compiler.
bool Merger::isUnrolledInPart(const Op &op) const {
  if (op.opcode != Opcode::For || op.hasContinueFlag || !kernel_.constant(op.operands[2]))
    return false;
  const auto hasRegions = [&](OpId id) { return !kernel_.op(id).regions.empty(); };
  return op.unrolling.kind == ir::Unrolling::Kind::Times ||
         (op.unrolling.kind == ir::Unrolling::Kind::None && ir::constantIterations(kernel_, op) &&
          llvm::none_of(kernel_.region(op.regions[0]).ops, hasRegions));
}

MergedAccesses Merger::run() {
  std::vector<bool> isBody(kernel_.regions.size());
  for (auto [r, around] : llvm::enumerate(kernel_.regions))
    for (OpId id : around.ops) {
      const Op &op = kernel_.op(id);
      if (!isUnrolledInPart(op))
        continue;
      const RegionId body = op.regions[0];
      isBody[body.index] = true;
      region(body, &op, iterationsAtOnce(op.unrolling), static_cast<double>(executions_[r].all));
    }
  for (size_t r = 0; r < kernel_.regions.size(); ++r)
    if (!isBody[r])
      region(RegionId(r), nullptr, 1, static_cast<double>(executions_[r].all));
  return std::move(result_);
}

MergedAccesses mergedAccesses(const ir::Function &kernel, const RegionExecutions &executions) {
  return Merger(kernel, executions).run();
}

} // namespace colonnade::model
