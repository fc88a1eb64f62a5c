//===- LibraryValues.cpp - Addresses from inexact functions ---------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Certificate/LibraryValues.h"

#include "Support/Diagnostics.h"

namespace colonnade {

std::vector<Finding> addressesFromLibrary(const ir::Function &certificate) {
  std::vector<Finding> findings;
  for (const ir::Op &op : certificate.ops)
    if (op.opcode == ir::Opcode::Math && !ir::isExact(op.math))
      findings.push_back({info(Diagnostic::AddressFromLibrary).id,
                          VerdictClass::A,
                          op.loc,
                          format(Diagnostic::AddressFromLibrary, {ir::name(op.math)}),
                          {}});
  return findings;
}

const Finding *findAddressFromLibrary(const Verdict &verdict) {
  auto found = llvm::find_if(verdict.findings, [](const Finding &finding) {
    return finding.id == info(Diagnostic::AddressFromLibrary).id;
  });
  return found == verdict.findings.end() ? nullptr : &*found;
}

} // namespace colonnade
