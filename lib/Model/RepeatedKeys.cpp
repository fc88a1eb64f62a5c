//===- RepeatedKeys.cpp - Keys that a JSON object has twice ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/RepeatedKeys.h"

#include "llvm/Support/JSON.h"

#include <set>
#include <vector>

namespace colonnade::model {

/// The string literal at its beginning, with its quotes.
static llvm::StringRef literalAt(llvm::StringRef text) {
  size_t end = 1;
  while (text[end] != '"')
    end += text[end] == '\\' ? 2 : 1;
  return text.take_front(end + 1);
}

std::optional<RepeatedKey> repeatedKey(llvm::StringRef json) {
  std::vector<std::set<std::string>> objects; // of those that are open
  for (llvm::StringRef left = json; !left.empty(); left = left.drop_front()) {
    if (left.front() == '{')
      objects.emplace_back();
    else if (left.front() == '}')
      objects.pop_back();
    if (left.front() != '"')
      continue;
    const llvm::StringRef literal = literalAt(left);
    left = left.drop_front(literal.size() - 1);
    if (!left.drop_front().ltrim().starts_with(":")) // a value
      continue;
    const std::string name = llvm::cantFail(llvm::json::parse(literal)).getAsString()->str();
    if (!objects.back().insert(name).second)
      return RepeatedKey{name, 1 + json.drop_back(left.size()).count('\n')};
  }
  return std::nullopt;
}

} // namespace colonnade::model
