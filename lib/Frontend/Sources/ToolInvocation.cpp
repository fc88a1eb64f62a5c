//===- ToolInvocation.cpp - Runs Clang on the sources ---------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Sources/ToolInvocation.h"
#include "Frontend/Sources/ForeignFlags.h"
#include "Frontend/Sources/ForeignSyntax.h"
#include "Frontend/Sources/NestingLimits.h"

#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace colonnade::frontend {

using clang::tooling::CommandLineArguments;

/// As Clang takes it: what the last -x says, else the suffix. A .h is a header of C.
static bool isC(llvm::StringRef file, const CommandLineArguments &args) {
  bool c = file.ends_with(".c") || file.ends_with(".h");
  for (size_t i = 0; i < args.size(); ++i) {
    llvm::StringRef language = args[i];
    if (!language.consume_front("-x"))
      continue;
    if (language.empty() && i + 1 < args.size())
      language = args[i + 1];
    c = language == "c" || language == "c-header";
  }
  return c;
}

std::vector<std::string> standardFlags(const CommandLineArguments &args, llvm::StringRef file,
                                       bool hasDatabase) {
  auto isStandard = [](llvm::StringRef arg) { return arg.starts_with("-std="); };
  if (llvm::any_of(args, isStandard))
    return {};
  if (isC(file, args))
    return {"-std=gnu17"};
  return {hasDatabase ? "-std=gnu++17" : "-std=gnu++20"}; // what Clang takes a build's for
}

static constexpr const char *ownResourceDir =
#include "ClangResourceDir.inc"
    ;

/// Ours first, so that whatever the user gives wins.
static CommandLineArguments adjust(const CommandLineArguments &args, llvm::StringRef file,
                                   const FrontendOptions &options, bool hasDatabase) {
  CommandLineArguments result;
  if (!args.empty())
    result.push_back(args[0]);
  std::string resources = options.resourceDir.empty() ? ownResourceDir : options.resourceDir;
  auto isResources = [](llvm::StringRef arg) { return arg.starts_with("-resource-dir"); };
  if (llvm::none_of(args, isResources))
    result.insert(result.end(), {"-resource-dir", resources});
  llvm::append_range(result, standardFlags(args, file, hasDatabase));
  result.emplace_back("-D__COLONNADE_TOOL__=1");
  result.emplace_back("-Wno-macro-redefined"); // a source's own #define NDEBUG
  llvm::append_range(result, assertFlags(args, options.clangFlags));
  for (size_t i = 1; i < args.size(); ++i)
    result.push_back(args[i]);
  return result;
}

llvm::Expected<std::unique_ptr<clang::tooling::CompilationDatabase>>
openDatabase(const FrontendOptions &options) {
  if (options.buildPath.empty())
    return std::make_unique<clang::tooling::FixedCompilationDatabase>(".", options.clangFlags);
  const std::string path = options.buildPath + "/compile_commands.json";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("no compile_commands.json in '" + options.buildPath + "'");
  // Clang's own reader would print its errors itself.
  llvm::Expected<llvm::json::Value> wellFormed = llvm::json::parse((*buffer)->getBuffer());
  if (!wellFormed)
    return llvm::createStringError("'" + path + "': " + llvm::toString(wellFormed.takeError()));
  std::string error;
  auto database = clang::tooling::CompilationDatabase::loadFromDirectory(options.buildPath, error);
  if (!database)
    return llvm::createStringError("'" + path + "' is no compilation database");
  return database;
}

