//===- Interface.cpp - What a bulk function looks like to its callers -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/Interface.h"

#include "Emit/Cxx/ExtentText.h"
#include "IR/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

static Direction directionOf(const Array &array) {
  if (!array.writes)
    return Direction::In;
  return array.reads ? Direction::InOut : Direction::Out;
}

size_t Interface::index(ArrayId array) const {
  return llvm::find_if(arrays, [&](const InterfaceArray &a) { return a.array == array; }) -
         arrays.begin();
}

Interface colonnade::interfaceOf(const Function &function) {
  Interface result;
  CxxNames names; // members of one struct
  for (size_t i = 0; i < function.arrays.size(); ++i) {
    const Array &array = function.arrays[i];
    if (!array.isPassed())
      continue;
    InterfaceArray passed;
    passed.array = ArrayId(i);
    passed.name = names.unique(array.role == ArrayRole::Return ? "returned" : array.name, "cells");
    passed.direction = directionOf(array);
    passed.uniform = array.sharing == Sharing::Uniform;
    result.arrays.push_back(passed);
  }
  for (const ScalarParam &scalar : function.scalars)
    result.scalars.push_back({scalar.value, names.unique(scalar.name, "scalar")});
  for (InterfaceArray &passed : result.arrays)
    if (!llvm::all_of(function.array(passed.array).extents,
                      [&](const SizeExpr &extent) { return isComputable(function, extent); }))
      passed.cellsName = names.unique(passed.name + "_cells");
  return result;
}

std::optional<FixedValues> colonnade::fixedValues(const Function &function, ValueId scalar,
                                                  const SizeRanges &sizes) {
  for (const ScalarParam &param : function.scalars) {
    const auto size = sizes.find(param.name);
    if (param.value != scalar || size == sizes.end())
      continue;
    const std::optional<Scalar> first = exactInt(function.value(scalar).type, size->second.least);
    if (first)
      return FixedValues{*first, size->second.values() - 1};
  }
  return std::nullopt;
}

std::optional<Scalar> colonnade::fixedValue(const Function &function, ValueId scalar,
                                            const SizeRanges &sizes) {
  const std::optional<FixedValues> fixed = fixedValues(function, scalar, sizes);
  return fixed && fixed->more == 0 ? std::optional(fixed->first) : std::nullopt;
}
