//===- Resources.cpp - Build tree or installed package --------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Runner/Resources.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace colonnade {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string join(llvm::StringRef folder, llvm::StringRef rest) {
  llvm::SmallString<256> result(folder);
  path::append(result, rest);
  return std::string(result);
}

std::string executableFolder() {
  static int anchor; // an address inside the executable
  return path::parent_path(fs::getMainExecutable("colonnade", &anchor)).str();
}

/// Root of the source tree if this is a build tree, else "".
std::string sourceRoot() {
  auto file = llvm::MemoryBuffer::getFile(join(executableFolder(), "colonnade.source-root"));
  return file ? (*file)->getBuffer().trim().str() : "";
}

} // namespace

llvm::Expected<std::vector<std::string>> includeFolders() {
  std::string source = sourceRoot();
  if (!source.empty())
    return std::vector{join(source, "include"), join(source, "runtime/include")};
  std::string prefix = path::parent_path(executableFolder()).str();
  std::string installed = join(prefix, "include");
  if (fs::exists(join(installed, "colonnade/bulk/function.hpp")))
    return std::vector{installed};
  return llvm::createStringError("the headers of Colonnade are not in '" + installed +
                                 "': the installation is incomplete");
}

CompiledMain compiledMain() {
  const std::string folder = join(path::parent_path(executableFolder()), "lib/colonnade");
  auto compiler = llvm::MemoryBuffer::getFile(join(folder, "main.compiler"));
  const std::string object = join(folder, "main.o");
  if (!compiler || !fs::exists(object))
    return {};
  return {object, (*compiler)->getBuffer().trim().str()};
}

} // namespace colonnade
