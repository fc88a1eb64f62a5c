//===- Witness.cpp - Two inputs whose addresses differ --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/Witness.h"

#include "Emit/Cxx/Interface.h"

#include <chrono>
#include <deque>

namespace colonnade::record {
namespace {

constexpr uint64_t MaxInterpretedSteps = 2'000'000;
constexpr unsigned InputsOfGroup = 24;
constexpr unsigned SharesOfLong = 50;         // of the time, for an input that may not end
constexpr size_t MaxComparedSteps = 1u << 18; // of one input

/// Where a step stands, and how often that was come to under the same name before.
struct StepKey {
  uint32_t site;
  uint64_t name;
  uint32_t repetition;
  friend auto operator<=>(const StepKey &, const StepKey &) = default;
};

/// Steps of all inputs of a group, each as the first input that had it.
class Group {
public:
  explicit Group(const WitnessSubject &subject) : subject_(subject) {}

  /// nullopt: it is like the others.
  std::optional<Witness> add(Instance input, const Recording &recording) {
    inputs_.push_back(std::move(input));
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> repetitions;
    std::map<StepKey, Seen> heads;
    for (auto [rank, step] :
         llvm::enumerate(llvm::ArrayRef(recording.steps).take_front(MaxComparedSteps))) {
      if (step.iteration) { // the last one tells how many there are
        heads[{step.site, step.name, 0}] = {inputs_.size() - 1, rank, step};
        continue;
      }
      const StepKey key{step.site, step.name, repetitions[{step.site, step.name}]++};
      auto [seen, isNew] = seen_.try_emplace(key, Seen{inputs_.size() - 1, rank, step});
      if (!isNew &&
          !(seen->second.step.cells == step.cells && seen->second.step.objects == step.objects))
        return witness(seen->second, {inputs_.size() - 1, rank, step}, false);
    }
    if (recording.end == RunEnd::Returned && recording.steps.size() <= MaxComparedSteps)
      for (const auto &[key, head] : heads)
        if (std::optional<Witness> found = addHead(key, head))
          return found;
    return std::nullopt;
  }

private:
  struct Seen {
    size_t input, rank;
    RecordedStep step;
  };

  std::optional<Witness> addHead(const StepKey &key, const Seen &head) {
    auto [seen, isNew] = heads_.try_emplace(key, head);
    if (isNew || seen->second.step.iteration == head.step.iteration || !isWanted(head.step.site))
      return std::nullopt;
    return witness(seen->second, head, true);
  }

  /// One of the loops that are refused for their number of iterations?
  bool isWanted(uint32_t index) const {
    const Site &site = subject_.recorder.site(index);
    return llvm::any_of(subject_.loops, [&](const Site &loop) {
      return loop.line == site.line && loop.column == site.column &&
             llvm::StringRef(site.file).ends_with(loop.file);
    });
  }

  Witness witness(const Seen &a, const Seen &b, bool isLoop) const {
    Witness found;
    found.site = b.step.site;
    found.isLoop = isLoop;
    found.first = {inputs_[a.input], a.rank, text(a.step)};
    found.second = {inputs_[b.input], b.rank, text(b.step)};
    return found;
  }

  std::string text(const RecordedStep &step) const {
    if (step.iteration)
      return std::to_string(step.iteration);
    std::string text;
    auto add = [&](bool isStore, const std::string &name, int64_t index) {
      text += (text.empty() ? "" : ", ") + std::string(isStore ? "store " : "load ") + name + "[" +
              std::to_string(index) + "]";
    };
    for (const RecordedCell &cell : step.cells)
      add(cell.isStore, subject_.arrays.names()[cell.array], cell.cell);
    for (const RecordedObject &object : step.objects) {
      const ObjectInfo &info = subject_.recorder.object(object.id);
      const uint64_t bytes = std::max<uint64_t>(info.elementBytes, 1);
      add(object.isStore, info.name, static_cast<int64_t>(object.offset / bytes));
      if (const uint64_t within = object.offset % bytes) // of a struct
        text += " + " + std::to_string(within) + " bytes";
    }
    return text;
  }

  const WitnessSubject &subject_;
  std::deque<Instance> inputs_;
  std::map<StepKey, Seen> seen_, heads_;
};

class Search {
public:
  Search(const WitnessSubject &subject, const GivenInputs &given, const WitnessOptions &options)
      : subject_(subject), given_(given), options_(options) {}

