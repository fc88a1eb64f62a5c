//===- Descriptor.h - The function_info of a generated function --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function. Out: the part of f.bulk.cpp that is the same for all back ends: array
// and scalar tables, extents, and `const function_info &info()`. It goes inside no
// namespace, and expects f.bulk.hpp to be included and, if there is a CPU back end,
// `constexpr uint64_t detail::cpu_tile` (instances per tile) before it.
// Invariant: back ends that are not linked in are null.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_API_DESCRIPTOR_H
#define COLONNADE_EMIT_API_DESCRIPTOR_H

#include "Emit/Emit.h"

namespace colonnade {

std::string descriptorText(const EmitInput &input);

} // namespace colonnade

#endif // COLONNADE_EMIT_API_DESCRIPTOR_H
