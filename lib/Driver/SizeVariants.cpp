//===- SizeVariants.cpp - Code for some sizes beside that for all ---------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/SizeVariants.h"

#include "llvm/ADT/StringExtras.h"

namespace colonnade {
namespace {

/// "_n8"; of a size below 0 "_n_minus8".
std::string suffixOf(const std::string &name, int64_t size) {
  std::string text = "_";
  for (char c : name)
    text += llvm::isAlnum(c) ? c : '_';
  const std::string number = std::to_string(size);
  return text + (size < 0 ? "_minus" + number.substr(1) : number);
}

} // namespace

llvm::Expected<std::vector<SizeVariant>> sizeVariants(const EntryFacts &facts) {
  EntryFacts plain = facts;
  plain.sizeLists.clear();
  std::vector<SizeVariant> result{{plain, ""}}, products{{plain, ""}};
  size_t count = 1;
  for (const auto &[name, values] : facts.sizeLists) {
    count *= values.size();
    if (count > MaxSizeVariants)
      return llvm::createStringError(
          "--size: more than " + std::to_string(MaxSizeVariants) +
          " combinations of sizes; name fewer, or make several libraries");
    std::vector<SizeVariant> longer;
    for (const SizeVariant &shorter : products)
      for (int64_t value : values) {
        longer.push_back({shorter.facts, shorter.suffix + suffixOf(name, value)});
        longer.back().facts.sizes[name] = value;
      }
    products = std::move(longer);
  }
  if (!facts.sizeLists.empty())
    llvm::append_range(result, products);
  return result;
}

} // namespace colonnade
