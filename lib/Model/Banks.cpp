//===- Banks.cpp - Lanes that wait for a bank of shared memory ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/Banks.h"

#include "llvm/ADT/STLExtras.h"

#include <vector>

namespace colonnade::model {

/// The most words of one bank.
static uint64_t longestOf(std::vector<int64_t> words, int64_t banks) {
  llvm::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::vector<uint64_t> ofBank(static_cast<size_t>(banks));
  for (int64_t word : words)
    ++ofBank[static_cast<size_t>(word % banks)];
  return *llvm::max_element(ofBank);
}

static size_t lanesTogether(int64_t bytesOfCell, int64_t banks) {
  return static_cast<size_t>(banks * BytesOfWord / std::max(bytesOfCell, BytesOfWord));
}

uint64_t leastWavefronts(size_t lanes, int64_t bytesOfCell, int64_t banks) {
  const size_t together = lanesTogether(bytesOfCell, banks);
  return (lanes + together - 1) / together;
}

uint64_t excessWavefronts(llvm::ArrayRef<int64_t> bytes, int64_t bytesOfCell, int64_t banks) {
  const size_t together = lanesTogether(bytesOfCell, banks);
  uint64_t sum = 0;
  for (; !bytes.empty(); bytes = bytes.drop_front(std::min(together, bytes.size()))) {
    std::vector<int64_t> words;
    for (int64_t first : bytes.take_front(std::min(together, bytes.size())))
      for (int64_t byte = 0; byte < bytesOfCell; byte += BytesOfWord)
        words.push_back((first + byte) / BytesOfWord);
    sum += std::max<uint64_t>(longestOf(std::move(words), banks), 1) - 1;
  }
  return sum;
}

} // namespace colonnade::model
