//===- ForeignSyntax.h - What GCC follows and Clang does not ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes and pragmas of GCC that make another programme of a file, and that Clang leaves out
// with no more than a warning: the order of bytes in a struct, floating point or enumerations of
// one function, weakness that is declared behind a definition.
//
// In: Clang's diagnostics of a file. Out: the same, and the first such place. Invariant: flags that
// silence warnings, as -w, do not hide it.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_FOREIGNSYNTAX_H
#define COLONNADE_FRONTEND_FOREIGNSYNTAX_H

#include "clang/Frontend/TextDiagnosticPrinter.h"

#include <string>
#include <vector>

namespace colonnade::frontend {

class ForeignSyntax : public clang::TextDiagnosticPrinter {
public:
  /// Changes the options, so that the engine tells its consumer of all that Clang leaves out.
  explicit ForeignSyntax(clang::DiagnosticOptions &options);
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override;

  /// "f.c:3:20: 'optimize("fast-math")', which …"; empty: there is none.
  const std::string &found() const { return found_; }

private:
  bool isTold(clang::DiagnosticsEngine::Level level, unsigned id) const;

  std::string found_;
  bool isSilent_, tellsPragmas_;
  std::vector<bool> tells_; // by group
  bool wasTold_ = true;     // the last diagnostic that is no note
};

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_FOREIGNSYNTAX_H
