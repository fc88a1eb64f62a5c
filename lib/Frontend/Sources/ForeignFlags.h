//===- ForeignFlags.h - Flags of other compilers ---------------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a command line. Out: the same without flags of GCC that Clang does not know and that
// change nothing of what a programme means: they tune, trace or warn.
//
// Invariant: any other flag that Clang does not know stays, so that it is an error: without
// it, the file may be another programme.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_FOREIGNFLAGS_H
#define COLONNADE_FRONTEND_FOREIGNFLAGS_H

#include "clang/Tooling/ArgumentsAdjusters.h"

namespace colonnade::frontend {

/// `args` begins with the compiler's name.
clang::tooling::CommandLineArguments
withoutHarmlessFlags(const clang::tooling::CommandLineArguments &args);

/// Whether a flag is on that makes another programme of the file, and that Clang, where it parses,
/// leaves out with no more than a warning, or this tool does not follow.
bool hasNeglectedFlag(const clang::tooling::CommandLineArguments &args);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_FOREIGNFLAGS_H
