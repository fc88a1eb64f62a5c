//===- Spelling.cpp - What a misspelt name may mean -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Spelling.h"

#include <algorithm>

namespace colonnade {

std::string didYouMean(llvm::StringRef name, const std::set<std::string> &known) {
  // A third of the letters; of short names one, unless all of it would change.
  unsigned best = std::max<unsigned>(1, name.size() / 3) + 1;
  std::string nearest;
  for (const std::string &each : known) {
    unsigned distance = name.edit_distance(each, true, best);
    if (distance < best && distance < each.size()) {
      best = distance;
      nearest = each;
    }
  }
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

} // namespace colonnade
