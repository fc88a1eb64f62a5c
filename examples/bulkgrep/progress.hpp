//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// progress.hpp: a bar on a terminal, of work that takes longer than half a second.
//
// In: how much is done. Out: a line on standard error that is written anew, if that is a terminal.
// Invariant: after clear(), and when it ends, that line is empty.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#include <unistd.h>

class progress_bar {
public:
  /// done: from 0 to 1.
  void show(double done) {
    using namespace std::chrono_literals;
    const auto now = clock::now();
    if (!is_terminal_ || now - begin_ < 500ms || now - shown_ < 100ms)
      return;
    shown_ = now;
    constexpr double width = 40;
    const auto full = static_cast<size_t>(done * width);
    std::fprintf(stderr, "\r[%-40s] %2.0f %% ", std::string(full, '#').c_str(), done * 100);
    drawn_ = true;
  }
  /// Before something else is printed.
  void clear() {
    if (drawn_)
      std::fputs("\r\033[K", stderr);
    drawn_ = false;
  }
  ~progress_bar() { clear(); }

private:
  using clock = std::chrono::steady_clock;
  const bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  const clock::time_point begin_ = clock::now();
  clock::time_point shown_{};
  bool drawn_ = false;
};
