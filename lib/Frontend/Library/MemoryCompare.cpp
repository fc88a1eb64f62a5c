//===- MemoryCompare.cpp - memcmp -----------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All cells are compared, whatever the first ones were, so that the loop has no
// data exit: memcmp needs both ranges readable as a whole anyway.
//
// The standard gives memcmp's sign and nothing else, so a result that is used as
// a number has no one right value: only tests against zero are supported. Order
// is that of bytes; wider cells can be told equal or different.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/MemoryOperands.h"
#include "Frontend/Lowering/Wrappers.h"
#include "Frontend/Types/ConstantContext.h"

#include "clang/AST/ParentMapContext.h"

namespace colonnade::frontend::library {

using clang::Expr;
using clang::QualType;
using clang::Stmt;
using ir::Opcode;
using ir::ScalarType;
using llvm::dyn_cast;
using llvm::isa;

namespace {
enum class Use { Number, Sign, Truth };
} // namespace

static bool isZero(const Expr &expr, const clang::ASTContext &context) {
  Expr::EvalResult value;
  return !expr.isValueDependent() && !dependsOnCompiler(expr, context) &&
         expr.EvaluateAsInt(value, context) && value.Val.getInt() == 0;
}

/// Whether `expr` is the condition of `parent`, or otherwise only its truth counts.
static bool isTested(const Expr &expr, const Stmt &parent) {
  if (const auto *cast = dyn_cast<clang::CastExpr>(&parent))
    return cast->getCastKind() == clang::CK_IntegralToBoolean;
  if (const auto *unary = dyn_cast<clang::UnaryOperator>(&parent))
    return unary->getOpcode() == clang::UO_LNot;
  if (const auto *binary = dyn_cast<clang::BinaryOperator>(&parent))
    return binary->isLogicalOp();
  if (const auto *choice = dyn_cast<clang::ConditionalOperator>(&parent))
    return choice->getCond() == &expr;
  if (const auto *branch = dyn_cast<clang::IfStmt>(&parent))
    return branch->getCond() == &expr;
  if (const auto *loop = dyn_cast<clang::WhileStmt>(&parent))
    return loop->getCond() == &expr;
  if (const auto *loop = dyn_cast<clang::DoStmt>(&parent))
    return loop->getCond() == &expr;
  if (const auto *loop = dyn_cast<clang::ForStmt>(&parent))
    return loop->getCond() == &expr;
  return false;
}

static Use useOf(const Expr &call, clang::ASTContext &context) {
  const Expr *expr = &call;
  while (true) {
    clang::DynTypedNodeList parents = context.getParents(*expr);
    const Stmt *parent = parents.size() == 1 ? parents[0].get<Stmt>() : nullptr;
    if (!parent)
      return Use::Number;
    if (isTested(*expr, *parent))
      return Use::Truth;
    const auto *binary = dyn_cast<clang::BinaryOperator>(parent);
    if (binary && binary->isComparisonOp()) {
      const Expr *other = binary->getLHS() == expr ? binary->getRHS() : binary->getLHS();
      if (binary->getOpcode() == clang::BO_Cmp || !isZero(*other, context))
        return Use::Number;
      return binary->isEqualityOp() ? Use::Truth : Use::Sign;
    }
    const auto *cast = dyn_cast<clang::ImplicitCastExpr>(parent);
    if (!isa<clang::ParenExpr>(parent) && !(cast && cast->getCastKind() == clang::CK_NoOp))
      return Use::Number;
    expr = llvm::cast<Expr>(parent);
  }
}

/// A type whose values are compared as the bits they are.
static bool isComparedCell(QualType type) {
  std::optional<ScalarType> scalar = scalarType(type);
  return scalar && *scalar != ScalarType::Pointer;
}

/// Empty if the cells can be compared for this use, else why not.
static std::string whyNotCompared(const LibraryCall &call, Use use, QualType a, QualType b) {
  uint64_t size = isComparedCell(a) ? call.function.sizeOf(a) : 0;
  if (size == 0 || !isComparedCell(b) || size != call.function.sizeOf(b))
    return "memcmp of '" + a.getAsString() + "' and '" + b.getAsString() + "'";
  if (use == Use::Sign && size != 1)
    return "the order that memcmp gives to '" + a.getAsString() +
           "'; compare bytes, or only for equality";
  return "";
}

/// Sets `order`, unless earlier cells have, to -1, 0 or 1 as these two compare.
static void compareCells(const LibraryCall &call, LValue left, LValue right, LValue order) {
  FunctionLowering &function = call.function;
  RawBuilder &builder = call.builder();
  ScalarType bits = ir::integerType(function.sizeOf(left.type), /*isSigned=*/false);
  auto number = [&](int64_t value) { return builder.constantInt(ScalarType::S32, value); };
  auto cell = [&](LValue place) {
    ValueId value = function.loadFrom(place, call.loc());
    return isFloat(builder.typeOf(value)) ? builder.bitcast(value, bits)
                                          : builder.cast(value, bits);
  };
  ValueId x = cell(left), y = cell(right), before = function.loadFrom(order, call.loc());
  ValueId zero = number(0), one = number(1), minusOne = number(-1);
  ValueId greater = builder.binary(Opcode::Gt, x, y);
  ValueId notLess = builder.select(greater, one, zero);
  ValueId here = builder.select(builder.binary(Opcode::Lt, x, y), minusOne, notLess);
  ValueId open = builder.binary(Opcode::Eq, before, zero);
  function.storeTo(order, builder.select(open, here, before), call.loc());
}

static ValueId compareAll(const LibraryCall &call, LValue a, LValue b, ValueId count) {
  FunctionLowering &function = call.function;
  RawBuilder &builder = call.builder();
  const clang::QualType type = function.context().IntTy;
  LValue order = {builder.ownObject(function.memType(type), "%memcmp"), type};
  function.storeTo(order, builder.constantInt(ScalarType::S32, 0), call.loc());
  const ir::Scalar *constant = builder.function().constant(count);
  if (constant && constant->bits == 1)
    compareCells(call, a, b, order); // of variables, perhaps
  else
    function.emitCountedLoop(count, [&](ValueId i) {
      LValue left = function.cellOf(a, i);
      compareCells(call, left, function.cellOf(b, i), order);
    });
  return function.loadFrom(order, call.loc());
}

/// `countOf`: how many cells, given their size; invalid for a part of one.
static CallResult compare(const LibraryCall &call,
                          llvm::function_ref<ValueId(uint64_t size)> countOf) {
  Use use = useOf(call.expr, call.function.context());
  if (use == Use::Number)
    return call.unsupported("the value of memcmp, of which only the sign is defined; compare it "
                            "with 0 where it is called");
  LValue a = lowerMemoryOperand(call, 0), b = lowerMemoryOperand(call, 1);
  a = flattened(call, a);
  b = flattened(call, b);
  if (std::string reason = whyNotCompared(call, use, a.type, b.type); !reason.empty())
    return call.unsupported(reason);
  ValueId count = countOf(call.function.sizeOf(a.type));
  call.here();
  if (!count)
    return call.unsupported("memcmp of a part of a cell");
  return compareAll(call, a, b, count);
}

CallResult compareMemory(const LibraryCall &call) {
  return compare(call, [&](uint64_t size) { return lowerCellCount(call, call.arg(2), size); });
}

CallResult compareElements(const LibraryCall &call) {
  return compare(call, [&](uint64_t) { return call.function.lowerIndex(call.arg(2)); });
}

} // namespace colonnade::frontend::library
