//===- CxxAssignments.cpp - Variables of branches and loops ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A yield gives all its values at once; C++ assigns them one by one. What a later
// assignment or the condition reads is kept in a constant before it is overwritten.
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/CxxPrinter.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

void CxxPrinter::declareCarried(llvm::ArrayRef<ValueId> args, llvm::ArrayRef<ValueId> inits,
                                llvm::ArrayRef<ValueId> results) {
  for (size_t i = 0; i < args.size(); ++i) {
    llvm::StringRef wanted = function_.value(args[i]).name;
    if (wanted.empty())
      wanted = function_.value(results[i]).name;
    CxxExpr init = convertTo(args[i], inits[i]);
    declare(args[i], wanted);
    shareName(args[i], results[i]);
    out_.line(type(args[i]) + " " + nameOf(args[i]) + " = " + init.text + ";");
  }
}

void CxxPrinter::leaves(ValueId value, std::set<std::string> &names) const {
  if (!plan_.folded(value)) {
    names.insert(valueNames_[value.index]);
    return;
  }
  for (ValueId operand : function_.definition(value)->operands)
    leaves(operand, names);
}

bool CxxPrinter::isName(ValueId value, const std::string &name) const {
  return !plan_.folded(value) && valueNames_[value.index] == name;
}

CxxExpr CxxPrinter::assignAll(llvm::ArrayRef<Assignment> all, ValueId condition) {
  llvm::SmallVector<Assignment> list;
  for (const Assignment &assignment : all)
    if (!isName(assignment.value, nameOf(assignment.target)))
      list.push_back(assignment);
  std::vector<std::string> texts;
  std::set<std::string> assigned; // by the time the next one is evaluated
  auto readsAssigned = [&](ValueId value) {
    std::set<std::string> names;
    leaves(value, names);
    return llvm::any_of(names, [&](const std::string &name) { return assigned.count(name); });
  };
  for (const Assignment &assignment : list) {
    CxxExpr value = convertTo(assignment.target, assignment.value);
    if (readsAssigned(assignment.value)) {
      std::string name = names_.unique("next");
      out_.line("const " + type(assignment.target) + " " + name + " = " + value.text + ";");
      value.text = name;
    }
    assigned.insert(nameOf(assignment.target));
    texts.push_back(nameOf(assignment.target) + " = " + value.text + ";");
  }
  CxxExpr test;
  if (condition) {
    test = use(condition);
    if (readsAssigned(condition)) {
      std::string name = names_.unique("continues");
      out_.line("const " + type(condition) + " " + name + " = " + test.text + ";");
      test = {name, Precedence::Primary};
    }
  }
  for (const std::string &text : texts)
    out_.line(text);
  return test;
}
