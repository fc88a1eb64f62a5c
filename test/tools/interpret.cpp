//===- interpret.cpp - Checks the interpreter against a job file ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// colonnade-interpret JOBS.json FILE... [options] [-- CLANG-FLAGS]
//
// Lowers, normalises and verifies every entry of JOBS.json, runs the interpreter
// on its instances, and compares outputs with the sequential ones. The kernels of
// all back ends run on one lane and must give the same outputs. One line a failure;
// then one line of JSON with the classes and how often each IR operation occurred.
//
// --record: the original sources are recorded, too (lib/Record): the same outputs, and
// a trace that agrees with the interpreter's and the certificate's.
// --expect-rejected: every entry must be refused, and if it is recorded, two of its
// instances must really differ in their traces.
// --certificates=FILE: writes the certificate of each accepted entry and the interpreter's
// traces, a line of JSON each, which certificates.py compares once more by itself.
//
//===----------------------------------------------------------------------===//

#include "Driver/RecordedOriginals.h"
#include "Emit/BackEnds.h"
#include "Frontend/Frontend.h"
#include "IR/Printer.h"
#include "Job.h"
#include "Normalize/Normalize.h"
#include "Oblivious/ProvenChecks.h"
#include "Record/Validation.h"
#include "Transform/Calls/KeepCalls.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace colonnade;

namespace {

struct Tally {
  std::map<std::string, uint64_t> operations;
  std::map<std::string, uint64_t> classes;
  unsigned failures = 0;
  uint64_t recorded = 0; // runs
};

/// An entry after the verdict; its job's outputs are filled in if they were not given.
struct Subject {
  Job &job;
  CheckedFunction checked;
  ir::Function unreduced;
};

/// A recorder and the position of the entry in it; or neither.
struct Recorded {
  RecordedOriginals *originals = nullptr;
  size_t index = 0;
};

class EntryCheck {
public:
  EntryCheck(const ir::Module &module, Subject &subject, Recorded recorded, Tally &tally,
             llvm::raw_ostream &certificates)
      : module_(module), subject_(subject), job_(subject.job), recorded_(recorded), tally_(tally),
        certificates_(certificates) {}

  void run(bool expectRejected) {
    const Verdict &verdict = subject_.checked.verdict;
    const bool accepted = verdict.verdict <= VerdictClass::P;
    if (expectRejected)
      return accepted ? fail("wrongly accepted") : checkThatTracesDiffer();
    if (!accepted)
      return failWithFindings(verdict);
    const ir::Function &function = subject_.checked.canonical;
    // As they are, and as they would be if each call were kept.
    constexpr CallLimits AllCalls = {.operations = 0, .leastOperations = 2, .callOperations = 0};
    std::vector<ir::Function> kernels;
    for (const BackEnd &backEnd : backEnds())
      for (ir::Function &kernel : backEnd.lower(module_, function, verdict)) {
        kernels.push_back(keepCalls(kernel, module_, AllCalls));
        if (kernels.back().parts.empty())
          kernels.back() = std::move(kernel);
        else
          kernels.push_back(std::move(kernel));
      }
    for (const ir::Function &kernel : kernels)
      if (llvm::Error error = ir::verify(module_, kernel))
        return fail("kernel IR: " + llvm::toString(std::move(error)));
    for (size_t i = 0; i < job_.instances.size(); i++)
      if (!(recorded_.originals ? checkRecorded(i) : checkGiven(i)) || !checkKernels(kernels, i))
        return;
    writeCertificate(verdict);
  }

private:
  static llvm::json::Object countsJson(const AccessCounts &counts) {
    llvm::json::Object kinds;
    for (size_t kind = 1; kind < NumAccessKinds; ++kind) // but all of them
      kinds[name(AccessKind(kind))] = counts[kind].str();
    return kinds;
  }

  void writeCertificate(const Verdict &verdict) {
    std::string certificate;
    llvm::raw_string_ostream text(certificate);
    ir::print(text, module_, verdict.certificate);
    llvm::json::Object scalars;
    for (const auto &[name, bits] : job_.scalars)
      scalars[name] = bits;
    certificates_ << llvm::json::Value(
                         llvm::json::Object{{"name", job_.name},
                                            {"class", std::string(1, letter(verdict.verdict))},
                                            {"certificate", certificate},
                                            {"accesses", verdict.accesses().str()},
                                            {"accesses_by_kind", countsJson(verdict.counts)},
                                            {"scalars", std::move(scalars)},
                                            {"runs", std::move(runs_)}})
                  << '\n';
  }

