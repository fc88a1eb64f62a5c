//===- SizeVariants.h - Code for some sizes beside that for all -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--size n=8,1..32` gives a function three sets of kernels: for all n, for 8 and for 1 to 32; a
// call of the first runs those of the other two at their sizes.
//
// In: the facts of a function, with lists of sizes and ranges. Out: the facts of each set, that for
// all sizes first, the others by how many sizes they are for, the fewest first. Invariant: no two
// are for the same sizes.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_SIZEVARIANTS_H
#define COLONNADE_DRIVER_SIZEVARIANTS_H

#include "Normalize/Normalize.h"

namespace colonnade {

struct SizeVariant {
  EntryFacts facts;   // without lists
  std::string suffix; // of its files: "_n8", "_n1_to_32"; empty: for all sizes
};

/// Each size of one list with each of the others. Error: more than MaxSizeVariants.
constexpr size_t MaxSizeVariants = 64;
llvm::Expected<std::vector<SizeVariant>> sizeVariants(const EntryFacts &facts);

/// All that is said of sizes, those of one value included.
SizeRanges sizesOf(const EntryFacts &facts);

} // namespace colonnade

#endif // COLONNADE_DRIVER_SIZEVARIANTS_H
