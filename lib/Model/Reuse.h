//===- Reuse.h - How far back a unit of memory was last accessed -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the accesses of a warp in their order, each to a unit (a sector of each lane, or what the
// lanes share). Out: for each site, how many bytes of other units were accessed since a unit was
// last accessed. A cache that evicts what was not used for the longest time, and holds more than
// that, answers the access (Mattson's stack distances).
//
// Invariant: every access is counted once, as a first one or with its distance.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_REUSE_H
#define COLONNADE_MODEL_REUSE_H

#include "Support/Ids.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <map>

namespace colonnade::model {

struct UnitAccess {
  OpId op; // the site
  uint64_t unit;
  uint32_t bytes; // of the unit: the same in all its accesses
  bool isStore;
};

/// How many accesses have each distance in bytes, the unit itself included.
class Distances {
public:
  void add(uint64_t distance) { ++counts_[distance]; }
  void addFirst() { ++first_; }
  uint64_t first() const { return first_; }
  /// Those that a cache of so many bytes does not answer if it evicts what was not used for the
  /// longest time, without the first ones.
  uint64_t beyond(double bytes) const;
  /// The same of a cache whose choice is not known: it loses no distance up to its size, all from
  /// half as much again on, and in between the more the farther.
  double likelyBeyond(double bytes) const;

private:
  std::map<uint64_t, uint64_t> counts_;
  uint64_t first_ = 0;
};

struct SiteReuse {
  Distances accesses;
  /// Of a store: the longest distance of its unit since it was last stored to. Memory is written
  /// once for each of those that a cache does not hold on to.
  Distances writes;
};

std::map<OpId, SiteReuse> reuse(llvm::ArrayRef<UnitAccess> accesses);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_REUSE_H
