//===- RememberedLoops.cpp - Loops that were run before -------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model/RememberedLoops.h"

#include "Model/ProfileSummary.h"

#include "llvm/Support/SaveAndRestore.h"

#include <utility>

namespace colonnade::model {

using ir::Op;
using Kind = LinearValue::Kind;

static constexpr size_t MaxRecordings = 16; // of one key

std::vector<uint64_t> &Tally::countsOf(uint32_t site, const LoopTerms &symbols, uint64_t period) {
  if (symbols.empty() && rowOf[site] < rows.size())
    return rows[rowOf[site]].counts;
  for (Row &row : rows)
    if (!symbols.empty() && row.site == site && row.symbols == symbols)
      return row.counts;
  if (symbols.empty())
    rowOf[site] = static_cast<uint32_t>(rows.size());
  rows.push_back({site, symbols, std::vector<uint64_t>(period)});
  return rows.back().counts;
}

LoopMemory &ProfileSummary::memoryOf(OpId id) {
  std::unique_ptr<LoopMemory> &memory = memories_[id.index];
  if (!memory) {
    const Op &op = function_.op(id);
    memory = std::make_unique<LoopMemory>();
    memory->outside = rootsOf(outsideValues(op, op.operands));
    memory->isKnown.resize(memory->outside.roots.size());
    memory->pinned.resize(memory->outside.roots.size());
  }
  return *memory;
}

/// A loop within walked ones: as before, or run.
Outcome ProfileSummary::remembered(OpId id) {
  if (walks_ == 0 || allowsBounds_)
    return loop(id);
  LoopMemory &memory = memoryOf(id);
  if (memory.operations >= worthwhile_)
    if (std::optional<Outcome> outcome = summed(id))
      return *outcome;
  if (memory.isWorthwhile(worthwhile_))
    if (std::optional<Outcome> outcome = lookedUp(id, memory))
      return *outcome;
  const uint64_t before = left_;
  const Outcome outcome = loop(id);
  memory.operations = before - left_;
  return outcome;
}

/// By other keys from now on; what is not settled yet may refer to these recordings.
void ProfileSummary::forgetRecordings(LoopMemory &memory) {
  memory.former.push_back(std::move(memory.recordings));
  memory.recordings.clear();
  memory.recorded = 0;
  memory.pinned.assign(memory.outside.roots.size(), 0u);
}

/// Of a recording that was made just now. True: a value has to be known from now on.
static bool findPinned(LoopMemory &memory, const LoopRecording &recording) {
  static constexpr unsigned Enough = 4;
  ++memory.recorded;
  bool isFound = false;
  for (const Guard &guard : recording.guards) {
    if (guard.low < guard.high || std::next(guard.symbols.begin()) != guard.symbols.end())
      continue;
    const size_t k = recording.origin.rootOf[guard.symbols.innermost()];
    if (++memory.pinned[k] >= Enough && 2 * memory.pinned[k] > memory.recorded)
      isFound = memory.isKnown[k] = true;
  }
  return isFound;
}

/// nullopt: it has to be run without being recorded.
std::optional<std::vector<uint64_t>> ProfileSummary::keyOf(const OutsideValues &outside,
                                                           const std::vector<bool> &isKnown) const {
  std::vector<uint64_t> key = {later_ > 0};
  for (auto [root, isRootKnown] : llvm::zip(outside.roots, isKnown)) {
    const LinearValue &of = values_[root.index];
    if (of.kind == Kind::Other)
      return std::nullopt;
    if (isRootKnown && !of.isKnown() && of.kind == Kind::Linear)
      return std::nullopt; // what runs it says whether it has to be
    key.push_back(uint64_t(of.kind));
    if (isRootKnown)
      key.push_back(of.scalar.bits);
  }
  for (const OutsideValues::Sum &sum : outside.sums) {
    if (values_[sum.id.index].kind == Kind::Other)
      return std::nullopt;
    key.push_back(uint64_t(values_[sum.id.index].kind));
  }
  return key;
}

/// Likewise.
std::optional<Outcome> ProfileSummary::lookedUp(OpId id, LoopMemory &memory) {
  while (true) {
    const std::optional<std::vector<uint64_t>> key = keyOf(memory.outside, memory.isKnown);
    if (!key)
      return std::nullopt;
    std::vector<LoopRecording> &found = memory.recordings[*key];
    for (const LoopRecording &recording : found)
      if (replayed(function_.op(id), memory, recording)) {
        ++memory.hits;
        return Outcome::Done;
      }
    ++memory.misses;
    if (found.size() == MaxRecordings || memoryLeft_ == 0)
      return std::nullopt;
    LoopRecording recording;
    const Outcome outcome = recorded(id, memory, recording);
    if (outcome == Outcome::Done) {
      const size_t size = recording.tally.rows.size() * profile_.period;
      memoryLeft_ -= std::min(memoryLeft_, size + recording.tally.executions.size());
      found.push_back(std::move(recording));
      // Its guards hold now; but not in all iterations of the closed loops around, perhaps.
      const bool holds = replayed(function_.op(id), memory, found.back());
      if (findPinned(memory, found.back()))
        forgetRecordings(memory);
      return holds ? std::optional(Outcome::Done) : std::nullopt;
    }
    if (outcome == Outcome::Given)
      return outcome;
    forgetRecordings(memory);
  }
}

/// Makes symbols of the roots that need not be known. What the values were before.
std::vector<LinearValue> ProfileSummary::bindSymbols(const OutsideValues &outside,
                                                     const std::vector<bool> &isKnown,
                                                     LoopOrigin &origin, LoopCounts &symbols) {
  std::vector<LinearValue> before;
  std::vector<std::optional<unsigned>> symbolOf;
  for (auto [k, root] : llvm::enumerate(outside.roots)) {
    LinearValue &of = value(root);
    before.push_back(of);
    origin.roots.push_back(ir::asInt64(of.scalar));
    symbolOf.emplace_back();
    if (isKnown[k] || of.kind != Kind::Linear)
      continue;
    symbolOf.back() = static_cast<unsigned>(symbols.size());
    of.terms.clear();
    of.terms[*symbolOf.back()] = 1;
    symbols.push_back(1);
    origin.rootOf.push_back(k);
  }
  for (const OutsideValues::Sum &sum : outside.sums) {
    LinearValue &of = value(sum.id);
    before.push_back(of);
    origin.sums.push_back(ir::asInt64(of.scalar));
    if (of.kind != Kind::Linear)
      continue;
    of.terms.clear();
    for (auto [root, coefficient] : sum.terms)
      if (symbolOf[root])
        of.terms[*symbolOf[root]] = coefficient;
  }
  symbols.symbols = static_cast<unsigned>(symbols.size());
  return before;
}

/// Runs something by itself. Open: the symbol to blame is known to the caller only.
Outcome ProfileSummary::recordedRun(const OutsideValues &outside, const std::vector<bool> &isKnown,
                                    LoopRecording &recording, llvm::function_ref<Outcome()> run) {
  LoopCounts symbols;
  symbols.guards = &recording.guards;
  const std::vector<LinearValue> before = bindSymbols(outside, isKnown, recording.origin, symbols);
  recording.tally.rowOf.assign(profile_.sites.size(), UINT32_MAX);
  recording.tally.executions.resize(tally_.executions.size());

  std::swap(loops_, symbols);
  std::swap(tally_, recording.tally);
  const LoopRequests::Sizes requested = requests_.sizes();
  std::vector<Record> pending = std::exchange(records_, {});
  std::vector<Entry> entered = std::exchange(entries_, {});
  Outcome outcome;
  {
    const llvm::SaveAndRestore conditions(conditions_, 0u), attempts(attempts_, 0u),
        walkedBlocks(walkedBlocks_, 0u);
    const llvm::SaveAndRestore mergeable(mergeable_, size_t(0));
    outcome = run();
  }
  std::swap(tally_, recording.tally);
  std::swap(loops_, symbols);
  requests_.dropTo(requested);
  records_ = std::move(pending);
  entries_ = std::move(entered);
  const size_t roots = outside.roots.size();
  for (size_t k = 0; k < before.size(); ++k)
    value(k < roots ? outside.roots[k] : outside.sums[k - roots].id) = before[k];
  return outcome;
}

/// Open: another value has to be known, and is marked so.
Outcome ProfileSummary::recorded(OpId id, LoopMemory &memory, LoopRecording &recording) {
  const uint64_t left = left_;
  const Outcome outcome =
      recordedRun(memory.outside, memory.isKnown, recording, [&] { return loop(id); });
  memory.operations = left - left_;
  for (ValueId result : function_.op(id).results)
    recording.results.push_back(value(result));
  if (outcome == Outcome::Open)
    findKnown(memory.outside, memory.isKnown, recording.origin.rootOf[blamed_]);
  return outcome;
}

/// Sum of coefficient * symbol, where symbols are values of the symbols around; nullopt: beyond 64
/// bits.
static std::optional<LinearValue> sumOf(const LoopTerms &terms,
                                        llvm::ArrayRef<LinearValue> symbols) {
  int64_t base = 0;
  LoopTerms around;
  auto add = [](int64_t &to, int64_t a, int64_t b) {
    int64_t product;
    return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(to, product, &to);
  };
  for (auto [symbol, coefficient] : terms) {
    const LinearValue &of = symbols[symbol];
    if (!add(base, coefficient, ir::asInt64(of.scalar)))
      return std::nullopt;
    for (auto [outer, factor] : of.terms) {
      if (!add(around[outer], coefficient, factor))
        return std::nullopt;
      if (around.of(outer) == 0)
        around.erase(outer);
    }
  }
  return LinearValue{Kind::Linear, ir::makeInt(ir::ScalarType::S64, base), around};
}

/// By how much a value is more than it was; nullopt: beyond 64 bits.
static std::optional<LinearValue> moved(const LinearValue &now, int64_t from) {
  int64_t difference;
  if (__builtin_sub_overflow(ir::asInt64(now.scalar), from, &difference))
    return std::nullopt;
  LinearValue by = now;
  by.scalar = ir::makeInt(ir::ScalarType::S64, difference);
  return by;
}

/// What the recording's symbols are now; nullopt: beyond 64 bits, or something did not move with
/// what it is a sum of.
std::optional<std::vector<LinearValue>> ProfileSummary::symbolsNow(const OutsideValues &outside,
                                                                   const LoopOrigin &origin) {
  std::vector<LinearValue> symbols;
  std::vector<LinearValue> roots(outside.roots.size(), LinearValue::of({ir::ScalarType::S64, 0}));
  for (size_t k : origin.rootOf) {
    std::optional<LinearValue> by = moved(value(outside.roots[k]), origin.roots[k]);
    if (!by)
      return std::nullopt;
    roots[k] = *by;
    symbols.push_back(std::move(*by));
  }
  for (auto [sum, from] : llvm::zip(outside.sums, origin.sums)) {
    const LinearValue &now = value(sum.id);
    if (now.kind != Kind::Linear)
      continue;
    const std::optional<LinearValue> by = moved(now, from), expected = sumOf(sum.terms, roots);
    if (!by || !expected || by->scalar != expected->scalar || by->terms != expected->terms)
      return std::nullopt;
  }
  return symbols;
}

bool ProfileSummary::hold(llvm::ArrayRef<Guard> guards, llvm::ArrayRef<LinearValue> symbols) const {
  return llvm::all_of(guards, [&](const Guard &guard) {
    const std::optional<LinearValue> sum = sumOf(guard.symbols, symbols);
    return sum && isWithin(*sum, guard.low, guard.high, loops_);
  });
}

std::optional<Replay> replayOf(const Tally &tally, const Tally *without,
                               llvm::ArrayRef<LinearValue> symbols) {
  Replay replay{&tally, without};
  for (const Tally::Row &row : tally.rows) {
    std::optional<LinearValue> sum = sumOf(row.symbols, symbols);
    if (!sum)
      return std::nullopt;
    replay.turns.push_back(std::move(*sum));
  }
  return replay;
}

void ProfileSummary::count(const Replay &replay) {
  const std::vector<Tally::Row> &rows = replay.tally->rows;
  for (size_t r = 0; r < rows.size(); ++r) {
    const bool isLess = replay.without && r < replay.without->rows.size();
    records_.push_back({rows[r].site, replay.turns[r], loops_, conditions_ > 0, &rows[r].counts,
                        isLess ? &replay.without->rows[r].counts : nullptr});
  }
  const uint64_t times = loops_.product();
  for (auto [region, all] : llvm::enumerate(replay.tally->executions)) {
    const RegionId id(region);
    const Executions less = replay.without ? replay.without->executions[region] : Executions();
    const uint64_t conditional = all.conditional - less.conditional;
    auto add = [&](uint64_t entries, bool isConditional) {
      if (entries > 0)
        entries_.push_back({id, isConditional, llvm::SaturatingMultiply(times, entries)});
    };
    add(all.all - less.all - conditional, conditions_ > 0);
    add(conditional, true);
  }
}

/// False: a guard does not hold, and nothing is counted.
bool ProfileSummary::replayed(const Op &op, const LoopMemory &memory,
                              const LoopRecording &recording) {
  const auto symbols = symbolsNow(memory.outside, recording.origin);
  if (!symbols || !hold(recording.guards, *symbols))
    return false;
  const std::optional<Replay> replay = replayOf(recording.tally, nullptr, *symbols);
  if (!replay)
    return false;
  for (auto [result, recorded] : llvm::zip(op.results, recording.results)) {
    LinearValue of = recorded;
    if (!of.terms.empty()) {
      std::optional<LinearValue> sum = sumOf(of.terms, *symbols);
      if (!sum)
        return false;
      of.scalar = ir::makeInt(of.scalar.type, ir::asInt64(of.scalar) + ir::asInt64(sum->scalar));
      of.terms = sum->terms;
    }
    value(result) = of;
  }
  count(*replay);
  settle();
  return true;
}

} // namespace colonnade::model
