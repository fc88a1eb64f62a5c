//===- ChainTiler.cpp - A nest with a chain in tiles, built ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/ChainTiler.h"

#include "IR/Evaluate.h"
#include "IR/KernelFacts.h"
#include "Transform/Teams/ResultsAtEnd.h"
#include "Transform/UnusedValues.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

// Copies whose loads are on their way together.
static constexpr unsigned CellsAtOnce = 8;

TiledKernel ChainTiler::run() {
  cloner_.copyShell();
  if (replaced_) {
    makeResults();
    fillResults();
  }
  cloner_.cloneBody();
  dropUnusedValues(kernel());
  result_.tiles.overlaps = all_.rows % edge_ != 0 || all_.columns % edge_ != 0;
  return std::move(result_);
}

/// An array of the kernel's own in place of the caller's.
void ChainTiler::makeResults() {
  const ArrayId stored = from_.op(nest_.store).array;
  Array array = from_.array(stored);
  array.name += "_kept";
  array.role = ArrayRole::Local;
  array.space = Space::Local;
  array.isConst = false;
  array.reads = array.writes = true;
  array.parameter.clear();
  kernel().arrays.push_back(std::move(array));
  results_ = ArrayId(kernel().arrays.size() - 1);
  cloner_.setArray(stored, results_);
  result_.tiles.inPlace = {stored, from_.op(replaced_->load).array};
}

/// All cells of the other array that have a place among the results. What else is stored there
/// comes behind it, to other cells.
void ChainTiler::fillResults() {
  const ArrayId from = from_.op(replaced_->load).array;
  const auto numResults = static_cast<int64_t>(*kernel().array(results_).constantCells()),
             numCells = static_cast<int64_t>(*kernel().array(from).constantCells());
  const int64_t apart = replaced_->apart, first = std::max<int64_t>(0, -apart),
                end = std::min(numResults, numCells - apart);
  const ValueId low = builder_.constantInt(ScalarType::S64, first),
                high = builder_.constantInt(ScalarType::S64, end), step = builder_.number(1);
  const OpId loop = builder_.createFor(low, high, step, Predicate::Lt, false, {});
  kernel().op(loop).unrolling = {Unrolling::Kind::Times, CellsAtOnce};
  const RegionId region = kernel().op(loop).regions[0];
  const ValueId cell = kernel().region(region).args[0];
  kernel().value(cell).name = "cell";
  const InsertionScope scope(builder_);
  builder_.setRegion(region);
  const ValueId behind = builder_.constantInt(ScalarType::S64, apart);
  const ValueId loaded =
      builder_.varying(builder_.load(from, {builder_.binary(Opcode::Add, cell, behind)}));
  kernel().op(kernel().value(loaded).def).accessId = from_.op(replaced_->load).accessId;
  builder_.store(results_, loaded, {cell});
  builder_.yield({});
}

bool ChainTiler::hook(OpId old) {
  if (replaced_ && from_.op(old).opcode == Opcode::Return)
    emitCopies(from_, cloner_, builder_, replaced_->stores, from_.op(nest_.store).array, results_);
  if (old == nest_.outer) {
    makeRegisters();
    isInside_ = true;
    result_.tiles.rows = count((all_.rows + edge_ - 1) / edge_, "row", [&](ValueId row) {
      tileRow_ = row;
      result_.tiles.columns =
          count((all_.columns + edge_ - 1) / edge_, "column", [&](ValueId column) {
            tileColumn_ = column;
            tile();
          });
    });
    isInside_ = false;
    return true;
  }
  const Op &op = from_.op(old);
  if (!isInside_ || (op.opcode != Opcode::Load && op.opcode != Opcode::Store))
    return false;
  access(old);
  return true;
}

/// Where the builder stands; of an own cell in a register, if that is to be.
void ChainTiler::access(OpId old) {
  if (old == ownLoad_) {
    const ValueId cell = builder_.varying(builder_.load(own_, {ownSlot_}));
    cloner_.set(from_.op(old).results[0], cell);
    return;
  }
  if (replaced_ && old == replaced_->load) {
    loadReplaced();
    return;
  }
  const OpId fresh = cloner_.copy(old);
  AccessPlace place = {u_, v_, {}, llvm::is_contained(nest_.before, old), isFull_};
  if (llvm::is_contained(nest_.links, old))
    place.k = cloner_.map(counterOf(nest_.loop));
  result_.places[fresh.index] = place;
}

/// From where the result will be.
void ChainTiler::loadReplaced() {
  countedAt(Cell, nest_.counted);
  const AccessOperands parts = accessOperands(from_.op(nest_.store));
  const ValueId loaded = builder_.varying(
      builder_.load(results_, cloner_.map(parts.subscripts), cloner_.map(parts.radices)));
  cloner_.set(from_.op(replaced_->load).results[0], loaded);
  const OpId fresh = kernel().value(loaded).def;
  kernel().op(fresh).accessId = from_.op(replaced_->load).accessId;
  result_.places[fresh.index] = {u_, v_, {}, false, isFull_, true};
}

