//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which look-back words are empty: beside the words themselves, over random portions, of which some
// turn out to have no items on the device.
//
//===----------------------------------------------------------------------===//

#include <colonnade/detail/scatter/empty_words.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace colonnade::detail;

namespace {

enum class fault : uint8_t { none, never_lost, never_zeroed, same_turn };

/// What a launch of portions does, and what they do to their words.
class portions {
public:
  portions(uint64_t most_words, fault planted, unsigned seed)
      : words_(most_words, 0xdeadbeef), planted_(planted), random_(seed) {}

  /// counted: on the host; else only the device knows whether the portion has items. False: it
  /// finds a word that is not empty.
  bool queue(uint64_t words, bool counted) {
    if (empty_.have_to_be_zeroed(words)) {
      if (planted_ != fault::never_zeroed)
        std::fill_n(words_.begin(), words, 0);
      empty_.zeroed(words);
      ++zeroings;
    }
    const uint32_t turn = planted_ == fault::same_turn ? 0 : empty_.turn();
    const bool runs = counted || random_() % 2;
    for (uint64_t i = 0; runs && i < words; ++i) {
      if (look_back_state(words_[i] ^ turn) != look_back_empty)
        return false;
      words_[i] = look_back_word(look_back_inclusive, random_() % 1000) ^ turn;
    }
    empty_.used(words);
    if (!counted && planted_ != fault::never_lost)
      empty_.lost();
    return true;
  }
  uint64_t zeroings = 0;

private:
  std::vector<uint32_t> words_;
  fault planted_;
  std::mt19937 random_;
  empty_words empty_;
};

/// Whether all portions of all sequences find their words empty.
bool all_find_them_empty(fault planted, bool counted) {
  bool well = true;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    portions p(64, planted, seed);
    for (int i = 0; i < 20 && well; ++i)
      well = p.queue(1 + random() % 64, counted || random() % 2);
  }
  return well;
}

TEST(EmptyWords, AreEmptyWhenAPortionStarts) {
  EXPECT_TRUE(all_find_them_empty(fault::none, true));
  EXPECT_TRUE(all_find_them_empty(fault::none, false));
}

TEST(EmptyWords, FaultsAreFound) {
  EXPECT_FALSE(all_find_them_empty(fault::never_zeroed, true));
  EXPECT_FALSE(all_find_them_empty(fault::same_turn, true));
  EXPECT_TRUE(all_find_them_empty(fault::never_lost, true));
  EXPECT_FALSE(all_find_them_empty(fault::never_lost, false));
}

TEST(EmptyWords, AreZeroedOnceForPassesOfOneSize) {
  portions known(64, fault::none, 1), unknown(64, fault::none, 1);
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(known.queue(64, true));
    EXPECT_TRUE(unknown.queue(64, false));
  }
  EXPECT_EQ(known.zeroings, 1u);
  EXPECT_EQ(unknown.zeroings, 8u);
}

} // namespace
