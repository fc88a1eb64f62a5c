//===- SourceNodes.cpp - Which part of the source an operation stands for -----===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/SourceNodes.h"

#include "Frontend/Lowering/Wrappers.h"

namespace colonnade::frontend {

using clang::Expr;
using llvm::dyn_cast;

const Expr *sharedPart(const Expr &expr) {
  if (const auto *argument = dyn_cast<clang::CXXDefaultArgExpr>(&expr))
    return argument->getExpr();
  if (const auto *member = dyn_cast<clang::CXXDefaultInitExpr>(&expr))
    return member->getExpr();
  if (const auto *name = dyn_cast<clang::DeclRefExpr>(&expr);
      name && !name->refersToEnclosingVariableOrCapture()) // else a field of the closure
    if (const auto *binding = dyn_cast<clang::BindingDecl>(name->getDecl()))
      return binding->getBinding();
  return nullptr;
}

uint32_t SourceNodes::enter(uint32_t context, const Expr &expr) {
  if (contexts_[context].node == ClangNode(&expr))
    return context; // entered already: lowering looks through wrappers
  auto [it, isNew] = contextNumbers_.try_emplace({context, ClangNode(&expr)}, contexts_.size());
  if (isNew)
    contexts_.push_back({context, &expr});
  return it->second;
}

bool SourceNodes::isInDefault(uint32_t context) const {
  for (; context != 0; context = contexts_[context].context) {
    const auto *expr = llvm::dyn_cast<const clang::Stmt *>(contexts_[context].node);
    if (llvm::isa<clang::CXXDefaultArgExpr, clang::CXXDefaultInitExpr>(expr))
      return true;
  }
  return false;
}

uint32_t SourceNodes::number(SourceNode node) {
  auto [it, isNew] = nodeNumbers_.try_emplace({node.context, node.node}, nodes_.size());
  if (isNew)
    nodes_.push_back(node);
  return it->second;
}

/// The context of what `expr` ends in, once what only wraps it is taken off.
static uint32_t enterWrapped(SourceNodes &nodes, uint32_t context, const Expr *expr) {
  while (expr) {
    const Expr *shared = sharedPart(*expr);
    if (shared)
      context = nodes.enter(context, *expr);
    expr = shared ? shared : wrappedValue(*expr);
  }
  return context;
}

SourceNodeScope::SourceNodeScope(SourceNodes &nodes, uint32_t &context, ir::Builder &builder,
                                 ClangNode node)
    : builder_(builder), context_(context), provenance_(builder.provenance()), outer_(context) {
  if (const auto *stmt = llvm::dyn_cast_if_present<const clang::Stmt *>(node))
    context_ = enterWrapped(nodes, context_, dyn_cast<Expr>(stmt));
  builder_.setProvenance(node ? nodes.number({context_, node}) : 0);
}

} // namespace colonnade::frontend
