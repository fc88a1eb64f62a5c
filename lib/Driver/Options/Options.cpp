//===- Options.cpp - Command line to Options ------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Options/Options.h"

#include "Driver/Commands/Commands.h"
#include "Driver/Options/OptionTexts.h"
#include "Emit/BackEnds.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <sstream>

namespace colonnade {
namespace {

class Parser {
public:
  std::variant<Options, int> parse(int argc, const char *const *argv);

private:
  CLI::App *addCommand(const std::string &name, const std::string &description,
                       int (*command)(const Options &));
  std::string commandNames();
  void addSourceOptions(CLI::App *app);
  void addPlan(CLI::App *app);
  void passToRunner(CLI::App *run, const std::string &name, const std::string &description,
                    const std::string &placeholder);
  void addCheck();
  void addEmit();
  void addStems();
  void addRun();
  void addTrace();
  void addExplain();
  void addCost();
  void addTune();
  void checkAll();
  void checkSizes() const;
  void checkPlan();
  void checkValidate();
  void checkTuning();
  void finishCost();
  void finish();

  CLI::App app_{"colonnade proves that a sequential C or C++ function is oblivious, and rewrites "
                "it so\nthat many independent inputs run at once, on a GPU or on CPU vectors.",
                "colonnade"};
  Options options_;
  OptionTexts texts_;
};

CLI::App *Parser::addCommand(const std::string &name, const std::string &description,
                             int (*command)(const Options &)) {
  CLI::App *sub = app_.add_subcommand(name, description);
  sub->callback([this, command] { options_.command = command; });
  return sub;
}

/// `--verify=`: CLI11 would take it as `--verify`. No file, name or list is empty: '' stands for a
/// variable of the shell that is not set.
void checkValue(llvm::StringRef word) {
  if (word.empty())
    throw CLI::ArgumentMismatch("an argument is empty: leave the option out, or give it a value");
  if (word.starts_with("--") && word.find('=') == word.size() - 1)
    throw CLI::ArgumentMismatch(word.str() + " needs a value");
}

/// "check, emit, run"
std::string Parser::commandNames() {
  auto name = [](const CLI::App *command) { return command->get_name(); };
  return llvm::join(llvm::map_range(app_.get_subcommands([](CLI::App *) { return true; }), name),
                    ", ");
}

/// One value per occurrence, so that `-f a b.cpp` does not take b.cpp for a name.
CLI::Option *addList(CLI::App *app, const std::string &name, std::vector<std::string> &into,
                     const std::string &description, const std::string &placeholder) {
  return app->add_option(name, into, description)
      ->type_name(placeholder)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

std::vector<std::string> targetNames() {
  std::vector<std::string> names;
  for (const BackEnd &backEnd : backEnds())
    names.emplace_back(backEnd.name);
  return names;
}

void Parser::addSourceOptions(CLI::App *app) {
  app->add_option("FILE", options_.files, "C or C++ source files; Clang flags go after --");
  addList(app, "-f,--function", options_.functions,
          "a function: 'ns::f', 'f(int*,int)', 'f<float,8>'; without -f, all marked "
          "COLONNADE_BULK, else the only one",
          "NAME");
  addList(app, "--extent", texts_.extents, "cells behind a pointer, b=n*n, or per dimension b=n,m",
          "NAME=EXPR");
  addList(app, "--uniform", texts_.uniform, "a parameter that is the same in all instances",
          "NAME");
  addList(app, "--instance", texts_.instance, "a scalar parameter that differs by instance",
          "NAME");
  addList(app, "--alias", texts_.aliases, "two parameters that are the same array", "OUT=IN");
  addList(app, "--bound", texts_.bounds, "iterations of the loop on that line, at most",
          "[FILE:]LINE=EXPR");
  addList(app, "--size", texts_.sizes,
          "a uniform scalar, fixed in the generated code; emit: n=8,16 for code for each, n=1..32 "
          "for one "
          "kernel for the range, and for all",
          "NAME=VALUE");
  app->add_option("-p", options_.buildPath, "folder of a compile_commands.json")
      ->type_name("BUILD");
  app->add_option("--dump", texts_.dump, "print raw, ir, facts, certificate or kernel, and stop")
      ->type_name("STAGE");
}

void Parser::addCheck() {
  CLI::App *sub = addCommand("check", "say whether functions are oblivious, and why not", runCheck);
  addSourceOptions(sub);
  sub->add_option("--json", options_.jsonPath, "write the report as JSON, - for standard output")
      ->type_name("FILE");
  sub->add_option("--sarif", options_.sarifPath, "write the findings as SARIF 2.1.0")
      ->type_name("FILE");
  sub->add_flag("-v,--verbose", options_.verbose,
                "also print branches and exits on data, parameters and the number of accesses");
  sub->add_flag("--all", options_.all,
                "a table of every function of the files, or with -p alone of the project");
  sub->add_flag("--validate", options_.validate,
                "record the original at small sizes, and compare with the certificate");
  sub->add_flag("--witness", texts_.witness,
                "for what is refused, look for two inputs whose addresses differ; --witness=N "
                "seconds");
  addList(sub, "--arg", texts_.arguments, "with --validate or --witness: a uniform scalar",
          "NAME=VALUE");
  addList(sub, "-i", texts_.inputs, "with --validate or --witness: contents of a uniform array",
          "NAME=FILE");
  addList(sub, "--allow", texts_.allowed, "a class that does not fail the command", "CLASS");
  addList(sub, "--error-on", texts_.errorOn, "a class that fails the command", "CLASS");
}

void Parser::addEmit() {
  CLI::App *sub = addCommand("emit", "write f.bulk.hpp, .cpp, .cu and .json", runEmit);
  addSourceOptions(sub);
  sub->add_option("-o", options_.outputDirectory, "folder of the outputs")
      ->type_name("DIR")
      ->required();
  sub->add_option("--target", texts_.targets, backEndNames() + ", or several: cpu,cuda")
      ->type_name("LIST")
      ->required();
  addPlan(sub);
  sub->add_option("--tuning", options_.tuningPath, "plans that tune has found, on the GPU of --gpu")
      ->type_name("FILE");
  sub->add_option("--gpu", options_.gpu, "whose plans are taken; else the one that the file names")
      ->type_name("NAME");
  sub->add_option("--depfile", options_.depfile, "where the depfile goes; else DIR/colonnade.d")
      ->type_name("FILE");
}

/// Of kernels for row-wise instances.
void Parser::addPlan(CLI::App *app) {
  app->add_option("--plan", texts_.plan,
                  "of CUDA kernels for rows, else the best: " + rowPlanNames())
      ->type_name("NAME");
}

void Parser::addStems() {
  addSourceOptions(addCommand("stems", "print what emit calls each function's files", runStems));
}

/// An option that the runner reads, in the same spelling (bulk/runner/options.hpp).
void Parser::passToRunner(CLI::App *run, const std::string &name, const std::string &description,
                          const std::string &placeholder) {
  auto pass = [this, name](const std::string &value) {
    if (!value.empty())
      options_.runnerArguments.insert(options_.runnerArguments.end(), {name, value});
  };
  run->add_option_function<std::string>(name, pass, description)->type_name(placeholder);
}

void Parser::addRun() {
  CLI::App *sub =
      addCommand("run", "build a runner for a function and run it over .npy files", runRun);
  addSourceOptions(sub);
  passToRunner(sub, "--count", "instances; else the inputs' first dimension", "P");
  addList(sub, "--arg", texts_.arguments, "a uniform scalar", "NAME=VALUE");
  addList(sub, "-i", texts_.inputs, "an input array", "NAME=FILE");
  addList(sub, "-o", texts_.outputs, "an output array", "NAME=FILE");
  std::vector<std::string> targets = targetNames();
  targets.insert(targets.begin(), "auto");
  sub->add_option("--target", options_.runTarget, "auto, " + backEndNames())
      ->type_name("TARGET")
      ->check(CLI::IsMember(targets));
  passToRunner(sub, "--layout", "row, column or tiled (in device memory)", "NAME");
  addPlan(sub);
  passToRunner(sub, "--device-memory", "budget of one run on each device", "BYTES");
  passToRunner(sub, "--devices", "GPUs that share the instances; else 1; 0: all", "N");
  passToRunner(sub, "--threads", "CPU threads; else all cores", "N");
  passToRunner(sub, "--isa", "avx512, avx2 or sse2; else the best", "NAME");
  sub->add_option("--compiler", options_.compiler, "host compiler; else $CXX, c++, g++, clang++")
      ->type_name("PATH");
  sub->add_option("--sources", options_.sourcesFolder,
                  "write the runner's sources there, for all targets, and stop")
      ->type_name("DIR");
  sub->add_flag_callback(
      "--no-cache", [this] { options_.useCache = false; },
      "build the runner, also if it was built before");
  sub->add_flag("--vector-math", options_.vectorMath,
                "on the CPU, functions of <cmath> for all lanes at once, by SLEEF (1.5 ulp)");
  sub->add_flag("--verify", texts_.verify,
                "compare with the sequential function; --verify=all, or =N instances");
}

void Parser::addTrace() {
  CLI::App *sub =
      addCommand("trace", "print a(i), the address of every access, one a line", runTrace);
  addSourceOptions(sub);
  addList(sub, "--arg", texts_.arguments, "a uniform scalar", "NAME=VALUE");
  addList(sub, "-i", texts_.inputs, "contents of a uniform array", "NAME=FILE");
}

void Parser::addTune() {
  CLI::App *sub =
      addCommand("tune", "measure the plans of CUDA kernels on a GPU, for emit --tuning", runTune);
  addSourceOptions(sub);
  addList(sub, "--arg", texts_.arguments, "a uniform scalar", "NAME=VALUE");
  addList(sub, "-i", texts_.inputs, "what an array holds; others have random cells", "NAME=FILE");
  sub->add_option("-o", options_.tuningPath,
                  "the file that says what was found; what it has of others stays")
      ->type_name("FILE");
  sub->add_option("--prepare", options_.prepareFolder,
                  "write what measures there, for another machine, and stop")
      ->type_name("DIR");
  sub->add_option("--collect", options_.collectFolder,
                  "read what DIR/measure has measured there; without sources")
      ->type_name("DIR");
}

void Parser::addExplain() {
  CLI::App *sub =
      addCommand("explain", "explain a diagnostic or a verdict class, with an example", runExplain);
  sub->add_option("ID", options_.diagnostic, "OBL204, for example")->required();
}

void Parser::addCost() {
  CLI::App *sub = addCommand("cost", "predict the cost under memory models", runCost);
  addSourceOptions(sub);
  auto add = [&](const std::string &name, std::string &into, const std::string &value,
                 const std::string &description, const std::string &placeholder) {
    into = value;
    return sub->add_option(name, into, description)->type_name(placeholder);
  };
  add("--count", texts_.count, "", "instances", "P")->required();
  addList(sub, "--arg", texts_.arguments, "a uniform scalar", "NAME=VALUE");
  addList(sub, "-i", texts_.inputs, "contents of a uniform array", "NAME=FILE");
  add("--model", texts_.models, "", llvm::join(model::costModelNames(), ", ") + "; else all",
      "LIST");
  add("--layout", texts_.layouts, "tiled,column,row", "row, column, tiled; else all", "LIST");
  sub->add_option("--target", options_.costTarget, "the kernel that is priced: " + backEndNames())
      ->type_name("TARGET")
      ->check(CLI::IsMember(targetNames()));
  addPlan(sub);
  addList(sub, "--place", texts_.places,
          "global, registers or local: where an array is taken to be", "NAME=PLACE");
  add("--base", texts_.base, "0",
      "cells from an aligned address to the first of each of the caller's arrays (0)", "CELLS");
  add("--machine", texts_.machine, "",
      llvm::join(model::builtinMachineNames(), ", ") + "; or a file: what is not given is its",
      "NAME|FILE");
  add("--width", texts_.width, "",
      "threads of a warp and cells of a group on the UMM and DMM; k of the K-model (32)", "W");
  add("--latency", texts_.latency, "", "time units of a request on the UMM and DMM (600)", "L");
  add("--dmms", texts_.dmms, "", "DMMs of the HMM (132)", "D");
  add("--policy", texts_.policies, "lru,islru", "VAT: lru, islru, ismin, min", "LIST");
  add("--page", texts_.page, "", "VAT: bytes of a page (2097152)", "P");
  add("--fanout", texts_.fanout, "", "VAT: children of a node of the translation tree (512)", "K");
  add("--cache", texts_.cache, "", "VAT: nodes that the translation cache holds (64)", "W");
  add("--tau", texts_.tau, "", "VAT: cost of an insertion (1)", "T");
  add("--depth", texts_.depth, "", "VAT: layers above the leaves; else the fewest", "D");
  add("--resident", texts_.resident, "", "VAT: instances of a wave; else all", "R");
  sub->add_flag("--broadcast", texts_.broadcast,
                "on the DMM, requests of one warp for one address are one request");
  sub->add_flag("--no-broadcast", texts_.noBroadcast, "they are not, though the machine is real");
  sub->add_option("--json", options_.jsonPath, "write the costs as JSON, - for standard output")
      ->type_name("FILE");
  sub->add_option("--plot", options_.plotPath, "draw the time by the number of instances, as SVG")
      ->type_name("FILE");
}

/// What would have no effect without --validate or --witness is an error.
void Parser::checkValidate() {
  if (!texts_.witness.empty())
    options_.witnessSeconds = parseWitnessSeconds(texts_.witness);
  if (options_.command != runCheck || options_.validate || options_.witnessSeconds)
    return;
  auto refuse = [](const std::string &option) {
    throw CLI::ValidationError(option, "has no use without --validate or --witness");
  };
  if (!texts_.arguments.empty())
    refuse("--arg");
  if (!texts_.inputs.empty())
    refuse("-i");
}

/// What would have no effect beside --all is an error.
void Parser::checkAll() {
  if (!options_.all)
    return;
  auto refuse = [](const std::string &option, const std::string &why) {
    throw CLI::ValidationError("--all", option + " has no use here" + why);
  };
  if (!options_.functions.empty())
    refuse("-f", "");
  if (!options_.sarifPath.empty())
    refuse("--sarif", "");
  if (!texts_.dump.empty())
    refuse("--dump", "");
  if (options_.validate)
    refuse("--validate", "");
  if (!texts_.witness.empty())
    refuse("--witness", "");
  bool facts = !texts_.extents.empty() || !texts_.uniform.empty() || !texts_.instance.empty() ||
               !texts_.aliases.empty() || !texts_.bounds.empty() || !texts_.sizes.empty();
  if (facts && options_.files.empty())
    refuse("a fact", ": name the files that it is about");
}

/// A plan for kernels that are not made is an error.
void Parser::checkPlan() {
  const bool isOfCuda = options_.command == runEmit
                            ? llvm::is_contained(options_.targets, findBackEnd("cuda"))
                        : options_.command == runRun ? options_.runTarget != "cpu"
                                                     : options_.costTarget == "cuda";
  if (options_.rowPlan.kind != RowPlan::Kind::Best && !isOfCuda)
    throw CLI::ValidationError("--plan", "has no use without --target cuda");
}

void Parser::checkTuning() {
  if (options_.command == runEmit) {
    if (!options_.gpu.empty() && options_.tuningPath.empty())
      throw CLI::ValidationError("--gpu", "has no use without --tuning");
    if (!options_.tuningPath.empty() && !texts_.plan.empty())
      throw CLI::ValidationError("--tuning", "contradicts --plan");
    if (!options_.tuningPath.empty() && !llvm::is_contained(options_.targets, findBackEnd("cuda")))
      throw CLI::ValidationError("--tuning", "has no use without --target cuda");
  }
  if (options_.command != runTune)
    return;
  const bool prepares = !options_.prepareFolder.empty(), collects = !options_.collectFolder.empty();
  if (prepares && (collects || !options_.tuningPath.empty()))
    throw CLI::ValidationError("--prepare",
                               std::string("has no use with ") + (collects ? "--collect" : "-o"));
  if (collects && !options_.files.empty())
    throw CLI::ValidationError("--collect", "takes no sources");
  if (!prepares && options_.tuningPath.empty())
    throw CLI::RequiredError("-o");
}

void Parser::finishCost() {
  options_.cost = parseCost(texts_, options_.costTarget == "cuda");
  options_.cost.wantsPlot = !options_.plotPath.empty();
  if (options_.cost.wantsPlot && !options_.cost.wants("time"))
    throw CLI::ValidationError("--plot", "draws the time, which --model leaves out");
}

/// Lists of sizes are for code alone, ranges for what needs no plans to choose from.
void Parser::checkSizes() const {
  const bool isOfCode = options_.command == runEmit || options_.command == runStems ||
                        options_.command == runTune || options_.dump == Dump::Kernel;
  if (!options_.facts.sizeLists.empty() && !isOfCode)
    throw CLI::ValidationError("--size",
                               "takes several values of a scalar only with emit and tune: "
                               "name one");
  for (const auto &[name, ranges] : options_.facts.sizeLists)
    for (const SizeRange &range : ranges)
      if (!range.isOne() && options_.command == runTune)
        throw CLI::ValidationError("--size", "'" + name + "=" + str(range) +
                                                 "' is a range, whose kernel has one plan: tune "
                                                 "takes sizes by name, as in " +
                                                 name + "=8,16");
}

void Parser::finish() {
  bool isProject = options_.all && !options_.buildPath.empty();
  bool readsSources = options_.command != runExplain && options_.collectFolder.empty();
  if (readsSources && options_.files.empty() && !isProject)
    throw CLI::RequiredError(options_.all ? "FILE, or -p BUILD," : "FILE");
  checkAll();
  checkValidate();
  options_.facts = parseFacts(texts_);
  if (options_.command == runCost)
    finishCost();
  if (options_.command == runEmit)
    options_.targets = parseTargets(texts_.targets);
  if (options_.command == runRun)
    options_.targets = {findBackEnd("cpu")};
  options_.rowPlan = parsePlan(texts_.plan);
  checkPlan();
  checkTuning();
  options_.dump = parseDump(texts_.dump);
  checkSizes();
  options_.allowed = parseClasses("--allow", texts_.allowed);
  options_.errorOn = parseClasses("--error-on", texts_.errorOn);
  options_.arguments = parseAssignments("--arg", texts_.arguments);
  options_.inputs = parseAssignments("-i", texts_.inputs);
  parseAssignments("-o", texts_.outputs);
  auto pass = [this](const std::string &name, const std::vector<std::string> &values) {
    for (const std::string &value : values)
      options_.runnerArguments.insert(options_.runnerArguments.end(), {name, value});
  };
  if (!texts_.verify.empty())
    options_.runnerArguments.push_back(verifyArgument(texts_.verify));
  pass("--arg", texts_.arguments);
  pass("-i", texts_.inputs);
  pass("-o", texts_.outputs);
}

std::variant<Options, int> Parser::parse(int argc, const char *const *argv) {
  app_.set_version_flag("--version", "colonnade " COLONNADE_VERSION);
  addCheck();
  addEmit();
  addStems();
  addRun();
  addTrace();
  addExplain();
  addCost();
  addTune();

  std::vector<std::string> own;
  int i = 1;
  for (; i < argc && std::string_view(argv[i]) != "--"; ++i)
    own.emplace_back(argv[i]);
  for (++i; i < argc; ++i)
    options_.clangFlags.emplace_back(argv[i]);
  auto named = [&](CLI::App *command) { return command->check_name(own[0]); };
  if (own.empty() || (own[0][0] != '-' && app_.get_subcommands(named).empty())) {
    llvm::errs() << (own.empty() ? "error: no command given"
                                 : "error: unknown command '" + own[0] + "'")
                 << "; commands are " << commandNames() << " (see --help)\n";
    return static_cast<int>(Failed);
  }
  app_.require_subcommand(1);
  std::reverse(own.begin(), own.end()); // CLI11 takes the last first
  try {
    llvm::for_each(own, checkValue);
    app_.parse(own);
    finish();
  } catch (const CLI::Success &success) {
    std::ostringstream text;
    app_.exit(success, text, text);
    llvm::outs() << text.str();
    return static_cast<int>(Accepted);
  } catch (const CLI::Error &error) {
    llvm::errs() << "error: " << error.what() << '\n';
    return static_cast<int>(Failed);
  }
  return std::move(options_);
}

} // namespace

std::variant<Options, int> parseCommandLine(int argc, const char *const *argv) {
  return Parser().parse(argc, argv);
}

} // namespace colonnade
