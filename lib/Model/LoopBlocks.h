//===- LoopBlocks.h - Iterations of a loop in blocks ------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: how many iterations a loop has, and the blocks that operations on its counter ask for. Out: a
// nest of loops with the same iterations: level 0 is within the smallest blocks, level 1 goes over
// these within the next larger ones, and so on. i & 4 is linear on levels of 1, 4 and 8: it is the
// counter of the middle one. Where a comparison changes in a level's loop, it does so in every
// block of the level above, and the level's loop is taken in parts: i % 2000 == 7.
//
// Invariant: blocks of a level are made of whole blocks of the level below; if requests do not
// agree on such, there is one size, and the iterations within it are walked.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_LOOPBLOCKS_H
#define COLONNADE_MODEL_LOOPBLOCKS_H

#include "Model/LinearValue.h"

#include <set>

namespace colonnade::model {

struct Iterations {
  int64_t first, last; // behind it
  int64_t count() const { return last - first; }
};

class LoopBlocks {
public:
  /// `operations` that an iteration takes, or more.
  LoopBlocks(int64_t iterations, uint64_t operations)
      : iterations_(iterations), operations_(operations), splits_(1) {}

  unsigned topLevel() const { return static_cast<unsigned>(blocks_.size()); }
  /// Iterations of one block of the level.
  int64_t unit(unsigned level) const { return level == 0 ? 1 : blocks_[level - 1].size; }
  /// The whole blocks of the level in a part.
  Iterations wholeBlocks(unsigned level, Iterations part) const;
  /// Whether the level's blocks are run one by one.
  bool isWalked(unsigned level) const { return llvm::is_contained(walked_, unit(level)); }

  /// A request of the loop of `level`, whose base is the counter's value at iteration `first`.
  void ask(const BlockRequest &request, unsigned level, int64_t first);
  /// After a try in which the blamed level had to be known. False: there is no better way.
  bool refine(unsigned blamedLevel);
  bool wasAsked() const { return !blocks_.empty() || !asked_.empty(); }

  /// Has a part of the level's loop begin so many of its iterations from `first` on, the iteration
  /// where that loop is at its first and those around it are, too. False: one does already, or
  /// there are too many.
  bool split(unsigned level, int64_t first, int64_t iterations);
  /// Where parts begin in one that lies in a block of the level above; then where it ends.
  llvm::SmallVector<int64_t, 4> borders(unsigned level, Iterations part) const;
  bool isSplit() const {
    return llvm::any_of(splits_, [](const auto &of) { return !of.empty(); });
  }

private:
  struct Block {
    int64_t size, phase; // they begin at phase, phase + size, …
    friend bool operator==(const Block &, const Block &) = default;
  };
  bool addAsked();
  bool fitsTogether() const;
  int64_t walkedIterations() const;
  bool isWorthWalking(int64_t iterations) const;
  /// From where the level's block that it lies in begins.
  int64_t inBlock(unsigned level, int64_t iteration) const;

  int64_t iterations_;
  uint64_t operations_;
  std::vector<Block> blocks_;   // by level, from 1
  std::vector<Block> asked_;    // since the last try
  std::vector<int64_t> walked_; // units of walked levels
  int64_t stride_ = 1;          // where they do not fit together: all of them repeat
  bool isStrided_ = false;
  // By level: where parts begin, from where a block of the level above does. Of the top level, in
  // all iterations.
  llvm::SmallVector<std::set<int64_t>, 1> splits_;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_LOOPBLOCKS_H
