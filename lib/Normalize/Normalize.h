//===- Normalize.h - Raw IR to canonical instance IR -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   raw ─▶ (Inline, Promote, Resolve) ─▶ CountLoops ─▶ SeparateExits ─▶ Induction ─▶ canonical
//
//   Inline         calls disappear; the call path stays on every location
//   Promote        variables, fields and constant elements become SSA values
//   Resolve        pointers become (array, subscripts); struct leaves become arrays
//   CountLoops     Loop becomes For where counter, bound and step allow it
//   SeparateExits  what is carried into the next iteration is apart from what leaves
//   Induction      carried sums become functions of the counter
//
// The first three are one walk (Walk.h): a recursion ends because a promoted
// argument folds, a pointer kept in a struct is known once the struct is values.
// Simplify runs between the others: it drops what nothing needs, never an access.
//
// Out: a canonical Function: Load, Store, If, For, Loop and scalars only; each
// access has a stable id; each array its reads/writes flags.
// What cannot be normalised (unbounded recursion, a pointer stored in data)
// becomes an Unsupported op at its location, never an error.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_NORMALIZE_H
#define COLONNADE_NORMALIZE_NORMALIZE_H

#include "IR/Function.h"

#include "llvm/Support/Error.h"

#include <set>

namespace colonnade {

/// What the user says about an entry function beside its source.
struct EntryFacts {
  std::map<std::string, std::vector<SizeExpr>> extents;     // --extent b=n*n, b=n,m
  std::set<std::string> uniform;                            // --uniform
  std::set<std::string> instance;                           // --instance
  std::vector<std::pair<std::string, std::string>> aliases; // --alias out=in
  std::map<unsigned, SizeExpr> bounds;                      // --bound LINE=n, in the entry's file
  std::map<std::string, int64_t> sizes;                     // --size n=32: a constant from here on
};

/// Normalises one entry. Errors: a fact names no parameter (lists the names).
/// `module.sources` grows by inlined locations.
llvm::Expected<ir::Function> normalize(ir::Module &module, FunctionId entry,
                                       const EntryFacts &facts);

} // namespace colonnade

#endif // COLONNADE_NORMALIZE_NORMALIZE_H
