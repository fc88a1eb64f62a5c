//===- Table.h - Functions that are known by name --------------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function that is called. Out: its row of the table: the handler that lowers
// the call without a look at the function's body, or why it has no body to lower.
//
// Invariant: rows of one name differ in where the function comes from or in the number
// of its arguments, so that at most one row means a call. A user's own function of the
// same name comes from none of these places; it is called like any other.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LIBRARY_TABLE_H
#define COLONNADE_FRONTEND_LIBRARY_TABLE_H

#include "IR/Function.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace colonnade::frontend::library {

struct LibraryCall;

/// The value of a call that is lowered (invalid: it has none). None: a form of the
/// call that the handler does not know; it is lowered like any other call.
using CallResult = std::optional<ValueId>;
using Handler = CallResult (*)(const LibraryCall &call);

/// Where a function comes from. A bit each: a row may take several.
enum Source : unsigned {
  Builtin = 1,  // __builtin_popcount; the row's name is without the prefix
  Std = 2,      // std::popcount of a system header
  System = 4,   // sqrt: any other of a system header, or one that Clang knows by its type
  StdArray = 8, // a member of std::array
  NoBody = 16,  // printf: a global function of any header whose body is not seen
  Library = Builtin | Std | System,
};

struct LibraryFunction {
  llvm::StringLiteral name;
  unsigned sources;
  unsigned fewest, most; // arguments; other calls are lowered like any other
  Handler lower;         // null: not by this
  /// For functions that return a reference: gives the value there, where nothing but
  /// that value is wanted. Null: `lower` gives the place, which is then read.
  Handler read = nullptr;
  llvm::StringLiteral refusal = ""; // of NoBody, what it would be: "input or output"
};

/// Every row, in the order of the file.
llvm::ArrayRef<LibraryFunction> allFunctions();

/// The row that means `callee`, called with this number of arguments; else null.
const LibraryFunction *findFunction(const clang::FunctionDecl &callee, unsigned arguments);

/// A function whose name begins with __builtin_.
bool isBuiltin(const clang::FunctionDecl &callee);

/// int abs(int x) { … } in the user's files, with the linkage of the library's: compilers may put
/// the library's in place of a call of it.
bool isRedefined(const clang::FunctionDecl &callee);

/// The row for a function whose body is not seen, by its qualified name; else null.
const LibraryFunction *findUnseenFunction(llvm::StringRef qualifiedName);

} // namespace colonnade::frontend::library

#endif // COLONNADE_FRONTEND_LIBRARY_TABLE_H
