//===- Reuse.cpp - How far back a unit of memory was last accessed --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Reuse.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <vector>

namespace colonnade::model {

uint64_t Distances::beyond(double bytes) const {
  uint64_t sum = 0;
  for (const auto &[distance, times] : counts_)
    if (static_cast<double>(distance) > bytes)
      sum += times;
  return sum;
}

double Distances::likelyBeyond(double bytes) const {
  double sum = 0;
  for (const auto &[distance, times] : counts_) {
    const double held = bytes / static_cast<double>(std::max<uint64_t>(distance, 1));
    sum += static_cast<double>(times) * std::clamp(3 * (1 - held), 0.0, 1.0);
  }
  return sum;
}

namespace {

/// Bytes of the units by when they were last accessed: a binary indexed tree.
class LastAccesses {
public:
  explicit LastAccesses(size_t places) : sums_(places + 1) {}

  void add(size_t place, int64_t bytes) {
    for (++place; place < sums_.size(); place += place & (~place + 1))
      sums_[place] += bytes;
  }
  /// Of all places before.
  int64_t before(size_t place) const {
    int64_t sum = 0;
    for (; place > 0; place &= place - 1)
      sum += sums_[place];
    return sum;
  }

private:
  std::vector<int64_t> sums_;
};

struct UnitState {
  size_t last = 0;
  bool wasStored = false;
  uint64_t farthest = 0; // since the last store
};

} // namespace

std::map<OpId, SiteReuse> reuse(llvm::ArrayRef<UnitAccess> accesses) {
  std::map<OpId, SiteReuse> result;
  LastAccesses last(accesses.size());
  llvm::DenseMap<uint64_t, UnitState> units;
  for (size_t at = 0; at < accesses.size(); ++at) {
    const UnitAccess &access = accesses[at];
    SiteReuse &site = result[access.op];
    auto [found, isFirst] = units.try_emplace(access.unit);
    UnitState &unit = found->second;
    if (isFirst) {
      site.accesses.addFirst();
    } else {
      const auto distance = static_cast<uint64_t>(last.before(at) - last.before(unit.last));
      site.accesses.add(distance);
      unit.farthest = std::max(unit.farthest, distance);
      last.add(unit.last, -int64_t(access.bytes));
    }
    unit.last = at;
    last.add(at, access.bytes);
    if (!access.isStore)
      continue;
    if (unit.wasStored)
      site.writes.add(unit.farthest);
    else
      site.writes.addFirst();
    unit.wasStored = true;
    unit.farthest = 0;
  }
  return result;
}

} // namespace colonnade::model
