//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// refused_types.hpp: types that no family moves.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

struct owner { // not trivially copyable
  uint32_t number;
  owner(const owner &other) : number(other.number) {}
};
struct wide { // more than 16 bytes
  uint32_t words[8];
};
