//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// empty_words.hpp: which look-back words are empty from portion to portion and from pass to pass.
//
// In: how many words the next portion uses. Out: with which turn it reads and writes them
// (look_back.hpp), and whether they have to be zeroed before. Invariant: all words that a portion
// uses are empty, read with its turn, when it starts; they are inclusive when it has ended, so
// empty with the other turn. A portion that uses more words than the one before finds some that
// are not, and has all of its words zeroed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/ranking/look_back.hpp>

#include <cstdint>

namespace colonnade::detail {

class empty_words {
public:
  /// The first `count` words are zero.
  explicit empty_words(uint64_t count = 0) : count_(count) {}

  /// Whether the caller has to zero so many words before the next portion, which uses them.
  bool have_to_be_zeroed(uint64_t words) const { return words > count_; }
  uint32_t turn() const { return turn_; }

  /// The caller has zeroed so many.
  void zeroed(uint64_t words) { *this = empty_words(words); }
  /// A portion that uses so many has been queued.
  void used(uint64_t words) {
    count_ = words;
    turn_ ^= look_back_turn;
  }
  /// It is not known which words the portion used.
  void lost() { count_ = 0; }

private:
  uint64_t count_;
  uint32_t turn_ = 0;
};

} // namespace colonnade::detail
