//===- Printer.cpp - Textual form of the IR -----------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values are numbered in the order of the text, so that the text does not
// depend on the ids a pass happened to use. One printer per shape of operation;
// whatever has no shape of its own prints as
//   results = mnemonic operands attributes : types
//
//===----------------------------------------------------------------------===//

#include "IR/Printer.h"

#include "IR/Evaluate.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

namespace colonnade::ir {

namespace {

const char *predicateName(Predicate predicate) {
  static constexpr const char *Names[] = {"lt", "le", "gt", "ge", "ne"};
  return Names[static_cast<size_t>(predicate)];
}

const char *roleName(ArrayRole role) {
  static constexpr const char *Names[] = {"parameter", "return", "scalar", "local", "table"};
  return Names[static_cast<size_t>(role)];
}

const char *stageName(Stage stage) {
  static constexpr const char *Names[] = {"raw", "canonical", "kernel"};
  return Names[static_cast<size_t>(stage)];
}

const char *sharingName(Sharing sharing) {
  return sharing == Sharing::Uniform ? "uniform" : "instance";
}

// As the lexer has it: whatever else is quoted.
bool isWord(llvm::StringRef text) {
  return !text.empty() && text[0] != '.' && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  });
}

class Printer {
public:
  Printer(llvm::raw_ostream &out, const Module &module, PrintOptions options)
      : out_(out), module_(module), options_(options) {}

  void memType(MemTypeId id);
  void function(const Function &function);

private:
  void quoted(llvm::StringRef text) {
    out_ << '"';
    llvm::printEscapedString(text, out_);
    out_ << '"';
  }
  /// A name as it is if it is a word, else quoted.
  void word(llvm::StringRef text) {
    if (isWord(text))
      out_ << text;
    else
      quoted(text);
  }
  void loc(LocId id);
  void position(LocId id);
  void sizes(llvm::ArrayRef<SizeExpr> extents);

  void rawParam(const RawParam &param);
  void array(ArrayId id);
  void arrayRef(ArrayId id);
  void body();

  void define(ValueId id);   // %name#3, numbering it
  void typedArg(ValueId id); // %name#3 : f32
  void use(ValueId id);
  void uses(llvm::ArrayRef<ValueId> ids);
  void types(llvm::ArrayRef<ValueId> results);
  void valueName(ValueId id);

