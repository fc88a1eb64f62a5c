//===- Plans.h - Which plans there are to choose from -----------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an accepted function whose sizes are known, and the cost model's price. Out: the kernels that
// its legal plans make for rows and for columns, and which of them the model takes.
//
// Invariant: no two of a kind are the same kernel; the model's choice is among them, as is one
// thread an instance, first. What the model expects to take much longer than the best is left out.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_TUNE_PLANS_H
#define COLONNADE_TUNE_PLANS_H

#include "Transform/Transform.h"

#include <array>

namespace colonnade::tune {

/// Layouts that share a plan (LayoutPlans).
enum class LayoutKind : uint8_t {
  Rows,
  Columns // column-wise and tiled
};
inline constexpr LayoutKind LayoutKinds[] = {LayoutKind::Rows, LayoutKind::Columns};

/// "rows", "columns".
const char *name(LayoutKind kind);
std::optional<LayoutKind> findLayoutKind(llvm::StringRef text);

/// As `--plan` has it; and "best": what rules and models choose, where no name says it exactly.
std::string planName(const RowPlan &plan);
std::optional<RowPlan> findPlan(llvm::StringRef text);

/// SHA-256, in small hexadecimal digits.
std::string textHash(llvm::StringRef text);
/// Of a kernel's text without notes: what it does, where and when. Places in the source are not in
/// it.
std::string kernelHash(const ir::Module &module, const ir::Function &kernel);

struct TunedFunction {
  const ir::Module &module;
  const ir::Function &canonical;
  const Verdict &verdict;
};

/// Of a plan for one kind of layouts.
struct PlannedKernel {
  RowPlan plan;
  ir::Function kernel;
  std::string hash;
};

struct Plans {
  ir::Function ofOne; // the kernel of one thread an instance, for all layouts
  std::string hash;   // of that
  std::array<std::vector<PlannedKernel>, 2> kernels; // by LayoutKind
  std::array<size_t, 2> chosen = {0, 0};             // by the model
  std::array<std::vector<std::string>, 2> leftOut;   // names

  const std::vector<PlannedKernel> &of(LayoutKind kind) const { return kernels[size_t(kind)]; }
  const PlannedKernel &chosenFor(LayoutKind kind) const { return of(kind)[chosen[size_t(kind)]]; }
};

Plans plansOf(const TunedFunction &function, const KernelPrice &price);

/// Of the kernel for a kind of layouts among those that lowerToThreads made.
size_t numberFor(llvm::ArrayRef<ir::Function> kernels, LayoutKind kind);
const ir::Function &kernelFor(llvm::ArrayRef<ir::Function> kernels, LayoutKind kind);

} // namespace colonnade::tune

#endif // COLONNADE_TUNE_PLANS_H
