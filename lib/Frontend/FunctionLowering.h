//===- FunctionLowering.h - One function body to raw IR --------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of lowering one function, and its steps; each step lives in a file of
// its own:
//
//   FunctionLowering.cpp    parameters, constructor initialisers, return
//   StmtLowering.cpp        statements, blocks, guards after possible exits
//   LoopLowering.cpp        for, while, do, range-for
//   SwitchLowering.cpp      switch with fall-through
//   DeclLowering.cpp        local variables
//   ExprLowering.cpp        scalar values: dispatch, literals, conditionals
//   CastLowering.cpp        casts
//   OperatorLowering.cpp    unary and binary operators, assignments
//   LValueLowering.cpp      addresses
//   AggregateLowering.cpp   values of struct and array type, initialisers
//   TableLowering.cpp       constant tables
//   CallLowering.cpp        calls of lowered functions
//   KnownCalls.cpp          functions known without their body
//   ExtremeCalls.cpp        std::min and its kin
//   BitBuiltins.cpp         population count and its kin
//   MemoryCalls.cpp         memcpy and its family
//
// Invariant: operations are appended in the order in which clang -O0 performs the
// accesses. Values of struct or array type live in memory; `lowerInto` writes them.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_FUNCTIONLOWERING_H
#define COLONNADE_FRONTEND_FUNCTIONLOWERING_H

#include "Frontend/ExitAnalysis.h"
#include "Frontend/ModuleLowering.h"
#include "Frontend/RawBuilder.h"

namespace colonnade::frontend {

/// An address and the type of what is there.
struct LValue {
  ValueId pointer;
  clang::QualType type;
};

class FunctionLowering {
public:
  FunctionLowering(ModuleLowering &module, const clang::FunctionDecl &decl, ir::Function &function,
                   bool isEntry);
  void run();

private:
  // FunctionLowering.cpp
  void lowerParameters();
  void addParameter(const clang::ParmVarDecl &param);
  void addPointerParameter(llvm::StringRef name, MemTypeId pointee, LocId loc);
  void evaluateVariableExtents(clang::QualType type);
  void lowerConstructorInitializers(const clang::CXXConstructorDecl &constructor);
  void lowerConstructorInitializer(const clang::CXXCtorInitializer &init,
                                   const clang::CXXConstructorDecl &constructor);
  void lowerBody(const clang::Stmt &body);
  void lowerReturn(const clang::ReturnStmt &stmt);
  void lowerReturnValue(const clang::Expr &value);
  std::string valueNameOf(const clang::Expr &expr) const;

  // StmtLowering.cpp
  using Stmts = llvm::ArrayRef<const clang::Stmt *>;
  void lowerStmt(const clang::Stmt *stmt);
  void lowerBlock(Stmts stmts);
  void lowerIf(const clang::IfStmt &stmt, Stmts rest);
  void lowerGuarded(ExitSet exits, llvm::function_ref<void()> body);
  ValueId hasExited(ExitSet exits);
  void setFlag(ValueId flag, bool value);
  ValueId makeFlag(llvm::StringRef name);
  void lowerDiscarded(const clang::Expr &expr);
  bool isAssert(clang::SourceLocation loc);

  // LoopLowering.cpp
  struct LoopParts {
    llvm::function_ref<ValueId()> condition;
    llvm::function_ref<void()> beforeBody;
    const clang::Stmt *body;
    llvm::function_ref<void()> step;
    const clang::Expr *lateCondition; // of a do-while
  };
  void lowerLoop(const LoopParts &parts);
  void lowerFor(const clang::ForStmt &stmt);
  void lowerWhile(const clang::WhileStmt &stmt);
  void lowerDo(const clang::DoStmt &stmt);
  void lowerRangeFor(const clang::CXXForRangeStmt &stmt);
  void lowerArrayRangeFor(const clang::CXXForRangeStmt &stmt, ValueId first,
                          clang::QualType element, ValueId count);
  /// A loop over 0 … count-1 of our own making, e.g. an element-wise copy.
  void emitCountedLoop(ValueId count, llvm::function_ref<void(ValueId)> body);

  // SwitchLowering.cpp
  struct SwitchGroup {
    std::vector<std::pair<ValueId, std::vector<const clang::Stmt *>>> segments; // entry test, body
    ValueId match; // invalid: default is in here
  };
  void lowerSwitch(const clang::SwitchStmt &stmt);
  void lowerSwitchGroups(llvm::ArrayRef<SwitchGroup> groups, bool exhaustive);
  void lowerSwitchGroup(const SwitchGroup &group);

  // DeclLowering.cpp
  void lowerDecl(const clang::Decl &decl);
  void declareVariable(const clang::VarDecl &variable);
  void initializeVariable(const clang::VarDecl &variable);
  void bindReference(const clang::VarDecl &variable);

