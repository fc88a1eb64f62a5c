//===- Extents.cpp - Extents from affine accesses -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One visit bounds every access (Bounds.h). Derived: the outermost extent of a
// parameter whose inner extents are known, as the largest cell index plus one
// over all accesses. Reported: accesses that must leave a known extent.
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Ranges/Extents.h"

#include "Oblivious/Findings/Describe.h"
#include "Oblivious/Findings/Remedies.h"
#include "Oblivious/Ranges/Bounds.h"
#include "Support/Diagnostics.h"

#include "llvm/ADT/StringMap.h"

namespace colonnade {

using ir::Op;
using ir::Opcode;

namespace {

/// Calls `visit` for every access and check with what holds there.
class AccessVisitor {
public:
  using Visit = std::function<void(const Op &, const Context &)>;
  AccessVisitor(const ir::Function &function, Affine &affine, Visit visit)
      : function_(function), affine_(affine), visit_(std::move(visit)) {
    region(function.body);
  }

private:
  void region(RegionId id);
  void branch(const Op &op);
  void loop(const Op &op);
  std::optional<CounterRange> rangeOf(const Op &op);

  const ir::Function &function_;
  Affine &affine_;
  Visit visit_;
  Context context_;
};

} // namespace

void AccessVisitor::region(RegionId id) {
  for (OpId opId : function_.region(id).ops) {
    const Op &op = function_.op(opId);
    if (op.opcode == Opcode::Load || op.opcode == Opcode::Store || op.opcode == Opcode::Check)
      visit_(op, context_);
    else if (op.opcode == Opcode::If)
      branch(op);
    else if (!op.regions.empty())
      loop(op);
  }
}

void AccessVisitor::branch(const Op &op) {
  bool conditional = context_.conditional;
  size_t known = context_.conditions.size();
  context_.conditional = true;
  for (unsigned arm = 0; arm < 2; ++arm) {
    addConditions(function_, affine_, op.operands[0], arm == 0, context_.conditions);
    region(op.regions[arm]);
    context_.conditions.resize(known);
  }
  context_.conditional = conditional;
}

/// A quotient, say, of which nothing is known: names count as sizes otherwise, at least 1.
static bool hasAtom(const Polynomial &p, const Affine &affine) {
  return llvm::any_of(p.names(), [&](const auto &name) { return affine.findAtom(name); });
}

/// A loop that is tested behind its body takes its counter's first value in any case.
std::optional<CounterRange> AccessVisitor::rangeOf(const Op &op) {
  std::optional<CounterRange> range = affine_.range(op);
  if (!range || !op.postTest ||
      (!hasAtom(range->iterations, affine_) && atLeast(range->iterations, Polynomial(1))))
    return range;
  std::optional<Polynomial> iterations =
      affine_.atom(SizeExpr::Kind::Max, range->iterations, Polynomial(1));
  if (!iterations)
    return std::nullopt;
  range->iterations = *iterations;
  return range;
}

void AccessVisitor::loop(const Op &op) {
  bool conditional = context_.conditional;
  context_.conditional |= op.opcode == Opcode::Loop || op.hasContinueFlag;
  context_.loops.push_back(op.opcode == Opcode::For ? rangeOf(op) : std::nullopt);
  for (RegionId r : op.regions)
    region(r);
  context_.loops.pop_back();
  context_.conditional = conditional;
}

//===----------------------------------------------------------------------===//
// Deriving
//===----------------------------------------------------------------------===//

/// Not only cells of its own dimension: (&m[0][0])[i] walks over all rows.
static bool leavesDimension(const std::optional<Polynomial> &subscript, const Polynomial &extent,
                            const Context &context) {
  if (!subscript)
    return false;
  std::optional<Bound> low = smallest(*subscript, context), high = largest(*subscript, context);
  return (low && low->exact && atLeast(Polynomial(-1), low->value)) ||
         (high && high->exact && atLeast(high->value, extent));
}

/// The access's subscripts follow the array's dimensions, so that the first one alone
/// decides the outermost extent.
static bool followsDimensions(const ir::Array &array, const ir::AccessOperands &access,
                              const Context &context, Affine &affine) {
  if (access.subscripts.size() != array.extents.size())
    return false;
  for (size_t d = 1; d < array.extents.size(); ++d) {
    std::optional<Polynomial> radix = affine.of(access.radices[d - 1]),
                              extent = Polynomial::from(array.extents[d]);
    if (!radix || !extent || *radix != *extent ||
        leavesDimension(affine.of(access.subscripts[d]), *extent, context))
      return false;
  }
  return true;
}

/// The flat cell index: ((s0*r1 + s1)*r2 + s2)...
static std::optional<Polynomial> flatIndex(const ir::AccessOperands &access, Affine &affine) {
  std::optional<Polynomial> flat = affine.of(access.subscripts[0]);
  for (size_t k = 0; flat && k < access.radices.size(); ++k) {
    std::optional<Polynomial> radix = affine.of(access.radices[k]),
                              subscript = affine.of(access.subscripts[k + 1]);
    if (!radix || !subscript)
      return std::nullopt;
    flat = *flat * *radix + *subscript;
  }
  return flat && flat->valid() ? flat : std::nullopt;
}

/// Cells of all dimensions together.
static SizeExpr cellsOf(const ir::Array &array) {
  SizeExpr cells = array.extents[0];
  for (const SizeExpr &extent : llvm::drop_begin(array.extents))
    cells = cells * extent;
  return cells;
}

/// The outermost extent that one access needs; Unknown if it cannot be told.
static SizeExpr neededExtent(const ir::Array &array, const Op &op, const Context &context,
                             Affine &affine, std::optional<Polynomial> &polynomial) {
  ir::AccessOperands access = ir::accessOperands(op);
  bool follows = followsDimensions(array, access, context, affine);
  std::optional<Polynomial> index =
      follows ? affine.of(access.subscripts[0]) : flatIndex(access, affine);
  std::optional<Bound> last = index ? largest(*index, context) : std::nullopt;
  if (!last)
    return {};
  if (follows || array.extents.size() == 1) {
    polynomial = last->value + Polynomial(1);
    return affine.size(*polynomial);
  }
  SizeExpr inner = array.extents[1];
  for (size_t d = 2; d < array.extents.size(); ++d)
    inner = inner * array.extents[d];
  return SizeExpr::binary(SizeExpr::Kind::Div, affine.size(last->value) + inner, inner);
}

namespace {
/// The largest of the extents seen so far.
struct Needed {
  static constexpr unsigned maxAlternatives = 8;
  bool accessed = false, known = true;
  unsigned alternatives = 1;
  SizeExpr size;
  std::optional<Polynomial> polynomial; // of `size`, if it is one

