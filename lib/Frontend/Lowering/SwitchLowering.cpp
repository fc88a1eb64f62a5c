//===- SwitchLowering.cpp - switch with fall-through ----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body is cut into segments at its labels. Segments that fall into each other
// form a group; groups exclude each other and become a balanced tree of `if`s, so
// that a value assigned in every case is assigned on every path. Inside a group a
// segment runs if its own or an earlier label of the group matched.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Lowering/FunctionLowering.h"

namespace colonnade::frontend {

using clang::Stmt;
using ir::Opcode;
using llvm::dyn_cast;

using Segments = std::vector<SwitchSegment>;

/// What labels of the switch can stand in front of: `switch (x) case 1: f();` has no block.
static llvm::SmallVector<const Stmt *, 8> statementsOf(const Stmt &body) {
  if (const auto *block = dyn_cast<clang::CompoundStmt>(&body))
    return llvm::SmallVector<const Stmt *, 8>(block->body_begin(), block->body_end());
  return {&body};
}

static const Stmt *withoutAttributes(const Stmt *stmt) {
  while (const auto *attributed = dyn_cast<clang::AttributedStmt>(stmt))
    stmt = attributed->getSubStmt();
  return stmt;
}

/// `deadCode`: the body begins with statements that no label is in front of.
static Segments segmentsOf(llvm::ArrayRef<const Stmt *> body, bool &deadCode) {
  Segments segments;
  for (const Stmt *stmt : body) {
    const Stmt *inner = withoutAttributes(stmt);
    if (llvm::isa<clang::SwitchCase>(inner) && (segments.empty() || !segments.back().body.empty()))
      segments.emplace_back();
    while (const auto *label = dyn_cast<clang::SwitchCase>(inner)) {
      if (const auto *labelled = dyn_cast<clang::CaseStmt>(label))
        segments.back().cases.push_back(labelled);
      else
        segments.back().isDefault = true;
      inner = label->getSubStmt();
    }
    if (segments.empty())
      deadCode |= !llvm::isa<clang::DeclStmt>(inner);
    else
      segments.back().body.push_back(inner);
  }
  return segments;
}

/// A label that begins no segment, as it stands deeper in the body; null: there is none.
static const clang::SwitchCase *nestedLabel(const clang::SwitchStmt &stmt,
                                            const Segments &segments) {
  llvm::SmallPtrSet<const clang::SwitchCase *, 16> known;
  bool hasDefault = false;
  for (const SwitchSegment &segment : segments) {
    known.insert(segment.cases.begin(), segment.cases.end());
    hasDefault |= segment.isDefault;
  }
  for (const auto *label = stmt.getSwitchCaseList(); label; label = label->getNextSwitchCase())
    if (llvm::isa<clang::DefaultStmt>(label) ? !hasDefault : !known.contains(label))
      return label;
  return nullptr;
}

/// The last statement ends the segment, so that nothing falls through.
static bool endsAlone(const SwitchSegment &segment, ExitAnalysis &exits) {
  for (const Stmt *stmt : segment.body)
    if (exits.of(stmt).always)
      return true;
  return false;
}

/// What stands behind the labels: `case 1: default: int t;` is a declaration.
static const Stmt *withoutLabels(const Stmt *stmt) {
  for (;;) {
    stmt = withoutAttributes(stmt);
    if (const auto *label = dyn_cast<clang::SwitchCase>(stmt))
      stmt = label->getSubStmt();
    else if (const auto *named = dyn_cast<clang::LabelStmt>(stmt))
      stmt = named->getSubStmt();
    else
      return stmt;
  }
}

/// A declaration is visible in all later segments, which are other regions.
void FunctionLowering::declareAhead(llvm::ArrayRef<const Stmt *> body) {
  for (const Stmt *child : body)
    if (const auto *decls = dyn_cast<clang::DeclStmt>(withoutLabels(child)))
      for (const clang::Decl *decl : decls->decls())
        if (const auto *variable = dyn_cast<clang::VarDecl>(decl))
          if (!variable->getType()->isReferenceType() && variable->hasLocalStorage() &&
              !isTable(*variable) && declaredAhead_.insert(variable).second)
            declareVariable(*variable);
}

/// Bool: the switch's value is that of the label, or in its range (a GNU extension).
ValueId FunctionLowering::matchesLabel(ValueId value, const clang::CaseStmt &label) {
  auto constant = [&](const clang::Expr &expr) {
    refuseOfCompiler(expr);
    llvm::APSInt bits = expr.EvaluateKnownConstInt(context_);
    return builder_.constantInt(builder_.typeOf(value), bits.getExtValue());
  };
  ValueId low = constant(*label.getLHS());
  if (!label.getRHS())
    return builder_.binary(Opcode::Eq, value, low);
  ValueId atLeast = builder_.binary(Opcode::Ge, value, low);
  ValueId high = constant(*label.getRHS());
  return builder_.binary(Opcode::And, atLeast, builder_.binary(Opcode::Le, value, high));
}

/// `a` or `b`, where an invalid one is "never".
static ValueId either(RawBuilder &builder, ValueId a, ValueId b) {
  return a && b ? builder.binary(Opcode::Or, a, b) : (a ? a : b);
}

/// Sets the segments' matches. Bool: none of them; invalid without a `default`.
ValueId FunctionLowering::matchSegments(ValueId value, std::vector<SwitchSegment> &segments) {
  ValueId any;
  bool hasDefault = false;
  for (SwitchSegment &segment : segments) {
    for (const clang::CaseStmt *label : segment.cases)
      segment.match = either(builder_, segment.match, matchesLabel(value, *label));
    any = either(builder_, any, segment.match);
    hasDefault |= segment.isDefault;
  }
  if (!hasDefault)
    return {};
  return any ? builder_.unary(Opcode::Not, any) : builder_.constantBool(true);
}

/// The group that starts with segment `i`, which is moved to its last one.
FunctionLowering::SwitchGroup FunctionLowering::groupFrom(const Segments &segments, size_t &i,
                                                          ValueId matchesNone) {
  SwitchGroup group;
  for (;; ++i) {
    const SwitchSegment &segment = segments[i];
    group.match = either(builder_, group.match, segment.match);
    if (segment.isDefault)
      group.match = either(builder_, group.match, matchesNone);
    group.isDefault |= segment.isDefault;
    group.segments.emplace_back(group.match, segment.body);
    if (i + 1 == segments.size() || endsAlone(segment, exits_))
      return group;
  }
}

/// The one with `default` comes last, as what is left when no other matches.
std::vector<FunctionLowering::SwitchGroup> FunctionLowering::switchGroups(const Segments &segments,
                                                                          ValueId matchesNone) {
  std::vector<SwitchGroup> groups;
  for (size_t i = 0; i < segments.size(); ++i)
    groups.push_back(groupFrom(segments, i, matchesNone));
  std::stable_partition(groups.begin(), groups.end(),
                        [](const SwitchGroup &group) { return !group.isDefault; });
  return groups;
}

void FunctionLowering::lowerSwitch(const clang::SwitchStmt &stmt) {
  if (stmt.getInit())
    lowerStmt(stmt.getInit());
  if (stmt.getConditionVariable())
    lowerDecl(*stmt.getConditionVariable());
  ValueId value = lowerScalar(*stmt.getCond());
  at(stmt.getSwitchLoc());
  const auto body = statementsOf(*stmt.getBody());
  bool deadCode = false;
  Segments segments = segmentsOf(body, deadCode);
  if (deadCode)
    return unsupported(stmt.getSwitchLoc(), "switch whose body does not begin with a label");
  if (const clang::SwitchCase *label = nestedLabel(stmt, segments))
    return unsupported(label->getKeywordLoc(), "case label inside a nested statement");
  declareAhead(body);
  ValueId matchesNone = matchSegments(value, segments);
  std::vector<SwitchGroup> groups = switchGroups(segments, matchesNone);
  if (groups.empty())
    return;
  ExitSet exits;
  for (const SwitchSegment &segment : segments)
    for (const Stmt *child : segment.body)
      exits.append(exits_.of(child));
  ValueId outer = breakFlag_;
  breakFlag_ = exits.breaks ? makeFlag("%brk") : ValueId();
  lowerSwitchGroups(groups, /*exhaustive=*/bool(matchesNone));
  breakFlag_ = outer;
}

/// `exhaustive`: one of the groups is known to match.
void FunctionLowering::lowerSwitchGroups(llvm::ArrayRef<SwitchGroup> groups, bool exhaustive) {
  if (groups.size() == 1) {
    if (exhaustive)
      return lowerSwitchGroup(groups[0]);
    return builder_.emitIf(groups[0].match, [&] { lowerSwitchGroup(groups[0]); });
  }
  size_t half = groups.size() <= 4 ? 1 : groups.size() / 2;
  ValueId first = groups[0].match;
  for (const SwitchGroup &group : groups.slice(1, half - 1))
    first = builder_.binary(Opcode::Or, first, group.match);
  builder_.emitIf(
      first, [&] { lowerSwitchGroups(groups.take_front(half), true); },
      [&] { lowerSwitchGroups(groups.drop_front(half), exhaustive); });
}

/// `default: break;` at the end: nothing depends on whether it runs.
static bool onlyBreaks(llvm::ArrayRef<const Stmt *> body) {
  return llvm::all_of(body, [](const Stmt *stmt) {
    return llvm::isa<clang::BreakStmt, clang::NullStmt>(withoutLabels(stmt));
  });
}

/// Segments run from the one that matched to the first exit.
void FunctionLowering::lowerSwitchGroup(const SwitchGroup &group) {
  if (group.segments.size() == 1)
    return lowerBlock(group.segments[0].second);
  ExitSet exits;
  for (const auto &[entry, body] : group.segments) {
    ValueId condition = entry;
    if (ValueId exited = exits.any() ? hasExited(exits) : ValueId())
      condition = builder_.binary(Opcode::And, entry, builder_.unary(Opcode::Not, exited));
    bool isLast = &body == &group.segments.back().second;
    const std::vector<const Stmt *> &stmts = body;
    if (isLast && onlyBreaks(stmts))
      break;
    if (isLast && !exits.any())
      lowerBlock(stmts); // the group matched, so its last segment runs
    else
      builder_.emitIf(condition, [&] { lowerBlock(stmts); });
    for (const Stmt *stmt : stmts)
      exits.append(exits_.of(stmt));
  }
}

} // namespace colonnade::frontend