  /// What the checker needs of one run: contents of uniform arrays, and the accesses.
  void noteRun(const ir::Function &function, const Cells &before, llvm::json::Array accesses) {
    llvm::json::Object uniform;
    for (const ir::Array &array : function.arrays)
      if (auto cells = before.find(array.name);
          cells != before.end() && array.sharing == ir::Sharing::Uniform)
        uniform[array.name] = llvm::json::Array(cells->second);
    runs_.push_back(
        llvm::json::Object{{"uniform", std::move(uniform)}, {"trace", std::move(accesses)}});
  }

  void add(const ir::AccessEvent &event, llvm::json::Array &accesses) const {
    const ir::Array &array = subject_.checked.canonical.array(event.array);
    if (array.role == ir::ArrayRole::Parameter)
      accesses.push_back(llvm::json::Array{event.isStore ? "store" : "load", array.name, event.cell,
                                           event.accessId, llvm::json::Array(event.iterations)});
  }

  void fail(const std::string &message) {
    llvm::outs() << "FAIL " << job_.name << ": " << message << "\n";
    tally_.failures++;
  }

  void failWithFindings(const Verdict &verdict) {
    std::string text = std::string("rejected, class ") + letter(verdict.verdict);
    for (const Finding &finding : verdict.findings)
      if (finding.verdict > VerdictClass::P)
        text += "\n  " + module_.sources.str(finding.loc) + ": " + finding.message + " [" +
                finding.id + "]";
    fail(text);
  }

  /// The cells of an instance by array of the interface.
  record::Instance instanceFor(size_t index) const {
    record::Instance instance;
    for (const std::string &name : recorded_.originals->arrays(recorded_.index).names()) {
      auto found = job_.instances[index].before.find(name);
      instance.cells.push_back(found == job_.instances[index].before.end() ? std::vector<uint64_t>()
                                                                           : found->second);
    }
    instance.scalars = scalars(subject_.checked.canonical);
    return instance;
  }

  llvm::Expected<record::Recording> recordInstance(size_t index) {
    record::Instance instance = instanceFor(index);
    record::RunInput input{std::move(instance.cells), {}};
    for (const ir::Scalar &scalar : instance.scalars)
      input.scalars.push_back(scalar.bits);
    tally_.recorded++;
    return recorded_.originals->recorder(recorded_.index)
        .run(recorded_.originals->caller(recorded_.index), input);
  }

  void checkThatTracesDiffer() {
    if (!recorded_.originals)
      return;
    std::optional<record::Recording> first;
    for (size_t i = 0; i < job_.instances.size(); ++i) {
      llvm::Expected<record::Recording> recording = recordInstance(i);
      if (!recording)
        return fail(llvm::toString(recording.takeError()));
      const record::TracedArrays &arrays = recorded_.originals->arrays(recorded_.index);
      if (first && !record::sameSteps(arrays, first->steps, recording->steps))
        return;
      if (!first)
        first = std::move(*recording);
    }
    fail("the planted leak does not show in the recorded traces");
  }

  /// Outputs that the job gives; traces against the certificate alone.
  bool checkGiven(size_t index) {
    return checkInstance(subject_.unreduced, index, "with unused results") &&
           checkInstance(subject_.checked.canonical, index, "interpreter") &&
           checkCertificate(index);
  }

  /// The same against a recorded run. Where the job has no outputs, they are that run's.
  bool checkRecorded(size_t index) {
    const record::ValidationSubject subject{module_,
                                            subject_.checked.canonical,
                                            subject_.unreduced,
                                            subject_.checked.verdict,
                                            recorded_.originals->recorder(recorded_.index),
                                            recorded_.originals->caller(recorded_.index)};
    const record::TracedArrays &arrays = recorded_.originals->arrays(recorded_.index);
    llvm::json::Array accesses;
    auto note = [&](const ir::AccessEvent &event) { add(event, accesses); };
    auto result = record::validateInstance(subject, arrays, instanceFor(index), {}, note);
    tally_.recorded++;
    std::string text;
    if (!result)
      text = llvm::toString(result.takeError());
    else if (result->outcome == record::Outcome::Differed)
      text = result->difference.text;
    else if (result->outcome != record::Outcome::Agreed)
      text = result->reason;
    if (!text.empty()) {
      fail("recorded, instance " + std::to_string(index) + ": " + text);
      return false;
    }
    JobInstance &instance = job_.instances[index];
    noteRun(subject_.checked.canonical, instance.before, std::move(accesses));
    if (!instance.after.empty())
      return checkInstance(subject_.checked.canonical, index, "interpreter");
    for (auto [name, cells, indeterminate] :
         llvm::zip(arrays.names(), result->after, result->indeterminate)) {
      instance.after[name] = cells;
      instance.indeterminate[name] = indeterminate;
    }
    return true;
  }

  std::vector<ir::Scalar> scalars(const ir::Function &function) const {
    std::vector<ir::Scalar> values;
    for (const ir::ScalarParam &scalar : function.scalars)
      values.push_back({function.value(scalar.value).type, job_.scalars.at(scalar.name)});
    return values;
  }