/// Clang's tool ends the process, or prints lines of its own, in these cases.
static llvm::Error checkCommands(const clang::tooling::CompilationDatabase &database,
                                 const FrontendOptions &options, const std::string &file) {
  if (options.buildPath.empty())
    return llvm::Error::success();
  llvm::SmallString<256> path(file);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, true);
  auto commands = database.getCompileCommands(path);
  if (commands.empty())
    for (const clang::tooling::CompileCommand &command : database.getAllCompileCommands())
      if (llvm::sys::path::is_relative(command.Directory))
        return llvm::createStringError(
            "'" + options.buildPath + "/compile_commands.json': the directory '" +
            command.Directory + "' of '" + command.Filename + "' must be absolute");
  if (commands.empty())
    return llvm::createStringError("'" + options.buildPath +
                                   "/compile_commands.json' has no command for '" + file +
                                   "'; build it there, or give its flags after --");
  for (const clang::tooling::CompileCommand &command : commands)
    if (!llvm::sys::fs::is_directory(command.Directory))
      return llvm::createStringError("'" + options.buildPath +
                                     "/compile_commands.json': no folder '" + command.Directory +
                                     "', where '" + file + "' is compiled");
  return llvm::Error::success();
}

/// The file's text with `added` behind it, kept as long as the units that refer to it.
static llvm::Error extend(const std::string &file, llvm::StringRef added, VirtualFile &extended) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return llvm::createStringError("cannot read '" + file + "'");
  llvm::SmallString<256> path(file);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, true);
  extended.path = path.str().str();
  extended.text = (*buffer)->getBuffer().str() + "\n" + added.str();
  return llvm::Error::success();
}

/// Behind the build's flags, so that these win; behind a `--` they would be files. (The command
/// that Clang derives for a file that the database lacks has one.)
static void addFlags(CommandLineArguments &args, const std::vector<std::string> &flags) {
  args.insert(llvm::find(args, "--"), flags.begin(), flags.end());
}

void prepareTool(clang::tooling::ClangTool &tool, const FrontendOptions &options) {
  bool hasDatabase = !options.buildPath.empty();
  tool.appendArgumentsAdjuster(
      [&options, hasDatabase](const CommandLineArguments &args, llvm::StringRef name) {
        CommandLineArguments result = adjust(args, name, options, hasDatabase);
        if (hasDatabase)
          addFlags(result, options.clangFlags);
        return withoutHarmlessFlags(result);
      });
  tool.setPrintErrorMessage(false);
}

namespace {

/// Makes an ASTUnit of a file that stays within the limits of nesting. The tool's consumer has the
/// errors of the command line alone: those of the file are printed as its flags say.
class LimitedParse : public clang::tooling::ToolAction {
public:
  std::unique_ptr<clang::ASTUnit> unit;
  std::optional<std::string> passed; // the limit
  /// What Clang has left out of the unit, and GCC would not; or empty.
  std::string leftOut() const { return unit && foreign_ ? foreign_->found() : ""; }

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation,
                     clang::FileManager *files,
                     std::shared_ptr<clang::PCHContainerOperations> containers,
                     clang::DiagnosticConsumer * /*consumer*/) override {
    passed = passedLimit(*invocation, *files);
    if (passed)
      return false;
    auto *foreign = new ForeignSyntax(invocation->getDiagnosticOpts());
    auto diagnostics =
        clang::CompilerInstance::createDiagnostics(&invocation->getDiagnosticOpts(), foreign);
    unit = clang::ASTUnit::LoadFromCompilerInvocation(invocation, std::move(containers),
                                                      std::move(diagnostics), files);
    foreign_ = foreign;
    return unit != nullptr;
  }

private:
  const ForeignSyntax *foreign_ = nullptr; // the unit's
};

} // namespace

static llvm::Error flagsLeftOut(const std::string &file, const FrontendOptions &options) {
  return llvm::createStringError(
      "'" + file +
      "' is compiled with flags that Clang, or this tool, does not take; without them "
      "it may be another programme" +
      (options.buildPath.empty() ? "" : ": give those that it needs after --, without -p"));
}

