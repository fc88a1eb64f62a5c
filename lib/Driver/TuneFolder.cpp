//===- TuneFolder.cpp - What measures plans, as files ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/TuneFolder.h"

#include "Driver/AtomicOutput.h"
#include "Driver/Generate.h"
#include "Driver/Options/CertificateArrays.h"
#include "Driver/Options/ScalarArguments.h"
#include "Driver/Runner/Resources.h"
#include "Driver/SizeVariants.h"
#include "IR/Verifier.h"
#include "Tune/Choice.h"
#include "Tune/Programme.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>
#include <set>

namespace colonnade {
namespace {

llvm::Expected<std::string> contentsOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// The files of what measures.
class TuneFolder {
public:
  TuneFolder(const Analysis &analysis, const Options &options)
      : analysis_(analysis), options_(options), identifiers_(identifiersOf(analysis)) {}

  llvm::Error add(size_t function);
  llvm::Error addRest();
  bool isEmpty() const { return jobs_.empty(); }
  llvm::Error write(const std::string &folder) const;

private:
  llvm::Error addPlan(size_t function, const RowPlan &plan, const tune::Plans &plans,
                      tune::MeasuredJob &job);
  llvm::Expected<std::vector<uint64_t>> scalarsOf(const CheckedFunction &checked) const;
  std::vector<tune::MeasuredInput> inputsOf(const CheckedFunction &checked) const;
  llvm::Error checkInputs() const;
  llvm::Error addHeaders();

