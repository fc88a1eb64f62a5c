//===- Tuning.cpp - Kernels by the plans that tune has found --------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Tuning.h"

#include "Driver/RowPrice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

namespace colonnade {

using tune::LayoutKind, tune::TuningEntry;

llvm::Expected<Tuning> Tuning::read(const std::string &path, const std::string &gpu) {
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return llvm::createStringError("--tuning: cannot read '" + path +
                                   "': " + text.getError().message());
  auto entries = tune::readTuning((*text)->getBuffer(), path);
  if (!entries)
    return entries.takeError();
  std::set<std::string> gpus;
  for (const TuningEntry &entry : *entries)
    gpus.insert(entry.gpu);
  if (gpu.empty() && gpus.size() > 1)
    return llvm::createStringError(path + ": is about several GPUs: choose one with --gpu: '" +
                                   llvm::join(gpus, "', '") + "'");
  Tuning tuning;
  tuning.path_ = path;
  tuning.gpu_ = gpu.empty() && !gpus.empty() ? *gpus.begin() : gpu;
  tuning.isKnown_.resize(entries->size());
  tuning.entries_ = std::move(*entries);
  return tuning;
}

static std::string nameOf(const TuningEntry &entry) {
  std::string text = std::string(name(entry.layouts)) + " of '" + entry.function + "'";
  for (const auto &[name, size] : entry.sizes)
    text += ", " + name + " = " + std::to_string(size);
  return text;
}

void Tuning::refuse(const TuningEntry &entry, const std::string &reason) {
  stale_.push_back(path_ + ": a stale entry is ignored: " + nameOf(entry) + ": " + reason);
}

/// By LayoutKind, the fewest instances first. Entries that were measured for the same function,
/// when it had another kernel, are stale.
Tuning::Found Tuning::find(const CheckedFunction &checked, const std::string &hash) {
  Found found;
  for (const auto &[i, entry] : llvm::enumerate(entries_)) {
    const bool isNamed =
        entry.function == checked.canonical.name && entry.sizes == checked.facts.sizes;
    if (entry.gpu != gpu_ || (entry.kernel != hash && !isNamed))
      continue;
    isKnown_[i] = true;
    if (entry.kernel == hash)
      found[size_t(entry.layouts)].push_back(&entry);
    else
      refuse(entry, "its kernel was another one when it was measured");
  }
  for (auto &entries : found)
    llvm::sort(entries, [](const TuningEntry *one, const TuningEntry *other) {
      return one->instances.least < other->instances.least;
    });
  return found;
}

static const char *layoutsOf(LayoutKind kind) {
  return kind == LayoutKind::Rows ? "row-wise" : "column-wise and tiled";
}

static std::string noteOf(const TuningEntry &entry) {
  const std::string most = entry.instances.most
                               ? ", up to " + std::to_string(*entry.instances.most) + " in a launch"
                               : "";
  return std::string(layoutsOf(entry.layouts)) + " instances" + most + ": plan '" + entry.plan +
         "', which took the least time on an " + entry.gpu;
}

namespace {

/// The kernels of one function, by plans of entries.
class TunedKernels {
public:
  TunedKernels(const Analysis &analysis, const CheckedFunction &checked)
      : analysis_(analysis), checked_(checked),
        price_(analysis.module, checked.verdict.certificate) {}

  /// Those that lowerToThreads makes with the entry's plan for its layouts. nullopt: the plan is
  /// not legal any more, or its kernel is not the one that was measured.
  std::optional<std::vector<ir::Function>> planned(const TuningEntry &entry) const;
  std::string hashOf(const ir::Function &kernel) const {
    return tune::kernelHash(analysis_.module, kernel);
  }

private:
  const Analysis &analysis_;
  const CheckedFunction &checked_;
  RowPrice price_;
};

} // namespace

std::optional<std::vector<ir::Function>> TunedKernels::planned(const TuningEntry &entry) const {
  const RowPlan plan = *tune::findPlan(entry.plan), thread = {RowPlan::Kind::Thread};
  LayoutPlans plans; // the best of columns depends on that of rows
  if (plan.kind != RowPlan::Kind::Best)
    plans =
        entry.layouts == LayoutKind::Rows ? LayoutPlans{plan, thread} : LayoutPlans{thread, plan};
  auto kernels =
      lowerToThreads(analysis_.module, checked_.canonical, checked_.verdict, {&price_, plans});
  if (!kernels) {
    llvm::consumeError(kernels.takeError());
    return std::nullopt;
  }
  if (hashOf(tune::kernelFor(*kernels, entry.layouts)) != entry.plannedKernel)
    return std::nullopt;
  return std::move(*kernels);
}

/// The number of an equal kernel, which is added if there is none.
static size_t numberOf(ir::Function kernel, const TunedKernels &tuned,
                       std::vector<ir::Function> &kernels) {
  const std::string hash = tuned.hashOf(kernel);
  for (const auto &[i, each] : llvm::enumerate(kernels))
    if (tuned.hashOf(each) == hash)
      return i;
  kernels.push_back(std::move(kernel));
  return kernels.size() - 1;
}

void Tuning::apply(const Analysis &analysis, const CheckedFunction &checked,
                   BackEndKernels &kernels) {
  const TunedKernels tuned(analysis, checked);
  const std::vector<ir::Function> untuned = std::move(kernels.kernels);
  kernels.kernels = {untuned.front()};
  const Found found = find(checked, tuned.hashOf(untuned.front()));
  for (LayoutKind kind : tune::LayoutKinds) {
    std::optional<size_t> above; // the kernel of launches of more instances
    std::vector<FewInstances> &few = kernels.few[size_t(kind)];
    for (const TuningEntry *entry : llvm::reverse(found[size_t(kind)])) {
      auto planned = tuned.planned(*entry);
      if (!planned) {
        refuse(*entry, "plan '" + entry->plan + "' makes another kernel than was measured");
        continue;
      }
      if (!above && entry->instances.most)
        above = numberOf(tune::kernelFor(untuned, kind), tuned, kernels.kernels);
      const size_t number = numberOf(tune::kernelFor(*planned, kind), tuned, kernels.kernels);
      if (above == number)
        continue;
      if (kind == LayoutKind::Rows && !above)
        kernels.kernels.front().notes = planned->front().notes; // why rows have no other plan
      kernels.kernels[number].notes.push_back(noteOf(*entry));
      if (above)
        few.insert(few.begin(), {*entry->instances.most, number});
      above = number;
    }
    if (!above)
      numberOf(tune::kernelFor(untuned, kind), tuned, kernels.kernels);
  }
}

std::vector<std::string> Tuning::notes() const {
  std::vector<std::string> notes = stale_;
  if (const auto others = llvm::count(isKnown_, false))
    notes.push_back(path_ + ": ignored: " + std::to_string(others) +
                    (others == 1 ? " entry" : " entries") +
                    " of other functions or sizes, or of other GPUs than '" + gpu_ + "'");
  return notes;
}

} // namespace colonnade
