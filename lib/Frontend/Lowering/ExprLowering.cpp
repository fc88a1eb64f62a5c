//===- ExprLowering.cpp - Scalar values: dispatch, literals, constants ----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an expression whose value is a scalar. Out: that value; a place is read. Each
// class of expression has its step in a file of its own; literals and constants are here.
//
// Invariant: what is outside the subset is reported, and gives an undefined value.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

#include "Frontend/Lowering/Wrappers.h"
#include "Frontend/Types/ConstantContext.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using clang::Stmt;
using ir::ScalarType;
using llvm::cast;
using llvm::dyn_cast;

void FunctionLowering::unsupported(clang::SourceLocation loc, std::string what) {
  at(loc);
  builder_.unsupported(std::move(what), std::nullopt);
}

ValueId FunctionLowering::unsupported(clang::SourceLocation loc, std::string what, QualType type) {
  at(loc);
  std::optional<ScalarType> result = scalarType(type);
  OpId op = builder_.unsupported(std::move(what), result);
  return result ? builder_.result(op) : ValueId();
}

ValueId FunctionLowering::lowerIndex(const Expr &expr) {
  ValueId value = lowerScalar(expr);
  at(expr.getExprLoc());
  return builder_.convert(value, ScalarType::S64);
}

std::optional<ValueId> FunctionLowering::lowerKnownConstant(const clang::APValue &value,
                                                            QualType type) {
  std::optional<ScalarType> scalar = scalarType(type);
  if (!scalar)
    return std::nullopt;
  if (value.isInt() && *scalar != ScalarType::Pointer) {
    llvm::APSInt bits = value.getInt();
    return builder_.constant({*scalar, bits.zextOrTrunc(64).getZExtValue()});
  }
  if (value.isFloat() && (*scalar == ScalarType::F32 || *scalar == ScalarType::F64))
    return builder_.constant({*scalar, value.getFloat().bitcastToAPInt().getZExtValue()});
  if (value.isNullPointer())
    return builder_.null();
  return std::nullopt;
}

/// What an expression outside the subset is called; its class for one without a name.
static std::string nameOf(const Expr &expr) {
  switch (expr.getStmtClass()) {
  case Stmt::CXXNewExprClass:
    return "new expression";
  case Stmt::CXXDeleteExprClass:
    return "delete expression";
  case Stmt::CXXThrowExprClass:
    return "throw expression";
  case Stmt::AtomicExprClass:
    return "atomic operation";
  case Stmt::VAArgExprClass:
    return "variable arguments";
  case Stmt::UnaryExprOrTypeTraitExprClass:
    return "the size of an array that is not made of parameters";
  default:
    return std::string("expression '") + expr.getStmtClassName() + "'";
  }
}

/// `__builtin_LINE()` of a default is the line of what uses it: of the first or the last of its
/// lines, as the compiler likes.
bool FunctionLowering::isOfUse(const Expr &expr) const {
  return nodes_.isInDefault(nodeContext_) && dependsOnUse(expr);
}

/// Of a constant expression that has no value to lower.
void FunctionLowering::refuseOfCompiler(const Expr &expr) {
  if (dependsOnCompiler(expr, context_))
    unsupported(expr.getExprLoc(),
                "a constant that compilers or builds see differently: the line of a call in a "
                "default argument or initialiser (give it at the call), __PRETTY_FUNCTION__, "
                "__TIME__, the size of a class that they lay out differently");
}

/// Of sizeof, alignof and offsetof: whose layout the value tells.
static std::optional<QualType> layoutAsked(const Expr &expr) {
  if (const auto *size = dyn_cast<clang::UnaryExprOrTypeTraitExpr>(&expr))
    return size->getTypeOfArgument();
  if (const auto *offset = dyn_cast<clang::OffsetOfExpr>(&expr))
    return offset->getTypeSourceInfo()->getType();
  return std::nullopt;
}

