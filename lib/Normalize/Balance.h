//===- Balance.h - Nothing of the raw IR is lost ----------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proof is about the canonical function, so it is worth what Normalize is worth. Two
// balances are made in every call of the tool:
//
//   raw IR ──── lostByWalk ────▶ the walk's result ──── Inventory ────▶ canonical IR
//
// lostByWalk goes through the raw functions by itself, from the entry and into each call, and
// asks the walk's account of each load, store, copy, call, condition and check: it must have
// been appended, where its conditions and loops are, or have become a variable's value, or
// stand in an arm that the last walk decided is never taken. An Inventory does the same for
// the passes after the walk.
//
// In: both sides. Out: what is on the first alone, with its place.
// Invariant: shares no code with what it checks but the account.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_BALANCE_H
#define COLONNADE_NORMALIZE_BALANCE_H

#include "IR/Function.h"
#include "Normalize/Account.h"

#include <set>

namespace colonnade::canonical {

struct Loss {
  LocId loc;
  const char *what; // "a read"
};

/// Of the raw function `entry` in `walked`, whose walk kept `account`. The first 20.
std::vector<Loss> lostByWalk(ir::Module &module, FunctionId entry, const Account &account,
                             const ir::Function &walked);

/// What passes leave out because a condition is known, by the operation's number.
struct LeftOut {
  std::set<std::pair<uint32_t, unsigned>> arms; // of an If: never taken
  std::set<uint32_t> checks;                    // they hold
  std::set<uint32_t> once; // Loops that run at most once: an If, whose first arm is the body
};

/// The operations that must not be lost between two functions.
class Inventory {
public:
  /// Numbers them in `function`: ir::Op::provenance.
  explicit Inventory(ir::Function &function);
  /// Those that `result` has neither in the same place nor left out. The first 20.
  std::vector<Loss> missingFrom(const ir::Function &result, const LeftOut &leftOut) const;

private:
  struct Entry {
    ir::Opcode opcode = ir::Opcode::Undef;
    bool isEffect = false; // else it may be left out with nothing in it
    LocId loc;
    uint32_t control = 0; // the If, For or Loop around it; 0: none
    unsigned arm = 0;     // of that If; 1: the body of that Loop
  };
  std::vector<Entry> entries_ = {{}}; // by number
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_BALANCE_H
