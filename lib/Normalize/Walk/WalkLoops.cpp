//===- WalkLoops.cpp - Loops of the raw function, their plans and bounds --===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop's plan says what it carries. It starts with the variables that stores in the loop
// name; what the walk finds besides makes it walk the loop again. The bound on its iterations
// is the user's (--bound), else the source's.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/Walk.h"

namespace colonnade::canonical {

void Walk::walkLoop(OpId id, const ir::Op &op) {
  Site site = {frame_->path, id.index};
  auto it = plans_.find(site);
  if (it == plans_.end())
    it = plans_.emplace(site, presetPlan(op)).first;
  std::optional<LoopBound> bound = boundValue(op);
  auto walkPart = [&](CarriedLoops::Part part) {
    RegionId region = op.regions[part == CarriedLoops::Part::Test ? 0 : 1];
    walkRegion(region);
    return scalar(rawTerminator(region).operands[0]);
  };
  loops_.loop(it->second, walkPart, bound);
}

const SizeExpr *Walk::boundOf(const ir::Op &op) {
  if (const SizeExpr *stated = binding_.boundAt(module_.sources, fold_.loc()))
    return stated;
  return op.bound.known() ? &op.bound : nullptr;
}

/// Twice the bound, as an option. The sizes of another function cannot be named in one.
std::string Walk::largerBound(const SizeExpr &size) const {
  std::optional<int64_t> constant = size.asConstant();
  LocId at = module_.sources.inUserCode(fold_.loc());
  if (!at || (!constant && frame_->function != &module_.function(entry_)))
    return {};
  const SourceLocation &place = module_.sources[at];
  LocId entry = module_.function(entry_).loc;
  std::string option = std::to_string(place.line) + "=";
  if (entry && module_.sources[entry].file != place.file)
    option = module_.sources.fileName(place.file) + ":" + option;
  return constant ? "--bound " + option + std::to_string(*constant > 0 ? 2 * *constant : 1)
                  : "--bound '" + option + "2*(" + size.str() + ")'";
}

std::optional<LoopBound> Walk::boundValue(const ir::Op &op) {
  const SizeExpr *size = boundOf(op);
  if (!size)
    return std::nullopt;
  bool ofEntry = frame_->function == &module_.function(entry_);
  ValueId iterations = memory_.sizes.value(*size);
  if (iterations && !(ofEntry && binding_.namesData(*size)))
    return LoopBound{iterations, size->str(), largerBound(*size)};
  binding_.refuseBound(*size, "at " + module_.sources.str(module_.sources.inUserCode(fold_.loc())));
  return std::nullopt;
}

LoopPlan Walk::presetPlan(const ir::Op &loop) {
  LoopPlan plan;
  const ir::Function &function = *frame_->function;
  for (RegionId part : loop.regions) {
    std::vector<RegionId> work = {part};
    while (!work.empty()) {
      RegionId region = work.back();
      work.pop_back();
      for (OpId id : function.region(region).ops) {
        const ir::Op &op = function.op(id);
        work.insert(work.end(), op.regions.begin(), op.regions.end());
        if (op.opcode == Opcode::PtrStore)
          presetStore(op.operands[0], plan);
      }
    }
  }
  return plan;
}

/// The variable that a store names, if it exists outside the loop.
void Walk::presetStore(ValueId pointer, LoopPlan &plan) {
  const ir::Function &function = *frame_->function;
  llvm::SmallVector<uint32_t, 4> fields;
  const ir::Op *def = function.definition(pointer);
  for (; def && def->opcode == Opcode::PtrField; def = function.definition(pointer)) {
    fields.push_back(def->index);
    pointer = def->operands[0];
  }
  const Place *place = memory_.pointers.single(value(pointer));
  PlaceTree &tree = memory_.tree;
  if (!place || !place->node || !tree.rootOf(place->node).isLocal())
    return;
  NodeId node = place->node;
  while (!fields.empty()) {
    if (tree.typeOf(node).kind != ir::MemType::Kind::Struct)
      return;
    node = tree.child(node, fields.pop_back_val());
  }
  const Node &leaf = tree.node(node);
  if (leaf.firstSlot && leaf.digits == 1)
    plan.carried[leaf.firstSlot];
}

} // namespace colonnade::canonical
