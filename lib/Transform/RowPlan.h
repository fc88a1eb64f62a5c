//===- RowPlan.h - How row-wise instances are run ---------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: what the user asks for, as `--plan` has it. Out: the plan that kernels of threads are to have
// for row-wise instances. Invariant: a plan decides where and when, never what is computed; one
// that is asked for and not legal is refused with the reason, and never replaced.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TRANSFORM_ROWPLAN_H
#define COLONNADE_TRANSFORM_ROWPLAN_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace colonnade {

struct RowPlan {
  enum class Kind : unsigned char {
    Best,     // what the other steps choose
    Thread,   // one thread an instance; rows are accessed where they lie
    Staged,   // one thread an instance; rows go through shared memory
    Streamed, // likewise, strip by strip while a loop goes through them
    Team,     // several threads an instance
    Strips    // one thread an instance, which does rows of a table together; in all layouts
  };
  Kind kind = Kind::Best;
  unsigned team = 0;    // threads; 0: as many as are best
  unsigned columns = 0; // of a grid of so many; 0: in none
  unsigned strip = 0;   // rows of a table; 0: as many as are best

  bool allows(Kind other) const { return kind == Kind::Best || kind == other; }
  bool operator==(const RowPlan &) const = default;
};

/// Of each kind of layout. Columns: column-wise and tiled instances; Best is what suits the plan of
/// rows, if it is expected to take less time than one thread an instance.
struct LayoutPlans {
  RowPlan rows = {}, columns = {};
};

/// "thread", "staged", "streamed", "team", "team=8", "team=2x4", "strips", "strips=8".
std::optional<RowPlan> parseRowPlan(llvm::StringRef text);
std::string name(const RowPlan &plan);
/// All that say exactly what is done: each kind, and each number of threads.
std::vector<RowPlan> rowPlans();
/// All that can be asked for, for a message.
std::string rowPlanNames();

} // namespace colonnade

#endif // COLONNADE_TRANSFORM_ROWPLAN_H