/// An expression the language itself evaluates: sizeof, traits, enumerators.
ValueId FunctionLowering::lowerConstant(const Expr &expr) {
  if (isOfUse(expr))
    return unsupported(expr.getExprLoc(),
                       "the place of a call in a default argument or initialiser, which compilers "
                       "see differently (give the value at the call)",
                       expr.getType());
  if (const std::optional<QualType> asked = layoutAsked(expr);
      asked && isLaidOutDifferently(*asked))
    return unsupported(expr.getExprLoc(), unsupportedReason(*asked), expr.getType());
  if (!llvm::isa<clang::SourceLocExpr>(expr))
    refuseOfCompiler(expr);
  Expr::EvalResult result;
  if (!expr.isValueDependent() && expr.EvaluateAsRValue(result, context_) && !result.HasSideEffects)
    if (std::optional<ValueId> value = lowerKnownConstant(result.Val, expr.getType()))
      return *value;
  return unsupported(expr.getExprLoc(), nameOf(expr), expr.getType());
}

/// Whether pragmas let floating-point numbers be rounded, or computed, in another way than all the
/// tool computes (`#pragma clang fp`, float_control, STDC FENV_ROUND); other compilers ignore them.
/// Contraction is a matter of docs/numerics.md.
static bool roundsInAnotherWay(const Expr &expr, const clang::LangOptions &language) {
  auto isFloating = [](const clang::Stmt *part) {
    const auto *value = llvm::dyn_cast_if_present<Expr>(part);
    return value && value->getType()->isFloatingType();
  };
  if (!isFloating(&expr) && llvm::none_of(expr.children(), isFloating))
    return false;
  const clang::FPOptions in = expr.getFPFeaturesInEffect(language);
  const llvm::RoundingMode mode = in.getConstRoundingMode();
  return in.getAllowFPReassociate() || in.getNoHonorNaNs() || in.getNoHonorInfs() ||
         in.getNoSignedZero() || in.getAllowReciprocal() || in.getAllowApproxFunc() ||
         (in.getFPEvalMethod() != clang::LangOptions::FEM_UnsetOnCommandLine &&
          in.getFPEvalMethod() != clang::LangOptions::FEM_Source) ||
         (mode != llvm::RoundingMode::NearestTiesToEven && mode != llvm::RoundingMode::Dynamic);
}

/// The value of a scalar expression; a glvalue is read.
ValueId FunctionLowering::lowerScalar(const Expr &expr) {
  SourceNodeScope scope = standsFor(expr);
  if (roundsInAnotherWay(expr, context_.getLangOpts()))
    return unsupported(expr.getExprLoc(),
                       "floating-point arithmetic under a pragma that changes it", expr.getType());
  if (!expr.getType()->isVoidType() && !scalarType(expr.getType())) {
    std::string reason = unsupportedReason(expr.getType());
    unsupported(expr.getExprLoc(), reason.empty() ? "value of struct type here" : reason);
    const bool isPointer = expr.getType()->isPointerType(); // to a function
    return builder_.undef(isPointer ? ScalarType::Pointer : ScalarType::S32);
  }
  at(expr.getExprLoc());
  ValueId value = lowerScalarUnchecked(expr);
  if (!value && !expr.getType()->isVoidType())
    value = builder_.undef(*scalarType(expr.getType()));
  return value;
}

/// A call of a consteval function has its value when the source is compiled; what its body
/// does when the program runs is something else (`if consteval`).
ValueId FunctionLowering::refuseImmediate(const clang::ConstantExpr &expr, QualType type) {
  return unsupported(expr.getExprLoc(), "value of a consteval function that is not made of numbers",
                     type);
}

