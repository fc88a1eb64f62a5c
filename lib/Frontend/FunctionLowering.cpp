//===- FunctionLowering.cpp - Parameters, constructor initialisers, return -===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/FunctionLowering.h"

#include "Frontend/Annotations.h"
#include "Frontend/SizeExprLowering.h"

namespace colonnade::frontend {

using clang::QualType;
using ir::ScalarType;
using llvm::dyn_cast;

FunctionLowering::FunctionLowering(ModuleLowering &module, const clang::FunctionDecl &decl,
                                   ir::Function &function, bool isEntry)
    : isEntry_(isEntry), module_(module), types_(module.types()), decl_(decl),
      context_(decl.getASTContext()), function_(function), builder_(function) {}

void FunctionLowering::run() {
  at(decl_.getLocation());
  function_.loc = builder_.loc();
  function_.body = builder_.createRegion();
  builder_.setRegion(function_.body);
  QualType returned = decl_.getReturnType();
  function_.returnTypeName = returned.getAsString(context_.getPrintingPolicy());
  if (!returned->isVoidType())
    function_.returnType = scalarType(returned);
  lowerParameters();
  if (isEntry_ && this_)
    unsupported(decl_.getLocation(), "member function as an entry: wrap it in a free function");
  const clang::Stmt *body = decl_.getBody();
  if (!function_.isDefined || !body) {
    function_.isDefined = false;
    builder_.ret(function_.returnType ? std::optional(builder_.undef(*function_.returnType))
                                      : std::nullopt);
    return;
  }
  if (const auto *constructor = dyn_cast<clang::CXXConstructorDecl>(&decl_))
    lowerConstructorInitializers(*constructor);
  lowerBody(*body);
}

void FunctionLowering::addPointerParameter(llvm::StringRef name, MemTypeId pointee, LocId loc) {
  ir::RawParam raw;
  raw.name = name.str();
  raw.loc = loc;
  raw.type = ScalarType::Pointer;
  raw.pointee = pointee;
  raw.count = SizeExpr::constant(1);
  function_.rawParams.push_back(std::move(raw));
  builder_.addArg(function_.body, ScalarType::Pointer, name.str());
}

/// Hidden parameters first: "return" for a struct result, then "this".
void FunctionLowering::lowerParameters() {
  QualType returned = decl_.getReturnType();
  if (isAggregate(returned)) {
    addPointerParameter("return", memType(returned), function_.loc);
    returnSlot_ = function_.region(function_.body).args.back();
  }
  const auto *method = dyn_cast<clang::CXXMethodDecl>(&decl_);
  if (method && method->isInstance()) {
    thisType_ = context_.getRecordType(method->getParent());
    addPointerParameter("this", memType(thisType_), function_.loc);
    function_.rawParams.back().isConst = method->isConst();
    this_ = function_.region(function_.body).args.back();
    if (method->getParent()->isLambda()) {
      method->getParent()->getCaptureFields(captures_, capturedThis_);
    }
  }
  for (const clang::ParmVarDecl *param : decl_.parameters())
    addParameter(*param);
  for (const clang::ParmVarDecl *param : decl_.parameters())
    evaluateVariableExtents(param->getOriginalType());
}

/// False if every use of `param` in `stmt` only reads a scalar from it.
static bool mayWrite(const clang::ParmVarDecl &param, const clang::Stmt *stmt) {
  if (!stmt)
    return false;
  const auto *read = dyn_cast<clang::ImplicitCastExpr>(stmt);
  if (read && read->getCastKind() == clang::CK_LValueToRValue) {
    const clang::Expr *place = read->getSubExpr()->IgnoreParenImpCasts();
    while (const auto *member = dyn_cast<clang::MemberExpr>(place))
      place = member->getBase()->IgnoreParenImpCasts();
    if (llvm::isa<clang::DeclRefExpr>(place))
      return false;
  }
  if (const auto *ref = dyn_cast<clang::DeclRefExpr>(stmt))
    return ref->getDecl() == &param;
  for (const clang::Stmt *child : stmt->children())
    if (mayWrite(param, child))
      return true;
  return false;
}

/// Arguments in their variables: scalars in an object named like the parameter,
/// references and structs as the address they are.
void FunctionLowering::addParameter(const clang::ParmVarDecl &param) {
  at(param.getLocation());
  QualType type = param.getType();
  ir::RawParam raw;
  raw.name = param.getName().str();
  raw.loc = builder_.loc();
  describeParameter(param, types_, raw);
  ValueId value = builder_.addArg(function_.body, raw.type, raw.name);
  bool byAddress = raw.isReference || raw.byValueStruct;
  function_.rawParams.push_back(std::move(raw));
  if (byAddress) {
    variables_[&param] = {value, type.getNonReferenceType()};
    if (isAggregate(type) && unsupportedReason(type).empty() && mayWrite(param, decl_.getBody())) {
      LValue own = makeTemporary(type, param.getName()); // what the caller passed stays as it is
      copyObject(own, value);
      variables_[&param] = own;
    }
    return;
  }
  std::string reason = unsupportedReason(type);
  if (!reason.empty()) {
    unsupported(param.getLocation(), "parameter of " + reason);
    return;
  }
  ValueId object = builder_.object(memType(type), param.getName());
  builder_.store(object, value, memType(type));
  variables_[&param] = {object, type};
}

/// Sizes of variable-length arrays are fixed where the type is written.
void FunctionLowering::evaluateVariableExtents(QualType type) {
  while (true) {
    if (const auto *array = type->getAsArrayTypeUnsafe()) {
      if (const auto *variable = dyn_cast<clang::VariableArrayType>(array))
        if (const clang::Expr *size = variable->getSizeExpr();
            size && !variableExtents_.count(size))
          variableExtents_[size] = lowerIndex(*size);
      type = array->getElementType();
    } else if (type->isPointerType() || type->isReferenceType()) {
      type = type->getPointeeType();
    } else {
      return;
    }
  }
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
  at(loc);
  if (init.isDelegatingInitializer())
    return initialize(*init.getInit(), {this_, thisType_});
  if (init.isBaseInitializer()) {
    const clang::CXXRecordDecl *base = init.getBaseClass()->getAsCXXRecordDecl();
    return initialize(*init.getInit(), baseOf(this_, *constructor.getParent(),
                                              baseIndex(*constructor.getParent(), *base)));
  }
  if (!init.isMemberInitializer())
    return unsupported(loc, "initialiser of an anonymous member");
  const clang::FieldDecl &field = *init.getMember();
  if (field.getType()->isReferenceType()) {
    ValueId slot = builder_.field(this_, memType(thisType_), fieldIndex(field), fieldName(field));
    builder_.store(slot, lowerLValue(*init.getInit()).pointer, memType(field.getType()));
    return;
  }
  initialize(*init.getInit(), fieldOf(this_, field, loc));
}

/// The common shape, one `return` as the last statement, needs no slot for the
/// value and no flag; any other does.
void FunctionLowering::lowerBody(const clang::Stmt &body) {
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
    returnSlot_ = builder_.object(memType(decl_.getReturnType()), "%retval");
  if (early.returns)
    returnFlag_ = makeFlag("%ret");
  lowerBlock(stmts);
  at(body.getEndLoc());
  if (!function_.returnType) {
    builder_.ret(std::nullopt);
    return;
  }
  builder_.ret(builder_.load(returnSlot_, memType(decl_.getReturnType()), *function_.returnType));
}

void FunctionLowering::lowerReturn(const clang::ReturnStmt &stmt) {
  at(stmt.getReturnLoc());
  if (const clang::Expr *value = stmt.getRetValue())
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
