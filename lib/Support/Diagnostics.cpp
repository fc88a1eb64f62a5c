//===- Diagnostics.cpp - Tables of Diagnostics.def and its pages ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Diagnostics.h"

#include "llvm/ADT/StringRef.h"

#include <cassert>

namespace colonnade {

const char *name(Severity severity) {
  constexpr const char *names[] = {"note", "warning", "error"};
  return names[static_cast<size_t>(severity)];
}

static constexpr DiagnosticInfo diagnosticInfos[] = {
#define COLONNADE_DIAGNOSTIC(Name, id, severity, title, text) {id, Severity::severity, title, text},
#include "Support/Diagnostics.def"
};

namespace {
struct Page {
  const char *id;
  const char *text;
};
} // namespace

// Generated from docs/diagnostics and docs/verdicts by cmake/EmbedPages.cmake, in the order of ids.
static constexpr Page pages[] = {
#include "DiagnosticPages.inc"
};

const DiagnosticInfo &info(Diagnostic diagnostic) {
  return diagnosticInfos[static_cast<size_t>(diagnostic)];
}

llvm::ArrayRef<DiagnosticInfo> allDiagnostics() { return diagnosticInfos; }

bool isOwnFault(std::string_view id) {
  for (Diagnostic fault :
       {Diagnostic::LostSource, Diagnostic::MalformedIr, Diagnostic::LostOperation})
    if (id == info(fault).id)
      return true;
  return false;
}

const DiagnosticInfo *findDiagnostic(std::string_view id) {
  for (const DiagnosticInfo &info : diagnosticInfos)
    if (llvm::StringRef(info.id).equals_insensitive(llvm::StringRef(id.data(), id.size())))
      return &info;
  return nullptr;
}

std::string format(Diagnostic diagnostic, llvm::ArrayRef<std::string> arguments) {
  std::string result;
  for (const char *p = info(diagnostic).text; *p; ++p) {
    if (p[0] == '{' && p[1] >= '0' && p[1] <= '9' && p[2] == '}') {
      size_t place = static_cast<size_t>(p[1] - '0');
      assert(place < arguments.size() && "a place of the text has no argument");
      result += arguments[place];
      p += 2;
    } else {
      result += *p;
    }
  }
  return result;
}

std::optional<std::string_view> explain(std::string_view id) {
  for (const Page &page : pages)
    if (llvm::StringRef(page.id).equals_insensitive(llvm::StringRef(id.data(), id.size())))
      return page.text;
  return std::nullopt;
}

} // namespace colonnade
