//===- Statements.h - C statements as C++ text -----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: function bodies and initialisers of a C file. Out: their text as C++, for a class
// whose members the file's variables and functions have become.
//
// Invariant: Clang's own printer writes everything; here is only what C++ reads otherwise
// or not at all (conversions that C makes silently, characters, `exit` in `main`), what the
// class has taken over (statics and prototypes in functions), and the planted `if`.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TEST_TOOLS_WRAP_STATEMENTS_H
#define COLONNADE_TEST_TOOLS_WRAP_STATEMENTS_H

#include "clang/AST/Expr.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/Stmt.h"

#include <map>

namespace colonnade::wrap {

/// `type name`, as a declaration.
std::string declarator(clang::QualType type, llvm::StringRef name,
                       const clang::PrintingPolicy &policy);

class Statements final : public clang::PrinterHelper {
public:
  explicit Statements(const clang::PrintingPolicy &policy) : policy_(policy) {}

  /// A static local's name in the class.
  void rename(const clang::VarDecl &local, std::string name) { names_[&local] = std::move(name); }
  std::string nameOf(const clang::VarDecl &local) const { return names_.at(&local); }
  /// The `if` whose condition is printed as its opposite.
  void plant(const clang::IfStmt &statement) { planted_ = &statement; }

  std::string body(const clang::FunctionDecl &function);
  std::string expression(const clang::Expr &expression);

private:
  bool handledStmt(clang::Stmt *statement, llvm::raw_ostream &os) override;
  bool handledCast(const clang::ImplicitCastExpr &cast, llvm::raw_ostream &os);
  bool handledCall(const clang::CallExpr &call, llvm::raw_ostream &os);
  bool handledDeclarations(const clang::DeclStmt &statement, llvm::raw_ostream &os);
  bool handledReturn(const clang::ReturnStmt &statement, llvm::raw_ostream &os);
  bool handledReference(const clang::DeclRefExpr &reference, llvm::raw_ostream &os);
  bool handledPlanted(const clang::Expr &condition, llvm::raw_ostream &os);

  const clang::PrintingPolicy &policy_;
  std::map<const clang::VarDecl *, std::string> names_;
  const clang::FunctionDecl *function_ = nullptr;
  const clang::IfStmt *planted_ = nullptr;
};

} // namespace colonnade::wrap

#endif // COLONNADE_TEST_TOOLS_WRAP_STATEMENTS_H
