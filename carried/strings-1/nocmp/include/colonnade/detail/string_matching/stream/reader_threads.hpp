//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// reader_threads.hpp: reads ranges of sources, in order, by several threads, which go on with the
// next range while the caller waits for none.
//
// In: ranges, and where their bytes go. Out: the bytes, or the first offset that could not be read,
// and why. Invariant: no thread touches a range's target after wait() for it, or cancel(), has
// returned. Where the system has no more threads, those that there are read everything.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/string_matching_source.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
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

  /// Behind the ranges that were started before.
  void start(const text_source &source, uint64_t offset, uint64_t bytes, uint8_t *to) {
    if (bytes > piece_bytes || !ranges_.empty())
      start_threads();
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ranges_.push_back({&source, offset, bytes, to});
    }
    wake_.notify_all();
  }
  /// For the first of the ranges that were started. The calling thread reads, too.
  read_failure wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    range &first = ranges_.front();
    while (!first.is_done())
      if (range *const some = unread())
        read_piece(lock, *some);
      else
        done_.wait(lock);
    const read_failure failure = first.failure;
    ranges_.pop_front();
    return failure;
  }
  /// What nobody has begun to read is not read.
  void cancel() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (range &r : ranges_)
      r.next = r.bytes;
    while (!ranges_.empty())
      if (ranges_.front().is_done())
        ranges_.pop_front();
      else
        done_.wait(lock);
  }
  read_failure read(const text_source &source, uint64_t offset, uint64_t bytes, uint8_t *to) {
    start(source, offset, bytes, to);
    return wait();
  }

private:
  static constexpr uint64_t piece_bytes = 1u << 18;

  struct range {
    const text_source *source;
    uint64_t offset, bytes;
    uint8_t *to;
    uint64_t next = 0;   // the first byte that nobody has begun to read
    uint64_t pieces = 0; // that are being read
    read_failure failure = {};

    bool is_done() const { return next == bytes && pieces == 0; }
  };

  void start_threads() {
    try {
      while (threads_.size() + 1 < wanted_)
        threads_.emplace_back([this] { work(); });
    } catch (const std::system_error &) {
      wanted_ = static_cast<uint32_t>(threads_.size()) + 1;
    }
  }
  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      range *some = nullptr;
      wake_.wait(lock, [&] { return stop_ || (some = unread()); });
      if (stop_)
        return;
      read_piece(lock, *some);
    }
  }
  /// The first range of which something is to be read; null if there is none.
  range *unread() {
    for (range &r : ranges_)
      if (r.next < r.bytes)
        return &r;
    return nullptr;
  }
  /// Pieces are taken in order, so that the first one that fails is the first of all.
  void read_piece(std::unique_lock<std::mutex> &lock, range &r) {
    const uint64_t begin = r.next, bytes = std::min(piece_bytes, r.bytes - begin);
    r.next += bytes;
    ++r.pieces;
    lock.unlock();
    const read_result got = r.source->read(r.offset + begin, bytes, r.to + begin);
    lock.lock();
    --r.pieces;
    const uint64_t end = r.offset + begin + got.bytes;
    if (got.error && (r.failure.error == 0 || end < r.failure.offset))
      r.failure = {got.error, end};
    if (got.error)
      r.next = r.bytes; // nobody takes more
    if (r.is_done())
      done_.notify_one();
  }

  uint32_t wanted_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  bool stop_ = false;
  std::deque<range> ranges_; // those of which the caller has not heard
};

} // namespace colonnade::detail
