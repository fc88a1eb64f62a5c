//===- Options.cpp - Command line to Options ------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Options.h"

#include "Emit/BackEnds.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/raw_ostream.h"

#include <array>
#include <charconv>

namespace colonnade {
namespace {

using Failure = CLI::ValidationError;

/// Texts of list options, before they are parsed into Options.
struct RawTexts {
  std::vector<std::string> extents, uniform, instance, aliases, bounds, sizes;
  std::vector<std::string> arguments, inputs, outputs, allowed, errorOn;
  std::string targets, dump, count, deviceMemory, layout, threads, isa;
  bool verify = false;
};

Assignment splitAssignment(const std::string &option, const std::string &text) {
  size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Failure(option, "expected NAME=VALUE, got '" + text + "'");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

SizeExpr parseExpression(const std::string &option, const std::string &text) {
  std::string error;
  std::optional<SizeExpr> expression = SizeExpr::parse(text, error);
  if (!expression)
    throw Failure(option, "bad expression '" + text + "': " + error);
  return *expression;
}

int64_t parseInteger(const std::string &option, const std::string &text) {
  int64_t value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    throw Failure(option, "expected a whole number, got '" + text + "'");
  return value;
}

/// Splits at commas outside parentheses: "n,max(n,m)" has two dimensions.
std::vector<std::string> splitTopLevel(const std::string &text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::set<VerdictClass> parseClasses(const std::string &option,
                                    const std::vector<std::string> &texts) {
  std::set<VerdictClass> classes;
  for (const std::string &text : texts) {
    std::optional<VerdictClass> known = findVerdictClass(text);
    if (!known)
      throw Failure(option, "unknown class '" + text + "'; classes are " + verdictLetters());
    classes.insert(*known);
  }
  return classes;
}

Dump parseDump(const std::string &text) {
  if (text.empty())
    return Dump::None;
  const std::array<std::pair<const char *, Dump>, 5> stages = {{{"raw", Dump::Raw},
                                                                {"ir", Dump::Ir},
                                                                {"facts", Dump::Facts},
                                                                {"certificate", Dump::Certificate},
                                                                {"kernel", Dump::Kernel}}};
  for (auto [name, dump] : stages)
    if (text == name)
      return dump;
  throw Failure("--dump",
                "unknown stage '" + text + "'; stages are raw ir facts certificate kernel");
}

void parseFacts(const RawTexts &texts, EntryFacts &facts) {
  for (const std::string &text : texts.extents) {
    auto [name, value] = splitAssignment("--extent", text);
    std::vector<SizeExpr> &extents = facts.extents[name];
    extents.clear();
    for (const std::string &dimension : splitTopLevel(value))
      extents.push_back(parseExpression("--extent", dimension));
  }
  facts.uniform.insert(texts.uniform.begin(), texts.uniform.end());
  facts.instance.insert(texts.instance.begin(), texts.instance.end());
  for (const std::string &name : facts.uniform)
    if (facts.instance.count(name))
      throw Failure("--uniform", "'" + name + "' is declared --instance as well");
  for (const std::string &text : texts.aliases)
    facts.aliases.push_back(splitAssignment("--alias", text));
  for (const std::string &text : texts.bounds) {
    auto [line, value] = splitAssignment("--bound", text);
    int64_t number = parseInteger("--bound", line);
    if (number < 1)
      throw Failure("--bound", "lines count from 1, got '" + line + "'");
    facts.bounds[static_cast<unsigned>(number)] = parseExpression("--bound", value);
  }
  for (const std::string &text : texts.sizes) {
    auto [name, value] = splitAssignment("--size", text);
    facts.sizes[name] = parseInteger("--size", value);
  }
}

void parseTargets(const RawTexts &texts, Options &options) {
  if (options.command != Command::Emit)
    return;
  std::set<const BackEnd *> wanted;
  for (const std::string &target : splitTopLevel(texts.targets)) {
    const BackEnd *backEnd = findBackEnd(target);
    if (!backEnd)
      throw Failure("--target", "unknown target '" + target + "'; targets are " + backEndNames());
    wanted.insert(backEnd);
  }
  for (const BackEnd &backEnd : backEnds())
    if (wanted.count(&backEnd))
      options.targets.push_back(&backEnd);
}

/// What the generated runner gets, in its own spelling (bulk/runner.hpp).
void collectRunnerArguments(const RawTexts &texts, Options &options) {
  auto add = [&](const std::string &name, const std::string &value) {
    if (!value.empty()) {
      options.runnerArguments.push_back(name);
      options.runnerArguments.push_back(value);
    }
  };
  add("--count", texts.count);
  for (const std::string &text : texts.arguments)
    add("--arg", text);
  for (const std::string &text : texts.inputs)
    add("-i", text);
  for (const std::string &text : texts.outputs)
    splitAssignment("-o", text), add("-o", text);
  add("--device-memory", texts.deviceMemory);
  add("--layout", texts.layout);
  add("--threads", texts.threads);
  add("--isa", texts.isa);
  if (texts.verify)
    options.runnerArguments.push_back("--verify");
}

class Parser {
public:
  std::variant<Options, int> parse(int argc, const char *const *argv);

private:
  CLI::App *addCommand(const std::string &name, const std::string &description, Command command);
  void addSourceOptions(CLI::App *app);
  void addCheck();
  void addEmit();
  void addRun();
  void addTrace();
  void addExplain();
  void addCost();
  void finish();

  CLI::App app_{"colonnade proves that a sequential C or C++ function is oblivious, and rewrites "
                "it so\nthat many independent inputs run at once, on a GPU or on CPU vectors.",
                "colonnade"};
  Options options_;
  RawTexts texts_;
};

CLI::App *Parser::addCommand(const std::string &name, const std::string &description,
                             Command command) {
  CLI::App *sub = app_.add_subcommand(name, description);
  sub->callback([this, command] { options_.command = command; });
  return sub;
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

void Parser::addSourceOptions(CLI::App *app) {
  app->add_option("FILE", options_.files, "C or C++ source files; Clang flags go after --")
      ->required();
  addList(app, "-f,--function", options_.functions,
          "a function: 'ns::f', 'f(int*,int)', 'f<float,8>'; without -f, all marked "
          "COLONNADE_BULK",
          "NAME");
  addList(app, "--extent", texts_.extents, "cells behind a pointer, b=n*n, or per dimension b=n,m",
          "NAME=EXPR");
  addList(app, "--uniform", texts_.uniform, "a parameter that is the same in all instances",
          "NAME");
  addList(app, "--instance", texts_.instance, "a scalar parameter that differs by instance",
          "NAME");
  addList(app, "--alias", texts_.aliases, "two parameters that are the same array", "OUT=IN");
  addList(app, "--bound", texts_.bounds, "iterations of the loop on that line, at most",
          "LINE=EXPR");
  addList(app, "--size", texts_.sizes, "a uniform scalar, fixed in the generated code",
          "NAME=VALUE");
  app->add_option("-p", options_.buildPath, "folder of a compile_commands.json")
      ->type_name("BUILD");
  app->add_option("--dump", texts_.dump, "print raw, ir, facts, certificate or kernel, and stop")
      ->type_name("STAGE");
}

void Parser::addCheck() {
  CLI::App *sub =
      addCommand("check", "say whether functions are oblivious, and why not", Command::Check);
  addSourceOptions(sub);
  sub->add_option("--json", options_.jsonPath, "write the report as JSON, - for standard output")
      ->type_name("FILE");
  sub->add_option("--sarif", options_.sarifPath, "write the findings as SARIF 2.1.0")
      ->type_name("FILE");
  addList(sub, "--allow", texts_.allowed, "a class that does not fail the command", "CLASS");
  addList(sub, "--error-on", texts_.errorOn, "a class that fails the command", "CLASS");
}

void Parser::addEmit() {
  CLI::App *sub = addCommand("emit", "write f.bulk.hpp, .cpp, .cu and .json", Command::Emit);
  addSourceOptions(sub);
  sub->add_option("-o", options_.outputDirectory, "folder of the outputs")
      ->type_name("DIR")
      ->required();
  sub->add_option("--target", texts_.targets, backEndNames() + ", or several: cpu,cuda")
      ->type_name("LIST")
      ->required();
  sub->add_option("--depfile", options_.depfile, "where the depfile goes; else DIR/colonnade.d")
      ->type_name("FILE");
}

void Parser::addRun() {
  CLI::App *sub =
      addCommand("run", "build a runner for a function and run it over .npy files", Command::Run);
  addSourceOptions(sub);
  sub->add_option("--count", texts_.count, "instances; else the inputs' first dimension")
      ->type_name("P");
  addList(sub, "--arg", texts_.arguments, "a uniform scalar", "NAME=VALUE");
  addList(sub, "-i", texts_.inputs, "an input array", "NAME=FILE");
  addList(sub, "-o", texts_.outputs, "an output array", "NAME=FILE");
  std::vector<std::string> targets = {"auto"};
  for (const BackEnd &backEnd : backEnds())
    targets.push_back(backEnd.name);
  sub->add_option("--target", options_.runTarget, "auto, " + backEndNames())
      ->type_name("TARGET")
      ->check(CLI::IsMember(targets));
  sub->add_option("--layout", texts_.layout, "row, column or tiled (in device memory)")
      ->type_name("NAME");
  sub->add_option("--device-memory", texts_.deviceMemory, "budget of one run on the device")
      ->type_name("BYTES");
  sub->add_option("--threads", texts_.threads, "CPU threads; else all cores")->type_name("N");
  sub->add_option("--isa", texts_.isa, "avx512, avx2 or sse2; else the best")->type_name("NAME");
  sub->add_option("--compiler", options_.compiler, "host compiler; else $CXX, g++, clang++")
      ->type_name("PATH");
  sub->add_option("--sources", options_.sourcesFolder,
                  "write the runner's sources there, for all targets, and stop")
      ->type_name("DIR");
  sub->add_flag("--verify", texts_.verify, "compare with the sequential function");
}

void Parser::addTrace() {
  CLI::App *sub =
      addCommand("trace", "print a(i), the address of every access, one a line", Command::Trace);
  addSourceOptions(sub);
  addList(sub, "--arg", texts_.arguments, "a uniform scalar", "NAME=VALUE");
  addList(sub, "-i", texts_.inputs, "contents of a uniform array", "NAME=FILE");
}

void Parser::addExplain() {
  CLI::App *sub = addCommand("explain", "explain a diagnostic or a verdict class, with an example",
                             Command::Explain);
  sub->add_option("ID", options_.diagnostic, "OBL204, for example")->required();
}

void Parser::addCost() {
  CLI::App *sub = addCommand("cost", "predict the cost under a memory model", Command::Cost);
  sub->allow_extras();
  sub->prefix_command();
}

void Parser::finish() {
  parseFacts(texts_, options_.facts);
  parseTargets(texts_, options_);
  options_.dump = parseDump(texts_.dump);
  options_.allowed = parseClasses("--allow", texts_.allowed);
  options_.errorOn = parseClasses("--error-on", texts_.errorOn);
  for (const std::string &text : texts_.arguments)
    options_.arguments.push_back(splitAssignment("--arg", text));
  for (const std::string &text : texts_.inputs)
    options_.inputs.push_back(splitAssignment("-i", text));
  if (options_.command == Command::Run)
    collectRunnerArguments(texts_, options_);
}

std::variant<Options, int> Parser::parse(int argc, const char *const *argv) {
  app_.set_version_flag("--version", "colonnade " COLONNADE_VERSION);
  addCheck();
  addEmit();
  addRun();
  addTrace();
  addExplain();
  addCost();

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
                 << "; commands are check, emit, run, trace, explain, cost (see --help)\n";
    return static_cast<int>(Failed);
  }
  app_.require_subcommand(1);
  std::reverse(own.begin(), own.end()); // CLI11 takes the last first
  try {
    app_.parse(own);
    finish();
  } catch (const CLI::Success &success) {
    return app_.exit(success), static_cast<int>(Accepted);
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
