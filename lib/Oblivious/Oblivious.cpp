//===- Oblivious.cpp - Sequences the verifier's steps ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Oblivious.h"

#include "Oblivious/Certificate/Certificate.h"
#include "Oblivious/Certificate/Count.h"
#include "Oblivious/Certificate/LibraryValues.h"
#include "Oblivious/Findings/Checker.h"
#include "Oblivious/Findings/Remedies.h"
#include "Oblivious/Ranges/Extents.h"
#include "Oblivious/Ranges/FullyWritten.h"
#include "Support/Diagnostics.h"

#include <algorithm>
#include <iterator>

namespace colonnade {

static void fillMasks(const ir::Function &function, const Dataflow &dataflow, RegionId region,
                      bool masked, Uniformity &uniformity) {
  for (OpId id : function.region(region).ops) {
    uniformity.underMask[id.index] = masked;
    bool divergent = !dataflow.divergence(id).uniform();
    uniformity.divergent[id.index] = divergent;
    for (RegionId nested : function.op(id).regions)
      fillMasks(function, dataflow, nested, masked || divergent, uniformity);
  }
}

static Uniformity collectUniformity(const ir::Function &function, const Dataflow &dataflow) {
  Uniformity uniformity;
  uniformity.divergent.resize(function.ops.size());
  uniformity.underMask.resize(function.ops.size());
  for (size_t v = 0; v < function.values.size(); ++v)
    uniformity.varying.push_back(!dataflow.uniform(ValueId(v)));
  for (size_t a = 0; a < function.arrays.size(); ++a)
    uniformity.arrayVarying.push_back(dataflow.varies(ArrayId(a)));
  fillMasks(function, dataflow, function.body, false, uniformity);
  return uniformity;
}

/// An array of the caller's, or a scalar, of which each instance has its own.
static bool isInstanceData(const ir::Array &array) {
  return (array.role == ir::ArrayRole::Parameter || array.role == ir::ArrayRole::Scalar) &&
         array.isPerInstance();
}

/// Where every instance does the same, says so, with the scalars that may differ. A function that
/// only writes instance data may mean that (`clear(b, n)`), unless it has scalars to compute with.
static void adviseInstanceData(const ir::Function &function, Verdict &verdict) {
  bool any = llvm::any_of(function.arrays, isInstanceData);
  bool read = llvm::any_of(
      function.arrays, [](const ir::Array &array) { return isInstanceData(array) && array.reads; });
  if (read || (any && !isAccepted(verdict.verdict))) // what is refused may read more
    return;
  verdict.instanceOptions = instanceOptions(function, any ? Instances::Computing : Instances::Any);
  verdict.anyVarying = any && verdict.instanceOptions.empty();
}

static void append(std::vector<Finding> &findings, std::vector<Finding> more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

/// A finding in a library is reported at the user's line that comes to it.
static void placeInUserCode(const SourceMap &sources, std::vector<Finding> &findings) {
  for (Finding &finding : findings) {
    LocId at = sources.inUserCode(finding.loc);
    if (at == finding.loc)
      continue;
    finding.path.emplace_back().loc = finding.loc;
    finding.path.back().message = "in the library, which is called from there";
    finding.loc = at;
  }
}

static std::vector<bool> indeterminateArrays(const ir::Function &function,
                                             const Dataflow &dataflow) {
  std::vector<bool> result(function.arrays.size());
  for (const ir::Op &op : function.ops)
    if (op.opcode == ir::Opcode::Store &&
        (dataflow.origins()[dataflow.value(op.operands.back())].traits & Indeterminate))
      result[op.array.index] = true;
  return result;
}

/// Never accept what has no certificate.
static void refuse(const ir::Function &function, Verdict &verdict) {
  verdict.verdict = VerdictClass::U;
  verdict.findings.push_back(
      {info(Diagnostic::MalformedIr).id,
       VerdictClass::U,
       function.loc,
       format(Diagnostic::MalformedIr,
              {"the certificate of '" + function.name + "' contradicts its verdict"}),
       {}});
}

Verdict verifyOblivious(const ir::Module &module, const ir::Function &function) {
  Dataflow dataflow(function);
  dataflow.run();

  Verdict verdict;
  verdict.findings = check(module, function, dataflow);
  append(verdict.findings, checkExtents(function));
  for (const Finding &finding : verdict.findings)
    verdict.verdict = std::max(verdict.verdict, finding.verdict);
  if (isAccepted(verdict.verdict)) // what is refused needs no extents
    append(verdict.findings, unknownExtents(function));
  verdict.assumptions = function.assumptions;
  verdict.uniformity = collectUniformity(function, dataflow);
  verdict.fullyWritten = fullyWrittenArrays(function);
  verdict.mayBeIndeterminate = indeterminateArrays(function, dataflow);
  if (isAccepted(verdict.verdict)) {
    if (std::optional<ir::Function> certificate = buildCertificate(module, function, dataflow)) {
      verdict.certificate = std::move(*certificate);
      verdict.assumptions = verdict.certificate.assumptions;
      verdict.addresses = addressProperties(verdict.certificate);
      verdict.counts = countAccesses(module, verdict.certificate);
      append(verdict.findings, addressesFromLibrary(verdict.certificate));
    } else {
      refuse(function, verdict);
    }
  }
  adviseInstanceData(function, verdict);
  placeInUserCode(module.sources, verdict.findings);
  sortFindings(module.sources, verdict.findings);
  return verdict;
}

} // namespace colonnade
