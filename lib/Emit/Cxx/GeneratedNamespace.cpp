//===- GeneratedNamespace.cpp - Where a function's generated code lives ---===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit/Cxx/GeneratedNamespace.h"

namespace colonnade {

std::string generatedNamespace(const std::string &identifier) { return identifier + "_bulk"; }

std::string apiName(const std::string &identifier) {
  return CxxNames().unique(identifier, "function");
}

void openGenerated(const std::string &identifier, CxxWriter &out) {
  out.line("namespace colonnade::runtime::" + generatedNamespace(identifier) + " {");
}

void closeGenerated(const std::string &identifier, CxxWriter &out, bool withAlias) {
  out.line("} // namespace colonnade::runtime::" + generatedNamespace(identifier));
  if (!withAlias)
    return;
  out.blank();
  out.line("/// The API: colonnade::bulk::" + apiName(identifier) + "::run and its kin.");
  out.line("namespace colonnade::bulk {");
  out.line("namespace " + apiName(identifier) +
           " = ::colonnade::runtime::" + generatedNamespace(identifier) + ";");
  out.line("} // namespace colonnade::bulk");
}

} // namespace colonnade
