//===- Toolchain.h - The compilers that a runner is built with --*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host compiler has the back end "cpu"; each other back end that can run has a row in the table
// of device compilers.
//
// In: options, and what the function can run on. Out: the compilers that are here.
// Invariant: a target that the user names is built, or there is an error; `auto` takes the first
// device that is here, else the CPU.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_RUNNER_TOOLCHAIN_H
#define COLONNADE_DRIVER_RUNNER_TOOLCHAIN_H

#include "Driver/Options/Options.h"
#include "Emit/BackEnds.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace colonnade {

struct DeviceCompiler {
  const char *backEnd; // its name
  const char *suffix;  // of the file it compiles: ".bulk.cu"
  const char *macro;   // host code asks whether there is such a file
  std::string (*find)();
  bool (*hasDevice)();
  const char *notFound, *noDevice;       // messages
  std::vector<std::string> compileFlags; // behind -c FILE -o FILE
  std::vector<std::string> (*hostCompilerFlags)(const std::string &hostCompiler);
  std::vector<std::string> threadFlags; // for the link
};
llvm::ArrayRef<DeviceCompiler> deviceCompilers();

struct Toolchain {
  std::string hostCompiler;
  const DeviceCompiler *device = nullptr; // null: the CPU alone
  std::string devicePath;                 // of that compiler
};

/// The host compiler by --compiler, $CXX, c++, g++, clang++. `runsOn`: whether the function has
/// code for a back end. Error: no compiler, or none for the target that is named, or no device.
llvm::Expected<Toolchain> findToolchain(const Options &options,
                                        llvm::function_ref<bool(const BackEnd &)> runsOn);

} // namespace colonnade

#endif // COLONNADE_DRIVER_RUNNER_TOOLCHAIN_H
