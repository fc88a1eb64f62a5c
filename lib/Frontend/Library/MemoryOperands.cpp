//===- MemoryOperands.cpp - Bytes in memory as cells ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/MemoryOperands.h"

#include "Frontend/Lowering/Wrappers.h"
#include "Frontend/Types/ConstantContext.h"

namespace colonnade::frontend::library {

using clang::Expr;
using clang::QualType;
using ir::Opcode;
using llvm::dyn_cast;

LValue lowerMemoryOperand(const LibraryCall &call, unsigned i) {
  const Expr *bare = &unwrapped(call.arg(i));
  while (const auto *conversion = dyn_cast<clang::CastExpr>(bare)) {
    bool plain = conversion->getCastKind() == clang::CK_BitCast ||
                 conversion->getCastKind() == clang::CK_NoOp;
    QualType from = conversion->getSubExpr()->getType();
    if (!plain || !from->isPointerType() || from->isVoidPointerType())
      break;
    bare = &unwrapped(*conversion->getSubExpr());
  }
  ValueId pointer = call.function.lowerScalar(*bare);
  call.function.at(call.arg(i).getExprLoc());
  return {pointer, bare->getType()->getPointeeType().getUnqualifiedType()};
}

LValue flattened(const LibraryCall &call, LValue cells) {
  while (cells.type->isArrayType() || asStdArray(cells.type)) {
    cells.pointer = call.function.decay(cells.pointer, cells.type);
    cells.type = elementType(cells.type).getUnqualifiedType();
  }
  return cells;
}

static std::optional<uint64_t> constantOf(const LibraryCall &call, const Expr &expr) {
  Expr::EvalResult value;
  if (expr.isValueDependent() || dependsOnCompiler(expr, call.callee.getASTContext()) ||
      !expr.EvaluateAsInt(value, call.callee.getASTContext()))
    return std::nullopt;
  return value.Val.getInt().getZExtValue();
}

/// The calls of constexpr functions in it.
static void lowerConstantsCalls(const LibraryCall &call, const Expr &constant) {
  if (constant.HasSideEffects(call.callee.getASTContext())) // as Clang reads it
    call.function.lowerDiscarded(constant);
}

static const clang::BinaryOperator *asProduct(const Expr &expr) {
  const auto *binary = dyn_cast<clang::BinaryOperator>(&spelled(expr));
  return binary && binary->getOpcode() == clang::BO_Mul ? binary : nullptr;
}

/// In 32 bits n * 4u wraps: its bytes are not n cells for every n.
static bool mayWrap(const LibraryCall &call, const clang::BinaryOperator &product) {
  QualType type = product.getType();
  return type->isUnsignedIntegerType() && call.callee.getASTContext().getTypeSize(type) < 64;
}

/// n * sizeof(T) is n cells, n * (m * sizeof(T)) is n * m; invalid for other products.
static ValueId lowerProductCount(const LibraryCall &call, const clang::BinaryOperator &product,
                                 const Expr &bytes, uint64_t size) {
  if (mayWrap(call, product))
    return {};
  RawBuilder &builder = call.builder();
  const Expr *sides[] = {product.getLHS(), product.getRHS()};
  for (unsigned i : {0u, 1u}) {
    std::optional<uint64_t> factor = constantOf(call, *sides[i]);
    if (!factor || *factor % size != 0)
      continue;
    if (i == 0)
      lowerConstantsCalls(call, *sides[i]);
    ValueId other = call.function.lowerIndex(*sides[1 - i]);
    if (i == 1)
      lowerConstantsCalls(call, *sides[i]);
    call.function.at(bytes.getExprLoc());
    return *factor == size ? other
                           : builder.binary(Opcode::Mul, other, builder.index64(*factor / size));
  }
  for (unsigned i : {0u, 1u}) {
    const clang::BinaryOperator *inner = asProduct(*sides[i]);
    ValueId cells = inner ? lowerProductCount(call, *inner, bytes, size) : ValueId();
    if (!cells)
      continue;
    ValueId other = call.function.lowerIndex(*sides[1 - i]);
    call.function.at(bytes.getExprLoc());
    return builder.binary(Opcode::Mul, cells, other);
  }
  return {};
}

ValueId lowerCellCount(const LibraryCall &call, const Expr &bytes, uint64_t size) {
  RawBuilder &builder = call.builder();
  if (std::optional<uint64_t> constant = constantOf(call, bytes)) {
    lowerConstantsCalls(call, bytes);
    return *constant % size == 0 ? builder.index64(*constant / size) : ValueId();
  }
  if (size == 1)
    return call.function.lowerIndex(bytes);
  if (const clang::BinaryOperator *product = asProduct(bytes))
    if (ValueId count = lowerProductCount(call, *product, bytes, size))
      return count;
  ValueId total = call.function.lowerIndex(bytes);
  call.function.at(bytes.getExprLoc());
  ValueId unit = builder.index64(size);
  ValueId rest = builder.binary(Opcode::Rem, total, unit);
  builder.check(builder.binary(Opcode::Eq, rest, builder.index64(0)),
                "the size is a multiple of the cell's size");
  return builder.binary(Opcode::Div, total, unit);
}

bool isWholeCells(const LibraryCall &call, const Expr &bytes, QualType cell) {
  if (cell->isVariableArrayType())
    return false;
  std::optional<uint64_t> constant = constantOf(call, bytes);
  uint64_t size = call.function.sizeOf(cell);
  return constant && size > 0 && *constant % size == 0;
}

} // namespace colonnade::frontend::library
