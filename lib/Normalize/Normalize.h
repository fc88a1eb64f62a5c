//===- Normalize.h - Raw IR to canonical instance IR -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   raw ─▶ Walk ─▶ CountLoops ─▶ SeparateExits ─▶ Induction ─▶ canonical
//
//   Walk           calls disappear, the call path stays on every location; variables,
//                  fields and constant elements become SSA values; pointers become
//                  (array, subscripts), struct leaves arrays (Walk/Walk.h)
//   CountLoops     Loop becomes For where counter, bound and step allow it
//   SeparateExits  what is carried into the next iteration is apart from what leaves
//   Induction      carried sums become functions of the counter
//
// Simplify runs between them: it drops what nothing needs, never an access. That nothing else
// is dropped, by the walk or a pass, is checked in every call of the tool (Balance.h).
//
// In: a raw function of a module, and what the user states about it.
// Out: a canonical Function: Load, Store, If, For, Loop and scalars only; each
// access has a stable id; each array its reads/writes flags.
// Invariant: what cannot be normalised (unbounded recursion, a pointer stored in
// data) becomes an Unsupported operation at its location, never an error.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_NORMALIZE_H
#define COLONNADE_NORMALIZE_NORMALIZE_H

#include "IR/Function.h"
#include "Support/SizeRange.h"

#include "llvm/Support/Error.h"

#include <set>

namespace colonnade {

/// Where a stated bound's loop stands, or the call of the library function that has it.
struct LoopPlace {
  std::string file; // the end of its path; empty: the entry's file
  unsigned line = 0;
  friend auto operator<=>(const LoopPlace &, const LoopPlace &) = default;

  std::string str() const { return (file.empty() ? "" : file + ":") + std::to_string(line); }
  /// Is it at `loc`, for an entry that stands at `entry`?
  bool isAt(const SourceMap &sources, LocId loc, LocId entry) const;
};

/// What the user says about an entry function beside its source.
struct EntryFacts {
  std::map<std::string, std::vector<SizeExpr>> extents;     // --extent b=n*n, b=n,m
  std::set<std::string> uniform;                            // --uniform
  std::set<std::string> instance;                           // --instance
  std::vector<std::pair<std::string, std::string>> aliases; // --alias out=in
  std::map<LoopPlace, SizeExpr> bounds;                     // --bound LINE=n, FILE:LINE=n
  std::map<std::string, int64_t> sizes;                     // --size n=32: a constant from here on
  SizeRanges sizeRanges; // --size n=1..32: the only values of calls; nothing is specialised here
  std::map<std::string, std::vector<SizeRange>>
      sizeLists; // --size n=8,1..32: Driver/SizeVariants.h
};

/// How often a function is walked over; ordinary ones need one or two walks.
constexpr unsigned DefaultMaxWalks = 64;

/// Operations up to which calls are replaced by what they call. Ten times as many take ten
/// times as long, and as much memory.
constexpr unsigned MaxInlinedOps = 200'000;
/// The same for what is read, written, called and decided on the way, which may come to less:
/// `f(x) + f(x)` makes each operation of `f` once.
constexpr unsigned MaxInlinedNotes = 1'000'000;

/// A canonical function without operations: the raw one's name, place and result.
ir::Function emptyCanonical(const ir::Function &raw);

/// Normalises one entry. Errors: a fact names nothing (lists what there is), or instance data
/// where a size is needed.
/// `module.sources` grows by inlined locations. A function that is not settled after
/// `maxWalks` walks is Unsupported at the place where the last one added a decision, one of
/// more than MaxInlinedOps operations, or MaxInlinedNotes notes, at the call that exceeds them.
/// `unreduced`, if given: the function before what nothing needs was left out. The interpreter
/// stops there at undefined behaviour also where its result is unused.
llvm::Expected<ir::Function> normalize(ir::Module &module, FunctionId entry,
                                       const EntryFacts &facts, unsigned maxWalks = DefaultMaxWalks,
                                       ir::Function *unreduced = nullptr);

} // namespace colonnade

#endif // COLONNADE_NORMALIZE_NORMALIZE_H
