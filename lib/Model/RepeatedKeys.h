//===- RepeatedKeys.h - Keys that a JSON object has twice -------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON parser keeps the last of them and says nothing. In: text that it has read. Out: the
// first key that its object has already, and its line.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_MODEL_REPEATEDKEYS_H
#define COLONNADE_MODEL_REPEATEDKEYS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace colonnade::model {

struct RepeatedKey {
  std::string name;
  uint64_t line; // from 1
};

std::optional<RepeatedKey> repeatedKey(llvm::StringRef json);

} // namespace colonnade::model

#endif // COLONNADE_MODEL_REPEATEDKEYS_H
