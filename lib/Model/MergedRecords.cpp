//===- MergedRecords.cpp - Records of blocks that are walked --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: what an access does in closed loops. Out: a record of it, until it is known whether the loops
// are taken back. Iterations of blocks that are walked, up to 2^20, make records that differ only
// by where the cells begin: they become one, that says how many begin at each residue.
//
// Invariant: no record is merged into one that is not taken back with it.
//
//===----------------------------------------------------------------------===//

#include "Model/ProfileSummary.h"

namespace colonnade::model {

using Kind = LinearValue::Kind;

void ProfileSummary::record(Record made) {
  size_t &last = lastRecord_[made.site];
  const bool isLike = walkedBlocks_ > 0 && last >= mergeable_ && last < records_.size();
  if (isLike && isMerged(records_[last], made))
    return;
  last = records_.size();
  records_.push_back(std::move(made));
}

/// Of a loop in such a block, once it is known that it is not taken back by itself.
void ProfileSummary::mergeRecords(size_t from) {
  if (walkedBlocks_ == 0)
    return;
  std::vector<Record> made(std::make_move_iterator(records_.begin() + static_cast<ptrdiff_t>(from)),
                           std::make_move_iterator(records_.end()));
  records_.resize(from);
  for (Record &record : made)
    this->record(std::move(record));
}

bool ProfileSummary::isMerged(Record &into, const Record &made) {
  const auto isPlain = [](const Record &of) {
    return of.cell.kind == Kind::Linear && !of.isConditional && of.others == of.own.get();
  };
  if (isBounding_ || into.site != made.site || !isPlain(into) || !isPlain(made) ||
      into.cell.terms != made.cell.terms ||
      llvm::ArrayRef<int64_t>(into.loops) != llvm::ArrayRef<int64_t>(made.loops))
    return false;
  if (!into.own) {
    auto own = std::make_shared<std::vector<uint64_t>>(profile_.period);
    ++(*own)[residueOf(ir::asInt64(into.cell.scalar))];
    into.cell.scalar.bits = 0;
    into.own = std::move(own);
    into.others = into.own.get();
  }
  const size_t turn = residueOf(ir::asInt64(made.cell.scalar) - ir::asInt64(into.cell.scalar));
  std::vector<uint64_t> &counts = *into.own;
  if (!made.own) {
    ++counts[turn];
    return true;
  }
  for (auto [residue, times] : llvm::enumerate(*made.own))
    counts[(residue + turn) % counts.size()] += times;
  return true;
}

} // namespace colonnade::model
