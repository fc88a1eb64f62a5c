//===- Options.h - The parsed command line ----------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: argv. Out: one Options value.
//
// Invariant: every field has been checked for its form (a name before and a value after each
// `=`, a parsable expression, a known class letter). What needs the source (does the function
// exist?) is checked later.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_DRIVER_OPTIONS_H
#define COLONNADE_DRIVER_OPTIONS_H

#include "Model/CostModels.h"
#include "Normalize/Normalize.h"
#include "Oblivious/Oblivious.h"
#include "Transform/RowPlan.h"

#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace colonnade {

struct BackEnd; // Emit/BackEnds.h

/// What the process returns; of several functions the highest wins.
enum ExitCode : int {
  Accepted = 0,
  Rejected = 1,
  Unsupported = 2,
  Failed = 3, // does not compile, bad command line, an output cannot be written
};

/// `--dump`: a stage's result, printed to standard output.
enum class Dump {
  None,
  Raw,         // --dump=raw          the front end's output
  Ledger,      // --dump=ledger       what the source evaluates, and what became of it
  Ir,          // --dump=ir           canonical IR
  Facts,       // --dump=facts        canonical IR's uniformity
  Certificate, // --dump=certificate  the uniform slice
  Kernel       // --dump=kernel       kernel IR of each target
};

/// `name=value` of `--arg`, `-i` and `-o`.
using Assignment = std::pair<std::string, std::string>;

struct Options {
  /// What the command does with them: one of Commands.h.
  int (*command)(const Options &) = nullptr;

  // Every command that reads sources.
  std::vector<std::string> files;
  std::vector<std::string> functions;  // -f
  std::vector<std::string> clangFlags; // after --
  std::string buildPath;               // -p
  EntryFacts facts;
  Dump dump = Dump::None;

  // check, cost
  std::string jsonPath; // "-": standard output

  // check
  std::string sarifPath;
  bool verbose = false;           // --verbose
  bool all = false;               // --all: a table of every function
  bool validate = false;          // --validate: compare with the recorded original
  unsigned witnessSeconds = 0;    // --witness: look that long for two inputs; 0: do not
  std::set<VerdictClass> allowed; // --allow: counts as accepted
  std::set<VerdictClass> errorOn; // --error-on: counts as rejected

  // emit, run
  std::vector<const BackEnd *> targets; // --target cuda,cpu; in the order of the table. run: of all
                                        // runners, whether there is a device or not
  RowPlan rowPlan;                      // --plan; cost, too

  // tune
  std::string tuningPath;    // -o; emit: --tuning
  std::string prepareFolder; // --prepare
  std::string collectFolder; // --collect

  // emit
  std::string gpu; // --gpu: whose entries of the tuning file are taken
  std::string outputDirectory;
  std::string depfile;

  // run
  std::string runTarget = "auto"; // auto, or a back end's name
  std::string compiler;           // --compiler; else $CXX, c++, g++, clang++
  bool useCache = true;           // --no-cache
  bool vectorMath = false;        // --vector-math
  std::string sourcesFolder;      // --sources: write the runner's files, do not run
  std::vector<std::string> runnerArguments;

  model::CostOptions cost;
  std::string costTarget = "cuda"; // whose kernel is priced
  std::string plotPath;            // cost: SVG

  // run, trace, cost, check --validate
  std::vector<Assignment> arguments; // --arg n=32
  std::vector<Assignment> inputs;    // -i b=in.npy

  // explain
  std::string diagnostic;
};

/// The options, or the exit code after help, version or an error was printed.
std::variant<Options, int> parseCommandLine(int argc, const char *const *argv);

} // namespace colonnade

#endif // COLONNADE_DRIVER_OPTIONS_H
