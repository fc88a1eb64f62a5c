//===- AddressProperties.h - What a certificate's addresses depend on -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a certificate. Out: what the check of its addresses against the extents, before a
// launch, needs to know.
//
// Where a uniform array's contents decide an address (b[perm[i]]), sizes alone do not
// give a(i): then every access is checked as it happens instead. Where addresses are
// linear in a loop's counter, its first and last iteration decide (LinearLoops.h).
// Invariant: what is not known to be linear, or not to need data, is taken not to be.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_OBLIVIOUS_ADDRESSPROPERTIES_H
#define COLONNADE_OBLIVIOUS_ADDRESSPROPERTIES_H

#include "Oblivious/Certificate/WithinExtents.h"

namespace colonnade {

struct AddressProperties {
  std::vector<bool> loaded; // per array: a value loaded from it is needed
  bool needData = false;    // such an array is passed in, its contents are unknown
  bool anyLinear = false;   // some loop is linear
  std::vector<bool> linear; // per op: a counted loop whose ends decide
  std::vector<bool> atEnds; // per value: it differs between the ends of such a loop
  WithinExtents within;     // what needs no check
};

AddressProperties addressProperties(const ir::Function &certificate);

} // namespace colonnade

#endif // COLONNADE_OBLIVIOUS_ADDRESSPROPERTIES_H
