//===- RunnerArguments.cpp - What a runner is given -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Options/RunnerArguments.h"

#include "Driver/Options/ScalarArguments.h"
#include "Emit/Cxx/Interface.h"
#include "IR/Interpreter.h"

#include <colonnade/bulk/runner/arrays.hpp>

namespace colonnade {
namespace {

llvm::Error errorOf(const bulk::status &status) {
  return status.ok() ? llvm::Error::success() : llvm::createStringError(status.message);
}

/// What files are matched with, but for extents.
std::vector<bulk::array_info> arraysOf(const ir::Function &function) {
  static_assert(static_cast<int>(Direction::InOut) == static_cast<int>(bulk::direction::inout) &&
                static_cast<int>(Direction::Out) == static_cast<int>(bulk::direction::out));
  std::vector<bulk::array_info> arrays;
  for (const InterfaceArray &passed : interfaceOf(function).arrays) {
    const ir::Array &array = function.array(passed.array);
    const std::string &parameter = array.parameter.empty() ? array.name : array.parameter;
    arrays.push_back({array.name.c_str(), parameter.c_str(), cellType(array.cell),
                      static_cast<bulk::direction>(passed.direction), passed.uniform,
                      static_cast<uint32_t>(array.extents.size()), nullptr});
  }
  return arrays;
}

/// Every extent is told by the scalars or a file, and the files have these extents.
llvm::Error checkExtents(const ir::Function &function, const Scalars &scalars,
                         const bulk::runner::array_set &files) {
  for (const auto &[number, passed] : llvm::enumerate(interfaceOf(function).arrays)) {
    const ir::Array &array = function.array(passed.array);
    auto extents = ir::concreteExtents(function, array, scalars);
    if (!extents) {
      llvm::consumeError(extents.takeError());
      if (files.arrays[number].file)
        continue; // whose shape tells it
      return llvm::createStringError("the extent of '" + array.name +
                                     "' is not known at these arguments: add --extent " +
                                     array.name + "=CELLS, those of an instance");
    }
    uint64_t cells = 1;
    for (int64_t extent : *extents)
      if (__builtin_mul_overflow(cells, static_cast<uint64_t>(extent), &cells))
        return llvm::createStringError("the extent of '" + array.name + "' is too large");
    const std::vector<uint64_t> shape(extents->begin(), extents->end());
    if (llvm::Error error = errorOf(files.check_cells(number, cells, shape)))
      return error;
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error checkRunnerArguments(const ir::Function &function, const Options &options) {
  llvm::Expected<Scalars> scalars = scalarArguments(function, options);
  if (!scalars)
    return scalars.takeError();
  std::vector<std::string> words = options.runnerArguments;
  std::vector<char *> argv = {nullptr}; // the programme's name
  for (std::string &word : words)
    argv.push_back(word.data());
  bulk::runner::options given;
  if (auto parsed = bulk::runner::parse_options(static_cast<int>(argv.size()), argv.data(), given);
      !parsed.ok())
    return errorOf(parsed);
  const std::vector<bulk::array_info> arrays = arraysOf(function);
  bulk::function_info info{};
  info.name = function.name.c_str();
  info.arrays = arrays.data();
  info.num_arrays = static_cast<uint32_t>(arrays.size());
  bulk::runner::array_set files(info, given);
  if (llvm::Error error = errorOf(files.open()))
    return error;
  return checkExtents(function, *scalars, files);
}

} // namespace colonnade
