//===- FunctionLowering.h - One function body to raw IR --------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the declaration of a function. Out: its ir::Function with raw operations. Every
// step of the visit is a member here; the steps of one kind share a file:
//
//   FunctionLowering.cpp     constructor initialisers, body, return
//   ParameterLowering.cpp    parameters
//   StmtLowering.cpp         statements, blocks, guards after possible exits
//   LoopLowering.cpp         for, while, do, range-for
//   SwitchLowering.cpp       switch with fall-through
//   DeclLowering.cpp         local variables
//   ExprLowering.cpp         scalar values: dispatch, literals, constants
//   ConditionLowering.cpp    conditions, && and ||, c ? a : b
//   CastLowering.cpp         casts
//   OperatorLowering.cpp     arithmetic, comparisons, pointers
//   AssignmentLowering.cpp   =, += and ++
//   LValueLowering.cpp       addresses
//   VariableLowering.cpp     what a name refers to
//   ObjectLowering.cpp       objects in memory: parts, reads, writes
//   AggregateLowering.cpp    values of struct and array type
//   InitializerLowering.cpp  initialiser lists, constructors, lambdas
//   TableLowering.cpp        constant tables
//   CallLowering.cpp         calls; of library functions by Library/Table.h
//
// What needs nothing of this state stands apart: Wrappers.h, ExitAnalysis.h,
// ConstantTable.h, Library/.
//
// Invariant: operations are appended in the order in which clang -O0 performs the
// accesses. Values of struct or array type live in memory; `lowerInto` writes them.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_FUNCTIONLOWERING_H
#define COLONNADE_FRONTEND_FUNCTIONLOWERING_H

#include "Frontend/Lowering/ExitAnalysis.h"
#include "Frontend/Lowering/RawBuilder.h"
#include "Frontend/Lowering/SourceNodes.h"
#include "Frontend/ModuleLowering.h"

#include "llvm/ADT/MapVector.h"

namespace colonnade::frontend {

/// An address and the type of what is there.
struct LValue {
  ValueId pointer;
  clang::QualType type;
  const clang::FieldDecl *bitField = nullptr; // whose width values are cut to
};

/// Labels in front of a run of a switch's statements.
struct SwitchSegment {
  std::vector<const clang::CaseStmt *> cases;
  bool isDefault = false;
  std::vector<const clang::Stmt *> body;
  ValueId match; // Bool: one of `cases` has the value; invalid: there are none
};

/// Nodes of one function's tree; generated code of about 100,000 lines has as many.
constexpr unsigned MaxNodes = 1'000'000;
bool isTooLarge(const clang::FunctionDecl &function);

class FunctionLowering {
public:
  FunctionLowering(ModuleLowering &module, const clang::FunctionDecl &decl, ir::Function &function,
                   bool isEntry);
  void run();

  // What the handlers of library calls use too
  RawBuilder &builder() { return builder_; }
  clang::ASTContext &context() { return context_; }
  MemTypeId memType(clang::QualType type) { return types_.lower(type); }
  uint64_t sizeOf(clang::QualType type) const {
    return context_.getTypeSizeInChars(type).getQuantity();
  }
  /// Operations from here on are located there.
  void at(clang::SourceLocation loc) { builder_.setLoc(module_.location(loc, context_)); }
  /// Operations made while the result lives stand for `node`.
  [[nodiscard]] SourceNodeScope standsFor(ClangNode node) {
    return SourceNodeScope(nodes_, nodeContext_, builder_, node);
  }
  [[nodiscard]] SourceNodeScope standsFor(const clang::Stmt &node) { return standsFor(&node); }
  [[nodiscard]] SourceNodeScope standsFor(const clang::Decl &node) { return standsFor(&node); }
  /// They are of our own making: flags, guards after exits.
  [[nodiscard]] SourceNodeScope standsForNothing() { return standsFor(ClangNode()); }
  SourceNodes takeSourceNodes() { return std::move(nodes_); }
  /// The variables whose values stand in the function.
  std::vector<const clang::VarDecl *> constants() const;
  /// Reports a construct at `loc`; the result keeps the rest going.
  ValueId unsupported(clang::SourceLocation loc, std::string what, clang::QualType type);
  void unsupported(clang::SourceLocation loc, std::string what);

