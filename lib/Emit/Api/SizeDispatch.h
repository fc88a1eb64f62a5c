//===- SizeDispatch.h - From code for all sizes to that for some *- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: code for all sizes, and which code of the same function there is for some alone. Out: the
// C++ by which a launch of the former finds the latter. Invariant: both take the same arguments,
// and their failures have different numbers.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_API_SIZEDISPATCH_H
#define COLONNADE_EMIT_API_SIZEDISPATCH_H

#include "Emit/Cxx/CxxText.h"
#include "Emit/Emit.h"

namespace colonnade {

/// The numbers that failures of one code on a GPU have: a device_status has 16 bits for them, of
/// which each code of a function has an equal share.
struct SizedSites {
  uint32_t first, count;
};
SizedSites sizedSites(const EmitInput &input);
/// Of the code with this number.
uint32_t firstSite(const EmitInput &input, unsigned number);

/// Their headers.
void includeSized(const EmitInput &input, CxxWriter &out);
/// A statement for each code, under its condition on `scalars`, the expression of a scalar_bits
/// array. then: the statement, for a namespace.
void dispatchSized(const EmitInput &input, llvm::StringRef scalars,
                   llvm::function_ref<std::string(const std::string &)> then, CxxWriter &out);

} // namespace colonnade

#endif // COLONNADE_EMIT_API_SIZEDISPATCH_H
