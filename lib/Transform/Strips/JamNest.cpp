//===- JamNest.cpp - Rows of a nest side by side --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Strips/JamNest.h"

#include "IR/Clone.h"
#include "Transform/Strips/Reductions.h"

#include "llvm/ADT/STLExtras.h"

using namespace colonnade;
using namespace colonnade::ir;

namespace {

/// A value that the outer loop carries, by when a row knows what it leaves to the next one.
enum class HandOn : uint8_t {
  Before, // i: before its inner loop begins
  Within, // best = max(best, h): it goes through the inner loop, in any order
  After   // total += last: behind the inner loop, and only seen there
};

class NestJammer {
public:
  NestJammer(const Function &from, const StripNest &nest, uint64_t rows)
      : from_(from), nest_(nest), outer_(from.op(nest.outer)), inner_(from.op(nest.inner)),
        width_(rows), builder_(kernel_),
        base_(from, builder_, [this](OpId old) { return hook(old); }), active_(&base_),
        nextAccess_(freshAccess(from)) {}

  JammedNest run();

private:
  bool classify();
  std::optional<HandOn> handOn(size_t carried) const;
  bool isSeen(ValueId value, llvm::ArrayRef<OpId> ops) const;
  bool isDefinedBefore(ValueId value) const;
  std::optional<size_t> throughInner(size_t carried) const;

  bool hook(OpId old);
  void build();
  void rows(ValueId first, uint64_t number, uint64_t row);
  void before(Cloner &row, ValueId counter);
  std::vector<ValueId> inner(llvm::MutableArrayRef<Cloner> rows, uint64_t row);
  void after(Cloner &row);
  void visit(Cloner &row, llvm::ArrayRef<OpId> ops);
  llvm::ArrayRef<OpId> opsBefore() const {
    return llvm::ArrayRef(outerOps()).take_while([&](OpId id) { return id != nest_.inner; });
  }
  llvm::ArrayRef<OpId> opsAfter() const {
    return llvm::ArrayRef(outerOps()).drop_front(opsBefore().size() + 1).drop_back();
  }
  const std::vector<OpId> &outerOps() const { return from_.region(outer_.regions[0]).ops; }
  llvm::ArrayRef<ValueId> outerArgs() const { return from_.region(outer_.regions[0]).args; }
  ValueId leaves(size_t carried) const {
    return from_.terminator(outer_.regions[0]).operands[carried];
  }
  ValueId named(ValueId value, ValueId old) {
    kernel_.value(value).name = from_.value(old).name;
    kernel_.value(value).varying = from_.varying(old);
    return value;
  }

  const Function &from_;
  StripNest nest_;
  const Op outer_, inner_;
  uint64_t width_;
  JammedNest jammed_;
  Function kernel_;
  Builder builder_;
  Cloner base_, *active_;
  uint32_t nextAccess_;
  uint64_t row_ = 0;             // of what is cloned
  std::vector<HandOn> handsOn_;  // by carried value of the outer loop
  std::vector<bool> isThrough_;  // by carried value of the inner loop: one of the outer one, too
  std::vector<ValueId> carried_; // by carried value of the outer loop: what the next row gets
};

} // namespace

bool NestJammer::isSeen(ValueId value, llvm::ArrayRef<OpId> ops) const {
  return llvm::any_of(ops, [&](OpId id) {
    const Op &op = from_.op(id);
    return llvm::is_contained(op.operands, value) || llvm::any_of(op.regions, [&](RegionId inner) {
             return isSeen(value, from_.region(inner).ops);
           });
  });
}

/// Outside, or among what a row does before its inner loop.
bool NestJammer::isDefinedBefore(ValueId value) const {
  const OpId def = from_.value(value).def;
  return def != nest_.inner && !llvm::is_contained(opsAfter(), def);
}

/// The inner loop's carried value that it is all the way.
std::optional<size_t> NestJammer::throughInner(size_t carried) const {
  const ValueId arg = outerArgs()[1 + carried];
  for (size_t c = 0; c + 1 < inner_.results.size(); ++c)
    if (inner_.operands[3 + c] == arg && inner_.results[1 + c] == leaves(carried) &&
        llvm::count(inner_.operands, arg) == 1 && !isSeen(arg, opsBefore()) &&
        !isSeen(arg, opsAfter()) && !isSeen(arg, from_.region(inner_.regions[0]).ops) &&
        !isSeen(leaves(carried), opsAfter()) && isReduction(from_, nest_.inner, c) &&
        llvm::count(from_.terminator(outer_.regions[0]).operands, leaves(carried)) == 1)
      return c;
  return std::nullopt;
}