  ValueId lowerScalar(const clang::Expr &expr);
  ValueId lowerIndex(const clang::Expr &expr); // as S64
  ValueId lowerCondition(const clang::Expr &expr);
  void lowerDiscarded(const clang::Expr &expr); // for its effects alone
  LValue lowerLValue(const clang::Expr &expr);
  ValueId lowerObjectArgument(const clang::Expr &object, bool isArrow);
  ValueId lowerCallable(const clang::Expr &object);
  /// None if the value is no scalar, or the address of something.
  std::optional<ValueId> lowerKnownConstant(const clang::APValue &value, clang::QualType type);
  std::string valueNameOf(const clang::Expr &expr) const;

  ValueId loadFrom(LValue lvalue, clang::SourceLocation loc, llvm::StringRef name = {});
  /// The value that is stored: that of a bit-field is cut to its width.
  ValueId storeTo(LValue lvalue, ValueId value, clang::SourceLocation loc);
  ValueId decay(ValueId pointer, clang::QualType arrayType);
  LValue makeTemporary(clang::QualType type, llvm::StringRef name);
  /// `index` elements behind the first one.
  ValueId stepped(ValueId pointer, ValueId index, clang::QualType pointee);
  LValue cellOf(LValue first, ValueId index);
  /// Every byte of so many cells.
  void fillCells(LValue first, ValueId byte, ValueId count);
  void copyObject(LValue target, ValueId source);
  /// A loop over 0 … count-1 of our own making, e.g. an element-wise copy.
  void emitCountedLoop(ValueId count, llvm::function_ref<void(ValueId)> body);

private:
  // FunctionLowering.cpp
  void refuseSize();
  void checkPartsOf(const clang::CXXDestructorDecl &destructor);
  void lowerConstructorInitializers(const clang::CXXConstructorDecl &constructor);
  void lowerConstructorInitializer(const clang::CXXCtorInitializer &init,
                                   const clang::CXXConstructorDecl &constructor);
  void lowerBody(const clang::Stmt &body);
  void leaveValueUnset();
  void lowerReturn(const clang::ReturnStmt &stmt);
  void lowerReturnValue(const clang::Expr &value);

  // ParameterLowering.cpp
  void lowerParameters();
  void addParameter(const clang::ParmVarDecl &param);
  void addPointerParameter(llvm::StringRef name, MemTypeId pointee, LocId loc);
  void evaluateVariableExtents(clang::QualType type);
  std::vector<ValueId> variableExtentsOf(clang::QualType type) const;

  // StmtLowering.cpp
  using Stmts = llvm::ArrayRef<const clang::Stmt *>;
  void lowerStmt(const clang::Stmt *stmt);
  void lowerOtherStmt(const clang::Stmt &stmt);
  void lowerBlock(Stmts stmts);
  void lowerIf(const clang::IfStmt &stmt, Stmts rest);
  void lowerConstantIf(const clang::IfStmt &stmt);
  void lowerBarrier(const clang::GCCAsmStmt &assembly);
  void lowerGuarded(ExitSet exits, llvm::function_ref<void()> body);
  ValueId hasExited(ExitSet exits);
  void setFlag(ValueId flag, bool value);
  ValueId makeFlag(llvm::StringRef name);
  void noteAssert(clang::SourceLocation loc);

  // LoopLowering.cpp
  struct LoopParts {
    llvm::function_ref<ValueId()> condition;
    llvm::function_ref<void()> beforeBody;
    const clang::Stmt *body;
    llvm::function_ref<void()> step;
    const clang::Expr *lateCondition; // of a do-while
  };
  void lowerLoop(const LoopParts &parts);
  ValueId lowerContinuation(const LoopParts &parts, ExitSet exits);
  void lowerFor(const clang::ForStmt &stmt);
  void lowerWhile(const clang::WhileStmt &stmt);
  void lowerDo(const clang::DoStmt &stmt);
  void lowerRangeFor(const clang::CXXForRangeStmt &stmt);
  void lowerArrayRangeFor(const clang::CXXForRangeStmt &stmt, ValueId first,
                          clang::QualType element, ValueId count);

