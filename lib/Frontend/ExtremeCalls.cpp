//===- ExtremeCalls.cpp - std::min, std::max and std::clamp ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They compare two values and return a reference, which is then read again. As a
// chosen address that would look data-dependent; so the choice is kept as a
// condition with both addresses, and the chosen one is re-read in an `if`. The
// accesses are those of the library's own code.
//
//===----------------------------------------------------------------------===//

#include "Frontend/FunctionLowering.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using ir::Opcode;
using llvm::dyn_cast;

/// One place, or a condition between two choices.
struct FunctionLowering::Choice {
  LValue place; // if no condition
  ValueId condition;
  std::shared_ptr<Choice> then, otherwise;
  std::string name;
};

/// The call if it is std::min, max or clamp of scalars without a comparator.
static const clang::CallExpr *asExtreme(const Expr &expr, llvm::StringRef &name) {
  const auto *call = dyn_cast<clang::CallExpr>(&expr);
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->isInStdNamespace() || !callee->getDeclName().isIdentifier() ||
      !scalarType(call->getType()) || call->getType()->isPointerType())
    return nullptr;
  name = callee->getName();
  bool matches = ((name == "min" || name == "max") && call->getNumArgs() == 2) ||
                 (name == "clamp" && call->getNumArgs() == 3);
  return matches ? call : nullptr;
}

std::optional<FunctionLowering::Choice> FunctionLowering::chooseExtreme(const Expr &expr) {
  llvm::StringRef name;
  const clang::CallExpr *call = asExtreme(expr, name);
  if (!call)
    return std::nullopt;
  auto operand = [&](unsigned i) {
    const Expr &arg = *call->getArg(i);
    const Expr *bare = arg.IgnoreParens();
    if (const auto *noop = dyn_cast<clang::ImplicitCastExpr>(bare);
        noop && noop->getCastKind() == clang::CK_NoOp)
      bare = noop->getSubExpr()->IgnoreParens();
    if (bare->isGLValue())
      if (std::optional<Choice> nested = chooseExtreme(*bare))
        return std::make_shared<Choice>(std::move(*nested));
    Choice leaf;
    leaf.place = lowerLValue(arg);
    leaf.name = valueNameOf(arg);
    return std::make_shared<Choice>(std::move(leaf));
  };
  auto choose = [&](ValueId condition, std::shared_ptr<Choice> then,
                    std::shared_ptr<Choice> otherwise) {
    Choice choice;
    choice.condition = condition;
    choice.then = std::move(then);
    choice.otherwise = std::move(otherwise);
    return choice;
  };
  auto less = [&](const Choice &a, const Choice &b) {
    ValueId left = loadChoice(a), right = loadChoice(b);
    at(call->getExprLoc());
    return builder_.binary(Opcode::Lt, left, right);
  };
  std::vector<std::shared_ptr<Choice>> operands;
  for (unsigned i = 0; i < call->getNumArgs(); ++i)
    operands.push_back(operand(i));
  at(call->getExprLoc());
  if (name == "min") // b < a ? b : a
    return choose(less(*operands[1], *operands[0]), operands[1], operands[0]);
  if (name == "max") // a < b ? b : a
    return choose(less(*operands[0], *operands[1]), operands[1], operands[0]);
  // clamp: min(max(v, lo), hi)
  auto lower =
      std::make_shared<Choice>(choose(less(*operands[0], *operands[1]), operands[1], operands[0]));
  return choose(less(*operands[2], *lower), operands[2], lower);
}

ValueId FunctionLowering::loadChoice(const Choice &choice) {
  if (!choice.condition)
    return loadFrom(choice.place, clang::SourceLocation(), choice.name);
  QualType type;
  for (const Choice *leaf = &choice;; leaf = leaf->then.get())
    if (!leaf->condition) {
      type = leaf->place.type;
      break;
    }
  LocId loc = builder_.loc();
  ValueId slot = builder_.object(memType(type), "%ext");
  auto arm = [&](const Choice &taken) {
    ValueId value = loadChoice(taken);
    builder_.setLoc(loc);
    builder_.store(slot, value, memType(type));
  };
  builder_.emitIf(choice.condition, [&] { arm(*choice.then); }, [&] { arm(*choice.otherwise); });
  return builder_.load(slot, memType(type), *scalarType(type));
}

std::optional<ValueId> FunctionLowering::lowerExtreme(const Expr &expr) {
  std::optional<Choice> choice = chooseExtreme(expr);
  if (!choice)
    return std::nullopt;
  at(expr.getExprLoc());
  return loadChoice(*choice);
}

/// std::min({a, b, c}): the elements are values, so a running choice will do.
ValueId FunctionLowering::lowerExtremeOfList(const clang::InitListExpr &list, bool isMax) {
  std::vector<ValueId> values;
  for (const Expr *init : list.inits())
    values.push_back(lowerScalar(*init));
  at(list.getExprLoc());
  ValueId best = values[0];
  for (ValueId value : llvm::ArrayRef(values).drop_front()) {
    ValueId better =
        isMax ? builder_.binary(Opcode::Lt, best, value) : builder_.binary(Opcode::Lt, value, best);
    best = builder_.select(better, value, best);
  }
  return best;
}

} // namespace colonnade::frontend