  llvm::Expected<WitnessSearch> run() {
    for (uint64_t number = 0; !isOver(); ++number)
      if (llvm::Error error = searchGroup(number))
        return error;
    return std::move(result_);
  }

private:
  using Clock = std::chrono::steady_clock;
  enum class Interpreted : uint8_t { Defined, Undefined, Long };

  double secondsLeft() const {
    return options_.seconds - std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  bool isOver() const { return result_.witness || secondsLeft() <= 0; }

  /// One base, then others: drawn anew, or with one cell changed.
  llvm::Error searchGroup(uint64_t number) {
    const uint64_t seed = mixed(options_.seed, number);
    Group group(subject_);
    std::variant<Instance, Outcome> drawn =
        drawInstance(subject_.canonical, given_, Temper(number % 3), seed, options_.unknownCells);
    Instance *const base = std::get_if<Instance>(&drawn);
    if (!base)
      return llvm::Error::success();
    if (given_.fill)
      if (llvm::Error error = given_.fill(base->scalars, *base))
        return error;
    for (unsigned i = 0; i < InputsOfGroup && !isOver(); ++i) {
      Instance input = i == 0 ? *base : varied(*base, mixed(seed, 7000 + i), i % 2 == 0);
      const Interpreted interpreted = interpret(input);
      if (interpreted == Interpreted::Undefined)
        continue;
      RunInput run{input.cells, {}};
      for (const ir::Scalar &scalar : input.scalars)
        run.scalars.push_back(scalar.bits);
      Limits limits; // what does not end by itself is not worth the time of many others
      if (interpreted == Interpreted::Long)
        limits.seconds = std::min(limits.seconds, options_.seconds / SharesOfLong);
      limits.seconds = std::max(0.05, std::min(limits.seconds, secondsLeft()));
      auto recording = subject_.recorder.run(subject_.caller, run, limits);
      if (!recording)
        return recording.takeError();
      ++result_.numInputs;
      result_.witness = group.add(std::move(input), *recording);
    }
    return llvm::Error::success();
  }

  /// What is uniform stays.
  Instance varied(const Instance &base, uint64_t seed, bool oneCell) const {
    Instance input = base;
    const auto arrays = interfaceOf(subject_.canonical).arrays;
    const auto temper = Temper(seed % 3);
    std::vector<size_t> mayVary;
    for (size_t a = 0; a < arrays.size(); ++a)
      if (!arrays[a].uniform && !input.cells[a].empty())
        mayVary.push_back(a);
    if (mayVary.empty())
      return input;
    auto draw = [&](size_t a, size_t i) {
      input.cells[a][i] =
          randomBits(subject_.arrays.cellTypes()[a], temper, mixed(mixed(seed, a), i));
    };
    if (oneCell) {
      const size_t a = mayVary[mixed(seed, 1) % mayVary.size()];
      draw(a, mixed(seed, 2) % input.cells[a].size());
      return input;
    }
    for (size_t a : mayVary)
      for (size_t i = 0; i < input.cells[a].size(); ++i)
        draw(a, i);
    return input;
  }

  /// Constructs outside the subset are not interpreted, so nothing is known of them.
  Interpreted interpret(const Instance &input) const {
    std::vector<ir::ArrayData> data(subject_.unreduced.arrays.size());
    for (auto [i, array] : llvm::enumerate(subject_.unreduced.arrays))
      if (auto found = llvm::find(subject_.arrays.names(), array.name);
          array.isPassed() && found != subject_.arrays.names().end())
        data[i].cells = input.cells[found - subject_.arrays.names().begin()];
    ir::InterpreterOptions options;
    options.maxSteps = MaxInterpretedSteps;
    Interpreted result = Interpreted::Defined;
    llvm::handleAllErrors(
        ir::interpret(subject_.module, subject_.unreduced, data, input.scalars, options),
        [&](const ir::InterpreterError &error) {
          using Kind = ir::InterpreterError::Kind;
          if (error.kind == Kind::Undefined || error.kind == Kind::Check)
            result = Interpreted::Undefined;
          if (error.kind == Kind::StepLimit || error.kind == Kind::TooLarge)
            result = Interpreted::Long;
        },
        [](const llvm::ErrorInfoBase &) {});
    return result;
  }

  const WitnessSubject &subject_;
  const GivenInputs &given_;
  const WitnessOptions &options_;
  const Clock::time_point begin_ = Clock::now();
  WitnessSearch result_;
};

} // namespace

llvm::Expected<WitnessSearch> findWitness(const WitnessSubject &subject, const GivenInputs &given,
                                          const WitnessOptions &options) {
  return Search(subject, given, options).run();
}

} // namespace colonnade::record
