//===- RecordedOriginals.cpp - Originals, ready to be recorded ------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Commands/RecordedOriginals.h"

#include "Driver/Generate.h"

#include "llvm/Support/FileSystem.h"

namespace colonnade {

std::string textOf(const record::Site &place) {
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

llvm::json::Object jsonOf(const record::Site &place) {
  return llvm::json::Object{
      {"file", llvm::json::fixUTF8(place.file)}, {"line", place.line}, {"column", place.column}};
}

namespace {

/// The functions of one recorder.
struct Group {
  OriginalCallers callers;
  std::vector<std::vector<ir::ScalarType>> cellTypes;
};

std::string absoluteFile(llvm::StringRef file) {
  llvm::SmallString<256> path(file);
  llvm::sys::fs::make_absolute(path);
  return std::string(path);
}

/// Those of one file, unless two would have one name: f(int) and f(float).
size_t groupFor(std::vector<Group> &groups, const std::string &file, const std::string &name) {
  for (auto [i, group] : llvm::enumerate(groups))
    if (group.callers.definingFile == file && !llvm::is_contained(group.callers.names, name))
      return i;
  groups.emplace_back().callers.definingFile = file;
  return groups.size() - 1;
}

} // namespace

llvm::Expected<RecordedOriginals>
RecordedOriginals::create(const FrontendOptions &options, const ir::Module &module,
                          const std::vector<const CheckedFunction *> &functions,
                          record::Detail detail) {
  RecordedOriginals originals;
  std::vector<Group> groups;
  for (const CheckedFunction *function : functions) {
    const std::string file = absoluteFile(function->source.file);
    const std::string name = sequentialName(identifierOf(function->canonical));
    const size_t index = groupFor(groups, file, name);
    Group &group = groups[index];
    auto caller = sequentialFile(module, *function, file, /*isRecorded=*/true,
                                 /*isFirst=*/group.callers.names.empty());
    if (!caller)
      return caller.takeError();
    originals.places_.push_back({index, group.callers.names.size()});
    originals.arrays_.emplace_back(module.function(function->entry), function->canonical);
    group.callers.names.push_back(name);
    group.callers.text += caller->text;
    group.callers.isC = function->source.isC;
    group.cellTypes.push_back(originals.arrays_.back().cellTypes());
  }
  for (Group &group : groups) {
    auto recorder =
        record::Recorder::create(options, group.callers, std::move(group.cellTypes), detail);
    if (!recorder)
      return recorder.takeError();
    originals.recorders_.push_back(std::move(*recorder));
  }
  return originals;
}

} // namespace colonnade
