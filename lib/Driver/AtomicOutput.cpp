//===- AtomicOutput.cpp - Temporary, sync, rename -------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/AtomicOutput.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace colonnade {
namespace {

llvm::Error failure(const llvm::Twine &what, std::error_code code) {
  return llvm::createStringError(code, what + ": " + code.message());
}
std::error_code lastError() { return {errno, std::generic_category()}; }

std::error_code writeAll(int descriptor, llvm::StringRef contents) {
  while (!contents.empty()) {
    ssize_t written = ::write(descriptor, contents.data(), contents.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return lastError();
    contents = contents.drop_front(static_cast<size_t>(written));
  }
  return ::fsync(descriptor) == 0 ? std::error_code() : lastError();
}

/// Makes the renames of a folder durable; a folder that cannot be synced (some
/// network file systems) is no error.
void syncFolder(llvm::StringRef path) {
  int descriptor = ::open(path.empty() ? "." : path.str().c_str(), O_RDONLY | O_DIRECTORY);
  if (descriptor < 0)
    return;
  ::fsync(descriptor);
  ::close(descriptor);
}

} // namespace

AtomicOutput::~AtomicOutput() {
  for (const Pending &file : pending_) {
    llvm::sys::fs::remove(file.temporary);
    llvm::sys::DontRemoveFileOnSignal(file.temporary);
  }
  for (const std::string &folder : llvm::reverse(createdFolders_))
    llvm::sys::fs::remove(folder);
}

llvm::Error AtomicOutput::addFolder(llvm::StringRef path) {
  if (llvm::sys::fs::is_directory(path))
    return llvm::Error::success();
  if (llvm::sys::fs::exists(path))
    return failure("cannot create folder '" + path + "'",
                   std::make_error_code(std::errc::not_a_directory));
  llvm::StringRef parent = llvm::sys::path::parent_path(path);
  if (!parent.empty())
    if (llvm::Error error = addFolder(parent))
      return error;
  if (llvm::sys::fs::is_directory(path)) // "folder/", whose parent is "folder"
    return llvm::Error::success();
  if (std::error_code code =
          llvm::sys::fs::create_directory(path, /*IgnoreExisting=*/false, llvm::sys::fs::all_all))
    return failure("cannot create folder '" + path + "'", code);
  createdFolders_.push_back(path.str());
  return llvm::Error::success();
}

llvm::Error AtomicOutput::add(llvm::StringRef path, llvm::StringRef contents) {
  if (llvm::sys::fs::is_directory(path))
    return failure("cannot write '" + path + "'", std::make_error_code(std::errc::is_a_directory));
  if (llvm::any_of(pending_, [&](const Pending &file) { return file.path == path; }))
    return llvm::createStringError("'" + path + "' is named for two outputs");
  llvm::SmallString<256> temporary;
  int descriptor = -1;
  if (std::error_code code =
          llvm::sys::fs::createUniqueFile(path + ".%%%%%%%%.tmp", descriptor, temporary))
    return failure("cannot write '" + path + "'", code);
  pending_.push_back({std::string(temporary), path.str()});
  llvm::sys::RemoveFileOnSignal(temporary);
  std::error_code code = writeAll(descriptor, contents);
  if (::close(descriptor) != 0 && !code)
    code = lastError();
  return code ? failure("cannot write '" + path + "'", code) : llvm::Error::success();
}

llvm::Error AtomicOutput::commit() {
  while (!pending_.empty()) {
    const Pending &file = pending_.back();
    if (std::error_code code = llvm::sys::fs::rename(file.temporary, file.path))
      return failure("cannot write '" + file.path + "'", code);
    llvm::sys::DontRemoveFileOnSignal(file.temporary);
    syncFolder(llvm::sys::path::parent_path(file.path));
    pending_.pop_back();
  }
  createdFolders_.clear();
  return llvm::Error::success();
}

} // namespace colonnade
