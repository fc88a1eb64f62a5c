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
// on its instances, and compares outputs with the sequential ones and traces
// with the recorded and certified ones. The kernels of all back ends run on one
// lane and must give the same outputs. One line a failure; then one line of JSON
// with the classes and how often each IR operation occurred.
//
// --expect-rejected: every entry must be refused, and if traces were recorded,
// two of its instances must really differ in them.
// --ignore-traces: only outputs and the certificate are compared (structs that the
// caller copies have no address the recorder knows).
// --certificates=FILE: writes the certificate of each accepted entry and the interpreter's
// traces, a line of JSON each, which certificates.py compares once more by itself.
//
//===----------------------------------------------------------------------===//

#include "Emit/BackEnds.h"
#include "Frontend/Frontend.h"
#include "IR/Printer.h"
#include "Normalize/Normalize.h"
#include "Traces.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace colonnade;

namespace {

struct Tally {
  std::map<std::string, uint64_t> operations;
  std::map<std::string, uint64_t> classes;
  unsigned failures = 0;
};

class EntryCheck {
public:
  EntryCheck(ir::Module &module, const Job &job, Tally &tally, llvm::raw_ostream &certificates)
      : module_(module), job_(job), tally_(tally), certificates_(certificates) {}

  void run(FunctionId entry, bool expectRejected) {
    ir::Function unreduced;
    llvm::Expected<ir::Function> normalized =
        normalize(module_, entry, {}, DefaultMaxWalks, &unreduced);
    if (!normalized)
      return fail(llvm::toString(normalized.takeError()));
    deriveExtents(*normalized);
    if (llvm::Error error = ir::verify(module_, *normalized))
      return fail("canonical IR: " + llvm::toString(std::move(error)));
    for (const ir::Op &op : normalized->ops)
      tally_.operations[ir::mnemonic(op.opcode)]++;
    const Verdict verdict = verifyOblivious(module_, *normalized);
    tally_.classes[std::string(1, letter(verdict.verdict))]++;
    const bool accepted = verdict.verdict <= VerdictClass::P;
    if (expectRejected)
      return accepted ? fail("wrongly accepted") : checkThatTracesDiffer();
    if (!accepted)
      return failWithFindings(verdict);
    std::vector<ir::Function> kernels;
    for (const BackEnd &backEnd : backEnds())
      for (ir::Function &kernel : backEnd.lower(*normalized, verdict)) {
        kernels.push_back(std::move(kernel));
        if (llvm::Error error = ir::verify(module_, kernels.back()))
          return fail("kernel IR: " + llvm::toString(std::move(error)));
      }
    for (size_t i = 0; i < job_.instances.size(); i++)
      if (!checkUnreduced(unreduced, *normalized, i) || !checkInstance(*normalized, verdict, i) ||
          !checkKernels(kernels, i))
        return;
    writeCertificate(verdict);
  }

private:
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
                                            {"accesses", verdict.accesses.str()},
                                            {"scalars", std::move(scalars)},
                                            {"runs", std::move(runs_)}})
                  << '\n';
  }

  /// What the checker needs of one run: contents of uniform arrays, and the accesses.
  void noteRun(const ir::Function &function, const Cells &before, const NamedTrace &trace) {
    llvm::json::Object uniform;
    for (const ir::Array &array : function.arrays)
      if (auto cells = before.find(array.name);
          cells != before.end() && array.sharing == ir::Sharing::Uniform)
        uniform[array.name] = llvm::json::Array(cells->second);
    llvm::json::Array accesses;
    for (size_t i = 0; i < trace.names.size(); ++i) {
      const TracedAccess &access = trace.accesses[i];
      const AccessName &name = trace.names[i];
      accesses.push_back(llvm::json::Array{access.isStore ? "store" : "load", access.array,
                                           access.cell, name.accessId,
                                           llvm::json::Array(name.iterations)});
    }
    runs_.push_back(
        llvm::json::Object{{"uniform", std::move(uniform)}, {"trace", std::move(accesses)}});
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

  void checkThatTracesDiffer() {
    const auto &first = job_.instances.front().trace;
    if (!first)
      return;
    for (const JobInstance &instance : job_.instances)
      if (instance.trace != first)
        return;
    fail("the planted leak does not show in the recorded traces");
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
      if (found == cells.end() || function.arrays[a].role == ir::ArrayRole::Local ||
          function.arrays[a].role == ir::ArrayRole::Table)
        continue;
      data[a].cells = found->second;
      if (uniformOnly && function.arrays[a].sharing == ir::Sharing::Instance)
        data[a].cells.assign(data[a].cells.size(), 0);
    }
    return data;
  }

  bool interpretInto(const ir::Function &function, std::vector<ir::ArrayData> &data,
                     NamedTrace &trace, const char *what) {
    ir::InterpreterOptions options;
    options.onAccess = [&](const ir::AccessEvent &event) { append(trace, function, event); };
    if (llvm::Error error = ir::interpret(module_, function, data, scalars(function), options)) {
      fail(std::string(what) + ": " + llvm::toString(std::move(error)));
      return false;
    }
    return true;
  }

  /// With all that the source computes, also where no output needs it.
  bool checkUnreduced(ir::Function &unreduced, const ir::Function &function, size_t index) {
    for (ir::Array &array : unreduced.arrays)
      for (const ir::Array &reduced : function.arrays)
        if (array.name == reduced.name && array.isPassed())
          array.extents = reduced.extents;
    const JobInstance &instance = job_.instances[index];
    std::vector<ir::ArrayData> data = arrays(unreduced, instance.before, false);
    NamedTrace trace;
    if (!interpretInto(unreduced, data, trace, "interpreter, with unused results"))
      return false;
    const std::string difference = compareOutputs(unreduced, data, instance.after);
    if (!difference.empty())
      fail("interpreter, with unused results: " + difference);
    return difference.empty();
  }

  bool checkInstance(const ir::Function &function, const Verdict &verdict, size_t index) {
    const JobInstance &instance = job_.instances[index];
    std::vector<ir::ArrayData> data = arrays(function, instance.before, false);
    NamedTrace interpreted, certified;
    if (!interpretInto(function, data, interpreted, "interpreter"))
      return false;
    const std::string difference = compareOutputs(function, data, instance.after);
    if (!difference.empty()) {
      fail("instance " + std::to_string(index) + ": " + difference);
      return false;
    }
    std::vector<ir::ArrayData> uniform = arrays(verdict.certificate, instance.before, true);
    if (!interpretInto(verdict.certificate, uniform, certified, "certificate"))
      return false;
    std::vector<TracedAccess> recorded;
    if (instance.trace)
      recorded = onlyRecorded(function, *instance.trace);
    const std::string apart = compareTraces(verdict.verdict, interpreted, certified,
                                            instance.trace ? &recorded : nullptr);
    if (apart.empty()) {
      noteRun(function, instance.before, interpreted);
      return true;
    }
    fail("instance " + std::to_string(index) + ": " + apart);
    return false;
  }

  bool checkKernels(const std::vector<ir::Function> &kernels, size_t index) {
    const JobInstance &instance = job_.instances[index];
    for (const ir::Function &kernel : kernels) {
      const bool lanes = std::holds_alternative<ir::LaneShape>(*kernel.launch);
      const char *what = lanes ? "kernel of lanes" : "kernel of threads";
      std::vector<ir::ArrayData> data = arrays(kernel, instance.before, false);
      NamedTrace ignored;
      if (!interpretInto(kernel, data, ignored, what))
        return false;
      const std::string difference = compareOutputs(kernel, data, instance.after);
      if (difference.empty())
        continue;
      fail(std::string(what) + ", instance " + std::to_string(index) + ": " + difference);
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
                             const Cells &after) const {
    for (size_t a = 0; a < data.size(); a++) {
      const ir::Array &array = function.arrays[a];
      const auto expected = after.find(array.name);
      if (expected == after.end() || array.role == ir::ArrayRole::Local ||
          array.role == ir::ArrayRole::Table)
        continue;
      for (size_t i = 0; i < expected->second.size(); i++)
        if (!sameCell(array.cell, data[a].cells[i], expected->second[i]))
          return array.name + "[" + std::to_string(i) + "] is " +
                 ir::str({array.cell, data[a].cells[i]}) + ", sequentially " +
                 ir::str({array.cell, expected->second[i]});
    }
    return {};
  }

  ir::Module &module_;
  const Job &job_;
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

int check(FrontendOptions options, llvm::StringRef jobFile, bool expectRejected, bool ignoreTraces,
          llvm::StringRef certificates) {
  std::error_code error;
  llvm::raw_fd_ostream out(certificates, error);
  if (error) {
    llvm::errs() << certificates << ": " << error.message() << "\n";
    return 3;
  }
  llvm::Expected<std::vector<Job>> jobs = readJobs(jobFile);
  if (!jobs) {
    llvm::errs() << llvm::toString(jobs.takeError()) << "\n";
    return 3;
  }
  for (Job &job : *jobs) {
    options.functions.push_back(job.name);
    for (JobInstance &instance : job.instances)
      if (ignoreTraces)
        instance.trace.reset();
  }
  llvm::Expected<FrontendResult> lowered = lowerSources(options);
  if (!lowered) {
    llvm::errs() << llvm::toString(lowered.takeError()) << "\n";
    return 3;
  }
  Tally tally;
  for (size_t i = 0; i < jobs->size(); i++)
    EntryCheck(lowered->module, (*jobs)[i], tally, out).run(lowered->entries[i], expectRejected);
  llvm::outs() << llvm::json::Value(llvm::json::Object{{"entries", jobs->size()},
                                                       {"failures", tally.failures},
                                                       {"classes", counts(tally.classes)},
                                                       {"operations", counts(tally.operations)}})
               << "\n";
  return tally.failures ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  FrontendOptions options;
  std::vector<std::string> positional;
  std::string certificates = "/dev/null";
  bool expectRejected = false, ignoreTraces = false, flags = false;
  for (int i = 1; i < argc; i++) {
    llvm::StringRef argument = argv[i];
    if (flags)
      options.clangFlags.push_back(argument.str());
    else if (argument == "--")
      flags = true;
    else if (argument == "--expect-rejected")
      expectRejected = true;
    else if (argument == "--ignore-traces")
      ignoreTraces = true;
    else if (argument.consume_front("--certificates="))
      certificates = argument.str();
    else
      positional.push_back(argument.str());
  }
  if (positional.size() < 2) {
    llvm::errs() << "usage: colonnade-interpret JOBS.json FILE... [--expect-rejected] "
                    "[--ignore-traces] [--certificates=FILE] [-- FLAGS]\n";
    return 3;
  }
  options.files.assign(positional.begin() + 1, positional.end());
  return check(std::move(options), positional[0], expectRejected, ignoreTraces, certificates);
}
