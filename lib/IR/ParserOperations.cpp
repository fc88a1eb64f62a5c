//===- ParserOperations.cpp - Textual IR: the syntax of each operation ---===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Evaluate.h"
#include "IR/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace colonnade::ir {

static const llvm::StringMap<MathFn> &mathFunctions() {
  static const llvm::StringMap<MathFn> Map = {
#define COLONNADE_MATH(Name, name, arity, exact) {name, MathFn::Name},
#include "IR/MathFunctions.def"
  };
  return Map;
}

void BodyParser::constant(Op &op) {
  size_t start = lexer_.position();
  llvm::StringRef text = lexer_.scalar();
  lexer_.expect(":");
  ScalarType type = parseType(lexer_);
  if (auto scalar = parseScalar(type, text))
    op.scalar = *scalar;
  else
    lexer_.failAt(start, llvm::Twine("expected a constant of type ") + name(type));
}

void BodyParser::access(Op &op) {
  op.array = arrayRef();
  lexer_.expect("[");
  size_t start = lexer_.position();
  Operands subscripts = uses(), radices;
  if (lexer_.eat(";"))
    radices = uses();
  if (subscripts.size() != radices.size() + 1)
    return lexer_.failAt(start, "k+1 subscripts need k radices");
  lexer_.expect("]");
  Operands stored;
  if (op.opcode == Opcode::Store) {
    lexer_.expect(",");
    stored.push_back(use());
  }
  if (lexer_.eatWord("mask")) {
    op.masked = true;
    op.operands.push_back(use());
  }
  for (const Operands &list : {subscripts, radices, stored})
    op.operands.append(list.begin(), list.end());
  op.guarded = lexer_.eatWord("guarded");
  if (lexer_.eatWord("access"))
    op.accessId = static_cast<uint32_t>(lexer_.number(UINT32_MAX - 1));
}

void BodyParser::ifOp(Op &op) {
  op.operands = {use()};
  op.choosesAddress = lexer_.eatWord("address");
  op.regions = {builder_.createRegion(), builder_.createRegion()};
  region(op.regions[0]);
  lexer_.expectWord("else");
  region(op.regions[1]);
}

void BodyParser::unrolling(Op &op) {
  if (!lexer_.eatWord("unroll"))
    return;
  if (lexer_.eatWord("fully"))
    op.unrolling.kind = Unrolling::Kind::Fully;
  else
    op.unrolling = {Unrolling::Kind::Times, static_cast<uint8_t>(lexer_.number(UINT8_MAX))};
}

void BodyParser::forOp(Op &op) {
  static constexpr const char *Predicates[] = {"lt", "le", "gt", "ge", "ne"};
  RegionId body = builder_.createRegion();
  op.regions = {body};
  addArg(body, definition());
  lexer_.expect("=");
  op.operands.push_back(use());
  bool found = false;
  for (uint8_t i = 0; i < std::size(Predicates) && !found; ++i) {
    found = lexer_.eatWord(Predicates[i]);
    op.predicate = static_cast<Predicate>(found ? i : 0);
  }
  if (!found)
    return lexer_.fail("expected 'lt', 'le', 'gt', 'ge' or 'ne'");
  op.operands.push_back(use());
  lexer_.expectWord("step");
  op.operands.push_back(use());
  op.hasContinueFlag = lexer_.eatWord("continue");
  op.postTest = lexer_.eatWord("posttest");
  op.dataEnds = lexer_.eatWord("data") && lexer_.eatWord("ends");
  unrolling(op);
  carried(body, &op.operands);
  region(body);
}

void BodyParser::loopOp(Op &op) {
  if (lexer_.eatWord("bound")) {
    std::vector<SizeExpr> bound = lexer_.sizes();
    if (bound.size() != 1)
      return lexer_.fail("expected one bound");
    op.bound = bound[0];
  }
  unrolling(op);
  op.regions = {builder_.createRegion(), builder_.createRegion()};
  carried(op.regions[0], &op.operands);
  region(op.regions[0]);
  lexer_.expectWord("do");
  carried(op.regions[1], nullptr);
  region(op.regions[1]);
}

void BodyParser::plain(Op &op) {
  if (op.opcode == Opcode::Math) {
    size_t start = lexer_.position();
    auto it = mathFunctions().find(lexer_.word());
    if (it == mathFunctions().end())
      return lexer_.failAt(start, "expected a math function");
    op.math = it->second;
  }
  op.operands = uses();
  if (lexer_.eatWord("mem")) {
    size_t start = lexer_.position();
    lexer_.expect("!");
    op.memType = MemTypeId(lexer_.number(UINT32_MAX - 1));
    if (op.memType.index >= module_.memTypes.size())
      lexer_.failAt(start,
                    "memory type !" + llvm::Twine(op.memType.index) + " is not defined before");
  }
  if (lexer_.eatWord("index"))
    op.index = static_cast<uint32_t>(lexer_.number(UINT32_MAX));
  if (lexer_.eatWord("array"))
    op.array = arrayRef();
  if (lexer_.eatWord("callee"))
    callee(op);
  op.isOwn = op.opcode == Opcode::Object && lexer_.eatWord("own");
  op.standsForConstant = op.opcode == Opcode::Object && lexer_.eatWord("constant");
  if (lexer_.eatWord("text"))
    op.text = lexer_.string();
}

void BodyParser::callPart(Op &op) {
  size_t start = lexer_.position();
  const std::string name = lexer_.string();
  auto found = llvm::find_if(f_.parts, [&](const Part &part) { return part.name == name; });
  if (found == f_.parts.end())
    return lexer_.failAt(start, "no part before is named '" + name + "'");
  op.part = PartId(found - f_.parts.begin());
  llvm::SmallVector<ArrayId, 4> arrays = arrayRefs();
  op.arrays.assign(arrays.begin(), arrays.end());
  op.operands = uses();
}

void BodyParser::stage(Op &op) {
  op.arrays = {arrayRef()};
  lexer_.expectWord("from");
  op.arrays.push_back(arrayRef());
  if (lexer_.eatWord("at"))
    op.operands = {use()};
  if (lexer_.eatWord("cells"))
    op.live = parseRanges(lexer_);
}

void BodyParser::barrier(Op &op) {
  if (lexer_.eatWord("block"))
    op.among = Sharing::Block;
  else if (lexer_.eatWord("instance"))
    op.among = Sharing::Instance;
  else
    lexer_.expectWord("warp");
}

void BodyParser::callee(Op &op) {
  size_t start = lexer_.position();
  std::string name = lexer_.string();
  if (lexer_.eat("#"))
    op.callee = FunctionId(lexer_.number(UINT32_MAX - 1));
  else
    pendingCall_ = NamedCall{{}, name, start};
}

} // namespace colonnade::ir
