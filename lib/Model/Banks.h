//===- Banks.h - Lanes that wait for a bank of shared memory ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the words that lanes ask shared memory for together. Out: how many wavefronts that takes
// beyond one. Invariant: lanes that ask for one word are answered at once.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_BANKS_H
#define COLONNADE_MODEL_BANKS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace colonnade::model {

constexpr int64_t BytesOfWord = 4; // of a bank's

/// Of cells of so many bytes, by their first byte: those of 8 bytes are answered for half of the
/// lanes at a time, those of 16 for a quarter, and asked for in that order.
uint64_t excessWavefronts(llvm::ArrayRef<int64_t> bytes, int64_t bytesOfCell, int64_t banks);
/// Of so many lanes that never wait.
uint64_t leastWavefronts(size_t lanes, int64_t bytesOfCell, int64_t banks);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_BANKS_H