  std::vector<ir::ArrayData> arrays(const ir::Function &function, const Cells &cells,
                                    bool uniformOnly) const {
    std::vector<ir::ArrayData> data(function.arrays.size());
    for (size_t a = 0; a < data.size(); a++) {
      const auto found = cells.find(function.arrays[a].name);
      if (found == cells.end() || !function.arrays[a].isPassed())
        continue;
      data[a].cells = found->second;
      if (uniformOnly && function.arrays[a].sharing == ir::Sharing::Instance)
        data[a].cells.assign(data[a].cells.size(), 0);
    }
    return data;
  }

  bool interpretInto(const ir::Function &function, std::vector<ir::ArrayData> &data,
                     const std::string &what) {
    if (llvm::Error error = ir::interpret(module_, function, data, scalars(function))) {
      fail(what + ": " + llvm::toString(std::move(error)));
      return false;
    }
    return true;
  }

  bool checkInstance(const ir::Function &function, size_t index, const std::string &what) {
    const JobInstance &instance = job_.instances[index];
    std::vector<ir::ArrayData> data = arrays(function, instance.before, false);
    if (!interpretInto(function, data, what.c_str()))
      return false;
    const std::string difference = compareOutputs(function, data, instance);
    if (!difference.empty())
      fail(what + ", instance " + std::to_string(index) + ": " + difference);
    return difference.empty();
  }

  /// Names and addresses. What is passed by value counts here, too.
  bool checkCertificate(size_t index) {
    const ir::Function &function = subject_.checked.canonical;
    const Verdict &verdict = subject_.checked.verdict;
    const record::TracedArrays traced(module_.function(subject_.checked.entry), function);
    llvm::json::Array accesses;
    bool isWell = true;
    auto traceOf = [&](const ir::Function &each, bool uniformOnly) {
      record::TraceCollector collector(traced, each);
      ir::InterpreterOptions options;
      options.onAccess = [&](const ir::AccessEvent &event) {
        collector.add(event);
        if (&each == &function)
          add(event, accesses);
      };
      std::vector<ir::ArrayData> data = arrays(each, job_.instances[index].before, uniformOnly);
      if (llvm::Error error = ir::interpret(module_, each, data, scalars(each), options)) {
        fail("certificate: " + llvm::toString(std::move(error)));
        isWell = false;
      }
      return collector.trace();
    };
    const record::NamedTrace interpreted = traceOf(function, false);
    const record::NamedTrace certified = traceOf(verdict.certificate, true);
    auto apart = record::compareTraces(traced, verdict.verdict, interpreted, certified, nullptr);
    if (apart)
      fail("instance " + std::to_string(index) + ": " + apart->text);
    noteRun(function, job_.instances[index].before, std::move(accesses));
    return isWell && !apart;
  }

  bool checkKernels(const std::vector<ir::Function> &kernels, size_t index) {
    const JobInstance &instance = job_.instances[index];
    for (const ir::Function &kernel : kernels) {
      const bool lanes = std::holds_alternative<ir::LaneShape>(*kernel.launch);
      const std::string what = std::string(lanes ? "kernel of lanes" : "kernel of threads") +
                               (kernel.parts.empty() ? "" : " that keeps calls");
      std::vector<ir::ArrayData> data = arrays(kernel, instance.before, false);
      if (!interpretInto(kernel, data, what))
        return false;
      const std::string difference = compareOutputs(kernel, data, instance);
      if (difference.empty())
        continue;
      fail(what + ", instance " + std::to_string(index) + ": " + difference);
      return false;
    }
    return true;
  }

  static bool sameCell(ir::ScalarType type, uint64_t a, uint64_t b) {
    if (a == b || !ir::isFloat(type))
      return a == b;
    return std::isnan(ir::asDouble({type, a})) && std::isnan(ir::asDouble({type, b}));
  }

  std::string compareOutputs(const ir::Function &function, const std::vector<ir::ArrayData> &data,
                             const JobInstance &instance) const {
    for (size_t a = 0; a < data.size(); a++) {
      const ir::Array &array = function.arrays[a];
      const auto expected = instance.after.find(array.name);
      if (expected == instance.after.end() || !array.isPassed())
        continue;
      const auto ignored = instance.indeterminate.find(array.name);
      const bool all = ignored == instance.indeterminate.end() || ignored->second.empty();
      for (size_t i = 0; i < expected->second.size(); i++)
        if ((all || !ignored->second[i]) &&
            !sameCell(array.cell, data[a].cells[i], expected->second[i]))
          return array.name + "[" + std::to_string(i) + "] is " +
                 ir::str({array.cell, data[a].cells[i]}) + ", sequentially " +
                 ir::str({array.cell, expected->second[i]});
    }
    return {};
  }

