//===- Balance.cpp - What the walk keeps of the raw IR --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize/Balance.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace colonnade::canonical {

using ir::Op;
using ir::Opcode;

namespace {

/// Positions in the text of the walked function, from the first to the last.
struct Span {
  uint32_t first = 1, last = 0; // none
};

class Balance {
public:
  Balance(ir::Module &module, const Account &account, const ir::Function &walked)
      : module_(module), walked_(walked), notes_(account.notes()), position_(walked.ops.size()),
        end_(walked.ops.size()) {
    std::stable_sort(notes_.begin(), notes_.end(),
                     [](const Note &a, const Note &b) { return a.site < b.site; });
    place(walked.body);
  }
  std::vector<Loss> run(FunctionId entry) {
    function(entry, 0, {}, {1, next_});
    return std::move(losses_);
  }

private:
  static constexpr size_t MaxLosses = 20;
  /// A raw function on the way.
  struct Frame {
    const ir::Function &raw;
    uint32_t path;
    LocId call; // invalid: the entry
  };

  void place(RegionId region);
  Span spanOf(OpId made, std::optional<unsigned> arm = {}) const;
  void function(FunctionId id, uint32_t path, LocId call, Span span);
  void region(const Frame &frame, RegionId region, Span span);
  void operation(const Frame &frame, OpId id, Span span);
  void branch(const Frame &frame, const Op &op, llvm::ArrayRef<Note> notes, Span span);
  void loop(const Frame &frame, const Op &op, llvm::ArrayRef<Note> notes, Span span);
  void call(const Frame &frame, const Op &op, llvm::ArrayRef<Note> notes, Span span);
  llvm::ArrayRef<Note> notesAt(Site site) const;
  /// How often it was done, within `span`.
  unsigned count(llvm::ArrayRef<Note> notes, Deed deed, Span span) const;
  unsigned leaves(MemTypeId type) const;
  LocId locate(const Frame &frame, LocId raw) {
    return frame.call && raw ? module_.sources.inlined(raw, frame.call) : raw;
  }
  void lose(const Frame &frame, const Op &op, const char *what) {
    if (losses_.size() < MaxLosses)
      losses_.push_back({locate(frame, op.loc), what});
  }

