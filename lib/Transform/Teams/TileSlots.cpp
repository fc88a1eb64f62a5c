//===- TileSlots.cpp - A member's rows and columns of a nest --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TileSlots.h"

using namespace colonnade;
using namespace colonnade::ir;

TileSlots::TileSlots(BlockBuilder &builder, TeamGrid grid, ValueId row, ValueId column)
    : builder_(builder), grid_(grid), row_(row), column_(column),
      narrowRow_(builder.varying(builder.cast(row, ScalarType::S32))),
      narrowColumn_(builder.varying(builder.cast(column, ScalarType::S32))) {}

/// A row or column in a counter's type.
ValueId TileSlots::placeIn(ValueId place, ScalarType type) {
  if (type == ScalarType::S32)
    return place == row_ ? narrowRow_ : narrowColumn_;
  return builder_.varying(builder_.cast(place, type));
}

/// Unrolled, if there is more than one number.
void TileSlots::count(ScalarType type, unsigned end, const std::string &name,
                      llvm::function_ref<void(ValueId number)> body) {
  const auto number = [&](unsigned value) { return builder_.constantInt(type, value); };
  if (end <= 1)
    return body(number(0));
  const ValueId none = number(0), high = number(end), one = number(1);
  const OpId loop = builder_.createFor(none, high, one, Predicate::Lt, false, {});
  loops_.push_back(loop);
  const InsertionScope scope(builder_);
  const RegionId region = builder_.function().op(loop).regions[0];
  builder_.setRegion(region);
  const ValueId counter = builder_.function().region(region).args[0];
  builder_.function().value(counter).name = name;
  body(counter);
  builder_.yield({});
}

/// for (u = 0; u < slots; ++u) { i = u * members + own; … }, or for blocks
/// for (turn = 0; …) { p = turn * members + own; … }
void TileSlots::eachTurn(const Dimension &dimension, unsigned slots, TurnBody body) {
  if (dimension.axis.block > 1)
    return eachBlock(dimension, slots, body);
  const ValueId own = placeIn(dimension.own, dimension.type);
  const bool isAlone = slots <= 1;
  count(dimension.type, slots, dimension.slotName(), [&](ValueId slot) {
    const ValueId before =
        isAlone ? own
                : builder_.binary(Opcode::Mul, slot,
                                  builder_.constantInt(dimension.type, dimension.axis.members));
    const ValueId ahead = builder_.binary(Opcode::Add, before, isAlone ? slot : own);
    const ValueId counter =
        dimension.base ? builder_.binary(Opcode::Add, dimension.base, ahead) : ahead;
    builder_.function().value(counter).name = dimension.name;
    builder_.varying(counter);
    const ValueId number = isAlone ? builder_.number(0) : builder_.cast(slot, ScalarType::S64);
    body({counter, {}, {}, number, 1, dimension.name, dimension.slotName()});
  });
}

void TileSlots::eachBlock(const Dimension &dimension, unsigned slots, TurnBody body) {
  const ScalarType type = dimension.type;
  const ValueId own = placeIn(dimension.own, type);
  const std::string name = dimension.slotName();
  count(type, slots / dimension.axis.block, name + "_turn", [&](ValueId turn) {
    const ValueId members = builder_.constantInt(type, dimension.axis.members),
                  length = builder_.constantInt(type, dimension.axis.block);
    const ValueId ahead = builder_.binary(Opcode::Mul, turn, members);
    const ValueId block = builder_.varying(builder_.binary(Opcode::Add, ahead, own));
    const ValueId begin = builder_.varying(builder_.binary(Opcode::Mul, block, length)),
                  slotsBefore = builder_.binary(Opcode::Mul, turn, length);
    body({begin, block, slotsBefore, {}, dimension.axis.block, dimension.name, name});
  });
}

/// for (u = 0; u < length; ++u) { i = p * length + u; … }
void TileSlots::eachSlot(const TileTurn &turn, Body body) {
  if (!turn.block)
    return body({turn.number, turn.begin, {}, {}, 1});
  const ScalarType type = builder_.function().value(turn.begin).type;
  count(type, turn.length, turn.slotName, [&](ValueId within) {
    const ValueId slot = builder_.binary(Opcode::Add, turn.slotsBefore, within),
                  counter = builder_.varying(builder_.binary(Opcode::Add, turn.begin, within));
    builder_.function().value(counter).name = turn.name;
    body({builder_.cast(slot, ScalarType::S64), counter, turn.block, within, turn.length});
  });
}

void TileSlots::each(unsigned numbers, llvm::function_ref<void(ValueId number)> body) {
  const ValueId none = builder_.number(0), end = builder_.number(numbers), one = builder_.number(1);
  const OpId loop = builder_.createFor(none, end, one, Predicate::Lt, false, {});
  loops_.push_back(loop);
  const InsertionScope scope(builder_);
  const RegionId region = builder_.function().op(loop).regions[0];
  builder_.setRegion(region);
  body(builder_.function().region(region).args[0]);
  builder_.yield({});
}

/// Rounds up to a block's number.
static ValueId blocksBefore(BlockBuilder &builder, ValueId end, unsigned block) {
  const ScalarType type = builder.function().value(end).type;
  const ValueId last = builder.constantInt(type, block - 1),
                length = builder.constantInt(type, block);
  return builder.binary(Opcode::Div, builder.binary(Opcode::Add, end, last), length);
}

/// low + (own - low) mod members < high, or the same of blocks; members is a power of two.
ValueId TileSlots::any(ValueId own, const TeamAxis &axis, ValueId low, ValueId high) {
  const ScalarType type = builder_.function().value(low).type;
  const ValueId place = placeIn(own, type);
  const Scalar *const least = builder_.function().constant(low);
  const bool isAtZero = least && least->bits == 0;
  if (axis.block > 1) {
    if (!isAtZero)
      low = builder_.binary(Opcode::Div, low, builder_.constantInt(type, axis.block));
    high = blocksBefore(builder_, high, axis.block);
  }
  if (isAtZero)
    return builder_.varying(builder_.binary(Opcode::Lt, place, high));
  const ValueId ahead = builder_.varying(builder_.binary(Opcode::Sub, place, low)),
                mask = builder_.constantInt(type, axis.members - 1),
                turns = builder_.varying(builder_.binary(Opcode::And, ahead, mask)),
                first = builder_.varying(builder_.binary(Opcode::Add, low, turns));
  return builder_.varying(builder_.binary(Opcode::Lt, first, high));
}

ArrayId TileArrays::create(ScalarType cell, unsigned cells, const std::string &name) {
  Array array;
  array.name = name;
  array.cell = cell;
  array.extents = {SizeExpr::constant(cells)};
  array.space = Space::Registers;
  array.reads = array.writes = true;
  builder_.function().arrays.push_back(std::move(array));
  return ArrayId(builder_.function().arrays.size() - 1);
}

ArrayId TileArrays::take(ScalarType cell, unsigned cells) {
  for (size_t a = 0; a < arrays_.size(); ++a) {
    const Array &array = builder_.function().array(arrays_[a]);
    if (isTaken_[a] || array.cell != cell || array.constantCells() != cells)
      continue;
    isTaken_[a] = true;
    return arrays_[a];
  }
  arrays_.push_back(create(cell, cells, "kept_" + std::to_string(arrays_.size() + 1)));
  isTaken_.push_back(true);
  return arrays_.back();
}
