//===- CertificateLine.cpp ------------------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpret/CertificateLine.h"

#include "IR/Printer.h"

namespace json = llvm::json;

namespace colonnade {

void CertificateLine::addAccess(const ir::AccessEvent &event) {
  const ir::Array &array = function_.array(event.array);
  if (array.role == ir::ArrayRole::Parameter)
    accesses_.push_back(json::Array{event.isStore ? "store" : "load", array.name, event.cell,
                                    event.accessId, json::Array(event.iterations)});
}

void CertificateLine::endRun(const JobInstance &instance) {
  json::Object uniform;
  for (const ir::Array &array : function_.arrays)
    if (auto cells = instance.before.find(array.name);
        cells != instance.before.end() && array.sharing == ir::Sharing::Uniform)
      uniform[array.name] = json::Array(cells->second);
  runs_.push_back(json::Object{{"uniform", std::move(uniform)}, {"trace", std::move(accesses_)}});
  accesses_ = {};
}

static json::Array whereCountsHold(const AccessCounts &counts) {
  json::Array all;
  for (const SizeExpr &size : counts.where)
    all.push_back(size.str());
  return all;
}

static json::Object countsByKind(const AccessCounts &counts) {
  json::Object kinds;
  for (size_t kind = 1; kind < NumAccessKinds; ++kind) // but all of them
    kinds[name(AccessKind(kind))] = counts.ofKind[kind].str();
  return kinds;
}

void CertificateLine::print(llvm::raw_ostream &out, const ir::Module &module, const Job &job,
                            const Verdict &verdict) {
  std::string certificate;
  llvm::raw_string_ostream text(certificate);
  ir::print(text, module, verdict.certificate);
  json::Object scalars;
  for (const auto &[name, bits] : job.scalars)
    scalars[name] = bits;
  out << json::Value(json::Object{{"name", job.name},
                                  {"class", std::string(1, letter(verdict.verdict))},
                                  {"certificate", certificate},
                                  {"accesses", verdict.accesses().str()},
                                  {"accesses_by_kind", countsByKind(verdict.counts)},
                                  {"accesses_where", whereCountsHold(verdict.counts)},
                                  {"scalars", std::move(scalars)},
                                  {"runs", std::move(runs_)}})
      << '\n';
}

} // namespace colonnade
