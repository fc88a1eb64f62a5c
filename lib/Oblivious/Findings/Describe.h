//===- Describe.h - Source-like text of values and accesses -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source-like text of values and accesses, for messages.
//
// In: a value or an access. Out: what the user wrote, rebuilt from source names; "..."
// where there is none.
// Invariant: for people only; nothing is decided by these texts.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_DESCRIBE_H
#define COLONNADE_OBLIVIOUS_DESCRIBE_H

#include "IR/Function.h"

namespace colonnade {

/// "i*n + j", "b[i]", "3"; "..." where it would be too long.
std::string describe(const ir::Function &function, ValueId value);
/// "b[i - 1]" for a Load or Store; "s.len" for an array of one cell.
std::string describeAccess(const ir::Function &function, const ir::Op &op);
/// The variable's name, or that of the value it was cast from; may be empty.
llvm::StringRef nameOf(const ir::Function &function, ValueId value);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_DESCRIBE_H
