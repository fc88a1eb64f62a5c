//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Inputs for test functions: for each cell a mixture of small values, limits and
// random bits, a pure function of (seed, entry, array, instance, cell). Uniform
// arrays ignore the instance.
//
//===----------------------------------------------------------------------===//
#include "harness.hpp"

#include <cmath>
#include <limits>

namespace fuzz {

std::vector<entry> &entries() {
  static std::vector<entry> all;
  return all;
}

static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static uint64_t integer_bits(uint64_t r, unsigned bits) {
  uint64_t value = r >> 8;
  switch (r & 7) {
  case 0:
    value = (r >> 8) % 9 - 4;
    break;
  case 1:
    value = (r >> 8 & 1) ? ~uint64_t{0} >> (65 - bits) : uint64_t{1} << (bits - 1);
    break;
  case 2:
    value = ~uint64_t{0};
    break;
  case 3:
  case 4:
    value = (r >> 8) % 200;
    break;
  default:
    break;
  }
  return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

static double real_value(uint64_t r) {
  switch (r % 12) {
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
  case 5:
  case 6:
    return double(int64_t(r >> 8) % 7);
  default:
    return (double(r >> 11) / double(1ull << 53) - 0.5) * 40;
  }
}

uint64_t input_bits(const entry &e, size_t a, uint64_t instance, uint64_t cell, uint64_t seed) {
  const array &info = e.arrays[a];
  uint64_t r = seed;
  for (const char *c = e.name; *c; c++)
    r = mix(r ^ uint64_t(*c));
  r = mix(mix(mix(r ^ a) ^ (info.uniform ? ~uint64_t{0} : instance)) ^ cell);
  const unsigned bits = unsigned(8 * size_bytes(info.cell));
  if (info.bounded) {
    const uint64_t value = uint64_t(info.low) + r % uint64_t(info.high - info.low + 1);
    return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
  }
  if (info.cell == cell_type::boolean)
    return r & 1;
  if (info.cell == cell_type::f32) {
    const float value = float(real_value(r));
    uint32_t out;
    std::memcpy(&out, &value, sizeof out);
    return out;
  }
  if (info.cell == cell_type::f64) {
    const double value = real_value(r);
    uint64_t out;
    std::memcpy(&out, &value, sizeof out);
    return out;
  }
  return integer_bits(r, bits);
}

std::vector<std::vector<char>> make_inputs(const entry &e, uint64_t instance, uint64_t seed) {
  std::vector<std::vector<char>> result;
  for (size_t a = 0; a < e.arrays.size(); a++) {
    const size_t size = size_bytes(e.arrays[a].cell);
    result.emplace_back(e.arrays[a].cells * size);
    for (uint64_t cell = 0; cell < e.arrays[a].cells; cell++) {
      const uint64_t bits = input_bits(e, a, instance, cell, seed);
      std::memcpy(&result.back()[cell * size], &bits, size);
    }
  }
  return result;
}

uint64_t load_bits(cell_type type, const void *cell) {
  uint64_t bits = 0;
  std::memcpy(&bits, cell, size_bytes(type));
  return bits;
}

bool same_cell(cell_type type, const void *a, const void *b) {
  if (load_bits(type, a) == load_bits(type, b))
    return true;
  if (type == cell_type::f32)
    return std::isnan(bits_to<float>(load_bits(type, a))) &&
           std::isnan(bits_to<float>(load_bits(type, b)));
  if (type == cell_type::f64)
    return std::isnan(bits_to<double>(load_bits(type, a))) &&
           std::isnan(bits_to<double>(load_bits(type, b)));
  return false;
}

} // namespace fuzz
