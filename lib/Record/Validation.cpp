//===- Validation.cpp - A certificate against the original ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/Validation.h"

#include "Emit/Cxx/Interface.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>

namespace colonnade::record {
namespace {

constexpr uint64_t MaxSteps = 20'000'000;  // of one interpretation
constexpr int64_t MaxArrayCells = 1 << 20; // of one array

bool sameCell(ir::ScalarType type, uint64_t a, uint64_t b) {
  if (a == b || !ir::isFloat(type))
    return a == b;
  return std::isnan(ir::asDouble({type, a})) && std::isnan(ir::asDouble({type, b}));
}

class InstanceValidation {
public:
  using OnAccess = std::function<void(const ir::AccessEvent &)>;

  InstanceValidation(const ValidationSubject &subject, const TracedArrays &arrays,
                     const Instance &instance, const OnAccess &onAccess)
      : subject_(subject), arrays_(arrays), instance_(instance), onAccess_(onAccess) {}

  llvm::Expected<InstanceResult> run(const Limits &limits) {
    Outputs after, unreduced, ignored;
    NamedTrace interpreted, certified;
    if (!interpretInto(subject_.unreduced, /*uniformOnly=*/false, nullptr, unreduced) ||
        !interpretInto(subject_.canonical, /*uniformOnly=*/false, &interpreted, after) ||
        !interpretInto(subject_.verdict.certificate, /*uniformOnly=*/true, &certified, ignored))
      return std::move(result_);
    if (!sameCells(unreduced.cells, "with unused results", after, "without them"))
      return std::move(result_);
    RunInput input{instance_.cells, {}};
    for (const ir::Scalar &scalar : instance_.scalars)
      input.scalars.push_back(scalar.bits);
    llvm::Expected<Recording> recording = subject_.recorder.run(subject_.caller, input, limits);
    if (!recording)
      return recording.takeError();
    compare(*recording, interpreted, certified, after);
    return std::move(result_);
  }

private:
  using Cells = std::vector<std::vector<uint64_t>>; // by array of the interface
  struct Outputs {
    Cells cells;
    std::vector<std::vector<bool>> indeterminate; // likewise; empty: none of the array is
  };

  void compare(const Recording &recording, const NamedTrace &interpreted,
               const NamedTrace &certified, Outputs &after) {
    if (recording.end == RunEnd::TooLong) {
      result_.outcome = Outcome::TooLong;
      result_.reason = "more accesses than a recording holds";
      return;
    }
    if (auto difference = compareTraces(arrays_, subject_.verdict.verdict, interpreted, certified,
                                        &recording.steps))
      return differ(std::move(*difference));
    if (recording.end != RunEnd::Returned)
      return differ({howItEnded(recording), {}, lastSite(recording)});
    if (!sameCells(recording.after, "in the end", after, "interpreted"))
      return;
    result_.numAccesses = interpreted.accesses.size();
    result_.after = recording.after;
    result_.indeterminate = std::move(after.indeterminate);
  }

  /// False: the outcome is known. Cells to which the function leaves no determinate value may
  /// hold anything.
  bool sameCells(const Cells &ours, const char *what, const Outputs &theirs, const char *other) {
    for (uint32_t a = 0; a < theirs.cells.size(); ++a)
      for (size_t i = 0; i < theirs.cells[a].size(); ++i) {
        const ir::ScalarType type = arrays_.cellTypes()[a];
        if ((!theirs.indeterminate[a].empty() && theirs.indeterminate[a][i]) ||
            sameCell(type, theirs.cells[a][i], ours[a][i]))
          continue;
        differ({arrays_.names()[a] + "[" + std::to_string(i) + "] is " +
                    ir::str({type, ours[a][i]}) + " " + what + ", " + other + " " +
                    ir::str({type, theirs.cells[a][i]}),
                {},
                {}});
        return false;
      }
    return true;
  }

  static std::string howItEnded(const Recording &recording) {
    if (recording.end == RunEnd::TooSlow)
      return "the original does not end in time";
    if (recording.end == RunEnd::Left)
      return "the original ends the process";
    return std::string("the original crashes (") + ::strsignal(recording.signal) + ")";
  }

