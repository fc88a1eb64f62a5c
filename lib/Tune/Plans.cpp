//===- Plans.cpp - Which plans there are to choose from -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tune/Plans.h"

#include "IR/Printer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

namespace colonnade::tune {

using Kind = RowPlan::Kind;

const char *name(LayoutKind kind) { return kind == LayoutKind::Rows ? "rows" : "columns"; }

std::optional<LayoutKind> findLayoutKind(llvm::StringRef text) {
  for (LayoutKind kind : LayoutKinds)
    if (text == name(kind))
      return kind;
  return std::nullopt;
}

std::string planName(const RowPlan &plan) {
  return plan.kind == Kind::Best ? "best" : colonnade::name(plan);
}

std::optional<RowPlan> findPlan(llvm::StringRef text) {
  return text == "best" ? std::optional(RowPlan{}) : parseRowPlan(text);
}

std::string textHash(llvm::StringRef text) {
  const auto *const bytes = reinterpret_cast<const uint8_t *>(text.data());
  return llvm::toHex(llvm::SHA256::hash(llvm::ArrayRef(bytes, text.size())), /*LowerCase=*/true);
}

std::string kernelHash(const ir::Module &module, const ir::Function &kernel) {
  ir::Function plain = kernel;
  plain.notes.clear();
  std::string text;
  llvm::raw_string_ostream out(text);
  ir::print(out, module, plain);
  return textHash(text);
}

/// The first is for all layouts.
size_t numberFor(llvm::ArrayRef<ir::Function> kernels, LayoutKind kind) {
  const auto *const found = llvm::find_if(kernels, [&](const ir::Function &kernel) {
    const auto &threads = std::get<ir::ThreadShape>(*kernel.launch);
    return kind == LayoutKind::Rows ? threads.isForRows() : threads.isForColumns();
  });
  return found == kernels.end() ? 0 : static_cast<size_t>(found - kernels.begin());
}

const ir::Function &kernelFor(llvm::ArrayRef<ir::Function> kernels, LayoutKind kind) {
  return kernels[numberFor(kernels, kind)];
}

namespace {

struct PricedKernel {
  PlannedKernel planned;
  std::optional<double> price;
};

/// Of one function, for one kind of layouts.
class Candidates {
public:
  Candidates(const TunedFunction &function, const KernelPrice &price, LayoutKind kind)
      : function_(function), price_(price), kind_(kind) {}

  /// Unless there is the same kernel already. Returns its number.
  size_t add(const RowPlan &plan, ir::Function kernel);
  /// But for `chosen` and the first, leaves out what the model expects to take much longer.
  void leaveOutDear(Plans &plans, size_t chosen);

private:
  const TunedFunction &function_;
  const KernelPrice &price_;
  LayoutKind kind_;
  std::vector<PricedKernel> kernels_;
};

} // namespace

size_t Candidates::add(const RowPlan &plan, ir::Function kernel) {
  std::string hash = kernelHash(function_.module, kernel);
  for (const auto &[i, other] : llvm::enumerate(kernels_))
    if (other.planned.hash == hash)
      return i;
  const std::optional<double> price =
      kind_ == LayoutKind::Rows ? price_.ofRows(kernel) : price_.ofColumns(kernel);
  kernels_.push_back({{plan, std::move(kernel), std::move(hash)}, price});
  return kernels_.size() - 1;
}

void Candidates::leaveOutDear(Plans &plans, size_t chosen) {
  static constexpr double Much = 3; // nine in ten of the model's times are within 1.63
  std::optional<double> least;
  for (const PricedKernel &each : kernels_)
    if (each.price && (!least || *each.price < *least))
      least = each.price;
  for (auto [i, each] : llvm::enumerate(kernels_)) {
    const bool isDear = each.price && *each.price > Much * *least;
    if (isDear && i != chosen && i != 0) {
      plans.leftOut[size_t(kind_)].push_back(planName(each.planned.plan));
      continue;
    }
    if (i == chosen)
      plans.chosen[size_t(kind_)] = plans.kernels[size_t(kind_)].size();
    plans.kernels[size_t(kind_)].push_back(std::move(each.planned));
  }
}

/// What is legal for columns is legal for rows, too.
static std::vector<ir::Function> lowered(const TunedFunction &function, const KernelPrice &price,
                                         const RowPlan &plan) {
  for (const RowPlan &columns : {plan, RowPlan{Kind::Thread}}) {
    auto kernels = lowerToThreads(function.module, function.canonical, function.verdict,
                                  LoweringOptions{&price, {plan, columns}});
    if (kernels)
      return std::move(*kernels);
    llvm::consumeError(kernels.takeError()); // no plan for this function
  }
  return {};
}

Plans plansOf(const TunedFunction &function, const KernelPrice &price) {
  const std::vector<ir::Function> best = llvm::cantFail(lowerToThreads(
      function.module, function.canonical, function.verdict, LoweringOptions{&price, {}}));
  Plans plans{best.front(), kernelHash(function.module, best.front()), {}, {}, {}};
  std::vector<Candidates> candidates;
  for (LayoutKind kind : LayoutKinds)
    candidates.emplace_back(function, price, kind);
  for (const RowPlan &plan : rowPlans())
    if (const std::vector<ir::Function> kernels = lowered(function, price, plan); !kernels.empty())
      for (LayoutKind kind : LayoutKinds)
        candidates[size_t(kind)].add(plan, kernelFor(kernels, kind));
  for (LayoutKind kind : LayoutKinds) {
    Candidates &of = candidates[size_t(kind)];
    of.leaveOutDear(plans, of.add({}, kernelFor(best, kind)));
  }
  return plans;
}

} // namespace colonnade::tune
