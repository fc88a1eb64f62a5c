//===- Places.cpp - Where an operation may stand in debug info ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference/Places.h"

#include "Frontend/Lowering/Wrappers.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/Support/Path.h"

namespace colonnade::reference {

using clang::Expr;
using llvm::dyn_cast;

namespace {
struct Initializers : clang::RecursiveASTVisitor<Initializers> {
  std::multimap<const Expr *, const Expr *> &wholes;
  std::multimap<const Expr *, clang::SourceLocation> &declared;

  bool shouldVisitImplicitCode() const { return true; }
  void part(const Expr *init, const Expr &whole) {
    for (; init; init = frontend::wrappedValue(*init))
      wholes.emplace(init, &whole); // a list as written shares parts with the list as understood
  }
  void declare(const Expr *init, clang::SourceLocation loc) {
    for (; init; init = frontend::wrappedValue(*init))
      declared.emplace(init, loc);
  }
  bool VisitVarDecl(clang::VarDecl *variable) {
    declare(variable->getInit(), variable->getLocation());
    return true;
  }
  bool TraverseConstructorInitializer(clang::CXXCtorInitializer *init) {
    declare(init->getInit(), init->getSourceLocation());
    if (const clang::FieldDecl *field = init->getAnyMember())
      declare(init->getInit(), field->getLocation());
    return RecursiveASTVisitor::TraverseConstructorInitializer(init);
  }
  bool VisitInitListExpr(clang::InitListExpr *list) {
    for (const Expr *init : list->inits())
      part(init, *list);
    if (!list->hasArrayFiller())
      return true;
    part(list->getArrayFiller(), *list);
    return TraverseStmt(list->getArrayFiller()); // no child of the list
  }
  bool VisitCXXParenListInitExpr(clang::CXXParenListInitExpr *list) {
    for (const Expr *init : list->getInitExprs())
      part(init, *list);
    part(list->getArrayFiller(), *list);
    return true;
  }
  bool VisitCXXFunctionalCastExpr(clang::CXXFunctionalCastExpr *cast) { // T{a, b}
    part(cast->getSubExpr(), *cast);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr *lambda) {
    for (const Expr *init : lambda->capture_inits())
      part(init, *lambda);
    return true;
  }
};
} // namespace

Places::Places(frontend::ledger::LoweredFunction &lowered) : lowered_(lowered) {
  Initializers{{}, wholes_, declared_}.TraverseDecl(
      const_cast<clang::FunctionDecl *>(lowered.decl));
}

Place Places::at(clang::SourceLocation loc) const {
  const clang::SourceManager &sources = lowered_.decl->getASTContext().getSourceManager();
  clang::PresumedLoc at = sources.getPresumedLoc(sources.getExpansionLoc(loc));
  return at.isInvalid() ? Place{}
                        : Place{llvm::sys::path::filename(at.getFilename()).str(), at.getLine(),
                                at.getColumn()};
}

void Places::add(std::set<Place> &places, clang::SourceLocation loc) const {
  places.insert(at(loc));
}

void Places::addNode(std::set<Place> &places, const clang::Stmt &stmt) const {
  add(places, stmt.getBeginLoc());
  const auto *expr = dyn_cast<Expr>(&stmt);
  if (!expr)
    return;
  add(places, expr->getExprLoc());
  const auto *binary = dyn_cast<clang::BinaryOperator>(expr);
  if (binary && binary->getOpcode() == clang::BO_Assign && expr->getType()->isRecordType())
    addNode(places, *binary->getRHS()); // Clang: the value goes where it belongs
  auto [first, last] = declared_.equal_range(expr);
  for (; first != last; ++first)
    add(places, first->second);
}

void Places::addWhole(std::set<Place> &places, const Expr *init) const {
  for (auto [first, last] = wholes_.equal_range(init); first != last; ++first) {
    addNode(places, *first->second);
    addWhole(places, first->second);
  }
}

std::set<Place> Places::of(uint32_t number) {
  using namespace frontend;
  std::set<Place> places;
  const SourceNode node = lowered_.nodes[number];
  if (const auto *decl = llvm::dyn_cast_if_present<const clang::Decl *>(node.node)) {
    add(places, decl->getLocation());
    return places;
  }
  const auto *stmt = llvm::cast<const clang::Stmt *>(node.node);
  addNode(places, *stmt);
  const auto *expr = dyn_cast<Expr>(stmt);
  addWhole(places, expr);
  const auto *user =
      llvm::dyn_cast_if_present<const clang::Stmt *>(lowered_.nodes.around(node.context).node);
  if (const auto *shared = llvm::dyn_cast_or_null<Expr>(user);
      shared && sharedPart(*shared) == expr) {
    addNode(places, *shared);
    addWhole(places, shared);
  }
  // Of std::array, the array in it.
  addNode(places, *llvm::cast<const clang::Stmt *>(ledger::keyOf(lowered_.nodes, node).node));
  while (expr) {
    addNode(places, *expr);
    const Expr *shared = sharedPart(*expr);
    expr = shared ? shared : wrappedValue(*expr);
  }
  return places;
}

} // namespace colonnade::reference
