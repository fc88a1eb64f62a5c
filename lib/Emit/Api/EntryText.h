//===- EntryText.h - Parts of entry points in f.bulk.hpp --------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a signature. Out: what the entry points of all back ends in f.bulk.hpp have in
// common. Invariant: arguments are bound and checked before anything is launched.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_EMIT_API_ENTRYTEXT_H
#define COLONNADE_EMIT_API_ENTRYTEXT_H

#include "Emit/Cxx/CxxText.h"

#include "llvm/ADT/Twine.h"

namespace colonnade {

/// "/// text"
inline void docLine(CxxWriter &out, const llvm::Twine &text) { out.line("/// " + text.str()); }

/// Opens a function of that signature, which takes `const arguments &from`; typed arguments
/// are bound in the order of info().
inline void openEntry(CxxWriter &out, llvm::StringRef signature) {
  out.open(signature);
  out.line("detail::bound_arguments bound;");
  out.line("if (status s = bound.bind(from); !s)");
  out.line("  return s;");
}

/// The rest of an entry point that launches one back end over `raw`.
inline void closeEntry(CxxWriter &out, llvm::StringRef launch) {
  out.line("const raw_arguments raw = bound.raw(count);");
  out.line("if (status s = check_arguments(info(), raw); !s)");
  out.line("  return s;");
  out.line("return " + launch.str() + ";");
  out.close();
  out.blank();
}

} // namespace colonnade

#endif // COLONNADE_EMIT_API_ENTRYTEXT_H
