//===- Diagnostics.h - Ids, texts and long forms of findings ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the verifier can say. The texts live in Diagnostics.def; the long forms, one
// page per id, in docs/diagnostics, those of verdict classes in docs/verdicts.
//
// In: a diagnostic and the source text to put into it. Out: its id, severity and
// text; or a page.
// Invariant: the pages are compiled in, so that the tool needs no files at run time.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_SUPPORT_DIAGNOSTICS_H
#define COLONNADE_SUPPORT_DIAGNOSTICS_H

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <string_view>

namespace colonnade {

enum class Severity : uint8_t { Note, Warning, Error };
const char *name(Severity severity); // "note", "warning", "error"

enum class Diagnostic : uint8_t {
#define COLONNADE_DIAGNOSTIC(Name, id, severity, title, text) Name,
#include "Support/Diagnostics.def"
};

struct DiagnosticInfo {
  const char *id;
  Severity severity;
  const char *title;
  const char *text; // with {0}, {1}, ...
};

const DiagnosticInfo &info(Diagnostic diagnostic);
llvm::ArrayRef<DiagnosticInfo> allDiagnostics();
/// A fault of this tool, which every test counts as a failure.
bool isOwnFault(std::string_view id);
/// By id, in any case: "obl204"; null if there is none.
const DiagnosticInfo *findDiagnostic(std::string_view id);
/// The text with its places filled in.
std::string format(Diagnostic diagnostic, llvm::ArrayRef<std::string> arguments);
/// The page of a diagnostic ("OBL204") or verdict class ("K"), in any case; nullopt if
/// there is none.
std::optional<std::string_view> explain(std::string_view id);

} // namespace colonnade

#endif // COLONNADE_SUPPORT_DIAGNOSTICS_H
