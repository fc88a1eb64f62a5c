//===- BlockPlaces.cpp - Where in a block a counter is --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/BlockPlaces.h"

#include "IR/Evaluate.h"

using namespace colonnade;
using namespace colonnade::ir;

/// The counter of a loop from 0 to `end`.
static bool countsTo(const Function &kernel, ValueId counter, int64_t end) {
  const RegionId body = kernel.value(counter).region;
  const OpId parent = body.valid() ? kernel.region(body).parent : OpId();
  if (!parent.valid() || kernel.op(parent).opcode != Opcode::For ||
      kernel.op(parent).predicate != Predicate::Lt || kernel.region(body).args[0] != counter)
    return false;
  const Scalar *const low = kernel.constant(kernel.op(parent).operands[0]),
                      *const high = kernel.constant(kernel.op(parent).operands[1]);
  return low && high && low->bits == 0 && asInt64(*high) == end;
}

/// value = block * length + within, for the length that there is.
struct LoopPlace {
  BlockPlace place;
  int64_t length = 0;
};
static std::optional<LoopPlace> loopPlace(const Function &kernel, ValueId value) {
  const Op *const sum = kernel.definition(value);
  if (!sum || sum->opcode != Opcode::Add)
    return std::nullopt;
  const Op *const begin = kernel.definition(sum->operands[0]);
  const Scalar *const length =
      begin && begin->opcode == Opcode::Mul ? kernel.constant(begin->operands[1]) : nullptr;
  if (!length || !countsTo(kernel, sum->operands[1], asInt64(*length)))
    return std::nullopt;
  return LoopPlace{{begin->operands[0], sum->operands[1]}, asInt64(*length)};
}

std::optional<BlockPlace> colonnade::blockPlace(BlockBuilder &builder, ValueId value,
                                                unsigned length) {
  const std::optional<LoopPlace> found = loopPlace(builder.function(), value);
  if (!found || length == 1 || found->length % length != 0)
    return std::nullopt;
  const BlockPlace place = found->place;
  if (found->length == length)
    return place;
  const ScalarType type = builder.function().value(value).type;
  const ValueId each = builder.constantInt(type, length),
                times = builder.constantInt(type, found->length / length);
  const ValueId before = builder.binary(Opcode::Mul, place.block, times),
                blocks = builder.binary(Opcode::Div, place.within, each);
  const ValueId block = builder.binary(Opcode::Add, before, blocks),
                within = builder.binary(Opcode::Rem, place.within, each);
  return BlockPlace{block, within};
}

ValueId colonnade::isSlotAt(BlockBuilder &builder, const TileSlot &slot, ValueId value) {
  const std::optional<BlockPlace> place =
      slot.block ? blockPlace(builder, value, slot.length) : std::nullopt;
  if (!place)
    return {};
  const ValueId isBlock = builder.varying(builder.binary(Opcode::Eq, place->block, slot.block)),
                isPlace = builder.binary(Opcode::Eq, place->within, slot.within);
  return builder.varying(builder.binary(Opcode::And, isPlace, isBlock));
}

ValueId colonnade::isSlotBehind(BlockBuilder &builder, const TileSlot &slot, ValueId value) {
  const std::optional<BlockPlace> place =
      slot.block ? blockPlace(builder, value, slot.length) : std::nullopt;
  if (!place)
    return {};
  const ValueId isBefore = builder.varying(builder.binary(Opcode::Lt, place->block, slot.block)),
                isBlock = builder.varying(builder.binary(Opcode::Eq, place->block, slot.block)),
                isLater = builder.binary(Opcode::Lt, place->within, slot.within);
  const ValueId isInBlock = builder.varying(builder.binary(Opcode::And, isLater, isBlock));
  return builder.varying(builder.binary(Opcode::Or, isBefore, isInBlock));
}

/// Whether one value is the other and one.
static bool isNext(const Function &kernel, ValueId value, ValueId before) {
  const Op *const sum = kernel.definition(value);
  const Scalar *const one =
      sum && sum->opcode == Opcode::Add ? kernel.constant(sum->operands[1]) : nullptr;
  return one && one->bits == 1 && sum->operands[0] == before;
}

bool colonnade::isAtOne(BlockBuilder &builder, ValueId low, ValueId high, unsigned length) {
  const std::optional<LoopPlace> place = loopPlace(builder.function(), low);
  return isNext(builder.function(), high, low) && length > 1 && place &&
         place->length % length == 0;
}
