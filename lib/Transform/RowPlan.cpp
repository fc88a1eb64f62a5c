//===- RowPlan.cpp - How row-wise instances are run -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transform/RowPlan.h"

#include "Transform/Strips/StripPlan.h"
#include "Transform/Teams/TeamPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace colonnade;

std::vector<RowPlan> colonnade::rowPlans() {
  using Kind = RowPlan::Kind;
  std::vector<RowPlan> plans = {{Kind::Thread}, {Kind::Staged}, {Kind::Streamed}};
  for (unsigned team : llvm::reverse(TeamSizes))
    plans.push_back({Kind::Team, team});
  for (TeamGrid grid : llvm::reverse(TeamGrids))
    plans.push_back({Kind::Team, grid.rows * grid.columns, grid.columns});
  for (unsigned strip : llvm::reverse(StripRows))
    plans.push_back({Kind::Strips, 0, 0, strip});
  return plans;
}

static const RowPlan AnyTeam = {RowPlan::Kind::Team}, AnyStrips = {RowPlan::Kind::Strips};

std::optional<RowPlan> colonnade::parseRowPlan(llvm::StringRef text) {
  std::vector<RowPlan> all = rowPlans();
  all.insert(all.end(), {AnyTeam, AnyStrips});
  const auto found = llvm::find_if(all, [&](const RowPlan &plan) { return name(plan) == text; });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

std::string colonnade::name(const RowPlan &plan) {
  switch (plan.kind) {
  case RowPlan::Kind::Best:
    return "";
  case RowPlan::Kind::Thread:
    return "thread";
  case RowPlan::Kind::Staged:
    return "staged";
  case RowPlan::Kind::Streamed:
    return "streamed";
  case RowPlan::Kind::Team:
    if (plan.columns)
      return "team=" + std::to_string(plan.team / plan.columns) + "x" +
             std::to_string(plan.columns);
    return plan.team ? "team=" + std::to_string(plan.team) : "team";
  case RowPlan::Kind::Strips:
    return plan.strip ? "strips=" + std::to_string(plan.strip) : "strips";
  }
  return "";
}

std::string colonnade::rowPlanNames() {
  std::string names;
  RowPlan::Kind last = RowPlan::Kind::Best;
  for (const RowPlan &plan : rowPlans()) {
    const bool isFirst = plan.kind != last;
    last = plan.kind;
    if (isFirst && (plan.kind == AnyTeam.kind || plan.kind == AnyStrips.kind))
      names += ", " + name(plan.kind == AnyTeam.kind ? AnyTeam : AnyStrips);
    names += (names.empty() ? "" : ", ") + name(plan);
  }
  return names;
}
