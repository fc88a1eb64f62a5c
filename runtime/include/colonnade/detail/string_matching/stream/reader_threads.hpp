//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// reader_threads.hpp: reads a piece of a source by several threads, which stay for the next piece.
//
// In: a source, a range of it, and where its bytes go. Out: the bytes, or the first offset that
// could not be read, and why. Invariant: no thread touches the target after read() has returned.
// Where the system has no more threads, those that there are read everything.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/string_matching_source.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace colonnade::detail {

struct read_failure {
  int error = 0; // of <cerrno>
  uint64_t offset = 0;
};

class reader_threads {
public:
  /// threads: with the calling one. They start when there is something for them to read.
  explicit reader_threads(uint32_t threads) : wanted_(threads) {}
  reader_threads(const reader_threads &) = delete;
  ~reader_threads() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (std::thread &t : threads_)
      t.join();
  }

  read_failure read(const text_source &source, uint64_t offset, uint64_t bytes, uint8_t *to) {
    if (bytes > piece_bytes)
      start_threads();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      source_ = &source;
      offset_ = offset;
      bytes_ = bytes;
      to_ = to;
      next_ = 0;
      failure_ = {};
      busy_ = threads_.size();
      ++round_;
    }
    wake_.notify_all();
    take_pieces();
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [&] { return busy_ == 0; });
    return failure_;
  }

private:
  static constexpr uint64_t piece_bytes = 1u << 20;

  void start_threads() {
    try {
      while (threads_.size() + 1 < wanted_)
        threads_.emplace_back([this, seen = round_] { work(seen); });
    } catch (const std::system_error &) {
      wanted_ = static_cast<uint32_t>(threads_.size()) + 1;
    }
  }
  void work(uint64_t seen) {
    for (;;) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [&] { return stop_ || round_ != seen; });
        if (stop_)
          return;
        seen = round_;
      }
      take_pieces();
      const std::lock_guard<std::mutex> lock(mutex_);
      if (--busy_ == 0)
        done_.notify_one();
    }
  }
  /// Pieces are taken in order, so that the first one that fails is the first of all.
  void take_pieces() {
    for (;;) {
      const uint64_t begin = next_.fetch_add(piece_bytes);
      if (begin >= bytes_)
        return;
      const uint64_t bytes = std::min(piece_bytes, bytes_ - begin);
      const read_result got = source_->read(offset_ + begin, bytes, to_ + begin);
      if (got.error == 0)
        continue;
      const std::lock_guard<std::mutex> lock(mutex_);
      if (failure_.error == 0 || offset_ + begin + got.bytes < failure_.offset)
        failure_ = {got.error, offset_ + begin + got.bytes};
      next_ = bytes_; // nobody takes more
      return;
    }
  }

  uint32_t wanted_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  bool stop_ = false;
  uint64_t round_ = 0, busy_ = 0;

  const text_source *source_ = nullptr;
  uint64_t offset_ = 0, bytes_ = 0;
  uint8_t *to_ = nullptr;
  std::atomic<uint64_t> next_{0};
  read_failure failure_;
};

} // namespace colonnade::detail