  // SwitchLowering.cpp
  struct SwitchGroup {
    std::vector<std::pair<ValueId, std::vector<const clang::Stmt *>>> segments; // entry test, body
    ValueId match;          // of one of the segments
    bool isDefault = false; // one of them is `default`
  };
  void lowerSwitch(const clang::SwitchStmt &stmt);
  void declareAhead(llvm::ArrayRef<const clang::Stmt *> body);
  ValueId matchesLabel(ValueId value, const clang::CaseStmt &label);
  ValueId matchSegments(ValueId value, std::vector<SwitchSegment> &segments);
  std::vector<SwitchGroup> switchGroups(const std::vector<SwitchSegment> &segments,
                                        ValueId matchesNone);
  SwitchGroup groupFrom(const std::vector<SwitchSegment> &segments, size_t &i, ValueId matchesNone);
  void lowerSwitchGroups(llvm::ArrayRef<SwitchGroup> groups, bool exhaustive);
  void lowerSwitchGroup(const SwitchGroup &group);

  // DeclLowering.cpp
  void lowerDecl(const clang::Decl &decl);
  void checkStatic(const clang::VarDecl &variable);
  void declareVariable(const clang::VarDecl &variable);
  void initializeVariable(const clang::VarDecl &variable);
  bool storeConstantNumber(const clang::VarDecl &variable, LValue target);
  void bindReference(const clang::VarDecl &variable);

  // ExprLowering.cpp
  ValueId lowerScalarUnchecked(const clang::Expr &expr);
  ValueId lowerOtherScalar(const clang::Expr &expr);
  std::optional<ValueId> knownValue(const clang::Expr &expr);
  ValueId refuseImmediate(const clang::ConstantExpr &expr, clang::QualType type);
  bool isOfUse(const clang::Expr &expr) const;
  void refuseOfCompiler(const clang::Expr &expr);
  ValueId lowerConstant(const clang::Expr &expr);
  ValueId lowerZero(clang::QualType type);
  ValueId lowerThis(const clang::CXXThisExpr &expr);
  ValueId lowerStmtExpr(const clang::StmtExpr &expr);

  // ConditionLowering.cpp
  ValueId lowerLogical(const clang::BinaryOperator &expr);
  ValueId lowerConditional(const clang::AbstractConditionalOperator &expr);
  LValue lowerConditionalLValue(const clang::AbstractConditionalOperator &expr);

  // CastLowering.cpp
  ValueId lowerCast(const clang::CastExpr &expr);
  ValueId lowerPointerCast(const clang::CastExpr &expr);
  ValueId lowerBitCast(const clang::CastExpr &expr);
  ValueId lowerBaseCast(const clang::CastExpr &expr, ValueId pointer, clang::QualType derived);
  ValueId lowerDerivedCast(const clang::CastExpr &expr, ValueId pointer, clang::QualType derived);

  // OperatorLowering.cpp
  ValueId lowerUnary(const clang::UnaryOperator &expr);
  ValueId lowerBinary(const clang::BinaryOperator &expr);
  ValueId lowerComparison(const clang::BinaryOperator &expr);
  ValueId lowerPointerComparison(const clang::BinaryOperator &expr);
  ValueId lowerArithmetic(clang::BinaryOperatorKind opcode, ValueId lhs, ValueId rhs);
  ValueId lowerPointerArithmetic(const clang::BinaryOperator &expr);
  ValueId offsetPointer(ValueId pointer, ValueId offset, clang::QualType pointee, bool negate);

