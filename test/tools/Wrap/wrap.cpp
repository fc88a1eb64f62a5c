//===- wrap.cpp - Makes a C programme an entry in C++ ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// colonnade-wrap [--plant] NAME FILE.c [-- CLANG-FLAGS]
//
// Writes the C++ text that Programme.h describes to standard output. --plant: with a false
// `if`, so that the programme fails. Exit 3: the file is no C, or has nowhere to plant one.
//
//===----------------------------------------------------------------------===//

#include "Frontend/Sources/ToolInvocation.h"
#include "Wrap/Programme.h"

#include "clang/Frontend/ASTUnit.h"

using namespace colonnade;

static int usage() {
  llvm::errs() << "usage: colonnade-wrap [--plant] NAME FILE.c [-- FLAGS]\n";
  return 3;
}

int main(int argc, char **argv) {
  FrontendOptions options;
  std::vector<std::string> words;
  bool plants = false;
  std::vector<std::string> *into = &words;
  for (int i = 1; i < argc; ++i) {
    if (llvm::StringRef(argv[i]) == "--")
      into = &options.clangFlags;
    else if (llvm::StringRef(argv[i]) == "--plant")
      plants = true;
    else
      into->push_back(argv[i]);
  }
  if (words.size() != 2)
    return usage();
  options.files = {words[1]};
  frontend::Additions additions;
  llvm::Expected<frontend::Units> units = frontend::parseSources(options, additions);
  if (!units) {
    llvm::errs() << llvm::toString(units.takeError()) << "\n";
    return 3;
  }
  wrap::Programme programme((*units)[0]->getASTContext());
  if (plants && !programme.plant()) {
    llvm::errs() << words[1] << ": no 'if' of 'main' aborts\n";
    return 3;
  }
  llvm::outs() << programme.text(words[0]);
  return 0;
}
