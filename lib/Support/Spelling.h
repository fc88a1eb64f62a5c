//===- Spelling.h - What a misspelt name may mean ---------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a misspelt name may mean.
//
// In: a name that is not known, and the known ones. Out: "; did you mean 'x'?", or nothing.
// Invariant: only a name that differs in few letters is proposed.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_SUPPORT_SPELLING_H
#define COLONNADE_SUPPORT_SPELLING_H

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

namespace colonnade {

std::string didYouMean(llvm::StringRef name, const std::set<std::string> &known);

} // namespace colonnade

#endif // COLONNADE_SUPPORT_SPELLING_H
