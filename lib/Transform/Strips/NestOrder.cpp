//===- NestOrder.cpp - Whether rows may be done side by side --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/NestOrder.h"

#include "IR/KnownWalk.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// An access of the kernel as it was, in one run of the nest. Column 0 is before the inner loop or
/// behind it, c + 1 its iteration c.
struct Instance {
  OpId op;
  uint64_t row = 0, column = 0;
};

/// What a cell may hold: 0, what was there before the run of the nest; else a number.
using Content = uint64_t;

/// Numbers of contents; the same for both walks.
class Contents {
public:
  static constexpr uint64_t Most = 1 << 20; // no more rows (StripNest.cpp) or columns

  uint64_t number(const Instance &at) const {
    return (static_cast<uint64_t>(at.op.index) * Most + at.row) * Most + at.column;
  }
  /// The store is made for certain: nothing of what was there is left.
  Content stored(const Instance &by) { return keep({NoContent, number(by)}, by); }
  Content maybeStored(Content over, const Instance &by) { return keep({over, number(by)}, by); }
  const Instance &lastStore(Content content) const { return stores_[content - 1]; }

private:
  static constexpr Content NoContent = UINT64_MAX;

  Content keep(std::pair<Content, uint64_t> key, const Instance &by) {
    const auto [place, isNew] = numbers_.try_emplace(key, stores_.size() + 1);
    if (isNew)
      stores_.push_back(by);
    return place->second;
  }

  std::map<std::pair<Content, uint64_t>, Content> numbers_;
  std::vector<Instance> stores_; // by content less one
};

/// A walk in which each access of the nest knows which one of the kernel as it was it is.
class ContentWalk : public KnownWalk {
public:
  ContentWalk(const Function &kernel, OpId outer, std::vector<OpId> inner, uint64_t rows,
              Contents &contents, uint64_t maxSteps)
      : KnownWalk(kernel, maxSteps), contents_(contents), outer_(outer), inner_(std::move(inner)),
        rows_(rows), cells_(kernel.arrays.size()) {
    for (size_t a = 0; a < cells_.size(); ++a)
      cells_[a].resize(kernel.arrays[a].constantCells().value_or(0));
  }

  /// Empty, or what is in the way.
  std::string run() {
    if (!walk(function_.body) && refusal_.empty())
      refusal_ = "there are too many operations to follow";
    return refusal_;
  }

protected:
  using Cells = std::vector<std::vector<Content>>; // by array

  /// The access of the kernel as it was, and its row in its block; invalid: not of the nest.
  virtual AccessOrigin origin(OpId access) const = 0;
  virtual bool loaded(OpId id, const Instance &load, Content content) = 0;
  virtual void stored(Content) {}
  virtual bool atEndOfRun(const Cells &cells) = 0;

  bool refuse(std::string why) {
    refusal_ = std::move(why);
    return false;
  }
  std::string nameOf(OpId access) const {
    return "'" + function_.array(function_.op(access).array).name + "'";
  }
  /// The next run of the nest begins with what is there then.
  bool endRun() {
    const bool goesOn = atEndOfRun(cells_);
    for (std::vector<Content> &cells : cells_)
      std::fill(cells.begin(), cells.end(), 0);
    return goesOn;
  }
  bool isInner(OpId loop) const { return llvm::is_contained(inner_, loop); }
  bool visit(OpId id) override {
    const bool isUnknown = function_.op(id).opcode == Opcode::Loop;
    const bool goesOn = isUnknown ? unknownLoop(id) : KnownWalk::visit(id);
    if (id == outer_)
      firstRow_ = 0; // rows that are left count from the nest's first one
    return goesOn;
  }
  bool iteration(OpId loop, uint64_t number) override;

private:
  bool access(OpId id, std::optional<int64_t> number) override;
  bool unknownLoop(OpId loop) override {
    const bool before = isInUnknown_;
    isInUnknown_ = true;
    const bool goesOn = KnownWalk::unknownLoop(loop);
    isInUnknown_ = before;
    return goesOn;
  }

  Contents &contents_;
  OpId outer_;
  std::vector<OpId> inner_;
  uint64_t rows_; // of a block
  Cells cells_;
  std::string refusal_;
  uint64_t firstRow_ = 0, column_ = 0;
  bool isInUnknown_ = false;
};

/// What the nest's loads give and what it leaves, by its run.
struct NestContents {
  std::vector<std::unordered_map<uint64_t, Content>> loads;
  std::vector<std::vector<std::vector<Content>>> cells; // by array and cell
};

class WalkBefore final : public ContentWalk {
public:
  WalkBefore(const Function &kernel, const StripNest &nest, Contents &contents, uint64_t maxSteps)
      : ContentWalk(kernel, nest.outer, {nest.inner}, 1, contents, maxSteps), nest_(nest),
        contents_(contents), isOfNest_(kernel.ops.size()) {
    mark(kernel.op(nest.outer).regions[0]);
  }

