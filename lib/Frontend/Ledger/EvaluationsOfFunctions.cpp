//===- EvaluationsOfFunctions.cpp - Parameters, members and destructors ---===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/EvaluationWalk.h"
#include "Frontend/Types/ClangTypes.h"

#include "clang/Analysis/CFG.h"

namespace colonnade::frontend::ledger {

using clang::QualType;
using llvm::dyn_cast;

/// Arguments are kept in variables of their own.
void EvaluationWalk::parameters() {
  for (const clang::ParmVarDecl *parameter : function_.parameters()) {
    uint32_t outer = frame_;
    enter(parameter);
    if (parameter->needsDestruction(clang_) == QualType::DK_cxx_destructor)
      destroyed_[parameter] = frame_;
    QualType type = parameter->getType();
    bool isCopied = !isAggregate(type) || operations_.at(here(parameter)).objects > 0;
    if (!type->isReferenceType())
      expectUnless(isCopied ? std::nullopt : std::optional(DiscardRule::ArgumentItself),
                   Kind::Write, parameter);
    variableSizes(parameter->getOriginalType());
    frame_ = outer;
  }
}

void EvaluationWalk::constructorInitializers(const clang::CXXConstructorDecl &constructor) {
  for (const clang::CXXCtorInitializer *init : constructor.inits()) {
    const clang::FieldDecl *field = init->getAnyMember();
    QualType type =
        field ? field->getType()
              : (init->isBaseInitializer() ? QualType(init->getBaseClass(), 0)
                                           : clang_.getRecordType(constructor.getParent()));
    initialize(*init->getInit(), type, /*isPart=*/true);
  }
}

/// Calls of destructors, which no expression names, are in Clang's graph of the function.
void EvaluationWalk::destructors() {
  clang::CFG::BuildOptions options;
  options.AddImplicitDtors = options.AddTemporaryDtors = true;
  if (!function_.getBody() || !clang_.getLangOpts().CPlusPlus)
    return;
  auto graph = clang::CFG::buildCFG(&function_, function_.getBody(), &clang_, options);
  if (!graph) { // Clang has none for some functions
    for (const auto &[node, place] : destroyed_)
      destructor(result_.frames[place].at.node);
    if (llvm::isa<clang::CXXDestructorDecl>(function_))
      expect(Kind::Refusal, &function_);
    return;
  }
  for (const clang::CFGBlock *block : *graph)
    for (const clang::CFGElement &element : *block) {
      if (auto variable = element.getAs<clang::CFGAutomaticObjDtor>()) {
        if (!variable->getVarDecl()->getType()->isReferenceType()) // else the temporary says it
          destructor(variable->getVarDecl());
      } else if (auto temporary = element.getAs<clang::CFGTemporaryDtor>()) {
        destructor(temporary->getBindTemporaryExpr());
      } else if (element.getAs<clang::CFGImplicitDtor>()) {
        destructor(&function_);
      }
    }
}

/// At the place where the walk came to what is destroyed.
void EvaluationWalk::destructor(ClangNode node) {
  auto place = destroyed_.find(node.getOpaqueValue());
  frame_ = place == destroyed_.end() ? 0 : place->second;
  context_ = result_.frames[frame_].at.context;
  expect(Kind::Refusal, node);
}

} // namespace colonnade::frontend::ledger
