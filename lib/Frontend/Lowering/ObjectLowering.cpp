//===- ObjectLowering.cpp - Objects in memory: parts, reads, writes --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Given an address: the addresses of fields, bases and elements; loads and stores of
// scalars, copies and zeros of whole objects. Knows no expression.
//
// Invariant: what is outside the subset is reported here, once for each access; a
// load of it gives an undefined value of the right type, so that the rest goes on.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

namespace colonnade::frontend {

using clang::Expr;
using clang::QualType;
using ir::ScalarType;
using llvm::dyn_cast;

/// Reports what cannot be read or written; false if so.
bool FunctionLowering::checkAccess(QualType type, clang::SourceLocation loc) {
  std::string reason = type.isVolatileQualified()
                           ? "volatile access (leave out what only wipes memory)"
                           : unsupportedReason(type);
  if (reason.empty() && !scalarType(type))
    reason = "access of this type";
  if (!reason.empty())
    unsupported(loc, reason);
  return reason.empty();
}

ValueId FunctionLowering::loadFrom(LValue lvalue, clang::SourceLocation loc, llvm::StringRef name) {
  std::optional<ScalarType> scalar = scalarType(lvalue.type);
  if (!checkAccess(lvalue.type, loc))
    return builder_.undef(scalar.value_or(ScalarType::S32));
  at(loc);
  return builder_.load(lvalue.pointer, memType(lvalue.type), *scalar, name);
}

ValueId FunctionLowering::storeTo(LValue lvalue, ValueId value, clang::SourceLocation loc) {
  if (!checkAccess(lvalue.type, loc))
    return value;
  at(loc);
  if (builder_.typeOf(value) != *scalarType(lvalue.type))
    value = builder_.undef(*scalarType(lvalue.type));
  if (lvalue.bitField)
    value = cutToWidth(value, *lvalue.bitField);
  builder_.store(lvalue.pointer, value, memType(lvalue.type));
  return value;
}

/// The low bits, with the sign that the highest of them says. So the cell always holds what a
/// read gives.
ValueId FunctionLowering::cutToWidth(ValueId value, const clang::FieldDecl &bitField) {
  ScalarType type = builder_.typeOf(value);
  const unsigned width = bitField.getBitWidthValue(context_);
  if (type == ScalarType::Bool || width >= bitWidth(type))
    return value;
  const unsigned bits = std::max(bitWidth(type), 32u);
  ScalarType wide = ir::integerType(bits / 8, /*isSigned=*/false);
  value = builder_.cast(value, wide);
  if (!isSigned(type)) {
    ValueId mask = builder_.constant({wide, (uint64_t(1) << width) - 1});
    return builder_.cast(builder_.binary(ir::Opcode::And, value, mask), type);
  }
  ValueId unused = builder_.constantInt(ScalarType::S32, bits - width);
  value = builder_.binary(ir::Opcode::Shl, value, unused);
  value = builder_.cast(value, ir::integerType(bits / 8, /*isSigned=*/true));
  return builder_.cast(builder_.binary(ir::Opcode::Shr, value, unused), type);
}

/// Elements of an array type, at run time.
ValueId FunctionLowering::radixOf(QualType type) {
  if (std::optional<StdArray> stdArray = asStdArray(type))
    return builder_.index64(stdArray->count);
  const auto *array = type->getAsArrayTypeUnsafe();
  if (const auto *constant = dyn_cast<clang::ConstantArrayType>(array))
    return builder_.index64(constant->getSize().getZExtValue());
  if (const auto *variable = dyn_cast<clang::VariableArrayType>(array))
    if (const Expr *size = variable->getSizeExpr()) {
      auto it = variableExtents_.find(size);
      if (it != variableExtents_.end())
        return it->second;
      unsupported(size->getExprLoc(), "variable-length array that is declared elsewhere");
    }
  return builder_.index64(0); // T[]: never a row of something else
}

ValueId FunctionLowering::decay(ValueId pointer, QualType arrayType) {
  ValueId radix = radixOf(arrayType);
  return builder_.decay(pointer, radix, memType(arrayType));
}

/// The field itself, or what it refers to if it is a reference.
LValue FunctionLowering::fieldOf(ValueId record, const clang::FieldDecl &field,
                                 clang::SourceLocation loc) {
  at(loc);
  QualType type = field.getType();
  QualType owner = context_.getRecordType(field.getParent());
  if (field.isBitField())
    if (std::string reason = bitFieldProblem(field); !reason.empty())
      return {unsupported(loc, reason, context_.VoidPtrTy), type};
  if (std::string reason = unsupportedReason(owner); !reason.empty())
    return {unsupported(loc, reason, context_.VoidPtrTy), type.getNonReferenceType()};
  if ((asStdArray(owner) && type->isArrayType()) || field.getParent()->isUnion())
    return {record, type}; // the array that std::array is; the cell that a union is
  ValueId slot = builder_.field(record, memType(owner), fieldIndex(field), fieldName(field));
  if (field.isBitField())
    return {builder_.field(slot, types_.bitField(type), TypeLowering::BitFieldCell, ""), type,
            &field};
  if (!type->isReferenceType())
    return {slot, type};
  return {builder_.load(slot, memType(type), ScalarType::Pointer, fieldName(field)),
          type.getNonReferenceType()};
}

LValue FunctionLowering::makeTemporary(QualType type, llvm::StringRef name) {
  return {builder_.object(memType(type), name), type};
}

LValue FunctionLowering::baseOf(ValueId record, const clang::CXXRecordDecl &derived,
                                unsigned index) {
  QualType base = std::next(derived.bases_begin(), index)->getType();
  if (std::string reason = unsupportedReason(context_.getRecordType(&derived)); !reason.empty())
    return {unsupported(derived.getLocation(), reason, context_.VoidPtrTy), base};
  MemTypeId type = memType(context_.getRecordType(&derived));
  return {builder_.field(record, type, index, base->getAsCXXRecordDecl()->getName()), base};
}

LValue FunctionLowering::elementOf(LValue array, uint64_t index) {
  ValueId first = decay(array.pointer, array.type);
  return cellOf({first, elementType(array.type)}, builder_.index64(index));
}

/// All elements of size 0 are at one address, whatever their number.
ValueId FunctionLowering::stepped(ValueId pointer, ValueId index, QualType pointee) {
  if (hasNoSize(pointee))
    builder_.unsupported(unsupportedReason(pointee), std::nullopt);
  return builder_.index(pointer, index, memType(pointee));
}

LValue FunctionLowering::cellOf(LValue first, ValueId index) {
  return {stepped(first.pointer, index, first.type), first.type};
}

void FunctionLowering::fillCells(LValue first, ValueId byte, ValueId count) {
  builder_.fill(first.pointer, byte, count, memType(first.type));
}

void FunctionLowering::copyObject(LValue target, ValueId source) {
  ValueId one = builder_.index64(1);
  builder_.copy(target.pointer, source, one, memType(target.type), ir::AssignedObject);
}

/// All scalars zero, pointers null, as for static storage.
void FunctionLowering::zeroFill(LValue target) {
  if (scalarType(target.type)) {
    ValueId zero = lowerZero(target.type);
    return builder_.store(target.pointer, zero, memType(target.type));
  }
  const clang::RecordDecl *record =
      asStdArray(target.type) ? nullptr : target.type->getAsRecordDecl();
  if (!record)
    return zeroFillArray(target);
  if (!unsupportedReason(target.type).empty())
    return;
  if (std::optional<QualType> cell = cellOfUnion(target.type))
    return zeroFill({target.pointer, *cell});
  const auto *cxx = dyn_cast<clang::CXXRecordDecl>(record);
  for (unsigned i = 0; cxx && i < cxx->getNumBases(); ++i)
    zeroFill(baseOf(target.pointer, *cxx, i));
  for (const clang::FieldDecl *field : record->fields())
    if (hasCell(*field))
      zeroFill(fieldOf(target.pointer, *field, field->getLocation()));
}

/// Cells of numbers at once, others one by one.
void FunctionLowering::zeroFillArray(LValue target) {
  QualType cell = target.type;
  ValueId pointer = target.pointer, count = builder_.index64(1);
  while (cell->isArrayType() || asStdArray(cell)) {
    ValueId radix = radixOf(cell);
    pointer = builder_.decay(pointer, radix, memType(cell));
    count = builder_.binary(ir::Opcode::Mul, count, radix);
    cell = elementType(cell);
  }
  if (scalarType(cell) && scalarType(cell) != ScalarType::Pointer)
    return fillCells({pointer, cell}, builder_.zero(ScalarType::U8), count);
  emitCountedLoop(count, [&](ValueId i) { zeroFill(cellOf({pointer, cell}, i)); });
}

} // namespace colonnade::frontend