  // ExprLowering.cpp
  ValueId lowerScalar(const clang::Expr &expr);
  ValueId lowerScalarUnchecked(const clang::Expr &expr);
  ValueId lowerCondition(const clang::Expr &expr);
  ValueId lowerLogical(const clang::BinaryOperator &expr);
  ValueId lowerConditional(const clang::AbstractConditionalOperator &expr);
  ValueId lowerConstant(const clang::Expr &expr);
  std::optional<ValueId> lowerKnownConstant(const clang::APValue &value, clang::QualType type);
  ValueId lowerVariable(const clang::DeclRefExpr &expr);
  ValueId lowerIndex(const clang::Expr &expr); // as S64
  ValueId lowerStmtExpr(const clang::StmtExpr &expr);
  /// Reports a construct at `loc`; the result keeps the rest going.
  ValueId unsupported(clang::SourceLocation loc, std::string what, clang::QualType type);
  void unsupported(clang::SourceLocation loc, std::string what);

  // CastLowering.cpp
  ValueId lowerCast(const clang::CastExpr &expr);
  ValueId lowerPointerCast(const clang::CastExpr &expr);
  ValueId lowerBitCast(const clang::CastExpr &expr);
  ValueId lowerBaseCast(const clang::CastExpr &expr, ValueId pointer, clang::QualType derived);

  // OperatorLowering.cpp
  ValueId lowerUnary(const clang::UnaryOperator &expr);
  ValueId lowerIncrement(const clang::UnaryOperator &expr, LValue *lvalue);
  ValueId lowerBinary(const clang::BinaryOperator &expr);
  ValueId lowerComparison(const clang::BinaryOperator &expr);
  ValueId lowerPointerComparison(const clang::BinaryOperator &expr);
  ValueId lowerArithmetic(clang::BinaryOperatorKind opcode, ValueId lhs, ValueId rhs);
  ValueId lowerPointerArithmetic(const clang::BinaryOperator &expr);
  ValueId lowerAssignment(const clang::BinaryOperator &expr, LValue *lvalue);
  ValueId lowerCompoundAssignment(const clang::CompoundAssignOperator &expr, LValue *lvalue);
  ValueId offsetPointer(ValueId pointer, ValueId offset, clang::QualType pointee, bool negate);

  // LValueLowering.cpp
  static bool isPlace(const clang::Expr &expr);
  LValue lowerLValue(const clang::Expr &expr);
  LValue lowerDeclRef(const clang::DeclRefExpr &expr);
  LValue lowerVariableLValue(const clang::VarDecl &variable, clang::SourceLocation loc);
  LValue lowerMember(const clang::MemberExpr &expr);
  LValue lowerSubscript(const clang::ArraySubscriptExpr &expr);
  LValue lowerTemporary(const clang::Expr &value);
  LValue lowerConditionalLValue(const clang::AbstractConditionalOperator &expr);
  std::optional<LValue> lowerCapture(const clang::ValueDecl &variable, clang::SourceLocation loc);
  LValue fieldOf(ValueId record, const clang::FieldDecl &field, clang::SourceLocation loc);
  ValueId decay(ValueId pointer, clang::QualType arrayType);
  ValueId radixOf(clang::QualType arrayType);
  ValueId loadFrom(LValue lvalue, clang::SourceLocation loc, llvm::StringRef name = {});
  void storeTo(LValue lvalue, ValueId value, clang::SourceLocation loc);
  bool checkAccess(clang::QualType type, clang::SourceLocation loc);

  // AggregateLowering.cpp
  void lowerInto(const clang::Expr &expr, LValue target);
  void initialize(const clang::Expr &init, LValue target);
  void lowerInitList(const clang::InitListExpr &list, LValue target);
  void lowerArrayInit(llvm::ArrayRef<const clang::Expr *> inits, const clang::Expr *filler,
                      LValue target);
  void lowerArrayInitLoop(const clang::ArrayInitLoopExpr &expr, LValue target);
  void lowerConstruct(const clang::CXXConstructExpr &expr, LValue target);
  void lowerLambda(const clang::LambdaExpr &expr, LValue target);
  void zeroFill(LValue target);
  void copyObject(LValue target, ValueId source);
  LValue makeTemporary(clang::QualType type, llvm::StringRef name);
  LValue elementOf(LValue array, uint64_t index);
  LValue baseOf(ValueId record, const clang::CXXRecordDecl &derived, unsigned index);

  // TableLowering.cpp
  bool isTable(const clang::VarDecl &variable);
  /// The value of a const variable whose initialiser is a constant, else null.
  const clang::APValue *constantValue(const clang::VarDecl &variable) const;
  std::optional<LValue> lowerTable(const clang::VarDecl &variable);
  std::optional<ValueId> tableOf(const clang::APValue &value, clang::QualType type,
                                 llvm::StringRef name, const void *key);
  LValue lowerString(const clang::StringLiteral &literal);
  bool copyConstantInit(const clang::VarDecl &variable, LValue target);

  // CallLowering.cpp
  /// The scalar result, or nothing for void; struct results go to `into`.
  ValueId lowerCall(const clang::CallExpr &call, const LValue *into = nullptr);
  ValueId emitCall(const clang::FunctionDecl &callee, std::vector<ValueId> args,
                   clang::QualType result, clang::SourceLocation loc, const LValue *into);
  void lowerArguments(const clang::FunctionDecl &callee, llvm::ArrayRef<const clang::Expr *> args,
                      std::vector<ValueId> &out);
  ValueId lowerArgument(const clang::Expr &arg, clang::QualType paramType);
  ValueId lowerObjectArgument(const clang::Expr &object, bool isArrow);
  bool lowerTrivialMember(const clang::CallExpr &call, const clang::FunctionDecl &callee);
  void discardArguments(const clang::CallExpr &call);

