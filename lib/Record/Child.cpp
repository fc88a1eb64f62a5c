//===- Child.cpp - A process with limits ----------------------------------===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Record/Child.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace colonnade::record {
namespace {

void setLimit(decltype(RLIMIT_AS) what, rlim_t value) {
  struct rlimit limit{};
  if (::getrlimit(what, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? value : std::min(limit.rlim_max, value);
  ::setrlimit(what, &limit);
}

/// Address space of this process; 0: unknown.
uint64_t addressSpaceBytes() {
  std::FILE *file = std::fopen("/proc/self/statm", "r");
  unsigned long long pages = 0;
  if (file) {
    if (std::fscanf(file, "%llu", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

void restrictChild(const Limits &limits) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  for (int signal = 1; signal < NSIG; ++signal)
    std::signal(signal, SIG_DFL);
  setLimit(RLIMIT_CORE, 0);
  setLimit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(limits.seconds)) + 1);
  if (const uint64_t now = addressSpaceBytes())
    setLimit(RLIMIT_AS, now + limits.memoryBytes);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::dup2(nothing, descriptor);
}

/// Until the other end is closed, which the child's end does; false: the time is over.
bool waitForClose(int descriptor, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(seconds));
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    struct pollfd polled{descriptor, POLLIN, 0};
    const int ready = ::poll(&polled, 1, std::max<int>(0, static_cast<int>(left.count()) + 1));
    if (ready > 0)
      return true;
    if (ready == 0 || errno != EINTR)
      return false;
  }
}

} // namespace

llvm::Expected<ChildEnd> runInChild(llvm::function_ref<void()> work, const Limits &limits) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return llvm::createStringError(std::error_code(errno, std::generic_category()),
                                   "cannot open a pipe");
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]), ::close(ends[1]);
    return llvm::createStringError(std::error_code(errno, std::generic_category()),
                                   "cannot start a process");
  }
  if (child == 0) {
    ::close(ends[0]);
    restrictChild(limits);
    work();
    ::_exit(0);
  }
  ::close(ends[1]);
  ChildEnd end;
  end.isTooSlow = !waitForClose(ends[0], limits.seconds);
  ::close(ends[0]);
  if (end.isTooSlow)
    ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    end.isTooSlow = true;
  else if (WIFSIGNALED(status) && !end.isTooSlow)
    end.signal = WTERMSIG(status);
  return end;
}

} // namespace colonnade::record