OpId ChainTiler::count(int64_t iterations, const char *name, Slot body) {
  const ValueId low = builder_.number(0), high = builder_.number(static_cast<uint64_t>(iterations)),
                step = builder_.number(1);
  const OpId loop = builder_.createFor(low, high, step, Predicate::Lt, false, {});
  const RegionId region = kernel().op(loop).regions[0];
  const ValueId counter = kernel().region(region).args[0];
  kernel().value(counter).name = name;
  const InsertionScope scope(builder_);
  builder_.setRegion(region);
  body(counter);
  builder_.yield({});
  return loop;
}

/// A tile's rows or columns, unrolled.
void ChainTiler::slots(ValueId &slot, Slot body) {
  builder_.forCells(edge_, [&](ValueId each) {
    slot = each;
    body(each);
    slot = {};
  });
}

/// Slots before one, unrolled with the loop around.
void ChainTiler::before(ValueId end, Slot body) {
  const ValueId low = builder_.number(0), step = builder_.number(1);
  const OpId loop = builder_.createFor(low, end, step, Predicate::Lt, false, {});
  kernel().op(loop).unrolling.kind = Unrolling::Kind::Fully;
  const RegionId region = kernel().op(loop).regions[0];
  const InsertionScope scope(builder_);
  builder_.setRegion(region);
  body(kernel().region(region).args[0]);
  builder_.yield({});
}

ArrayId ChainTiler::registers(ScalarType cell, unsigned cells, const llvm::Twine &name) {
  Array array;
  array.name = name.str();
  array.cell = cell;
  array.extents = {SizeExpr::constant(cells)};
  array.space = Space::Registers;
  array.reads = array.writes = true;
  kernel().arrays.push_back(std::move(array));
  return ArrayId(kernel().arrays.size() - 1);
}

/// A name for what is kept of a value.
static std::string nameOf(const Function &from, ValueId value) {
  const Op *const op = from.definition(value);
  if (!from.value(value).name.empty())
    return from.value(value).name;
  return op && op->opcode == Opcode::Load ? from.array(op->array).name : "value";
}

