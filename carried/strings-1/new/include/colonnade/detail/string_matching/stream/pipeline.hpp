//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// pipeline.hpp: matches in a text that is larger than a device: chunks are copied while the ones
// before are looked at.
//
// In: a source, a device with two buffers, what is looked for: one pattern, or a set of them. Out:
// the number of matches, and their positions, ascending, by calls of a sink. Invariant: a match
// belongs to the chunk in which it begins; chunks overlap by the longest pattern less one. When
// run() returns the device is idle.
//
//   chunk      buffer
//   k - 1      k - 1 modulo 2   is waited for
//   k          k modulo 2       is copied meanwhile; now it is looked at
//   k + 1      k - 1 modulo 2   its copy begins
//   k + 2 ...                   are read meanwhile, if the source is not copied as it is
//
// Matches that must not overlap: the first one of a chunk is looked for from the end of the last
// match of the chunk before. What is left of the text then is a text of its own.
//
// Device: two buffers, each with an order of its own for what is done with it.
//   chunk_bytes()                  of a buffer
//   capacity()                     of positions: as many as may begin at one place, at least
//   copies_from(memory, bytes)     whether copy_in takes this host memory as it is
//   staging(slot, memory)          host memory of chunk_bytes for copy_in, one of staging_slots;
//                                  error
//   copy_in(b, from, bytes)        error; `from` may change only after wait(b)
//   match(b, part, lists)          looks at a part of the buffer; error
//   wait(b)                        until all that is done; error
//   number(b)                      of matches that there are; after wait. Where positions are not
//                                  wanted, of those that begin in front of the overlap
//   matches(b, count, result)      the first `count`, in host memory, from the part's begin on;
//   error
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/stream/reader_threads.hpp>

#include <algorithm>
#include <functional>

