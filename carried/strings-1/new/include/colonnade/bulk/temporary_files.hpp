//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// temporary_files.hpp: files and folders that no end of the process leaves behind.
//
// In: paths that the process has just made. Out: nothing; they are removed when their owner
// goes, or when a signal ends the process. Invariant: whatever is registered is removed, the
// newest first, by every signal whose default action ends the process, except SIGKILL; the
// signal then has the effect that it had before. Ignored signals stay ignored, and a signal
// that comes while an uninterrupted object lives takes effect when that ends. All of this holds
// whichever threads make the files and get the signals.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/namespace.hpp>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace colonnade::runtime {

enum class temporary_kind : uint8_t {
  file,   // unlinked
  folder, // removed if it is empty by then
  tree,   // a folder, removed with all that it holds
};

namespace detail {

/// Whether a signal's default action ends the process and can be caught.
inline bool ends_process(int signal) {
  switch (signal) {
  case SIGKILL:
  case SIGSTOP:
  case SIGTSTP:
  case SIGTTIN:
  case SIGTTOU:
  case SIGCONT:
  case SIGCHLD:
  case SIGURG:
  case SIGWINCH:
    return false;
  default:
    return true;
  }
}
/// Whether it tells of a fault of the instruction that runs, which cannot be put off.
inline bool is_fault(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
         signal == SIGTRAP || signal == SIGSYS || signal == SIGABRT;
}
/// Whether this process goes wrong here and now, rather than another one having sent the signal.
inline bool is_own_fault(int signal, const siginfo_t &info) {
  return is_fault(signal) && (info.si_code > 0 || info.si_pid == getpid());
}

// What follows is called by signal handlers: system calls and stack memory only.

/// Removes all entries of an open folder, and those of folders in it.
inline void remove_entries(int folder) {
  alignas(8) char entries[2048];
  for (bool removed = true; removed;) { // removal may move entries: once more from the start
    removed = false;
    (void)lseek(folder, 0, SEEK_SET);
    for (long bytes; (bytes = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;) {
      for (long at = 0; at < bytes;) {
        unsigned short length; // after the 8 bytes of d_ino and the 8 of d_off
        std::memcpy(&length, entries + at + 16, sizeof length);
        const char *name = entries + at + 19;
        at += length;
        if (name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0')))
          continue;
        if (unlinkat(folder, name, 0) == 0) {
          removed = true;
          continue;
        }
        const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner < 0)
          continue;
        remove_entries(inner);
        ::close(inner);
        removed |= unlinkat(folder, name, AT_REMOVEDIR) == 0;
      }
    }
  }
}

/// Removes a folder with all that it holds, also while processes that are about to end still add
/// files to it. What cannot be removed, such as a file in a folder of another user, stays.
inline void remove_tree(const char *path) {
  constexpr int max_attempts = 1000;
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) {
      remove_entries(folder);
      ::close(folder);
    }
    if (rmdir(path) == 0 || (errno != ENOTEMPTY && errno != EEXIST))
      return;
  }
}

inline void remove_temporary(temporary_kind kind, const char *path) {
  switch (kind) {
  case temporary_kind::file:
    (void)unlink(path);
    return;
  case temporary_kind::folder:
    (void)rmdir(path);
    return;
  case temporary_kind::tree:
    return remove_tree(path);
  }
}

/// What is to be removed. Entries are never freed, so that a handler may walk over them at any
/// time; whoever takes the path out of an entry, by an atomic exchange, removes it.
class removal_list {
public:
  struct entry {
    std::atomic<char *> path{nullptr};
    temporary_kind kind = temporary_kind::file;
    pid_t owner = getpid(); // a copy of the process that fork() makes leaves it alone
    entry *next = nullptr;
  };

  static removal_list &instance() {
    static removal_list *list = new removal_list; // outlives all static objects
    return *list;
  }

  entry *add(temporary_kind kind, const std::string &path) {
    entry *added = new entry;
    added->kind = kind;
    added->path = strdup(path.c_str());
    added->next = newest_.load();
    while (!newest_.compare_exchange_weak(added->next, added)) {
    }
    return added;
  }
  /// False if a signal handler has taken it before.
  static bool take(entry *e) {
    char *path = e->path.exchange(nullptr);
    std::free(path);
    return path != nullptr;
  }

