//===- CxxParts.cpp - Parts of a kernel as C++ functions ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters: what the back end needs, arrays, scalars, and a reference for each result.
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/CxxPrinter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

void CxxPrinter::printParts() {
  for (const Part &part : function_.parts)
    partNames_.push_back(names_.unique(part.name, "part"));
  for (size_t p = 0; p < function_.parts.size(); ++p) {
    const CxxNames outside = names_;
    printPart(PartId(p));
    names_ = outside;
  }
}

void CxxPrinter::printPart(PartId id) {
  const Part &part = function_.part(id);
  std::vector<std::string> parameters = contextParameters(id);
  for (ArrayId array : part.arrays)
    parameters.push_back("[[maybe_unused]] " + arrayParameter(array));
  for (ValueId argument : function_.region(part.body).args) {
    const std::string name = declare(argument, function_.value(argument).name);
    parameters.push_back("[[maybe_unused]] " + parameterType(argument) + name);
  }
  llvm::ArrayRef<ValueId> yielded = function_.terminator(part.body).operands;
  std::vector<std::string> results;
  for (ValueId value : yielded) {
    results.push_back(names_.unique("result"));
    parameters.push_back(type(value) + " &" + results.back());
  }
  openPart(id, nameOf(id) + "(" + llvm::join(parameters, ", ") + ")");
  printRegion(part.body);
  for (auto [name, value] : llvm::zip(results, yielded))
    out_.line(name + " = " + use(value, true).text + ";");
  out_.close();
  out_.blank();
}

void CxxPrinter::printCallPart(const Op &op) {
  const Part &part = function_.part(op.part);
  for (ValueId result : op.results) {
    declare(result, function_.value(result).name);
    out_.line(type(result) + " " + nameOf(result) + ";", op.loc);
  }
  std::vector<std::string> arguments = contextArguments(op.part);
  for (ArrayId array : op.arrays)
    arguments.push_back(arrayArgument(array));
  for (auto [target, value] : llvm::zip(function_.region(part.body).args, op.operands))
    arguments.push_back(convertTo(target, value).text);
  for (ValueId result : op.results)
    arguments.push_back(nameOf(result));
  out_.line(nameOf(op.part) + templateArguments(op.part) + "(" + llvm::join(arguments, ", ") + ");",
            op.loc);
}