std::optional<HandOn> NestJammer::handOn(size_t carried) const {
  const ValueId arg = outerArgs()[1 + carried];
  if (isDefinedBefore(leaves(carried)))
    return HandOn::Before;
  if (throughInner(carried))
    return HandOn::Within;
  if (!isSeen(arg, opsBefore()) && !isSeen(arg, {nest_.inner}))
    return HandOn::After;
  return std::nullopt;
}

bool NestJammer::classify() {
  isThrough_.resize(inner_.results.size() - 1);
  for (size_t c = 0; c + 1 < outer_.results.size(); ++c) {
    const std::optional<HandOn> how = handOn(c);
    if (!how) {
      const std::string &name = from_.value(outerArgs()[1 + c]).name;
      jammed_.reason = "a row begins with what the row before it ends with" +
                       (isSourceName(name) ? ": '" + name + "'" : std::string());
      return false;
    }
    handsOn_.push_back(*how);
    if (how == HandOn::Within)
      isThrough_[*throughInner(c)] = true;
  }
  return true;
}

bool NestJammer::hook(OpId old) {
  const Opcode opcode = from_.op(old).opcode;
  if (old == nest_.outer) {
    build();
    return true;
  }
  if (opcode != Opcode::Load && opcode != Opcode::Store)
    return false;
  const OpId fresh = active_->copy(old);
  jammed_.origins.resize(kernel_.ops.size());
  if (active_ != &base_) {
    jammed_.origins[fresh.index] = {old, row_};
    kernel_.op(fresh).accessId = nextAccess_++;
  }
  return true;
}

void NestJammer::visit(Cloner &row, llvm::ArrayRef<OpId> ops) {
  active_ = &row;
  for (OpId id : ops)
    row.visit(id);
  active_ = &base_;
}

void NestJammer::before(Cloner &row, ValueId counter) {
  row.set(outerArgs()[0], counter);
  for (auto [arg, value] : llvm::zip_equal(outerArgs().drop_front(), carried_))
    row.set(arg, value);
  visit(row, opsBefore());
  for (size_t c = 0; c < carried_.size(); ++c)
    if (handsOn_[c] == HandOn::Before)
      carried_[c] = row.map(leaves(c));
}

/// What the loop gives, row by row.
std::vector<ValueId> NestJammer::inner(llvm::MutableArrayRef<Cloner> rows, uint64_t row) {
  const size_t each = isThrough_.size();
  std::vector<ValueId> inits;
  for (auto [r, cloner] : llvm::enumerate(rows))
    for (size_t c = 0; c < each; ++c)
      if (r == 0 || !isThrough_[c])
        inits.push_back(cloner.map(inner_.operands[3 + c]));
  const OpId loop =
      builder_.createFor(rows[0].map(inner_.operands[0]), rows[0].map(inner_.operands[1]),
                         rows[0].map(inner_.operands[2]), inner_.predicate, false, inits);
  kernel_.op(loop).loc = inner_.loc;
  jammed_.inner.push_back(loop);
  const RegionId body = kernel_.op(loop).regions[0];
  const llvm::ArrayRef<ValueId> oldArgs = from_.region(inner_.regions[0]).args;
  const llvm::SmallVector<ValueId, 4> args = kernel_.region(body).args;
  const InsertionScope scope(builder_);
  builder_.setRegion(body);
  const ValueId counter = named(args[0], oldArgs[0]);
  std::vector<ValueId> through(each), yielded;
  const llvm::ArrayRef<ValueId> oldYields = from_.terminator(inner_.regions[0]).operands;
  size_t next = 1;
  for (auto [r, cloner] : llvm::enumerate(rows)) {
    cloner.set(oldArgs[0], counter);
    for (size_t c = 0; c < each; ++c) {
      if (r == 0 || !isThrough_[c])
        cloner.set(oldArgs[1 + c], named(args[next++], oldArgs[1 + c]));
      else
        cloner.set(oldArgs[1 + c], through[c]);
    }
    row_ = row + r;
    visit(cloner, llvm::ArrayRef(from_.region(inner_.regions[0]).ops).drop_back());
    for (size_t c = 0; c < each; ++c) {
      through[c] = cloner.map(oldYields[c]);
      if (r == 0 || !isThrough_[c])
        yielded.push_back(through[c]);
    }
  }
  for (size_t c = 0; c < each; ++c) // of the first row's places
    if (isThrough_[c])
      yielded[c] = through[c];
  builder_.yield(yielded);
  std::vector<ValueId> results;
  next = 1;
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t c = 0; c < each; ++c)
      results.push_back(r == 0 || !isThrough_[c] ? builder_.result(loop, next++) : results[c]);
  return results;
}