static llvm::Expected<std::unique_ptr<clang::ASTUnit>>
parseFile(const std::string &file, const VirtualFile *extended,
          const clang::tooling::CompilationDatabase &database, const FrontendOptions &options) {
  // One tool per file: a tool for several announces each of them.
  clang::tooling::ClangTool tool(database, {file});
  prepareTool(tool, options);
  if (extended)
    tool.mapVirtualFile(extended->path, extended->text);
  clang::TextDiagnosticPrinter ofFlags(llvm::errs(), new clang::DiagnosticOptions);
  tool.setDiagnosticConsumer(&ofFlags);
  bool neglectsFlag = false;
  tool.appendArgumentsAdjuster([&](const CommandLineArguments &args, llvm::StringRef) {
    neglectsFlag |= hasNeglectedFlag(args);
    return args;
  });
  LimitedParse parse;
  const bool failed = tool.run(&parse) != 0;
  if (parse.unit && (ofFlags.getNumErrors() > 0 || neglectsFlag)) // Clang goes on without them
    return flagsLeftOut(file, options);
  if (parse.passed)
    return llvm::createStringError(*parse.passed + ", the limit");
  if (failed || !parse.unit || parse.unit->getDiagnostics().hasErrorOccurred())
    return llvm::createStringError("'" + file + "' does not compile");
  if (const std::string leftOut = parse.leftOut(); !leftOut.empty())
    return llvm::createStringError(leftOut);
  return std::move(parse.unit);
}

/// The IR's types are those of machines with 64 bits.
static llvm::Error checkTypes(const clang::ASTContext &context) {
  const clang::TargetInfo &target = context.getTargetInfo();
  const bool fits = target.isLittleEndian() && target.getShortWidth() == 16 &&
                    target.getIntWidth() == 32 && target.getLongWidth() == 64 &&
                    target.getLongLongWidth() == 64 &&
                    (target.getWCharWidth() == 32 || !context.getLangOpts().CPlusPlus) &&
                    target.getPointerWidth(clang::LangAS::Default) == 64;
  if (context.getLangOpts().getSignedOverflowBehavior() != clang::LangOptions::SOB_Undefined)
    return llvm::createStringError("the flags say what a signed sum does that overflows (-fwrapv, "
                                   "-ftrapv), and this tool takes it for undefined; where none "
                                   "overflows, give -fno-wrapv or -fno-trapv after --");
  const clang::LangOptions &language = context.getLangOpts();
  if (language.FastMath || language.UnsafeFPMath || language.AllowFPReassoc ||
      language.NoHonorNaNs || language.NoHonorInfs || language.NoSignedZero ||
      language.AllowRecip || language.ApproxFunc)
    return llvm::createStringError("the flags let compilers change floating-point results "
                                   "(-ffast-math, -Ofast), which may decide an address; give "
                                   "-fno-fast-math after --");
  if (fits)
    return llvm::Error::success();
  return llvm::createStringError("the flags ask for other types than this tool's: short, int, "
                                 "long, wchar_t and pointers of 16, 32, 64, 32 and 64 bits, the "
                                 "lowest byte first");
}

llvm::Expected<Units> parseSources(const FrontendOptions &options, Additions &additions) {
  for (const std::string &file : options.files)
    if (!llvm::sys::fs::exists(file))
      return llvm::createStringError("no such file '" + file + "'");
  auto database = openDatabase(options);
  if (!database)
    return database.takeError();
  Units units;
  for (size_t i = 0; i < options.files.size(); ++i) {
    if (llvm::Error error = checkCommands(**database, options, options.files[i]))
      return error;
    const VirtualFile *extended = nullptr;
    if (auto addition = additions.lines.find(i); addition != additions.lines.end()) {
      VirtualFile &file = additions.files[i];
      if (llvm::Error error = extend(options.files[i], addition->second, file))
        return error;
      extended = &file;
    }
    llvm::Expected<std::unique_ptr<clang::ASTUnit>> unit =
        parseFile(options.files[i], extended, **database, options);
    if (!unit)
      return unit.takeError();
    if (llvm::Error error = checkTypes((*unit)->getASTContext()))
      return error;
    units.push_back(std::move(*unit));
  }
  return units;
}

} // namespace colonnade::frontend
