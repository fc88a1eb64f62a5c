//===- ToolInvocation.h - Runs Clang on the sources ------------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_TOOLINVOCATION_H
#define COLONNADE_FRONTEND_TOOLINVOCATION_H

#include "Frontend/Frontend.h"
#include "Frontend/FunctionSelector.h"

namespace colonnade::frontend {

/// Lines appended to a source file in memory, by the file's index: they ask for
/// template instances.
using Additions = std::map<size_t, std::string>;

/// One ASTUnit per file. Clang prints its errors itself; the Error only says
/// that compilation failed.
llvm::Expected<Units> parseSources(const FrontendOptions &options, const Additions &additions);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_TOOLINVOCATION_H