  // AssignmentLowering.cpp; where the result is wanted as a place, `place` receives it
  ValueId lowerAssignment(const clang::BinaryOperator &expr, LValue *place);
  ValueId lowerCompoundAssignment(const clang::CompoundAssignOperator &expr, LValue *place);
  ValueId lowerIncrement(const clang::UnaryOperator &expr, LValue *place);
  ValueId stepValue(ValueId old, bool up, clang::QualType type);

  // LValueLowering.cpp
  static bool isPlace(const clang::Expr &expr);
  std::optional<LValue> knownPlace(const clang::Expr &expr) const;
  LValue unknownPlace(const clang::Expr &expr);
  LValue lowerMember(const clang::MemberExpr &expr);
  LValue lowerSubscript(const clang::ArraySubscriptExpr &expr);
  LValue lowerCompoundLiteral(const clang::CompoundLiteralExpr &expr);
  LValue lowerUnaryLValue(const clang::UnaryOperator &expr);
  LValue lowerBinaryLValue(const clang::BinaryOperator &expr);
  LValue lowerCastLValue(const clang::CastExpr &expr);
  LValue lowerTemporary(const clang::Expr &value);

  // VariableLowering.cpp
  LValue lowerDeclRef(const clang::DeclRefExpr &expr);
  LValue lowerVariableLValue(const clang::VarDecl &variable, clang::SourceLocation loc);
  std::optional<LValue> lowerCapture(const clang::ValueDecl &variable, clang::SourceLocation loc);
  ValueId lowerVariable(const clang::DeclRefExpr &expr);

  // ObjectLowering.cpp
  bool checkAccess(clang::QualType type, clang::SourceLocation loc);
  ValueId cutToWidth(ValueId value, const clang::FieldDecl &bitField);
  ValueId radixOf(clang::QualType arrayType);
  LValue fieldOf(ValueId record, const clang::FieldDecl &field, clang::SourceLocation loc);
  LValue baseOf(ValueId record, const clang::CXXRecordDecl &derived, unsigned index);
  LValue elementOf(LValue array, uint64_t index);
  void zeroFill(LValue target);
  void zeroFillArray(LValue target);

  // AggregateLowering.cpp
  void initialize(const clang::Expr &init, LValue target);
  void lowerInto(const clang::Expr &expr, LValue target);
  void lowerStmtExprInto(const clang::StmtExpr &expr, LValue target);
  void lowerConditionalInto(const clang::ConditionalOperator &expr, LValue target);
  void lowerBinaryInto(const clang::BinaryOperator &expr, LValue target);

  // InitializerLowering.cpp
  void lowerInitList(const clang::InitListExpr &list, LValue target);
  void lowerRecordInit(const clang::Expr &list, llvm::ArrayRef<const clang::Expr *> inits,
                       const clang::FieldDecl *member, LValue target);
  void lowerFieldInit(const clang::FieldDecl &field, const clang::Expr &init, LValue target);
  void lowerDefaultInit(const clang::FieldDecl &field, const clang::CXXDefaultInitExpr &init,
                        LValue target);
  void bindField(const clang::FieldDecl &field, const clang::Expr &init, LValue record);
  void lowerArrayInit(llvm::ArrayRef<const clang::Expr *> inits, const clang::Expr *filler,
                      LValue target);
  void lowerArrayRest(const clang::Expr *filler, LValue target, uint64_t first, uint64_t count);
  void lowerArrayInitLoop(const clang::ArrayInitLoopExpr &expr, LValue target);
  void initializeBase(const clang::Expr &init, LValue target);
  void lowerParenListInit(const clang::CXXParenListInitExpr &list, LValue target);
  void lowerConstruct(const clang::CXXConstructExpr &expr, LValue target);
  void lowerInheritedConstruct(const clang::CXXInheritedCtorInitExpr &expr, LValue target);
  void lowerArrayConstruct(const clang::CXXConstructExpr &expr, LValue target);
  void lowerLambda(const clang::LambdaExpr &expr, LValue target);

