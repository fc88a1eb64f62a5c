//===- ExtentText.cpp - Extents in generated C++ -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/ExtentText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

/// A scalar as a checked_extent: "n" becomes "extent_n", "s.n" "extent_s_n".
static std::string extentVariable(llvm::StringRef scalar) {
  std::string text = "extent_";
  for (char c : scalar)
    text += llvm::isAlnum(c) || c == '_' ? c : '_';
  return text;
}

CxxExpr colonnade::checkedExtent(const SizeExpr &size) {
  return sizeExpr(
      size,
      {[](int64_t value) { return "checked_extent(" + std::to_string(value) + ")"; },
       [](const std::string &name) { return CxxExpr{extentVariable(name), Precedence::Primary}; },
       "max", "min", CxxExpr{"checked_extent(-1)", Precedence::Primary}});
}

void colonnade::declareExtentVariables(const Function &function, llvm::ArrayRef<SizeExpr> extents,
                                       CxxWriter &out) {
  std::set<std::string> names;
  for (const SizeExpr &extent : extents)
    if (isComputable(function, extent))
      for (const std::string &name : extent.names())
        names.insert(name);
  for (size_t i = 0; i < function.scalars.size(); ++i) {
    const ScalarParam &scalar = function.scalars[i];
    if (names.count(scalar.name))
      out.line("const checked_extent " + extentVariable(scalar.name) + "(from_bits<" +
               cxxName(function.value(scalar.value).type) + ">(scalars[" + std::to_string(i) +
               "]));");
  }
}

bool colonnade::isComputable(const Function &function, const SizeExpr &extent) {
  return extent.known() && llvm::all_of(extent.names(), [&](const std::string &name) {
           return llvm::any_of(function.scalars,
                               [&](const ScalarParam &scalar) { return scalar.name == name; });
         });
}
