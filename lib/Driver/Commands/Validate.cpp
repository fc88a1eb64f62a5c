//===- Validate.cpp - check --validate ------------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Commands/Validate.h"

#include "Driver/Commands/RecordedOriginals.h"
#include "Driver/Options/CertificateArrays.h"
#include "Driver/Options/ScalarArguments.h"
#include "Driver/Options/UniformArrays.h"
#include "Emit/Cxx/Interface.h"

namespace colonnade {

using record::TraceDifference;
using record::ValidationResult;

namespace {

/// -i by name; each must be of a uniform array, and those that decide addresses are needed.
llvm::Error checkInputs(const CheckedFunction &checked,
                        const std::map<std::string, std::string> &files) {
  const ir::Function &function = checked.canonical;
  for (const auto &[name, file] : files)
    if (llvm::none_of(function.arrays, [&](const ir::Array &array) {
          return array.isPassed() && array.name == name && array.sharing == ir::Sharing::Uniform;
        }))
      return llvm::createStringError("-i " + name + ": '" + function.name +
                                     "' has no uniform array of that name");
  for (const std::string &name : record::indexArrays(checked.verdict))
    if (!files.count(name))
      return llvm::createStringError("'" + function.name + "' takes addresses from '" + name +
                                     "', whose contents must be given: add -i " + name + "=FILE");
  return llvm::Error::success();
}

llvm::Error checkExtents(const ir::Function &function) {
  for (const ir::Array &array : function.arrays)
    if (array.isPassed())
      if (llvm::Error error = checkArrayExtents(array))
        return error;
  return llvm::Error::success();
}

} // namespace

llvm::Expected<record::GivenInputs> givenInputs(const Options &options,
                                                const CheckedFunction &checked) {
  const ir::Function &function = checked.canonical;
  std::map<std::string, std::string> files(options.inputs.begin(), options.inputs.end());
  if (llvm::Error error = checkInputs(checked, files))
    return error;
  auto scalars = givenScalars(function, options);
  if (!scalars)
    return scalars.takeError();
  record::GivenInputs given{std::move(*scalars), {}};
  given.fill = [&function, files](const std::vector<ir::Scalar> &,
                                  record::Instance &instance) -> llvm::Error {
    for (auto [i, passed] : llvm::enumerate(interfaceOf(function).arrays)) {
      const ir::Array &array = function.array(passed.array);
      if (auto file = files.find(array.name); file != files.end())
        if (llvm::Error error =
                readUniformArray(file->second, array, instance.cells[i].size(), instance.cells[i]))
          return error;
    }
    return llvm::Error::success();
  };
  return given;
}

namespace {

record::Site placeOf(const SourceMap &sources, LocId id) {
  const SourceLocation &loc = sources[id];
  return {sources.fileName(loc.file), loc.line, loc.column};
}

/// Of the original's access, or of ours, or else the function itself.
record::Site placeOf(const ir::Module &module, const CheckedFunction &checked,
                     const record::Recorder &recorder, const TraceDifference &difference) {
  if (difference.site)
    return recorder.site(*difference.site);
  for (const ir::Op &op : checked.canonical.ops)
    if (difference.accessId && op.accessId == *difference.accessId && op.loc)
      return placeOf(module.sources, op.loc);
  return placeOf(module.sources, checked.canonical.loc);
}

std::string counted(uint64_t number, const char *what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// "; 3 inputs discarded: 2 with undefined behaviour, 1 too long or too large"
std::string discarded(const ValidationResult &result) {
  if (result.numUndefined + result.numTooLong == 0)
    return "";
  std::string text = "; discarded: ";
  if (result.numUndefined)
    text += counted(result.numUndefined, "input") + " with undefined behaviour";
  if (result.numTooLong)
    text += (result.numUndefined ? ", " : "") + counted(result.numTooLong, "input") +
            " too long or too large";
  return text;
}

std::string sizesOf(const ir::Function &function, const record::Instance &instance) {
  std::string text;
  for (auto [scalar, value] : llvm::zip(function.scalars, instance.scalars))
    text += (text.empty() ? " (" : ", ") + scalar.name + " = " + ir::str(value);
  return text.empty() ? "" : text + ")";
}

} // namespace

ValidationReport validationReport(const ir::Module &module, const CheckedFunction &checked,
                                  const record::Recorder &recorder,
                                  const record::TracedArrays &arrays,
                                  const ValidationResult &result) {
  static constexpr const char *NothingByAddress =
      "; no array is passed by its address, and others are not recorded";
  ValidationReport report;
  report.isValidated = result.isValidated();
  const std::string name = "'" + checked.canonical.name + "'";
  const std::string compared =
      counted(result.numInputs, "input") + ", " + std::to_string(result.numAccesses) + " accesses";
  llvm::json::Value location = nullptr;
  if (result.difference) {
    const record::Site place = placeOf(module, checked, recorder, *result.difference);
    report.text = textOf(place) + ": error: " + name + " differs from its original" +
                  sizesOf(checked.canonical, result.differing) + ": " + result.difference->text +
                  "\n";
    location = jsonOf(place);
  } else if (report.isValidated) {
    report.text = name + ": validated: " + compared + " compared with the original" +
                  discarded(result) + "\n";
  } else {
    report.text = name + ": not validated: " + compared + " compared" + discarded(result) +
                  (result.numInputs && !arrays.anyTraced() ? NothingByAddress : "") + "\n";
  }
  report.json = llvm::json::Object{{"validated", report.isValidated},
                                   {"inputs", result.numInputs},
                                   {"accesses", result.numAccesses},
                                   {"undefined", result.numUndefined},
                                   {"too_long", result.numTooLong},
                                   {"difference", result.difference ? result.difference->text : ""},
                                   {"location", std::move(location)}};
  return report;
}

llvm::Expected<ir::Function> unreducedOf(ir::Module &module, const CheckedFunction &checked) {
  ir::Function unreduced;
  auto again = normalize(module, checked.entry, checked.facts, DefaultMaxWalks, &unreduced);
  if (!again)
    return again.takeError();
  for (ir::Array &array : unreduced.arrays)
    for (const ir::Array &derived : checked.canonical.arrays)
      if (array.isPassed() && array.name == derived.name)
        array.extents = derived.extents;
  return unreduced;
}

llvm::Expected<std::vector<ValidationReport>>
validateFunctions(const Options &options, ir::Module &module,
                  const std::vector<const CheckedFunction *> &functions) {
  if (functions.size() > 1 && !(options.arguments.empty() && options.inputs.empty()))
    return llvm::createStringError("--arg and -i are for one function, but " +
                                   std::to_string(functions.size()) + " are accepted: add -f NAME");
  std::vector<record::GivenInputs> inputs;
  for (const CheckedFunction *checked : functions) {
    auto given = givenInputs(options, *checked);
    if (!given)
      return given.takeError();
    if (llvm::Error error = checkExtents(checked->canonical))
      return error;
    inputs.push_back(std::move(*given));
  }
  auto frontend = toolOptions(options);
  if (!frontend)
    return frontend.takeError();
  auto originals = RecordedOriginals::create(*frontend, module, functions);
  if (!originals)
    return originals.takeError();
  std::vector<ValidationReport> reports;
  for (auto [i, checked] : llvm::enumerate(functions)) {
    auto unreduced = unreducedOf(module, *checked);
    if (!unreduced)
      return unreduced.takeError();
    const record::ValidationSubject subject{
        module,           checked->canonical,     *unreduced,
        checked->verdict, originals->recorder(i), originals->caller(i)};
    auto result = record::validate(subject, originals->arrays(i), inputs[i], {});
    if (!result)
      return result.takeError();
    reports.push_back(
        validationReport(module, *checked, originals->recorder(i), originals->arrays(i), *result));
  }
  return reports;
}

} // namespace colonnade
