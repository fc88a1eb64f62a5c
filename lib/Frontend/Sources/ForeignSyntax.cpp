//===- ForeignSyntax.cpp - What GCC follows and Clang does not -------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Sources/ForeignSyntax.h"

#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

namespace colonnade::frontend {

using clang::Diagnostic;
using clang::DiagnosticsEngine;

static constexpr unsigned leftOut[] = {clang::diag::warn_unknown_attribute_ignored,
                                       clang::diag::warn_attribute_precede_definition,
                                       clang::diag::warn_pragma_ignored};

static constexpr const char *groups[] = {"unknown-attributes", "ignored-attributes",
                                         "unknown-pragmas"};

ForeignSyntax::ForeignSyntax(clang::DiagnosticOptions &options)
    : TextDiagnosticPrinter(llvm::errs(), &options), isSilent_(options.IgnoreWarnings),
      tellsPragmas_(llvm::is_contained(options.Warnings, "unknown-pragmas") ||
                    llvm::is_contained(options.Warnings, "all")) {
  options.IgnoreWarnings = false; // this one does it
  for (const std::string group : groups) {
    tells_.push_back(!llvm::is_contained(options.Warnings, "no-" + group));
    options.Warnings.push_back(group);
    options.Warnings.push_back("no-error=" + group);
  }
}

/// Of optimize("…") those that change more than the speed.
static bool changesMeaning(llvm::StringRef options) {
  return llvm::any_of(std::initializer_list<llvm::StringRef>{"fast", "math", "wrapv", "trapv",
                                                             "short-enums", "pack-struct", "-char",
                                                             "bitfields", "precision", "rounding",
                                                             "signaling"},
                      [&](llvm::StringRef option) { return options.contains(option); });
}

static bool isForeign(unsigned id, llvm::StringRef text) {
  if (id == clang::diag::warn_attribute_precede_definition)
    return text.starts_with("weak") || text.starts_with("__weak__");
  if (text.contains("scalar_storage_order"))
    return !text.contains("little-endian") && !text.contains("default");
  return (text.starts_with("optimize") || text.starts_with("__optimize__") ||
          text.contains("GCC optimize")) &&
         changesMeaning(text);
}

/// The attribute that begins there, with its arguments; of a pragma, the line.
static llvm::StringRef textAt(const Diagnostic &info) {
  const clang::SourceManager &sources = info.getSourceManager();
  bool isInvalid = false;
  const auto [file, offset] = sources.getDecomposedLoc(sources.getSpellingLoc(info.getLocation()));
  const llvm::StringRef text = sources.getBufferData(file, &isInvalid);
  int depth = 0;
  auto goesOn = [&](char c) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    return c != '\n' && depth >= 0 && (c != ',' || depth > 0);
  };
  return isInvalid ? "" : text.drop_front(offset).take_while(goesOn).rtrim();
}

/// Whether the flags of the command would have shown it.
bool ForeignSyntax::isTold(DiagnosticsEngine::Level level, unsigned id) const {
  if (level == DiagnosticsEngine::Note)
    return wasTold_; // of what it belongs to
  if (level != DiagnosticsEngine::Warning)
    return true;
  const auto *kind = llvm::find(leftOut, id);
  const bool isOwn = kind != std::end(leftOut);
  return !isSilent_ && (!isOwn || tells_[kind - leftOut]) &&
         (id != clang::diag::warn_pragma_ignored || tellsPragmas_);
}

void ForeignSyntax::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) {
  wasTold_ = isTold(level, info.getID());
  if (wasTold_)
    TextDiagnosticPrinter::HandleDiagnostic(level, info);
  if (!found_.empty() || !llvm::is_contained(leftOut, info.getID()) || !info.hasSourceManager())
    return;
  const llvm::StringRef text = textAt(info);
  const clang::PresumedLoc at = info.getSourceManager().getPresumedLoc(info.getLocation());
  if (isForeign(info.getID(), text) && at.isValid())
    found_ = std::string(at.getFilename()) + ":" + std::to_string(at.getLine()) + ":" +
             std::to_string(at.getColumn()) + ": '" + text.str() +
             "', which GCC follows and Clang does not: leave it out";
}

} // namespace colonnade::frontend
