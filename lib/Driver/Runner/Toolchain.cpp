//===- Toolchain.cpp - The compilers that a runner is built with ----------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Runner/Toolchain.h"

#include "Driver/Runner/Subprocess.h"

#include "llvm/Support/FileSystem.h"

#include <cstdlib>

namespace colonnade {

static std::string firstProgram(std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (std::string path = findProgram(name); !path.empty())
      return path;
  return "";
}

static llvm::Expected<std::string> findHostCompiler(const Options &options) {
  const char *fromEnvironment = std::getenv("CXX");
  std::string wanted = !options.compiler.empty() ? options.compiler
                       : fromEnvironment         ? fromEnvironment
                                                 : "";
  if (wanted.empty()) {
    std::string path = firstProgram({"c++", "g++", "clang++", "clang++-19"});
    return path.empty() ? llvm::createStringError(
                              "no C++ compiler found; install g++ or set CXX or --compiler")
                        : llvm::Expected<std::string>(path);
  }
  std::string path = findProgram(wanted);
  if (path.empty())
    return llvm::createStringError("no C++ compiler '" + wanted + "' found (from " +
                                   (options.compiler.empty() ? "CXX" : "--compiler") + ")");
  return path;
}

static std::string findNvcc() {
  if (std::string path = findProgram("nvcc"); !path.empty())
    return path;
  const char *standard = "/usr/local/cuda/bin/nvcc";
  return llvm::sys::fs::can_execute(standard) ? standard : "";
}

/// Whether the driver lists a GPU. The runner asks the CUDA runtime again.
static bool hasCudaDevice() {
  std::string smi = findProgram("nvidia-smi");
  if (smi.empty())
    return false;
  auto codes = runProcesses(Process{{smi, "-L"}, "/dev/null"});
  if (!codes) {
    llvm::consumeError(codes.takeError());
    return false;
  }
  return codes->front() == 0;
}

static std::vector<std::string> nvccHostCompiler(const std::string &hostCompiler) {
  return {"-ccbin", hostCompiler};
}

llvm::ArrayRef<DeviceCompiler> deviceCompilers() {
  static const DeviceCompiler Table[] = {
      {"cuda",
       ".bulk.cu",
       "-DCOLONNADE_BULK_CUDA",
       findNvcc,
       hasCudaDevice,
       "no nvcc found; install the CUDA toolkit or use --target cpu",
       "no usable GPU found (nvidia-smi lists none)",
       {"-std=c++20", "-O3", "-arch=native", "--fmad=false", "-w"},
       nvccHostCompiler,
       {"-Xcompiler", "-pthread"}},
  };
  return Table;
}

llvm::Expected<Toolchain> findToolchain(const Options &options,
                                        llvm::function_ref<bool(const BackEnd &)> runsOn) {
  llvm::Expected<std::string> host = findHostCompiler(options);
  if (!host)
    return host.takeError();
  for (const DeviceCompiler &device : deviceCompilers()) {
    const bool isNamed = options.runTarget == device.backEnd;
    const bool isTried = options.runTarget == "auto" && runsOn(*findBackEnd(device.backEnd));
    if (!isNamed && !isTried)
      continue;
    const std::string path = device.find();
    const bool hasDevice = device.hasDevice();
    if (!path.empty() && hasDevice)
      return Toolchain{*host, &device, path};
    if (isNamed)
      return llvm::createStringError("--target " + options.runTarget + ": " +
                                     (hasDevice ? device.notFound : device.noDevice));
  }
  return Toolchain{*host, nullptr, ""};
}

} // namespace colonnade
