//===- Checker.cpp - From labels to findings ------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Checker.h"

#include "Oblivious/Describe.h"
#include "Oblivious/UncountedLoop.h"
#include "Support/Diagnostics.h"

#include <algorithm>
#include <set>

namespace colonnade {

using ir::Op;
using ir::Opcode;

namespace {

constexpr uint64_t smallArrayCells = 256;

class Checker {
public:
  Checker(const ir::Module &module, const ir::Function &function, Dataflow &dataflow)
      : module_(module), function_(function), dataflow_(dataflow) {}

  std::vector<Finding> run() {
    visitRegion(function_.body);
    return std::move(findings_);
  }

private:
  void visitRegion(RegionId region);
  void visit(OpId id);
  void checkAccess(const Op &op);
  void checkAddress(const Op &op, Label address);
  void checkUninitialised(OpId id);
  void checkIf(OpId id);
  void checkFor(OpId id);
  void checkLoop(OpId id);
  void checkEndUnderMask(const Op &op);

  void report(Diagnostic diagnostic, VerdictClass verdict, const Op &op, Label why,
              llvm::ArrayRef<std::string> arguments = {});
  Label joined(llvm::ArrayRef<ValueId> values);
  bool declarable(Label label, std::string &sources, std::string &parameter) const;
  bool onlyOpaque(Label label) const { return dataflow_.origins()[label].traits == OpaqueResult; }
  bool isUniformFlow(Label why) const { return why.uniform() || onlyOpaque(why); }
  std::string line(const Op &op) const {
    return op.loc ? std::to_string(module_.sources[op.loc].line) : "LINE";
  }

