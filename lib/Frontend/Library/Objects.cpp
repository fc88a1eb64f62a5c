//===- Objects.cpp - std::move, std::bit_cast -------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that hand a reference on, or look at the bits of an object.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Library/Handlers.h"
#include "Frontend/Library/LibraryCall.h"

namespace colonnade::frontend::library {

using ir::ScalarType;

CallResult placeOfArgument(const LibraryCall &call) {
  return call.function.lowerLValue(call.arg(0)).pointer;
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
