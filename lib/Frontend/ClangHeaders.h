//===- ClangHeaders.h - Clang headers of this stage, precompiled --*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: Clang. Out: the headers of it that this stage includes; they cost seconds a file, so they are
// precompiled once. Invariant: only lib/Frontend includes Clang; RecursiveASTVisitor is not among
// them.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_CLANGHEADERS_H
#define COLONNADE_FRONTEND_CLANGHEADERS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/Type.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#endif // COLONNADE_FRONTEND_CLANGHEADERS_H
