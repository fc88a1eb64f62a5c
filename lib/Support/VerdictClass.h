//===- VerdictClass.h - Verdict classes and what they mean ------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verdict classes of docs/verdicts, generated from VerdictClasses.def: their order,
// letters, outcomes and meanings stand there and nowhere else.
//
// In: a class, or its letter. Out: the other, what it means, and the exit code.
// Invariant: the order is from best to worst, so the greatest of several is the verdict.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_SUPPORT_VERDICTCLASS_H
#define COLONNADE_SUPPORT_VERDICTCLASS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace colonnade {

/// Ordered from best to worst; the worst finding gives the verdict.
enum class VerdictClass : uint8_t {
#define COLONNADE_VERDICT_CLASS(Letter, Result, meaning) Letter,
#include "Support/VerdictClasses.def"
};

/// What becomes of a function; the numbers are the command's exit codes.
enum class Outcome : uint8_t { Accept = 0, Reject = 1, Unsupported = 2 };
const char *name(Outcome outcome); // "accept", "reject", "unsupported"

struct VerdictClassInfo {
  char letter;
  Outcome outcome;
  const char *meaning;
};

const VerdictClassInfo &info(VerdictClass c);
/// All classes, from best to worst.
llvm::ArrayRef<VerdictClassInfo> allVerdictClasses();
/// "A P K T S R N U", for messages.
std::string verdictLetters();
/// By its letter; nullopt if there is no such class.
std::optional<VerdictClass> findVerdictClass(std::string_view letter);

inline char letter(VerdictClass c) { return info(c).letter; }
inline Outcome outcome(VerdictClass c) { return info(c).outcome; }
inline bool isAccepted(VerdictClass c) { return outcome(c) == Outcome::Accept; }

} // namespace colonnade

#endif // COLONNADE_SUPPORT_VERDICTCLASS_H
