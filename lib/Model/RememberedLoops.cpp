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

/// What a loop's body and bounds use of what is computed before it; not what is computed only once,
/// beyond all loops.
std::vector<ValueId> ProfileSummary::outsideValues(const Op &loop) const {
  std::vector<bool> isLeftOut(function_.values.size()), isUsed(function_.values.size());
  std::vector<const Op *> open = {&loop};
  auto use = [&](ValueId id) { isUsed[id.index] = !isKernel_ || matters_[id.index]; };
  llvm::for_each(loop.operands, use);
  const ir::Region &once = function_.region(function_.body);
  for (ValueId arg : once.args)
    isLeftOut[arg.index] = true;
  for (OpId op : once.ops)
    for (ValueId result : function_.op(op).results)
      isLeftOut[result.index] = true;
  while (!open.empty()) {
    const Op &op = *open.back();
    open.pop_back();
    llvm::SmallVector<RegionId, 2> regions = op.regions;
    if (op.opcode == ir::Opcode::CallPart)
      regions.push_back(function_.part(op.part).body);
    for (RegionId id : regions) {
      for (ValueId arg : function_.region(id).args)
        isLeftOut[arg.index] = true;
      for (OpId inner : function_.region(id).ops) {
        const Op &used = function_.op(inner);
        llvm::for_each(used.operands, use);
        for (ValueId result : used.results)
          isLeftOut[result.index] = true;
        open.push_back(&used);
      }
    }
  }
  std::vector<ValueId> outside;
  for (uint32_t v = 0; v < isUsed.size(); ++v)
    if (isUsed[v] && !isLeftOut[v])
      outside.push_back(ValueId(v));
  return outside;
}

LoopMemory &ProfileSummary::memoryOf(OpId id) {
  std::unique_ptr<LoopMemory> &memory = memories_[id.index];
  if (!memory) {
    memory = std::make_unique<LoopMemory>();
    memory->outside = outsideValues(function_.op(id));
    memory->isKnown.resize(memory->outside.size());
    memory->pinned.resize(memory->outside.size());
  }
  return *memory;
}

/// A loop within walked ones: as before, or run.
Outcome ProfileSummary::remembered(OpId id) {
  if (walks_ == 0 || allowsBounds_)
    return loop(id);
  LoopMemory &memory = memoryOf(id);
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
  std::fill(memory.pinned.begin(), memory.pinned.end(), 0u);
}

/// Of a recording that was made just now. True: a value has to be known from now on.
static bool findPinned(LoopMemory &memory, const LoopRecording &recording) {
  static constexpr unsigned Enough = 4;
  ++memory.recorded;
  bool isFound = false;
  for (const Guard &guard : recording.guards) {
    if (guard.low < guard.high || std::next(guard.symbols.begin()) != guard.symbols.end())
      continue;
    const size_t k = recording.outsideOf[guard.symbols.innermost()];
    if (++memory.pinned[k] >= Enough && 2 * memory.pinned[k] > memory.recorded)
      isFound = memory.isKnown[k] = true;
  }
  return isFound;
}

