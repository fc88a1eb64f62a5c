//===- BlockPlaces.h - Where in a block a counter is ------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a value, and how long blocks of counters are. Out: the block that it is in and its place
// there, where it is computed from the counters of a loop over blocks and of one in them. What
// compares two places is a constant once the latter is unrolled.
//
//   for (q = 0; …) for (w = 0; w < 8; ++w) { k = q * 8 + w; … }
//                                             k is in block q * 2 + w / 4 of four, at w % 4
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_TEAMS_BLOCKPLACES_H
#define COLONNADE_TRANSFORM_TEAMS_BLOCKPLACES_H

#include "Transform/BlockBuilder.h"
#include "Transform/Teams/TileSlots.h"

#include <optional>

namespace colonnade {

/// value = block * length + within, 0 <= within < length.
struct BlockPlace {
  ValueId block, within;
};
/// At the builder's place. nullopt: it is computed in another way.
std::optional<BlockPlace> blockPlace(BlockBuilder &builder, ValueId value, unsigned length);

/// Whether the slot's counter is a value, or behind it. Invalid: blocks do not tell.
ValueId isSlotAt(BlockBuilder &builder, const TileSlot &slot, ValueId value);
ValueId isSlotBehind(BlockBuilder &builder, const TileSlot &slot, ValueId value);

/// Whether a loop from `low` to `high` has one iteration, at a value of which blocks tell.
bool isAtOne(BlockBuilder &builder, ValueId low, ValueId high, unsigned length);

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_TEAMS_BLOCKPLACES_H
