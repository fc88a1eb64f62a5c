//===- OwnCopies.cpp - Members' own cells come and go ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/OwnCopies.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

/// Slots without a cell are computed with, too, though nobody uses what comes of it.
void OwnCopies::clear(ArrayId registers) {
  const Array &array = builder_.function().array(registers);
  const ValueId none = builder_.constant(Scalar{array.cell, 0});
  slots_.each(static_cast<unsigned>(*array.constantCells()),
              [&](ValueId cell) { builder_.store(registers, none, {cell}); });
}

/// body, if the counter is below an end beyond which the slots reach.
void OwnCopies::ifBelow(ValueId counter, int64_t end, int64_t all,
                        llvm::function_ref<void()> body) {
  if (all <= end)
    return body();
  builder_.onlyIf(
      builder_.varying(builder_.binary(Opcode::Lt, counter, builder_.number(uint64_t(end)))), body);
}

/// The cell at row u and column j, which is the member's v-th of so many.
void OwnCopies::copyCell(ArrayId rows, const OwnRegisters &own, OwnCopy direction,
                         const TileSlot &u, ValueId v, ValueId j, unsigned numColumns) {
  const auto varying = [&](Opcode opcode, ValueId a, ValueId b) {
    return builder_.varying(builder_.binary(opcode, a, b));
  };
  const auto number = [&](int64_t value) { return builder_.constantInt(ScalarType::S64, value); };
  const uint64_t width =
      static_cast<uint64_t>(*builder_.function().array(rows).extents[1].asConstant());
  const ValueId row = varying(Opcode::Mul, u.counter, number(own.cells.byRow)),
                column = varying(Opcode::Mul, j, number(own.cells.byColumn));
  const ValueId begin = varying(Opcode::Add, row, number(own.cells.first));
  const ValueId cell = varying(Opcode::Add, begin, column);
  const auto slot = [&] {
    const ValueId before = builder_.binary(Opcode::Mul, u.number, builder_.number(numColumns));
    return builder_.binary(Opcode::Add, before, v);
  };
  if (direction == OwnCopy::FromRows) {
    const ValueId loaded =
        builder_.varying(builder_.load(rows, {row_, cell}, {builder_.number(width)}));
    builder_.store(own.array, loaded, {slot()});
  } else {
    const ValueId kept = builder_.varying(builder_.load(own.array, {slot()}));
    builder_.store(rows, kept, {row_, cell}, {builder_.number(width)});
  }
}

void OwnCopies::copy(ArrayId rows, const OwnRegisters &own, OwnCopy direction) {
  const unsigned numRows = slots_.rows(extent_.rows);
  if (own.areRows && !llvm::all_equal(own.columns))
    return copyShorterRows(rows, own, direction);
  const unsigned numColumns =
      own.areRows ? static_cast<unsigned>(own.cells.columns) : slots_.columns(extent_.columns);
  slots_.eachRow(ScalarType::S64, numRows, "", [&](const TileSlot &u) {
    const auto copy = [&](ValueId v, ValueId j) {
      copyCell(rows, own, direction, u, v, j, numColumns);
    };
    ifBelow(u.counter, own.cells.rows, int64_t(numRows) * slots_.grid().rows, [&] {
      if (own.areRows)
        return slots_.each(numColumns, [&](ValueId column) { copy(column, column); });
      slots_.eachColumn(ScalarType::S64, numColumns, "", [&](const TileSlot &v) {
        ifBelow(v.counter, own.cells.columns, int64_t(numColumns) * slots_.grid().columns,
                [&] { copy(v.number, v.counter); });
      });
    });
  });
}

/// A loop for each of a member's rows, as each has its own length.
void OwnCopies::copyShorterRows(ArrayId rows, const OwnRegisters &own, OwnCopy direction) {
  const auto numColumns = static_cast<unsigned>(own.cells.columns);
  const unsigned members = slots_.grid().rows;
  for (auto [number, columns] : llvm::enumerate(own.columns)) {
    if (columns == 0)
      continue;
    const uint64_t first = number * members;
    const auto ofRow = [&](const TileTurn &turn) {
      const TileSlot u{builder_.number(number), turn.begin, {}, {}, 1};
      ifBelow(u.counter, own.cells.rows, int64_t(first + members), [&] {
        slots_.each(columns, [&](ValueId column) {
          copyCell(rows, own, direction, u, column, column, numColumns);
        });
      });
    };
    slots_.eachRowTurn(ScalarType::S64, 1, "", ofRow, builder_.number(first));
  }
}
