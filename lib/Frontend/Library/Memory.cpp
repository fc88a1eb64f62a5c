//===- Memory.cpp - memcpy, memmove, memset, bzero -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes become cells where both sides point to cells of one type, or of two types of one
// width, whose bits are then copied as they are. Else, and where a void pointer leaves the
// type open, the bytes are copied, and Normalize finds the cells.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/MemoryOperands.h"

namespace colonnade::frontend::library {

using clang::QualType;
using ir::ScalarType;

namespace {
/// memcpy(to, from, bytes); its value is `to`.
struct MemoryCopy {
  const LibraryCall &call;
  ir::CopyKind kind;
  LValue to, from;

  bool mayOverlap() const { return kind == ir::BytesAnywhere; }
  std::string name() const { return mayOverlap() ? "memmove" : "memcpy"; }
  bool isOneType() const {
    return call.function.context().hasSameUnqualifiedType(to.type, from.type);
  }
  void flatten() {
    to = flattened(call, to);
    from = flattened(call, from);
  }
  void refuse(std::string what) const { call.function.unsupported(call.loc(), std::move(what)); }
};
} // namespace

/// Numbers whose bits can be those of a number of another type.
static bool isPlainNumber(std::optional<ScalarType> type) {
  return type && *type != ScalarType::Pointer && *type != ScalarType::Bool;
}

static bool areBytes(const MemoryCopy &copy) {
  auto open = [](QualType type) { return type->isVoidType() || isPlainNumber(scalarType(type)); };
  if (!open(copy.to.type) || !open(copy.from.type))
    return false;
  std::optional<ScalarType> to = scalarType(copy.to.type), from = scalarType(copy.from.type);
  return !to || !from || bitWidth(*to) != bitWidth(*from);
}

/// Empty if the cells can be copied, else why not.
static std::string whyNotCopied(const MemoryCopy &copy) {
  std::string reason = unsupportedReason(copy.to.type);
  if (!reason.empty() || copy.isOneType())
    return reason;
  std::optional<ScalarType> to = scalarType(copy.to.type), from = scalarType(copy.from.type);
  if (isPlainNumber(to) && isPlainNumber(from))
    return "";
  return copy.name() + " between '" + copy.from.type.getAsString() + "' and '" +
         copy.to.type.getAsString() + "'";
}

static void copyBytes(const MemoryCopy &copy) {
  const LibraryCall &call = copy.call;
  ValueId count = lowerCellCount(call, call.arg(2), 1);
  call.here();
  call.builder().copy(copy.to.pointer, copy.from.pointer, count,
                      call.function.memType(call.function.context().UnsignedCharTy), copy.kind);
}

/// Under another type of the same width: cell by cell, bits unchanged.
static void copyBits(const MemoryCopy &copy, ValueId count) {
  const LibraryCall &call = copy.call;
  FunctionLowering &function = call.function;
  RawBuilder &builder = call.builder();
  auto copyCell = [&](LValue target, LValue source) {
    ValueId value = function.loadFrom(source, call.loc());
    function.storeTo(target, builder.bitcast(value, *scalarType(target.type)), call.loc());
  };
  const ir::Scalar *constant = builder.function().constant(count);
  if (constant && constant->bits == 1) // memcpy(&x, &bits, sizeof x), of variables
    return copyCell(copy.to, copy.from);
  function.emitCountedLoop(count, [&](ValueId i) {
    LValue target = function.cellOf(copy.to, i);
    copyCell(target, function.cellOf(copy.from, i));
  });
}

static void lowerCopy(MemoryCopy &copy) {
  const LibraryCall &call = copy.call;
  if (!copy.isOneType())
    copy.flatten();
  if (areBytes(copy))
    return copyBytes(copy);
  if (std::string reason = whyNotCopied(copy); !reason.empty())
    return copy.refuse(reason);
  // Whole arrays are copied as such only if the size says so; else by element.
  QualType cell = copy.to.type;
  bool isArray = cell->isArrayType() || asStdArray(cell);
  if (isArray && !isWholeCells(call, call.arg(2), cell))
    copy.flatten();
  ValueId count = lowerCellCount(call, call.arg(2), call.function.sizeOf(copy.to.type));
  call.here();
  if (!count)
    return copy.refuse(copy.name() + " of a part of a cell");
  if (copy.isOneType() || scalarType(copy.to.type) == scalarType(copy.from.type))
    return call.builder().copy(copy.to.pointer, copy.from.pointer, count,
                               call.function.memType(copy.to.type), copy.kind);
  if (copy.mayOverlap())
    return copy.refuse("memmove between different types");
  copyBits(copy, count);
}

static CallResult copyOrMove(const LibraryCall &call, ir::CopyKind kind) {
  LValue to = lowerMemoryOperand(call, 0), from = lowerMemoryOperand(call, 1);
  MemoryCopy copy = {call, kind, to, from};
  lowerCopy(copy);
  return to.pointer;
}

CallResult copyMemory(const LibraryCall &call) { return copyOrMove(call, ir::BytesApart); }
CallResult moveMemory(const LibraryCall &call) { return copyOrMove(call, ir::BytesAnywhere); }

/// Empty if a value can be spread over bytes of this type, else why not.
static std::string whyNotFilled(QualType cell) {
  return cell->isVoidType() ? "memset of a void pointer" : unsupportedReason(cell);
}

/// `bytes`: which argument says how many.
static CallResult fillWith(const LibraryCall &call, LValue to, ValueId byte, unsigned bytes) {
  FunctionLowering &function = call.function;
  LValue cells = flattened(call, to);
  if (std::string reason = whyNotFilled(cells.type); !reason.empty()) {
    function.unsupported(call.loc(), reason);
    return to.pointer;
  }
  ValueId count = lowerCellCount(call, call.arg(bytes), function.sizeOf(cells.type));
  call.here();
  if (!count)
    function.unsupported(call.loc(), "memset of a part of a cell");
  else
    function.fillCells(cells, call.builder().cast(byte, ScalarType::U8), count);
  return to.pointer;
}

CallResult fillMemory(const LibraryCall &call) {
  LValue to = lowerMemoryOperand(call, 0);
  return fillWith(call, to, call.value(1), 2);
}

/// bzero(to, bytes) has no value.
CallResult zeroMemory(const LibraryCall &call) {
  LValue to = lowerMemoryOperand(call, 0);
  fillWith(call, to, call.builder().zero(ScalarType::S32), 1);
  return ValueId();
}

} // namespace colonnade::frontend::library