  static std::optional<uint32_t> lastSite(const Recording &recording) {
    return recording.steps.empty() ? std::nullopt : std::optional(recording.steps.back().site);
  }

  void differ(TraceDifference difference) {
    result_.outcome = Outcome::Differed;
    result_.difference = std::move(difference);
  }

  /// False: the outcome is known. Afterwards, `after` holds the cells by array of the interface.
  bool interpretInto(const ir::Function &function, bool uniformOnly, NamedTrace *trace,
                     Outputs &after) {
    std::vector<ir::ArrayData> data(function.arrays.size());
    for (auto [i, array] : llvm::enumerate(function.arrays)) {
      auto position =
          array.isPassed() ? llvm::find(arrays_.names(), array.name) : arrays_.names().end();
      if (position == arrays_.names().end())
        continue;
      data[i].cells = instance_.cells[position - arrays_.names().begin()];
      if (uniformOnly && array.sharing == ir::Sharing::Instance)
        data[i].cells.assign(data[i].cells.size(), 0);
    }
    TraceCollector collector(arrays_, function);
    ir::InterpreterOptions options;
    options.maxSteps = MaxSteps;
    if (trace)
      options.onAccess = [&](const ir::AccessEvent &event) {
        collector.add(event);
        if (onAccess_ && &function == &subject_.canonical)
          onAccess_(event);
      };
    if (llvm::Error error =
            ir::interpret(subject_.module, function, data, instance_.scalars, options)) {
      fail(std::move(error), uniformOnly);
      return false;
    }
    if (trace)
      *trace = collector.trace();
    collectCells(function, data, after);
    return true;
  }

  void collectCells(const ir::Function &function, std::vector<ir::ArrayData> &data,
                    Outputs &after) const {
    after = {instance_.cells, std::vector<std::vector<bool>>(instance_.cells.size())};
    for (auto [i, array] : llvm::enumerate(function.arrays)) {
      auto position = llvm::find(arrays_.names(), array.name);
      if (!array.isPassed() || position == arrays_.names().end())
        continue;
      const size_t a = position - arrays_.names().begin();
      after.cells[a] = std::move(data[i].cells);
      after.indeterminate[a] = std::move(data[i].initialised);
      after.indeterminate[a].flip();
    }
  }

  /// A certificate has no undefined behaviour where the function has none. Checks may fail: at
  /// these sizes nothing is launched.
  void fail(llvm::Error error, bool isCertificate) {
    result_.outcome = Outcome::Undefined;
    llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
      result_.reason = info.message();
      const auto *own = info.isA<ir::InterpreterError>()
                            ? static_cast<const ir::InterpreterError *>(&info)
                            : nullptr;
      using Kind = ir::InterpreterError::Kind;
      if (own && (own->kind == Kind::StepLimit || own->kind == Kind::TooLarge))
        result_.outcome = Outcome::TooLong;
      else if (!own || own->kind == Kind::Unsupported ||
               (isCertificate && own->kind != Kind::Check))
        differ({"the " + std::string(isCertificate ? "certificate" : "function") +
                    " cannot be interpreted: " + info.message(),
                {},
                {}});
    });
  }

  const ValidationSubject &subject_;
  const TracedArrays &arrays_;
  const Instance &instance_;
  const OnAccess &onAccess_;
  InstanceResult result_;
};

/// Sizes and steps that are not given: small, so that extents fit each other by chance.
ir::Scalar drawScalar(ir::ScalarType type, Temper temper, uint64_t seed) {
  static constexpr uint64_t Sizes[] = {1, 2, 3, 4, 5, 6, 7, 8};
  if (ir::isFloat(type) || type == ir::ScalarType::Bool)
    return {type, randomBits(type, temper, seed)};
  return {type, Sizes[mixed(seed, 0) % std::size(Sizes)]};
}

} // namespace

