//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pending_output.hpp: outputs that appear all together, when they are complete, or not at all.
//
//   a file, or a link to one   a temporary beside it, exchanged with it by the commit
//   a device, FIFO or socket   an unnamed temporary, copied into it by the commit
//   this process' own standard output or error, under any name: likewise
//
// In: paths, and bytes to write. Out: 0, or the errno of what failed. Invariant: until the
// commit no target has changed, and no end of the process but SIGKILL leaves a temporary. A
// commit that fails leaves all files as they were; what has gone into a device, FIFO or socket
// cannot be taken back, so they are written to before any file appears.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/temporary_files.hpp>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

namespace colonnade::runtime::detail {

/// What a path names when it is written to.
struct output_target {
  enum class kind : uint8_t { file, stream, socket, own_descriptor };
  kind what = kind::file;
  std::string path;    // of a file: with all links followed
  bool exists = false; // of a file
  mode_t mode = 0;     // of a file that exists: its permissions
  int descriptor = -1; // own_descriptor: the one of this process
};

/// "a/" of "a/b"; "./" of "b"
inline std::string folder_of(const std::string &path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

/// The path behind symbolic links, the last of which may point to nothing yet.
inline int follow_links(std::string &path) {
  for (int links = 0; links < 40; ++links) { // as many as Linux follows
    char text[PATH_MAX];
    const ssize_t length = readlink(path.c_str(), text, sizeof text);
    if (length < 0)
      return errno == EINVAL || errno == ENOENT ? 0 : errno; // no link
    const std::string to(text, static_cast<size_t>(length));
    path = !to.empty() && to[0] == '/' ? to : folder_of(path) + to;
  }
  return ELOOP;
}

inline int find_target(const std::string &path, output_target &result) {
  result = {};
  result.path = path;
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) {
    if (errno != ENOENT)
      return errno;
    return follow_links(result.path);
  }
  if (S_ISDIR(info.st_mode))
    return EISDIR;
  for (int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat own{};
    if (fstat(descriptor, &own) == 0 && own.st_dev == info.st_dev && own.st_ino == info.st_ino) {
      result.what = output_target::kind::own_descriptor;
      result.descriptor = descriptor;
      return 0;
    }
  }
  if (!S_ISREG(info.st_mode)) {
    result.what =
        S_ISSOCK(info.st_mode) ? output_target::kind::socket : output_target::kind::stream;
    return 0;
  }
  result.exists = true;
  result.mode = info.st_mode & 0777;
  return follow_links(result.path);
}

/// A descriptor that writes into a target which is no file; or -1, and errno.
inline int open_target(const output_target &target) {
  if (target.what == output_target::kind::own_descriptor)
    return dup(target.descriptor);
  if (target.what == output_target::kind::stream)
    return ::open(target.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (target.path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  std::memcpy(address.sun_path, target.path.c_str(), target.path.size() + 1);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 ||
      connect(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0)
    return descriptor;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return -1;
}

/// Writes all bytes, or returns errno.
inline int write_bytes(int descriptor, const void *data, size_t bytes) {
  const char *next = static_cast<const char *>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor, next, bytes < (1u << 30) ? bytes : (1u << 30));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return errno;
    next += written;
    bytes -= static_cast<size_t>(written);
  }
  return 0;
}

/// While one lives, a reader that goes away is an error (EPIPE) and no signal.
class ignored_pipe_signal {
public:
  ignored_pipe_signal() {
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &ignore, &before_);
  }
  ignored_pipe_signal(const ignored_pipe_signal &) = delete;
  ignored_pipe_signal &operator=(const ignored_pipe_signal &) = delete;
  ~ignored_pipe_signal() { (void)sigaction(SIGPIPE, &before_, nullptr); }

private:
  struct sigaction before_{};
};

/// One output that is being written.
class pending_output {
public:
  pending_output() = default;
  pending_output(pending_output &&other) noexcept { swap(other); }
  pending_output &operator=(pending_output &&other) noexcept {
    swap(other);
    return *this;
  }
  ~pending_output() { close(); }

  const output_target &target() const { return target_; }

