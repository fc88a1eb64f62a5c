//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// progress.hpp: a bar on a terminal, of work that takes longer than half a second.
//
// In: how much is done. Out: a line on standard error that is written anew, if that is a terminal.
// Invariant: when it ends the line is empty.
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
  void show(uint64_t done, uint64_t all) {
    using namespace std::chrono_literals;
    const auto now = clock::now();
    if (!is_terminal_ || all == 0 || now - begin_ < 500ms || now - shown_ < 100ms)
      return;
    shown_ = now;
    constexpr uint64_t width = 40;
    const uint64_t full = done * width / all;
    std::string bar = "\r[" + std::string(full, '#') + std::string(width - full, ' ') + "] ";
    bar += std::to_string(done * 100 / all) + " % ";
    std::fputs(bar.c_str(), stderr);
    drawn_ = true;
  }
  ~progress_bar() {
    if (drawn_)
      std::fputs("\r\033[K", stderr);
  }

private:
  using clock = std::chrono::steady_clock;
  const bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  const clock::time_point begin_ = clock::now();
  clock::time_point shown_{};
  bool drawn_ = false;
};
