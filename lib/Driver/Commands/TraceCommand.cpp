//===- TraceCommand.cpp - Print a(i) --------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprets the certificate at concrete sizes. One access a line: its rank i,
// load or store, array[cell], the site with the iterations of its loops, the place:
//   7 store b[3] #2(3) prefix.cpp:4:10
//
//===----------------------------------------------------------------------===//

#include "Driver/Commands/Commands.h"
#include "Driver/Commands/Verdicts.h"
#include "Driver/Options/CertificateArrays.h"
#include "Driver/Options/ScalarArguments.h"
#include "IR/Interpreter.h"

#include "llvm/Support/raw_ostream.h"

namespace colonnade {
namespace {

/// Locations of the accesses by site id.
std::map<uint32_t, LocId> siteLocations(const ir::Function &function) {
  std::map<uint32_t, LocId> locations;
  for (const ir::Op &op : function.ops)
    if (op.accessId != UINT32_MAX)
      locations[op.accessId] = op.loc;
  return locations;
}

llvm::Error printTrace(const Analysis &analysis, const CheckedFunction &checked,
                       const Options &options) {
  const ir::Function &certificate = checked.verdict.certificate;
  auto scalars = scalarArguments(certificate, options);
  if (!scalars)
    return scalars.takeError();
  auto arrays = certificateArrays(certificate, *scalars, options.inputs);
  if (!arrays)
    return arrays.takeError();

  std::map<uint32_t, LocId> locations = siteLocations(checked.canonical);
  llvm::raw_ostream &out = llvm::outs();
  uint64_t rank = 0;
  ir::InterpreterOptions interpreter;
  interpreter.onAccess = [&](const ir::AccessEvent &event) {
    out << rank++ << (event.isStore ? " store " : " load ") << certificate.array(event.array).name
        << '[' << event.cell << "] #" << event.accessId << '(';
    llvm::interleave(event.iterations, out, ",");
    out << ") " << analysis.module.sources.str(locations[event.accessId]) << '\n';
  };
  return ir::interpret(analysis.module, certificate, *arrays, *scalars, interpreter);
}

} // namespace

int runTrace(const Options &options) {
  return withAccepted(options, [&](const Analysis &analysis) -> llvm::Expected<int> {
    auto checked = onlyFunction(analysis, "trace");
    if (!checked)
      return checked.takeError();
    if (llvm::Error error = printTrace(analysis, *checked, options))
      return error;
    return Accepted;
  });
}

} // namespace colonnade