  int create(const std::string &path) {
    *this = pending_output();
    if (int error = find_target(path, target_))
      return error;
    const bool is_file = target_.what == output_target::kind::file;
    const char *scratch = std::getenv("TMPDIR");
    std::string name =
        is_file ? target_.path : std::string(scratch && *scratch ? scratch : "/tmp") + "/colonnade";
    name += ".XXXXXX.tmp";
    const uninterrupted whole; // made and registered
    descriptor_ = mkostemps(name.data(), 4, O_CLOEXEC);
    if (descriptor_ < 0)
      return errno;
    temporary_ = temporary_path(temporary_kind::file, name);
    if (!is_file)
      return temporary_.remove(), 0; // it has no name, and goes with its descriptor
    const mode_t mask = umask(0);
    umask(mask);
    return fchmod(descriptor_, target_.exists ? target_.mode : 0666 & ~mask) == 0 ? 0 : errno;
  }

  int write(const void *data, size_t bytes) { return write_bytes(descriptor_, data, bytes); }

  /// Syncs the data: after this, only the commit can fail.
  int sync() {
    if (target_.what != output_target::kind::file || descriptor_ < 0)
      return 0;
    const int error = fsync(descriptor_) == 0 ? 0 : errno;
    return ::close(std::exchange(descriptor_, -1)) == 0 ? error : errno;
  }

  /// All of them, or none. Returns an errno; `failed` gets the position of the one it is about.
  static int commit(std::vector<pending_output> &outputs, size_t &failed) {
    const auto each = [&](auto step) {
      for (failed = 0; failed < outputs.size(); ++failed)
        if (int error = step(outputs[failed]))
          return error;
      return 0;
    };
    if (int error = each([](pending_output &o) { return o.sync(); }))
      return error;
    std::fflush(stdout);
    if (int error = each([](pending_output &o) { return o.copy_to_stream(); }))
      return error;
    const uninterrupted whole;
    if (int error = each([](pending_output &o) { return o.give_name(); })) {
      for (size_t done = failed; done-- > 0;)
        outputs[done].take_name_back();
      return error;
    }
    for (pending_output &o : outputs)
      o.finish();
    return 0;
  }

private:
  enum class name_state : uint8_t { none, made, exchanged, replaced };

  static bool exchange(const std::string &a, const std::string &b) {
    constexpr unsigned rename_exchange = 2; // <linux/fs.h>
    return syscall(SYS_renameat2, AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), rename_exchange) == 0;
  }

  int copy_to_stream() {
    if (target_.what == output_target::kind::file)
      return 0;
    const ignored_pipe_signal ignored;
    const int to = open_target(target_);
    if (to < 0)
      return errno;
    int error = lseek(descriptor_, 0, SEEK_SET) == 0 ? 0 : errno;
    std::vector<char> block(1 << 16);
    while (!error) {
      const ssize_t bytes = ::read(descriptor_, block.data(), block.size());
      if (bytes == 0)
        break;
      error = bytes > 0        ? write_bytes(to, block.data(), static_cast<size_t>(bytes))
              : errno == EINTR ? 0
                               : errno;
    }
    return ::close(to) == 0 || error ? error : errno;
  }

  /// The old file, if there is one, gets the temporary's name.
  int give_name() {
    if (target_.what != output_target::kind::file)
      return 0;
    if (target_.exists && exchange(temporary_.path(), target_.path))
      return state_ = name_state::exchanged, 0;
    // There is no old file, or the file system cannot exchange two.
    if (rename(temporary_.path().c_str(), target_.path.c_str()) != 0)
      return errno;
    return state_ = target_.exists ? name_state::replaced : name_state::made, 0;
  }
  void take_name_back() {
    if (state_ == name_state::made)
      (void)rename(target_.path.c_str(), temporary_.path().c_str());
    else if (state_ == name_state::exchanged)
      (void)exchange(temporary_.path(), target_.path);
    state_ = name_state::none;
  }
  void finish() {
    if (state_ == name_state::exchanged)
      temporary_.remove(); // the old file
    else
      temporary_.keep();
    if (target_.what == output_target::kind::file)
      sync_folder();
  }
  void sync_folder() const { // best effort: the file is complete either way
    const int folder = ::open(folder_of(target_.path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
      return;
    (void)fsync(folder);
    ::close(folder);
  }
  void close() {
    if (descriptor_ >= 0)
      ::close(std::exchange(descriptor_, -1));
  }
  void swap(pending_output &other) {
    std::swap(target_, other.target_);
    std::swap(temporary_, other.temporary_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(state_, other.state_);
  }

  output_target target_;
  temporary_path temporary_;
  int descriptor_ = -1;
  name_state state_ = name_state::none;
};

} // namespace colonnade::runtime::detail
