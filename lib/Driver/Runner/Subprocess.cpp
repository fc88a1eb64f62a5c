//===- Subprocess.cpp - Compilers and runners -----------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver/Runner/Subprocess.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <colonnade/bulk/temporary_files.hpp>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace colonnade {
namespace {

constexpr size_t MaxChildren = 16;
volatile std::sig_atomic_t children[MaxChildren]; // process ids; 0: none
volatile std::sig_atomic_t received = 0;          // the last signal; 0: none

constexpr int NumSignals = 65;
struct sigaction replacedActions[NumSignals];

int waitFor(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void kill(pid_t child, int signal) {
  ::kill(child, signal == SIGINT || signal == SIGHUP ? signal : SIGTERM);
}

/// A handler, unlike SIG_IGN, is reset in the child by exec. Compilers clean up after
/// SIGTERM, but not after every signal.
extern "C" void endChildren(int signal, siginfo_t *info, void *) {
  received = signal;
  for (auto &child : children)
    if (child != 0)
      kill(child, signal);
  if (runtime::detail::is_own_fault(signal, *info)) {
    ::sigaction(signal, &replacedActions[signal], nullptr);
    ::raise(signal); // pending until this handler returns
  }
}

/// The processes that this one's threads have yet to wait for; none where the kernel does not tell.
std::vector<pid_t> ownChildren() {
  std::vector<pid_t> pids;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it("/proc/self/task", code), end; it != end && !code;
       it.increment(code)) {
    std::ifstream file(it->path() + "/children");
    for (pid_t pid; file >> pid;)
      pids.push_back(pid);
  }
  return pids;
}

/// While one lives, signals end the children; the tool then goes the same way. A compiler that a
/// signal ends leaves the programmes that it has started running: they become the tool's own, and
/// are ended as well.
class SignalScope {
public:
  SignalScope() {
    received = 0;
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    struct sigaction action{};
    action.sa_sigaction = endChildren;
    action.sa_flags = SA_SIGINFO;
    for (int signal = 1; signal < NumSignals; ++signal) {
      replaced_[signal] = runtime::detail::ends_process(signal) &&
                          ::sigaction(signal, nullptr, &replacedActions[signal]) == 0 &&
                          replacedActions[signal].sa_handler != SIG_IGN;
      if (replaced_[signal])
        ::sigaction(signal, &action, nullptr);
    }
  }
  ~SignalScope() {
    if (received != 0)
      endOrphans();
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    for (int signal = 1; signal < NumSignals; ++signal)
      if (replaced_[signal])
        ::sigaction(signal, &replacedActions[signal], nullptr);
    if (received != 0)
      ::raise(received);
  }

private:
  static void endOrphans() {
    for (std::vector<pid_t> pids; !(pids = ownChildren()).empty();)
      for (pid_t pid : pids) {
        kill(pid, received);
        waitFor(pid);
      }
  }

  bool replaced_[NumSignals] = {};
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
  std::vector<std::string> arguments = process.command; // exec() asks for char *, not const
  std::vector<char *> argv;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  int code = ::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0)
    return llvm::createStringError("cannot start '" + process.command[0] +
                                   "': " + std::generic_category().message(code));
  return pid;
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
    if (received != 0) // perhaps before it was listed
      ::kill(*pid, SIGTERM);
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
  const runtime::uninterrupted whole; // made and registered
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("colonnade", path)) {
    llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, path);
    return llvm::createStringError(code, "cannot create a temporary folder in '" + path +
                                             "': " + code.message() + " (see TMPDIR)");
  }
  return TemporaryFolder(
      std::make_shared<runtime::temporary_path>(runtime::temporary_kind::tree, std::string(path)));
}

std::string TemporaryFolder::file(const std::string &name) const {
  return path_->path() + "/" + name;
}

} // namespace colonnade
