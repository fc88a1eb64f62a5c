//===- MemoryCalls.cpp - memcpy, memmove, memset --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes become cells: both sides must point to cells of one type, and the size
// must be whole cells; a size that is not visibly so is checked at run time.
// memcmp is in MemoryCompare.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/FunctionLowering.h"

#include "llvm/ADT/StringSwitch.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using ir::Opcode;
using ir::ScalarType;
using llvm::dyn_cast;
using llvm::StringRef;

bool FunctionLowering::lowerMemoryCall(const clang::CallExpr &call, StringRef name,
                                       ValueId &result) {
  name.consume_front("__");
  name.consume_back("_chk");
  if ((name == "memcpy" || name == "memcpy_inline" || name == "memmove" || name == "mempcpy") &&
      call.getNumArgs() >= 3) {
    if (name == "mempcpy")
      return false;
    lowerMemoryCopy(call, name == "memmove", result);
    return true;
  }
  if ((name == "memcmp" || name == "bcmp") && call.getNumArgs() == 3) {
    lowerMemoryCompare(call, result);
    return true;
  }
  if (name == "memset" && call.getNumArgs() >= 3) {
    lowerMemoryFill(call, result);
    return true;
  }
  return false;
}

/// The operand before its conversion to void *, as a pointer to its cells.
LValue FunctionLowering::lowerMemoryOperand(const Expr &expr) {
  const Expr *bare = expr.IgnoreParens();
  while (const auto *conversion = dyn_cast<clang::CastExpr>(bare)) {
    bool plain = conversion->getCastKind() == clang::CK_BitCast ||
                 conversion->getCastKind() == clang::CK_NoOp;
    QualType from = conversion->getSubExpr()->getType();
    if (!plain || !from->isPointerType() || from->isVoidPointerType())
      break;
    bare = conversion->getSubExpr()->IgnoreParens();
  }
  ValueId pointer = lowerScalar(*bare);
  at(expr.getExprLoc());
  return {pointer, bare->getType()->getPointeeType().getUnqualifiedType()};
}

/// Rows are where their first element is.
void FunctionLowering::flatten(LValue &cells) {
  while (cells.type->isArrayType() || asStdArray(cells.type)) {
    std::optional<StdArray> stdArray = asStdArray(cells.type);
    cells.pointer = decay(cells.pointer, cells.type);
    cells.type =
        (stdArray ? stdArray->element : cells.type->getAsArrayTypeUnsafe()->getElementType())
            .getUnqualifiedType();
  }
}

/// `bytes` in units of `size`: the factor in `n * sizeof(T)` is taken apart.
ValueId FunctionLowering::cellCount(const Expr &bytes, uint64_t size) {
  Expr::EvalResult constant;
  if (!bytes.isValueDependent() && bytes.EvaluateAsInt(constant, context_)) {
    uint64_t value = constant.Val.getInt().getZExtValue();
    return value % size == 0 ? builder_.index64(value / size) : ValueId();
  }
  if (size == 1)
    return lowerIndex(bytes);
  const Expr *bare = bytes.IgnoreParenImpCasts();
  if (const auto *product = dyn_cast<clang::BinaryOperator>(bare);
      product && product->getOpcode() == clang::BO_Mul) {
    const Expr *sides[] = {product->getLHS(), product->getRHS()};
    for (unsigned i : {0u, 1u}) {
      Expr::EvalResult factor;
      if (!sides[i]->EvaluateAsInt(factor, context_))
        continue;
      uint64_t value = factor.Val.getInt().getZExtValue();
      if (value % size != 0)
        continue;
      ValueId other = lowerIndex(*sides[1 - i]);
      at(bytes.getExprLoc());
      return value == size ? other
                           : builder_.binary(Opcode::Mul, other, builder_.index64(value / size));
    }
    // n * (m * sizeof(T)), (n * sizeof(T)) * m
    for (unsigned i : {0u, 1u}) {
      const auto *inner = dyn_cast<clang::BinaryOperator>(sides[i]->IgnoreParenImpCasts());
      if (!inner || inner->getOpcode() != clang::BO_Mul)
        continue;
      ValueId cells = cellCount(*inner, size);
      if (!cells)
        continue;
      ValueId other = lowerIndex(*sides[1 - i]);
      at(bytes.getExprLoc());
      return builder_.binary(Opcode::Mul, cells, other);
    }
  }
  ValueId total = lowerIndex(bytes);
  at(bytes.getExprLoc());
  ValueId unit = builder_.index64(size);
  ValueId rest = builder_.binary(Opcode::Rem, total, unit);
  builder_.check(builder_.binary(Opcode::Eq, rest, builder_.index64(0)),
                 "the size is a multiple of the cell's size");
  return builder_.binary(Opcode::Div, total, unit);
}