  const ir::Module &module_;
  const ir::Function &function_;
  Dataflow &dataflow_;
  Label mask_; // of the branches and exits on data around what is visited
  std::vector<Finding> findings_;
};

} // namespace

void Checker::report(Diagnostic diagnostic, VerdictClass verdict, const Op &op, Label why,
                     llvm::ArrayRef<std::string> arguments) {
  Finding finding;
  finding.id = info(diagnostic).id;
  finding.verdict = verdict;
  finding.loc = op.loc;
  finding.message = format(diagnostic, arguments);
  finding.path = explainPath(module_, function_, dataflow_.origins(), why, op.loc);
  findings_.push_back(std::move(finding));
}

Label Checker::joined(llvm::ArrayRef<ValueId> values) {
  Origins &origins = dataflow_.origins();
  Label all;
  for (ValueId v : values)
    all = origins.join(all, dataflow_.value(v));
  return all;
}

/// Every origin is a cell at a constant address that the function never writes. `sources` lists
/// them as the user spells them, `parameter` by what --uniform takes.
bool Checker::declarable(Label label, std::string &sources, std::string &parameter) const {
  const OriginSet &set = dataflow_.origins()[label];
  if (set.traits != DeclarableCell)
    return false;
  std::set<std::string> parameters, cells;
  for (const OriginSet::Entry &entry : set.entries) {
    const Op &load = function_.op(entry.origin);
    const ir::Array &array = function_.array(load.array);
    cells.insert("'" + describeAccess(function_, load) + "'");
    parameters.insert(array.parameter.empty() ? array.name : array.parameter);
  }
  for (const std::string &cell : cells)
    sources += (sources.empty() ? "" : ", ") + cell;
  if (set.more)
    sources += ", ...";
  for (const std::string &name : parameters)
    parameter += (parameter.empty() ? "" : " --uniform ") + name;
  return true;
}

void Checker::visitRegion(RegionId region) {
  for (OpId id : function_.region(region).ops)
    visit(id);
}

void Checker::visit(OpId id) {
  const Op &op = function_.op(id);
  checkUninitialised(id);
  switch (op.opcode) {
  case Opcode::Load:
  case Opcode::Store:
    checkAccess(op);
    break;
  case Opcode::If:
    checkIf(id);
    break;
  case Opcode::For:
    checkFor(id);
    break;
  case Opcode::Loop:
    checkLoop(id);
    break;
  case Opcode::Unsupported:
    report(op.index ? Diagnostic::LostSource : Diagnostic::UnsupportedConstruct, VerdictClass::U,
           op, {}, {op.text});
    break;
  default:
    break;
  }
  const Label outside = mask_;
  if (!op.regions.empty() && !isUniformFlow(dataflow_.divergence(id)))
    mask_ = dataflow_.divergence(id);
  for (RegionId region : op.regions)
    visitRegion(region);
  mask_ = outside;
}

void Checker::checkAccess(const Op &op) {
  const ir::Array &array = function_.array(op.array);
  if (op.opcode == Opcode::Store && array.isSharedInput())
    report(Diagnostic::UniformStore, VerdictClass::U, op, {},
           {array.name, array.parameter.empty() ? array.name : array.parameter});
  ir::AccessOperands access = ir::accessOperands(op);
  Label address = joined(access.subscripts), dimensions = joined(access.radices);
  if (!address.uniform() && !onlyOpaque(address))
    checkAddress(op, address);
  if (!dimensions.uniform() && !onlyOpaque(dimensions))
    report(Diagnostic::VaryingDimension, VerdictClass::N, op, dimensions, {array.name});
}

void Checker::checkAddress(const Op &op, Label address) {
  const ir::Array &array = function_.array(op.array);
  std::string text = describeAccess(function_, op), sources, parameter;
  if (declarable(address, sources, parameter))
    return report(Diagnostic::DeclareAddress, VerdictClass::K, op, address,
                  {text, sources, parameter});
  if (op.opcode == Opcode::Load && array.isSharedInput())
    return report(Diagnostic::TableAddress, VerdictClass::R, op, address, {array.name});
  std::optional<uint64_t> cells = array.constantCells();
  if (cells && !array.extents.empty() && *cells <= smallArrayCells)
    return report(Diagnostic::SmallArrayAddress, VerdictClass::S, op, address,
                  {text, std::to_string(*cells)});
  report(Diagnostic::VaryingAddress, VerdictClass::N, op, address, {text});
}

/// A direct use of a value that was never set. Merging or carrying one (a
/// variable declared ahead of the branch that sets it) is not a use.
void Checker::checkUninitialised(OpId id) {
  const Op &op = function_.op(id);
  if (op.opcode == Opcode::Load && dataflow_.readsUnwritten(id)) {
    Label none;
    return report(Diagnostic::ReadsUninitialised, VerdictClass::A, op, none,
                  {"'" + describeAccess(function_, op) + "'"});
  }
  if (op.opcode == Opcode::Yield || op.opcode == Opcode::Test || op.opcode == Opcode::Loop)
    return;
  size_t used = op.opcode == Opcode::For ? 3 : op.operands.size();
  for (ValueId v : llvm::ArrayRef(op.operands).take_front(used)) {
    const Op *def = function_.definition(v);
    if (!def || def->opcode != Opcode::Undef)
      continue;
    std::string variable = function_.value(v).name;
    return report(Diagnostic::ReadsUninitialised, VerdictClass::A, op, {},
                  {variable.empty() ? "a variable" : "'" + variable + "'"});
  }
}

void Checker::checkIf(OpId id) {
  const Op &op = function_.op(id);
  Label why = dataflow_.divergence(id);
  if (isUniformFlow(why))
    return;
  if (!op.choosesAddress)
    return report(Diagnostic::DivergentBranch, VerdictClass::P, op, why);
  report(Diagnostic::VaryingBase, VerdictClass::N, op, why);
}

void Checker::checkFor(OpId id) {
  const Op &op = function_.op(id);
  Label why = dataflow_.divergence(id);
  if (isUniformFlow(why)) {
    if (loopEnd(function_, op) == LoopEnd::Never)
      checkEndUnderMask(op);
    return;
  }
  Label bounds = joined(llvm::ArrayRef(op.operands).take_front(3));
  std::string sources, parameter;
  if (!bounds.uniform()) {
    if (declarable(bounds, sources, parameter))
      return report(Diagnostic::DeclareLoop, VerdictClass::K, op, bounds, {sources, parameter});
    ValueId varying = *llvm::find_if(op.operands, [&](ValueId v) { return !dataflow_.uniform(v); });
    return report(Diagnostic::VaryingTripCount, VerdictClass::N, op, bounds,
                  {"'" + describe(function_, varying) + "'"});
  }
  // Counter, bound and step are uniform by now.
  if (loopEnd(function_, op) != LoopEnd::Never)
    return report(Diagnostic::DivergentExit, VerdictClass::P, op, why);
  report(Diagnostic::UnboundedExit, VerdictClass::T, op, why, {line(op)});
}

/// A loop that uniform values control, and that is not shown to end: the predicated programme
/// runs it also where the sequential one does not come to it.
void Checker::checkEndUnderMask(const Op &op) {
  if (!isUniformFlow(mask_))
    report(Diagnostic::UnboundedUnderMask, VerdictClass::T, op, mask_, {line(op)});
}

void Checker::checkLoop(OpId id) {
  const Op &op = function_.op(id);
  Label why = dataflow_.divergence(id);
  if (isUniformFlow(why)) {
    if (uncountedEnd(function_, op).end == LoopEnd::Never)
      checkEndUnderMask(op);
    return;
  }
  std::string sources, parameter;
  if (declarable(why, sources, parameter))
    return report(Diagnostic::DeclareLoop, VerdictClass::K, op, why, {sources, parameter});
  // for (;;) and do-while have no condition but their exits.
  ValueId condition = function_.terminator(op.regions[0]).operands[0];
  bool exits = dataflow_.uniform(condition) && !function_.constant(condition);
  report(exits ? Diagnostic::UnboundedExit : Diagnostic::UnboundedLoop, VerdictClass::T, op, why,
         {line(op)});
}

std::vector<Finding> check(const ir::Module &module, const ir::Function &function,
                           Dataflow &dataflow) {
  return Checker(module, function, dataflow).run();
}

void sortFindings(const SourceMap &sources, std::vector<Finding> &findings) {
  auto position = [&](const Finding &f) {
    if (!f.loc)
      return std::tuple<std::string, uint32_t, uint32_t>();
    const SourceLocation &loc = sources[f.loc];
    return std::tuple(sources.fileName(loc.file), loc.line, loc.column);
  };
  auto key = [&](const Finding &f) { return std::pair(position(f), f.id); };
  std::stable_sort(findings.begin(), findings.end(), [&](const Finding &a, const Finding &b) {
    return std::tuple(key(a), a.message) < std::tuple(key(b), b.message);
  });
  findings.erase(std::unique(findings.begin(), findings.end(),
                             [&](const Finding &a, const Finding &b) {
                               return a.loc && b.loc && key(a) == key(b);
                             }),
                 findings.end());
}

} // namespace colonnade
