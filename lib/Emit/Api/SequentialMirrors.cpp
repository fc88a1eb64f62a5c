//===- SequentialMirrors.cpp - Struct types of the source, spelled again ---===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Api/SequentialMirrors.h"

using namespace colonnade;
using namespace colonnade::ir;

std::string SequentialMirrors::name(MemTypeId id) {
  return "struct colonnade_mirror_" + std::to_string(id.index);
}

std::string SequentialMirrors::fieldName(size_t i) {
  return "colonnade_field_" + std::to_string(i);
}

void SequentialMirrors::declareFor(MemTypeId id) {
  if (!id.valid())
    return;
  const MemType &t = names_.type(id);
  if (t.kind == MemType::Kind::Array)
    return declareFor(t.element);
  if (t.kind != MemType::Kind::Struct || !declared_.insert(id).second)
    return;
  for (const MemType::Field &field : t.fields)
    declareFor(field.type);
  out_.open(name(id));
  for (size_t i = 0; i < t.fields.size(); ++i)
    out_.line(fieldDeclaration(t.fields[i].type, fieldName(i)) + "; // " + t.fields[i].name);
  out_.close(";");
  out_.blank();
}

std::string SequentialMirrors::fieldDeclaration(MemTypeId id, std::string declared) {
  const MemType *t = &names_.type(id);
  while (t->kind == MemType::Kind::Array) {
    std::optional<int64_t> count = t->count.asConstant();
    if (!count)
      names_.fail("an array field of variable length");
    declared += "[" + std::to_string(count.value_or(1)) + "]";
    id = t->element;
    t = &names_.type(id);
  }
  if (t->kind == MemType::Kind::Struct)
    return name(id) + " " + declared;
  return (t->scalar == ScalarType::Pointer ? "void *" : names_.cellType(t->scalar)) + " " +
         declared;
}
