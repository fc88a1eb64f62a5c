//===- FactSelection.h - Which facts are about which function ---*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line has one set of facts (--extent, --uniform, …), but may name several
// functions. In: the facts, and the raw functions. Out: the facts about each function.
//
// With one function, all facts are about it, and normalize() judges their names. With
// several, `--extent b=n` is about those that have a parameter b.
//
// Invariant: every fact is about at least one function, or an Error names it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_FACTSELECTION_H
#define COLONNADE_DRIVER_FACTSELECTION_H

#include "Normalize/Normalize.h"

namespace colonnade {

/// The facts of each entry. Error: a name that no entry has.
llvm::Expected<std::vector<EntryFacts>> selectFacts(const ir::Module &module,
                                                    const std::vector<FunctionId> &entries,
                                                    const EntryFacts &facts);

} // namespace colonnade

#endif // COLONNADE_DRIVER_FACTSELECTION_H
