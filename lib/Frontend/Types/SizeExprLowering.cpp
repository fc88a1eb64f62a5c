//===- SizeExprLowering.cpp - Extents as expressions over parameters ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Types/SizeExprLowering.h"

#include "Frontend/Lowering/Wrappers.h"
#include "Frontend/Types/ConstantContext.h"

namespace colonnade::frontend {

using llvm::dyn_cast;

static std::optional<SizeExpr::Kind> sizeOperator(clang::BinaryOperatorKind opcode) {
  switch (opcode) {
  case clang::BO_Add:
    return SizeExpr::Kind::Add;
  case clang::BO_Sub:
    return SizeExpr::Kind::Sub;
  case clang::BO_Mul:
    return SizeExpr::Kind::Mul;
  case clang::BO_Div:
    return SizeExpr::Kind::Div;
  case clang::BO_Rem:
    return SizeExpr::Kind::Rem;
  default:
    return std::nullopt;
  }
}

/// "n", "s.n" or "s->n" if the expression is a parameter or its member.
static std::string parameterPath(const clang::Expr &expr) {
  const clang::Expr &bare = spelled(expr);
  if (const auto *ref = dyn_cast<clang::DeclRefExpr>(&bare))
    return llvm::isa<clang::ParmVarDecl>(ref->getDecl()) ? ref->getDecl()->getName().str() : "";
  const auto *member = dyn_cast<clang::MemberExpr>(&bare);
  if (!member)
    return "";
  std::string base = parameterPath(*member->getBase());
  return base.empty()
             ? ""
             : base + (member->isArrow() ? "->" : ".") + member->getMemberDecl()->getName().str();
}

SizeExpr sizeExprOf(const clang::Expr &expr, const clang::ASTContext &context) {
  if (expr.isValueDependent() || dependsOnCompiler(expr, context))
    return {};
  clang::Expr::EvalResult value;
  if (expr.EvaluateAsInt(value, context) && value.Val.getInt().getSignificantBits() <= 64)
    return SizeExpr::constant(value.Val.getInt().getExtValue());
  const clang::Expr &bare = spelled(expr);
  if (const auto *binary = dyn_cast<clang::BinaryOperator>(&bare)) {
    std::optional<SizeExpr::Kind> kind = sizeOperator(binary->getOpcode());
    if (!kind)
      return {};
    SizeExpr lhs = sizeExprOf(*binary->getLHS(), context);
    SizeExpr rhs = sizeExprOf(*binary->getRHS(), context);
    return lhs.known() && rhs.known() ? SizeExpr::binary(*kind, lhs, rhs) : SizeExpr();
  }
  if (const auto *cast = dyn_cast<clang::ExplicitCastExpr>(&bare);
      cast && cast->getType()->isIntegerType())
    return sizeExprOf(*cast->getSubExpr(), context);
  std::string path = bare.getType()->isIntegerType() ? parameterPath(bare) : "";
  return path.empty() ? SizeExpr() : SizeExpr::name(path);
}

SizeExpr countOf(const clang::ArrayType &type) {
  if (const auto *constant = dyn_cast<clang::ConstantArrayType>(&type))
    return SizeExpr::constant(constant->getSize().getZExtValue());
  const auto *variable = dyn_cast<clang::VariableArrayType>(&type);
  if (!variable || !variable->getSizeExpr())
    return {};
  // Extents name parameters, and every parameter knows its context.
  const clang::Expr *size = variable->getSizeExpr();
  const clang::ASTContext *context = nullptr;
  std::vector<const clang::Stmt *> pending = {size};
  while (!pending.empty() && !context) {
    const clang::Stmt *next = pending.back();
    pending.pop_back();
    if (const auto *ref = llvm::dyn_cast_or_null<clang::DeclRefExpr>(next))
      context = &ref->getDecl()->getASTContext();
    else if (next)
      pending.insert(pending.end(), next->child_begin(), next->child_end());
  }
  return context ? sizeExprOf(*size, *context) : SizeExpr();
}

} // namespace colonnade::frontend