  void add(const SizeExpr &next, const std::optional<Polynomial> &p) {
    known = known && next.known();
    if (!known)
      return;
    if (!accessed || (p && polynomial && atLeast(*p, *polynomial))) {
      size = next;
      polynomial = p;
    } else if (!(p && polynomial && atLeast(*polynomial, *p)) && !(size == next)) {
      size = SizeExpr::binary(SizeExpr::Kind::Max, size, next);
      polynomial.reset();
      known = ++alternatives <= maxAlternatives;
    }
    accessed = true;
  }
};
} // namespace

static bool isDerivable(const ir::Array &array) {
  if (array.role != ir::ArrayRole::Parameter || array.extents.empty() || array.extents[0].known())
    return false;
  for (size_t d = 1; d < array.extents.size(); ++d)
    if (!array.extents[d].known())
      return false;
  return true;
}

/// By struct, the elements that its accessed leaves have.
static llvm::StringMap<SizeExpr> extentsOfObjects(const ir::Function &function) {
  llvm::StringMap<SizeExpr> largest;
  for (const ir::Array &array : function.arrays) {
    if (array.object.empty() || !array.isPassed() || array.extents.empty() ||
        !array.extents[0].known() || !(array.reads || array.writes))
      continue;
    auto [it, isFirst] = largest.try_emplace(array.object, array.extents[0]);
    if (!isFirst && !(it->second == array.extents[0]))
      it->second = SizeExpr::binary(SizeExpr::Kind::Max, it->second, array.extents[0]);
  }
  return largest;
}

void deriveExtents(ir::Function &function) {
  Affine affine(function);
  std::vector<Needed> needed(function.arrays.size());
  AccessVisitor(function, affine, [&](const Op &op, const Context &context) {
    if (op.opcode == Opcode::Check)
      return;
    const ir::Array &array = function.array(op.array);
    Needed &n = needed[op.array.index];
    if (!isDerivable(array) || !n.known)
      return;
    std::optional<Polynomial> polynomial;
    SizeExpr size = neededExtent(array, op, context, affine, polynomial);
    n.add(size, polynomial);
  });
  for (size_t a = 0; a < needed.size(); ++a) {
    ir::Array &array = function.arrays[a];
    if (!isDerivable(array) || !needed[a].known || !needed[a].accessed)
      continue;
    array.extents[0] = needed[a].size;
    array.extentsDerived = true;
  }
  // An array that is never accessed has as many elements as the other leaves of its struct, and at
  // least a cell: its pointer is not null.
  const llvm::StringMap<SizeExpr> ofObjects = extentsOfObjects(function);
  for (size_t a = 0; a < needed.size(); ++a)
    if (ir::Array &array = function.arrays[a]; isDerivable(array) && needed[a].known) {
      auto found = ofObjects.find(array.object);
      array.extents[0] = found == ofObjects.end() ? SizeExpr::constant(1) : found->second;
      array.extentsDerived = true;
    }
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

static std::string text(const Affine &affine, const Polynomial &p) {
  SizeExpr size = affine.size(p);
  return size.known() ? size.str() : "...";
}

/// The extent with which cell `last` of an array behind a pointer would be inside.
static std::vector<std::string> widerExtent(const ir::Array &array, const SizeExpr &needed) {
  bool isPlain = array.role == ir::ArrayRole::Parameter && array.extents.size() == 1 &&
                 array.parameter == array.name && !array.extents[0].isConstant(1);
  if (!isPlain || !needed.known())
    return {};
  return {optionText("--extent", array.name + "=" + needed.str())};
}

static Finding outside(const ir::Function &function, const Op &op, const std::string &cell,
                       const std::string &extent, const SizeExpr &needed) {
  const ir::Array &array = function.array(op.array);
  Finding finding;
  finding.options = widerExtent(array, needed);
  finding.id = info(Diagnostic::OutsideExtent).id;
  finding.verdict = VerdictClass::U;
  finding.loc = op.loc;
  finding.message =
      format(Diagnostic::OutsideExtent,
             {array.name, cell, extent,
              finding.options.empty() ? "" : ", or the extent with " + finding.options[0]});
  return finding;
}

static void checkSubscript(const ir::Function &function, const Op &op, const Polynomial &index,
                           const SizeExpr &extent, const Context &context, const Affine &affine,
                           std::vector<Finding> &findings) {
  if (std::optional<Bound> low = smallest(index, context);
      low && low->exact && atLeast(Polynomial(-1), low->value)) {
    const std::string cell = text(affine, low->value);
    const std::string size = extent.known() ? extent.str() : "unknown size";
    findings.push_back(outside(function, op, cell, size, {}));
    return;
  }
  std::optional<Polynomial> limit = Polynomial::from(extent);
  std::optional<Bound> high = largest(index, context);
  if (!limit || !high || !high->exact || !atLeast(high->value, *limit))
    return;
  const std::string cell = text(affine, high->value);
  const SizeExpr needed = affine.size(high->value + Polynomial(1));
  findings.push_back(outside(function, op, cell, extent.str(), needed));
}

/// A check of a loop's counter that the loop is known to fail: for (i = 0; i < 7; i++) s->b[i] of
/// six. Of other checks the sizes decide.
static bool fails(const ir::Function &function, const Op &check, const Context &context,
                  Affine &affine) {
  std::vector<ValueId> conjuncts = {check.operands[0]};
  for (size_t next = 0; next < conjuncts.size(); ++next) {
    const Op *def = function.definition(conjuncts[next]);
    if (def && def->opcode == Opcode::And)
      conjuncts.insert(conjuncts.end(), def->operands.begin(), def->operands.end());
    std::vector<Polynomial> conditions;
    addConditions(function, affine, conjuncts[next], true, conditions);
    for (const Polynomial &condition : conditions) {
      std::optional<Bound> low = smallest(condition, context);
      if (llvm::any_of(condition.names(), Affine::isCounter) && low && low->exact &&
          atLeast(Polynomial(-1), low->value))
        return true;
    }
  }
  return false;
}

static Finding failing(const Op &check) {
  Finding finding;
  finding.id = info(Diagnostic::UnsupportedConstruct).id;
  finding.verdict = VerdictClass::U;
  finding.loc = check.loc;
  finding.message = format(Diagnostic::UnsupportedConstruct,
                           {"a check that fails here at all sizes: " + check.text});
  return finding;
}

std::vector<Finding> checkExtents(const ir::Function &function) {
  Affine affine(function);
  std::vector<Finding> findings;
  AccessVisitor(function, affine, [&](const Op &op, const Context &context) {
    if (context.conditional)
      return;
    if (op.opcode == Opcode::Check) {
      if (fails(function, op, context, affine))
        findings.push_back(failing(op));
      return;
    }
    const bool isExplained = !findings.empty() && findings.back().loc == op.loc; // by its check
    if (isExplained)
      return;
    const ir::Array &array = function.array(op.array);
    ir::AccessOperands access = ir::accessOperands(op);
    if (array.extents.size() > 1 && followsDimensions(array, access, context, affine)) {
      if (std::optional<Polynomial> index = affine.of(access.subscripts[0]))
        checkSubscript(function, op, *index, array.extents[0], context, affine, findings);
    } else if (std::optional<Polynomial> index = flatIndex(access, affine)) {
      checkSubscript(function, op, *index, cellsOf(array), context, affine, findings);
    }
  });
  return findings;
}

/// "--extent b=1000,n": an example for what is not known.
static std::string exampleExtent(const ir::Array &array) {
  auto text = [](const SizeExpr &extent) { return extent.known() ? extent.str() : "1000"; };
  bool innerKnown = llvm::all_of(llvm::drop_begin(array.extents),
                                 [](const SizeExpr &extent) { return extent.known(); });
  if (innerKnown)
    return optionText("--extent", array.name + "=1000");
  return optionText("--extent",
                    array.name + "=" + llvm::join(llvm::map_range(array.extents, text), ","));
}

std::vector<Finding> unknownExtents(const ir::Function &function) {
  std::vector<Finding> findings;
  for (const ir::Array &array : function.arrays) {
    if (array.role != ir::ArrayRole::Parameter ||
        llvm::all_of(array.extents, [](const SizeExpr &e) { return e.known(); }))
      continue;
    Finding finding;
    finding.id = info(Diagnostic::ExtentUnknown).id;
    finding.verdict = VerdictClass::A;
    finding.loc = array.loc ? array.loc : function.loc;
    finding.options = {exampleExtent(array)};
    finding.message = format(Diagnostic::ExtentUnknown, {array.name, finding.options[0]});
    findings.push_back(std::move(finding));
  }
  return findings;
}

} // namespace colonnade
