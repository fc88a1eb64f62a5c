//===- Checker.cpp - From labels to findings ------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Findings/Checker.h"

#include "Oblivious/Findings/Describe.h"
#include "Oblivious/Findings/Remedies.h"
#include "Oblivious/Ranges/UncountedLoop.h"
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
  void checkUnsupported(const Op &op);
  void checkAccess(const Op &op);
  void checkUniformStore(const Op &op);
  void checkAddress(const Op &op, Label address);
  void checkUninitialised(OpId id);
  void checkIf(OpId id);
  void checkFor(OpId id);
  void checkLoop(OpId id);
  void checkEndUnderMask(const Op &op);
  void reportTripCount(const Op &op, Label bounds);
  void reportUnbounded(Diagnostic diagnostic, const Op &op, Label why);

  Finding &report(Diagnostic diagnostic, VerdictClass verdict, const Op &op, Label why,
                  llvm::ArrayRef<std::string> arguments = {});
  void adviseSharing(Finding &finding, const Op &op, Label why);
  Label joined(llvm::ArrayRef<ValueId> values);
  bool isSize(Label label) const;
  bool isOffset(Label label) const;
  std::string sourcesOf(Label label) const;
  bool declareAddress(const Op &op, Label why, const std::string &what);
  bool declareLoop(const Op &op, Label why);
  bool onlyOpaque(Label label) const { return dataflow_.origins()[label].traits == OpaqueResult; }
  bool isUniformFlow(Label why) const { return why.uniform() || onlyOpaque(why); }
  const ir::Module &module_;
  const ir::Function &function_;
  Dataflow &dataflow_;
  Label mask_;                     // of the branches and exits on data around what is visited
  bool unsupportedBefore_ = false; // was reported
  std::vector<Finding> findings_;
};

} // namespace

/// "--uniform a --uniform b"
static std::string pasted(const std::vector<std::string> &options) {
  return llvm::join(options, " ");
}

Finding &Checker::report(Diagnostic diagnostic, VerdictClass verdict, const Op &op, Label why,
                         llvm::ArrayRef<std::string> arguments) {
  Finding finding;
  finding.id = info(diagnostic).id;
  finding.verdict = verdict;
  finding.loc = op.loc;
  finding.message = format(diagnostic, arguments);
  finding.path = explainPath(module_, function_, dataflow_.origins(), why, op.loc);
  return findings_.emplace_back(std::move(finding));
}

/// Indices that are read from an array which is never written are often a plan's or a pattern's,
/// the same in all instances.
void Checker::adviseSharing(Finding &finding, const Op &op, Label why) {
  const OriginSet &set = dataflow_.origins()[why];
  if (!(set.traits & SharableCell) || (set.traits & ~(SharableCell | DeclarableCell)) || set.more)
    return;
  finding.options = uniformOptions(function_, set);
  finding.path.push_back(
      {op.loc, "if all instances share " + sourcesOf(why) + ", add " + pasted(finding.options)});
}

Label Checker::joined(llvm::ArrayRef<ValueId> values) {
  Origins &origins = dataflow_.origins();
  Label all;
  for (ValueId v : values)
    all = origins.join(all, dataflow_.value(v));
  return all;
}

/// Every origin is a cell at a constant address that the function never writes, and what comes
/// of it is affine: a length, a stride, a null test.
bool Checker::isSize(Label label) const {
  return (dataflow_.origins()[label].traits & ~ByteCell) == DeclarableCell;
}

/// A byte that counts something may be a length; one that is added to an address is data.
bool Checker::isOffset(Label label) const {
  return dataflow_.origins()[label].traits == DeclarableCell;
}

/// The cells that a label comes from, as the user spells them.
std::string Checker::sourcesOf(Label label) const {
  const OriginSet &set = dataflow_.origins()[label];
  std::set<std::string> cells;
  for (const OriginSet::Entry &entry : set.entries)
    cells.insert("'" + describeAccess(function_, function_.op(entry.origin)) + "'");
  return llvm::join(cells, ", ") + (set.more ? ", ..." : "");
}