/// What is known without a look at the operand: the value of a constant expression,
/// or of what was evaluated before.
std::optional<ValueId> FunctionLowering::knownValue(const Expr &expr) {
  if (const auto *constant = dyn_cast<clang::ConstantExpr>(&expr)) {
    std::optional<ValueId> value;
    if (constant->hasAPValueResult() && !isOfUse(expr) && !dependsOnCompiler(expr, context_))
      value = lowerKnownConstant(constant->getAPValueResult(), expr.getType());
    if (value || !constant->isImmediateInvocation())
      return value;
    return expr.getType()->isVoidType() ? ValueId() : refuseImmediate(*constant, expr.getType());
  }
  const auto *opaque = dyn_cast<clang::OpaqueValueExpr>(&expr);
  if (!opaque)
    return std::nullopt;
  if (auto it = opaqueValues_.find(opaque); it != opaqueValues_.end())
    return it->second;
  if (auto it = opaqueObjects_.find(opaque); it != opaqueObjects_.end())
    return loadFrom(it->second, expr.getExprLoc());
  return std::nullopt;
}

/// Literals, sizes, traits: the language itself evaluates these.
static bool isLanguageConstant(Stmt::StmtClass kind) {
  switch (kind) {
  case Stmt::IntegerLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::FloatingLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::OffsetOfExprClass:
  case Stmt::TypeTraitExprClass:
  case Stmt::SizeOfPackExprClass:
  case Stmt::CXXNoexceptExprClass:
  case Stmt::RequiresExprClass:
  case Stmt::ConceptSpecializationExprClass:
  case Stmt::SourceLocExprClass:
    return true;
  default:
    return false;
  }
}

ValueId FunctionLowering::lowerScalarUnchecked(const Expr &expr) {
  if (expr.isGLValue() && expr.getType().isVolatileQualified()) // by a cast, too
    return loadFrom(lowerLValue(expr), expr.getExprLoc());
  if (std::optional<ValueId> known = knownValue(expr))
    return *known;
  if (const Expr *inner = wrappedValue(expr))
    return lowerScalar(*inner);
  if (isLanguageConstant(expr.getStmtClass()))
    return lowerConstant(expr);
  switch (expr.getStmtClass()) {
  case Stmt::CXXNullPtrLiteralExprClass:
  case Stmt::GNUNullExprClass:
    return builder_.null();
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::CXXScalarValueInitExprClass:
    return lowerZero(expr.getType());
  case Stmt::InitListExprClass: {
    const auto &list = cast<clang::InitListExpr>(expr);
    return list.getNumInits() == 1 ? lowerScalar(*list.getInit(0)) : lowerZero(expr.getType());
  }
  case Stmt::CXXThisExprClass:
    return lowerThis(cast<clang::CXXThisExpr>(expr));
  case Stmt::DeclRefExprClass:
    return lowerVariable(cast<clang::DeclRefExpr>(expr));
  case Stmt::UnaryOperatorClass:
    return lowerUnary(cast<clang::UnaryOperator>(expr));
  case Stmt::BinaryOperatorClass:
    return lowerBinary(cast<clang::BinaryOperator>(expr));
  case Stmt::CompoundAssignOperatorClass:
    return lowerCompoundAssignment(cast<clang::CompoundAssignOperator>(expr), nullptr);
  case Stmt::ConditionalOperatorClass:
  case Stmt::BinaryConditionalOperatorClass:
    return lowerConditional(cast<clang::AbstractConditionalOperator>(expr));
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CXXStaticCastExprClass:
  case Stmt::CXXFunctionalCastExprClass:
  case Stmt::CXXReinterpretCastExprClass:
  case Stmt::CXXConstCastExprClass:
  case Stmt::BuiltinBitCastExprClass:
    return lowerCast(cast<clang::CastExpr>(expr));
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::UserDefinedLiteralClass:
    return lowerCallValue(cast<clang::CallExpr>(expr));
  case Stmt::StmtExprClass:
    return lowerStmtExpr(cast<clang::StmtExpr>(expr));
  default:
    return lowerOtherScalar(expr);
  }
}

