//===- EvaluationsOfSizes.cpp - Sizes of variable-length arrays -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/EvaluationWalk.h"

namespace colonnade::frontend::ledger {

using clang::Expr;
using clang::QualType;
using llvm::dyn_cast;

/// The size of a variable-length array is computed when the program runs.
void EvaluationWalk::size(const clang::UnaryExprOrTypeTraitExpr &expr) {
  bool isRuntime =
      expr.getKind() == clang::UETT_SizeOf && expr.getTypeOfArgument()->isVariableArrayType();
  if (isRuntime)
    expect(Kind::Refusal, &expr);
}

void EvaluationWalk::variableSizes(QualType type) {
  while (type->isVariablyModifiedType()) {
    if (const auto *array = dyn_cast<clang::ArrayType>(type)) {
      const auto *variable = dyn_cast<clang::VariableArrayType>(array);
      const Expr *size = variable ? variable->getSizeExpr() : nullptr;
      if (size && knownSizes_.insert(size).second)
        walk(size);
      type = array->getElementType();
    } else if (const auto *written = dyn_cast<clang::TypeOfExprType>(type)) {
      return walk(written->getUnderlyingExpr());
    } else if (llvm::isa<clang::TypedefType>(type)) {
      return; // where it was declared
    } else if (const auto *function = dyn_cast<clang::FunctionType>(type)) {
      type = function->getReturnType();
    } else if (llvm::isa<clang::PointerType, clang::ReferenceType>(type)) {
      type = type->getPointeeType();
    } else {
      QualType inner = type->getLocallyUnqualifiedSingleStepDesugaredType();
      if (inner == type.getLocalUnqualifiedType())
        return;
      type = inner;
    }
  }
}

} // namespace colonnade::frontend::ledger
