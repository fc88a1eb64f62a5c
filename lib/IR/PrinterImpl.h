//===- PrinterImpl.h - Shared state of the IR printer ------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to print(). PrinterDeclarations.cpp writes memory types, function
// headers and arrays; PrinterOperations.cpp writes bodies.
//
// In: one function. Out: its text.
// Invariant: values are numbered in the order of the text, so that the text does not
// depend on the ids a pass happened to use.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_PRINTERIMPL_H
#define COLONNADE_IR_PRINTERIMPL_H

#include "IR/Printer.h"

#include <set>

namespace colonnade::ir {

const char *sharingName(Sharing sharing); // "warp"

class Printer {
public:
  Printer(llvm::raw_ostream &out, const Module &module, PrintOptions options)
      : out_(out), module_(module), options_(options) {}

  void memType(MemTypeId id);
  void function(const Function &function);

private:
  void quoted(llvm::StringRef text);
  void word(llvm::StringRef text); // as it is if it is a word, else quoted
  void loc(LocId id);
  void position(LocId id);
  void sizes(llvm::ArrayRef<SizeExpr> extents);

  void rawParam(const RawParam &param);
  void array(ArrayId id);
  void arrayRef(ArrayId id);
  void launch(const Function &function);
  void body();
  void part(const Part &part);

  void define(ValueId id);   // %name#3, numbering it
  void typedArg(ValueId id); // %name#3 : f32
  void type(ValueId id);     // f32, in kernels also varying f32
  void use(ValueId id);
  void uses(llvm::ArrayRef<ValueId> ids);
  void types(llvm::ArrayRef<ValueId> results);
  void valueName(ValueId id);

  // Deep nesting stops moving right: the text stays linear in the operations.
  void indent() { out_.indent(std::min(indent_, 60u)); }
  void region(RegionId id); // "{ ops }"
  bool hasOwnShape(const Op &op) const;
  void op(OpId id);
  void access(const Op &op);
  void ifOp(const Op &op);
  void unrolling(const Op &op);
  void forOp(const Op &op);
  void loopOp(const Op &op);
  void carried(llvm::ArrayRef<ValueId> args, llvm::ArrayRef<ValueId> inits);
  void callPart(const Op &op);
  void stage(const Op &op);
  void ranges(const char *what, llvm::ArrayRef<CellRange> ranges);
  void arrayRefs(llvm::ArrayRef<ArrayId> ids); // "(@a, @b)"
  void plain(const Op &op);

  llvm::raw_ostream &out_;
  const Module &module_;
  PrintOptions options_;
  const Function *function_ = nullptr;
  std::vector<uint32_t> numbers_; // by value id
  uint32_t nextNumber_ = 0;
  unsigned indent_ = 0;
  std::set<std::string> ambiguous_; // array names that occur twice
};

} // namespace colonnade::ir

#endif // COLONNADE_IR_PRINTERIMPL_H