  // KnownCalls.cpp; true if the call is done, `result` is its scalar result
  bool lowerKnownCall(const clang::CallExpr &call, const clang::FunctionDecl &callee,
                      ValueId &result);
  bool lowerMathCall(const clang::CallExpr &call, llvm::StringRef name, ValueId &result);
  bool lowerBuiltin(const clang::CallExpr &call, llvm::StringRef name, ValueId &result);
  bool lowerAnnotation(const clang::CallExpr &call);
  bool lowerStdCall(const clang::CallExpr &call, llvm::StringRef name, ValueId &result);
  bool lowerStdArrayCall(const clang::CallExpr &call, const clang::FunctionDecl &callee,
                         ValueId &result);

  // FloatCalls.cpp
  bool lowerClassification(const clang::CallExpr &call, llvm::StringRef name, ValueId &result);
  bool lowerFloatComparison(const clang::CallExpr &call, llvm::StringRef name, ValueId &result);
  bool lowerFloatParts(const clang::CallExpr &call, llvm::StringRef name, ValueId &result);
  struct FloatParts {
    ValueId fraction, exponent, isRegular;
  };
  FloatParts splitFloat(ValueId value);
  std::pair<ValueId, ValueId> splitInteger(ValueId value);
  ValueId integerLogarithm(ValueId value);
  ValueId scaleByPower(ValueId value, ValueId exponent);
  ValueId powerOfTwo(ValueId exponent);
  ValueId clampInt(ValueId value, int64_t low, int64_t high);
  ValueId bitcast(ValueId value, ir::ScalarType to);

  // ExtremeCalls.cpp: a choice between addresses that is re-read, not selected
  struct Choice;
  std::optional<Choice> chooseExtreme(const clang::Expr &expr);
  ValueId loadChoice(const Choice &choice);
  std::optional<ValueId> lowerExtreme(const clang::Expr &expr);
  ValueId lowerExtremeOfList(const clang::InitListExpr &list, bool isMax);

  // BitBuiltins.cpp
  bool lowerBitBuiltin(const clang::CallExpr &call, llvm::StringRef name, ValueId &result);
  ValueId populationCount(ValueId value);
  ValueId leadingZeros(ValueId value);
  ValueId trailingZeros(ValueId value);
  ValueId swapBytes(ValueId value);
  ValueId rotate(ValueId value, ValueId count, bool left);

  // MemoryCalls.cpp
  bool lowerMemoryCall(const clang::CallExpr &call, llvm::StringRef name, ValueId &result);
  void lowerMemoryCopy(const clang::CallExpr &call, bool mayOverlap, ValueId &result);
  void lowerMemoryCompare(const clang::CallExpr &call, ValueId &result);
  void lowerMemoryFill(const clang::CallExpr &call, ValueId &result);
  LValue lowerMemoryOperand(const clang::Expr &expr);
  void flatten(LValue &cells);
  ValueId cellCount(const clang::Expr &bytes, uint64_t size);
  bool sizeIsMultiple(const clang::Expr &bytes, clang::QualType cell);

  // Shared helpers
  MemTypeId memType(clang::QualType type) { return types_.lower(type); }
  uint64_t sizeOf(clang::QualType type) const {
    return context_.getTypeSizeInChars(type).getQuantity();
  }
  void at(clang::SourceLocation loc) { builder_.setLoc(module_.location(loc, context_)); }
  ValueId convert(ValueId value, ir::ScalarType to);

  bool isEntry_;
  ModuleLowering &module_;
  TypeLowering &types_;
  const clang::FunctionDecl &decl_;
  clang::ASTContext &context_;
  ir::Function &function_;
  RawBuilder builder_;
  ExitAnalysis exits_;

  /// Where each variable lives: its object, or what a reference refers to.
  llvm::DenseMap<const clang::ValueDecl *, LValue> variables_;
  llvm::DenseMap<const clang::Expr *, ValueId> variableExtents_; // VLA sizes at entry
  llvm::DenseMap<const clang::OpaqueValueExpr *, LValue> opaqueObjects_;
  llvm::DenseMap<const clang::OpaqueValueExpr *, ValueId> opaqueValues_;
  std::map<const void *, ArrayId> tables_;
  llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> captures_;
  clang::FieldDecl *capturedThis_ = nullptr; // a pointer, or a copy of the object
  std::optional<ValueId> arrayInitIndex_;
  ValueId this_;             // pointer to *this
  clang::QualType thisType_; // the class
  ValueId returnSlot_;       // %retval, or the hidden parameter of a struct result
  ValueId returnFlag_;       // set once a return has been executed
  ValueId breakFlag_, continueFlag_;
};

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_FUNCTIONLOWERING_H
