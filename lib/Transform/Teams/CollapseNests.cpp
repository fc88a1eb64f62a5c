//===- CollapseNests.cpp - Two loops as one -------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/CollapseNests.h"

#include "IR/Builder.h"
#include "IR/ValueNumbering.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

class CollapseNests {
public:
  CollapseNests(const Function &kernel, const std::vector<bool> &mayBeDealt)
      : kernel_(kernel), builder_(kernel_), mayBeDealt_(mayBeDealt) {}

  std::optional<Function> run() {
    region(kernel_.body);
    return isChanged_ ? std::optional(std::move(kernel_)) : std::nullopt;
  }

private:
  void region(RegionId id);
  bool isLoop(OpId id) const;
  std::optional<OpId> innerOf(OpId outer) const;
  bool dependsOn(ValueId value, ValueId counter) const;
  void collapse(OpId outer, OpId inner);
  ValueId trips(const Op &loop);
  ValueId counterOf(const Op &loop, ValueId number);
  void replace(ValueId value, ValueId by);

  Function kernel_;
  Builder builder_;
  std::vector<bool> mayBeDealt_;
  bool isChanged_ = false;
};

} // namespace

bool CollapseNests::isLoop(OpId id) const {
  return mayBeDealt_[id.index] && kernel_.op(id).predicate == Predicate::Lt;
}

/// Whether a value of the region that has the counter is computed from it.
bool CollapseNests::dependsOn(ValueId value, ValueId counter) const {
  const Op *const definition = kernel_.definition(value);
  return value == counter ||
         (definition && llvm::any_of(definition->operands,
                                     [&](ValueId operand) { return dependsOn(operand, counter); }));
}

/// The only loop in a loop, beside which it only computes; its bounds do not depend on the outer
/// counter.
std::optional<OpId> CollapseNests::innerOf(OpId outer) const {
  if (!isLoop(outer))
    return std::nullopt;
  std::optional<OpId> found;
  const Region &body = kernel_.region(kernel_.op(outer).regions[0]);
  for (OpId id : llvm::drop_end(body.ops)) {
    const Op &op = kernel_.op(id);
    if (isPure(op) && !found)
      continue;
    if (found || id.index >= mayBeDealt_.size() || !isLoop(id) ||
        llvm::any_of(llvm::ArrayRef(op.operands).take_front(3),
                     [&](ValueId bound) { return dependsOn(bound, body.args[0]); }))
      return std::nullopt;
    found = id;
  }
  return found;
}

void CollapseNests::replace(ValueId value, ValueId by) {
  kernel_.value(by).name = kernel_.value(value).name;
  for (Op &op : kernel_.ops)
    std::replace(op.operands.begin(), op.operands.end(), value, by);
}

/// (hi - lo + step - 1) / step, or less than one where there are none.
ValueId CollapseNests::trips(const Op &loop) {
  const auto wide = [&](unsigned operand) {
    return builder_.cast(loop.operands[operand], ScalarType::S64);
  };
  const ValueId low = wide(0), high = wide(1), step = wide(2);
  const ValueId one = builder_.constantInt(ScalarType::S64, 1);
  const ValueId way = builder_.binary(Opcode::Sub, high, low);
  const ValueId up = builder_.binary(Opcode::Sub, builder_.binary(Opcode::Add, way, step), one);
  return builder_.binary(Opcode::Div, up, step);
}

ValueId CollapseNests::counterOf(const Op &loop, ValueId number) {
  const ScalarType type = kernel_.value(loop.operands[0]).type;
  const ValueId steps = builder_.cast(number, type);
  const ValueId ahead = builder_.binary(Opcode::Mul, steps, loop.operands[2]);
  return builder_.binary(Opcode::Add, loop.operands[0], ahead);
}

void CollapseNests::collapse(OpId outerId, OpId innerId) {
  const Op outer = kernel_.op(outerId), inner = kernel_.op(innerId);
  const Region body = kernel_.region(outer.regions[0]),
               innerBody = kernel_.region(inner.regions[0]);
  std::vector<OpId> kept; // of the outer body, what depends on its counter
  for (OpId id : llvm::ArrayRef(body.ops).drop_back(2))
    if (dependsOn(kernel_.op(id).results[0], body.args[0]))
      kept.push_back(id);
    else
      kernel_.region(builder_.insertionRegion()).ops.push_back(id);
  const ValueId innerTrips = trips(inner);
  const ValueId all = builder_.binary(Opcode::Mul, trips(outer), innerTrips);
  const ValueId none = builder_.constantInt(ScalarType::S64, 0),
                one = builder_.constantInt(ScalarType::S64, 1);
  const OpId loop = builder_.createFor(none, all, one, Predicate::Lt, false, {});
  const RegionId region = kernel_.op(loop).regions[0];
  const InsertionScope scope(builder_);
  builder_.setRegion(region);
  const ValueId number = kernel_.region(region).args[0];
  replace(body.args[0], counterOf(outer, builder_.binary(Opcode::Div, number, innerTrips)));
  llvm::append_range(kernel_.region(region).ops, kept);
  replace(innerBody.args[0], counterOf(inner, builder_.binary(Opcode::Rem, number, innerTrips)));
  for (OpId id : innerBody.ops) {
    kernel_.region(region).ops.push_back(id);
    for (RegionId nested : kernel_.op(id).regions)
      kernel_.region(nested).parent = id;
  }
  isChanged_ = true;
}

void CollapseNests::region(RegionId id) {
  const std::vector<OpId> ops = std::move(kernel_.region(id).ops);
  kernel_.region(id).ops.clear();
  for (OpId op : ops) {
    const std::optional<OpId> inner = innerOf(op);
    const InsertionScope scope(builder_);
    builder_.setRegion(id);
    if (inner) {
      collapse(op, *inner);
      continue;
    }
    for (RegionId nested : llvm::SmallVector<RegionId, 2>(kernel_.op(op).regions))
      region(nested);
    kernel_.region(id).ops.push_back(op);
  }
}

std::optional<Function> colonnade::collapseNests(const Function &kernel,
                                                 const std::vector<bool> &mayBeDealt) {
  return CollapseNests(kernel, mayBeDealt).run();
}
