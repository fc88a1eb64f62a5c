//===- Account.h - What became of each operation of the raw IR -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one side of a balance, whose other side is in Balance.h. It is kept where something
// is done (an operation appended, a variable read), not where it is asked for: a handler
// that forgets an operand does not note it either.
//
// In: the operation that the walk is at, and what is done for it. Out: the notes.
// Invariant: what was done in an attempt that was given up is forgotten with it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_ACCOUNT_H
#define COLONNADE_NORMALIZE_ACCOUNT_H

#include "Support/Ids.h"

#include <vector>

namespace colonnade::canonical {

/// An operation of a raw function, in a chain of calls.
struct Site {
  uint32_t path = 0; // numbers the chain; 0: the entry
  uint32_t op = 0;
  friend auto operator<=>(const Site &, const Site &) = default;
};

enum class Deed : uint8_t {
  Read,     // x = a[i]: a Load, or the value of a variable
  Write,    // a[i] = x: a Store, or a variable's new value
  Refused,  // an Unsupported operation
  Kept,     // if (x): an If, For or Loop
  Taken,    // if (true): its first arm alone
  NotTaken, // if (false): its second arm alone
  Once,     // do { … } while (0): the body alone
  Skipped,  // while (false): the body never runs
  Checked,  // assume(x): a Check
  Holds,    // assume(true): none is needed
  Called,   // f(x): what it calls, in its place
  Empty,    // memcpy(a, b, 0)
};

struct Note {
  Site site;
  Deed deed;
  OpId made;         // what was appended for it; invalid: nothing is needed
  uint32_t path = 0; // Called: numbers the chain of calls with this one
};

class Account {
public:
  void add(Deed deed, OpId made = {}, uint32_t path = 0) {
    notes_.push_back({site_, deed, made, path});
  }
  const std::vector<Note> &notes() const { return notes_; }
  size_t mark() const { return notes_.size(); }
  void forgetSince(size_t mark) { notes_.resize(mark); }

private:
  friend class AtSite;
  Site site_;
  std::vector<Note> notes_;
};

/// While it lives, the walk is at `site`.
class AtSite {
public:
  AtSite(Account &account, Site site) : account_(account), outer_(account.site_) {
    account.site_ = site;
  }
  ~AtSite() { account_.site_ = outer_; }
  AtSite(const AtSite &) = delete;

private:
  Account &account_;
  Site outer_;
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_ACCOUNT_H
