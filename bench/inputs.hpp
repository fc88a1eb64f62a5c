//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// inputs.hpp: the numbers that benchmarks fill floating-point cells with.
// In: the kind's name, and a fraction from 0 to 1 drawn for each cell. Out: the number.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/compiler.hpp>

#include <cstdint>
#include <optional>
#include <string>

/// signed: -2 to 2. positive: 1 to 2. dominant: as positive, but on the diagonal of a square matrix
/// more than the rest of its row together, so that it has a Cholesky factor. (Of others the factor
/// is full of NaN, and operations on NaN take longer.)
enum class inputs { signed_numbers, positive, dominant };

inline std::optional<inputs> inputs_named(const std::string &name) {
  if (name == "signed")
    return inputs::signed_numbers;
  if (name == "positive")
    return inputs::positive;
  if (name == "dominant")
    return inputs::dominant;
  return std::nullopt;
}

/// Columns of a square matrix of so many cells; 0 if there is none.
inline uint64_t side_of(uint64_t cells) {
  uint64_t side = 1;
  while (side * side < cells)
    ++side;
  return side * side == cells ? side : 0;
}

/// The number in cell `cell` of an instance of an array with that many cells and that side.
COLONNADE_HOST_DEVICE double number_of(inputs kind, double fraction, uint64_t cell, uint64_t cells,
                                       uint64_t side) {
  if (kind == inputs::signed_numbers)
    return 4 * fraction - 2;
  const bool is_raised = kind == inputs::dominant && side != 0 && cell % (side + 1) == 0;
  return 1 + fraction + (is_raised ? 2 * static_cast<double>(cells) : 0);
}