  const Analysis &analysis_;
  const Options &options_;
  std::vector<std::string> identifiers_;
  std::vector<tune::MeasuredJob> jobs_;
  std::vector<EmittedFile> files_;
};

} // namespace

static std::string inputName(size_t number) { return "input_" + std::to_string(number) + ".npy"; }

static bool isOf(const Assignment &input, const ir::Array &array) {
  return array.isPassed() && array.name == input.first;
}

/// Those that decide addresses have to be given.
llvm::Expected<std::vector<uint64_t>> TuneFolder::scalarsOf(const CheckedFunction &checked) const {
  Options own = options_;
  own.facts = checked.facts;
  llvm::Expected<Scalars> scalars = scalarArguments(checked.canonical, own);
  if (!scalars)
    return scalars.takeError();
  const ir::Function &certificate = checked.verdict.certificate;
  std::vector<Assignment> uniform;
  for (const Assignment &input : options_.inputs)
    for (const ir::Array &array : certificate.arrays)
      if (isOf(input, array) && !array.isPerInstance())
        uniform.push_back(input);
  auto arrays = certificateArrays(certificate, *scalars, uniform);
  if (!arrays)
    return arrays.takeError();
  std::vector<uint64_t> bits;
  for (const ir::Scalar &scalar : *scalars)
    bits.push_back(scalar.bits);
  return bits;
}

std::vector<tune::MeasuredInput> TuneFolder::inputsOf(const CheckedFunction &checked) const {
  std::vector<tune::MeasuredInput> inputs;
  for (const auto &[i, input] : llvm::enumerate(options_.inputs))
    for (const ir::Array &array : checked.canonical.arrays)
      if (isOf(input, array))
        inputs.push_back({array.name, inputName(i)});
  return inputs;
}

/// A file of generated code, with what the plan makes for rows and for columns.
llvm::Error TuneFolder::addPlan(size_t function, const RowPlan &plan, const tune::Plans &plans,
                                tune::MeasuredJob &job) {
  const CheckedFunction &checked = analysis_.functions[function];
  const bool isFirst = job.listed.plans.empty();
  tune::ListedPlan listed{tune::planName(plan),
                          "job" + std::to_string(jobs_.size()) + "_plan" +
                              std::to_string(job.listed.plans.size()) + "_" +
                              identifiers_[function],
                          {}};
  BackEndKernels kernels{findBackEnd("cuda"), {plans.ofOne}};
  for (tune::LayoutKind kind : tune::LayoutKinds)
    for (const tune::PlannedKernel &planned : plans.of(kind)) {
      if (tune::planName(planned.plan) != listed.plan)
        continue;
      listed.kernels[size_t(kind)] = planned.hash;
      if (llvm::Error error = ir::verify(analysis_.module, planned.kernel))
        return refusedKernel(analysis_.module, checked, std::move(error));
      if (planned.hash != plans.hash)
        kernels.kernels.push_back(planned.kernel);
    }
  EmitInput input{analysis_.module, checked.canonical, checked.verdict, listed.stem};
  input.sizes = sizesOf(checked.facts);
  input.isMeasured = true;
  input.raw = &analysis_.module.function(checked.entry);
  input.kernels.push_back(std::move(kernels));
  job.listed.plans.push_back(std::move(listed));
  files_.push_back(emitHeader(input));
  auto code = findBackEnd("cuda")->emit(input);
  if (!code)
    return code.takeError();
  files_.push_back(std::move(*code));
  if (!isFirst)
    return llvm::Error::success();
  auto host = emitHost(input); // the description that all share
  if (!host)
    return host.takeError();
  files_.push_back(std::move(*host));
  return llvm::Error::success();
}

/// The plans of a function's code for known sizes.
llvm::Error TuneFolder::add(size_t function) {
  const CheckedFunction &checked = analysis_.functions[function];
  if (llvm::Error error = checkBackEnd(*findBackEnd("cuda"), analysis_, checked))
    return error;
  const RowPrice price(analysis_.module, checked.verdict.certificate);
  const tune::Plans plans =
      tune::plansOf({analysis_.module, checked.canonical, checked.verdict}, price);
  const auto hasOne = [&](tune::LayoutKind kind) { return plans.of(kind).size() == 1; };
  if (llvm::all_of(tune::LayoutKinds, hasOne))
    return llvm::Error::success();
  auto scalars = scalarsOf(checked);
  if (!scalars)
    return scalars.takeError();
  tune::MeasuredJob job{{checked.canonical.name, checked.facts.sizes, plans.hash, {}, {}},
                        std::move(*scalars),
                        inputsOf(checked)};
  std::vector<RowPlan> all = rowPlans();
  all.emplace_back(); // the best
  for (const RowPlan &plan : all) {
    const auto has = [&](tune::LayoutKind kind) {
      return llvm::any_of(plans.of(kind), [&](const tune::PlannedKernel &planned) {
        return tune::planName(planned.plan) == tune::planName(plan);
      });
    };
    if (llvm::any_of(tune::LayoutKinds, has))
      if (llvm::Error error = addPlan(function, plan, plans, job))
        return error;
  }
  for (tune::LayoutKind kind : tune::LayoutKinds)
    job.listed.chosen[size_t(kind)] = tune::planName(plans.chosenFor(kind).plan);
  jobs_.push_back(std::move(job));
  return llvm::Error::success();
}

llvm::Error TuneFolder::checkInputs() const {
  for (const Assignment &input : options_.inputs) {
    const auto has = [&](const CheckedFunction &checked) {
      return llvm::any_of(checked.canonical.arrays,
                          [&](const ir::Array &array) { return isOf(input, array); });
    };
    if (llvm::none_of(analysis_.functions, has))
      return llvm::createStringError("-i " + input.first +
                                     ": no function has an array of that name");
  }
  return llvm::Error::success();
}

/// Of what generated code and the measuring programme include.
static bool isNeeded(llvm::StringRef header) {
  return llvm::any_of(std::initializer_list<llvm::StringRef>{"bulk/", "simd/", "detail/device/",
                                                             "detail/compiler.hpp"},
                      [&](llvm::StringRef part) { return header.starts_with(part); });
}

llvm::Error TuneFolder::addHeaders() {
  namespace fs = std::filesystem;
  auto folders = includeFolders();
  if (!folders)
    return folders.takeError();
  for (const std::string &folder : *folders)
    for (const fs::directory_entry &entry :
         fs::recursive_directory_iterator(fs::path(folder) / "colonnade")) {
      const fs::path inside = entry.path().lexically_relative(fs::path(folder) / "colonnade");
      if (!entry.is_regular_file() || !isNeeded(inside.generic_string()))
        continue;
      auto text = contentsOf(entry.path().string());
      if (!text)
        return text.takeError();
      files_.push_back({std::string(tune::HeadersName) + "/" +
                            entry.path().lexically_relative(folder).generic_string(),
                        std::move(*text)});
    }
  return llvm::Error::success();
}

/// What all functions share.
llvm::Error TuneFolder::addRest() {
  if (llvm::Error error = checkInputs())
    return error;
  for (const auto &[i, input] : llvm::enumerate(options_.inputs)) {
    auto contents = contentsOf(input.second);
    if (!contents)
      return contents.takeError();
    files_.push_back({inputName(i), std::move(*contents)});
  }
  std::vector<tune::ListedJob> listed;
  for (const tune::MeasuredJob &job : jobs_)
    listed.push_back(job.listed);
  const std::string list = tune::planListText(listed);
  files_.push_back({tune::PlanListName, list});
  files_.push_back({"main.cu", tune::mainText(jobs_, list)});
  files_.push_back({tune::ScriptName, tune::scriptText(jobs_)});
  return addHeaders();
}

llvm::Error TuneFolder::write(const std::string &folder) const {
  AtomicOutput output;
  std::set<std::string> folders = {""};
  for (const EmittedFile &file : files_)
    folders.insert(llvm::sys::path::parent_path(file.name).str());
  for (const std::string &each : folders)
    if (llvm::Error error = output.addFolder(each.empty() ? folder : folder + "/" + each))
      return error;
  for (const EmittedFile &file : files_)
    if (llvm::Error error = output.add(folder + "/" + file.name, file.text))
      return error;
  return output.commit();
}

llvm::Error writeTuneFolder(const Analysis &analysis, const Options &options,
                            const std::string &folder) {
  TuneFolder files(analysis, options);
  const llvm::ArrayRef<CheckedFunction> functions = analysis.functions;
  for (size_t i = 0; i < functions.size(); ++i) {
    const bool isGeneral = i + 1 < functions.size() && functions[i].sizeSuffix.empty() &&
                           !functions[i + 1].sizeSuffix.empty();
    if (isGeneral) // code for all sizes has one plan
      continue;
    if (llvm::Error error = files.add(i))
      return error;
  }
  if (files.isEmpty())
    return llvm::createStringError("nothing to choose: there is one plan; where a size is not "
                                   "known, --size gives more");
  if (llvm::Error error = files.addRest())
    return error;
  return files.write(folder);
}

llvm::Expected<tune::TuningEntries> collectTuneFolder(const std::string &folder) {
  const auto pathOf = [&](const std::string &name) { return folder + "/" + name; };
  auto list = contentsOf(pathOf(tune::PlanListName));
  if (!list)
    return list.takeError();
  auto jobs = tune::readPlanList(*list, pathOf(tune::PlanListName));
  if (!jobs)
    return jobs.takeError();
  auto text = contentsOf(pathOf(tune::MeasuredName));
  if (!text)
    return llvm::createStringError(llvm::toString(text.takeError()) + ": run 'sh " +
                                   pathOf(tune::ScriptName) + "' on a machine with a GPU");
  auto measured = tune::readMeasurements(*text, pathOf(tune::MeasuredName));
  if (!measured)
    return measured.takeError();
  if (measured->plans != tune::textHash(*list))
    return llvm::createStringError(pathOf(tune::MeasuredName) + ": is of other plans than " +
                                   tune::PlanListName + ": run 'sh " + pathOf(tune::ScriptName) +
                                   "' again");
  std::vector<tune::JobSpills> spills;
  for (const tune::ListedJob &job : *jobs) {
    spills.emplace_back();
    for (const tune::ListedPlan &plan : job.plans) {
      const std::string path = pathOf(tune::ptxasName(plan));
      auto report = contentsOf(path);
      if (!report)
        return report.takeError();
      auto bytes = tune::readSpills(*report, path);
      if (!bytes)
        return bytes.takeError();
      spills.back().push_back(*bytes);
    }
  }
  return tune::choosePlans(*jobs, spills, *measured);
}

} // namespace colonnade
