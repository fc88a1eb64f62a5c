//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_source.hpp: texts that are read piece by piece: host memory, or a file.
//
// In: memory, or a file's name. Out: bytes by their offsets. Invariant: several threads may read at
// once; what is read does not depend on what was read before. A source of yours derives from
// text_source.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace colonnade {

/// How many bytes were read, and why not more: a number of <cerrno>, or 0.
struct read_result {
  uint64_t bytes = 0;
  int error = 0;
};

class text_source {
public:
  virtual ~text_source() = default;
  virtual uint64_t size() const = 0;
  /// All of the text, if it lies in host memory; else null.
  virtual const uint8_t *memory() const { return nullptr; }
  /// offset + bytes is at most size(). Called by several threads; must not throw.
  virtual read_result read(uint64_t offset, uint64_t bytes, uint8_t *to) const = 0;
};

/// Host memory, pinned or not.
class memory_text : public text_source {
public:
  memory_text(const void *text, uint64_t bytes)
      : text_(static_cast<const uint8_t *>(text)), bytes_(bytes) {}
  uint64_t size() const override { return bytes_; }
  const uint8_t *memory() const override { return text_; }
  read_result read(uint64_t offset, uint64_t bytes, uint8_t *to) const override {
    std::memcpy(to, text_ + offset, bytes);
    return {bytes, 0};
  }

private:
  const uint8_t *text_;
  uint64_t bytes_;
};

/// A regular file, as long as it was when it was opened. A file that is cut off meanwhile ends with
/// EIO.
class file_text : public text_source {
public:
  file_text() = default;
  file_text(const file_text &) = delete;
  file_text &operator=(const file_text &) = delete;
  ~file_text() override { close(); }

  /// 0, or a number of <cerrno>; ESPIPE: it is no regular file.
  [[nodiscard]] int open(const std::string &path) {
    close();
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat info{};
    if (descriptor_ < 0 || fstat(descriptor_, &info) != 0)
      return errno;
    if (S_ISDIR(info.st_mode))
      return EISDIR;
    if (!S_ISREG(info.st_mode))
      return ESPIPE;
    bytes_ = static_cast<uint64_t>(info.st_size);
    return 0;
  }
  uint64_t size() const override { return bytes_; }
  read_result read(uint64_t offset, uint64_t bytes, uint8_t *to) const override {
    uint64_t done = 0;
    while (done < bytes) {
      const ssize_t got =
          pread(descriptor_, to + done, bytes - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        return {done, got < 0 ? errno : EIO};
      done += static_cast<uint64_t>(got);
    }
    return {done, 0};
  }

private:
  void close() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
    descriptor_ = -1;
    bytes_ = 0;
  }
  int descriptor_ = -1;
  uint64_t bytes_ = 0;
};

} // namespace colonnade
