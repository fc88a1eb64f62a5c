//===- Ids.h - Dense, typed indices -----------------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of the IR's entities (value, operation, region, array, location): dense 32-bit
// indices into the arena that owns them.
//
// In: an index. Out: an id, whose tag makes indices of different arenas different
// types.
// Invariant: a default-constructed id names nothing, and is false.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_SUPPORT_IDS_H
#define COLONNADE_SUPPORT_IDS_H

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace colonnade {

template <class Tag> struct Id {
  static constexpr uint32_t None = UINT32_MAX;
  uint32_t index = None;

  constexpr Id() = default;
  constexpr explicit Id(size_t i) : index(static_cast<uint32_t>(i)) {}
  constexpr bool valid() const { return index != None; }
  constexpr explicit operator bool() const { return valid(); }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using ValueId = Id<struct ValueTag>;
using OpId = Id<struct OpTag>;
using RegionId = Id<struct RegionTag>;
using ArrayId = Id<struct ArrayTag>;
using LocId = Id<struct LocTag>;
using FunctionId = Id<struct FunctionTag>;
using MemTypeId = Id<struct MemTypeTag>;
using PartId = Id<struct PartTag>;

} // namespace colonnade

template <class Tag> struct std::hash<colonnade::Id<Tag>> {
  size_t operator()(colonnade::Id<Tag> id) const noexcept { return id.index; }
};

#endif // COLONNADE_SUPPORT_IDS_H
