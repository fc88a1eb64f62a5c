//===- MapBits.cpp - Numbers whose bits are those of others ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/Teams/MapBits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace colonnade;
using namespace colonnade::ir;

ValueId colonnade::joinBits(Builder &builder, ValueId a, uint64_t ofA, ValueId b, uint64_t ofB) {
  if (ofA == 0 || ofB == 0)
    return ofA == 0 ? b : a;
  return builder.binary(ofA & ofB ? Opcode::Xor : Opcode::Or, a, b);
}

ValueId colonnade::mapBits(Builder &builder, ValueId value, llvm::ArrayRef<uint64_t> images) {
  const auto number = [&](uint64_t n) {
    return builder.constantInt(ScalarType::S64, static_cast<int64_t>(n));
  };
  ValueId all;
  uint64_t ofAll = 0;
  for (size_t begin = 0, end = 0; begin < images.size(); begin = end) {
    const uint64_t image = images[begin];
    const bool isBit = llvm::has_single_bit(image);
    for (end = begin + 1; isBit && end < images.size() && images[end] == image << (end - begin);)
      ++end;
    if (image == 0)
      continue;
    const uint64_t mask = (uint64_t(1) << (end - begin)) - 1;
    const auto to = static_cast<unsigned>(llvm::countr_zero(image));
    const bool stays = isBit && to == begin, isLast = end == images.size();
    ValueId term = value;
    if (begin > 0 && !stays)
      term = builder.binary(Opcode::Shr, term, number(begin));
    if (!isLast || (begin > 0 && stays))
      term = builder.binary(Opcode::And, term, number(stays ? mask << begin : mask));
    if (!isBit)
      term = builder.binary(Opcode::Mul, term, number(image));
    else if (to > 0 && !stays)
      term = builder.binary(Opcode::Shl, term, number(to));
    const uint64_t ofTerm = isBit ? mask << to : image;
    all = all ? joinBits(builder, all, ofAll, term, ofTerm) : term;
    ofAll |= ofTerm;
  }
  return all ? all : number(0);
}

uint64_t BitMap::of(uint64_t number) const {
  uint64_t value = first;
  for (unsigned bit = 0; bit < images.size(); ++bit)
    value ^= number >> bit & 1 ? images[bit] : 0;
  return value;
}

std::optional<BitMap> colonnade::bitMapOf(const std::map<uint64_t, uint64_t> &values) {
  if (values.empty() || values.begin()->first != 0)
    return std::nullopt;
  BitMap map;
  map.first = values.begin()->second;
  uint64_t bits = 0;
  for (const auto &[number, value] : values)
    bits |= number;
  map.images.resize(static_cast<size_t>(64 - llvm::countl_zero(bits)));
  for (size_t bit = 0; bit < map.images.size(); ++bit) {
    if (!(bits >> bit & 1))
      continue;
    const auto at = values.find(uint64_t(1) << bit);
    if (at == values.end())
      return std::nullopt;
    map.images[bit] = at->second ^ map.first;
  }
  const bool isRight =
      llvm::all_of(values, [&](const auto &each) { return map.of(each.first) == each.second; });
  return isRight ? std::optional(std::move(map)) : std::nullopt;
}
