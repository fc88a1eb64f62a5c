//===- Inline.cpp - Calls become the callee's operations ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call walks its callee in a frame of its own. Every operation gets the call
// path on its location. Recursion needs no special case: it ends where a branch
// on a constant argument is decided. If it does not, one Unsupported operation
// stands in place of the outermost call.
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk.h"

namespace colonnade::canonical {

static constexpr unsigned MaxRecursionDepth = 64;
static constexpr size_t MaxRecursiveOps = 200'000;
static constexpr size_t MaxOps = 4'000'000;

bool Walk::isActive(FunctionId id, unsigned &depth) const {
  depth = 0;
  for (const Frame *f = frame_; f; f = f->caller)
    depth += f->id == id;
  return depth != 0;
}

AbstractValue Walk::walkCall(OpId id, const ir::Op &op) {
  const ir::Function &callee = module_.function(op.callee);
  auto refuse = [&](std::string what) -> AbstractValue {
    if (op.results.empty() || frame_->function->value(op.results[0]).type == ScalarType::Pointer) {
      unsupported(std::move(what));
      return op.results.empty() ? AbstractValue() : unknownPointer();
    }
    return {unsupportedValue(std::move(what), frame_->function->value(op.results[0]).type)};
  };
  if (!callee.isDefined)
    return refuse("call of '" + callee.name + "' whose body is not visible");
  std::string endless = "recursion of '" + callee.name +
                        "' whose depth is not known at compile time: give its size with "
                        "--size, or write it as a loop where memory decides the depth";
  if (decisions_.endless.count(op.callee.index))
    return refuse(endless);
  Frame frame;
  bool recursive = isActive(op.callee, frame.depth);
  if ((recursive && (frame.depth >= MaxRecursionDepth || out_.ops.size() > MaxRecursiveOps)) ||
      out_.ops.size() > MaxOps) {
    decisions_.endless.insert(op.callee.index);
    decisions_.changed = true;
    return refuse(endless);
  }
  frame.id = op.callee;
  frame.function = &callee;
  frame.caller = frame_;
  frame.call = fold_.loc();
  auto [path, isNew] = paths_.try_emplace({frame_->path, id.index}, paths_.size() + 1);
  frame.path = path->second;
  frame.values.resize(callee.values.size());
  llvm::ArrayRef<ValueId> params = callee.region(callee.body).args;
  for (size_t i = 0; i < op.operands.size() && i < params.size(); ++i)
    frame.values[params[i].index] = value(op.operands[i]);
  Frame *caller = frame_;
  frame_ = &frame;
  walkRegion(callee.body);
  const ir::Op &last = rawTerminator(callee.body);
  AbstractValue result = last.operands.empty() ? AbstractValue() : value(last.operands[0]);
  frame_ = caller;
  fold_.setLoc(frame.call);
  return result;
}

/// The value of a declared size where the walk stands: names are parameters of
/// the function it is written in.
ValueId Walk::sizeValue(const SizeExpr &size) {
  using Kind = SizeExpr::Kind;
  if (auto constant = size.asConstant())
    return fold_.constantInt(ScalarType::S64, *constant);
  if (size.kind() == Kind::Unknown)
    return {};
  if (size.kind() == Kind::Name) {
    const ir::Function &raw = *frame_->function;
    for (size_t i = 0; i < raw.rawParams.size(); ++i) {
      AbstractValue v = frame_->values[raw.region(raw.body).args[i].index];
      if (raw.rawParams[i].name == size.name() && v.scalar && ir::isInteger(fold_.typeOf(v.scalar)))
        return fold_.cast(v.scalar, ScalarType::S64);
    }
    return {};
  }
  ValueId a = sizeValue(size.lhs()), b = sizeValue(size.rhs());
  if (!a || !b)
    return {};
  switch (size.kind()) {
  case Kind::Add:
    return fold_.binary(Opcode::Add, a, b);
  case Kind::Sub:
    return fold_.binary(Opcode::Sub, a, b);
  case Kind::Mul:
    return fold_.binary(Opcode::Mul, a, b);
  case Kind::Div:
    return fold_.binary(Opcode::Div, a, b);
  case Kind::Rem:
    return fold_.binary(Opcode::Rem, a, b);
  case Kind::Max:
    return fold_.select(fold_.binary(Opcode::Gt, a, b), a, b);
  default:
    return fold_.select(fold_.binary(Opcode::Lt, a, b), a, b);
  }
}

/// The same in the other direction: a value as a size over entry parameters.
SizeExpr Walk::sizeOf(ValueId v) {
  if (auto constant = fold_.intConstant(v))
    return SizeExpr::constant(*constant);
  auto named = sizeNames_.find(v.index);
  if (named != sizeNames_.end())
    return named->second;
  const ir::Op *op = out_.definition(v);
  if (!op || op->operands.empty())
    return {};
  using Kind = SizeExpr::Kind;
  auto both = [&](Kind kind) {
    SizeExpr a = sizeOf(op->operands[0]), b = sizeOf(op->operands[1]);
    return a.known() && b.known() ? SizeExpr::binary(kind, a, b) : SizeExpr();
  };
  switch (op->opcode) {
  case Opcode::Cast:
    return ir::isInteger(fold_.typeOf(op->operands[0])) &&
                   ir::bitWidth(fold_.typeOf(v)) >= ir::bitWidth(fold_.typeOf(op->operands[0]))
               ? sizeOf(op->operands[0])
               : SizeExpr();
  case Opcode::Add:
    return both(Kind::Add);
  case Opcode::Sub:
    return both(Kind::Sub);
  case Opcode::Mul:
    return both(Kind::Mul);
  default:
    return {};
  }
}

} // namespace colonnade::canonical
