//===- Origins.cpp - Interned origin sets and paths -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oblivious/Flow/Origins.h"

#include "llvm/ADT/Hashing.h"

#include <algorithm>

namespace colonnade {

Origins::Origins() { sets_.emplace_back(); }

static size_t hashOf(const OriginSet &set) {
  llvm::hash_code code = llvm::hash_combine(set.traits, set.more);
  for (const OriginSet::Entry &e : set.entries)
    code = llvm::hash_combine(code, e.origin.index, e.step.index);
  return code;
}

Label Origins::intern(OriginSet set) {
  if (set.entries.empty())
    return {};
  size_t hash = hashOf(set);
  auto [begin, end] = setIndex_.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (sets_[it->second] == set)
      return {it->second};
  uint32_t index = static_cast<uint32_t>(sets_.size());
  sets_.push_back(std::move(set));
  setIndex_.emplace(hash, index);
  return {index};
}

StepId Origins::internStep(const Step &step) {
  size_t hash = llvm::hash_combine(step.kind, step.subject, step.loc.index, step.parent.index);
  auto [begin, end] = stepIndex_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const Step &other = steps_[it->second];
    if (other.kind == step.kind && other.subject == step.subject && other.loc == step.loc &&
        other.parent == step.parent)
      return StepId(it->second);
  }
  uint32_t index = static_cast<uint32_t>(steps_.size());
  steps_.push_back(step);
  stepIndex_.emplace(hash, index);
  return StepId(index);
}

Label Origins::source(OpId origin, StepKind kind, LocId loc, uint8_t traits) {
  OriginSet set;
  set.entries.push_back({origin, internStep({kind, origin.index, loc, {}, 1})});
  set.traits = traits;
  return intern(std::move(set));
}

Label Origins::join(Label a, Label b) {
  if (a == b || b.uniform())
    return a;
  if (a.uniform())
    return b;
  if (a.index > b.index)
    std::swap(a, b);
  uint64_t key = (uint64_t(a.index) << 32) | b.index;
  if (auto it = joins_.find(key); it != joins_.end())
    return {it->second};

  OriginSet set;
  const OriginSet &x = sets_[a.index], &y = sets_[b.index];
  set.traits = x.traits | y.traits;
  set.more = x.more || y.more;
  auto shorter = [&](StepId s, StepId t) {
    uint32_t ls = step(s).length, lt = step(t).length;
    return ls != lt ? (ls < lt ? s : t) : std::min(s, t);
  };
  size_t i = 0, j = 0;
  while (i < x.entries.size() || j < y.entries.size()) {
    if (set.entries.size() == maxOrigins) {
      set.more = true;
      break;
    }
    if (j == y.entries.size() ||
        (i < x.entries.size() && x.entries[i].origin < y.entries[j].origin)) {
      set.entries.push_back(x.entries[i++]);
    } else if (i == x.entries.size() || y.entries[j].origin < x.entries[i].origin) {
      set.entries.push_back(y.entries[j++]);
    } else {
      set.entries.push_back({x.entries[i].origin, shorter(x.entries[i].step, y.entries[j].step)});
      ++i, ++j;
    }
  }
  Label result = intern(std::move(set));
  joins_.emplace(key, result.index);
  return result;
}

Label Origins::extend(Label label, StepKind kind, uint32_t subject, LocId loc) {
  if (label.uniform())
    return label;
  OriginSet set = sets_[label.index];
  for (OriginSet::Entry &entry : set.entries) {
    const Step &last = steps_[entry.step.index];
    // `x = b[i]` is one step for the reader, not a load and an assignment.
    if (last.loc == loc && (kind == StepKind::Assigned || last.kind == kind))
      continue;
    entry.step = internStep({kind, subject, loc, entry.step, last.length + 1});
  }
  return intern(std::move(set));
}

/// Plain data instead of `traits`.
Label Origins::withoutTraits(Label label, uint8_t traits) {
  if (!(sets_[label.index].traits & traits))
    return label;
  OriginSet set = sets_[label.index];
  set.traits = (set.traits & ~traits) | PlainData;
  return intern(std::move(set));
}

bool Origins::sameOrigins(Label a, Label b) const {
  const OriginSet &x = sets_[a.index], &y = sets_[b.index];
  if (x.traits != y.traits || x.more != y.more || x.entries.size() != y.entries.size())
    return false;
  for (size_t i = 0; i < x.entries.size(); ++i)
    if (x.entries[i].origin != y.entries[i].origin)
      return false;
  return true;
}

std::vector<Step> Origins::shortestPath(Label label) const {
  StepId best;
  for (const OriginSet::Entry &entry : sets_[label.index].entries)
    if (!best || step(entry.step).length < step(best).length)
      best = entry.step;
  std::vector<Step> path;
  for (StepId id = best; id; id = step(id).parent)
    path.push_back(step(id));
  std::reverse(path.begin(), path.end());
  return path;
}

} // namespace colonnade