  // TableLowering.cpp
  bool isTable(const clang::VarDecl &variable);
  /// The value of a const variable whose initialiser is a constant, else null.
  const clang::APValue *constantValue(const clang::VarDecl &variable) const;
  const clang::APValue *zeroOf(const clang::VarDecl &variable) const;
  std::optional<LValue> lowerTable(const clang::VarDecl &variable);
  std::optional<ValueId> tableOf(const clang::APValue &value, clang::QualType type,
                                 llvm::StringRef name, const void *key);
  LValue lowerString(const clang::StringLiteral &literal);
  bool copyConstantInit(const clang::VarDecl &variable, LValue target);
  void lowerImmediateInto(const clang::ConstantExpr &expr, LValue target);

  // CallLowering.cpp
  /// The scalar result, or nothing for void; struct results go to `into`.
  ValueId lowerCall(const clang::CallExpr &call, const LValue *into = nullptr);
  ValueId lowerCallValue(const clang::CallExpr &call);
  bool isDefinedTwice(const clang::CallExpr &call, const clang::FunctionDecl &callee) const;
  std::optional<ValueId> lowerLibraryCall(const clang::CallExpr &call,
                                          const clang::FunctionDecl &callee);
  ValueId emitCall(const clang::FunctionDecl &callee, std::vector<ValueId> args,
                   clang::QualType result, clang::SourceLocation loc, const LValue *into);
  bool lowerAllArguments(const clang::CallExpr &call, const clang::FunctionDecl &callee,
                         std::vector<ValueId> &out);
  void lowerUnusedCallee(const clang::CallExpr &call);
  void lowerAssignmentArguments(const clang::CallExpr &call, const clang::FunctionDecl &callee,
                                std::vector<ValueId> &out);
  void lowerArguments(const clang::FunctionDecl &callee, llvm::ArrayRef<const clang::Expr *> args,
                      std::vector<ValueId> &out);
  ValueId lowerArgument(const clang::Expr &arg, clang::QualType paramType);
  bool isPlainAssignment(const clang::CallExpr &call, const clang::FunctionDecl &callee);
  void discardArguments(const clang::CallExpr &call);

  bool isEntry_;
  ModuleLowering &module_;
  TypeLowering &types_;
  const clang::FunctionDecl &decl_;
  clang::ASTContext &context_;
  ir::Function &function_;
  RawBuilder builder_;
  SourceNodes nodes_;
  uint32_t nodeContext_ = 0;
  ExitAnalysis exits_;

  /// Where each variable lives: its object, or what a reference refers to.
  llvm::DenseMap<const clang::ValueDecl *, LValue> variables_;
  llvm::DenseSet<const clang::VarDecl *> declaredAhead_; // of a switch that is being lowered
  llvm::DenseMap<const clang::Expr *, ValueId> variableExtents_; // where the type is written
  /// What a later use of an expression stands for, where Clang evaluates it once.
  llvm::DenseMap<const clang::OpaqueValueExpr *, LValue> opaqueObjects_;
  llvm::DenseMap<const clang::OpaqueValueExpr *, ValueId> opaqueValues_;
  std::map<const void *, ArrayId> tables_;
  mutable std::map<const clang::VarDecl *, clang::APValue> zeros_;                    // of zeroOf()
  mutable llvm::MapVector<const clang::VarDecl *, const clang::APValue *> constants_; // the same
  llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> captures_;
  clang::FieldDecl *capturedThis_ = nullptr; // a pointer, or a copy of the object
  std::optional<ValueId> arrayInitIndex_;    // in an ArrayInitLoopExpr
  ValueId this_;                             // pointer to *this
  clang::QualType thisType_;                 // the class
  ValueId returnSlot_;                       // %retval, or the hidden parameter of a struct result
  ValueId returnFlag_;                       // set once a return has been executed
  ValueId breakFlag_, continueFlag_;         // of the innermost loop or switch that needs them
  const clang::VarDecl *resultVariable_ = nullptr; // it is at returnSlot_
  // The copy that the return which is being lowered leaves out.
  const clang::CXXConstructExpr *elidedReturn_ = nullptr;
};

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_FUNCTIONLOWERING_H
