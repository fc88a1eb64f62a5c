//===- FullTiles.cpp - A tile all of whose iterations are there -----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the iterations have in common comes first, for all of them together; then each does the rest
// of its range, with cells of the tile from registers, and all that comes behind it.
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/ChainTiler.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

// Iterations of a chain whose loads are on their way together.
static constexpr unsigned LinksAtOnce = 4;

void ChainTiler::fullTile() {
  isFull_ = true;
  early();
  const ValueId init = cloner_.map(from_.op(nest_.loop).operands[3]);
  builder_.forCells(edge_ * edge_, [&](ValueId cell) { builder_.store(chains_, init, {cell}); });
  common();
  rest();
  finish();
  isFull_ = false;
}

ValueId ChainTiler::slotOf(ValueId u, ValueId v) {
  const ValueId before = builder_.binary(Opcode::Mul, u, builder_.number(edge_));
  return builder_.binary(Opcode::Add, before, v);
}

/// A load behind the loop of what is not the chain's result: it is on its way while chains run.
bool ChainTiler::isEarly(OpId id) const {
  const Op &op = from_.op(id);
  return op.opcode == Opcode::Load && llvm::all_of(op.operands, [&](ValueId operand) {
           const OpId definition = from_.value(operand).def;
           return !llvm::is_contained(nest_.after, definition) && definition != nest_.loop &&
                  !llvm::is_contained(nest_.before, definition);
         });
}

void ChainTiler::early() {
  if (llvm::none_of(nest_.after, [&](OpId id) { return isEarly(id); }))
    return;
  slots(u_, [&](ValueId u) {
    setRow(u);
    slots(v_, [&](ValueId v) {
      setColumn(v);
      countedAt(Cell, nest_.counted);
      for (OpId id : nest_.after)
        if (isEarly(id)) {
          cloner_.visit(id);
          const ValueId result = from_.op(id).results[0], slot = slotOf(u, v);
          builder_.store(early_.at(result.index), cloner_.map(result), {slot});
        }
    });
  });
}

/// Operations of the loop's body that depend on these counters, and on k.
void ChainTiler::linksAt(TileLevel level) {
  for (OpId id : nest_.links)
    if (nest_.levelOf(from_.op(id).results[0]) == level)
      cloner_.visit(id);
}

void ChainTiler::common() {
  const Op &loop = from_.op(nest_.loop);
  const OpId fresh =
      builder_.createFor(low_, high_, cloner_.map(loop.operands[2]), Predicate::Lt, false, {});
  kernel().op(fresh).loc = loop.loc;
  kernel().op(fresh).unrolling = {Unrolling::Kind::Times, LinksAtOnce};
  const RegionId region = kernel().op(fresh).regions[0];
  const ValueId k = kernel().region(region).args[0];
  kernel().value(k).name = from_.value(counterOf(nest_.loop)).name;
  const InsertionScope scope(builder_);
  builder_.setRegion(region);
  cloner_.set(counterOf(nest_.loop), k);
  countedAt(Same, nest_.counted);
  countedAt(Same, nest_.linkCounted);
  linksAt(Same);
  const auto keep = [&](TileLevel level, ValueId slot) {
    countedAt(level, nest_.counted);
    countedAt(level, nest_.linkCounted);
    linksAt(level);
    for (const auto &[value, array] : kept_)
      if (nest_.levels[value] == level)
        builder_.store(array, cloner_.map(ValueId(value)), {slot});
  };
  slots(u_, [&](ValueId u) {
    setRow(u);
    keep(Row, u);
  });
  slots(v_, [&](ValueId v) {
    setColumn(v);
    keep(Column, v);
  });
  slots(u_, [&](ValueId u) {
    setRow(u);
    slots(v_, [&](ValueId v) {
      setColumn(v);
      countedAt(Cell, nest_.counted);
      countedAt(Cell, nest_.linkCounted);
      for (const auto &[value, array] : kept_) {
        const ValueId slot = nest_.levels[value] == Row ? u : v;
        cloner_.set(ValueId(value), builder_.varying(builder_.load(array, {slot})));
      }
      linksAt(Cell);
      link(slotOf(u, v));
    });
  });
  builder_.yield({});
}

/// The chain of a tile's iteration goes on, with the candidate that is there.
void ChainTiler::link(ValueId cell) {
  const LeastChain &chain = nest_.chain;
  const ValueId before = builder_.varying(builder_.load(chains_, {cell}));
  ValueId next;
  if (chain.isMinimum) {
    const MathFn least = chain.isGreatest ? MathFn::Fmax : MathFn::Fmin;
    next = builder_.varying(builder_.math(least, {before, cloner_.map(chain.candidate)}));
  } else {
    cloner_.set(chain.carried, before);
    cloner_.visit(chain.comparison);
    cloner_.visit(chain.choice);
    next = cloner_.map(from_.op(chain.choice).results[0]);
  }
  builder_.store(chains_, next, {cell});
}

