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

/// for (u = 0; u < slots; ++u) { i = u * members + own; … }
void TileSlots::each(const Dimension &dimension, unsigned slots, Body body) {
  const auto number = [&](unsigned value) { return builder_.constantInt(dimension.type, value); };
  const ValueId own = placeIn(dimension.own, dimension.type);
  const auto named = [&](ValueId ahead) {
    const ValueId counter =
        dimension.base ? builder_.binary(Opcode::Add, dimension.base, ahead) : ahead;
    builder_.function().value(counter).name = dimension.name;
    return builder_.varying(counter);
  };
  if (slots <= 1) {
    const ValueId none = number(0);
    const ValueId counter = named(builder_.binary(Opcode::Add, own, none));
    return body(builder_.number(0), counter);
  }
  const ValueId none = number(0), end = number(slots), one = number(1);
  const OpId loop = builder_.createFor(none, end, one, Predicate::Lt, false, {});
  loops_.push_back(loop);
  const InsertionScope scope(builder_);
  const RegionId region = builder_.function().op(loop).regions[0];
  builder_.setRegion(region);
  const ValueId slot = builder_.function().region(region).args[0];
  builder_.function().value(slot).name = dimension.own == row_ ? "u" : "v";
  const ValueId ahead = builder_.binary(Opcode::Mul, slot, number(dimension.members));
  const ValueId counter = named(builder_.binary(Opcode::Add, ahead, own));
  body(builder_.cast(slot, ScalarType::S64), counter);
  builder_.yield({});
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

/// low + (own - low) mod members < high; members is a power of two.
ValueId TileSlots::any(ValueId own, unsigned members, ValueId low, ValueId high) {
  const ScalarType type = builder_.function().value(low).type;
  const ValueId place = placeIn(own, type);
  if (const Scalar *const zero = builder_.function().constant(low); zero && zero->bits == 0)
    return builder_.varying(builder_.binary(Opcode::Lt, place, high));
  const ValueId ahead = builder_.varying(builder_.binary(Opcode::Sub, place, low)),
                mask = builder_.constantInt(type, members - 1),
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
