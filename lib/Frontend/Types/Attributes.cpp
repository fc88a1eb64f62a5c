//===- Attributes.cpp - Attributes that may change a meaning --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Types/Attributes.h"

#include "clang/AST/Attr.h"

namespace colonnade::frontend {

static bool changesNothing(clang::attr::Kind kind) {
  switch (kind) {
#define COLONNADE_ATTRIBUTE(Name) case clang::attr::Name:
#include "Frontend/Types/Attributes.def"
    return true;
  default:
    return false;
  }
}

std::string attributeProblem(const clang::Decl &decl) {
  for (const clang::Decl *each : decl.redecls()) {
    if (!each->hasAttrs())
      continue;
    for (const clang::Attr *attribute : each->attrs())
      if (!changesNothing(attribute->getKind()))
        return std::string("attribute '") + attribute->getSpelling() + "'" +
               (llvm::isa<clang::CleanupAttr>(attribute)
                    ? " (call the function where the scope ends)"
                    : "");
  }
  return "";
}

} // namespace colonnade::frontend
