//===- DigitCounts.cpp - An automaton over binary digits ------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: conditions on numbers (Digits.h). Out: how many digits of the variables there are with which
// all of them hold; of sums of numbers, by remainder.
//
// The states that digits lead to are found forwards, once; then, backwards, how many ways lead from
// each state to the end, by what they add to a sum.
//
// Invariant: a state is all that the digits behind it need to know: carries, what conditions found
// so far, and the guessed outcomes of choices.
//
//===----------------------------------------------------------------------===//

#include "Model/Digits.h"

#include "Model/Stages.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <map>

namespace colonnade::model {

using NumberKind = DigitNumber::Kind;
using TruthKind = DigitTruth::Kind;

static constexpr unsigned MaxStateBits = 62, MaxFreeDigits = 12, MaxOutputs = 32;

/// Builds what DigitCounts keeps.
class DigitAutomaton {
public:
  DigitAutomaton(const DigitSystem &system, llvm::ArrayRef<DigitTruthId> truths,
                 llvm::ArrayRef<DigitNumberId> outputs, uint64_t &budget)
      : system_(system), outputs_(outputs), budget_(budget), required_(truths) {}

  std::optional<DigitCounts> run();

private:
  /// A part of a state, from `low` on.
  struct Slot {
    unsigned shift;
    uint64_t mask;
    int64_t low;
    int64_t of(uint64_t state) const { return static_cast<int64_t>(state >> shift & mask) + low; }
    uint64_t with(int64_t value) const { return static_cast<uint64_t>(value - low) << shift; }
  };
  /// A number or condition that has a part of the state, or is computed from digits.
  struct Part {
    const DigitNumber *number;
    uint32_t at; // its digit
    llvm::SmallVector<std::pair<uint32_t, int64_t>, 4> terms;
    std::optional<Slot> slot;
  };
  struct Decision {
    const DigitTruth *truth;
    uint32_t at; // the number's digit
    Slot slot;
    bool isRequired; // it has to hold itself
  };

  void need(DigitNumberId id);
  void needTruth(DigitTruthId id);
  bool layOut();
  bool addSlot(int64_t low, int64_t high, Slot &slot);
  void addPart(DigitNumberId id);
  bool isAccepted(uint64_t state) const;
  bool holds(DigitTruthId id, uint64_t state) const;
  static bool isTried(const Part &part, unsigned position) {
    return part.number->kind == NumberKind::Variable && position < part.number->width;
  }
  bool digitOf(const Part &part, uint64_t state, unsigned position, uint64_t &next) const;
  bool step(uint64_t state, unsigned position, uint32_t tried, uint64_t &next);
  std::optional<uint64_t> decided(const Decision &of, uint64_t state, unsigned position) const;
  bool advance(DigitCounts::Position &to, unsigned position);
  uint32_t outputDigits() const;