/// nullopt: it has to be run without being recorded.
std::optional<Outcome> ProfileSummary::lookedUp(OpId id, LoopMemory &memory) {
  while (true) {
    std::vector<uint64_t> key = {later_ > 0};
    for (auto [outside, isKnown] : llvm::zip(memory.outside, memory.isKnown)) {
      const LinearValue &of = value(outside);
      if (of.kind == Kind::Other)
        return std::nullopt;
      if (isKnown && !of.isKnown() && of.kind == Kind::Linear)
        return std::nullopt; // what runs it says whether it has to be
      key.push_back(uint64_t(of.kind));
      if (isKnown)
        key.push_back(of.scalar.bits);
    }
    std::vector<LoopRecording> &found = memory.recordings[key];
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

/// Runs the loop by itself. Open: another value has to be known, and is marked so.
Outcome ProfileSummary::recorded(OpId id, LoopMemory &memory, LoopRecording &recording) {
  LoopCounts symbols;
  symbols.guards = &recording.guards;
  std::vector<LinearValue> before;
  for (auto [k, outside] : llvm::enumerate(memory.outside)) {
    LinearValue &of = value(outside);
    before.push_back(of);
    recording.symbols.push_back(ir::asInt64(of.scalar));
    if (memory.isKnown[k] || of.kind != Kind::Linear)
      continue;
    of.terms.clear();
    of.terms[static_cast<unsigned>(symbols.size())] = 1;
    symbols.push_back(1);
    recording.outsideOf.push_back(k);
  }
  symbols.symbols = static_cast<unsigned>(symbols.size());
  recording.tally.rowOf.assign(profile_.sites.size(), UINT32_MAX);
  recording.tally.executions.resize(tally_.executions.size());

  std::swap(loops_, symbols);
  std::swap(tally_, recording.tally);
  const LoopRequests::Sizes requested = requests_.sizes();
  std::vector<Record> pending = std::exchange(records_, {});
  std::vector<Entry> entered = std::exchange(entries_, {});
  Outcome outcome;
  {
    const llvm::SaveAndRestore conditions(conditions_, 0u), attempts(attempts_, 0u);
    const uint64_t left = left_;
    outcome = loop(id);
    memory.operations = left - left_;
  }
  std::swap(tally_, recording.tally);
  std::swap(loops_, symbols);
  requests_.dropTo(requested);
  records_ = std::move(pending);
  entries_ = std::move(entered);
  for (ValueId result : function_.op(id).results)
    recording.results.push_back(value(result));
  for (auto [outside, of] : llvm::zip(memory.outside, before))
    value(outside) = of;
  if (outcome == Outcome::Open)
    memory.isKnown[recording.outsideOf[blamed_]] = true;
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

/// What the recording's symbols are now; nullopt: beyond 64 bits.
std::optional<std::vector<LinearValue>> ProfileSummary::symbolsNow(const LoopMemory &memory,
                                                                   const LoopRecording &recording) {
  std::vector<LinearValue> symbols;
  for (auto [k, outside] : llvm::enumerate(memory.outside)) {
    LinearValue now = value(outside);
    if (memory.isKnown[k] || now.kind != Kind::Linear)
      continue;
    int64_t difference;
    if (__builtin_sub_overflow(ir::asInt64(now.scalar), recording.symbols[k], &difference))
      return std::nullopt;
    now.scalar = ir::makeInt(ir::ScalarType::S64, difference);
    symbols.push_back(std::move(now));
  }
  return symbols;
}

/// False: a guard does not hold, and nothing is counted.
bool ProfileSummary::replayed(const Op &op, const LoopMemory &memory,
                              const LoopRecording &recording) {
  const std::optional<std::vector<LinearValue>> symbols = symbolsNow(memory, recording);
  if (!symbols)
    return false;
  for (const Guard &guard : recording.guards) {
    const std::optional<LinearValue> sum = sumOf(guard.symbols, *symbols);
    if (!sum || !isWithin(*sum, guard.low, guard.high, loops_))
      return false;
  }
  std::vector<LinearValue> turns;
  for (const Tally::Row &row : recording.tally.rows) {
    std::optional<LinearValue> sum = sumOf(row.symbols, *symbols);
    if (!sum)
      return false;
    turns.push_back(std::move(*sum));
  }
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
  for (auto [row, turn] : llvm::zip(recording.tally.rows, turns))
    records_.push_back({row.site, std::move(turn), loops_, conditions_ > 0, &row.counts});
  const uint64_t times = loops_.product();
  for (auto [region, done] : llvm::enumerate(recording.tally.executions)) {
    const RegionId id(region);
    auto add = [&](uint64_t entries, bool isConditional) {
      if (entries > 0)
        entries_.push_back({id, isConditional, llvm::SaturatingMultiply(times, entries)});
    };
    add(done.all - done.conditional, conditions_ > 0);
    add(done.conditional, true);
  }
  settle();
  return true;
}

} // namespace colonnade::model