void ChainTiler::makeRegisters() {
  const unsigned cells = edge_ * edge_;
  chains_ = registers(chainType(), cells, nameOf(from_, nest_.chain.carried) + "_of_tile");
  const Array &stored = from_.array(from_.op(nest_.store).array);
  const std::string name = stored.name + "_of_tile";
  const bool isSame = stored.cell == chainType(); // a chain that is done leaves its place
  own_ = isSame ? chains_ : registers(stored.cell, cells, name);
  for (OpId id : nest_.links)
    for (ValueId result : from_.op(id).results)
      if (nest_.levelOf(result) == Row || nest_.levelOf(result) == Column)
        kept_[result.index] = registers(
            from_.value(result).type, edge_,
            nameOf(from_, result) + (nest_.levelOf(result) == Row ? "_of_rows" : "_of_columns"));
  for (OpId id : nest_.after)
    if (isEarly(id))
      early_[from_.op(id).results[0].index] =
          registers(from_.value(from_.op(id).results[0]).type, cells,
                    nameOf(from_, from_.op(id).results[0]) + "_of_tile");
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

/// Of the first row, or column: tile * edge, or less, so that the last tile is complete.
ValueId ChainTiler::firstOf(ValueId tile, int64_t all, bool mayOverlap) {
  const ValueId first = builder_.binary(Opcode::Mul, tile, builder_.number(edge_));
  if (!mayOverlap || all % edge_ == 0)
    return first;
  const ValueId last = builder_.number(static_cast<uint64_t>(all - edge_));
  return builder_.select(builder_.binary(Opcode::Lt, first, last), first, last);
}

ValueId ChainTiler::numberIn(ValueId tile, ValueId slot, int64_t all, bool mayOverlap) {
  const ValueId first = firstOf(tile, all, mayOverlap);
  const Scalar *const known = kernel().constant(slot);
  return known && asInt64(*known) == 0 ? first : builder_.binary(Opcode::Add, first, slot);
}

/// first + number * step, which is 1 or -1
static ValueId counterAt(BlockBuilder &builder, ValueId first, ValueId number, ValueId step) {
  const ValueId narrow = builder.cast(number, builder.function().value(first).type);
  return asInt64(*builder.function().constant(step)) > 0
             ? builder.binary(Opcode::Add, first, narrow)
             : builder.binary(Opcode::Sub, first, narrow);
}

void ChainTiler::setRow(ValueId slot, bool mayOverlap) {
  const Op &loop = from_.op(nest_.outer);
  const ValueId number = numberIn(tileRow_, slot, all_.rows, mayOverlap);
  const ValueId counter =
      counterAt(builder_, cloner_.map(loop.operands[0]), number, cloner_.map(loop.operands[2]));
  kernel().value(counter).name = from_.value(counterOf(nest_.outer)).name;
  cloner_.set(counterOf(nest_.outer), counter);
}

void ChainTiler::setColumn(ValueId slot, bool mayOverlap) {
  const Op &loop = from_.op(nest_.inner);
  const ValueId old = counterOf(nest_.inner);
  const ValueId number = numberIn(tileColumn_, slot, all_.columns, mayOverlap),
                first = builder_.constantInt(from_.value(old).type, all_.firstColumn);
  const ValueId counter = counterAt(builder_, first, number, cloner_.map(loop.operands[2]));
  kernel().value(counter).name = from_.value(old).name;
  cloner_.set(old, counter);
}

/// Of what is computed from counters, what these determine; and all that is needed for it.
void ChainTiler::countedAt(TileLevel level, const std::vector<OpId> &ops) {
  for (OpId id : ops) {
    const auto of = static_cast<unsigned>(nest_.levelOf(from_.op(id).results[0]));
    if ((of & ~static_cast<unsigned>(level)) == 0)
      cloner_.visit(id);
  }
}

/// Whether the inner loop has the column, where the row is set.
ValueId ChainTiler::isThere() {
  const Op &loop = from_.op(nest_.inner);
  const bool falls = all_.columnsFall;
  const ValueId column = cloner_.map(counterOf(nest_.inner));
  const ValueId hasBegun =
      builder_.binary(falls ? Opcode::Le : Opcode::Ge, column, cloner_.map(loop.operands[0]));
  const ValueId goesOn =
      builder_.binary(comparisonOf(loop.predicate), column, cloner_.map(loop.operands[1]));
  return builder_.binary(Opcode::And, hasBegun, goesOn);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void ChainTiler::tile() {
  const ValueId isFull = this->isFull();
  const OpId branch = builder_.createIf(isFull, {});
  const InsertionScope scope(builder_);
  builder_.setRegion(kernel().op(branch).regions[0]);
  fullTile();
  builder_.yield({});
  builder_.setRegion(kernel().op(branch).regions[1]);
  oneByOne();
  builder_.yield({});
}

/// Of each row the first column and the last one are there, and the ranges leave something.
ValueId ChainTiler::isFull() {
  commonRange();
  ValueId isFull = builder_.binary(Opcode::Le, low_, high_);
  for (unsigned u = 0; u < edge_; ++u) {
    setRow(builder_.number(u));
    for (unsigned v : {0u, edge_ - 1}) {
      setColumn(builder_.number(v));
      countedAt(Cell, nest_.counted);
      isFull = builder_.binary(Opcode::And, isFull, isThere());
    }
  }
  return isFull;
}

/// The largest, or least, of a tile.
ValueId ChainTiler::extreme(ValueId bound, Opcode isBeyond) {
  const auto level = static_cast<unsigned>(nest_.levelOf(bound));
  const unsigned rows = level & static_cast<unsigned>(Row) ? edge_ : 1,
                 columns = level & static_cast<unsigned>(Column) ? edge_ : 1;
  ValueId extreme;
  for (unsigned u = 0; u < rows; ++u)
    for (unsigned v = 0; v < columns; ++v) {
      setRow(builder_.number(u));
      setColumn(builder_.number(v));
      countedAt(Cell, nest_.counted);
      const ValueId each = cloner_.map(bound);
      extreme =
          extreme ? builder_.select(builder_.binary(isBeyond, each, extreme), each, extreme) : each;
    }
  return extreme;
}

void ChainTiler::commonRange() {
  const Op &loop = from_.op(nest_.loop);
  low_ = extreme(loop.operands[0], Opcode::Gt);
  high_ = extreme(loop.operands[1], Opcode::Lt);
}

/// In the order of the programme, each as it was.
void ChainTiler::oneByOne() {
  count(edge_, "u", [&](ValueId u) {
    u_ = u;
    setRow(u, false);
    const ValueId isRow = builder_.binary(comparisonOf(from_.op(nest_.outer).predicate),
                                          cloner_.map(counterOf(nest_.outer)),
                                          cloner_.map(from_.op(nest_.outer).operands[1]));
    builder_.onlyIf(isRow, [&] {
      countedAt(Row, nest_.counted);
      count(edge_, "v", [&](ValueId v) {
        v_ = v;
        setColumn(v, false);
        builder_.onlyIf(isThere(),
                        [&] { cloner_.cloneOpsButTerminator(from_.op(nest_.inner).regions[0]); });
        v_ = {};
      });
    });
    u_ = {};
  });
}
