//===- PrinterDeclarations.cpp - Text of types, headers, arrays -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/Evaluate.h"
#include "IR/PrinterImpl.h"

#include "llvm/ADT/StringExtras.h"

namespace colonnade::ir {

namespace {

const char *roleName(ArrayRole role) {
  static constexpr const char *Names[] = {"parameter", "return", "scalar",
                                          "local",     "table",  "formal"};
  return Names[static_cast<size_t>(role)];
}

const char *stageName(Stage stage) {
  static constexpr const char *Names[] = {"raw", "canonical", "kernel"};
  return Names[static_cast<size_t>(stage)];
}

} // namespace

const char *sharingName(Sharing sharing) {
  static constexpr const char *Names[] = {"uniform", "instance", "warp", "block"};
  return Names[static_cast<size_t>(sharing)];
}

namespace {
// As the lexer has it: whatever else is quoted.
bool isWord(llvm::StringRef text) {
  return !text.empty() && text[0] != '.' &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}
} // namespace

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

void Printer::quoted(llvm::StringRef text) {
  out_ << '"';
  llvm::printEscapedString(text, out_);
  out_ << '"';
}

void Printer::word(llvm::StringRef text) {
  if (isWord(text))
    out_ << text;
  else
    quoted(text);
}

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
       << (param.isReference ? " reference" : "") << (param.isResult ? " result" : "");
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
       << (array.writes ? " writes" : "") << (array.extentsDerived ? " derived" : "");
  if (!array.parameter.empty()) {
    out_ << " of ";
    word(array.parameter);
  }
  if (array.space)
    out_ << " in " << name(*array.space) << (array.loadedFirst ? " loaded" : "");
  ranges("stored", array.stored);
  if (array.pitch)
    out_ << " pitch " << array.pitch;
  if (array.skew)
    out_ << " skew " << array.skew;
  if (array.spread)
    out_ << " spread " << array.spread;
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
  launch(function);
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
  for (const std::string &note : function.notes) {
    out_ << "  note ";
    quoted(note);
    out_ << '\n';
  }
  for (const Part &each : function.parts)
    part(each);
  if (function.body)
    body();
  out_ << "}\n";
}

void Printer::launch(const Function &function) {
  if (!function.launch)
    return;
  if (const auto *threads = std::get_if<ThreadShape>(&*function.launch))
    out_ << " threads " << threads->perBlock << (threads->together ? " together" : "")
         << (threads->isForRows()      ? " row_wise"
             : threads->isForColumns() ? " column_wise"
                                       : "")
         << (threads->team > 1 ? " team " + std::to_string(threads->team) : "")
         << (threads->resident > 1 ? " resident " + std::to_string(threads->resident) : "");
  else if (const auto *lanes = std::get_if<LaneShape>(&*function.launch))
    out_ << " lanes " << lanes->bytes;
  else
    out_ << " serial";
}

void Printer::part(const Part &part) {
  out_ << "  part ";
  quoted(part.name);
  out_ << ' ';
  arrayRefs(part.arrays);
  out_ << ' ';
  carried(function_->region(part.body).args, {});
  loc(part.loc);
  out_ << ' ';
  indent_ = 2;
  region(part.body);
  out_ << '\n';
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
// Memory types of a function
//===----------------------------------------------------------------------===//

namespace {
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
