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

#include "Frontend/FunctionLowering.h"

#include "clang/AST/ParentMapContext.h"

namespace colonnade::frontend {

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
  return !expr.isValueDependent() && expr.EvaluateAsInt(value, context) && value.Val.getInt() == 0;
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

void FunctionLowering::lowerMemoryCompare(const clang::CallExpr &call, ValueId &result) {
  clang::SourceLocation loc = call.getExprLoc();
  auto refuse = [&](std::string what) {
    result = unsupported(loc, std::move(what), call.getType());
  };
  Use use = useOf(call, context_);
  if (use == Use::Number)
    return refuse("the value of memcmp, of which only the sign is defined; compare it with 0 where "
                  "it is called");
  LValue a = lowerMemoryOperand(*call.getArg(0)), b = lowerMemoryOperand(*call.getArg(1));
  flatten(a);
  flatten(b);
  std::optional<ScalarType> type = scalarType(a.type), other = scalarType(b.type);
  auto isCell = [](std::optional<ScalarType> t) { return t && *t != ScalarType::Pointer; };
  if (!isCell(type) || !isCell(other) || sizeOf(a.type) != sizeOf(b.type))
    return refuse("memcmp of '" + a.type.getAsString() + "' and '" + b.type.getAsString() + "'");
  if (use == Use::Sign && sizeOf(a.type) != 1)
    return refuse("the order that memcmp gives to '" + a.type.getAsString() +
                  "'; compare bytes, or only for equality");
  ValueId count = cellCount(*call.getArg(2), sizeOf(a.type));
  at(loc);
  if (!count)
    return refuse("memcmp of a part of a cell");
  unsigned width = sizeOf(a.type) * 8;
  ScalarType bits = width == 8    ? ScalarType::U8
                    : width == 16 ? ScalarType::U16
                    : width == 32 ? ScalarType::U32
                                  : ScalarType::U64;
  LValue order = makeTemporary(context_.IntTy, "%memcmp");
  auto number = [&](int64_t value) { return builder_.constantInt(ScalarType::S32, value); };
  auto compareCells = [&](LValue left, LValue right) {
    auto cell = [&](LValue place) {
      ValueId value = loadFrom(place, loc);
      return isFloat(builder_.typeOf(value)) ? bitcast(value, bits) : builder_.cast(value, bits);
    };
    ValueId x = cell(left), y = cell(right), before = loadFrom(order, loc);
    ValueId here =
        builder_.select(builder_.binary(Opcode::Lt, x, y), number(-1),
                        builder_.select(builder_.binary(Opcode::Gt, x, y), number(1), number(0)));
    ValueId open = builder_.binary(Opcode::Eq, before, number(0));
    storeTo(order, builder_.select(open, here, before), loc);
  };
  storeTo(order, number(0), loc);
  const ir::Scalar *constant = function_.constant(count);
  if (constant && constant->bits == 1)
    compareCells(a, b); // of variables, perhaps
  else
    emitCountedLoop(count, [&](ValueId i) {
      compareCells({builder_.index(a.pointer, i, memType(a.type)), a.type},
                   {builder_.index(b.pointer, i, memType(b.type)), b.type});
    });
  result = loadFrom(order, loc);
}

} // namespace colonnade::frontend
