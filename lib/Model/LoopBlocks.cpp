//===- LoopBlocks.cpp - Iterations of a loop in blocks --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/LoopBlocks.h"

#include "Model/Stages.h"

#include <numeric>

namespace colonnade::model {

/// More iterations than that are walked by the loop itself.
static constexpr int64_t MaxWalked = 1024;

Iterations LoopBlocks::wholeBlocks(unsigned level, Iterations part) const {
  const Block &block = blocks_[level - 1];
  const int64_t first = part.first + floorRemainder(block.phase - part.first, block.size);
  const int64_t last = part.last - floorRemainder(part.last - block.phase, block.size);
  return first < last ? Iterations{first, last}
                      : Iterations{std::min(first, part.last), std::min(first, part.last)};
}

void LoopBlocks::ask(const BlockRequest &request, unsigned level, int64_t first) {
  const int64_t step = request.coefficient;
  const int64_t blocks = request.size / std::gcd(request.size, step); // of the level's
  const int64_t toBorder = step > 0 ? (request.size - request.remainder + step - 1) / step
                                    : request.remainder / -step + 1;
  int64_t size, border;
  if (__builtin_mul_overflow(blocks, unit(level), &size) ||
      __builtin_mul_overflow(toBorder, unit(level), &border) ||
      __builtin_add_overflow(border, first, &border))
    return;
  isStrided_ |= request.size % step != 0; // its multiples are not met
  asked_.push_back({size, floorRemainder(border, size)});
}

bool LoopBlocks::fitsTogether() const {
  for (size_t b = 1; b < blocks_.size(); ++b) {
    const Block &inner = blocks_[b - 1], &outer = blocks_[b];
    if (outer.size % inner.size != 0 || floorRemainder(outer.phase, inner.size) != inner.phase)
      return false;
  }
  return true;
}

/// Whether they change the blocks.
bool LoopBlocks::addAsked() {
  const std::vector<Block> before = blocks_;
  const int64_t strideBefore = stride_;
  for (const Block &block : asked_) {
    stride_ = std::min(std::lcm(stride_, std::min(block.size, 2 * MaxWalked)), 2 * MaxWalked);
    if (!llvm::is_contained(blocks_, block))
      blocks_.push_back(block);
  }
  asked_.clear();
  llvm::sort(blocks_, [](const Block &a, const Block &b) { return a.size < b.size; });
  isStrided_ |= !fitsTogether();
  if (isStrided_) {
    blocks_ = {{stride_, 0}};
    walked_ = {1};
    return stride_ != strideBefore || blocks_ != before;
  }
  return blocks_ != before;
}

int64_t LoopBlocks::walkedIterations() const {
  int64_t product = 1;
  for (unsigned level = 0; level <= topLevel(); ++level) {
    const int64_t above = level == topLevel() ? iterations_ : unit(level + 1);
    if (isWalked(level) && __builtin_mul_overflow(product, above / unit(level), &product))
      return INT64_MAX;
  }
  return product;
}

bool LoopBlocks::refine(unsigned blamedLevel) {
  if (!addAsked()) {
    if (isWalked(blamedLevel))
      return false;
    walked_.push_back(unit(blamedLevel));
  }
  return walkedIterations() <= std::min(MaxWalked, iterations_ / 2);
}

} // namespace colonnade::model
