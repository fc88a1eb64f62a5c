//===- EvaluationWalk.h - The walk behind Evaluations.h ---------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function's declaration. Out: its evaluations and their frames. One member for each rule of
// NodeRules.def:
//
//   EvaluationWalk.cpp            dispatch
//   EvaluationsOfFunctions.cpp    parameters, members, destructors
//   EvaluationsOfStatements.cpp   statements and declarations
//   EvaluationsOfExpressions.cpp  names, conversions, operators
//   EvaluationsOfReads.cpp        the value of a place is used
//   EvaluationsOfSizes.cpp        sizes of variable-length arrays
//   EvaluationsOfCalls.cpp        calls and constructors
//   EvaluationsOfInitializers.cpp initialisers
//
// Invariant: a member walks the operands that the language evaluates, each once, then adds
// what the node itself evaluates.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LEDGER_EVALUATIONWALK_H
#define COLONNADE_FRONTEND_LEDGER_EVALUATIONWALK_H

#include "Frontend/Ledger/Evaluations.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace colonnade::frontend::ledger {

enum class NodeRule : uint8_t {
  Nothing,
  Children,
  Chosen,
  Shared,
  Label,
  Decl,
  If,
  For,
  While,
  Do,
  RangeFor,
  Switch,
  Return,
  Assembly,
  Name,
  Member,
  Temporary,
  This,
  Cast,
  Unary,
  Binary,
  CompoundAssignment,
  Conditional,
  Size,
  Opaque,
  Call,
  Construct,
  Inherited,
  Destroyed,
  Lambda,
  InitList,
  ParenList,
  ImplicitZero,
  CompoundLiteral,
  ArrayInitLoop,
  Refused,
};

/// What it takes to read the one of several places that comparisons have chosen.
struct ReadsOfChoice {
  unsigned reads = 0, conditions = 0;
};

class EvaluationWalk {
public:
  EvaluationWalk(const clang::FunctionDecl &function, SourceNodes &nodes,
                 const OperationIndex &operations);
  FunctionEvaluations run();

private:
  using Kind = EvaluationKind;

  // EvaluationsOfFunctions.cpp
  void parameters();
  void constructorInitializers(const clang::CXXConstructorDecl &constructor);
  void destructors();
  void destructor(ClangNode node);

  // EvaluationWalk.cpp
  void walk(const clang::Stmt *stmt);
  void apply(NodeRule rule, const clang::Stmt &stmt);
  void statement(NodeRule rule, const clang::Stmt &stmt);
  void expression(NodeRule rule, const clang::Expr &expr);

  // EvaluationsOfExpressions.cpp
  void children(const clang::Stmt &stmt);
  void shared(const clang::Expr &expr);
  void name(const clang::DeclRefExpr &expr);
  void member(const clang::MemberExpr &expr);
  void self(const clang::CXXThisExpr &expr);
  void conversion(const clang::CastExpr &expr);
  void unary(const clang::UnaryOperator &expr);
  void binary(const clang::BinaryOperator &expr);
  void assignment(const clang::BinaryOperator &expr);
  void compoundAssignment(const clang::CompoundAssignOperator &expr);
  void conditional(const clang::AbstractConditionalOperator &expr);
  void temporary(const clang::MaterializeTemporaryExpr &expr);

  // EvaluationsOfReads.cpp
  /// The value of a place is used.
  void read(const clang::Expr &place);
  std::optional<DiscardRule> excuseOfRead(const clang::Expr &bare) const;
  bool isExtreme(const clang::CallExpr &call);
  ReadsOfChoice extreme(const clang::CallExpr &call);
  ReadsOfChoice operand(const clang::Expr &argument);
  void expectAll(const clang::CallExpr &call, ReadsOfChoice reads);

  // EvaluationsOfSizes.cpp
  void size(const clang::UnaryExprOrTypeTraitExpr &expr);
  /// Sizes that are fixed where a type is written.
  void variableSizes(clang::QualType type);

  // EvaluationsOfStatements.cpp
  void declaration(const clang::Decl &decl);
  void variable(const clang::VarDecl &variable);
  void ifElse(const clang::IfStmt &stmt);
  void doWhile(const clang::DoStmt &stmt);
  void rangeFor(const clang::CXXForRangeStmt &stmt);
  void choice(const clang::SwitchStmt &stmt);
  void assembly(const clang::GCCAsmStmt &stmt);

  // EvaluationsOfCalls.cpp
  void call(const clang::CallExpr &expr);
  void libraryCall(const clang::CallExpr &expr, const clang::FunctionDecl &callee);
  void arguments(const clang::CallExpr &expr, const clang::FunctionDecl *callee);
  void argument(const clang::Expr &expr, clang::QualType type);
  void construct(const clang::CXXConstructExpr &expr);
  void inherited(const clang::CXXInheritedCtorInitExpr &expr);

  // EvaluationsOfInitializers.cpp
  /// `init` for an object of that type; `isPart`: a field or an element, where also a
  /// reference is written.
  void initialize(const clang::Expr &init, clang::QualType type, bool isPart);
  void list(const clang::InitListExpr &list);
  void parenList(const clang::CXXParenListInitExpr &list);
  void arrayList(const clang::Expr &list, llvm::ArrayRef<clang::Expr *> inits,
                 const clang::Expr *filler, uint64_t count, clang::QualType element);
  void recordList(llvm::ArrayRef<clang::Expr *> inits, const clang::RecordDecl &record);
  void field(const clang::Expr &init, const clang::FieldDecl &field);
  void captures(const clang::LambdaExpr &expr);
  void elementLoop(const clang::ArrayInitLoopExpr &expr);
  /// Cells that become zero.
  void zero(const clang::Expr &at, clang::QualType type);

  SourceNode here(ClangNode node) const { return {context_, node}; }
  Evaluation &expect(Kind kind, ClangNode node);
  /// It needs no operation, if there is a rule that says so.
  void expectUnless(std::optional<DiscardRule> rule, Kind kind, ClangNode node) {
    expect(kind, node).excuse = rule;
  }
  void enter(ClangNode node) {
    result_.frames.push_back({frame_, here(node)});
    frame_ = result_.frames.size() - 1;
  }

  const clang::FunctionDecl &function_;
  clang::ASTContext &clang_;
  SourceNodes &nodes_;
  const OperationIndex &operations_;
  FunctionEvaluations result_;
  const clang::CXXConstructExpr *elidedReturn_ = nullptr; // a copy that compilers do not make
  uint32_t context_ = 0;
  uint32_t frame_ = 0;
  llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> captures_;
  clang::FieldDecl *capturedThis_ = nullptr;
  llvm::SmallPtrSet<const clang::Expr *, 4> knownSizes_, knownOpaque_;
  llvm::SmallPtrSet<const clang::VarDecl *, 4> counters_; // of range-for over arrays
  llvm::DenseMap<const void *, uint32_t> destroyed_;      // variables and temporaries: their frames
};

NodeRule ruleOf(clang::Stmt::StmtClass kind);

} // namespace colonnade::frontend::ledger

#endif // COLONNADE_FRONTEND_LEDGER_EVALUATIONWALK_H