  NestContents found;

private:
  void mark(RegionId region) {
    for (OpId id : function_.region(region).ops) {
      isOfNest_[id.index] = true;
      for (RegionId inner : function_.op(id).regions)
        mark(inner);
    }
  }
  AccessOrigin origin(OpId access) const override {
    return isOfNest_[access.index] ? AccessOrigin{access, 0} : AccessOrigin();
  }
  bool loaded(OpId, const Instance &load, Content content) override {
    found.loads.back()[contents_.number(load)] = content;
    return true;
  }
  bool atEndOfRun(const Cells &cells) override {
    found.cells.push_back(cells);
    return true;
  }
  bool visit(OpId id) override {
    if (id == nest_.outer)
      found.loads.emplace_back();
    if (!ContentWalk::visit(id))
      return false;
    if (id == nest_.inner && !hasAsManyColumns())
      return refuse("rows have different lengths");
    return id != nest_.outer || endRun();
  }
  bool hasAsManyColumns() {
    const uint64_t columns = std::exchange(column_, 0);
    columns_ = columns_.value_or(columns);
    return columns == columns_ && columns > 0;
  }
  bool iteration(OpId loop, uint64_t number) override {
    if (loop == nest_.inner) {
      const Known &counter = value(function_.region(function_.op(loop).regions[0]).args[0]);
      column_ = number + 1;
      if (column_ >= Contents::Most)
        return refuse("there are too many operations to follow");
      if (number == 0 && first_ && first_ != counter)
        return refuse("rows begin at different columns");
      if (number == 0)
        first_ = counter;
    }
    return ContentWalk::iteration(loop, number);
  }

  StripNest nest_;
  Contents &contents_;
  std::vector<bool> isOfNest_;
  uint64_t column_ = 0;
  std::optional<uint64_t> columns_;
  Known first_;
};

class WalkAfter final : public ContentWalk {
public:
  WalkAfter(const JammedNest &jammed, uint64_t rows, NestContents before, Contents &contents,
            uint64_t maxSteps)
      : ContentWalk(*jammed.kernel, jammed.blocks, jammed.inner, rows, contents, maxSteps),
        jammed_(jammed), before_(std::move(before)), contents_(contents) {}

private:
  AccessOrigin origin(OpId access) const override { return jammed_.origins[access.index]; }
  bool loaded(OpId id, const Instance &load, Content content) override;
  bool atEndOfRun(const Cells &cells) override;
  void stored(Content content) override { isStored_.insert(content); }
  bool visit(OpId id) override {
    if (id == jammed_.blocks)
      ++run_;
    return ContentWalk::visit(id) && (id != jammed_.end || endRun());
  }

  const JammedNest &jammed_;
  NestContents before_;
  Contents &contents_;
  std::unordered_set<Content> isStored_;
  size_t run_ = 0; // counted from one
};

} // namespace

bool ContentWalk::access(OpId id, std::optional<int64_t> number) {
  const AccessOrigin from = origin(id);
  const Op &op = function_.op(id);
  if (!from.op || function_.array(op.array).isSharedInput())
    return true;
  std::vector<Content> &cells = cells_[op.array.index];
  if (!number || *number < 0 || static_cast<uint64_t>(*number) >= cells.size())
    return refuse("a subscript of " + nameOf(id) + " is not known beforehand");
  Content &content = cells[static_cast<size_t>(*number)];
  const Instance at = {from.op, firstRow_ + from.row, column_};
  if (op.opcode == Opcode::Load)
    return loaded(id, at, content);
  content = uncertain_ ? contents_.maybeStored(content, at) : contents_.stored(at);
  stored(content);
  return true;
}

bool ContentWalk::iteration(OpId loop, uint64_t number) {
  if (loop == outer_ && isInUnknown_)
    return refuse("data decides when a loop around it ends");
  if (loop == outer_)
    firstRow_ = number * rows_;
  column_ = isInner(loop) ? number + 1 : 0;
  const bool goesOn = KnownWalk::iteration(loop, number);
  column_ = 0;
  return goesOn;
}

static std::string counterFrom(const char *counter, uint64_t at, uint64_t from) {
  if (at == from)
    return counter;
  return std::string(counter) + (at > from ? " + " : " - ") +
         std::to_string(at > from ? at - from : from - at);
}

/// Seen from another instance.
static std::string nameOf(const Instance &at, const Instance &from) {
  const std::string row = counterFrom("i", at.row, from.row);
  if (at.column == 0)
    return "row " + row;
  return "iteration (" + row + ", " +
         (from.column ? counterFrom("j", at.column, from.column)
                      : "j = " + std::to_string(at.column)) +
         ")";
}

bool WalkAfter::loaded(OpId id, const Instance &load, Content content) {
  const Content before = before_.loads[run_ - 1].at(contents_.number(load));
  if (content == before)
    return true;
  const std::string who = ::nameOf(load, load) + " needs ";
  if (before != 0 && !isStored_.count(before))
    return refuse(who + "what " + ::nameOf(contents_.lastStore(before), load) + " stores to " +
                  nameOf(id));
  return refuse(who + "a cell of " + nameOf(id) + " before " +
                ::nameOf(contents_.lastStore(content), load) + " stores to it");
}

bool WalkAfter::atEndOfRun(const Cells &cells) {
  const Cells &before = before_.cells[run_ - 1];
  for (size_t a = 0; a < cells.size(); ++a)
    if (cells[a] != before[a])
      return refuse("rows store to the same cells of '" + function_.arrays[a].name + "'");
  isStored_.clear();
  return true;
}

std::string colonnade::brokenDependence(const Function &kernel, const StripNest &nest,
                                        const JammedNest &jammed, uint64_t rows,
                                        WalkBudget &budget) {
  Contents contents;
  WalkBefore before(kernel, nest, contents, budget.left);
  std::string broken = before.run();
  budget.left -= std::min(budget.left, before.steps());
  if (!broken.empty())
    return broken;
  WalkAfter after(jammed, rows, std::move(before.found), contents, budget.left);
  broken = after.run();
  budget.left -= std::min(budget.left, after.steps());
  return broken;
}