void NestJammer::rows(ValueId first, uint64_t number, uint64_t row) {
  std::vector<Cloner> rows;
  const ScalarType type = from_.value(outerArgs()[0]).type;
  for (uint64_t r = 0; r < number; ++r) {
    rows.push_back(base_);
    ValueId counter = first;
    if (r > 0)
      counter = builder_.binary(Opcode::Add, first,
                                builder_.constantInt(type, nest_.step * static_cast<int64_t>(r)));
    row_ = row + r;
    before(rows.back(), named(counter, outerArgs()[0]));
  }
  const std::vector<ValueId> results = inner(rows, row);
  const size_t each = isThrough_.size();
  for (uint64_t r = 0; r < number; ++r) {
    Cloner &cloner = rows[r];
    for (size_t c = 0; c < each; ++c)
      cloner.set(inner_.results[1 + c], named(results[r * each + c], inner_.results[1 + c]));
    for (size_t c = 0; c < carried_.size(); ++c)
      if (handsOn_[c] == HandOn::After)
        cloner.set(outerArgs()[1 + c], carried_[c]);
    row_ = row + r;
    visit(cloner, opsAfter());
    for (size_t c = 0; c < carried_.size(); ++c)
      if (handsOn_[c] != HandOn::Before)
        carried_[c] = cloner.map(leaves(c));
  }
}

void NestJammer::build() {
  const ScalarType type = from_.value(outerArgs()[0]).type;
  const uint64_t blocks = nest_.rows / width_, left = nest_.rows % width_;
  const auto ahead = [&](uint64_t rows) {
    return nest_.low + nest_.step * static_cast<int64_t>(rows);
  };
  const ValueId low = builder_.constantInt(type, nest_.low),
                high = builder_.constantInt(type, ahead(blocks * width_)),
                step = builder_.constantInt(type, nest_.step * static_cast<int64_t>(width_));
  carried_ = {};
  for (ValueId init : llvm::ArrayRef(outer_.operands).drop_front(3))
    carried_.push_back(base_.map(init));
  jammed_.blocks = builder_.createFor(
      low, high, step, nest_.step > 0 ? Predicate::Lt : Predicate::Gt, false, carried_);
  kernel_.op(jammed_.blocks).loc = outer_.loc;
  {
    const InsertionScope scope(builder_);
    const RegionId body = kernel_.op(jammed_.blocks).regions[0];
    builder_.setRegion(body);
    const llvm::SmallVector<ValueId, 4> args = kernel_.region(body).args;
    for (size_t a = 0; a < args.size(); ++a)
      named(args[a], outerArgs()[a]);
    carried_.assign(args.begin() + 1, args.end());
    rows(args[0], width_, 0);
    builder_.yield(carried_);
  }
  for (size_t c = 0; c < carried_.size(); ++c)
    carried_[c] = named(builder_.result(jammed_.blocks, 1 + c), outer_.results[1 + c]);
  if (left > 0)
    rows(high, left, blocks * width_);
  row_ = 0;
  const ValueId last = builder_.constantInt(type, ahead(nest_.rows));
  jammed_.end = kernel_.value(last).def;
  base_.set(outer_.results[0], last);
  for (size_t c = 0; c < carried_.size(); ++c)
    base_.set(outer_.results[1 + c], carried_[c]);
}

JammedNest NestJammer::run() {
  if (!classify())
    return std::move(jammed_);
  base_.copyShell();
  base_.cloneBody();
  jammed_.origins.resize(kernel_.ops.size());
  jammed_.kernel = std::move(kernel_);
  return std::move(jammed_);
}

JammedNest colonnade::jamNest(const Function &kernel, const StripNest &nest, uint64_t rows) {
  return NestJammer(kernel, nest, rows).run();
}
