//===- ProgrammeText.cpp - The class that a C programme becomes -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wrap/Programme.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringExtras.h"

namespace colonnade::wrap {

using namespace clang;

std::string Programme::attributes(const Decl &decl) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Attr *attr : decl.attrs())
    if (!attr->isImplicit() && !attr->isInherited() &&
        (llvm::isa<PackedAttr>(attr) || llvm::isa<AlignedAttr>(attr)))
      attr->printPretty(os, policy_);
  return text;
}

void Programme::writeFields(llvm::raw_ostream &os, const RecordDecl &record) {
  for (const FieldDecl *field : record.fields()) {
    const RecordDecl *inner = field->getType()->getAsRecordDecl();
    if (field->isAnonymousStructOrUnion() && inner) {
      os << (inner->isUnion() ? "union {\n" : "struct {\n");
      writeFields(os, *inner);
      os << "};\n";
      continue;
    }
    os << "  " << declarator(field->getType(), field->getName(), policy_);
    if (field->isBitField())
      os << " : " << field->getBitWidthValue(context_);
    os << attributes(*field) << ";\n";
  }
}

void Programme::writeTypes(llvm::raw_ostream &os) {
  for (const NamedDecl *type : types_)
    if (llvm::isa<RecordDecl>(type))
      os << llvm::cast<RecordDecl>(type)->getKindName() << " " << type->getName() << ";\n";
  for (const NamedDecl *type : types_) {
    if (const auto *alias = llvm::dyn_cast<TypedefDecl>(type)) {
      os << "typedef " << declarator(alias->getUnderlyingType(), alias->getName(), policy_)
         << attributes(*alias) << ";\n";
    } else if (const auto *record = llvm::dyn_cast<RecordDecl>(type)) {
      os << record->getKindName() << " " << attributes(*record) << " " << record->getName()
         << " {\n";
      writeFields(os, *record);
      os << "};\n";
    } else if (const auto *list = llvm::dyn_cast<EnumDecl>(type)) {
      os << "enum " << list->getName() << attributes(*list) << " {";
      for (const EnumConstantDecl *constant : list->enumerators())
        os << " " << constant->getName() << " = " << llvm::toString(constant->getInitVal(), 10)
           << ",";
      os << " };\n";
    }
  }
}

std::string Programme::nameOf(const VarDecl &variable) const {
  return variable.isStaticLocal() ? statements_.nameOf(variable) : variable.getNameAsString();
}

void Programme::writeVariable(llvm::raw_ostream &os, const VarDecl &variable,
                              llvm::StringRef prefix) {
  os << "  " << prefix << declarator(variable.getType(), nameOf(variable), policy_)
     << attributes(variable);
  if (const Expr *value = variable.getAnyInitializer())
    os << " = " << statements_.expression(*value);
  os << ";\n";
}

void Programme::writeFunction(llvm::raw_ostream &os, const FunctionDecl &function) {
  std::string parameters;
  for (const ParmVarDecl *parameter : function.parameters())
    parameters += (parameters.empty() ? "" : ", ") +
                  declarator(parameter->getOriginalType(), parameter->getName(), policy_);
  const bool anyArguments = function.isVariadic() || (!function.hasBody() && parameters.empty());
  if (anyArguments)
    parameters += parameters.empty() ? "..." : ", ...";
  const std::string name = function.isMain() ? "torture_main" : function.getNameAsString();
  os << "  " << declarator(function.getReturnType(), name + "(" + parameters + ")", policy_) << " ";
  if (function.hasBody())
    os << statements_.body(function);
  else if (function.getReturnType()->isVoidType())
    os << "{ abort(); }\n";
  else
    os << "{ abort(); return {}; }\n";
}

/// A scalar, or an array of scalars: what a loop can set.
static bool isPlain(const ASTContext &context, QualType type) {
  type = context.getBaseElementType(type);
  return type->isScalarType() && !type->isPointerType() && !type.isConstQualified() &&
         !type.isVolatileQualified();
}

