//===- Origins.h - Where a value's data comes from --------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lattice of the analysis. An element is a set of origins (operations that
// bring instance data in), each with one shortest path from there; the empty set
// is "uniform".
//
// In: origins, and the steps that data takes from them. Out: labels, which are 32
// bits: sets are interned, and equality is cheap.
// Invariant: a set keeps its `maxOrigins` lowest origins and a flag that there are
// more, so join stays commutative, associative and idempotent on origins, and
// emptiness, on which soundness rests, is exact. Of two paths from one origin the
// shorter wins, then the one found first.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_ORIGINS_H
#define COLONNADE_OBLIVIOUS_ORIGINS_H

#include "IR/Function.h"

#include <unordered_map>

namespace colonnade {

enum class StepKind : uint8_t {
  Source,      // b[i] is loaded: instance data
  Undefined,   // an indeterminate value is read
  Opaque,      // result of an unsupported construct
  Assigned,    // x = …
  Condition,   // if (…) depends on it
  Chosen,      // x has a different value on the two sides of that if
  Exit,        // the loop is left depending on it
  LeftOver,    // i keeps the value it had when the loop was left
  Stored,      // t[k] = …
  StoredUnder, // t[k] = … runs only in the instances where a condition holds
  StoredAt,    // t[x] = 0 where x depends on data
  Read,        // … = t[k]
};

using StepId = Id<struct StepTag>;

/// One step of a path; steps form trees that share their prefixes.
struct Step {
  StepKind kind = StepKind::Source;
  uint32_t subject = 0; // an op, value or array of the function, by kind
  LocId loc;
  StepId parent; // invalid for the first step
  uint32_t length = 1;
};

/// What the origins of a set are, joined: it decides the class of a finding.
enum OriginTraits : uint8_t {
  NoTraits = 0,
  PlainData = 1,      // an ordinary cell of instance data
  DeclarableCell = 2, // a never-written cell at a constant address, used as sizes are: len[0]
  Indeterminate = 4,  // uninitialised
  OpaqueResult = 8,   // of an unsupported construct
  SharableCell = 16,  // a never-written cell elsewhere, used as indices are: col[k]
  ByteCell = 32,      // of 8 bits: a length perhaps, but no offset
};

struct OriginSet {
  struct Entry {
    OpId origin;
    StepId step;
    friend bool operator==(const Entry &, const Entry &) = default;
  };
  llvm::SmallVector<Entry, 2> entries; // sorted by origin
  uint8_t traits = NoTraits;
  bool more = false; // there are further origins
  friend bool operator==(const OriginSet &, const OriginSet &) = default;
};

/// An interned OriginSet; 0 is the empty set.
struct Label {
  uint32_t index = 0;
  bool uniform() const { return index == 0; }
  friend bool operator==(Label, Label) = default;
};

/// Owns all sets and steps of one analysis.
class Origins {
public:
  static constexpr size_t maxOrigins = 8;

  Origins();
  Label source(OpId origin, StepKind kind, LocId loc, uint8_t traits);
  Label join(Label a, Label b);
  /// Every path of `label` continued by one step; uniform stays uniform.
  Label extend(Label label, StepKind kind, uint32_t subject, LocId loc);
  /// What is computed from `label` by other than affine operations: no size any more.
  Label asData(Label label) {
    return withoutTraits(label, DeclarableCell | SharableCell | ByteCell);
  }
  /// What is decided by comparing it: perhaps a size, but no index.
  Label asDecision(Label label) { return withoutTraits(label, SharableCell); }
  /// Equal up to the paths: the test for a fixpoint.
  bool sameOrigins(Label a, Label b) const;

  const OriginSet &operator[](Label label) const { return sets_[label.index]; }
  const Step &step(StepId id) const { return steps_[id.index]; }
  /// Steps of the shortest path of the set, first to last.
  std::vector<Step> shortestPath(Label label) const;

private:
  Label withoutTraits(Label label, uint8_t traits);
  Label intern(OriginSet set);
  StepId internStep(const Step &step);

  std::vector<OriginSet> sets_;
  std::vector<Step> steps_;
  std::unordered_multimap<size_t, uint32_t> setIndex_;
  std::unordered_multimap<size_t, uint32_t> stepIndex_;
  std::unordered_map<uint64_t, uint32_t> joins_;
};

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_ORIGINS_H
