//===- Slots.h - Variables and the values they have here --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slot is a scalar or pointer variable (or field, or element at a constant
// subscript) and the value that it has where the walk stands.
//
// In: reads and writes in program order; a mark where an arm or a loop's body
// begins. Out: the values; which slots were written since a mark, so that they can
// be joined; and everything as it was at the mark, for the other arm.
// Invariant: undoing to a mark leaves each slot with the value it had there, those
// created since included.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_NORMALIZE_WALK_SLOTS_H
#define COLONNADE_NORMALIZE_WALK_SLOTS_H

#include "Normalize/Walk/Place.h"

#include <map>

namespace colonnade::canonical {

struct Slot {
  ScalarType type = ScalarType::S32;
  std::string name;
  LocId loc;
  bool isOwn = false;   // ir::Op::isOwn
  uint64_t created = 0; // when its variable last came to exist
  AbstractValue value;
  bool isPointer() const { return type == ScalarType::Pointer; }
};

class Slots {
public:
  using Values = std::map<SlotId, AbstractValue>;
  struct Mark {
    size_t writes = 0;
    uint64_t time = 0;
  };

  Slots(Folder &fold, Pointers &pointers) : fold_(fold), pointers_(pointers) {}

  SlotId add(ScalarType type, std::string name, LocId loc, bool isOwn);
  const Slot &operator[](SlotId id) const { return slots_[id.index]; }
  /// A variable comes to exist (again), without a value or with the caller's.
  void create(SlotId id);
  void createWith(SlotId id, AbstractValue v) { slots_[id.index].value = v; }

  AbstractValue read(SlotId id);
  void write(SlotId id, AbstractValue v);
  /// The scalar that slot `id` has if it has value `v`. One that was never written
  /// reads as Undef with the variable's name and location; the front end's own
  /// variables as zero, because they are only read where they were written.
  ValueId scalar(SlotId id, AbstractValue v);

  Mark mark() const { return {log_.size(), time_}; }
  /// Slots of variables that existed at the mark, written since, with their values.
  Values writtenSince(Mark mark) const;
  void undo(Mark mark);

private:
  Folder &fold_;
  Pointers &pointers_;
  std::deque<Slot> slots_;
  std::vector<std::pair<SlotId, AbstractValue>> log_; // a write: the value before it
  uint64_t time_ = 0;                                 // counts creations
};

} // namespace colonnade::canonical

#endif // COLONNADE_NORMALIZE_WALK_SLOTS_H