  ir::Module &module_;
  const ir::Function &walked_;
  std::vector<Note> notes_;              // by site
  std::vector<uint32_t> position_, end_; // of the walked operations; 0: it is nowhere
  llvm::DenseMap<uint32_t, Span> regions_;
  uint32_t next_ = 0;
  std::vector<Loss> losses_;
};

void Balance::place(RegionId region) {
  uint32_t first = next_ + 1;
  for (OpId id : walked_.region(region).ops) {
    position_[id.index] = ++next_;
    for (RegionId inner : walked_.op(id).regions)
      place(inner);
    end_[id.index] = next_;
  }
  regions_[region.index] = {first, next_};
}

/// Of the operation, or of one of its regions.
Span Balance::spanOf(OpId made, std::optional<unsigned> arm) const {
  if (!made || !position_[made.index])
    return {};
  return arm ? regions_.lookup(walked_.op(made).regions[*arm].index)
             : Span{position_[made.index], end_[made.index]};
}

llvm::ArrayRef<Note> Balance::notesAt(Site site) const {
  auto [first, last] =
      std::equal_range(notes_.begin(), notes_.end(), Note{site, Deed::Read, {}},
                       [](const Note &a, const Note &b) { return a.site < b.site; });
  return {notes_.data() + (first - notes_.begin()), size_t(last - first)};
}

unsigned Balance::count(llvm::ArrayRef<Note> notes, Deed deed, Span span) const {
  return llvm::count_if(notes, [&](const Note &note) {
    if (note.deed != deed)
      return false;
    uint32_t at = note.made ? position_[note.made.index] : span.first;
    return !note.made || (at >= span.first && at <= span.last);
  });
}

/// Scalars that a copy of one element moves, those of an inner array once. What is outside the
/// subset has a value, too, and counts as one.
unsigned Balance::leaves(MemTypeId type) const {
  const ir::MemType &memType = module_.memType(type);
  unsigned sum = 0;
  switch (memType.kind) {
  case ir::MemType::Kind::Scalar:
    return 1;
  case ir::MemType::Kind::Struct:
    if (ir::isOutsideSubset(memType))
      return 1;
    for (const auto &field : memType.fields)
      sum += leaves(field.type);
    return sum;
  case ir::MemType::Kind::Array:
    return memType.count.isConstant(0) ? 0 : leaves(memType.element);
  }
  return 0;
}

void Balance::function(FunctionId id, uint32_t path, LocId call, Span span) {
  const ir::Function &raw = module_.function(id);
  Frame frame = {raw, path, call};
  region(frame, raw.body, span);
  OpId end = raw.region(raw.body).ops.back();
  bool returns = path == 0 && !raw.op(end).operands.empty(); // elsewhere the caller has it
  llvm::ArrayRef<Note> notes = notesAt({path, end.index});
  if (returns && !count(notes, Deed::Write, span) && !count(notes, Deed::Refused, span))
    lose(frame, raw.op(end), "a return value");
}

void Balance::region(const Frame &frame, RegionId region, Span span) {
  for (OpId id : llvm::ArrayRef<OpId>(frame.raw.region(region).ops).drop_back())
    operation(frame, id, span);
}

void Balance::operation(const Frame &frame, OpId id, Span span) {
  const Op &op = frame.raw.op(id);
  llvm::ArrayRef<Note> notes = notesAt({frame.path, id.index});
  auto done = [&](Deed deed) { return count(notes, deed, span); };
  bool isWaived = done(Deed::Refused) || done(Deed::Empty);
  switch (op.opcode) {
  case Opcode::If:
    return branch(frame, op, notes, span);
  case Opcode::Loop:
    return loop(frame, op, notes, span);
  case Opcode::Call:
    return call(frame, op, notes, span);
  case Opcode::PtrLoad:
    if (!isWaived && !done(Deed::Read))
      lose(frame, op, "a read");
    return;
  case Opcode::PtrStore:
    if (!isWaived && !done(Deed::Write))
      lose(frame, op, "a write");
    return;
  case Opcode::PtrCopy:
  case Opcode::PtrFill:
    if (!isWaived && done(Deed::Write) < leaves(op.memType))
      lose(frame, op, "a write");
    if (op.opcode == Opcode::PtrCopy && !isWaived && done(Deed::Read) < leaves(op.memType))
      lose(frame, op, "a read");
    return;
  case Opcode::Check:
    if (!isWaived && !done(Deed::Checked) && !done(Deed::Holds))
      lose(frame, op, "a check of what is assumed");
    return;
  case Opcode::Unsupported:
    if (!isWaived)
      lose(frame, op, "a part that is not supported");
    return;
  default:
    return;
  }
}

void Balance::branch(const Frame &frame, const Op &op, llvm::ArrayRef<Note> notes, Span span) {
  bool any = false;
  for (const Note &note : notes) {
    bool decided = note.deed == Deed::Taken || note.deed == Deed::NotTaken;
    if (!decided && note.deed != Deed::Kept)
      continue;
    any = true;
    for (unsigned arm = 0; arm < 2; ++arm)
      if (!decided)
        region(frame, op.regions[arm], spanOf(note.made, arm));
      else if (arm == unsigned(note.deed == Deed::NotTaken))
        region(frame, op.regions[arm], span);
  }
  if (!any)
    lose(frame, op, "a condition");
}

void Balance::loop(const Frame &frame, const Op &op, llvm::ArrayRef<Note> notes, Span span) {
  bool any = false;
  for (const Note &note : notes) {
    if (note.deed != Deed::Kept && note.deed != Deed::Once)
      continue;
    // A branch that makes the body of a bounded loop conditional is noted here too.
    if (note.deed == Deed::Kept && note.made && walked_.op(note.made).opcode == Opcode::If)
      continue;
    any = true;
    Span inside = note.deed == Deed::Once ? span : spanOf(note.made);
    region(frame, op.regions[0], inside);
    if (!count(notes, Deed::Skipped, inside))
      region(frame, op.regions[1], inside);
  }
  if (!any && !count(notes, Deed::Refused, span))
    lose(frame, op, "a loop");
}

void Balance::call(const Frame &frame, const Op &op, llvm::ArrayRef<Note> notes, Span span) {
  bool any = count(notes, Deed::Refused, span);
  for (const Note &note : notes)
    if (note.deed == Deed::Called) {
      any = true;
      function(op.callee, note.path, locate(frame, op.loc), span);
    }
  if (!any)
    lose(frame, op, "a call");
}

} // namespace

std::vector<Loss> lostByWalk(ir::Module &module, FunctionId entry, const Account &account,
                             const ir::Function &walked) {
  return Balance(module, account, walked).run(entry);
}

} // namespace colonnade::canonical
