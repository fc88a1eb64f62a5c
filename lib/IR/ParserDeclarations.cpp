//===- ParserDeclarations.cpp - Textual IR: types, headers, arrays ------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Evaluate.h"
#include "IR/Parser.h"
#include "IR/Printer.h"

namespace colonnade::ir {

ScalarType parseType(Lexer &lexer) {
  size_t start = lexer.position();
  if (auto type = parseScalarType(lexer.word().str()))
    return *type;
  lexer.failAt(start, "expected a scalar type");
  return ScalarType::S32;
}

/// 0 to 3, 8 to 8
std::vector<CellRange> parseRanges(Lexer &lexer) {
  std::vector<CellRange> ranges;
  do {
    const uint64_t first = lexer.number(UINT32_MAX);
    lexer.expectWord("to");
    ranges.push_back({first, lexer.number(UINT32_MAX)});
  } while (lexer.eat(","));
  return ranges;
}

LocId parseLoc(Lexer &lexer, SourceMap &sources) {
  if (!lexer.eatWord("loc"))
    return {};
  std::vector<SourceLocation> path; // innermost first
  lexer.expect("(");
  do {
    SourceLocation &location = path.emplace_back();
    location.file = sources.internFile(lexer.string());
    lexer.expect(":");
    location.line = static_cast<uint32_t>(lexer.number(UINT32_MAX));
    lexer.expect(":");
    location.column = static_cast<uint32_t>(lexer.number(UINT32_MAX));
  } while (lexer.eatWord("at"));
  lexer.expect(")");
  LocId loc;
  for (auto it = path.rbegin(); it != path.rend() && lexer.ok(); ++it) {
    it->inlinedAt = loc;
    loc = sources.intern(*it);
  }
  return loc;
}

namespace {

class ModuleParser {
public:
  explicit ModuleParser(llvm::StringRef text) : lexer_(text) {}

  llvm::Expected<Module> run();

private:
  // A type's number is its index; a gap larger than this is a typing error.
  static constexpr uint64_t MaxMemTypes = 1 << 16;

  void memType();
  MemTypeId memTypeRef();
  void structFields(MemType &type);
  void function();
  void functionHeader(Function &f);
  void rawParam(Function &f);
  void array(Function &f);
  void arrayName(Array &array, ArrayId id);
  void arrayFlags(Array &array);
  void arraySpace(Array &array);
  void launch(Function &f);
  void contents(Array &array);
  Sharing sharing();
  void resolveCalls();
  void checkReferences();

