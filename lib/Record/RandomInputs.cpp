//===- RandomInputs.cpp - Data for recorded runs --------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/RandomInputs.h"

#include <bit>
#include <limits>

namespace colonnade::record {

/// splitmix64 (Steele, Lea, Flood 2014).
uint64_t mixed(uint64_t seed, uint64_t element) {
  uint64_t x = seed + (element + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static uint64_t integerValue(unsigned bits, Temper temper, uint64_t random) {
  const uint64_t rest = random >> 8;
  if (temper == Temper::Small)
    return rest % 8;
  switch (random % 8) {
  case 0:
    return rest % 9 - 4;
  case 1:
    if (temper == Temper::Wild)
      return rest & 1 ? ~uint64_t{0} >> (65 - bits) : uint64_t{1} << (bits - 1);
    return rest % 9 - 4;
  case 2:
    return temper == Temper::Wild ? ~uint64_t{0} : rest % 16;
  case 3:
  case 4:
    return rest % 200;
  default:
    return temper == Temper::Wild ? mixed(random, 1) : rest % 200;
  }
}

static double realValue(Temper temper, uint64_t random) {
  const double fraction = double(random >> 11) / double(1ull << 53);
  if (temper == Temper::Small)
    return 0.5 + 7.5 * fraction;
  if (temper == Temper::Wild)
    switch (random % 12) {
    case 0:
      return std::numeric_limits<double>::infinity();
    case 1:
      return std::numeric_limits<double>::quiet_NaN();
    case 2:
      return -0.0;
    case 3:
      return 1e30;
    case 4:
      return 1e-40; // subnormal as float
    default:
      break;
    }
  if (random % 12 < 7)
    return double(int64_t(random >> 8) % 7);
  return (fraction - 0.5) * 40;
}

uint64_t randomBits(ir::ScalarType type, Temper temper, uint64_t seed) {
  const uint64_t random = mixed(seed, 0);
  if (type == ir::ScalarType::Bool)
    return random & 1;
  if (type == ir::ScalarType::F32)
    return std::bit_cast<uint32_t>(static_cast<float>(realValue(temper, random)));
  if (type == ir::ScalarType::F64)
    return std::bit_cast<uint64_t>(realValue(temper, random));
  const unsigned bits = ir::bitWidth(type);
  const uint64_t value = integerValue(bits, temper, random);
  return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

} // namespace colonnade::record
