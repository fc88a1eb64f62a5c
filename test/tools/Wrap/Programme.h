//===- Programme.h - A C programme as a C++ class --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a parsed C file with a `main`, and a name. Out: the text of a namespace of that name:
// its types, its constants, and a class `Programme` of the rest, whose variables are members
// and whose functions are methods. After it two entries:
//
//   int NAME();                          a programme of its own, a local object
//   int in_NAME(NAME_::Programme &);     the same in memory of the caller, if all variables
//                                        are numbers, which it sets one by one
//
// Both return 0 if the programme succeeds: `abort()` makes it 1, and so do `exit(c)` and a
// `main` that returns c, unless c is 0. A function without a body that C's library does not
// have is one that must never be called: it aborts. `printf` writes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_WRAP_PROGRAMME_H
#define COLONNADE_TEST_TOOLS_WRAP_PROGRAMME_H

#include "Wrap/Statements.h"

#include <set>
#include <vector>

namespace colonnade::wrap {

class Programme {
public:
  explicit Programme(clang::ASTContext &context);

  /// One `if` that leads to `abort` has its condition negated; false: there is none.
  bool plant();
  std::string text(llvm::StringRef name);

private:
  void collect();
  void addType(clang::TypeDecl &type);
  void addVariable(const clang::VarDecl &variable);
  void name(clang::NamedDecl &decl, std::set<std::string> &taken);
  std::set<std::string> headers() const;
  void writeTypes(llvm::raw_ostream &os);
  void writeFields(llvm::raw_ostream &os, const clang::RecordDecl &record);
  void writeVariable(llvm::raw_ostream &os, const clang::VarDecl &variable, llvm::StringRef prefix);
  void writeStartTables(llvm::raw_ostream &os);
  void writeStart(llvm::raw_ostream &os, const clang::VarDecl &variable);
  void writeStarts(llvm::raw_ostream &os);
  void writeFunction(llvm::raw_ostream &os, const clang::FunctionDecl &function);
  std::string attributes(const clang::Decl &decl) const;
  std::string nameOf(const clang::VarDecl &variable) const;
  bool canStart() const;
  bool hasConstantStart(const clang::VarDecl &variable) const;
  bool isConstant(const clang::VarDecl &variable) const;

  clang::ASTContext &context_;
  clang::PrintingPolicy policy_;
  Statements statements_;
  std::vector<clang::NamedDecl *> types_;              // records, enumerations, typedefs
  std::vector<const clang::VarDecl *> variables_;      // globals and static locals
  std::vector<const clang::FunctionDecl *> functions_; // those with a body, then those without
  std::set<const clang::VarDecl *> constants_;
  std::set<std::string> headers_;
  std::set<std::string> tags_, typedefs_; // names that are taken
};

} // namespace colonnade::wrap

#endif // COLONNADE_TEST_TOOLS_WRAP_PROGRAMME_H