  /// From the first enter() to the last leave(), by whichever threads, signals are put off.
  void enter() {
    for (;;) {
      ++uninterrupted_;
      if (!ending_)
        return;
      --uninterrupted_; // a handler on another thread removes: nothing may be made any more
      wait_briefly();
    }
  }
  void leave() {
    if (--uninterrupted_ == 0)
      if (const int signal = put_off_.exchange(0))
        (void)kill(getpid(), signal); // this thread may block it
  }

private:
  removal_list() {
    self_ = this;
    use_own_stack();
    for (int s = 1; s < number_of_signals; ++s) {
      struct sigaction action{};
      if (!ends_process(s) || sigaction(s, nullptr, &before_[s]) != 0 ||
          before_[s].sa_handler == SIG_IGN)
        continue;
      action.sa_sigaction = &on_signal;
      action.sa_flags = SA_ONSTACK | SA_SIGINFO;
      sigfillset(&action.sa_mask);
      (void)sigaction(s, &action, nullptr);
    }
  }

  static void on_signal(int signal, siginfo_t *info, void *) {
    const int saved = errno;
    self_.load()->handle(signal, *info); // instance() may still be in construction
    errno = saved;
  }
  /// Handlers run on a stack of their own, as a stack that has overflowed has no room for them.
  static void use_own_stack() {
    stack_t stack{};
    if (sigaltstack(nullptr, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
      return;
    stack = {};
    stack.ss_size = 64 << 10;
    stack.ss_sp = std::malloc(stack.ss_size);
    if (stack.ss_sp)
      (void)sigaltstack(&stack, nullptr);
  }
  static void wait_briefly() { (void)poll(nullptr, 0, 1); }

  /// True: nothing is uninterrupted, and nothing will be. False: the signal is put off.
  bool begin_end(int signal) {
    for (;;) {
      while (ending_.exchange(true)) // by a handler on another thread: what it has taken out of
        wait_briefly();              // an entry, it must remove
      if (uninterrupted_ == 0)
        return true;
      put_off_ = signal;
      ending_ = false;
      if (uninterrupted_ > 0 || put_off_.exchange(0) == 0)
        return false; // whoever leaves last raises it
    }
  }
  void handle(int signal, const siginfo_t &info) {
    if (!is_own_fault(signal, info) && !begin_end(signal))
      return;
    for (entry *e = newest_; e; e = e->next)
      if (e->owner == getpid())
        if (const char *path = e->path.exchange(nullptr))
          remove_temporary(e->kind, path);
    if (before_[signal].sa_handler != SIG_DFL)
      ending_ = false; // the process may live on
    (void)sigaction(signal, &before_[signal], nullptr);
    (void)raise(signal); // pending until this handler returns
  }

  static constexpr int number_of_signals = 65;
  inline static std::atomic<removal_list *> self_{nullptr};
  std::atomic<int> uninterrupted_{0}; // how many enter() have no leave() yet
  std::atomic<int> put_off_{0};       // a signal, or 0
  std::atomic<bool> ending_{false};   // a handler removes what is registered
  std::atomic<entry *> newest_{nullptr};
  struct sigaction before_[number_of_signals] = {};
};

} // namespace detail

/// While one lives, signals that would end the process are put off, so that what it does is
/// done as a whole.
class uninterrupted {
public:
  uninterrupted() { detail::removal_list::instance().enter(); }
  uninterrupted(const uninterrupted &) = delete;
  uninterrupted &operator=(const uninterrupted &) = delete;
  ~uninterrupted() { detail::removal_list::instance().leave(); }
};

/// A path that is removed with this object, or when a signal ends the process.
class temporary_path {
public:
  temporary_path() = default;
  /// path: just made by this process; absolute, if the process may change its folder.
  temporary_path(temporary_kind kind, std::string path)
      : kind_(kind), path_(std::move(path)),
        entry_(detail::removal_list::instance().add(kind, path_)) {}
  temporary_path(temporary_path &&other) noexcept { swap(other); }
  temporary_path &operator=(temporary_path &&other) noexcept {
    swap(other);
    return *this;
  }
  ~temporary_path() { remove(); }

  const std::string &path() const { return path_; }
  bool empty() const { return !entry_; }
  /// It is temporary no more.
  void keep() {
    if (entry_)
      detail::removal_list::take(std::exchange(entry_, nullptr));
  }
  void remove() {
    if (!entry_)
      return;
    const uninterrupted whole; // taken and removed
    if (detail::removal_list::take(std::exchange(entry_, nullptr)))
      detail::remove_temporary(kind_, path_.c_str());
  }

private:
  void swap(temporary_path &other) {
    std::swap(kind_, other.kind_);
    std::swap(path_, other.path_);
    std::swap(entry_, other.entry_);
  }

  temporary_kind kind_ = temporary_kind::file;
  std::string path_;
  detail::removal_list::entry *entry_ = nullptr;
};

} // namespace colonnade::runtime