  const DigitSystem &system_;
  llvm::ArrayRef<DigitNumberId> outputs_;
  uint64_t &budget_;
  llvm::SmallVector<DigitTruthId, 8> required_;
  std::vector<bool> isNeeded_; // by number
  std::map<DigitTruthId, Slot> guesses_, found_;
  std::vector<Part> parts_; // by what they need
  std::vector<Decision> decisions_;
  std::vector<uint8_t> digits_; // by number, in this step
  unsigned stateBits_ = 0, length_ = 1;
  std::vector<uint64_t> states_; // of the position
};

void DigitAutomaton::need(DigitNumberId id) {
  if (isNeeded_[id])
    return;
  isNeeded_[id] = true;
  const DigitNumber &of = system_.number(id);
  for (const DigitNumber::Term &term : of.terms)
    need(term.first);
  if (of.given && !llvm::is_contained(required_, *of.given))
    required_.push_back(*of.given);
  if (of.kind == NumberKind::Choice) {
    guesses_.try_emplace(of.truth);
    needTruth(of.truth);
  }
}

void DigitAutomaton::needTruth(DigitTruthId id) {
  const DigitTruth &of = system_.truth(id);
  switch (of.kind) {
  case TruthKind::Constant:
    return;
  case TruthKind::Negative:
  case TruthKind::Zero:
  case TruthKind::Within:
    found_.try_emplace(id);
    return need(of.number);
  case TruthKind::And:
  case TruthKind::Same:
    needTruth(of.second);
    [[fallthrough]];
  case TruthKind::Not:
    return needTruth(of.first);
  }
}

bool DigitAutomaton::addSlot(int64_t low, int64_t high, Slot &slot) {
  const auto width = static_cast<unsigned>(llvm::bit_width(static_cast<uint64_t>(high - low)));
  slot = {stateBits_, (uint64_t(1) << width) - 1, low};
  stateBits_ += width;
  return stateBits_ <= MaxStateBits;
}

void DigitAutomaton::addPart(DigitNumberId id) {
  const DigitNumber &of = system_.number(id);
  const ValueRange reach = of.reach;
  length_ = std::max({length_, of.width + 1,
                      unsigned(llvm::bit_width(uint64_t(std::max(reach.high, ~reach.low)))) + 1});
  parts_.push_back({&of, id, {of.terms.begin(), of.terms.end()}, std::nullopt});
}

/// Which part of a state is whose, and how many digits there are.
bool DigitAutomaton::layOut() {
  for (DigitNumberId id = 0; id < isNeeded_.size(); ++id)
    if (isNeeded_[id])
      addPart(id);
  for (Part &part : parts_) {
    if (part.number->kind != NumberKind::Sum || part.terms.empty())
      continue;
    int64_t low = 0, high = 0; // of carries
    for (const auto &term : part.terms)
      (term.second < 0 ? low : high) += term.second;
    if (high - low > int64_t(1) << 24 || !addSlot(low, high, part.slot.emplace()))
      return false;
  }
  for (auto &[id, slot] : guesses_)
    if (!addSlot(0, 1, slot))
      return false;
  for (auto &[id, slot] : found_) {
    if (!addSlot(0, 1, slot))
      return false;
    const DigitTruth &of = system_.truth(id);
    decisions_.push_back({&of, of.number, slot, llvm::is_contained(required_, id)});
  }
  return length_ < 63;
}

/// What a condition has found behind this position. nullopt: it does not hold, and has to.
std::optional<uint64_t> DigitAutomaton::decided(const Decision &of, uint64_t state,
                                                unsigned position) const {
  const bool digit = digits_[of.at];
  switch (of.truth->kind) {
  case TruthKind::Negative:
    return digit && position + 1 == length_;
  case TruthKind::Zero: // whether it is not
    if (digit && of.isRequired)
      return std::nullopt;
    return of.slot.of(state) != 0 || digit;
  default: { // whether it is less than the size, in its digits so far
    const int64_t size = of.truth->size;
    const auto width = static_cast<unsigned>(llvm::bit_width(static_cast<uint64_t>(size - 1)));
    if (position >= width)
      return digit ? std::nullopt : std::optional<uint64_t>(0);
    const bool ofSize = size >> position & 1;
    const bool isLess = digit == ofSize ? of.slot.of(state) != 0 : ofSize;
    if (position + 1 < width)
      return isLess;
    const bool isOfPower = llvm::has_single_bit(static_cast<uint64_t>(size)); // all digits will do
    return isLess || isOfPower ? std::optional<uint64_t>(0) : std::nullopt;
  }
  }
}

/// A number's digit; a sum's carry goes to the next state.
bool DigitAutomaton::digitOf(const Part &part, uint64_t state, unsigned position,
                             uint64_t &next) const {
  const DigitNumber &of = *part.number;
  const auto termDigit = [&](size_t term) { return digits_[part.terms[term].first] != 0; };
  switch (of.kind) {
  case NumberKind::Variable:
    return false; // tried
  case NumberKind::Sum: {
    int64_t sum = of.base >> position & 1;
    if (part.slot) {
      sum += part.slot->of(state);
      for (auto [term, factor] : part.terms)
        sum += digits_[term] ? factor : 0;
      next |= part.slot->with(sum >> 1);
    }
    return sum & 1;
  }
  case NumberKind::And:
    return termDigit(0) && termDigit(1);
  case NumberKind::Or:
    return termDigit(0) || termDigit(1);
  case NumberKind::Xor:
    return termDigit(0) != termDigit(1);
  case NumberKind::Low:
    return position < of.width && termDigit(0);
  case NumberKind::Choice:
    return termDigit(guesses_.at(of.truth).of(state) ? 0 : 1);
  }
  return false;
}

/// False: nothing that is counted is behind it.
bool DigitAutomaton::step(uint64_t state, unsigned position, uint32_t tried, uint64_t &next) {
  next = 0;
  for (const auto &[id, slot] : guesses_)
    next |= slot.with(slot.of(state));
  for (const Part &part : parts_)
    if (isTried(part, position)) {
      digits_[part.at] = tried & 1;
      tried >>= 1;
    } else {
      digits_[part.at] = digitOf(part, state, position, next);
    }
  for (const Decision &decision : decisions_) {
    const std::optional<uint64_t> found = decided(decision, state, position);
    if (!found)
      return false;
    next |= *found << decision.slot.shift;
  }
  return true;
}

uint32_t DigitAutomaton::outputDigits() const {
  uint32_t all = 0;
  for (size_t output = 0; output < outputs_.size(); ++output)
    all |= uint32_t(digits_[outputs_[output]]) << output;
  return all;
}

bool DigitAutomaton::advance(DigitCounts::Position &to, unsigned position) {
  const auto free = static_cast<unsigned>(
      llvm::count_if(parts_, [&](const Part &part) { return isTried(part, position); }));
  if (free > MaxFreeDigits)
    return false;
  llvm::DenseMap<uint64_t, uint32_t> numberOf;
  std::vector<uint64_t> states;
  for (uint64_t state : states_) {
    to.firstStep.push_back(static_cast<uint32_t>(to.steps.size()));
    if (budget_ < uint64_t(1) << free)
      return false;
    budget_ -= uint64_t(1) << free;
    for (uint32_t digits = 0; digits >> free == 0; ++digits) {
      uint64_t next;
      if (!step(state, position, digits, next))
        continue;
      const auto [found, isNew] = numberOf.try_emplace(next, static_cast<uint32_t>(states.size()));
      if (isNew)
        states.push_back(next);
      to.steps.push_back({found->second, outputDigits()});
    }
  }
  to.firstStep.push_back(static_cast<uint32_t>(to.steps.size()));
  states_ = std::move(states);
  return true;
}

bool DigitAutomaton::holds(DigitTruthId id, uint64_t state) const {
  const DigitTruth &of = system_.truth(id);
  switch (of.kind) {
  case TruthKind::Constant:
    return of.size != 0;
  case TruthKind::Negative:
    return found_.at(id).of(state) != 0;
  case TruthKind::Zero:
    return found_.at(id).of(state) == 0;
  case TruthKind::Within: // else the state would not be
    return true;
  case TruthKind::Not:
    return !holds(of.first, state);
  case TruthKind::And:
    return holds(of.first, state) && holds(of.second, state);
  case TruthKind::Same:
    return holds(of.first, state) == holds(of.second, state);
  }
  return false;
}

bool DigitAutomaton::isAccepted(uint64_t state) const {
  return llvm::all_of(required_, [&](DigitTruthId id) { return holds(id, state); }) &&
         llvm::all_of(guesses_, [&](const auto &guess) {
           return (guess.second.of(state) != 0) == holds(guess.first, state);
         });
}

std::optional<DigitCounts> DigitAutomaton::run() {
  isNeeded_.resize(system_.numbers());
  digits_.resize(system_.numbers());
  for (DigitNumberId output : outputs_)
    need(output);
  for (size_t next = 0; next < required_.size(); ++next) { // it may become longer
    const DigitTruth &of = system_.truth(required_[next]);
    if (of.kind == TruthKind::And)
      required_.append({of.first, of.second});
    needTruth(required_[next]);
  }
  if (outputs_.size() > MaxOutputs || !layOut() || guesses_.size() > MaxFreeDigits)
    return std::nullopt;
  states_ = {0};
  for (auto &[id, slot] : guesses_)
    for (size_t known = 0, size = states_.size(); known < size; ++known)
      states_.push_back(states_[known] | slot.with(1));
  for (uint64_t &state : states_) // carries are 0 at first
    for (const Part &part : parts_)
      state |= part.slot ? part.slot->with(0) : 0;
  DigitCounts counts;
  counts.outputs_.assign(outputs_.begin(), outputs_.end());
  counts.firstStates_ = static_cast<uint32_t>(states_.size());
  for (unsigned position = 0; position < length_; ++position)
    if (!advance(counts.positions_.emplace_back(), position))
      return std::nullopt;
  for (uint64_t state : states_)
    counts.isAccepted_.push_back(isAccepted(state));
  return counts;
}

std::optional<DigitCounts> DigitCounts::of(const DigitSystem &system,
                                           llvm::ArrayRef<DigitTruthId> truths,
                                           llvm::ArrayRef<DigitNumberId> outputs,
                                           uint64_t &budget) {
  return DigitAutomaton(system, truths, outputs, budget).run();
}

/// What leads from a position's states to the end, by what it adds to the sum divided by
/// 2^position, modulo `modulus`; behind it are `behind`, modulo `modulusBehind`.
std::vector<uint64_t> DigitCounts::ways(const Position &at, llvm::ArrayRef<int64_t> factors,
                                        int64_t modulus, llvm::ArrayRef<uint64_t> behind,
                                        int64_t modulusBehind) {
  const auto size = static_cast<size_t>(modulus), sizeBehind = static_cast<size_t>(modulusBehind);
  std::vector<uint64_t> ways((at.firstStep.size() - 1) * size);
  for (size_t state = 0; state + 1 < at.firstStep.size(); ++state)
    for (uint32_t s = at.firstStep[state]; s < at.firstStep[state + 1]; ++s) {
      const Step &step = at.steps[s];
      int64_t sum = 0;
      if (modulus > 1)
        for (size_t output = 0; output < factors.size(); ++output)
          sum += step.outputs >> output & 1 ? factors[output] % modulus : 0;
      auto residue = static_cast<size_t>(floorRemainder(sum, modulus));
      for (size_t other = 0; other < sizeBehind; ++other, residue += 2)
        ways[state * size + residue % size] += behind[step.to * sizeBehind + other];
    }
  return ways;
}

/// While the period is even, what is left of it is halved at each position.
std::vector<uint64_t> DigitCounts::residues(int64_t base, llvm::ArrayRef<DigitNumber::Term> terms,
                                            uint64_t period) const {
  std::vector<int64_t> factors(outputs_.size());
  for (auto [of, factor] : terms)
    factors[static_cast<size_t>(llvm::find(outputs_, of) - outputs_.begin())] += factor;
  std::vector<int64_t> moduli = {static_cast<int64_t>(period)};
  for (size_t position = 0; position < positions_.size(); ++position)
    moduli.push_back(moduli.back() % 2 == 0 ? moduli.back() / 2 : moduli.back());
  std::vector<uint64_t> ways(isAccepted_.size() * static_cast<size_t>(moduli.back()));
  for (size_t state = 0; state < isAccepted_.size(); ++state)
    ways[state * static_cast<size_t>(moduli.back())] = isAccepted_[state];
  for (int64_t &factor : factors) // the last digit is the sign
    factor = -factor;
  for (size_t position = positions_.size(); position-- > 0;) {
    ways = DigitCounts::ways(positions_[position], factors, moduli[position], ways,
                             moduli[position + 1]);
    if (position + 1 == positions_.size())
      for (int64_t &factor : factors)
        factor = -factor;
  }
  std::vector<uint64_t> all(period);
  const auto first = static_cast<uint64_t>(floorRemainder(base, static_cast<int64_t>(period)));
  for (uint32_t state = 0; state < firstStates_; ++state)
    for (uint64_t residue = 0; residue < period; ++residue)
      all[(first + residue) % period] += ways[state * period + residue];
  return all;
}

} // namespace colonnade::model
