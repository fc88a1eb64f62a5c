//===- FileNames.h - Names of files as the user's folder has them -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compilation database may name files relative to the folder where it compiles them. Messages,
// tables and depfiles are read elsewhere: in the folder where the tool was started.
//
// In: a file of Clang's. Out: a name by which the user's folder finds it: its own one if that does,
// else an absolute one.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_FRONTEND_FILENAMES_H
#define COLONNADE_FRONTEND_FILENAMES_H

#include "clang/Basic/FileEntry.h"

#include <string>

namespace colonnade::frontend {

/// The file's name, from the current folder.
std::string nameFromHere(const clang::FileEntryRef &file);

} // namespace colonnade::frontend

#endif // COLONNADE_FRONTEND_FILENAMES_H
