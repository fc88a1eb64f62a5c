//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// host_stream.hpp: the device of a stream of text over host memory: what is queued is done as late,
// or as early, as its order allows, at random; and sources that fail.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "string_set_cases.hpp"

#include <colonnade/detail/string_matching/stream/pipeline.hpp>

#include <deque>
#include <functional>

namespace colonnade::testing {

struct stream_faults {
  bool dropped_wait = false;   // wait returns at once
  bool short_overlap = false;  // chunks overlap by one character less
  bool few_slots = false;      // two chunks are read into the same memory
  bool counts_overlap = false; // also matches that begin in what chunks share are counted
  bool forgotten_end = false;  // a chunk does not know where the last match before it ends
};

/// What is looked for, by naive search.
struct host_stream_search {
  std::function<std::vector<set_match>(const std::vector<uint8_t> &)> find;
  bool has_patterns = false; // numbers of patterns are wanted

  static host_stream_search of(const string_case &c, bool apart) {
    return {[c, apart](const std::vector<uint8_t> &text) {
              const string_case part{text, c.pattern, c.fold_case};
              std::vector<set_match> found;
              if (text.size() >= c.pattern.size())
                for (const uint64_t position : apart ? naive_apart(part) : naive_matches(part))
                  found.push_back({position, 0});
              return found;
            },
            false};
  }
  static host_stream_search of(const string_set_case &c) {
    return {[c](const std::vector<uint8_t> &text) {
              string_set_case part = c;
              part.text = text;
              return naive_matches(part);
            },
            true};
  }
};

class host_stream_device {
public:
  host_stream_device(host_stream_search search, uint64_t chunk_bytes, uint64_t capacity,
                     bool copies, unsigned seed, const stream_faults &planted)
      : search_(std::move(search)), chunk_bytes_(chunk_bytes), capacity_(capacity), copies_(copies),
        planted_(planted), random_(seed) {
    for (buffer &b : buffers_)
      b.text.assign(chunk_bytes, 0);
    for (std::vector<uint8_t> &s : staging_)
      s.assign(chunk_bytes, 0);
  }
  int fail_at = -1; // the call that fails

  uint64_t chunk_bytes() const { return chunk_bytes_; }
  uint64_t capacity() const { return capacity_; }
  bool copies_from(const uint8_t *memory, uint64_t) const { return memory && copies_; }
  int staging(uint32_t slot, uint8_t *&memory) {
    memory = staging_[slot % (detail::staging_slots - planted_.few_slots)].data();
    return next();
  }
  int copy_in(uint32_t b, const uint8_t *from, uint64_t bytes) {
    if (bytes > chunk_bytes_)
      complaints += "copied beyond a buffer\n";
    return queue(b, [this, b, from, bytes] {
      std::copy(from, from + bytes, buffers_[b].text.begin());
      buffers_[b].bytes = bytes;
    });
  }
  int match(uint32_t b, const detail::stream_part &part, bool lists) {
    return queue(b, [=, this] {
      buffer &of = buffers_[b];
      if (part.first + part.bytes > of.bytes)
        complaints += "looked at what was not copied\n";
      const auto begin = of.text.begin() + static_cast<int64_t>(part.first);
      of.found = search_.find({begin, begin + static_cast<int64_t>(part.bytes)});
      if (!lists && !planted_.counts_overlap)
        std::erase_if(of.found,
                      [&](const set_match &m) { return m.position >= part.bytes - part.overlap; });
      of.number = of.found.size();
      of.found.resize(lists ? std::min<uint64_t>(of.number, capacity_) : 0);
    });
  }
  int wait(uint32_t b) {
    if (!planted_.dropped_wait)
      run_all(b);
    return next();
  }
  uint64_t number(uint32_t b) const { return buffers_[b].number; }
  int matches(uint32_t b, uint64_t count, detail::stream_matches &result) {
    buffer &of = buffers_[b];
    if (count > of.found.size())
      complaints += "positions that are not there\n", of.found.resize(count);
    of.host_positions.clear(), of.host_patterns.clear();
    for (uint64_t i = 0; i < count; ++i) {
      of.host_positions.push_back(of.found[i].position);
      of.host_patterns.push_back(of.found[i].pattern);
    }
    result.positions = of.host_positions.data();
    result.patterns = search_.has_patterns ? of.host_patterns.data() : nullptr;
    return next();
  }
  bool idle() const { return buffers_[0].queued.empty() && buffers_[1].queued.empty(); }

  std::string complaints;

private:
  struct buffer {
    std::deque<std::function<void()>> queued;
    std::vector<uint8_t> text;
    std::vector<set_match> found;
    std::vector<uint64_t> host_positions;
    std::vector<uint32_t> host_patterns;
    uint64_t bytes = 0, number = 0;
  };
  int next() {
    for (uint32_t some = random_() % 3; some > 0; --some) {
      buffer &b = buffers_[random_() % 2];
      if (!b.queued.empty()) {
        b.queued.front()();
        b.queued.pop_front();
      }
    }
    return calls_++ == fail_at ? 7 : 0;
  }
  int queue(uint32_t b, std::function<void()> work) {
    buffers_[b].queued.push_back(std::move(work));
    return next();
  }
  void run_all(uint32_t b) {
    for (auto &work : buffers_[b].queued)
      work();
    buffers_[b].queued.clear();
  }

  const host_stream_search search_;
  const uint64_t chunk_bytes_, capacity_;
  const bool copies_;
  const stream_faults planted_;
  std::mt19937 random_;
  int calls_ = 0;
  buffer buffers_[2];
  std::vector<uint8_t> staging_[detail::staging_slots];
};

/// Cannot be read from an offset on.
class failing_text : public memory_text {
public:
  failing_text(const std::vector<uint8_t> &text, uint64_t fails_at)
      : memory_text(text.data(), text.size()), fails_at_(fails_at) {}
  const uint8_t *memory() const override { return nullptr; }
  read_result read(uint64_t offset, uint64_t bytes, uint8_t *to) const override {
    const uint64_t good = offset + bytes <= fails_at_ ? bytes
                          : offset < fails_at_        ? fails_at_ - offset
                                                      : 0;
    memory_text::read(offset, good, to);
    return {good, good < bytes ? EIO : 0};
  }

private:
  uint64_t fails_at_;
};

} // namespace colonnade::testing
