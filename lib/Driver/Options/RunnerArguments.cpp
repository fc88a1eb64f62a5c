//===- RunnerArguments.cpp - What a runner is given -----------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Options/RunnerArguments.h"

#include "Driver/Options/ScalarArguments.h"
#include "Emit/Cxx/Interface.h"

#include <colonnade/bulk/runner/arrays.hpp>

namespace colonnade {
namespace {

llvm::Error errorOf(const bulk::status &status) {
  return status.ok() ? llvm::Error::success() : llvm::createStringError(status.message);
}

/// What files are matched with; extents are not known here.
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

} // namespace

llvm::Error checkRunnerArguments(const ir::Function &function, const Options &options) {
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
  return errorOf(bulk::runner::array_set(info, given).open());
}

} // namespace colonnade
