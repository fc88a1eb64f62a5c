//===- LoopLowering.cpp - for, while, do and range-for --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every loop is a Loop operation: region 0 evaluates the condition, region 1 is
// the body, then the step, both skipped once an exit was taken; the continue flag is
// "no break and no return so far".
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

#include "Frontend/Lowering/Wrappers.h"
#include "Frontend/Types/SizeExprLowering.h"

namespace colonnade::frontend {

using clang::QualType;
using ir::Opcode;
using ir::ScalarType;
using llvm::dyn_cast;

namespace {
/// Sets a variable for a scope.
template <class T> class Restore {
public:
  Restore(T &variable, T value) : variable_(variable), old_(variable) { variable = value; }
  ~Restore() { variable_ = old_; }
  Restore(const Restore &) = delete;

private:
  T &variable_;
  T old_;
};
} // namespace

/// COLONNADE_BOUND(expr) as the first statement of a body.
static const clang::Expr *boundOf(const clang::Stmt *body) {
  if (const auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(body))
    body = block->body_empty() ? nullptr : *block->body_begin();
  const auto *expr = llvm::dyn_cast_or_null<clang::Expr>(body);
  const auto *call = expr ? dyn_cast<clang::CallExpr>(&withoutCasts(*expr)) : nullptr;
  if (!call || call->getBuiltinCallee() != clang::Builtin::BI__builtin_annotation)
    return nullptr;
  const auto *text = dyn_cast<clang::StringLiteral>(&spelled(*call->getArg(1)));
  return text && text->getString() == "colonnade.bound" ? call->getArg(0) : nullptr;
}

void FunctionLowering::lowerLoop(const LoopParts &parts) {
  ExitSet exits = exits_.of(parts.body);
  Restore breakScope(breakFlag_, exits.breaks ? makeFlag("%brk") : ValueId());
  Restore continueScope(continueFlag_, ValueId());
  LocId loc = builder_.loc();
  OpId loop = builder_.createLoop({});
  RegionId before = function_.op(loop).regions[0], body = function_.op(loop).regions[1];
  if (const clang::Expr *bound = boundOf(parts.body)) {
    function_.op(loop).bound = sizeExprOf(*bound, context_);
    if (!function_.op(loop).bound.known())
      unsupported(bound->getExprLoc(), "loop bound that is not an expression of parameters");
  }
  ir::InsertionScope scope(builder_);
  builder_.setRegion(before);
  ValueId condition = parts.condition();
  builder_.setLoc(loc);
  builder_.test(condition, {});

  builder_.setRegion(body);
  if (exits.continues)
    continueFlag_ = makeFlag("%cont");
  parts.beforeBody();
  lowerStmt(parts.body);
  builder_.setLoc(loc);
  ValueId continues = lowerContinuation(parts, exits);
  builder_.setLoc(loc);
  builder_.yield({continues});
}

/// The step, and whether there is another iteration, unless the body was left.
ValueId FunctionLowering::lowerContinuation(const LoopParts &parts, ExitSet exits) {
  exits.continues = false;
  if (parts.lateCondition) {
    ValueId again = makeFlag("%again");
    lowerGuarded(exits, [&] {
      ValueId holds = lowerCondition(*parts.lateCondition);
      builder_.store(again, holds, types_.scalar(ScalarType::Bool));
    });
    return builder_.load(again, types_.scalar(ScalarType::Bool), ScalarType::Bool);
  }
  lowerGuarded(exits, parts.step);
  ValueId exited = hasExited(exits);
  return exited ? builder_.unary(Opcode::Not, exited) : builder_.constantBool(true);
}

void FunctionLowering::lowerFor(const clang::ForStmt &stmt) {
  if (stmt.getInit())
    lowerStmt(stmt.getInit());
  const clang::VarDecl *variable = stmt.getConditionVariable();
  if (variable)
    declareVariable(*variable);
  at(stmt.getForLoc());
  lowerLoop({[&] {
               if (variable)
                 initializeVariable(*variable);
               return stmt.getCond() ? lowerCondition(*stmt.getCond())
                                     : builder_.constantBool(true);
             },
             [] {}, stmt.getBody(),
             [&] {
               if (stmt.getInc())
                 lowerStmt(stmt.getInc());
             },
             nullptr});
}

void FunctionLowering::lowerWhile(const clang::WhileStmt &stmt) {
  const clang::VarDecl *variable = stmt.getConditionVariable();
  if (variable)
    declareVariable(*variable);
  at(stmt.getWhileLoc());
  lowerLoop({[&] {
               if (variable)
                 initializeVariable(*variable);
               return lowerCondition(*stmt.getCond());
             },
             [] {}, stmt.getBody(), [] {}, nullptr});
}

void FunctionLowering::lowerDo(const clang::DoStmt &stmt) {
  at(stmt.getDoLoc());
  // do { … } while (0) is a block, unless it is left early.
  bool value = true;
  clang::Expr::EvalResult whole; // it has side effects if a part, as in (t[i], 0), is no constant
  if (stmt.getCond()->EvaluateAsRValue(whole, context_) && !whole.HasSideEffects &&
      stmt.getCond()->EvaluateAsBooleanCondition(value, context_) && !value &&
      !stmt.getCond()->HasSideEffects(context_)) {
    ExitSet exits = exits_.of(stmt.getBody());
    if (!exits.breaks && !exits.continues)
      return lowerStmt(stmt.getBody());
  }
  lowerLoop(
      {[&] { return builder_.constantBool(true); }, [] {}, stmt.getBody(), [] {}, stmt.getCond()});
}

/// Arrays by a counter; anything else as the standard says, with its iterators.
void FunctionLowering::lowerRangeFor(const clang::CXXForRangeStmt &stmt) {
  if (stmt.getInit())
    lowerStmt(stmt.getInit());
  const clang::VarDecl &range = *llvm::cast<clang::VarDecl>(stmt.getRangeStmt()->getSingleDecl());
  lowerDecl(range);
  QualType type = range.getType().getNonReferenceType();
  at(stmt.getForLoc());
  auto it = variables_.find(&range);
  if (it == variables_.end())
    return; // reported when the range was bound
  LValue array = it->second;
  if (std::optional<StdArray> stdArray = asStdArray(type)) {
    ValueId first = decay(array.pointer, type);
    return lowerArrayRangeFor(stmt, first, stdArray->element, builder_.index64(stdArray->count));
  }
  if (const auto *arrayType = type->getAsArrayTypeUnsafe()) {
    ValueId count = radixOf(type);
    return lowerArrayRangeFor(stmt, decay(array.pointer, type), arrayType->getElementType(), count);
  }
  lowerStmt(stmt.getBeginStmt());
  lowerStmt(stmt.getEndStmt());
  at(stmt.getForLoc());
  lowerLoop({[&] { return lowerCondition(*stmt.getCond()); },
             [&] { lowerStmt(stmt.getLoopVarStmt()); }, stmt.getBody(),
             [&] { lowerStmt(stmt.getInc()); }, nullptr});
}

/// The loop variable refers to `*__begin` itself, not to a temporary as in
/// `for (const long &x : ints)` or to a base.
static bool isWholeElement(const clang::VarDecl &variable) {
  const clang::Expr *init = &unwrapped(*variable.getInit());
  while (const auto *conversion = dyn_cast<clang::ImplicitCastExpr>(init)) {
    if (conversion->getCastKind() != clang::CK_NoOp)
      return false;
    init = &unwrapped(*conversion->getSubExpr());
  }
  return llvm::isa<clang::UnaryOperator>(init);
}

void FunctionLowering::lowerArrayRangeFor(const clang::CXXForRangeStmt &stmt, ValueId first,
                                          QualType element, ValueId count) {
  MemTypeId counterType = types_.scalar(ScalarType::S64);
  ValueId counter = builder_.ownObject(counterType, "%i");
  builder_.store(counter, builder_.index64(0), counterType);
  auto position = [&] { return builder_.load(counter, counterType, ScalarType::S64); };
  const clang::VarDecl &variable = *stmt.getLoopVariable();
  lowerLoop({[&] { return builder_.binary(Opcode::Lt, position(), count); },
             [&] {
               at(variable.getLocation());
               LValue here = cellOf({first, element}, position());
               if (variable.getType()->isReferenceType() && isWholeElement(variable) &&
                   !llvm::isa<clang::DecompositionDecl>(variable)) {
                 variables_[&variable] = here;
                 return;
               }
               // `*__begin` in the loop variable's initialiser means `here`.
               const auto *begin = llvm::cast<clang::VarDecl>(stmt.getBeginStmt()->getSingleDecl());
               QualType pointer = context_.getPointerType(element);
               ValueId slot = builder_.ownObject(memType(pointer), "%begin");
               builder_.store(slot, here.pointer, memType(pointer));
               variables_[begin] = {slot, pointer};
               lowerDecl(variable);
             },
             stmt.getBody(),
             [&] {
               ValueId now = position();
               ValueId next = builder_.binary(Opcode::Add, now, builder_.index64(1));
               builder_.store(counter, next, counterType);
             },
             nullptr});
}

void FunctionLowering::emitCountedLoop(ValueId count, llvm::function_ref<void(ValueId)> body) {
  MemTypeId counterType = types_.scalar(ScalarType::S64);
  ValueId counter = builder_.ownObject(counterType, "%i");
  builder_.store(counter, builder_.index64(0), counterType);
  auto position = [&] { return builder_.load(counter, counterType, ScalarType::S64); };
  lowerLoop({[&] { return builder_.binary(Opcode::Lt, position(), count); },
             [&] { body(position()); }, nullptr,
             [&] {
               ValueId now = position();
               ValueId next = builder_.binary(Opcode::Add, now, builder_.index64(1));
               builder_.store(counter, next, counterType);
             },
             nullptr});
}

} // namespace colonnade::frontend
