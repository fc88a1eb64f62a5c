//===- FunctionLowering.cpp - Constructor initialisers, body, return --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sequences the lowering of one function: parameters, what a constructor initialises,
// the body. A body that returns early keeps its value in a slot and a flag beside it.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

#include "Frontend/Types/Attributes.h"
#include "Frontend/Types/CopyElision.h"

namespace colonnade::frontend {

using clang::QualType;
using ir::ScalarType;
using llvm::dyn_cast;

/// Takes each node of `stmt` from `left`, the literals of lists apart; false if there are more.
static bool fitsInto(unsigned &left, const clang::Stmt &stmt) {
  if (left == 0)
    return false;
  --left;
  const bool isList = llvm::isa<clang::InitListExpr>(stmt);
  return llvm::all_of(stmt.children(), [&](const clang::Stmt *child) {
    const auto *element = isList ? llvm::dyn_cast_or_null<clang::Expr>(child) : nullptr;
    const bool isLiteral = element && llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral>(
                                          element->IgnoreParenImpCasts());
    return !child || isLiteral || fitsInto(left, *child);
  });
}

bool isTooLarge(const clang::FunctionDecl &function) {
  unsigned left = MaxNodes;
  return function.getBody() && !fitsInto(left, *function.getBody());
}

FunctionLowering::FunctionLowering(ModuleLowering &module, const clang::FunctionDecl &decl,
                                   ir::Function &function, bool isEntry)
    : isEntry_(isEntry), module_(module), types_(module.types()), decl_(decl),
      context_(decl.getASTContext()), function_(function), builder_(function) {}

void FunctionLowering::run() {
  SourceNodeScope scope = standsFor(decl_);
  at(decl_.getLocation());
  function_.loc = builder_.loc();
  function_.body = builder_.createRegion();
  builder_.setRegion(function_.body);
  QualType returned = decl_.getReturnType();
  function_.returnTypeName = returned.getAsString(context_.getPrintingPolicy());
  if (!returned->isVoidType())
    function_.returnType = scalarType(returned);
  if (!isEntry_ && isAggregate(returned)) // an entry's result is in the caller's arrays
    resultVariable_ = resultVariable(decl_);
  lowerParameters();
  if (std::string problem = attributeProblem(decl_); !problem.empty())
    unsupported(decl_.getLocation(), "function with " + problem);
  if (isEntry_ && this_)
    unsupported(decl_.getLocation(), "member function as an entry: wrap it in a free function");
  const clang::Stmt *body = decl_.getBody();
  if (!function_.isDefined || !body) {
    function_.isDefined = false;
    builder_.ret(function_.returnType ? std::optional(builder_.undef(*function_.returnType))
                                      : std::nullopt);
    return;
  }
  if (isTooLarge(decl_))
    return refuseSize();
  if (const auto *constructor = dyn_cast<clang::CXXConstructorDecl>(&decl_))
    lowerConstructorInitializers(*constructor);
  if (const auto *destructor = dyn_cast<clang::CXXDestructorDecl>(&decl_))
    checkPartsOf(*destructor);
  lowerBody(*body);
}

/// Nothing of the body is lowered.
void FunctionLowering::refuseSize() {
  at(decl_.getLocation());
  builder_.unsupported("the function has more than " + std::to_string(MaxNodes) +
                           " names, operators and statements, the limit; split it, or write "
                           "what repeats as a loop",
                       std::nullopt, ir::TooLarge);
  builder_.ret(function_.returnType ? std::optional(builder_.undef(*function_.returnType))
                                    : std::nullopt);
}

/// A destructor ends with those of the members and bases, which no expression names.
void FunctionLowering::checkPartsOf(const clang::CXXDestructorDecl &destructor) {
  const clang::CXXRecordDecl &record = *destructor.getParent();
  bool hasParts = destructor.isVirtual();
  for (const clang::CXXBaseSpecifier &base : record.bases())
    hasParts |= base.getType().isDestructedType() != QualType::DK_none;
  for (const clang::FieldDecl *field : record.fields())
    hasParts |= field->getType().isDestructedType() != QualType::DK_none;
  if (hasParts)
    unsupported(destructor.getLocation(),
                "destructor of a class whose members or bases have destructors of their own");
}

void FunctionLowering::lowerConstructorInitializers(const clang::CXXConstructorDecl &constructor) {
  if (std::string reason = unsupportedReason(thisType_); !reason.empty())
    return unsupported(constructor.getLocation(), "constructor of " + reason);
  for (const clang::CXXCtorInitializer *init : constructor.inits())
    lowerConstructorInitializer(*init, constructor);
}

void FunctionLowering::lowerConstructorInitializer(const clang::CXXCtorInitializer &init,
                                                   const clang::CXXConstructorDecl &constructor) {
  clang::SourceLocation loc =
      init.isWritten() ? init.getSourceLocation() : constructor.getLocation();
  SourceNodeScope scope = standsFor(*init.getInit());
  at(loc);
  if (init.isDelegatingInitializer())
    return initializeBase(*init.getInit(), {this_, thisType_});
  if (init.isBaseInitializer()) {
    const clang::CXXRecordDecl *base = init.getBaseClass()->getAsCXXRecordDecl();
    return initializeBase(*init.getInit(), baseOf(this_, *constructor.getParent(),
                                                  baseIndex(*constructor.getParent(), *base)));
  }
  if (!init.isMemberInitializer())
    return unsupported(loc, "initialiser of an anonymous member");
  const clang::FieldDecl &field = *init.getMember();
  const clang::Expr *value = init.getInit();
  if (const auto *ownDefault = dyn_cast<clang::CXXDefaultInitExpr>(value))
    value = ownDefault->getExpr(); // `this` is the same object there
  if (field.getType()->isReferenceType())
    return bindField(field, *value, {this_, thisType_});
  initialize(*value, fieldOf(this_, field, loc));
}

/// A block whose pragmas let floating-point numbers be rounded, or kept, in another way than all
/// the tool computes; other compilers ignore them. Null: there is none.
static const clang::Stmt *blockWithOwnRounding(const clang::Stmt &stmt) {
  const auto *block = dyn_cast<clang::CompoundStmt>(&stmt);
  if (block && block->hasStoredFPFeatures()) {
    const clang::FPOptionsOverride own = block->getStoredFPFeatures();
    if (own.hasFPEvalMethodOverride() ||
        (own.hasConstRoundingModeOverride() &&
         own.getConstRoundingModeOverride() != llvm::RoundingMode::NearestTiesToEven &&
         own.getConstRoundingModeOverride() != llvm::RoundingMode::Dynamic))
      return &stmt;
  }
  for (const clang::Stmt *child : stmt.children())
    if (const clang::Stmt *found = child ? blockWithOwnRounding(*child) : nullptr)
      return found;
  return nullptr;
}

/// The common shape, one `return` as the last statement, needs no slot for the
/// value and no flag; any other does.
void FunctionLowering::lowerBody(const clang::Stmt &body) {
  if (const clang::Stmt *block = blockWithOwnRounding(body))
    unsupported(block->getBeginLoc(), "a pragma that rounds floating-point numbers in another way "
                                      "(FENV_ROUND, fp eval_method)");
  std::vector<const clang::Stmt *> stmts(1, &body);
  if (const auto *compound = dyn_cast<clang::CompoundStmt>(&body))
    stmts.assign(compound->body_begin(), compound->body_end());
  const auto *last = stmts.empty() ? nullptr : dyn_cast<clang::ReturnStmt>(stmts.back());
  ExitSet early;
  for (const clang::Stmt *stmt : Stmts(stmts).drop_back(last ? 1 : 0))
    early.append(exits_.of(stmt));
  if (last && !early.returns && function_.returnType && last->getRetValue()) {
    lowerBlock(Stmts(stmts).drop_back());
    at(last->getReturnLoc());
    const clang::Expr &value = *last->getRetValue();
    ValueId result =
        decl_.getReturnType()->isReferenceType() ? lowerLValue(value).pointer : lowerScalar(value);
    at(last->getReturnLoc());
    builder_.ret(result);
    return;
  }
  if (function_.returnType)
    returnSlot_ = builder_.ownObject(memType(decl_.getReturnType()), "%retval");
  if (early.returns)
    returnFlag_ = makeFlag("%ret");
  lowerBlock(stmts);
  at(body.getEndLoc());
  if (!exits_.of(&body).always)
    leaveValueUnset();
  if (!function_.returnType) {
    builder_.ret(std::nullopt);
    return;
  }
  builder_.ret(builder_.load(returnSlot_, memType(decl_.getReturnType()), *function_.returnType));
}

/// C: a function may end without a value, which is undefined only where it is used.
void FunctionLowering::leaveValueUnset() {
  if (!function_.returnType || context_.getLangOpts().CPlusPlus || !mayReachEnd(decl_))
    return;
  ExitSet returned;
  returned.returns = true;
  lowerGuarded(returned, [&] {
    const ValueId unset = builder_.undef(*function_.returnType);
    builder_.store(returnSlot_, unset, memType(decl_.getReturnType()));
  });
}

void FunctionLowering::lowerReturn(const clang::ReturnStmt &stmt) {
  SourceNodeScope scope = standsFor(stmt);
  at(stmt.getReturnLoc());
  elidedReturn_ = elidedReturn(stmt, decl_);
  const bool isThere = elidedReturn_ && resultVariable_; // in the place of the result
  if (isUndecidedCopy(stmt, decl_))
    unsupported(stmt.getReturnLoc(),
                "'return' of a variable that is the result itself or is copied to it, as the "
                "compiler likes, which its class tells apart (in every 'return' name the same "
                "variable of the outermost block, or make the result there)");
  if (const clang::Expr *value = stmt.getRetValue(); value && !isThere)
    lowerReturnValue(*value);
  at(stmt.getReturnLoc());
  if (returnFlag_)
    setFlag(returnFlag_, true);
}

void FunctionLowering::lowerReturnValue(const clang::Expr &value) {
  QualType type = decl_.getReturnType();
  if (type->isVoidType())
    return lowerDiscarded(value);
  if (isAggregate(type))
    return initialize(value, {returnSlot_, type});
  if (!function_.returnType)
    return unsupported(value.getExprLoc(), "return value of " + unsupportedReason(type));
  ValueId result = type->isReferenceType() ? lowerLValue(value).pointer : lowerScalar(value);
  at(value.getExprLoc());
  builder_.store(returnSlot_, result, memType(type));
}

} // namespace colonnade::frontend
