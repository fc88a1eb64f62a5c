//===- InterfaceText.cpp - Scalars and sizes in generated C++ -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/InterfaceText.h"

#include "Emit/Cxx/ExtentText.h"

using namespace colonnade;
using namespace colonnade::ir;

std::string colonnade::scalarFromBits(const Function &function, const Interface &interface,
                                      size_t index, llvm::StringRef bits) {
  const char *type = cxxName(function.value(interface.scalars[index].value).type);
  return std::string("from_bits<") + type + ">(" + bits.str() + "[" + std::to_string(index) + "])";
}

void colonnade::declareScalars(const Function &function, const Interface &interface,
                               CxxPrinter &printer, CxxWriter &out) {
  for (size_t s = 0; s < interface.scalars.size(); ++s) {
    const InterfaceScalar &scalar = interface.scalars[s];
    out.line(std::string("[[maybe_unused]] const ") + cxxName(function.value(scalar.value).type) +
             " " + printer.declare(scalar.value, scalar.name) + " = " +
             scalarFromBits(function, interface, s, "scalars") + ";");
  }
}

static std::string extentOver(const Function &function, const SizeExpr &extent,
                              const CxxPrinter &printer) {
  const auto scalar = [&](const std::string &name) -> CxxExpr {
    for (const ScalarParam &scalar : function.scalars)
      if (scalar.name == name)
        return {"static_cast<int64_t>(" + printer.nameOf(scalar.value) + ")", Precedence::Primary};
    return {"0", Precedence::Primary};
  };
  return sizeExpr(extent,
                  {[](int64_t value) { return "int64_t{" + std::to_string(value) + "}"; }, scalar,
                   "std::max<int64_t>", "std::min<int64_t>", CxxExpr{"-1", Precedence::Unary}})
      .text;
}

std::optional<std::string> colonnade::cellProduct(const Function &function, const Array &array,
                                                  const CxxPrinter &printer) {
  std::string text;
  for (const SizeExpr &extent : array.extents) {
    if (!isComputable(function, extent))
      return std::nullopt;
    text += (text.empty() ? "" : " * ") + std::string("static_cast<uint64_t>(") +
            extentOver(function, extent, printer) + ")";
  }
  return text.empty() ? "1" : text;
}
