//===- Parser.h - Textual IR to functions -----------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to parseModule (Printer.h). ParserDeclarations.cpp reads memory types,
// function headers and arrays; ParserOperations.cpp reads bodies.
//
// In: the text of a module. Out: the module, or the first error with its line. A
// value is known by its number (`%i#7`, `%7`) or, in text written by hand, by its
// name alone (`%i`).
// Invariant: any text ends in a module or an error; what was read is not verified
// but for names, which are defined before they are used.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_IR_PARSER_H
#define COLONNADE_IR_PARSER_H

#include "IR/Builder.h"
#include "IR/Lexer.h"

#include "llvm/ADT/StringMap.h"

namespace colonnade::ir {

/// `%name#7` has key "#7", `%7` too; `%name` has key "name".
struct ValueName {
  std::string key;
  std::string name;
};

/// The body of one function.
class BodyParser {
public:
  BodyParser(Lexer &lexer, Module &module, Function &function,
             const llvm::StringMap<ArrayId> &arrays)
      : lexer_(lexer), module_(module), f_(function), arrays_(arrays), builder_(function) {}

  /// Behind the word "body".
  void run();
  /// Behind the word "part".
  void runPart();

  /// Calls by name alone, resolved when all functions are read.
  struct NamedCall {
    OpId op;
    std::string callee;
    size_t position;
  };
  std::vector<NamedCall> namedCalls;

private:
  using Operands = llvm::SmallVector<ValueId, 4>;
  struct ValueType {
    ScalarType type = ScalarType::S32;
    bool varying = false;
  };
  struct Definition { // of a result or argument
    ValueName name;
    ValueType type;
    size_t position = 0;
  };

  ValueName valueName();
  Definition definition(); // %x : f32
  void define(const Definition &definition, ValueId id);
  void addArg(RegionId region, const Definition &definition);
  ValueId use();
  Operands uses();
  ArrayId arrayRef();
  llvm::SmallVector<ArrayId, 4> arrayRefs(); // (@a, @b)
  ValueType type();                          // f32, in kernels also varying f32
  llvm::SmallVector<ValueType, 2> types();

  void region(RegionId id);
  void op();
  llvm::SmallVector<Definition, 2> namesBefore();
  void operands(Op &op);
  void typesAfter(const Op &op, size_t start, llvm::MutableArrayRef<Definition> results);
  void constant(Op &op);
  void access(Op &op);
  void ifOp(Op &op);
  void unrolling(Op &op);
  void forOp(Op &op);
  void loopOp(Op &op);
  void plain(Op &op);
  void callee(Op &op);
  void callPart(Op &op);
  void stage(Op &op);
  void barrier(Op &op);
  /// (%a : s32 = %x, …): arguments of `region`; inits are appended to `inits`
  /// if it is not null.
  void carried(RegionId region, Operands *inits);
  void finish(Op op, llvm::ArrayRef<Definition> results);

  // Deeper text is refused, so that input cannot exhaust the stack.
  static constexpr unsigned MaxDepth = 1000;

  Lexer &lexer_;
  Module &module_;
  Function &f_;
  const llvm::StringMap<ArrayId> &arrays_;
  Builder builder_;
  llvm::StringMap<ValueId> values_;
  std::optional<NamedCall> pendingCall_;
  unsigned depth_ = 0;
};

ScalarType parseType(Lexer &lexer);
/// ` loc("f.cpp":3:4 at "g.cpp":5:6)`, if it comes next.
std::vector<CellRange> parseRanges(Lexer &lexer);
LocId parseLoc(Lexer &lexer, SourceMap &sources);

} // namespace colonnade::ir

#endif // COLONNADE_IR_PARSER_H