llvm::Expected<InstanceResult>
validateInstance(const ValidationSubject &subject, const TracedArrays &arrays,
                 const Instance &instance, const Limits &limits,
                 const std::function<void(const ir::AccessEvent &)> &onAccess) {
  return InstanceValidation(subject, arrays, instance, onAccess).run(limits);
}

std::vector<std::string> indexArrays(const Verdict &verdict) {
  const ir::Function &certificate = verdict.certificate;
  std::vector<bool> isUsed(certificate.values.size());
  for (const ir::Op &op : certificate.ops)
    for (ValueId operand : op.operands)
      isUsed[operand.index] = true;
  std::set<std::string> names;
  for (const ir::Op &op : certificate.ops)
    if (op.opcode == ir::Opcode::Load && isUsed[op.results.front().index]) {
      const ir::Array &array = certificate.array(op.array);
      if (array.isPassed() && array.sharing == ir::Sharing::Uniform)
        names.insert(array.name);
    }
  return {names.begin(), names.end()};
}

std::variant<Instance, Outcome> drawInstance(const ir::Function &canonical,
                                             const GivenInputs &given, Temper temper, uint64_t seed,
                                             int64_t unknownCells) {
  Instance instance;
  for (auto [i, scalar] : llvm::enumerate(canonical.scalars))
    instance.scalars.push_back(given.scalars[i] ? *given.scalars[i]
                                                : drawScalar(canonical.value(scalar.value).type,
                                                             temper, mixed(seed, 1000 + i)));
  for (const InterfaceArray &passed : interfaceOf(canonical).arrays) {
    const ir::Array &array = canonical.array(passed.array);
    auto extents = ir::concreteExtents(canonical, array, instance.scalars);
    int64_t cells = extents ? 1 : unknownCells;
    for (int64_t extent : extents ? *extents : std::vector<int64_t>()) {
      if (extent < 0)
        return Outcome::Undefined;
      if (__builtin_mul_overflow(cells, extent, &cells) || cells > MaxArrayCells)
        return Outcome::TooLong;
    }
    if (!extents)
      llvm::consumeError(extents.takeError());
    if (cells < 0)
      return Outcome::Undefined;
    const uint64_t own = mixed(seed, instance.cells.size());
    std::vector<uint64_t> bits(static_cast<size_t>(cells));
    for (size_t i = 0; i < bits.size(); ++i)
      bits[i] = randomBits(array.cell, temper, mixed(own, i));
    instance.cells.push_back(std::move(bits));
  }
  return instance;
}

/// Counts an input with which nothing is compared.
static void discard(ValidationResult &result, Outcome outcome) {
  result.numUndefined += outcome == Outcome::Undefined;
  result.numTooLong += outcome == Outcome::TooLong;
}

llvm::Expected<ValidationResult> validate(const ValidationSubject &subject,
                                          const TracedArrays &arrays, const GivenInputs &given,
                                          const ValidationOptions &options) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  ValidationResult result;
  for (unsigned draw = 0; draw < options.maxDraws && result.numInputs < options.numInputs; ++draw) {
    if (std::chrono::duration<double>(Clock::now() - begin).count() > options.seconds)
      break;
    auto drawn =
        drawInstance(subject.canonical, given, Temper(draw % 3), mixed(options.seed, draw));
    if (const Outcome *none = std::get_if<Outcome>(&drawn)) {
      discard(result, *none);
      continue;
    }
    Instance *const instance = &std::get<Instance>(drawn);
    if (given.fill)
      if (llvm::Error error = given.fill(instance->scalars, *instance))
        return error;
    auto one = validateInstance(subject, arrays, *instance, options.limits);
    if (!one)
      return one.takeError();
    discard(result, one->outcome);
    if (one->outcome == Outcome::Agreed) {
      ++result.numInputs;
      result.numAccesses += one->numAccesses;
    }
    if (one->outcome == Outcome::Differed) {
      result.difference = std::move(one->difference);
      result.differing = std::move(*instance);
      break;
    }
  }
  return result;
}

} // namespace colonnade::record
