//===- EarlierLoads.cpp - Loads of a cell that was loaded before ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/EarlierLoads.h"

using namespace colonnade;
using namespace colonnade::ir;

CellKey EarlierLoads::keyOf(const Op &access) const {
  const AccessOperands parts = accessOperands(access);
  return cellKey(access.array, parts.subscripts, parts.radices,
                 [&](ValueId value) { return numbers_.of(value); });
}

ValueId EarlierLoads::of(ValueId load) const {
  const auto same = same_.find(load.index);
  return same == same_.end() ? ValueId() : same->second;
}

void EarlierLoads::forget(uint32_t array) {
  for (auto each = available_.begin(); each != available_.end();)
    each = each->first[0] == array ? available_.erase(each) : std::next(each);
}

void EarlierLoads::forget(RegionId region) {
  for (OpId id : kernel_.region(region).ops) {
    const Op &op = kernel_.op(id);
    if (op.opcode == Opcode::Store)
      forget(op.array.index);
    for (RegionId inner : op.regions)
      forget(inner);
  }
}

void EarlierLoads::note(OpId id) {
  const Op &op = kernel_.op(id);
  if (op.opcode == Opcode::Store)
    return forget(op.array.index);
  if (op.opcode == Opcode::Load) {
    const auto [found, isNew] = available_.try_emplace(keyOf(op), op.results[0]);
    if (!isNew)
      same_[op.results[0].index] = found->second;
    return;
  }
  if (op.opcode != Opcode::If)
    for (RegionId region : op.regions)
      forget(region);
  for (RegionId region : op.regions) {
    std::map<CellKey, ValueId> before = available_;
    for (OpId inner : kernel_.region(region).ops)
      note(inner);
    for (auto each = before.begin(); each != before.end();)
      each = available_.contains(each->first) ? std::next(each) : before.erase(each);
    available_ = std::move(before);
  }
}
