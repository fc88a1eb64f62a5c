//===- WalkCalls.cpp - Calls become the callee's operations ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call walks its callee in a frame of its own. Every operation gets the call
// path on its location. Recursion needs no special case: it ends where a branch
// on a constant argument is decided. If it does not, one Unsupported operation
// stands in place of the outermost call. A function that calls make too large is refused
// before it fills the memory: 20 functions that each call the next one twice are a
// million calls.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/Walk.h"

namespace colonnade::canonical {

static constexpr unsigned MaxRecursionDepth = 64;
static constexpr size_t MaxRecursiveOps = 200'000;

unsigned Walk::activeCalls(FunctionId id) const {
  unsigned calls = 0;
  for (const Frame *f = frame_; f; f = f->caller)
    calls += f->id == id;
  return calls;
}

bool Walk::exceedsDepth(const Frame &callee) const {
  return callee.depth != 0 &&
         (callee.depth >= MaxRecursionDepth || out_.ops.size() > MaxRecursiveOps);
}

/// At the outermost call: the user's own.
void Walk::refuseSize(const ir::Function &callee) {
  const ir::Function *called = &callee;
  LocId loc = fold_.loc();
  for (const Frame *f = frame_; f->caller; f = f->caller) {
    called = f->function;
    loc = f->call;
  }
  const bool hasOps = out_.ops.size() > MaxInlinedOps;
  decisions_.addTooLarge(
      "with the call of '" + called->name + "' replaced by what it calls, the function " +
          (hasOps ? "has more than " + std::to_string(MaxInlinedOps) + " operations"
                  : "makes more than " + std::to_string(MaxInlinedNotes) +
                        " reads, writes, calls and decisions") +
          ", the limit; call it in a loop, or check on their own the functions that it calls",
      loc);
}

AbstractValue Walk::walkCall(OpId id, const ir::Op &op) {
  const ir::Function &callee = module_.function(op.callee);
  std::optional<ScalarType> type;
  if (!op.results.empty())
    type = frame_->function->value(op.results[0]).type;
  if (!callee.isDefined)
    return refuse("call of '" + callee.name + "' whose body is not visible", type);
  Frame frame;
  frame.depth = activeCalls(op.callee);
  if (!decisions_.isEndless(op.callee) && exceedsDepth(frame))
    decisions_.addEndless(op.callee, callee.name, fold_.loc());
  if (decisions_.isEndless(op.callee))
    return refuse("recursion of '" + callee.name +
                      "' whose depth is not known at compile time: write it as a loop where "
                      "memory decides the depth",
                  type, memory_.sizes.hasNames() ? ir::NeedsSize : ir::OutsideSubset);
  if (out_.ops.size() > MaxInlinedOps || fold_.account().mark() > MaxInlinedNotes)
    refuseSize(callee);
  if (decisions_.tooLarge()) // what this walk makes is given up
    return refuse("call of '" + callee.name + "'", type);
  frame.id = op.callee;
  frame.function = &callee;
  frame.caller = frame_;
  frame.call = fold_.loc();
  Site site = {frame_->path, id.index};
  frame.path = paths_.try_emplace(site, paths_.size() + 1).first->second;
  frame.values.resize(callee.values.size());
  llvm::ArrayRef<ValueId> params = callee.region(callee.body).args;
  for (size_t i = 0; i < op.operands.size() && i < params.size(); ++i)
    frame.values[params[i].index] = value(op.operands[i]);
  fold_.account().add(Deed::Called, {}, frame.path);
  return enter(frame);
}

/// Walks the callee; what it returns.
AbstractValue Walk::enter(Frame &frame) {
  Frame *caller = frame_;
  frame_ = &frame;
  memory_.sizes.setScope(&frame);
  walkRegion(frame.function->body);
  const ir::Op &last = rawTerminator(frame.function->body);
  AbstractValue result = last.operands.empty() ? AbstractValue() : value(last.operands[0]);
  for (RootId variable : frame.variables)
    memory_.tree.root(variable).as<LocalVariable>()->hasEnded = true;
  frame_ = caller;
  memory_.sizes.setScope(caller);
  fold_.setLoc(frame.call);
  return result;
}

} // namespace colonnade::canonical
