//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// file.hpp: files that are read through a memory mapping, and written all or nothing.
//
// In: paths, and bytes to write. Out: the file's bytes, or a status with the path and the
// system's reason. Invariant: until commit() has renamed it, an output_file is a temporary
// file in the target's folder, and is removed if commit() is not called; so an error, such
// as a full disk, leaves the old file as it was.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/status.hpp>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace colonnade::runtime {

namespace detail {
inline status file_error(const std::string &path, const char *what) {
  return status::failure(status_code::io_error, path + ": " + what + ": " + std::strerror(errno));
}
} // namespace detail

/// A read-only mapping of a whole regular file; an empty file has null data().
class mapped_file {
public:
  mapped_file() = default;
  mapped_file(mapped_file &&other) noexcept { swap(other); }
  mapped_file &operator=(mapped_file &&other) noexcept {
    swap(other);
    return *this;
  }
  ~mapped_file() {
    if (data_)
      munmap(data_, size_);
  }

  static status open(const std::string &path, mapped_file &result) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
      return detail::file_error(path, "cannot open");
    const status mapped = map(path, descriptor, result);
    ::close(descriptor);
    return mapped;
  }

  const char *data() const { return static_cast<const char *>(data_); }
  size_t size() const { return size_; }

private:
  static status map(const std::string &path, int descriptor, mapped_file &result) {
    struct stat info{};
    if (fstat(descriptor, &info) != 0)
      return detail::file_error(path, "cannot read");
    if (!S_ISREG(info.st_mode))
      return status::failure(status_code::io_error, path + ": not a regular file");
    mapped_file file;
    file.size_ = static_cast<size_t>(info.st_size);
    if (file.size_ > 0) {
      void *data = mmap(nullptr, file.size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
      if (data == MAP_FAILED)
        return detail::file_error(path, "cannot map");
      file.data_ = data;
    }
    result = std::move(file);
    return status::success();
  }
  void swap(mapped_file &other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  void *data_ = nullptr;
  size_t size_ = 0;
};

/// A file that appears under its name only when it is complete.
class output_file {
public:
  output_file() = default;
  output_file(output_file &&other) noexcept { swap(other); }
  output_file &operator=(output_file &&other) noexcept {
    swap(other);
    return *this;
  }
  ~output_file() { discard(); }

  status create(const std::string &path) {
    discard();
    path_ = path;
    std::string pattern = path + ".XXXXXX";
    std::vector<char> name(pattern.begin(), pattern.end());
    name.push_back('\0');
    descriptor_ = mkstemp(name.data());
    if (descriptor_ < 0)
      return detail::file_error(path, "cannot write");
    temporary_ = name.data();
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(descriptor_, 0666 & ~mask) != 0)
      return detail::file_error(path, "cannot write");
    return status::success();
  }

  status write(const void *data, size_t bytes) {
    const char *next = static_cast<const char *>(data);
    while (bytes > 0) {
      const ssize_t written = ::write(descriptor_, next, bytes < (1u << 30) ? bytes : (1u << 30));
      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return detail::file_error(path_, "cannot write");
      next += written;
      bytes -= static_cast<size_t>(written);
    }
    return status::success();
  }

  /// Syncs the data: after this, only the rename can fail.
  status sync() {
    if (fsync(descriptor_) != 0)
      return detail::file_error(path_, "cannot write");
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0)
      return detail::file_error(path_, "cannot write");
    return status::success();
  }

  /// Syncs, then gives the file its name.
  status commit() {
    if (descriptor_ >= 0)
      if (status synced = sync(); !synced)
        return synced;
    if (rename(temporary_.c_str(), path_.c_str()) != 0)
      return detail::file_error(path_, "cannot rename");
    temporary_.clear();
    sync_folder();
    return status::success();
  }

private:
  void sync_folder() const { // best effort: the file is complete either way
    const size_t slash = path_.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path_.substr(0, slash + 1);
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
      return;
    (void)fsync(descriptor);
    ::close(descriptor);
  }
  void discard() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
    if (!temporary_.empty())
      unlink(temporary_.c_str());
    descriptor_ = -1;
    temporary_.clear();
  }
  void swap(output_file &other) {
    std::swap(path_, other.path_);
    std::swap(temporary_, other.temporary_);
    std::swap(descriptor_, other.descriptor_);
  }

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
};

} // namespace colonnade::runtime
