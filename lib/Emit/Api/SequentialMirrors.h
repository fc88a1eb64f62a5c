//===- SequentialMirrors.h - Struct types of the source, spelled again ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The thunk builds structs field by field, and fields may be private. So each struct type
// is declared once more, with the same fields in the same order and so the same layout.
//
// In: types in memory. Out: declarations of mirrors, and the text that names them.
// Invariant: a mirror is declared once, after those of its fields.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_API_SEQUENTIALMIRRORS_H
#define COLONNADE_EMIT_API_SEQUENTIALMIRRORS_H

#include "Emit/Api/SequentialNames.h"

namespace colonnade {

class SequentialMirrors {
public:
  SequentialMirrors(SequentialNames &names, CxxWriter &out) : names_(names), out_(out) {}

  /// Declares those that this type needs, unless they are declared already.
  void declareFor(MemTypeId id);
  /// "struct colonnade_mirror_3"
  static std::string name(MemTypeId id);
  static std::string fieldName(size_t i);

private:
  std::string fieldDeclaration(MemTypeId id, std::string name);

  SequentialNames &names_;
  CxxWriter &out_;
  std::set<MemTypeId> declared_;
};

} // namespace colonnade

#endif // COLONNADE_EMIT_API_SEQUENTIALMIRRORS_H