/// Parts of objects, and what no step above knows.
ValueId FunctionLowering::lowerOtherScalar(const Expr &expr) {
  if (llvm::isa<clang::ArrayInitIndexExpr>(expr) && arrayInitIndex_)
    return builder_.convert(*arrayInitIndex_, *scalarType(expr.getType()));
  if (const auto *member = dyn_cast<clang::MemberExpr>(&expr))
    if (const auto *enumerator = dyn_cast<clang::EnumConstantDecl>(member->getMemberDecl())) {
      lowerDiscarded(*member->getBase());
      return *lowerKnownConstant(clang::APValue(enumerator->getInitVal()), expr.getType());
    }
  const auto *literal = dyn_cast<clang::CompoundLiteralExpr>(&expr);
  if (literal && !expr.isGLValue()) // C++: a value; C's is a place
    return lowerScalar(*literal->getInitializer());
  if (llvm::isa<clang::MemberExpr, clang::ArraySubscriptExpr>(expr))
    return loadFrom(lowerLValue(expr), expr.getExprLoc(), valueNameOf(expr));
  if (expr.isGLValue())
    return loadFrom(lowerLValue(expr), expr.getExprLoc());
  return unsupported(expr.getExprLoc(), nameOf(expr), expr.getType());
}

ValueId FunctionLowering::lowerZero(QualType type) {
  ScalarType scalar = *scalarType(type);
  return scalar == ScalarType::Pointer ? builder_.null() : builder_.zero(scalar);
}

ValueId FunctionLowering::lowerThis(const clang::CXXThisExpr &expr) {
  if (captures_.empty() && this_ && !thisType_->getAsCXXRecordDecl()->isLambda())
    return this_;
  if (!this_ || !capturedThis_)
    return unsupported(expr.getExprLoc(), "'this' outside a method", expr.getType());
  LValue self = fieldOf(this_, *capturedThis_, expr.getExprLoc());
  return self.type->isPointerType() ? loadFrom(self, expr.getExprLoc()) : self.pointer;
}

std::string FunctionLowering::valueNameOf(const Expr &expr) const {
  const Expr *bare = &spelled(expr);
  if (const auto *ref = dyn_cast<clang::DeclRefExpr>(bare))
    return ref->getDecl()->getDeclName().isIdentifier() ? ref->getDecl()->getName().str() : "";
  if (const auto *member = dyn_cast<clang::MemberExpr>(bare))
    return member->getMemberDecl()->getDeclName().isIdentifier()
               ? member->getMemberDecl()->getName().str()
               : "";
  return "";
}

/// The last statement of ({ …; label: value; }) without what stands in front.
static const Expr &valueOf(const Stmt &last) {
  const Stmt *bare = &last;
  while (!llvm::isa<Expr>(bare))
    if (const auto *label = dyn_cast<clang::LabelStmt>(bare))
      bare = label->getSubStmt();
    else
      bare = cast<clang::AttributedStmt>(bare)->getSubStmt();
  return cast<Expr>(*bare);
}

/// ({ …; value; })
ValueId FunctionLowering::lowerStmtExpr(const clang::StmtExpr &expr) {
  SourceNodeScope scope = standsFor(expr);
  const clang::CompoundStmt &block = *expr.getSubStmt();
  if (exits_.of(&block).any())
    return unsupported(expr.getExprLoc(), "jump out of a statement expression", expr.getType());
  if (nodeContext_ != 0)
    return unsupported(expr.getExprLoc(), "statement expression in a default value",
                       expr.getType());
  std::vector<const Stmt *> stmts(block.body_begin(), block.body_end());
  const Expr *last = nullptr;
  if (!expr.getType()->isVoidType()) {
    while (llvm::isa<clang::NullStmt>(stmts.back())) // ({ value;; })
      stmts.pop_back();
    last = &valueOf(*stmts.back());
    stmts.pop_back();
  }
  lowerBlock(stmts);
  return last ? lowerScalar(*last) : ValueId();
}

} // namespace colonnade::frontend