void FunctionLowering::lowerMemoryCopy(const clang::CallExpr &call, bool mayOverlap,
                                       ValueId &result) {
  LValue to = lowerMemoryOperand(*call.getArg(0));
  LValue from = lowerMemoryOperand(*call.getArg(1));
  result = to.pointer;
  const char *what = mayOverlap ? "memmove" : "memcpy";
  if (!context_.hasSameUnqualifiedType(to.type, from.type)) {
    flatten(to);
    flatten(from);
  }
  std::string reason = unsupportedReason(to.type);
  if (to.type->isVoidType() || from.type->isVoidType())
    reason = std::string(what) + " between void pointers";
  else if (reason.empty() && !context_.hasSameUnqualifiedType(to.type, from.type)) {
    auto a = scalarType(to.type), b = scalarType(from.type);
    bool sameWidth = a && b && bitWidth(*a) == bitWidth(*b) && *a != ScalarType::Pointer &&
                     *b != ScalarType::Pointer && *a != ScalarType::Bool && *b != ScalarType::Bool;
    if (!sameWidth)
      reason = std::string(what) + " between '" + from.type.getAsString() + "' and '" +
               to.type.getAsString() + "'";
  }
  if (!reason.empty())
    return unsupported(call.getExprLoc(), reason);
  // Whole arrays are copied as such only if the size says so; else by element.
  if ((to.type->isArrayType() || asStdArray(to.type)) &&
      !sizeIsMultiple(*call.getArg(2), to.type)) {
    flatten(to);
    flatten(from);
  }
  if (to.type->isVariableArrayType()) {
    flatten(to);
    flatten(from);
  }
  ValueId count = cellCount(*call.getArg(2), sizeOf(to.type));
  at(call.getExprLoc());
  if (!count)
    return unsupported(call.getExprLoc(), std::string(what) + " of a part of a cell");
  if (context_.hasSameUnqualifiedType(to.type, from.type) ||
      scalarType(to.type) == scalarType(from.type))
    return builder_.copy(to.pointer, from.pointer, count, memType(to.type), mayOverlap);
  // The same width under another type: element by element, bits unchanged.
  if (mayOverlap)
    return unsupported(call.getExprLoc(), "memmove between different types");
  auto copyCell = [&](LValue target, LValue source) {
    ValueId bits = bitcast(loadFrom(source, call.getExprLoc()), *scalarType(to.type));
    storeTo(target, bits, call.getExprLoc());
  };
  const ir::Scalar *constant = function_.constant(count);
  if (constant && constant->bits == 1)
    return copyCell(to, from); // memcpy(&x, &bits, sizeof x), of variables
  emitCountedLoop(count, [&](ValueId i) {
    copyCell({builder_.index(to.pointer, i, memType(to.type)), to.type},
             {builder_.index(from.pointer, i, memType(from.type)), from.type});
  });
}

bool FunctionLowering::sizeIsMultiple(const Expr &bytes, QualType cell) {
  Expr::EvalResult constant;
  return !cell->isVariableArrayType() && bytes.EvaluateAsInt(constant, context_) &&
         sizeOf(cell) > 0 && constant.Val.getInt().getZExtValue() % sizeOf(cell) == 0;
}

void FunctionLowering::lowerMemoryFill(const clang::CallExpr &call, ValueId &result) {
  LValue to = lowerMemoryOperand(*call.getArg(0));
  result = to.pointer;
  flatten(to);
  ValueId byte = lowerScalar(*call.getArg(1));
  std::string reason =
      to.type->isVoidType() ? "memset of a void pointer" : unsupportedReason(to.type);
  if (!reason.empty())
    return unsupported(call.getExprLoc(), reason);
  ValueId count = cellCount(*call.getArg(2), sizeOf(to.type));
  at(call.getExprLoc());
  if (!count)
    return unsupported(call.getExprLoc(), "memset of a part of a cell");
  builder_.fill(to.pointer, builder_.cast(byte, ScalarType::U8), count, memType(to.type));
}

} // namespace colonnade::frontend
