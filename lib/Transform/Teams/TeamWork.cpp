//===- TeamWork.cpp - What the work of a team comes to --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/TeamWork.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace colonnade;
using namespace colonnade::ir;

static constexpr uint64_t BankBytes = 4, Banks = 32;

// Instructions of a kernel.
static constexpr double MaxUnrolled = 6000;

bool colonnade::isUnrolled(const TeamWork &work) {
  return work.unrolled.instructions <= MaxUnrolled;
}

uint64_t colonnade::cellsInRegisters(const Function &kernel) {
  uint64_t cells = 0;
  for (const Array &array : kernel.arrays)
    if (array.isLocal() && array.space == Space::Registers)
      cells += *array.constantCells();
  return cells;
}

/// Counters and addresses, and what is computed of cells before it takes their place.
uint64_t colonnade::registersWithOwn(const Function &kernel) {
  static constexpr uint64_t Others = 48;
  const uint64_t cells = cellsInRegisters(kernel);
  return Others + cells + cells / 2;
}

uint64_t colonnade::skewOf(uint64_t cellBytes) {
  return cellBytes < BankBytes ? 0 : Banks * BankBytes / cellBytes;
}

double colonnade::instructionsOf(const Function &kernel, const Op &op) {
  static constexpr double Division = 16; // of integers, by what is no constant
  switch (op.opcode) {
  case Opcode::Div:
  case Opcode::Rem:
    return kernel.constant(op.operands[1]) ? Division / 4 : Division;
  case Opcode::Constant:
  case Opcode::Cast:
  case Opcode::Yield:
  case Opcode::Test:
  case Opcode::Return:
    return 0;
  default:
    return 1;
  }
}

/// Those of a request of one team; the others of its warp have rows in other banks.
static double wavefronts(llvm::ArrayRef<int64_t> cells, uint64_t bytes, uint64_t skew) {
  std::array<llvm::SmallVector<int64_t, 4>, Banks> words;
  size_t most = 1;
  for (int64_t cell : cells) {
    const int64_t place = skew ? cell + cell / static_cast<int64_t>(skew) : cell;
    const int64_t word = place * static_cast<int64_t>(bytes) / static_cast<int64_t>(BankBytes);
    auto &bank = words[static_cast<size_t>(word) % Banks];
    if (!llvm::is_contained(bank, word))
      bank.push_back(word);
    most = std::max(most, bank.size());
  }
  return static_cast<double>(most);
}

void colonnade::addRequest(WarpWork &work, llvm::ArrayRef<int64_t> cells, uint64_t bytes,
                           bool isNext, double share) {
  static constexpr double AtOnce = 4;
  if (cells.empty())
    return;
  work.accesses += share;
  const double plain = wavefronts(cells, bytes, 0);
  work.wavefronts += share * (isNext && bytes == BankBytes ? std::max(plain / AtOnce, 1.0) : plain);
  work.skewed += share * wavefronts(cells, bytes, skewOf(bytes));
}

/// Its lanes issue together.
double TeamTurn::ofWarp(const Issued &issued) const {
  double sum = 0;
  for (unsigned warp = 0; warp < warps_; ++warp)
    sum +=
        *llvm::max_element(llvm::ArrayRef(issued).slice(size_t(warp) * LanesPerWarp, LanesPerWarp));
  return sum / warps_;
}

void TeamTurn::end(TeamWork &work, bool isTiled) {
  work.rolled.instructions += ofWarp(issued_);
  work.unrolled.instructions += ofWarp(issuedUnrolled_);
  issued_ = issuedUnrolled_ = {};
  const double share = 1.0 / warps_;
  for (const auto &[key, cells] : requests_) {
    const uint64_t bytes = sizeBytes(kernel_.array(kernel_.ops[key.first >> 32].array).cell);
    addRequest(work.rolled, cells.all, bytes, isTiled && cells.isNext, share);
    addRequest(work.unrolled, cells.unrolled, bytes, isTiled && cells.isNext, share);
  }
  requests_.clear();
  last_.clear();
}
