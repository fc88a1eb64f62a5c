//===- StdArrays.cpp - Members of std::array, std::get --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// std::array<T, N> is the array type T[N] itself in the IR, so that its members have
// no body to lower. Elements are given as their address.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/LibraryCall.h"
#include "Frontend/Lowering/Wrappers.h"

namespace colonnade::frontend::library {

using clang::Expr;
using clang::QualType;
using ir::Opcode;
using ir::ScalarType;

namespace {
/// The array of a call: a.at(i), p->at(i), a[i] or std::get<0>(a).
struct ArrayObject {
  const LibraryCall &call;
  const Expr *object = nullptr;
  bool isArrow = false;
  frontend::StdArray array = {};

  QualType type() const {
    return isArrow ? object->getType()->getPointeeType() : object->getType();
  }
  ValueId place() const { return call.function.lowerObjectArgument(*object, isArrow); }
  /// The address of the first element.
  ValueId first() const {
    ValueId whole = place();
    call.here();
    return call.function.decay(whole, type());
  }
  ValueId element(ValueId first, ValueId index) const {
    call.here();
    return call.function.cellOf({first, array.element}, index).pointer;
  }
};
} // namespace

static std::optional<ArrayObject> arrayOf(const LibraryCall &call) {
  ArrayObject found = {call};
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call.expr)) {
    const auto *access = llvm::dyn_cast<clang::MemberExpr>(&unwrapped(*member->getCallee()));
    if (!access)
      return std::nullopt;
    found.object = access->getBase();
    found.isArrow = access->isArrow();
  } else {
    found.object = &call.arg(0);
  }
  std::optional<frontend::StdArray> array = asStdArray(found.type());
  if (!array)
    return std::nullopt;
  found.array = *array;
  return found;
}

CallResult arraySize(const LibraryCall &call) {
  std::optional<ArrayObject> array = arrayOf(call);
  if (!array)
    return std::nullopt;
  call.function.lowerDiscarded(*array->object);
  return call.builder().constantInt(*call.type(), array->array.count);
}

CallResult arrayIsEmpty(const LibraryCall &call) {
  std::optional<ArrayObject> array = arrayOf(call);
  if (!array)
    return std::nullopt;
  call.function.lowerDiscarded(*array->object);
  return call.builder().constantInt(*call.type(), array->array.count == 0);
}

CallResult arrayFirst(const LibraryCall &call) {
  std::optional<ArrayObject> array = arrayOf(call);
  if (!array)
    return std::nullopt;
  return array->first();
}

/// The element at a position known here, counted before the array is looked at.
static CallResult elementAt(const LibraryCall &call, llvm::function_ref<int64_t(uint64_t)> where) {
  std::optional<ArrayObject> array = arrayOf(call);
  if (!array)
    return std::nullopt;
  ValueId index = call.builder().index64(where(array->array.count));
  return array->element(array->first(), index);
}

CallResult arrayEnd(const LibraryCall &call) {
  return elementAt(call, [](uint64_t count) { return int64_t(count); });
}

CallResult arrayLast(const LibraryCall &call) {
  return elementAt(call, [](uint64_t count) { return int64_t(count) - 1; });
}

CallResult arrayGet(const LibraryCall &call) {
  const auto *arguments = call.callee.getTemplateSpecializationArgs();
  std::optional<ArrayObject> array = arrayOf(call);
  if (!array || !arguments || arguments->size() == 0 ||
      arguments->get(0).getKind() != clang::TemplateArgument::Integral)
    return std::nullopt;
  ValueId first = array->first();
  ValueId index = call.builder().index64(arguments->get(0).getAsIntegral().getExtValue());
  return array->element(first, index);
}

CallResult arrayElement(const LibraryCall &call) {
  std::optional<ArrayObject> array = arrayOf(call);
  if (!array || !llvm::isa<clang::CXXOperatorCallExpr>(call.expr))
    return std::nullopt;
  ValueId first = array->first();
  return array->element(first, call.function.lowerIndex(call.arg(1)));
}

CallResult arrayCheckedElement(const LibraryCall &call) {
  std::optional<ArrayObject> array = arrayOf(call);
  if (!array)
    return std::nullopt;
  RawBuilder &builder = call.builder();
  ValueId first = array->first(), index = call.function.lowerIndex(call.arg(0));
  call.here();
  ValueId position = builder.cast(index, ScalarType::U64);
  ValueId count = builder.constantInt(ScalarType::U64, array->array.count);
  builder.check(builder.binary(Opcode::Lt, position, count),
                "the index of std::array::at is in range");
  return array->element(first, index);
}

} // namespace colonnade::frontend::library
