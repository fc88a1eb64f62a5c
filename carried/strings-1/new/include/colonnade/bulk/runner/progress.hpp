//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner/progress.hpp: a progress bar for long runs, on standard error.
//
// In: the number of instances done. Out: a line that is drawn over itself. Invariant:
// nothing is printed unless standard error is a terminal, or in the first half second.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>

#include <unistd.h>

namespace colonnade::runtime::runner {

/// Drawn after half a second, then at most ten times a second; erased at the end.
class progress_bar {
public:
  using clock = std::chrono::steady_clock;

  progress_bar() : terminal_(isatty(STDERR_FILENO)), begin_(clock::now()), last_(begin_) {}
  ~progress_bar() {
    if (shown_)
      std::fputs("\r\33[K", stderr);
  }
  progress_bar(const progress_bar &) = delete;
  progress_bar &operator=(const progress_bar &) = delete;

  void update(uint64_t done, uint64_t count) {
    const clock::time_point now = clock::now();
    if (!terminal_ || now - begin_ < std::chrono::milliseconds(500) ||
        now - last_ < std::chrono::milliseconds(100))
      return;
    last_ = now;
    shown_ = true;
    const double share = static_cast<double>(done) / static_cast<double>(count);
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    constexpr int width = 40;
    const int filled = static_cast<int>(share * width);
    std::fprintf(stderr, "\r[%.*s%*s] %3.0f%%, %.0f s left ", filled,
                 "########################################", width - filled, "", 100 * share,
                 share > 0 ? seconds / share - seconds : 0);
  }

private:
  bool terminal_, shown_ = false;
  clock::time_point begin_, last_;
};

} // namespace colonnade::runtime::runner
