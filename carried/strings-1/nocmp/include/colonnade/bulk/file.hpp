//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// file.hpp: files that are read through a memory mapping, and written all or nothing.
//
// In: paths, and bytes to write. Out: the file's bytes, or a status with the path and the
// system's reason. Invariant: no target changes before the commit, and an error, such as a
// full disk, leaves every file as it was.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/pending_output.hpp>
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

/// A file that appears under its name only when it is complete (pending_output.hpp).
class output_file {
public:
  status create(const std::string &path) {
    path_ = path;
    return result(output_.create(path));
  }
  status write(const void *data, size_t bytes) { return result(output_.write(data, bytes)); }

  status commit() {
    std::vector<output_file> one;
    one.push_back(std::move(*this));
    return commit(one);
  }
  /// All of them, or none; afterwards they are closed.
  static status commit(std::vector<output_file> &files) {
    std::vector<detail::pending_output> outputs;
    for (output_file &file : files)
      outputs.push_back(std::move(file.output_));
    size_t failed = 0;
    const int error = detail::pending_output::commit(outputs, failed);
    return error ? files[failed].result(error) : status::success();
  }

private:
  status result(int error) const {
    errno = error;
    return error ? detail::file_error(path_, "cannot write") : status::success();
  }

  std::string path_;
  detail::pending_output output_;
};

} // namespace colonnade::runtime