  const ir::Module &module_;
  Subject &subject_;
  Job &job_;
  Recorded recorded_;
  Tally &tally_;
  llvm::raw_ostream &certificates_;
  llvm::json::Array runs_;
};

llvm::json::Object counts(const std::map<std::string, uint64_t> &map) {
  llvm::json::Object object;
  for (const auto &[name, count] : map)
    object[name] = count;
  return object;
}

struct CheckOptions {
  FrontendOptions frontend;
  bool expectRejected = false, record = false;
  std::string certificates = "/dev/null";
};

/// Normalised and judged. Error: its IR is malformed.
llvm::Expected<Subject> subjectOf(ir::Module &module, Job &job, FunctionId entry,
                                  const EntrySource &source, Tally &tally) {
  Subject subject{job, {entry, source, {}, {}, {}}, {}};
  auto normalized = normalize(module, entry, {}, DefaultMaxWalks, &subject.unreduced);
  if (!normalized)
    return normalized.takeError();
  dropProvenChecks(*normalized);
  deriveExtents(*normalized);
  if (llvm::Error error = ir::verify(module, *normalized))
    return error;
  for (const ir::Op &op : normalized->ops)
    tally.operations[ir::mnemonic(op.opcode)]++;
  subject.checked.canonical = std::move(*normalized);
  subject.checked.verdict = verifyOblivious(module, subject.checked.canonical);
  tally.classes[std::string(1, letter(subject.checked.verdict.verdict))]++;
  for (ir::Array &array : subject.unreduced.arrays)
    for (const ir::Array &derived : subject.checked.canonical.arrays)
      if (array.name == derived.name && array.isPassed())
        array.extents = derived.extents;
  return subject;
}

llvm::Error checkJobs(CheckOptions &options, std::vector<Job> &jobs, Tally &tally) {
  std::error_code error;
  llvm::raw_fd_ostream certificates(options.certificates, error);
  if (error)
    return llvm::createStringError(options.certificates + ": " + error.message());
  for (Job &job : jobs)
    options.frontend.functions.push_back(job.name);
  llvm::Expected<FrontendResult> lowered = lowerSources(options.frontend);
  if (!lowered)
    return lowered.takeError();
  std::vector<Subject> subjects;
  for (size_t i = 0; i < jobs.size(); i++) {
    auto subject =
        subjectOf(lowered->module, jobs[i], lowered->entries[i], lowered->sources[i], tally);
    if (!subject)
      return llvm::createStringError(jobs[i].name + ": " + llvm::toString(subject.takeError()));
    subjects.push_back(std::move(*subject));
  }
  std::optional<RecordedOriginals> originals;
  if (options.record) {
    std::vector<const CheckedFunction *> functions;
    for (const Subject &subject : subjects)
      functions.push_back(&subject.checked);
    auto created = RecordedOriginals::create(options.frontend, lowered->module, functions);
    if (!created)
      return created.takeError();
    originals.emplace(std::move(*created));
  }
  for (size_t i = 0; i < subjects.size(); i++)
    EntryCheck(lowered->module, subjects[i], {originals ? &*originals : nullptr, i}, tally,
               certificates)
        .run(options.expectRejected);
  return llvm::Error::success();
}

int check(CheckOptions options, llvm::StringRef jobFile) {
  llvm::Expected<std::vector<Job>> jobs = readJobs(jobFile);
  Tally tally;
  llvm::Error error = jobs ? checkJobs(options, *jobs, tally) : jobs.takeError();
  if (error) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 3;
  }
  llvm::outs() << llvm::json::Value(llvm::json::Object{{"entries", jobs->size()},
                                                       {"failures", tally.failures},
                                                       {"recorded", tally.recorded},
                                                       {"classes", counts(tally.classes)},
                                                       {"operations", counts(tally.operations)}})
               << "\n";
  return tally.failures ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  CheckOptions options;
  std::vector<std::string> positional;
  bool flags = false;
  for (int i = 1; i < argc; i++) {
    llvm::StringRef argument = argv[i];
    if (flags)
      options.frontend.clangFlags.push_back(argument.str());
    else if (argument == "--")
      flags = true;
    else if (argument == "--expect-rejected")
      options.expectRejected = true;
    else if (argument == "--record")
      options.record = true;
    else if (argument.consume_front("--certificates="))
      options.certificates = argument.str();
    else
      positional.push_back(argument.str());
  }
  if (positional.size() < 2) {
    llvm::errs() << "usage: colonnade-interpret JOBS.json FILE... [--expect-rejected] "
                    "[--record] [--certificates=FILE] [-- FLAGS]\n";
    return 3;
  }
  options.frontend.files.assign(positional.begin() + 1, positional.end());
  return check(std::move(options), positional[0]);
}
