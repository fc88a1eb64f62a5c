//===- FrontEndFuzzer.cpp - Any text as a source file ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `check --all` of a text, as C if it begins with `//c` and as C++ otherwise, behind the
// declarations of Inputs/library.h: it does not compile, or every function has a verdict. A
// fault of the tool itself (OBL304, OBL305, OBL306) ends the process.
//
// Left out is what another text could do to Clang or to this machine rather than to us: names
// of files, and Clang's own commands to crash. Texts are mutated by FrontEndMutator.cpp.
//
//===----------------------------------------------------------------------===//

#include "Driver/Pipeline.h"

#include "FrontEndMutator.h"
#include "Require.h"

#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace colonnade;

/// Whether it may be given to Clang.
static bool isHarmless(llvm::StringRef text) {
  for (const char *word : {"include", "embed", "import", "__debug", "_Pragma", "\\\n", "\\\r", "asm"})
    if (text.contains(word))
      return false;
  return !text.contains('\0');
}

/// A source file of this process's own, in memory.
class SourceFile {
public:
  SourceFile() : descriptor_(memfd_create("source", 0)) {
    require(descriptor_ >= 0, "a file in memory");
  }
  void write(llvm::StringRef text) const {
    require(ftruncate(descriptor_, 0) == 0 &&
                pwrite(descriptor_, text.data(), text.size(), 0) == ssize_t(text.size()),
            "the source file is written");
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
  int descriptor_;
};

static Options optionsFor(const std::string &file, bool isC) {
  Options options;
  options.files = {file};
  options.all = true;
  options.clangFlags = {"-x", isC ? "c" : "c++", "-w", "-nostdinc", "-ferror-limit=1",
                        "-ftemplate-depth=32", "-fconstexpr-depth=64", "-fconstexpr-steps=4096",
                        "-fbracket-depth=64", "-include", COLONNADE_FUZZERS_LIBRARY};
  return options;
}

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  return setenv("COLONNADE_ABORT_ON_FAULT", "1", 1);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  if (!isHarmless(text))
    return -1; // does not enter the corpus
  static const SourceFile file;
  file.write(text);
  llvm::Expected<Analysis> analysis = analyse(optionsFor(file.path(), text.starts_with("//c")));
  if (analysis)
    return 0;
  llvm::consumeError(analysis.takeError());
  // Of the tree's own sources: else nothing but error messages would be tested.
  require(!std::getenv("COLONNADE_FUZZERS_SEEDS"), "a seed compiles");
  return -1;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed) {
  return mutateSource(data, size, maxSize, seed);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *into, size_t intoSize,
                                            const uint8_t *from, size_t fromSize, uint8_t *out,
                                            size_t maxSize, unsigned seed) {
  return crossSources({into, intoSize}, {from, fromSize}, out, maxSize, seed);
}
