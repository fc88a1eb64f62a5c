//===- ParserBodies.cpp - Textual IR: regions, names, operands ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all operations have in common; each kind's own syntax is in ParserOperations.cpp.
//
//===----------------------------------------------------------------------===//

#include "IR/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace colonnade::ir {

namespace {
const llvm::StringMap<Opcode> &opcodes() {
  static const llvm::StringMap<Opcode> Map = {
#define COLONNADE_OP(Name, mnemonic, level) {mnemonic, Opcode::Name},
#include "IR/Opcodes.def"
  };
  return Map;
}

bool isNumber(llvm::StringRef text) { return llvm::all_of(text, llvm::isDigit); }
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

ValueName BodyParser::valueName() {
  ValueName value;
  lexer_.expect("%");
  bool isQuoted = lexer_.peek() == '"';
  std::string text = lexer_.wordOrString();
  if (lexer_.eat("#")) {
    value.name = text;
    value.key = ("#" + llvm::Twine(lexer_.number(UINT32_MAX))).str();
  } else if (!isQuoted && isNumber(text)) {
    value.key = ("#" + llvm::Twine(text)).str();
  } else {
    value.name = value.key = text;
  }
  return value;
}

BodyParser::Definition BodyParser::definition() {
  Definition definition;
  definition.position = lexer_.position();
  definition.name = valueName();
  lexer_.expect(":");
  definition.type = type();
  return definition;
}

void BodyParser::define(const Definition &definition, ValueId id) {
  if (!lexer_.ok())
    return;
  f_.value(id).name = definition.name.name;
  f_.value(id).varying = definition.type.varying;
  if (!values_.try_emplace(definition.name.key, id).second)
    lexer_.failAt(definition.position, "value '%" + definition.name.key + "' is defined twice");
}

void BodyParser::addArg(RegionId region, const Definition &definition) {
  define(definition, builder_.addArg(region, definition.type.type));
}

ValueId BodyParser::use() {
  size_t start = lexer_.position();
  ValueName value = valueName();
  auto it = values_.find(value.key);
  if (it != values_.end())
    return it->second;
  lexer_.failAt(start, "value '%" + value.key + "' is not defined before");
  return {};
}

BodyParser::Operands BodyParser::uses() {
  Operands operands;
  if (lexer_.peek() != '%')
    return operands;
  do
    operands.push_back(use());
  while (lexer_.ok() && lexer_.eat(","));
  return operands;
}

ArrayId BodyParser::arrayRef() {
  size_t start = lexer_.position();
  lexer_.expect("@");
  std::string key = lexer_.wordOrString();
  if (lexer_.eat("#"))
    key += ("#" + llvm::Twine(lexer_.number(UINT32_MAX))).str();
  auto it = arrays_.find(key);
  if (it != arrays_.end())
    return it->second;
  lexer_.failAt(start, "array '@" + key + "' is not declared");
  return {};
}

llvm::SmallVector<ArrayId, 4> BodyParser::arrayRefs() {
  llvm::SmallVector<ArrayId, 4> ids;
  lexer_.expect("(");
  if (lexer_.eat(")"))
    return ids;
  do
    ids.push_back(arrayRef());
  while (lexer_.ok() && lexer_.eat(","));
  lexer_.expect(")");
  return ids;
}

BodyParser::ValueType BodyParser::type() {
  bool varying = f_.stage == Stage::Kernel && lexer_.eatWord("varying");
  return {parseType(lexer_), varying};
}

llvm::SmallVector<BodyParser::ValueType, 2> BodyParser::types() {
  llvm::SmallVector<ValueType, 2> list;
  if (lexer_.eat(":"))
    do
      list.push_back(type());
    while (lexer_.ok() && lexer_.eat(","));
  return list;
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

void BodyParser::run() {
  f_.body = builder_.createRegion();
  carried(f_.body, nullptr);
  while (lexer_.ok() && lexer_.eatWord("scalar")) {
    ValueId value = use();
    std::string name = lexer_.wordOrString();
    f_.scalars.push_back({std::move(name), value, parseLoc(lexer_, module_.sources)});
  }
  region(f_.body);
}

void BodyParser::runPart() {
  size_t start = lexer_.position();
  Part part;
  part.name = lexer_.string();
  for (const Part &other : f_.parts)
    if (other.name == part.name)
      return lexer_.failAt(start, "part '" + part.name + "' is defined twice");
  part.arrays = arrayRefs();
  part.body = builder_.createRegion();
  carried(part.body, nullptr);
  part.loc = parseLoc(lexer_, module_.sources);
  region(part.body);
  f_.parts.push_back(std::move(part)); // now, so that it cannot call itself
}

void BodyParser::region(RegionId id) {
  if (++depth_ > MaxDepth)
    return lexer_.fail("regions are nested too deeply");
  lexer_.expect("{");
  InsertionScope scope(builder_);
  builder_.setRegion(id);
  while (lexer_.ok() && !lexer_.eat("}"))
    op();
  --depth_;
}

void BodyParser::op() {
  llvm::SmallVector<Definition, 2> results = namesBefore();
  size_t start = lexer_.position();
  llvm::StringRef mnemonic = lexer_.word();
  auto it = opcodes().find(mnemonic);
  if (it == opcodes().end())
    return lexer_.failAt(start, "expected an operation");
  Op op;
  op.opcode = it->second;
  bool structured =
      op.opcode == Opcode::If || op.opcode == Opcode::For || op.opcode == Opcode::Loop;
  if (structured && !results.empty())
    return lexer_.failAt(start, "results of an operation with regions follow it: -> %x : s32");
  operands(op);
  if (!lexer_.ok())
    return;
  if (!structured) {
    typesAfter(op, start, results);
  } else if (lexer_.eat("->")) {
    do
      results.push_back(definition());
    while (lexer_.ok() && lexer_.eat(","));
  }
  finish(std::move(op), results);
}

/// "%a, %b =": the results of an operation without regions.
llvm::SmallVector<BodyParser::Definition, 2> BodyParser::namesBefore() {
  llvm::SmallVector<Definition, 2> results;
  if (lexer_.peek() != '%')
    return results;
  do {
    size_t position = lexer_.position();
    results.push_back({valueName(), {}, position});
  } while (lexer_.ok() && lexer_.eat(","));
  lexer_.expect("=");
  return results;
}

/// Their types, after the operands.
void BodyParser::typesAfter(const Op &op, size_t start, llvm::MutableArrayRef<Definition> results) {
  if (op.opcode == Opcode::Constant) {
    if (results.size() != 1)
      return lexer_.failAt(start, "a constant has one result");
    results[0].type = {op.scalar.type, false};
    return;
  }
  auto list = types();
  if (list.size() != results.size())
    return lexer_.failAt(start, llvm::Twine(results.size()) + " results, but " +
                                    llvm::Twine(list.size()) + " types");
  for (size_t i = 0; i < list.size(); ++i)
    results[i].type = list[i];
}

void BodyParser::operands(Op &op) {
  switch (op.opcode) {
  case Opcode::Constant:
    return constant(op);
  case Opcode::Load:
  case Opcode::Store:
    return access(op);
  case Opcode::If:
    return ifOp(op);
  case Opcode::For:
    return forOp(op);
  case Opcode::Loop:
    return loopOp(op);
  case Opcode::CallPart:
    return callPart(op);
  case Opcode::Stage:
    return stage(op);
  case Opcode::Barrier:
    return barrier(op);
  case Opcode::Wait:
    if (lexer_.eatWord("but"))
      op.index = static_cast<uint32_t>(lexer_.number(UINT32_MAX));
    return;
  default:
    return plain(op);
  }
}

void BodyParser::finish(Op op, llvm::ArrayRef<Definition> results) {
  op.speculative = lexer_.eatWord("speculative");
  op.atFirst = lexer_.eatWord("but") && lexer_.eatWord("at") && lexer_.eatWord("first");
  op.loc = parseLoc(lexer_, module_.sources);
  if (!lexer_.ok())
    return;
  llvm::SmallVector<ScalarType, 4> types;
  for (const Definition &result : results)
    types.push_back(result.type.type);
  OpId id = builder_.append(std::move(op), types);
  for (size_t i = 0; i < results.size(); ++i)
    define(results[i], builder_.result(id, static_cast<unsigned>(i)));
  if (pendingCall_) {
    pendingCall_->op = id;
    namedCalls.push_back(std::move(*pendingCall_));
    pendingCall_.reset();
  }
}

void BodyParser::carried(RegionId region, Operands *inits) {
  lexer_.expect("(");
  if (lexer_.eat(")"))
    return;
  do {
    addArg(region, definition());
    if (inits) {
      lexer_.expect("=");
      inits->push_back(use());
    }
  } while (lexer_.ok() && lexer_.eat(","));
  lexer_.expect(")");
}

} // namespace colonnade::ir
