//===- DiscardRules.h - The names of the rules ------------------*- C++ -*--===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every reason that there is for an evaluation to have no operation. In: the rows of Discards.def.
// Out: an enumerator and a text for each. Invariant: there is no other reason.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_LEDGER_DISCARDRULES_H
#define COLONNADE_FRONTEND_LEDGER_DISCARDRULES_H

#include "llvm/ADT/StringRef.h"

namespace colonnade::frontend::ledger {

enum class DiscardRule : uint8_t {
#define COLONNADE_DISCARD(Rule, reason) Rule,
#define COLONNADE_EXCUSE(Rule, reason) Rule,
#include "Frontend/Ledger/Discards.def"
};
llvm::StringRef name(DiscardRule rule);

} // namespace colonnade::frontend::ledger

#endif // COLONNADE_FRONTEND_LEDGER_DISCARDRULES_H
