//===- ParameterLowering.cpp - Parameters ----------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Out: the raw parameters and an object for each scalar. Structs and references are the
// address that the caller passes: a struct is the very object that the caller has made for the
// parameter. Only of an entry, which gets the caller's arrays, one that the body may write is
// copied.
//
// Invariant: hidden parameters come first, "return" for a struct result, then "this".
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

#include "Frontend/Lowering/Wrappers.h"
#include "Frontend/Types/Annotations.h"
#include "Frontend/Types/Attributes.h"

namespace colonnade::frontend {

using clang::QualType;
using ir::ScalarType;
using llvm::dyn_cast;

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
    function_.rawParams.back().isResult = true;
    returnSlot_ = function_.region(function_.body).args.back();
  }
  const auto *method = dyn_cast<clang::CXXMethodDecl>(&decl_);
  if (method && method->isImplicitObjectMemberFunction()) {
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

/// What a field or an array's element is a part of; null: it is neither.
static const clang::Expr *wholeOf(const clang::Expr &part) {
  if (const auto *member = dyn_cast<clang::MemberExpr>(&part))
    return member->isArrow() ? nullptr : member->getBase();
  const auto *element = dyn_cast<clang::ArraySubscriptExpr>(&part);
  const auto *decay =
      element ? dyn_cast<clang::ImplicitCastExpr>(&unwrapped(*element->getBase())) : nullptr;
  return decay && decay->getCastKind() == clang::CK_ArrayToPointerDecay ? decay->getSubExpr()
                                                                        : nullptr;
}

/// False if every use of `param` in `stmt` only reads a scalar from it.
static bool mayWrite(const clang::ParmVarDecl &param, const clang::Stmt *stmt) {
  if (!stmt)
    return false;
  const auto *read = dyn_cast<clang::ImplicitCastExpr>(stmt);
  if (read && read->getCastKind() == clang::CK_LValueToRValue) {
    bool isIndexWritten = false;
    const clang::Expr *place = &spelled(*read->getSubExpr());
    while (const clang::Expr *whole = wholeOf(*place)) {
      if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(place))
        isIndexWritten |= mayWrite(param, element->getIdx());
      place = &spelled(*whole);
    }
    if (llvm::isa<clang::DeclRefExpr>(place))
      return isIndexWritten;
  }
  if (const auto *ref = dyn_cast<clang::DeclRefExpr>(stmt))
    return ref->getDecl() == &param;
  for (const clang::Stmt *child : stmt->children())
    if (mayWrite(param, child))
      return true;
  return false;
}

static std::string untaken(std::string name, const clang::FunctionDecl &function) {
  auto isTaken = [&](const clang::ParmVarDecl *other) { return other->getName() == name; };
  while (llvm::any_of(function.parameters(), isTaken))
    name += "_";
  return name;
}

/// One without a name is called by its place: parameter_2. Those of a pack have one name in the
/// source, and here p, p_2, p_3.
static std::string nameOf(const clang::ParmVarDecl &param, const clang::FunctionDecl &function) {
  const unsigned index = param.getFunctionScopeIndex();
  if (param.getName().empty())
    return untaken("parameter_" + std::to_string(index + 1), function);
  auto isNamesake = [&](const clang::ParmVarDecl *other) {
    return other->getName() == param.getName();
  };
  const auto before = llvm::count_if(function.parameters().take_front(index), isNamesake);
  std::string name = param.getName().str();
  return before ? untaken(name + "_" + std::to_string(before + 1), function) : name;
}

/// Arguments in their variables: scalars in an object named like the parameter,
/// references and structs as the address they are.
void FunctionLowering::addParameter(const clang::ParmVarDecl &param) {
  SourceNodeScope scope = standsFor(param);
  at(param.getLocation());
  if (std::string problem = attributeProblem(param); !problem.empty())
    unsupported(param.getLocation(), "parameter with " + problem);
  QualType type = param.getType();
  const QualType held = isEntry_ && type->isAnyPointerType() ? type->getPointeeType() : type;
  if (hasNoSize(held))
    unsupported(param.getLocation(), "parameter of " + unsupportedReason(held));
  ir::RawParam raw;
  raw.name = nameOf(param, decl_);
  raw.loc = builder_.loc();
  describeParameter(param, types_, raw);
  ValueId value = builder_.addArg(function_.body, raw.type, raw.name);
  bool byAddress = raw.isReference || raw.byValueStruct;
  function_.rawParams.push_back(std::move(raw));
  if (byAddress) {
    variables_[&param] = {value, type.getNonReferenceType()};
    if (isEntry_ && isAggregate(type) && unsupportedReason(type).empty() &&
        mayWrite(param, decl_.getBody())) {
      LValue own = makeTemporary(type, param.getName()); // the caller's arrays stay as they are
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

/// Sizes of variable-length arrays are fixed where the type is written: a typedef's are
/// known where it is used, typeof evaluates its operand.
void FunctionLowering::evaluateVariableExtents(QualType type) {
  while (type->isVariablyModifiedType()) {
    if (const auto *array = dyn_cast<clang::ArrayType>(type)) {
      if (const auto *variable = dyn_cast<clang::VariableArrayType>(array))
        if (const clang::Expr *size = variable->getSizeExpr();
            size && !variableExtents_.count(size))
          variableExtents_[size] = lowerIndex(*size);
      type = array->getElementType();
    } else if (llvm::isa<clang::PointerType, clang::ReferenceType>(type)) {
      type = type->getPointeeType();
    } else if (const auto *function = dyn_cast<clang::FunctionType>(type)) {
      type = function->getReturnType();
    } else if (const auto *written = dyn_cast<clang::TypeOfExprType>(type)) {
      return lowerDiscarded(*written->getUnderlyingExpr());
    } else if (llvm::isa<clang::TypedefType>(type)) {
      return;
    } else {
      QualType inner = type->getLocallyUnqualifiedSingleStepDesugaredType();
      if (inner == type.getUnqualifiedType())
        return;
      type = inner;
    }
  }
}

/// Of an array type, as they were evaluated; outermost first.
std::vector<ValueId> FunctionLowering::variableExtentsOf(QualType type) const {
  std::vector<ValueId> sizes;
  for (const auto *array = type->getAsArrayTypeUnsafe(); array;
       array = array->getElementType()->getAsArrayTypeUnsafe())
    if (const auto *variable = dyn_cast<clang::VariableArrayType>(array))
      if (auto size = variableExtents_.find(variable->getSizeExpr());
          size != variableExtents_.end())
        sizes.push_back(size->second);
  return sizes;
}

} // namespace colonnade::frontend
