//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// temporary_file.hpp: a file of a test's own.
//
// In: nothing. Out: an empty file. Invariant: no other process has it, so a test can run several
// times at once; it is gone when the object is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include <stdlib.h>
#include <unistd.h>

namespace colonnade::testing {

class temporary_file {
public:
  /// Throws std::system_error if there is no room for one.
  temporary_file()
      : path_((std::filesystem::temp_directory_path() / "colonnade-test-XXXXXX").string()) {
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0)
      throw std::system_error(errno, std::generic_category(), path_);
    close(descriptor);
  }
  temporary_file(const temporary_file &) = delete;
  temporary_file &operator=(const temporary_file &) = delete;
  ~temporary_file() { remove(); }

  const std::string &path() const { return path_; }
  /// In place of what was there.
  void write(const void *bytes, uint64_t count) const {
    std::ofstream file(path_, std::ios::binary);
    file.write(static_cast<const char *>(bytes), static_cast<std::streamsize>(count));
    if (!file.flush())
      throw std::system_error(errno, std::generic_category(), path_);
  }
  void cut_off(uint64_t count) const { std::filesystem::resize_file(path_, count); }
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

private:
  std::string path_;
};

} // namespace colonnade::testing
