//===- SizeVariants.cpp - Code for some sizes beside that for all ---------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/SizeVariants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace colonnade {
namespace {

/// "8"; of a size below 0 "_minus8".
std::string numberText(int64_t size) {
  const std::string number = std::to_string(size);
  return size < 0 ? "_minus" + number.substr(1) : number;
}

/// "_n8", "_n1_to_32".
std::string suffixOf(const std::string &name, const SizeRange &range) {
  std::string text = "_";
  for (char c : name)
    text += llvm::isAlnum(c) ? c : '_';
  text += numberText(range.least);
  return range.isOne() ? text : text + "_to_" + numberText(range.most);
}

/// How many sizes the code is for, as far as lists say.
double numSizes(const SizeVariant &variant) {
  double product = 1;
  for (const auto &[name, range] : variant.facts.sizeRanges)
    product *= static_cast<double>(range.values());
  return product;
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
      for (const SizeRange &range : values) {
        longer.push_back({shorter.facts, shorter.suffix + suffixOf(name, range)});
        if (range.isOne())
          longer.back().facts.sizes[name] = range.least;
        else
          longer.back().facts.sizeRanges[name] = range;
      }
    products = std::move(longer);
  }
  llvm::stable_sort(products, [](const SizeVariant &a, const SizeVariant &b) {
    return numSizes(a) < numSizes(b);
  });
  if (!facts.sizeLists.empty())
    llvm::append_range(result, products);
  return result;
}

SizeRanges sizesOf(const EntryFacts &facts) {
  SizeRanges result = facts.sizeRanges;
  for (const auto &[name, size] : facts.sizes)
    result[name] = {size, size};
  return result;
}

} // namespace colonnade