/// Class K, if `why` is an offset: `what` depends only on it.
bool Checker::declareAddress(const Op &op, Label why, const std::string &what) {
  if (!isOffset(why))
    return false;
  std::vector<std::string> options = uniformOptions(function_, dataflow_.origins()[why]);
  report(Diagnostic::DeclareAddress, VerdictClass::K, op, why,
         {what, sourcesOf(why), pasted(options)})
      .options = options;
  return true;
}

bool Checker::declareLoop(const Op &op, Label why) {
  if (!isSize(why))
    return false;
  std::vector<std::string> options = uniformOptions(function_, dataflow_.origins()[why]);
  report(Diagnostic::DeclareLoop, VerdictClass::K, op, why, {sourcesOf(why), pasted(options)})
      .options = options;
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
    checkUnsupported(op);
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

static Diagnostic diagnosticOf(const Op &unsupported) {
  switch (static_cast<ir::UnsupportedKind>(unsupported.index)) {
  case ir::OutsideSubset:
  case ir::FollowOn:
  case ir::NeedsSize:
    return Diagnostic::UnsupportedConstruct;
  case ir::LostPart:
    return Diagnostic::LostSource;
  case ir::LostOperation:
    return Diagnostic::LostOperation;
  case ir::MalformedIr:
    return Diagnostic::MalformedIr;
  case ir::TooLarge:
    return Diagnostic::TooLarge;
  }
  return Diagnostic::UnsupportedConstruct; // any other number in textual IR
}

/// What only follows from something unsupported is told if nothing before explains it.
void Checker::checkUnsupported(const Op &op) {
  if (op.index == ir::FollowOn && unsupportedBefore_)
    return;
  std::vector<std::string> options;
  if (op.index == ir::NeedsSize)
    options = sizeOptions(function_);
  std::string advice = options.empty() ? "" : ", or give its size, such as " + pasted(options);
  report(diagnosticOf(op), VerdictClass::U, op, {}, {op.text + advice}).options = options;
  unsupportedBefore_ = true;
}

void Checker::checkUniformStore(const Op &op) {
  const ir::Array &array = function_.array(op.array);
  std::vector<std::string> options;
  std::string advice;
  if (!array.isTable()) {
    options.push_back(optionText("--instance", array.name));
    bool isLeaf = !array.parameter.empty() && array.parameter != array.name;
    advice = "declare it instance data (" + options[0] +
             (isLeaf ? "" : ", in place of " + optionText("--uniform", array.name)) + "), or ";
  }
  report(Diagnostic::UniformStore, VerdictClass::U, op, {}, {array.name, advice}).options = options;
}

void Checker::checkAccess(const Op &op) {
  const ir::Array &array = function_.array(op.array);
  if (op.opcode == Opcode::Store && array.isSharedInput())
    checkUniformStore(op);
  ir::AccessOperands access = ir::accessOperands(op);
  Label address = joined(access.subscripts), dimensions = joined(access.radices);
  if (!address.uniform() && !onlyOpaque(address))
    checkAddress(op, address);
  if (!dimensions.uniform() && !onlyOpaque(dimensions) &&
      !declareAddress(op, dimensions, "a dimension of '" + array.name + "'"))
    report(Diagnostic::VaryingDimension, VerdictClass::N, op, dimensions, {array.name});
}

void Checker::checkAddress(const Op &op, Label address) {
  const ir::Array &array = function_.array(op.array);
  std::string text = describeAccess(function_, op);
  if (declareAddress(op, address, "the address of '" + text + "'"))
    return;
  std::optional<uint64_t> cells = array.constantCells();
  bool isTable = op.opcode == Opcode::Load && array.isSharedInput();
  bool isSmall = cells && !array.extents.empty() && *cells <= smallArrayCells;
  Finding &finding =
      isTable   ? report(Diagnostic::TableAddress, VerdictClass::R, op, address, {array.name})
      : isSmall ? report(Diagnostic::SmallArrayAddress, VerdictClass::S, op, address,
                         {text, std::to_string(*cells)})
                : report(Diagnostic::VaryingAddress, VerdictClass::N, op, address, {text});
  adviseSharing(finding, op, address);
}

/// A direct use of a value that was never set. Merging or carrying one (a
/// variable declared ahead of the branch that sets it) is not a use. Behind something unsupported
/// it may be that which has set it.
void Checker::checkUninitialised(OpId id) {
  if (unsupportedBefore_)
    return;
  const Op &op = function_.op(id);
  if (op.opcode == Opcode::Load && dataflow_.readsUnwritten(id)) {
    report(Diagnostic::ReadsUninitialised, VerdictClass::A, op, {},
           {"'" + describeAccess(function_, op) + "'"});
    return;
  }
  if (op.opcode == Opcode::Yield || op.opcode == Opcode::Test || op.opcode == Opcode::Loop)
    return;
  size_t used = op.opcode == Opcode::For ? 3 : op.operands.size();
  for (ValueId v : llvm::ArrayRef(op.operands).take_front(used)) {
    const Op *def = function_.definition(v);
    if (!def || def->opcode != Opcode::Undef)
      continue;
    std::string variable = function_.value(v).name;
    report(Diagnostic::ReadsUninitialised, VerdictClass::A, op, {},
           {variable.empty()             ? "a variable"
            : ir::isSourceName(variable) ? "'" + variable + "'"
            : variable == "%retval"      ? "the function's result"
                                         : "a temporary"});
    return;
  }
}

void Checker::checkIf(OpId id) {
  const Op &op = function_.op(id);
  Label why = dataflow_.divergence(id);
  if (isUniformFlow(why))
    return;
  if (!op.choosesAddress)
    report(Diagnostic::DivergentBranch, VerdictClass::P, op, why);
  else if (!declareAddress(op, why, "which array is accessed here"))
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
  if (!bounds.uniform())
    return reportTripCount(op, bounds);
  // Counter, bound and step are uniform by now.
  if (loopEnd(function_, op) == LoopEnd::Never)
    reportUnbounded(Diagnostic::UnboundedExit, op, why);
  else
    report(Diagnostic::DivergentExit, VerdictClass::P, op, why);
}

/// A counted loop whose start, bound or step is data: class T, because a stated bound cures it.
void Checker::reportTripCount(const Op &op, Label bounds) {
  if (declareLoop(op, bounds))
    return;
  std::string option = boundOption(module_, function_, op);
  if (option.empty()) {
    report(Diagnostic::VaryingCopy, VerdictClass::N, op, bounds);
    return;
  }
  ValueId varying = *llvm::find_if(op.operands, [&](ValueId v) { return !dataflow_.uniform(v); });
  Finding &finding = report(Diagnostic::VaryingTripCount, VerdictClass::T, op, bounds,
                            {"'" + describe(function_, varying) + "'", option});
  adviseSharing(finding, op, bounds);
  finding.options = {option};
}

void Checker::reportUnbounded(Diagnostic diagnostic, const Op &op, Label why) {
  std::string option = boundOption(module_, function_, op);
  report(diagnostic, VerdictClass::T, op, why, {option}).options = {option};
}

/// A loop that uniform values control, and that is not shown to end: the predicated programme
/// runs it also where the sequential one does not come to it.
void Checker::checkEndUnderMask(const Op &op) {
  if (!isUniformFlow(mask_))
    reportUnbounded(Diagnostic::UnboundedUnderMask, op, mask_);
}

void Checker::checkLoop(OpId id) {
  const Op &op = function_.op(id);
  Label why = dataflow_.divergence(id);
  if (isUniformFlow(why)) {
    if (uncountedEnd(function_, op).end == LoopEnd::Never)
      checkEndUnderMask(op);
    return;
  }
  if (declareLoop(op, why))
    return;
  // for (;;) and do-while have no condition but their exits.
  ValueId condition = function_.terminator(op.regions[0]).operands[0];
  bool exits = dataflow_.uniform(condition) && !function_.constant(condition);
  reportUnbounded(exits ? Diagnostic::UnboundedExit : Diagnostic::UnboundedLoop, op, why);
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
                               return a.loc && b.loc && key(a) == key(b) && a.options == b.options;
                             }),
                 findings.end());
}

} // namespace colonnade