/// What the variables of the class start with, as constants.
void Programme::writeStartTables(llvm::raw_ostream &os) {
  for (const VarDecl *variable : variables_)
    if (!constants_.contains(variable) && variable->getAnyInitializer())
      os << "static const "
         << declarator(variable->getType(), "start_" + nameOf(*variable), policy_) << " = "
         << statements_.expression(*variable->getAnyInitializer()) << ";\n";
}

/// Sets a variable of the class to what it starts with, one cell after the other.
void Programme::writeStart(llvm::raw_ostream &os, const VarDecl &variable) {
  std::string cell = nameOf(variable), cells;
  unsigned depth = 0;
  QualType type = variable.getType();
  for (; const ConstantArrayType *array = context_.getAsConstantArrayType(type); ++depth) {
    const std::string index = "i" + std::to_string(depth);
    cells += "[" + index + "]";
    os << "    for (int " << index << " = 0; " << index << " < " << array->getSize().getZExtValue()
       << "; " << index << "++)\n";
    type = array->getElementType();
  }
  os << "      " << cell << cells << " = ";
  if (!variable.getAnyInitializer())
    os << "(" << declarator(type.getUnqualifiedType(), "", policy_) << ")0";
  else
    os << "start_" << cell << cells;
  os << ";\n";
}

/// The programme in the caller's memory, if all of it can be set cell by cell.
void Programme::writeStarts(llvm::raw_ostream &os) {
  os << "  void torture_start() {\n    torture_failed = 0;\n    torture_over = 0;\n";
  for (const VarDecl *variable : variables_)
    if (!constants_.contains(variable))
      writeStart(os, *variable);
  os << "  }\n";
}

/// Whether all variables can be set cell by cell.
bool Programme::canStart() const {
  return llvm::all_of(variables_, [&](const VarDecl *variable) {
    return constants_.contains(variable) ||
           (isPlain(context_, variable->getType()) && hasConstantStart(*variable));
  });
}

std::string Programme::text(llvm::StringRef name) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << "#include <colonnade/annotate.h>\n";
  for (const std::string &header : headers())
    os << "#include <" << header << ">\n";
  os << "namespace " << name << "_ {\n";
  writeTypes(os);
  for (const VarDecl *variable : variables_)
    if (constants_.contains(variable))
      writeVariable(os, *variable, "static ");
  if (canStart())
    writeStartTables(os);
  os << "struct Programme {\n  int torture_failed = 0;\n  int torture_over = 0;\n";
  for (const VarDecl *variable : variables_)
    if (!constants_.contains(variable))
      writeVariable(os, *variable, "");
  os << "  void abort() { torture_failed |= !torture_over; }\n"
        "  void exit(int code) {\n"
        "    torture_failed |= code != 0 && !torture_over;\n"
        "    torture_over = 1;\n"
        "  }\n"
        "  template <class... T> int printf(const char *, T...) { return 0; }\n";
  bool isVoid = false, takesArguments = false;
  for (const FunctionDecl *function : functions_) {
    writeFunction(os, *function);
    isVoid |= function->isMain() && function->getReturnType()->isVoidType();
    takesArguments |= function->isMain() && function->getNumParams() == 2;
  }
  os << "  int torture_run() {\n"
     << (isVoid           ? "    torture_main();\n"
         : takesArguments ? "    exit(torture_main(1, nullptr));\n"
                          : "    exit(torture_main());\n")
     << "    return torture_failed;\n  }\n";
  if (canStart())
    writeStarts(os);
  os << "};\n}\n"
     << "COLONNADE_BULK int " << name << "() {\n  " << name << "_::Programme programme{};\n"
     << "  return programme.torture_run();\n}\n";
  if (canStart())
    os << "int in_" << name << "(" << name << "_::Programme &programme) {\n"
       << "  programme.torture_start();\n  return programme.torture_run();\n}\n";
  return result;
}

} // namespace colonnade::wrap
