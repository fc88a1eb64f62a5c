//===- EvaluationWalk.cpp - Dispatch, functions, expressions --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ledger/EvaluationWalk.h"

#include "Frontend/ClangTypes.h"
#include "Frontend/Library/Table.h"

#include "clang/Analysis/CFG.h"

namespace colonnade::frontend::ledger {

using clang::Expr;
using clang::QualType;
using clang::Stmt;
using llvm::cast;
using llvm::dyn_cast;

namespace rules {
#define COLONNADE_NODE(Class, Rule) static constexpr NodeRule Class = NodeRule::Rule;
#include "Frontend/Ledger/NodeRules.def"
} // namespace rules

NodeRule ruleOf(Stmt::StmtClass kind) {
  switch (kind) {
  case Stmt::NoStmtClass:
    break;
#define ABSTRACT_STMT(CLASS)
#define STMT(CLASS, PARENT)                                                                        \
  case Stmt::CLASS##Class:                                                                         \
    return rules::CLASS;
#include "clang/AST/StmtNodes.inc"
  }
  return NodeRule::Refused;
}

EvaluationWalk::EvaluationWalk(const clang::FunctionDecl &function, Origins &origins,
                               const OperationIndex &operations)
    : function_(function), clang_(function.getASTContext()), origins_(origins),
      operations_(operations) {}

FunctionEvaluations EvaluationWalk::run() {
  result_.frames[0].at = here(&function_);
  const auto *method = dyn_cast<clang::CXXMethodDecl>(&function_);
  if (method && method->getParent()->isLambda())
    method->getParent()->getCaptureFields(captures_, capturedThis_);
  parameters();
  if (const auto *constructor = dyn_cast<clang::CXXConstructorDecl>(&function_))
    constructorInitializers(*constructor);
  walk(function_.getBody());
  destructors();
  return std::move(result_);
}

/// Arguments are kept in variables of their own, where they are scalars.
void EvaluationWalk::parameters() {
  for (const clang::ParmVarDecl *parameter : function_.parameters()) {
    uint32_t outer = frame_;
    enter(parameter);
    if (parameter->needsDestruction(clang_) == QualType::DK_cxx_destructor)
      destroyed_[parameter] = frame_;
    QualType type = parameter->getType();
    bool isCopied = operations_.at(here(parameter)).objects > 0; // a struct that may be written
    if (!type->isReferenceType() && (!isAggregate(type) || isCopied))
      expect(Kind::Write, parameter);
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
void EvaluationWalk::destructor(SourceNode node) {
  auto place = destroyed_.find(node.getOpaqueValue());
  frame_ = place == destroyed_.end() ? 0 : place->second;
  context_ = result_.frames[frame_].at.context;
  expect(Kind::Refusal, node);
}

Evaluation &EvaluationWalk::expect(Kind kind, SourceNode node) {
  result_.list.push_back({kind, keyOf(origins_, here(node)), frame_});
  return result_.list.back();
}

void EvaluationWalk::walk(const Stmt *stmt) {
  if (!stmt)
    return;
  uint32_t outer = frame_;
  enter(stmt);
  apply(ruleOf(stmt->getStmtClass()), *stmt);
  frame_ = outer;
}

void EvaluationWalk::apply(NodeRule rule, const Stmt &stmt) {
  switch (rule) {
  case NodeRule::Nothing:
    return;
  case NodeRule::Children:
    return children(stmt);
  case NodeRule::Refused: // what is below it is discarded with it
    expect(Kind::Refusal, &stmt);
    return children(stmt);
  case NodeRule::Label:
  case NodeRule::Decl:
  case NodeRule::If:
  case NodeRule::For:
  case NodeRule::While:
  case NodeRule::Do:
  case NodeRule::RangeFor:
  case NodeRule::Switch:
  case NodeRule::Return:
  case NodeRule::Assembly:
    return statement(rule, stmt);
  default:
    return expression(rule, cast<Expr>(stmt));
  }
}

void EvaluationWalk::expression(NodeRule rule, const Expr &expr) {
  switch (rule) {
  case NodeRule::Chosen: {
    Origin chosen = keyOf(origins_, here(&expr));
    return chosen.node == SourceNode(&expr) ? void(expect(Kind::Refusal, &expr))
                                            : walk(llvm::cast<const Stmt *>(chosen.node));
  }
  case NodeRule::Shared:
    return shared(expr);
  case NodeRule::Name:
    return name(cast<clang::DeclRefExpr>(expr));
  case NodeRule::Member:
    return member(cast<clang::MemberExpr>(expr));
  case NodeRule::Temporary: // a scalar may need no memory
    walk(cast<clang::MaterializeTemporaryExpr>(expr).getSubExpr());
    if (!isAggregate(expr.getType()) && operations_.at(keyOf(origins_, here(&expr))).objects > 0)
      expect(Kind::Write, &expr);
    return;
  case NodeRule::This:
    return self(cast<clang::CXXThisExpr>(expr));
  case NodeRule::Cast:
    return conversion(cast<clang::CastExpr>(expr));
  case NodeRule::Unary:
    return unary(cast<clang::UnaryOperator>(expr));
  case NodeRule::Binary:
    return binary(cast<clang::BinaryOperator>(expr));
  case NodeRule::CompoundAssignment:
    return compoundAssignment(cast<clang::CompoundAssignOperator>(expr));
  case NodeRule::Conditional:
    return conditional(cast<clang::AbstractConditionalOperator>(expr));
  case NodeRule::Size:
    return size(cast<clang::UnaryExprOrTypeTraitExpr>(expr));
  case NodeRule::Opaque:
    return knownOpaque_.count(&expr) ? void()
                                     : walk(cast<clang::OpaqueValueExpr>(expr).getSourceExpr());
  case NodeRule::Call:
    return call(cast<clang::CallExpr>(expr));
  case NodeRule::Construct:
    return construct(cast<clang::CXXConstructExpr>(expr));
  case NodeRule::Destroyed: // the graph does not look into default arguments
    destroyed_[&expr] = frame_;
    expect(Kind::Refusal, &expr);
    return walk(cast<clang::CXXBindTemporaryExpr>(expr).getSubExpr());
  case NodeRule::Lambda:
    return captures(cast<clang::LambdaExpr>(expr));
  case NodeRule::InitList:
    return list(cast<clang::InitListExpr>(expr));
  case NodeRule::ParenList:
    return parenList(cast<clang::CXXParenListInitExpr>(expr));
  case NodeRule::ImplicitZero:
    return isAggregate(expr.getType()) ? zero(expr, expr.getType()) : void();
  case NodeRule::CompoundLiteral: {
    const auto &literal = cast<clang::CompoundLiteralExpr>(expr);
    return initialize(*literal.getInitializer(), literal.getType(), /*isPart=*/false);
  }
  case NodeRule::ArrayInitLoop:
    return elementLoop(cast<clang::ArrayInitLoopExpr>(expr));
  default:
    return void(expect(Kind::Refusal, &expr));
  }
}

void EvaluationWalk::children(const Stmt &stmt) {
  for (const Stmt *child : stmt.children())
    walk(child);
  const auto *element = dyn_cast<clang::ArraySubscriptExpr>(&stmt);
  if (element && !element->isGLValue() && element->getType()->isScalarType())
    expect(Kind::Read, element); // C: f().x[0]
}

/// A default argument or initialiser; in the latter `this` is the new object.
void EvaluationWalk::shared(const Expr &expr) {
  uint32_t outer = context_;
  auto captures = captures_;
  if (llvm::isa<clang::CXXDefaultInitExpr>(expr))
    captures_.clear();
  context_ = origins_.enter(context_, expr);
  walk(sharedPart(expr));
  context_ = outer;
  captures_ = std::move(captures);
}

/// To name something is no access; a reference that is a field of the closure is one.
void EvaluationWalk::name(const clang::DeclRefExpr &expr) {
  if (const Expr *binding = sharedPart(expr)) {
    uint32_t outer = context_;
    context_ = origins_.enter(context_, expr);
    walk(binding);
    context_ = outer;
    return;
  }
  auto capture = captures_.find(expr.getDecl());
  if (capture != captures_.end() && capture->second->getType()->isReferenceType())
    expect(Kind::Read, &expr);
}

void EvaluationWalk::member(const clang::MemberExpr &expr) {
  walk(expr.getBase());
  const auto *field = dyn_cast<clang::FieldDecl>(expr.getMemberDecl());
  bool isOfValue = field && !expr.isGLValue() && expr.getType()->isScalarType(); // C: f().x
  if (isOfValue || (field && field->getType()->isReferenceType()))
    expect(Kind::Read, &expr);
}

void EvaluationWalk::self(const clang::CXXThisExpr &expr) {
  if (!captures_.empty() || capturedThis_)
    if (capturedThis_ && capturedThis_->getType()->isPointerType())
      expect(Kind::Read, &expr);
}

void EvaluationWalk::conversion(const clang::CastExpr &expr) {
  if (const auto *written = dyn_cast<clang::ExplicitCastExpr>(&expr))
    variableSizes(written->getTypeAsWritten());
  walk(expr.getSubExpr());
  if (expr.getCastKind() == clang::CK_LValueToRValue ||
      expr.getCastKind() == clang::CK_LValueToRValueBitCast)
    read(*expr.getSubExpr());
}

void EvaluationWalk::unary(const clang::UnaryOperator &expr) {
  walk(expr.getSubExpr());
  if (!expr.isIncrementDecrementOp())
    return;
  expect(Kind::Read, &expr);
  expect(Kind::Write, &expr);
}

void EvaluationWalk::binary(const clang::BinaryOperator &expr) {
  if (expr.getOpcode() == clang::BO_Assign)
    return assignment(expr);
  walk(expr.getLHS());
  if (expr.isLogicalOp())
    expect(Kind::Condition, &expr);
  walk(expr.getRHS());
}

void EvaluationWalk::assignment(const clang::BinaryOperator &expr) {
  const auto *value = dyn_cast<clang::ImplicitCastExpr>(expr.getRHS()->IgnoreParens());
  if (isAggregate(expr.getType()) && value && value->getCastKind() == clang::CK_LValueToRValue) {
    walk(value->getSubExpr()); // C: one copy
    expect(Kind::Read, &expr);
  } else {
    walk(expr.getRHS());
  }
  walk(expr.getLHS());
  expect(Kind::Write, &expr);
}

void EvaluationWalk::compoundAssignment(const clang::CompoundAssignOperator &expr) {
  walk(expr.getRHS());
  walk(expr.getLHS());
  expect(Kind::Read, &expr);
  expect(Kind::Write, &expr);
}

void EvaluationWalk::conditional(const clang::AbstractConditionalOperator &expr) {
  if (const auto *binary = dyn_cast<clang::BinaryConditionalOperator>(&expr)) {
    walk(binary->getCommon()); // once
    knownOpaque_.insert(binary->getOpaqueValue());
  }
  walk(expr.getCond());
  expect(Kind::Condition, &expr);
  walk(expr.getTrueExpr());
  walk(expr.getFalseExpr());
}

/// The size of a variable-length array is computed when the program runs.
void EvaluationWalk::size(const clang::UnaryExprOrTypeTraitExpr &expr) {
  bool isRuntime =
      expr.getKind() == clang::UETT_SizeOf && expr.getTypeOfArgument()->isVariableArrayType();
  if (isRuntime)
    expect(Kind::Refusal, &expr);
}

/// A function of the library that returns one of its arguments, by comparing them.
static bool isExtreme(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const library::LibraryFunction *known =
      callee ? library::findFunction(*callee, call.getNumArgs()) : nullptr;
  return known && known->read;
}

void EvaluationWalk::read(const Expr &place) {
  Origin key = keyOf(origins_, here(&place));
  const auto &bare = cast<Expr>(*llvm::cast<const Stmt *>(key.node));
  uint32_t outer = std::exchange(context_, key.context);
  const auto *choice = dyn_cast<clang::AbstractConditionalOperator>(&bare);
  const auto *binary = dyn_cast<clang::BinaryOperator>(&bare);
  const auto *unary = dyn_cast<clang::UnaryOperator>(&bare);
  const auto *call = dyn_cast<clang::CallExpr>(&bare);
  const auto *name = dyn_cast<clang::DeclRefExpr>(&bare);
  const auto *counter = name ? dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (choice) {
    read(*choice->getTrueExpr());
    read(*choice->getFalseExpr());
  } else if (binary && binary->getOpcode() == clang::BO_Comma) {
    read(*binary->getRHS());
  } else if (call && isExtreme(*call) && operations_.at(key).callees.empty()) {
    extreme(*call, /*isNested=*/false);
  } else if (!(binary && binary->isAssignmentOp()) &&       // its value is what is stored
             !(unary && unary->isIncrementDecrementOp()) && // likewise
             bare.isGLValue() &&                            // else a value, never in memory
             !(llvm::isa<clang::OpaqueValueExpr>(bare) && knownOpaque_.count(&bare)) &&
             !(counter && counters_.count(counter))) {
    expect(Kind::Read, &bare);
  }
  context_ = outer;
}

/// The call whose result, a reference, `argument` is; null where it is a value of its own,
/// as in std::min(a, (int)std::max(b, c)).
static const clang::CallExpr *referredCall(const Expr &argument) {
  const Expr *bare = argument.IgnoreParens();
  while (const auto *conversion = dyn_cast<clang::ImplicitCastExpr>(bare)) {
    if (conversion->getCastKind() != clang::CK_NoOp)
      return nullptr;
    bare = conversion->getSubExpr()->IgnoreParens();
  }
  return dyn_cast<clang::CallExpr>(bare);
}

/// std::min, std::max and std::clamp read what they compare, and once more what they have
/// chosen, unless another of them does that; clamp compares what it has chosen first with
/// the upper bound.
void EvaluationWalk::extreme(const clang::CallExpr &call, bool isNested) {
  bool isClamp = call.getNumArgs() == 3;
  unsigned conditions = (isClamp ? 3 : 1) - (isNested ? (isClamp ? 2 : 1) : 0);
  for (unsigned i = 0; i < conditions; ++i)
    expect(Kind::Condition, &call);
  for (unsigned i = 0; i < call.getNumArgs(); ++i) {
    Origin key = keyOf(origins_, here(call.getArg(i)));
    const auto &bare = cast<Expr>(*llvm::cast<const Stmt *>(key.node));
    const auto *inner = referredCall(*call.getArg(i));
    if (inner && isExtreme(*inner) && operations_.at(key).callees.empty()) {
      extreme(*inner, /*isNested=*/true);
      continue;
    }
    bool isPlace = bare.isGLValue() || operations_.at(key).objects > 0;
    unsigned reads = isPlace ? (isClamp && i < 2 ? 3 : 2) - isNested : 0;
    for (unsigned times = 0; times < reads; ++times)
      expect(Kind::Read, &call);
  }
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

FunctionEvaluations evaluationsOf(const clang::FunctionDecl &function, Origins &origins,
                                  const OperationIndex &operations) {
  return EvaluationWalk(function, origins, operations).run();
}

} // namespace colonnade::frontend::ledger
