//===- Origins.h - Which part of the source an operation stands for --*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers for the nodes of one function's source: what ir::Op::origin refers to. Clang
// shares some nodes: a default argument stands in the tree of the function, not in that of
// each call. So an origin is a node and its *context*, the path of the expressions that
// refer to a shared part.
//
// In: nodes, as lowering enters them (OriginScope). Out: numbers, 0 for none.
// Invariant: equal pairs have equal numbers.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_ORIGINS_H
#define COLONNADE_FRONTEND_ORIGINS_H

#include "Frontend/ClangHeaders.h"
#include "IR/Builder.h"

#include "llvm/ADT/PointerUnion.h"

namespace colonnade::frontend {

using SourceNode = llvm::PointerUnion<const clang::Stmt *, const clang::Decl *>;

struct Origin {
  uint32_t context = 0; // 0: the function itself
  SourceNode node;
  friend bool operator==(const Origin &a, const Origin &b) {
    return a.context == b.context && a.node == b.node;
  }
};

/// The part that `expr` refers to and shares with others; null: it refers to none.
const clang::Expr *sharedPart(const clang::Expr &expr);

class Origins {
public:
  /// The context of what `expr` shares with others, seen from `context`.
  uint32_t enter(uint32_t context, const clang::Expr &expr);
  uint32_t number(Origin origin);
  const Origin &operator[](uint32_t number) const { return origins_[number]; }
  size_t size() const { return origins_.size(); }
  /// The expression that a context was entered by, and the context around it.
  const Origin &around(uint32_t context) const { return contexts_[context]; }

private:
  std::vector<Origin> origins_ = {{}};
  std::vector<Origin> contexts_ = {{}}; // the context around it, and the expression
  llvm::DenseMap<std::pair<uint32_t, void *>, uint32_t> originNumbers_, contextNumbers_;
};

/// While it lives, operations stand for `node`, or with no node for nothing in the source.
class OriginScope {
public:
  OriginScope(Origins &origins, uint32_t &context, ir::Builder &builder, SourceNode node);
  ~OriginScope() {
    builder_.setOrigin(origin_);
    context_ = outer_;
  }
  OriginScope(const OriginScope &) = delete;

private:
  ir::Builder &builder_;
  uint32_t &context_;
  uint32_t origin_, outer_; // as they were before
};

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_ORIGINS_H
