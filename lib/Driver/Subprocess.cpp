//===- Subprocess.cpp - Compilers and runners -----------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Subprocess.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace colonnade {
namespace {

constexpr std::array<int, 3> ForwardedSignals = {SIGINT, SIGTERM, SIGHUP};
constexpr size_t MaxChildren = 16;
volatile std::sig_atomic_t children[MaxChildren]; // process ids; 0: none

/// A handler, unlike SIG_IGN, is reset in the child by exec.
extern "C" void forwardSignal(int signal) {
  for (auto &child : children)
    if (child != 0)
      ::kill(child, signal);
}

class SignalScope {
public:
  SignalScope() {
    struct sigaction action{};
    action.sa_handler = forwardSignal;
    for (size_t i = 0; i < ForwardedSignals.size(); ++i)
      ::sigaction(ForwardedSignals[i], &action, &saved_[i]);
  }
  ~SignalScope() {
    for (size_t i = 0; i < ForwardedSignals.size(); ++i)
      ::sigaction(ForwardedSignals[i], &saved_[i], nullptr);
  }

private:
  std::array<struct sigaction, ForwardedSignals.size()> saved_;
};

llvm::Expected<pid_t> start(const Process &process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!process.logPath.empty()) {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, process.logPath.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
  if (!process.folder.empty())
    posix_spawn_file_actions_addchdir_np(&actions, process.folder.c_str());
  std::vector<char *> argv;
  for (const std::string &argument : process.command)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  int code = ::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0)
    return llvm::createStringError("cannot start '" + process.command[0] +
                                   "': " + std::generic_category().message(code));
  return pid;
}

int waitFor(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// At most MaxChildren of them.
llvm::Expected<std::vector<int>> runSome(llvm::ArrayRef<Process> processes) {
  SignalScope scope;
  llvm::Error error = llvm::Error::success();
  size_t numStarted = 0;
  for (const Process &process : processes) {
    llvm::Expected<pid_t> pid = start(process);
    if (!pid) {
      error = llvm::joinErrors(std::move(error), pid.takeError());
      break;
    }
    children[numStarted++] = *pid;
  }
  std::vector<int> codes;
  for (size_t i = 0; i < numStarted; ++i) {
    codes.push_back(waitFor(children[i]));
    children[i] = 0;
  }
  if (error)
    return error;
  return codes;
}

} // namespace

llvm::Expected<std::vector<int>> runProcesses(llvm::ArrayRef<Process> processes) {
  std::vector<int> codes;
  for (size_t i = 0; i < processes.size(); i += MaxChildren) {
    auto some = runSome(processes.slice(i, std::min(MaxChildren, processes.size() - i)));
    if (!some)
      return some.takeError();
    llvm::append_range(codes, *some);
  }
  return codes;
}

std::string findProgram(const std::string &name) {
  llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name);
  return path ? *path : "";
}

llvm::Expected<TemporaryFolder> TemporaryFolder::create() {
  llvm::SmallString<256> path;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("colonnade", path)) {
    llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, path);
    return llvm::createStringError(code, "cannot create a temporary folder in '" + path +
                                             "': " + code.message() + " (see TMPDIR)");
  }
  return TemporaryFolder(std::string(path));
}

TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty())
    llvm::sys::fs::remove_directories(path_);
}

} // namespace colonnade
