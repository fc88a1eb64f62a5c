//===- SizeDispatch.cpp - From code for all sizes to that for some --------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Api/SizeDispatch.h"

#include "Emit/Cxx/GeneratedNamespace.h"
#include "Emit/Cxx/Interface.h"

namespace colonnade {
namespace {

/// Of a scalar's bits. What lies below a range is far above it when the range's first is taken off.
std::string condition(const FixedValues &fixed, const std::string &bits) {
  const std::string first = std::to_string(fixed.first.bits) + "u";
  if (fixed.more == 0)
    return bits + " == " + first;
  return "uint" + std::to_string(ir::bitWidth(fixed.first.type)) + "_t(" + bits + " - " + first +
         ") <= " + std::to_string(fixed.more) + "u";
}

/// Of a launch's scalars.
std::string condition(const ir::Function &function, const SizeRanges &sizes,
                      llvm::StringRef scalars) {
  std::string text;
  for (const auto &[i, scalar] : llvm::enumerate(function.scalars))
    if (std::optional<FixedValues> fixed = fixedValues(function, scalar.value, sizes))
      text += (text.empty() ? "" : " && ") +
              condition(*fixed, scalars.str() + "[" + std::to_string(i) + "]");
  return text.empty() ? "true" : text;
}

} // namespace

uint32_t firstSite(const EmitInput &input, unsigned number) {
  constexpr uint32_t numbers = (1 << 16) - 1;
  return numbers / input.count * number;
}
SizedSites sizedSites(const EmitInput &input) {
  const uint32_t first = firstSite(input, input.number);
  return {first, firstSite(input, input.number + 1) - first};
}

void includeSized(const EmitInput &input, CxxWriter &out) {
  for (const SizedCode &code : input.sized)
    out.raw("#include \"" + code.identifier + ".bulk.hpp\"\n");
}

void dispatchSized(const EmitInput &input, llvm::StringRef scalars,
                   llvm::function_ref<std::string(const std::string &)> then, CxxWriter &out) {
  for (const SizedCode &code : input.sized) {
    out.line("if (" + condition(input.function, code.sizes, scalars) + ")");
    out.line("  " + then(generatedNamespace(code.identifier)));
  }
}

} // namespace colonnade
