//===- DigitVisits.cpp - What is counted by digits ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the accesses and regions of a nest, and the conditions under which they are come to. Out: how
// often each is, by residue.
//
// Loops that nothing depends on are factors. What has the same conditions is counted together.
//
// Invariant: nothing is told to the summary before all of it is counted.
//
//===----------------------------------------------------------------------===//

#include "Model/DigitNest.h"

namespace colonnade::model {

using ir::Op;
using NumberKind = DigitNumber::Kind;
using Term = DigitNumber::Term;

/// nullopt: it takes too long.
std::optional<ProfileSummary::DigitNest::Count>
ProfileSummary::DigitNest::countOf(const Place &place, llvm::ArrayRef<DigitTruthId> also,
                                   llvm::ArrayRef<DigitNumberId> outputs, bool isOnlyFirst) {
  std::vector<DigitTruthId> truths = place.truths;
  truths.insert(truths.end(), also.begin(), also.end());
  uint32_t loops = 0;
  for (DigitTruthId truth : truths)
    loops |= system_.truth(truth).loops;
  for (DigitNumberId output : outputs)
    loops |= system_.number(output).loops;
  uint64_t times = 1;
  llvm::SmallVector<DigitNumberId, 8> all(outputs.begin(), outputs.end());
  for (uint32_t number : llvm::reverse(place.loops)) {
    const Frame &frame = frames_[number];
    const bool isFirst = isOnlyFirst && frame.endsByData;
    if (frame.constant && !(loops >> number & 1)) {
      const uint64_t iterations =
          isFirst ? std::min<uint64_t>(*frame.constant, 1) : *frame.constant;
      if (__builtin_mul_overflow(times, iterations, &times))
        return std::nullopt;
      continue;
    }
    if (!llvm::is_contained(all, frame.digits)) // whatever may be said of it
      all.push_back(frame.digits);
    truths.push_back(frame.isWithin);
    loops |= uint32_t(1) << number | system_.truth(frame.isWithin).loops;
    if (!isFirst)
      continue;
    truths.push_back(frame.isFirst);
    loops |= system_.truth(frame.isFirst).loops;
  }
  std::optional<DigitCounts> digits = DigitCounts::of(system_, truths, all, budget_);
  if (!digits)
    return std::nullopt;
  return Count{std::move(*digits), times};
}

bool ProfileSummary::DigitNest::count(const Place &place, const Visits &visits) {
  for (DigitTruthId truth : visits.mustNotBe) {
    if (system_.constantTruth(truth) == false)
      continue;
    const std::optional<Count> found = countOf(place, truth, {}, false);
    if (!found || found->times * found->digits.total() != 0)
      return false; // the other ways say what is wrong
  }
  llvm::SmallVector<DigitNumberId, 8> outputs;
  for (const Access &access : visits.accesses)
    for (const Term &term : termsOf(access.cell))
      if (!llvm::is_contained(outputs, term.first))
        outputs.push_back(term.first);
  const std::optional<Count> all = countOf(place, {}, outputs, false);
  const bool hasFirst =
      llvm::any_of(place.loops, [&](uint32_t number) { return frames_[number].endsByData; });
  const std::optional<Count> first = hasFirst ? countOf(place, {}, outputs, true) : std::nullopt;
  if (!all || (hasFirst && !first))
    return false;
  if (summary_.isKernel_)
    countRegions(visits, *all, first);
  for (const Access &access : visits.accesses)
    countAccess(access, *all, first);
  return true;
}

void ProfileSummary::DigitNest::countRegions(const Visits &visits, const Count &all,
                                             const std::optional<Count> &first) {
  const uint64_t times = all.times * all.digits.total();
  const uint64_t surely = first ? first->times * first->digits.total() : times;
  for (uint32_t region : visits.regions) {
    executions_[region].all += times;
    executions_[region].conditional += times - surely;
  }
  for (uint32_t region : visits.conditionalRegions) {
    executions_[region].all += times;
    executions_[region].conditional += times;
  }
}

/// What its base is added to.
llvm::SmallVector<Term, 4> ProfileSummary::DigitNest::termsOf(DigitNumberId cell) const {
  const DigitNumber &of = system_.number(cell);
  return of.kind == NumberKind::Sum ? of.terms : llvm::SmallVector<Term, 4>{{cell, 1}};
}

/// Where data ends a loop, what is behind its first iteration is another site.
void ProfileSummary::DigitNest::countAccess(const Access &access, const Count &all,
                                            const std::optional<Count> &first) {
  const DigitNumber &cell = system_.number(access.cell);
  const int64_t base = cell.kind == NumberKind::Sum ? cell.base : 0;
  const auto residues = [&](const Count &of) {
    std::vector<uint64_t> counts =
        of.digits.residues(base, termsOf(access.cell), summary_.profile_.period);
    for (uint64_t &count : counts)
      count *= of.times;
    return counts;
  };
  std::vector<uint64_t> counts = residues(all);
  if (first) {
    std::vector<uint64_t> surely = residues(*first);
    for (size_t residue = 0; residue < counts.size(); ++residue)
      counts[residue] -= surely[residue];
    rows_.push_back({summary_.siteOf(access.id), std::move(surely)});
    rows_.push_back({summary_.siteNumbers_.of(access.id, false), std::move(counts)});
    return;
  }
  rows_.push_back({summary_.siteOf(access.id), std::move(counts)});
}

void ProfileSummary::DigitNest::commit() {
  Tally &to = summary_.tally_;
  for (const Row &row : rows_) {
    std::vector<uint64_t> &counts = to.countsOf(row.site, {}, summary_.profile_.period);
    for (size_t residue = 0; residue < counts.size(); ++residue) {
      counts[residue] += row.counts[residue];
      to.add(row.counts[residue]);
    }
  }
  for (const auto &[region, more] : executions_) {
    to.executions[region].all += more.all;
    to.executions[region].conditional += more.conditional;
    to.add(more.all);
  }
}

/// Its counter is known behind it, if its bounds are.
void ProfileSummary::DigitNest::defineResults(const Op &root) {
  summary_.defineAsData(root.results);
  const Value behind = value(root.results[0]);
  if (behind.kind == Value::Kind::Number)
    if (const std::optional<int64_t> known = system_.constantOf(behind.id))
      summary_.value(root.results[0]) =
          LinearValue::of(ir::makeInt(summary_.typeOf(root.results[0]), *known));
}

bool ProfileSummary::DigitNest::run(OpId root, uint64_t fewest) {
  conditions_ = summary_.conditions_;
  constexpr uint64_t FewForOne = 300'000;
  constexpr double ManyForOne = 1e7;
  const uint64_t given = budget_;
  if (!loop(root) || !dependsOnOne_ || iterations_ < double(fewest))
    return false;
  if (!dependsOnSeveral_ && fewest > 0) {
    if (iterations_ < ManyForOne)
      return false;
    budget_ = std::min(budget_, FewForOne);
  }
  const uint64_t spare = given - budget_;
  const bool isDone =
      llvm::all_of(visits_, [&](const auto &at) { return count(at.first, at.second); });
  budget_ += spare;
  if (!isDone)
    return false;
  commit();
  defineResults(summary_.function_.op(root));
  return true;
}

} // namespace colonnade::model
