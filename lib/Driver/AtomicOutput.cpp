//===- AtomicOutput.cpp - All files of a command, or none ----------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/AtomicOutput.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <colonnade/bulk/pending_output.hpp>

#include <set>

namespace colonnade {

using runtime::temporary_kind;
using runtime::temporary_path;
using runtime::detail::output_target;
using runtime::detail::pending_output;

struct AtomicOutput::State {
  std::vector<temporary_path> folders; // parents first
  std::vector<pending_output> outputs;
  std::vector<std::string> paths; // of outputs
  std::set<std::string> files;    // behind links
};

static llvm::Error failure(const llvm::Twine &what, std::error_code code) {
  return llvm::createStringError(code, what + ": " + code.message());
}
static llvm::Error cannotWrite(llvm::StringRef path, int error) {
  return failure("cannot write '" + path + "'", {error, std::generic_category()});
}

bool isStandardOutput(llvm::StringRef path) {
  output_target target;
  return path == "-" ||
         (!path.empty() && runtime::detail::find_target(path.str(), target) == 0 &&
          target.what == output_target::kind::own_descriptor && target.descriptor == STDOUT_FILENO);
}

AtomicOutput::AtomicOutput() : state_(std::make_unique<State>()) {}

AtomicOutput::~AtomicOutput() {
  state_->outputs.clear();
  while (!state_->folders.empty())
    state_->folders.pop_back();
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
  const runtime::uninterrupted whole; // made and registered
  if (std::error_code code =
          llvm::sys::fs::create_directory(path, /*IgnoreExisting=*/false, llvm::sys::fs::all_all))
    return failure("cannot create folder '" + path + "'", code);
  state_->folders.emplace_back(temporary_kind::folder, path.str());
  return llvm::Error::success();
}

llvm::Error AtomicOutput::add(llvm::StringRef path, llvm::StringRef contents) {
  pending_output output;
  if (int error = output.create(path.str()))
    return cannotWrite(path, error);
  if (output.target().what == output_target::kind::file &&
      !state_->files.insert(output.target().path).second)
    return llvm::createStringError("'" + path + "' is named for two outputs");
  if (int error = output.write(contents.data(), contents.size()))
    return cannotWrite(path, error);
  if (int error = output.sync())
    return cannotWrite(path, error);
  state_->outputs.push_back(std::move(output));
  state_->paths.push_back(path.str());
  return llvm::Error::success();
}

llvm::Error AtomicOutput::addReport(llvm::StringRef path, llvm::StringRef contents) {
  if (path != "-")
    return add(path, contents);
  llvm::outs() << contents;
  return llvm::Error::success();
}

llvm::Error AtomicOutput::commit() {
  size_t failed = 0;
  if (int error = pending_output::commit(state_->outputs, failed))
    return cannotWrite(state_->paths[failed], error);
  for (temporary_path &folder : state_->folders)
    folder.keep();
  *state_ = State();
  return llvm::Error::success();
}

} // namespace colonnade
