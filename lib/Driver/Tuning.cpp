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

/// By LayoutKind, for many instances. Entries that were measured for the same function, when it had
/// another kernel, are stale.
Tuning::Found Tuning::find(const CheckedFunction &checked, const std::string &hash) {
  Found found = {nullptr, nullptr};
  for (const auto &[i, entry] : llvm::enumerate(entries_)) {
    const bool isNamed =
        entry.function == checked.canonical.name && entry.sizes == checked.facts.sizes;
    if (entry.gpu != gpu_ || (entry.kernel != hash && !isNamed))
      continue;
    isKnown_[i] = true;
    if (entry.instances.most)
      continue;
    if (entry.kernel == hash)
      found[size_t(entry.layouts)] = &entry;
    else
      refuse(entry, "its kernel was another one when it was measured");
  }
  return found;
}

static std::string noteOf(const TuningEntry &entry) {
  const bool isOfRows = entry.layouts == LayoutKind::Rows;
  return std::string(isOfRows ? "row-wise" : "column-wise and tiled") + " instances: plan '" +
         entry.plan + "', which took the least time on an " + entry.gpu;
}

TunedPlans Tuning::plansFor(const Analysis &analysis, const CheckedFunction &checked) {
  const RowPrice price(analysis.module, checked.verdict.certificate);
  const auto lowered = [&](const LayoutPlans &plans) {
    auto kernels =
        lowerToThreads(analysis.module, checked.canonical, checked.verdict, {&price, plans});
    if (kernels)
      return std::move(*kernels);
    llvm::consumeError(kernels.takeError()); // not legal any more
    return std::vector<ir::Function>();
  };
  const RowPlan thread = {RowPlan::Kind::Thread};
  const std::vector<ir::Function> ofOne = lowered({thread, thread});
  TunedPlans tuned;
  const Found found = find(checked, tune::kernelHash(analysis.module, ofOne.front()));
  for (LayoutKind kind : tune::LayoutKinds) {
    const TuningEntry *const entry = found[size_t(kind)];
    if (!entry)
      continue;
    LayoutPlans plans = tuned.plans;
    (kind == LayoutKind::Rows ? plans.rows : plans.columns) = *tune::findPlan(entry->plan);
    const std::vector<ir::Function> kernels = lowered(plans);
    if (kernels.empty() ||
        tune::kernelHash(analysis.module, tune::kernelFor(kernels, kind)) != entry->plannedKernel) {
      refuse(*entry, "plan '" + entry->plan + "' makes another kernel than was measured");
      continue;
    }
    tuned.plans = plans;
    tuned.notes[size_t(kind)] = noteOf(*entry);
  }
  return tuned;
}

std::vector<std::string> Tuning::notes() const {
  std::vector<std::string> notes = stale_;
  if (const auto others = llvm::count(isKnown_, false))
    notes.push_back(path_ + ": ignored: " + std::to_string(others) +
                    (others == 1 ? " entry" : " entries") +
                    " of other functions or sizes, or of other GPUs than '" + gpu_ + "'");
  return notes;
}

void addNotes(const TunedPlans &tuned, std::vector<ir::Function> &kernels) {
  for (LayoutKind kind : tune::LayoutKinds)
    if (const std::string &note = tuned.notes[size_t(kind)]; !note.empty())
      kernels[tune::numberFor(kernels, kind)].notes.push_back(note);
}

} // namespace colonnade
