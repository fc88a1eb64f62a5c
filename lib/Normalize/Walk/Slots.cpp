//===- Slots.cpp - Variables and the values they have here ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Walk/Slots.h"

namespace colonnade::canonical {

SlotId Slots::add(ScalarType type, std::string name, LocId loc, bool isOwn) {
  SlotId id(slots_.size());
  Slot &slot = slots_.emplace_back();
  slot.type = type;
  slot.name = std::move(name);
  slot.loc = loc;
  slot.isOwn = isOwn;
  slot.created = ++time_;
  return id;
}

void Slots::create(SlotId id) {
  slots_[id.index].created = ++time_;
  write(id, {});
}

AbstractValue Slots::read(SlotId id) {
  fold_.account().add(Deed::Read);
  const Slot &slot = slots_[id.index];
  if (slot.isPointer())
    return slot.value.isSet() ? slot.value : pointers_.unknown();
  return {fold_.refine(scalar(id, slot.value))};
}

void Slots::write(SlotId id, AbstractValue v) {
  fold_.account().add(Deed::Write);
  Slot &slot = slots_[id.index];
  log_.push_back({id, slot.value});
  slot.value = v;
}

ValueId Slots::scalar(SlotId id, AbstractValue v) {
  if (v.isSet())
    return v.scalar;
  const Slot &slot = slots_[id.index];
  if (slot.isOwn)
    return fold_.constant({slot.type, 0});
  LocId here = fold_.loc();
  fold_.setLoc(slot.loc);
  ValueId undef = fold_.undef(slot.type, slot.name);
  fold_.setLoc(here);
  return undef;
}

Slots::Values Slots::writtenSince(Mark mark) const {
  Values written;
  for (size_t i = mark.writes; i < log_.size(); ++i) {
    SlotId slot = log_[i].first;
    if (slots_[slot.index].created <= mark.time)
      written[slot] = slots_[slot.index].value;
  }
  return written;
}

void Slots::undo(Mark mark) {
  while (log_.size() > mark.writes) {
    slots_[log_.back().first.index].value = log_.back().second;
    log_.pop_back();
  }
}

} // namespace colonnade::canonical