  void indent() { out_.indent(indent_); }
  void region(RegionId id); // "{ ops }"
  bool hasOwnShape(const Op &op) const;
  void op(const Op &op);
  void access(const Op &op);
  void ifOp(const Op &op);
  void forOp(const Op &op);
  void loopOp(const Op &op);
  void carried(llvm::ArrayRef<ValueId> args, llvm::ArrayRef<ValueId> inits);
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

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

void Printer::memType(MemTypeId id) {
  const MemType &type = module_.memType(id);
  out_ << '!' << id.index << " = ";
  switch (type.kind) {
  case MemType::Kind::Scalar:
    out_ << name(type.scalar);
    if (type.scalar == ScalarType::Pointer && type.element)
      out_ << " !" << type.element.index;
    break;
  case MemType::Kind::Array:
    out_ << "array ";
    sizes(type.count);
    out_ << " !" << type.element.index;
    break;
  case MemType::Kind::Struct:
    out_ << "struct ";
    quoted(type.name);
    out_ << " {";
    for (size_t i = 0; i < type.fields.size(); ++i) {
      out_ << (i ? ", " : "");
      quoted(type.fields[i].name);
      out_ << " !" << type.fields[i].type.index;
    }
    out_ << '}';
    break;
  }
  out_ << '\n';
}

void Printer::position(LocId id) {
  const SourceLocation &location = module_.sources[id];
  quoted(module_.sources.fileName(location.file));
  out_ << ':' << location.line << ':' << location.column;
}

void Printer::loc(LocId id) {
  if (!options_.locations || !id)
    return;
  out_ << " loc(";
  position(id);
  for (LocId call = module_.sources[id].inlinedAt; call; call = module_.sources[call].inlinedAt) {
    out_ << " at ";
    position(call);
  }
  out_ << ')';
}

void Printer::sizes(llvm::ArrayRef<SizeExpr> extents) {
  out_ << '[';
  for (size_t i = 0; i < extents.size(); ++i)
    out_ << (i ? ", " : "") << extents[i].str();
  out_ << ']';
}

void Printer::rawParam(const RawParam &param) {
  out_ << "  param ";
  word(param.name);
  out_ << " : " << name(param.type);
  if (param.pointee)
    out_ << " !" << param.pointee.index;
  if (param.count.known()) {
    out_ << " count ";
    sizes(param.count);
  }
  out_ << (param.isConst ? " const" : "") << (param.byValueStruct ? " byvalue" : "")
       << (param.isReference ? " reference" : "");
  if (param.declared)
    out_ << ' ' << sharingName(*param.declared);
  loc(param.loc);
  out_ << '\n';
}

void Printer::arrayRef(ArrayId id) {
  out_ << '@';
  if (id.index >= function_->arrays.size()) {
    out_ << '#' << id.index; // invalid IR must print too
    return;
  }
  const std::string &name = function_->array(id).name;
  word(name);
  if (ambiguous_.count(name))
    out_ << '#' << id.index;
}

void Printer::array(ArrayId id) {
  const Array &array = function_->array(id);
  out_ << "  array ";
  arrayRef(id);
  out_ << " : " << name(array.cell);
  sizes(array.extents);
  out_ << ' ' << roleName(array.role) << ' ' << sharingName(array.sharing)
       << (array.isConst ? " const" : "") << (array.reads ? " reads" : "")
       << (array.writes ? " writes" : "") << (array.extentsDerived ? " derived" : "")
       << (array.zeroInit ? " zeroinit" : "");
  if (!array.parameter.empty()) {
    out_ << " of ";
    word(array.parameter);
  }
  if (!array.contents.empty()) {
    out_ << " = {";
    for (size_t i = 0; i < array.contents.size(); ++i)
      out_ << (i ? ", " : "") << str({array.cell, array.contents[i]});
    out_ << '}';
  }
  loc(array.loc);
  out_ << '\n';
}

void Printer::function(const Function &function) {
  function_ = &function;
  numbers_.assign(function.values.size(), UINT32_MAX);
  nextNumber_ = 0;
  ambiguous_.clear();
  std::set<std::string> seen;
  for (const Array &array : function.arrays)
    if (!seen.insert(array.name).second)
      ambiguous_.insert(array.name);

  out_ << "func ";
  quoted(function.name);
  out_ << ' ' << stageName(function.stage);
  if (!function.mangledName.empty()) {
    out_ << " mangled ";
    quoted(function.mangledName);
  }
  if (function.returnType)
    out_ << " returns " << name(*function.returnType);
  if (!function.returnTypeName.empty()) {
    out_ << " spelt ";
    quoted(function.returnTypeName);
  }
  out_ << (function.isDefined ? "" : " declared");
  loc(function.loc);
  out_ << " {\n";
  for (const RawParam &param : function.rawParams)
    rawParam(param);
  for (size_t i = 0; i < function.arrays.size(); ++i)
    array(ArrayId(i));
  for (const std::string &assumption : function.assumptions) {
    out_ << "  assume ";
    quoted(assumption);
    out_ << '\n';
  }
  if (function.body)
    body();
  out_ << "}\n";
}

void Printer::body() {
  out_ << "  body(";
  llvm::ArrayRef<ValueId> args = function_->region(function_->body).args;
  for (size_t i = 0; i < args.size(); ++i) {
    out_ << (i ? ", " : "");
    typedArg(args[i]);
  }
  out_ << ')';
  for (const ScalarParam &scalar : function_->scalars) {
    out_ << " scalar ";
    use(scalar.value);
    out_ << ' ';
    word(scalar.name);
    loc(scalar.loc);
  }
  out_ << ' ';
  indent_ = 2;
  region(function_->body);
  out_ << '\n';
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void Printer::valueName(ValueId id) {
  const std::string &name = function_->value(id).name;
  out_ << '%';
  if (!name.empty()) {
    word(name);
    out_ << '#';
  }
  out_ << numbers_[id.index];
}

void Printer::define(ValueId id) {
  numbers_[id.index] = nextNumber_++;
  valueName(id);
}

void Printer::typedArg(ValueId id) {
  define(id);
  out_ << " : " << name(function_->value(id).type);
}

void Printer::use(ValueId id) {
  if (id.index < numbers_.size() && numbers_[id.index] != UINT32_MAX)
    valueName(id);
  else
    out_ << "%<undefined " << static_cast<int32_t>(id.index) << '>';
}

void Printer::uses(llvm::ArrayRef<ValueId> ids) {
  for (size_t i = 0; i < ids.size(); ++i) {
    out_ << (i ? ", " : "");
    use(ids[i]);
  }
}

void Printer::types(llvm::ArrayRef<ValueId> results) {
  if (results.empty())
    return;
  out_ << " : ";
  for (size_t i = 0; i < results.size(); ++i)
    out_ << (i ? ", " : "") << name(function_->value(results[i]).type);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Printer::region(RegionId id) {
  out_ << "{\n";
  indent_ += 2;
  for (OpId id : function_->region(id).ops)
    op(function_->op(id));
  indent_ -= 2;
  indent();
  out_ << '}';
}

/// Invalid IR must print too, as plain() does it.
bool Printer::hasOwnShape(const Op &op) const {
  switch (op.opcode) {
  case Opcode::Load:
  case Opcode::Store: {
    size_t fixed = (op.masked ? 1 : 0) + (op.opcode == Opcode::Store ? 1 : 0);
    return op.operands.size() > fixed && (op.operands.size() - fixed) % 2 == 1;
  }
  case Opcode::For:
    return op.operands.size() >= 3 && op.regions.size() == 1 &&
           !function_->region(op.regions[0]).args.empty();
  case Opcode::Loop:
    return op.regions.size() == 2;
  default:
    return true;
  }
}

// Results are numbered after the regions: they are visible only behind them.
// So the text of an operation with regions carries them at its end.
void Printer::op(const Op &op) {
  indent();
  bool structured = !op.regions.empty();
  if (!structured && !op.results.empty()) {
    for (size_t i = 0; i < op.results.size(); ++i) {
      out_ << (i ? ", " : "");
      define(op.results[i]);
    }
    out_ << " = ";
  }
  switch (hasOwnShape(op) ? op.opcode : Opcode::Undef) {
  case Opcode::Constant:
    out_ << "const " << str(op.scalar) << " : " << name(op.scalar.type);
    break;
  case Opcode::Load:
  case Opcode::Store:
    access(op);
    break;
  case Opcode::If:
    ifOp(op);
    break;
  case Opcode::For:
    forOp(op);
    break;
  case Opcode::Loop:
    loopOp(op);
    break;
  default:
    plain(op);
    break;
  }
  if (structured && !op.results.empty()) {
    out_ << " -> ";
    for (size_t i = 0; i < op.results.size(); ++i) {
      out_ << (i ? ", " : "");
      typedArg(op.results[i]);
    }
  }
  loc(op.loc);
  out_ << '\n';
}

void Printer::access(const Op &op) {
  AccessOperands parts = accessOperands(op);
  out_ << mnemonic(op.opcode) << ' ';
  arrayRef(op.array);
  out_ << '[';
  uses(parts.subscripts);
  if (!parts.radices.empty()) {
    out_ << "; ";
    uses(parts.radices);
  }
  out_ << ']';
  if (parts.stored) {
    out_ << ", ";
    use(parts.stored);
  }
  if (op.masked) {
    out_ << " mask ";
    use(parts.mask);
  }
  if (op.accessId != UINT32_MAX)
    out_ << " access " << op.accessId;
  types(op.results);
}

void Printer::ifOp(const Op &op) {
  out_ << "if ";
  uses(op.operands);
  if (!op.text.empty()) {
    out_ << " text ";
    quoted(op.text);
  }
  for (size_t i = 0; i < op.regions.size(); ++i) {
    out_ << (i ? " else " : " ");
    region(op.regions[i]);
  }
}

void Printer::carried(llvm::ArrayRef<ValueId> args, llvm::ArrayRef<ValueId> inits) {
  out_ << '(';
  for (size_t i = 0; i < args.size(); ++i) {
    out_ << (i ? ", " : "");
    typedArg(args[i]);
    if (i < inits.size()) {
      out_ << " = ";
      use(inits[i]);
    }
  }
  out_ << ')';
}

void Printer::forOp(const Op &op) {
  llvm::ArrayRef<ValueId> args = function_->region(op.regions[0]).args;
  llvm::ArrayRef<ValueId> operands = op.operands;
  out_ << "for ";
  typedArg(args[0]);
  out_ << " = ";
  use(operands[0]);
  out_ << ' ' << predicateName(op.predicate) << ' ';
  use(operands[1]);
  out_ << " step ";
  use(operands[2]);
  out_ << (op.hasGo ? " go" : "") << (op.postTest ? " posttest" : "")
       << (op.dataExit ? " dataexit" : "") << ' ';
  carried(args.drop_front(), operands.drop_front(3));
  out_ << ' ';
  region(op.regions[0]);
}

void Printer::loopOp(const Op &op) {
  out_ << "loop ";
  if (op.bound.known()) {
    out_ << "bound ";
    sizes(op.bound);
    out_ << ' ';
  }
  out_ << (op.dataExit ? "dataexit " : "");
  carried(function_->region(op.regions[0]).args, op.operands);
  out_ << ' ';
  region(op.regions[0]);
  out_ << " do ";
  carried(function_->region(op.regions[1]).args, {});
  out_ << ' ';
  region(op.regions[1]);
}

void Printer::plain(const Op &op) {
  out_ << mnemonic(op.opcode);
  if (op.opcode == Opcode::Math)
    out_ << ' ' << name(op.math);
  if (!op.operands.empty()) {
    out_ << ' ';
    uses(op.operands);
  }
  if (op.memType)
    out_ << " mem !" << op.memType.index;
  if (op.index)
    out_ << " index " << op.index;
  if (op.array) {
    out_ << " array ";
    arrayRef(op.array);
  }
  if (op.callee) {
    out_ << " callee ";
    quoted(op.callee.index < module_.functions.size() ? module_.function(op.callee).name : "?");
    out_ << '#' << op.callee.index;
  }
  if (!op.text.empty()) {
    out_ << " text ";
    quoted(op.text);
  }
  types(op.results);
}

//===----------------------------------------------------------------------===//
// Memory types of a function
//===----------------------------------------------------------------------===//

class MemTypeCollector {
public:
  MemTypeCollector(const Module &module) : module_(module) {}

  std::set<MemTypeId> run(const Function &function) {
    for (const RawParam &param : function.rawParams)
      need(param.pointee);
    for (const Op &op : function.ops)
      need(op.memType);
    while (!work_.empty()) {
      const MemType &type = module_.memType(work_.back());
      work_.pop_back();
      need(type.element);
      for (const MemType::Field &field : type.fields)
        need(field.type);
    }
    return std::move(found_);
  }

private:
  void need(MemTypeId id) {
    if (id.index < module_.memTypes.size() && found_.insert(id).second)
      work_.push_back(id);
  }
  const Module &module_;
  std::set<MemTypeId> found_;
  std::vector<MemTypeId> work_;
};

} // namespace

void print(llvm::raw_ostream &out, const Module &module, const Function &function,
           PrintOptions options) {
  Printer printer(out, module, options);
  for (MemTypeId id : MemTypeCollector(module).run(function))
    printer.memType(id);
  printer.function(function);
}

void print(llvm::raw_ostream &out, const Module &module, PrintOptions options) {
  Printer printer(out, module, options);
  for (size_t i = 0; i < module.memTypes.size(); ++i)
    printer.memType(MemTypeId(i));
  for (const Function &function : module.functions)
    printer.function(function);
}

} // namespace colonnade::ir
