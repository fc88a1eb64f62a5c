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

#include "Driver/Commands.h"
#include "Driver/ScalarArguments.h"
#include "Driver/UniformArrays.h"
#include "Driver/Verdicts.h"
#include "IR/Interpreter.h"

#include "llvm/Support/raw_ostream.h"

namespace colonnade {
namespace {

using Arrays = std::vector<ir::ArrayData>;

/// Zeroed arrays of their concrete size; uniform inputs from their files.
llvm::Expected<Arrays> makeArrays(const ir::Function &function, const Scalars &scalars,
                                  const std::vector<Assignment> &inputs) {
  std::map<std::string, std::string> files(inputs.begin(), inputs.end());
  Arrays arrays(function.arrays.size());
  for (auto [i, array] : llvm::enumerate(function.arrays)) {
    if (!array.isPassed())
      continue;
    auto extents = ir::concreteExtents(function, array, scalars);
    if (!extents)
      return extents.takeError();
    int64_t cells = 1;
    for (int64_t extent : *extents)
      if (extent < 0 || __builtin_mul_overflow(cells, extent, &cells) || cells > (1LL << 32))
        return llvm::createStringError("'" + array.name +
                                       "' has an impossible extent at these "
                                       "sizes");
    arrays[i].cells.resize(static_cast<size_t>(cells));
    auto file = files.find(array.name);
    if (file == files.end())
      continue;
    if (llvm::Error error = readUniformArray(file->second, array, arrays[i].cells))
      return error;
    files.erase(file);
  }
  if (!files.empty())
    return llvm::createStringError("-i " + files.begin()->first + ": '" + function.name +
                                   "' has no array of that name");
  return arrays;
}

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
  auto arrays = makeArrays(certificate, *scalars, options.inputs);
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
