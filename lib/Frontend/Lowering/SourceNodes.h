//===- SourceNodes.h - Parts of the source that operations stand for ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers for the nodes of one function's source: what ir::Op::provenance refers to. Clang
// shares some nodes: a default argument stands in the tree of the function, not in that of
// each call. So a source node is Clang's node and its *context*, the path of the expressions
// that refer to a shared part.
//
// In: nodes, as lowering enters them (SourceNodeScope). Out: numbers, 0 for none.
// Invariant: equal pairs have equal numbers.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_SOURCENODES_H
#define COLONNADE_FRONTEND_SOURCENODES_H

#include "Frontend/ClangHeaders.h"
#include "IR/Builder.h"

#include "llvm/ADT/PointerUnion.h"

namespace colonnade::frontend {

using ClangNode = llvm::PointerUnion<const clang::Stmt *, const clang::Decl *>;

struct SourceNode {
  uint32_t context = 0; // 0: the function itself
  ClangNode node;
  friend bool operator==(const SourceNode &a, const SourceNode &b) {
    return a.context == b.context && a.node == b.node;
  }
};

/// The part that `expr` refers to and shares with others; null: it refers to none.
const clang::Expr *sharedPart(const clang::Expr &expr);

class SourceNodes {
public:
  /// The context of what `expr` shares with others, seen from `context`.
  uint32_t enter(uint32_t context, const clang::Expr &expr);
  /// Whether a context is of a default argument or of a default member initialiser.
  bool isInDefault(uint32_t context) const;
  uint32_t number(SourceNode node);
  const SourceNode &operator[](uint32_t number) const { return nodes_[number]; }
  size_t size() const { return nodes_.size(); }
  /// The expression that a context was entered by, and the context around it.
  const SourceNode &around(uint32_t context) const { return contexts_[context]; }

private:
  std::vector<SourceNode> nodes_ = {{}};
  std::vector<SourceNode> contexts_ = {{}}; // the context around it, and the expression
  llvm::DenseMap<std::pair<uint32_t, ClangNode>, uint32_t> nodeNumbers_, contextNumbers_;
};

/// While it lives, operations stand for `node`, or with no node for nothing in the source.
class SourceNodeScope {
public:
  SourceNodeScope(SourceNodes &nodes, uint32_t &context, ir::Builder &builder, ClangNode node);
  ~SourceNodeScope() {
    builder_.setProvenance(provenance_);
    context_ = outer_;
  }
  SourceNodeScope(const SourceNodeScope &) = delete;

private:
  ir::Builder &builder_;
  uint32_t &context_;
  uint32_t provenance_, outer_; // as they were before
};

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_SOURCENODES_H
