//===- Access.h - What Clang emits, and where it stands ---------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls and accesses to memory in Clang's own code, each with its place in the source. That
// place, its kind and its width are all that is compared with the raw IR.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_REFERENCE_ACCESS_H
#define COLONNADE_TEST_TOOLS_REFERENCE_ACCESS_H

#include "clang/AST/DeclBase.h"

#include <string>
#include <tuple>

namespace colonnade::reference {

/// What is in a macro stands where the macro is expanded.
struct Place {
  std::string file; // without folders
  unsigned line = 0, column = 0;
  friend bool operator<(const Place &a, const Place &b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  }
};

enum class AccessKind {
  Load,  // x = a[i]
  Store, // a[i] = x
  Copy,  // s = t, of structs; memcpy; an array that is set up from a table
  Fill,  // memset; an array that is mostly zero
  Call,  // f(x), s + t of classes, and what Clang knows as intrinsics
};

struct Access {
  AccessKind kind = AccessKind::Call;
  Place place;
  unsigned bytes = 0;                  // Load, Store
  bool isZero = false;                 // Store, Fill: what is written
  const clang::Decl *callee = nullptr; // Call: canonical; null for intrinsics
  unsigned block = 0;                  // the instructions of one follow each other
  std::string text;                    // the instruction
};

} // namespace colonnade::reference

#endif // COLONNADE_TEST_TOOLS_REFERENCE_ACCESS_H
