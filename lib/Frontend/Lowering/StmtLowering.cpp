//===- StmtLowering.cpp - Statements, blocks, guards after exits ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is a list of statements; after one that may break, continue or return,
// the rest is guarded by the flags that the exit set. Where one arm of an `if`
// always exits, the rest goes into the other arm instead: no flag is read then.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

#include "Frontend/Lowering/Wrappers.h"

#include "clang/Basic/TargetInfo.h"

namespace colonnade::frontend {

using clang::Stmt;
using ir::ScalarType;
using llvm::cast;
using llvm::dyn_cast;

ValueId FunctionLowering::makeFlag(llvm::StringRef name) {
  ValueId flag = builder_.ownObject(types_.scalar(ScalarType::Bool), name);
  setFlag(flag, false);
  return flag;
}

void FunctionLowering::setFlag(ValueId flag, bool value) {
  ValueId constant = builder_.constantBool(value);
  builder_.store(flag, constant, types_.scalar(ScalarType::Bool));
}

/// Bool: one of these exits has been taken.
ValueId FunctionLowering::hasExited(ExitSet exits) {
  ValueId any;
  auto add = [&](bool taken, ValueId flag) {
    if (!taken || !flag)
      return;
    ValueId value = builder_.load(flag, types_.scalar(ScalarType::Bool), ScalarType::Bool);
    any = any ? builder_.binary(ir::Opcode::Or, any, value) : value;
  };
  add(exits.breaks, breakFlag_);
  add(exits.continues, continueFlag_);
  add(exits.returns, returnFlag_);
  return any;
}

void FunctionLowering::lowerGuarded(ExitSet exits, llvm::function_ref<void()> body) {
  SourceNodeScope scope = standsForNothing();
  ValueId exited = exits.any() ? hasExited(exits) : ValueId();
  if (!exited)
    return body();
  builder_.emitIf(builder_.unary(ir::Opcode::Not, exited), body);
}

static const clang::IfStmt *asRuntimeIf(const Stmt *stmt) {
  const auto *branch = llvm::dyn_cast_or_null<clang::IfStmt>(stmt);
  return branch && !branch->isConstexpr() && !branch->isConsteval() ? branch : nullptr;
}

void FunctionLowering::lowerBlock(Stmts stmts) {
  for (size_t i = 0; i < stmts.size(); ++i) {
    Stmts rest = stmts.drop_front(i + 1);
    ExitSet exits = exits_.of(stmts[i]);
    if (!exits.any()) {
      lowerStmt(stmts[i]);
      continue;
    }
    if (const clang::IfStmt *branch = asRuntimeIf(stmts[i]); branch && !exits.always)
      return lowerIf(*branch, rest);
    lowerStmt(stmts[i]);
    auto hasLabel = [&](const Stmt *stmt) { return exits_.of(stmt).labels; };
    if (rest.empty() || (exits.always && llvm::none_of(rest, hasLabel)))
      return; // what follows is never reached
    return lowerGuarded(exits, [&] { lowerBlock(rest); });
  }
}

/// `if` followed by the rest of its block.
void FunctionLowering::lowerIf(const clang::IfStmt &stmt, Stmts rest) {
  SourceNodeScope scope = standsFor(stmt);
  at(stmt.getIfLoc());
  if (stmt.getInit())
    lowerStmt(stmt.getInit());
  if (stmt.getConditionVariable())
    lowerDecl(*stmt.getConditionVariable());
  ExitSet then = exits_.of(stmt.getThen()), otherwise = exits_.of(stmt.getElse());
  bool restInElse = then.always && !otherwise.always;
  bool restInThen = otherwise.always && !then.always;
  auto arm = [&](const Stmt *body, bool withRest) {
    std::vector<const Stmt *> stmts;
    if (body)
      stmts.push_back(body);
    if (withRest)
      stmts.insert(stmts.end(), rest.begin(), rest.end());
    lowerBlock(stmts);
  };
  ValueId condition = lowerCondition(*stmt.getCond());
  at(stmt.getIfLoc());
  builder_.emitIf(
      condition, [&] { arm(stmt.getThen(), restInThen); },
      [&] { arm(stmt.getElse(), restInElse); });
  if (rest.empty() || restInElse || restInThen)
    return;
  then.append(otherwise);
  lowerGuarded(then, [&] { lowerBlock(rest); });
}

/// Sources are parsed with NDEBUG; a user who expects assert to end the program is told.
void FunctionLowering::noteAssert(clang::SourceLocation loc) {
  static const char text[] = "assert is compiled as under NDEBUG";
  const clang::SourceManager &sources = context_.getSourceManager();
  for (; loc.isMacroID(); loc = sources.getImmediateMacroCallerLoc(loc))
    if (clang::Lexer::getImmediateMacroName(loc, sources, context_.getLangOpts()) == "assert" &&
        !llvm::is_contained(function_.assumptions, text))
      function_.assumptions.emplace_back(text);
}

void FunctionLowering::lowerDiscarded(const clang::Expr &expr) {
  SourceNodeScope scope = standsFor(expr);
  noteAssert(expr.getBeginLoc());
  const clang::Expr &bare = unwrapped(expr);
  if (llvm::isa<clang::DeclRefExpr>(bare)) // to name something is no access
    return;
  if (const auto *cast = dyn_cast<clang::CastExpr>(&bare);
      cast && cast->getCastKind() == clang::CK_ToVoid)
    return lowerDiscarded(*cast->getSubExpr());
  if (const auto *call = dyn_cast<clang::CallExpr>(&bare); call && !isAggregate(call->getType())) {
    lowerCall(*call);
    return;
  }
  const auto *binary = dyn_cast<clang::BinaryOperator>(&bare);
  if (binary && binary->getOpcode() == clang::BO_Assign)
    lowerAssignment(*binary, nullptr); // C: of a struct too, with no copy for its value
  else if (bare.isGLValue())
    lowerLValue(bare);
  else if (isAggregate(bare.getType()))
    lowerTemporary(bare);
  else
    lowerScalar(bare);
}

/// No instruction and no fresh output: only a fence for the optimiser, which evaluates
/// its operands.
static bool isBarrier(const clang::GCCAsmStmt &assembly) {
  if (!assembly.getAsmString()->getString().trim().empty() || assembly.isAsmGoto())
    return false;
  for (unsigned i = 0; i < assembly.getNumOutputs(); ++i)
    if (!assembly.isOutputPlusConstraint(i))
      return false;
  return true;
}

namespace {
/// "+r"(place): as Clang passes it, by value or by address.
struct BarrierOutput {
  LValue place;
  clang::SourceLocation loc;
  bool isReadInMemory, isWrittenInMemory;
  ValueId value = {};
};
} // namespace

static clang::TargetInfo::ConstraintInfo constraintOf(const clang::GCCAsmStmt &assembly, unsigned i,
                                                      const clang::TargetInfo &target) {
  clang::TargetInfo::ConstraintInfo info(assembly.getOutputConstraint(i),
                                         assembly.getOutputName(i));
  target.validateOutputConstraint(info);
  return info;
}

/// The outputs keep their values, read and written. What is passed by address is read, then
/// written, where the assembly stands; values are read before, and written behind it.
void FunctionLowering::lowerBarrier(const clang::GCCAsmStmt &assembly) {
  std::vector<BarrierOutput> outputs;
  for (unsigned i = 0; i < assembly.getNumOutputs(); ++i) {
    const clang::Expr &expr = *assembly.getOutputExpr(i);
    const auto info = constraintOf(assembly, i, context_.getTargetInfo());
    outputs.push_back(
        {lowerLValue(expr), expr.getExprLoc(), !info.allowsRegister(), info.allowsMemory()});
    if (!scalarType(expr.getType()))
      return unsupported(expr.getExprLoc(), "inline assembly with an operand of this type");
    if (!outputs.back().isReadInMemory)
      outputs.back().value = loadFrom(outputs.back().place, expr.getExprLoc());
  }
  std::vector<std::pair<LValue, clang::SourceLocation>> inputs;
  for (const clang::Expr *input : llvm::make_range(assembly.begin_inputs(), assembly.end_inputs()))
    if (input->isGLValue() && scalarType(input->getType())) // "m"(place): it may be read
      inputs.push_back({lowerLValue(*input), input->getExprLoc()});
    else
      lowerDiscarded(*input);
  for (const auto &[place, loc] : inputs)
    loadFrom(place, loc);
  for (BarrierOutput &output : outputs)
    if (output.isReadInMemory)
      output.value = loadFrom(output.place, output.loc);
  for (bool inMemory : {true, false})
    for (const BarrierOutput &output : outputs)
      if (output.isWrittenInMemory == inMemory)
        storeTo(output.place, output.value, output.loc);
}

/// The arm that the language takes when it compiles; the other is not code.
void FunctionLowering::lowerConstantIf(const clang::IfStmt &stmt) {
  SourceNodeScope scope = standsFor(stmt);
  if (stmt.getInit())
    lowerStmt(stmt.getInit());
  if (std::optional<const Stmt *> taken = stmt.getNondiscardedCase(context_))
    lowerStmt(*taken);
  else if (stmt.isConsteval())
    lowerStmt(stmt.isNegatedConsteval() ? stmt.getThen() : stmt.getElse());
}

void FunctionLowering::lowerStmt(const Stmt *stmt) {
  if (!stmt)
    return;
  SourceNodeScope scope = standsFor(*stmt);
  if (const auto *expr = dyn_cast<clang::Expr>(stmt)) {
    at(expr->getExprLoc());
    return lowerDiscarded(*expr);
  }
  at(stmt->getBeginLoc());
  switch (stmt->getStmtClass()) {
  case Stmt::NullStmtClass:
    return;
  case Stmt::CompoundStmtClass: {
    const auto &block = cast<clang::CompoundStmt>(*stmt);
    std::vector<const Stmt *> stmts(block.body_begin(), block.body_end());
    return lowerBlock(stmts);
  }
  case Stmt::DeclStmtClass:
    for (const clang::Decl *decl : cast<clang::DeclStmt>(stmt)->decls())
      lowerDecl(*decl);
    return;
  case Stmt::IfStmtClass:
    return asRuntimeIf(stmt) ? lowerIf(cast<clang::IfStmt>(*stmt), {})
                             : lowerConstantIf(cast<clang::IfStmt>(*stmt));
  case Stmt::ForStmtClass:
    return lowerFor(cast<clang::ForStmt>(*stmt));
  case Stmt::WhileStmtClass:
    return lowerWhile(cast<clang::WhileStmt>(*stmt));
  case Stmt::DoStmtClass:
    return lowerDo(cast<clang::DoStmt>(*stmt));
  case Stmt::CXXForRangeStmtClass:
    return lowerRangeFor(cast<clang::CXXForRangeStmt>(*stmt));
  case Stmt::SwitchStmtClass:
    return lowerSwitch(cast<clang::SwitchStmt>(*stmt));
  case Stmt::ReturnStmtClass:
    return lowerReturn(cast<clang::ReturnStmt>(*stmt));
  case Stmt::BreakStmtClass:
    return breakFlag_ ? setFlag(breakFlag_, true) : void();
  case Stmt::ContinueStmtClass:
    return continueFlag_ ? setFlag(continueFlag_, true) : void();
  case Stmt::AttributedStmtClass:
    return lowerStmt(cast<clang::AttributedStmt>(stmt)->getSubStmt());
  case Stmt::LabelStmtClass: // the goto that jumps here is reported
    return lowerStmt(cast<clang::LabelStmt>(stmt)->getSubStmt());
  default:
    return lowerOtherStmt(*stmt);
  }
}

/// Outside the subset; what such a statement contains is lowered all the same.
void FunctionLowering::lowerOtherStmt(const Stmt &stmt) {
  clang::SourceLocation loc = stmt.getBeginLoc();
  switch (stmt.getStmtClass()) {
  case Stmt::GotoStmtClass:
  case Stmt::IndirectGotoStmtClass:
    return unsupported(loc, "goto");
  case Stmt::GCCAsmStmtClass:
    return isBarrier(cast<clang::GCCAsmStmt>(stmt)) ? lowerBarrier(cast<clang::GCCAsmStmt>(stmt))
                                                    : unsupported(loc, "inline assembly");
  case Stmt::MSAsmStmtClass:
    return unsupported(loc, "inline assembly");
  case Stmt::CXXTryStmtClass:
    unsupported(loc, "exception handling");
    return lowerStmt(cast<clang::CXXTryStmt>(stmt).getTryBlock());
  default:
    return unsupported(loc, std::string("statement '") + stmt.getStmtClassName() + "'");
  }
}

} // namespace colonnade::frontend
