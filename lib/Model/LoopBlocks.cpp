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

static constexpr int64_t FewWalked = 1024; // iterations of blocks: walked without a thought
/// More iterations, or operations in them, are walked by the loop itself.
static constexpr int64_t MaxWalked = int64_t(1) << 20;
static constexpr uint64_t MaxOperations = 20'000'000;
static constexpr int64_t LessToWalk = 16; // times, or it is not worth it: each takes longer
static constexpr size_t MaxSplits = 64;   // of a level; a loop with more is walked, or bounded

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
  const std::set<int64_t> splitsOfAll = splits_.back();
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
  }
  if (stride_ == strideBefore && blocks_ == before)
    return false;
  splits_.assign(topLevel() + 1, {}); // blocks are others: they are asked for again
  splits_.back() = splitsOfAll;
  return true;
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

/// An iteration of a block takes longer than one that is walked by itself.
bool LoopBlocks::isWorthWalking(int64_t iterations) const {
  if (iterations <= FewWalked)
    return iterations <= iterations_ / 2;
  return iterations <= std::min(MaxWalked, iterations_ / LessToWalk) &&
         llvm::SaturatingMultiply(static_cast<uint64_t>(iterations), operations_) <= MaxOperations;
}

bool LoopBlocks::refine(unsigned blamedLevel) {
  if (!addAsked()) {
    if (isWalked(blamedLevel))
      return false;
    walked_.push_back(unit(blamedLevel));
  }
  return isWorthWalking(walkedIterations());
}

int64_t LoopBlocks::inBlock(unsigned level, int64_t iteration) const {
  return level == 0 ? 0
                    : floorRemainder(iteration - blocks_[level - 1].phase, blocks_[level - 1].size);
}

/// Below a level that is walked, the level's loop has a first block of each of the other's
/// iterations: all parts begin where blocks do.
bool LoopBlocks::split(unsigned level, int64_t first, int64_t iterations) {
  int64_t at = first - inBlock(level, first) + iterations * unit(level);
  if (level < topLevel())
    at = inBlock(level + 1, at);
  std::set<int64_t> &splits = splits_[level];
  return at > 0 && at < iterations_ && splits.size() < MaxSplits && splits.insert(at).second;
}

llvm::SmallVector<int64_t, 4> LoopBlocks::borders(unsigned level, Iterations part) const {
  const int64_t block = level == topLevel() ? 0 : part.first - inBlock(level + 1, part.first);
  llvm::SmallVector<int64_t, 4> borders = {part.first};
  for (int64_t split : splits_[level])
    if (block + split > part.first && block + split < part.last)
      borders.push_back(block + split);
  borders.push_back(part.last);
  return borders;
}

} // namespace colonnade::model
