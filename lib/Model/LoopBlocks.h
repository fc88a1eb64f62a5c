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
// counter of the middle one.
//
// Invariant: blocks of a level are made of whole blocks of the level below; if requests do not
// agree on such, there is one size, and the iterations within it are walked.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_LOOPBLOCKS_H
#define COLONNADE_MODEL_LOOPBLOCKS_H

#include "Model/LinearValue.h"

namespace colonnade::model {

struct Iterations {
  int64_t first, last; // behind it
  int64_t count() const { return last - first; }
};

class LoopBlocks {
public:
  explicit LoopBlocks(int64_t iterations) : iterations_(iterations) {}

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

private:
  struct Block {
    int64_t size, phase; // they begin at phase, phase + size, …
    friend bool operator==(const Block &, const Block &) = default;
  };
  bool addAsked();
  bool fitsTogether() const;
  int64_t walkedIterations() const;

  int64_t iterations_;
  std::vector<Block> blocks_;   // by level, from 1
  std::vector<Block> asked_;    // since the last try
  std::vector<int64_t> walked_; // units of walked levels
  int64_t stride_ = 1;          // where they do not fit together: all of them repeat
  bool isStrided_ = false;
};

} // namespace colonnade::model

#endif // COLONNADE_MODEL_LOOPBLOCKS_H
