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

std::optional<RowPlan> colonnade::parseRowPlan(llvm::StringRef text) {
  if (text == "thread")
    return RowPlan{RowPlan::Kind::Thread};
  if (text == "staged")
    return RowPlan{RowPlan::Kind::Staged};
  if (text == "streamed")
    return RowPlan{RowPlan::Kind::Streamed};
  if (text == "team")
    return RowPlan{RowPlan::Kind::Team};
  for (TeamGrid grid : TeamGrids) {
    const RowPlan plan = {RowPlan::Kind::Team, grid.rows * grid.columns, grid.columns};
    if (text == name(plan))
      return plan;
  }
  if (text == "strips")
    return RowPlan{RowPlan::Kind::Strips};
  for (unsigned strip : StripRows)
    if (const RowPlan plan = {RowPlan::Kind::Strips, 0, 0, strip}; text == name(plan))
      return plan;
  unsigned team = 0;
  if (text.consume_front("team=") && !text.getAsInteger(10, team) &&
      llvm::is_contained(TeamSizes, team))
    return RowPlan{RowPlan::Kind::Team, team};
  return std::nullopt;
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
  std::string names = "thread, staged, streamed, team";
  for (unsigned team : llvm::reverse(TeamSizes))
    names += ", team=" + std::to_string(team);
  for (TeamGrid grid : llvm::reverse(TeamGrids))
    names += ", team=" + std::to_string(grid.rows) + "x" + std::to_string(grid.columns);
  names += ", strips";
  for (unsigned strip : llvm::reverse(StripRows))
    names += ", strips=" + std::to_string(strip);
  return names;
}
