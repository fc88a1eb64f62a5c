//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// nothing.hpp: the type of what a call does not have: values beside keys, or an output that is
// not wanted.
//
// In: a type that a template is made for. Out: whether it is this one, and its bytes, then 0.
// Invariant: a kernel for keys is the kernel for pairs with this type, whose code for values is
// left out at compile time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>

namespace colonnade::detail {

struct nothing {};

/// sizeof, but of nothing 0.
template <class T> constexpr size_t bytes_of = sizeof(T);
template <> inline constexpr size_t bytes_of<nothing> = 0;

} // namespace colonnade::detail
