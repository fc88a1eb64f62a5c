//===- ForeignFlags.cpp - Flags of other compilers ------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Sources/ForeignFlags.h"

#include "clang/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

namespace colonnade::frontend {

/// How flags of GCC 12 begin that say how code is optimised, laid out, traced or linked, or what
/// is warned of; -fno- and -mno- as -f and -m.
static constexpr llvm::StringLiteral harmless[] = {
    "-fcallgraph-info",
    "-fconcepts",
    "-fconserve-stack",
    "-fdevirtualize",
    "-fdiagnostics-",
    "-fdump-",
    "-ffat-lto-objects",
    "-fgcse",
    "-fguess-branch-probability",
    "-fif-conversion",
    "-fipa-",
    "-fira-",
    "-flto",
    "-fmax-errors=",
    "-fpartial-inlining",
    "-freorder-",
    "-fsched",
    "-fsel-sched",
    "-fssa-",
    "-ftree-",
    "-fuse-linker-plugin",
    "-fvar-tracking",
    "-maccumulate-outgoing-args",
    "-mfentry",
    "-mfunction-return=",
    "-mindirect-branch",
    "-mnop-mcount",
    "-mpreferred-stack-boundary=",
    "-mrecord-mcount",
};

static bool isHarmless(llvm::StringRef flag) {
  std::string positive = flag.str();
  for (llvm::StringRef negated : {"-fno-", "-mno-"})
    if (flag.starts_with(negated))
      positive = (negated.take_front(2) + flag.drop_front(negated.size())).str();
  return llvm::any_of(harmless,
                      [&](llvm::StringRef prefix) { return positive.starts_with(prefix); });
}

namespace {
/// The last of the two is in force.
struct Switch {
  llvm::StringLiteral on, off;
};
} // namespace

/// 0.1 is a float; the fields of `int f : 3` have no sign; a definition may be replaced where files
/// are linked.
static constexpr Switch neglected[] = {
    {"-fsingle-precision-constant", "-fno-single-precision-constant"},
    {"-funsigned-bitfields", "-fsigned-bitfields"},
    {"-fsemantic-interposition", "-fno-semantic-interposition"},
};

/// Denormal numbers are those of IEEE 754 here.
static bool flushesDenormals(const clang::tooling::CommandLineArguments &args) {
  return llvm::any_of(args, [](llvm::StringRef arg) {
    const auto [flag, mode] = arg.split('=');
    return flag.starts_with("-fdenormal-fp-math") && mode != "ieee" && mode != "ieee,ieee";
  });
}

bool hasNeglectedFlag(const clang::tooling::CommandLineArguments &args) {
  return flushesDenormals(args) || llvm::any_of(neglected, [&](const Switch &flag) {
           auto isEither = [&](llvm::StringRef arg) { return arg == flag.on || arg == flag.off; };
           const auto last = llvm::find_if(llvm::reverse(args), isEither);
           return last != args.rend() && *last == flag.on;
         });
}

clang::tooling::CommandLineArguments
withoutHarmlessFlags(const clang::tooling::CommandLineArguments &args) {
  llvm::SmallVector<const char *> words;
  for (const std::string &arg : llvm::drop_begin(args))
    words.push_back(arg.c_str());
  unsigned missing = 0, missingCount = 0;
  const llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      words, missing, missingCount, llvm::opt::Visibility(clang::driver::options::ClangOption));
  llvm::StringSet<> left;
  for (const llvm::opt::Arg *arg : parsed.filtered(clang::driver::options::OPT_UNKNOWN))
    if (std::string flag = arg->getAsString(parsed); isHarmless(flag))
      left.insert(flag);
  clang::tooling::CommandLineArguments result = args;
  llvm::erase_if(result, [&](const std::string &arg) { return left.contains(arg); });
  return result;
}

} // namespace colonnade::frontend