/// All of an iteration of the chain's loop, but for its choice.
void ChainTiler::links() {
  countedAt(Cell, nest_.linkCounted);
  for (OpId id : nest_.links)
    cloner_.visit(id);
}

//===----------------------------------------------------------------------===//
// What a full tile's iterations do each for itself
//===----------------------------------------------------------------------===//

/// For each row (or column) before the iteration's own the k at which it needs that one's cell.
void ChainTiler::earlier(EarlierCells cells, ValueId u, ValueId v) {
  const bool areRows = cells == EarlierCells::OfRows;
  const OpId load = areRows ? nest_.ofRow : nest_.ofColumn;
  if (!load)
    return;
  const ValueId k = counterOf(nest_.loop);
  const ScalarType type = from_.value(k).type;
  before(areRows ? u : v, [&](ValueId q) {
    areRows ? setRow(q) : setColumn(q);
    const ValueId counter = cloner_.map(counterOf(areRows ? nest_.outer : nest_.inner));
    const int64_t ahead = areRows ? all_.rowAhead : all_.columnAhead;
    const ValueId at = builder_.cast(counter, type), by = builder_.constantInt(type, ahead);
    cloner_.set(k, ahead == 0 ? at : builder_.binary(Opcode::Sub, at, by));
    areRows ? setRow(u) : setColumn(v);
    countedAt(Cell, nest_.counted);
    ownLoad_ = load;
    ownSlot_ = areRows ? slotOf(q, v) : slotOf(u, q);
    links();
    ownLoad_ = {};
    link(slotOf(u, v));
  });
}

void ChainTiler::rest() {
  slots(u_, [&](ValueId u) {
    slots(v_, [&](ValueId v) {
      setRow(u);
      setColumn(v);
      earlier(EarlierCells::OfRows, u, v);
      earlier(EarlierCells::OfColumns, u, v);
      const ValueId cell = slotOf(u, v);
      countedAt(Cell, nest_.counted);
      cloner_.set(from_.op(nest_.loop).results[1],
                  builder_.varying(builder_.load(chains_, {cell})));
      for (const auto &[value, array] : early_)
        cloner_.set(ValueId(value), builder_.varying(builder_.load(array, {cell})));
      for (OpId id : nest_.before)
        cloner_.visit(id);
      for (OpId id : nest_.after)
        if (id != nest_.store && !isEarly(id))
          cloner_.visit(id);
      ValueId result = cloner_.map(accessOperands(from_.op(nest_.store)).stored);
      if (replaced_) // by the tile before, if it is that one's
        if (const ValueId isReal = this->isReal())
          result = builder_.varying(
              builder_.select(isReal, result, cloner_.map(from_.op(replaced_->load).results[0])));
      builder_.store(own_, result, {cell});
    });
  });
}

/// Whether the iteration is not one of the tile before; invalid: none is.
ValueId ChainTiler::isReal() {
  ValueId isReal;
  for (auto [tile, slot, all] :
       {std::tuple(tileRow_, u_, all_.rows), {tileColumn_, v_, all_.columns}}) {
    if (all % edge_ == 0)
      continue;
    const ValueId number = numberIn(tile, slot, all, true), first = firstOf(tile, all, false);
    const ValueId isOwn = builder_.binary(Opcode::Ge, number, first);
    isReal = isReal ? builder_.binary(Opcode::And, isReal, isOwn) : isOwn;
  }
  return isReal;
}

/// Nothing of the tile is loaded from where it is stored to. What the one before has is not stored
/// again.
void ChainTiler::finish() {
  slots(u_, [&](ValueId u) {
    slots(v_, [&](ValueId v) {
      const auto store = [&] {
        setRow(u);
        setColumn(v);
        countedAt(Cell, nest_.counted);
        const ValueId own = builder_.varying(builder_.load(own_, {slotOf(u, v)}));
        llvm::SmallVector<ValueId, 4> operands = cloner_.map(from_.op(nest_.store).operands);
        operands.back() = own;
        const OpId fresh = cloner_.copy(nest_.store, operands);
        result_.places[fresh.index] = {u_, v_, {}, false, true, false};
      };
      const ValueId isReal = this->isReal();
      isReal ? builder_.onlyIf(isReal, store) : store();
    });
  });
}
