//===- FileNames.cpp - Names of files as the user's folder has them -------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Sources/FileNames.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace colonnade::frontend {

std::string nameFromHere(const clang::FileEntryRef &file) {
  const llvm::StringRef name = file.getName();
  // Made absolute when it was opened, in the folder of its compilation.
  const llvm::StringRef opened = file.getFileEntry().tryGetRealPathName();
  if (opened.empty() || llvm::sys::path::is_absolute(name))
    return name.str();
  llvm::SmallString<256> here(name);
  llvm::sys::fs::make_absolute(here);
  llvm::sys::path::remove_dots(here, /*remove_dot_dot=*/true);
  return (here == opened ? name : opened).str();
}

} // namespace colonnade::frontend