  Lexer lexer_;
  Module module_;
  llvm::StringMap<ArrayId> arrays_;
  std::vector<bool> isTypeDefined_;
  struct Call {
    FunctionId caller;
    BodyParser::NamedCall call;
  };
  std::vector<Call> calls_;
  std::vector<uint64_t> typeReferences_;
};

llvm::Expected<Module> ModuleParser::run() {
  while (!lexer_.atEnd()) {
    if (lexer_.peek() == '!')
      memType();
    else if (lexer_.eatWord("func"))
      function();
    else
      lexer_.fail("expected 'func' or a memory type");
  }
  checkReferences();
  resolveCalls();
  if (!lexer_.ok())
    return llvm::createStringError(llvm::inconvertibleErrorCode(), lexer_.error());
  return std::move(module_);
}

void ModuleParser::checkReferences() {
  for (uint64_t index : typeReferences_)
    if (index >= isTypeDefined_.size() || !isTypeDefined_[index])
      lexer_.fail("memory type !" + llvm::Twine(index) + " is not defined");
  for (const Function &f : module_.functions)
    for (const Op &op : f.ops)
      if (op.callee && op.callee.index >= module_.functions.size())
        lexer_.fail("function #" + llvm::Twine(op.callee.index) + " is not defined");
}

void ModuleParser::resolveCalls() {
  llvm::StringMap<FunctionId> byName;
  for (size_t i = 0; i < module_.functions.size(); ++i)
    byName.try_emplace(module_.functions[i].name, FunctionId(i));
  for (const Call &call : calls_) {
    auto it = byName.find(call.call.callee);
    if (it == byName.end())
      lexer_.failAt(call.call.position, "no function is named '" + call.call.callee + "'");
    else
      module_.function(call.caller).op(call.call.op).callee = it->second;
  }
}

MemTypeId ModuleParser::memTypeRef() {
  lexer_.expect("!");
  uint64_t index = lexer_.number(MaxMemTypes - 1);
  typeReferences_.push_back(index);
  return MemTypeId(index);
}

void ModuleParser::memType() {
  size_t start = lexer_.position();
  MemTypeId id = memTypeRef();
  lexer_.expect("=");
  MemType type;
  if (lexer_.eatWord("array")) {
    type.kind = MemType::Kind::Array;
    std::vector<SizeExpr> count = lexer_.sizes();
    if (count.size() == 1)
      type.count = count[0];
    else
      lexer_.fail("expected one count");
    type.element = memTypeRef();
  } else if (lexer_.eatWord("struct")) {
    type.kind = MemType::Kind::Struct;
    structFields(type);
  } else {
    type.scalar = parseType(lexer_);
    if (type.scalar == ScalarType::Pointer && lexer_.peek() == '!' && !lexer_.atDefinition())
      type.element = memTypeRef();
  }
  if (!lexer_.ok())
    return;
  if (id.index >= module_.memTypes.size()) {
    module_.memTypes.resize(id.index + 1);
    isTypeDefined_.resize(id.index + 1);
  }
  if (isTypeDefined_[id.index])
    return lexer_.failAt(start, "memory type !" + llvm::Twine(id.index) + " is defined twice");
  isTypeDefined_[id.index] = true;
  module_.memTypes[id.index] = std::move(type);
}

void ModuleParser::structFields(MemType &type) {
  type.name = lexer_.string();
  lexer_.expect("{");
  if (lexer_.eat("}"))
    return;
  do {
    std::string name = lexer_.string();
    type.fields.push_back({std::move(name), memTypeRef()});
  } while (lexer_.eat(","));
  lexer_.expect("}");
}

void ModuleParser::function() {
  FunctionId id(module_.functions.size());
  Function &f = module_.functions.emplace_back();
  arrays_.clear();
  functionHeader(f);
  lexer_.expect("{");
  while (lexer_.ok() && !lexer_.eat("}")) {
    if (lexer_.eatWord("param")) {
      rawParam(f);
    } else if (lexer_.eatWord("array")) {
      array(f);
    } else if (lexer_.eatWord("assume")) {
      f.assumptions.push_back(lexer_.string());
    } else if (lexer_.eatWord("note")) {
      f.notes.push_back(lexer_.string());
    } else if (!f.body && lexer_.eatWord("part")) {
      BodyParser(lexer_, module_, f, arrays_).runPart();
    } else if (!f.body && lexer_.eatWord("body")) {
      BodyParser body(lexer_, module_, f, arrays_);
      body.run();
      for (BodyParser::NamedCall &call : body.namedCalls)
        calls_.push_back({id, std::move(call)});
    } else {
      lexer_.fail("expected 'param', 'array', 'assume', 'note', 'part', 'body' or '}'");
    }
  }
}

void ModuleParser::functionHeader(Function &f) {
  f.name = lexer_.string();
  if (lexer_.eatWord("canonical"))
    f.stage = Stage::Canonical;
  else if (lexer_.eatWord("kernel"))
    launch(f);
  else
    lexer_.expectWord("raw");
  if (lexer_.eatWord("mangled"))
    f.mangledName = lexer_.string();
  if (lexer_.eatWord("returns"))
    f.returnType = parseType(lexer_);
  if (lexer_.eatWord("spelt"))
    f.returnTypeName = lexer_.string();
  f.isDefined = !lexer_.eatWord("declared");
  f.loc = parseLoc(lexer_, module_.sources);
}

void ModuleParser::launch(Function &f) {
  f.stage = Stage::Kernel;
  if (lexer_.eatWord("threads")) {
    ThreadShape threads{static_cast<unsigned>(lexer_.number(1024))};
    threads.together = lexer_.eatWord("together");
    if (lexer_.eatWord("row_wise"))
      threads.layouts = Layouts::Rows;
    else if (lexer_.eatWord("column_wise"))
      threads.layouts = Layouts::Columns;
    if (lexer_.eatWord("team"))
      threads.team = static_cast<unsigned>(lexer_.number(1024));
    if (lexer_.eatWord("resident"))
      threads.resident = static_cast<unsigned>(lexer_.number(32));
    f.launch = threads;
  } else if (lexer_.eatWord("lanes")) {
    f.launch = LaneShape{static_cast<unsigned>(lexer_.number(8))};
  } else if (lexer_.eatWord("serial")) {
    f.launch = SerialShape{};
  }
}

Sharing ModuleParser::sharing() {
  if (lexer_.eatWord("uniform"))
    return Sharing::Uniform;
  if (lexer_.eatWord("warp"))
    return Sharing::Warp;
  if (lexer_.eatWord("block"))
    return Sharing::Block;
  lexer_.expectWord("instance");
  return Sharing::Instance;
}

void ModuleParser::rawParam(Function &f) {
  RawParam &param = f.rawParams.emplace_back();
  param.name = lexer_.wordOrString();
  lexer_.expect(":");
  param.type = parseType(lexer_);
  if (lexer_.peek() == '!')
    param.pointee = memTypeRef();
  if (lexer_.eatWord("count")) {
    std::vector<SizeExpr> count = lexer_.sizes();
    if (count.size() == 1)
      param.count = count[0];
    else
      lexer_.fail("expected one count");
  }
  param.isConst = lexer_.eatWord("const");
  param.byValueStruct = lexer_.eatWord("byvalue");
  param.isReference = lexer_.eatWord("reference");
  param.isResult = lexer_.eatWord("result");
  if (lexer_.eatWord("uniform"))
    param.declared = Sharing::Uniform;
  else if (lexer_.eatWord("instance"))
    param.declared = Sharing::Instance;
  param.loc = parseLoc(lexer_, module_.sources);
}

void ModuleParser::array(Function &f) {
  ArrayId id(f.arrays.size());
  Array &array = f.arrays.emplace_back();
  arrayName(array, id);
  lexer_.expect(":");
  array.cell = parseType(lexer_);
  array.extents = lexer_.sizes();
  arrayFlags(array);
  if (lexer_.eat("="))
    contents(array);
  array.loc = parseLoc(lexer_, module_.sources);
}

void ModuleParser::arrayName(Array &array, ArrayId id) {
  size_t start = lexer_.position();
  lexer_.expect("@");
  array.name = lexer_.wordOrString();
  std::string key = array.name;
  if (lexer_.eat("#"))
    key += ("#" + llvm::Twine(lexer_.number(UINT32_MAX))).str();
  if (!arrays_.try_emplace(key, id).second)
    lexer_.failAt(start, "array '" + key + "' is declared twice");
}

void ModuleParser::arrayFlags(Array &array) {
  static constexpr std::pair<const char *, ArrayRole> Roles[] = {
      {"parameter", ArrayRole::Parameter}, {"return", ArrayRole::Return},
      {"scalar", ArrayRole::Scalar},       {"local", ArrayRole::Local},
      {"table", ArrayRole::Table},         {"formal", ArrayRole::Formal},
  };
  bool found = false;
  for (auto [word, role] : Roles)
    if (!found && lexer_.eatWord(word)) {
      array.role = role;
      found = true;
    }
  if (!found)
    return lexer_.fail("expected the array's role");
  array.sharing = sharing();
  array.isConst = lexer_.eatWord("const");
  array.reads = lexer_.eatWord("reads");
  array.writes = lexer_.eatWord("writes");
  array.extentsDerived = lexer_.eatWord("derived");
  if (lexer_.eatWord("of"))
    array.parameter = lexer_.wordOrString();
  if (lexer_.eatWord("in"))
    arraySpace(array);
}

void ModuleParser::arraySpace(Array &array) {
  for (size_t i = 0; !array.space && i < NumSpaces; ++i)
    if (lexer_.eatWord(name(static_cast<Space>(i))))
      array.space = static_cast<Space>(i);
  if (!array.space)
    return lexer_.fail("expected a memory space");
  array.loadedFirst = lexer_.eatWord("loaded");
  if (lexer_.eatWord("stored"))
    array.stored = parseRanges(lexer_);
  if (lexer_.eatWord("pitch"))
    array.pitch = lexer_.number(UINT32_MAX);
  if (lexer_.eatWord("skew"))
    array.skew = lexer_.number(UINT32_MAX);
  if (lexer_.eatWord("spread"))
    array.spread = lexer_.number(UINT32_MAX);
}

void ModuleParser::contents(Array &array) {
  lexer_.expect("{");
  do {
    size_t start = lexer_.position();
    auto cell = parseScalar(array.cell, lexer_.scalar());
    if (!cell)
      return lexer_.failAt(start, llvm::Twine("expected a constant of type ") + name(array.cell));
    array.contents.push_back(cell->bits);
  } while (lexer_.eat(","));
  lexer_.expect("}");
}

} // namespace

llvm::Expected<Module> parseModule(llvm::StringRef text) { return ModuleParser(text).run(); }

} // namespace colonnade::ir
