//===- VerdictClass.cpp - The table of VerdictClasses.def -----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===

#include "Support/VerdictClass.h"

namespace colonnade {

static constexpr VerdictClassInfo verdictInfos[] = {
#define COLONNADE_VERDICT_CLASS(Letter, Result, meaning) {*#Letter, Outcome::Result, meaning},
#include "Support/VerdictClasses.def"
};

const char *name(Outcome outcome) {
  constexpr const char *names[] = {"accept", "reject", "unsupported"};
  return names[static_cast<size_t>(outcome)];
}

const VerdictClassInfo &info(VerdictClass c) { return verdictInfos[static_cast<size_t>(c)]; }

llvm::ArrayRef<VerdictClassInfo> allVerdictClasses() { return verdictInfos; }

std::string verdictLetters() {
  std::string letters;
  for (const VerdictClassInfo &info : verdictInfos)
    letters += (letters.empty() ? "" : " ") + std::string(1, info.letter);
  return letters;
}

std::optional<VerdictClass> findVerdictClass(std::string_view letter) {
  for (size_t i = 0; i < std::size(verdictInfos); ++i)
    if (letter == std::string_view(&verdictInfos[i].letter, 1))
      return static_cast<VerdictClass>(i);
  return std::nullopt;
}

} // namespace colonnade
