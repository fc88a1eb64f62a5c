//===- Objects.cpp - std::move, std::swap, std::bit_cast -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that hand a reference on, exchange two objects or look at the bits of one.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/LibraryCall.h"

namespace colonnade::frontend::library {

using clang::QualType;
using ir::ScalarType;

CallResult placeOfArgument(const LibraryCall &call) {
  return call.function.lowerLValue(call.arg(0)).pointer;
}

/// The generic std::swap of a type moves it; here that has to be a copy of its bytes.
static bool isSwappedByCopy(QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  return !type->isArrayType() && (!record || record->isTriviallyCopyable());
}

/// template <class T> void swap(T &, T &); an overload for a type is what its body does.
static bool isGeneric(const clang::FunctionDecl &swap) {
  const clang::FunctionTemplateDecl *pattern = swap.getPrimaryTemplate();
  if (!pattern || pattern->getTemplatedDecl()->getNumParams() == 0)
    return false;
  QualType first = pattern->getTemplatedDecl()->getParamDecl(0)->getType();
  return first->isReferenceType() && first->getPointeeType()->isTemplateTypeParmType();
}

CallResult swapObjects(const LibraryCall &call) {
  FunctionLowering &function = call.function;
  QualType type = call.arg(0).getType();
  if (!isGeneric(call.callee) || !isSwappedByCopy(type))
    return std::nullopt;
  LValue a = function.lowerLValue(call.arg(0)), b = function.lowerLValue(call.arg(1));
  call.here();
  if (isAggregate(type)) {
    function.swapObjects(a, b, type);
    return ValueId();
  }
  ValueId kept = function.loadFrom(a, call.loc(), function.valueNameOf(call.arg(0)));
  ValueId other = function.loadFrom(b, call.loc(), function.valueNameOf(call.arg(1)));
  function.storeTo(a, other, call.loc());
  function.storeTo(b, kept, call.loc());
  return ValueId();
}

CallResult castBits(const LibraryCall &call) {
  std::optional<ScalarType> source = call.typeOf(0), target = call.type();
  if (!source || !target || *source == ScalarType::Pointer || *target == ScalarType::Pointer ||
      bitWidth(*source) != bitWidth(*target))
    return std::nullopt;
  ValueId value = call.value(0);
  call.here();
  return *source == *target ? value : call.builder().bitcast(value, *target);
}

} // namespace colonnade::frontend::library