namespace colonnade::detail {

/// Chunks that are read, or copied from host memory, at once.
constexpr uint32_t staging_slots = 4;

struct stream_plan {
  uint64_t shortest, longest; // pattern
  uint64_t most_at_place;     // matches that begin at one place
  bool lists;                 // positions are wanted
  bool apart;                 // matches must not overlap, and could: of one pattern alone
};

/// Of a buffer. In the overlap no match begins that is asked for.
struct stream_part {
  uint64_t first, bytes, overlap;
};

/// In host memory.
struct stream_matches {
  uint64_t *positions;
  const uint32_t *patterns; // their numbers; null for one pattern
};

template <class Error> struct stream_result {
  Error error{};     // of the device
  read_failure read; // of the source
  uint64_t matches = 0;

  bool ok() const { return error == Error{} && read.error == 0; }
};

template <class Device, class Error> class stream_pipeline {
public:
  /// sink(positions, patterns, count): returns whether to go on.
  using sink_type =
      std::function<bool(const uint64_t *positions, const uint32_t *patterns, uint64_t count)>;
  /// Told of bytes that are done, after every chunk.
  using progress_type = std::function<void(uint64_t done, uint64_t all)>;

  stream_pipeline(Device &device, const text_source &source, reader_threads &readers,
                  const stream_plan &plan, const sink_type &sink, const progress_type &progress)
      : device_(device), source_(source), readers_(readers), plan_(plan), sink_(sink),
        progress_(progress), lists_(plan.lists || plan.apart),
        num_places_(source.size() < plan.shortest ? 0 : source.size() - plan.shortest + 1),
        places_(device.chunk_bytes() >= source.size() ? num_places_
                                                      : device.chunk_bytes() - (plan.longest - 1)),
        num_chunks_(num_places_ == 0 ? 0 : (num_places_ + places_ - 1) / places_) {}

  ~stream_pipeline() { readers_.cancel(); } // also where a sink has thrown

  stream_result<Error> run() {
    if (num_chunks_ > 0)
      fill(0);
    for (uint64_t k = 0; k < num_chunks_ && goes_on(); ++k) {
      if (k > 0)
        finish(k - 1);
      if (goes_on())
        look_at(k, begin(k));
      if (goes_on() && k + 1 < num_chunks_)
        fill(k + 1);
    }
    if (num_chunks_ > 0 && goes_on())
      finish(num_chunks_ - 1);
    for (const uint32_t b : {0u, 1u}) // nothing is left when memory is freed
      if (const Error error = device_.wait(b); result_.ok())
        result_.error = error;
    if (!result_.ok())
      result_.matches = 0; // none but the number of all
    return result_;
  }

private:
  static uint32_t buffer(uint64_t chunk) { return chunk % 2; }
  bool goes_on() const { return result_.ok() && !enough_; }
  /// Places at which matches of a chunk begin.
  uint64_t begin(uint64_t chunk) const { return chunk * places_; }
  uint64_t end(uint64_t chunk) const { return std::min(begin(chunk + 1), num_places_); }
  /// Of matches that begin in front of `place`.
  uint64_t text_end(uint64_t place) const {
    return std::min(place + plan_.longest - 1, source_.size());
  }
  uint64_t bytes(uint64_t chunk) const { return text_end(end(chunk)) - begin(chunk); }
  void take(Error error) {
    if (result_.ok())
      result_.error = error;
  }

  void fill(uint64_t k) {
    if (device_.copies_from(source_.memory(), source_.size()))
      return take(device_.copy_in(buffer(k), source_.memory() + begin(k), bytes(k)));
    read_ahead();
    if (!result_.ok())
      return;
    result_.read = readers_.wait();
    if (result_.ok())
      take(device_.copy_in(buffer(k), staging_[k % staging_slots], bytes(k)));
  }
  /// As many chunks as there is staging memory that nothing is copied from.
  void read_ahead() {
    for (; started_ < std::min(num_chunks_, finished_ + staging_slots) && result_.ok();
         ++started_) {
      uint8_t *&memory = staging_[started_ % staging_slots];
      take(device_.staging(started_ % staging_slots, memory));
      if (!result_.ok())
        return;
      readers_.start(source_, begin(started_), bytes(started_), memory);
    }
  }
  /// At the places of chunk k from `from` on, up to `to`.
  void look_at(uint64_t k, uint64_t from) { look_at(k, from, end(k)); }
  void look_at(uint64_t k, uint64_t from, uint64_t to) {
    from_ = plan_.apart ? std::max(from, behind_last_) : from;
    to_ = to;
    looking_ = from_ < to;
    if (looking_)
      take(device_.match(buffer(k), {from_ - begin(k), text_end(to) - from_, text_end(to) - to},
                         lists_));
  }
  void finish(uint64_t k) {
    take(device_.wait(buffer(k)));
    if (!result_.ok())
      return;
    finished_ = k + 1;
    if (looking_)
      collect(k);
    if (progress_ && result_.ok())
      progress_(end(k), num_places_);
  }
  void collect(uint64_t k) {
    const uint64_t number = device_.number(buffer(k));
    if (!lists_)
      result_.matches += number;
    else if (number <= device_.capacity())
      deliver(k, number);
    else
      by_parts(k);
  }
  /// By so few places that there is room for as many matches.
  void by_parts(uint64_t k) {
    const uint64_t step = std::max<uint64_t>(device_.capacity() / plan_.most_at_place, 1);
    for (uint64_t at = begin(k); at < end(k) && goes_on(); at += step) {
      look_at(k, at, std::min(at + step, end(k)));
      take(device_.wait(buffer(k)));
      if (looking_ && result_.ok()) // those that begin behind the part may be too many
        deliver(k, std::min(device_.number(buffer(k)), device_.capacity()));
    }
  }
  /// Of `number` matches those that begin in front of to_.
  void deliver(uint64_t k, uint64_t number) {
    if (number == 0)
      return;
    stream_matches matches{};
    take(device_.matches(buffer(k), number, matches));
    if (!result_.ok())
      return;
    uint64_t *const positions = matches.positions;
    number = static_cast<uint64_t>(std::lower_bound(positions, positions + number, to_ - from_) -
                                   positions);
    if (number == 0)
      return;
    for (uint64_t i = 0; i < number; ++i)
      positions[i] += from_;
    behind_last_ = positions[number - 1] + plan_.longest;
    result_.matches += number;
    if (plan_.lists)
      enough_ = !sink_(positions, matches.patterns, number);
  }

  Device &device_;
  const text_source &source_;
  reader_threads &readers_;
  const stream_plan plan_;
  const sink_type &sink_;
  const progress_type &progress_;
  const bool lists_;
  const uint64_t num_places_, places_, num_chunks_; // places_: of a chunk
  uint64_t from_ = 0, to_ = 0, behind_last_ = 0;
  uint64_t started_ = 0, finished_ = 0; // chunks: that are read, or were; that are done
  uint8_t *staging_[staging_slots] = {};
  bool looking_ = false, enough_ = false;
  stream_result<Error> result_;
};

} // namespace colonnade::detail
