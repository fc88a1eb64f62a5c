//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_stream.cuh: where one string is in a text in host memory or in a file, which may
// be larger than the GPU's memory.
//
//   text_stream    owns the buffers on the GPU and the threads that read; its members are
//   count_matches  at how many positions of a source the pattern is
//   find_matches   these positions, ascending: in a vector, or by calls of a function
//   memory_text, file_text   sources, in string_matching_source.hpp
//
// A chunk of `chunk_bytes` is copied while the one before is looked at. A match belongs to the
// chunk in which it begins; chunks overlap by the pattern's length less one.
//   sources       bytes; n < 2^63. Pinned (or managed) host memory is copied as it is; other
//                 memory, and files, are read into pinned memory by `threads`, while the chunks
//                 before are copied; chunks then have at most 8 MB (32 times the pattern, if that
//                 is more). reading does not throw
//   patterns      matchers of string_matching.cuh, whose contract holds for what is a match (for
//                 sets of patterns see string_matching_sets_stream.cuh);
//                 match_selection::non_overlapping, too: also across chunks
//   work          as there; patterns that can overlap themselves, if matches must not: positions
//                 are copied to the host even to count
//   device memory at most 3 chunks: two of text, temporary storage and positions for a sixty-fourth
//                 of them (a chunk with more matches is looked at again in parts). It stays for the
//                 next call
//   host memory   four chunks, pinned, if the source is not; for positions a quarter of a chunk
//   synchronises  all calls return when all is done; they use two streams of their own, and no
//                 other. The pattern's matcher must be created before. One call at a time
//   errors        stream_outcome: of CUDA; or of reading, with the offset of the first byte that
//                 was not read. Then the number is 0, though positions of whole chunks before may
//                 have been handed out
//   determinism   the same positions whatever the options
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/detail/string_matching/stream/device.cuh>
#include <colonnade/detail/string_matching/stream/pipeline.hpp>
#include <colonnade/string_matching.cuh>
#include <colonnade/string_matching_source.hpp>

#include <memory>
#include <thread>
#include <vector>

namespace colonnade {

struct text_stream_options {
  /// Of a buffer; at least 1 MB and four times the pattern are taken, and no more than the text
  /// has.
  uint64_t chunk_bytes = 64u << 20;
  /// That read from what is not pinned; 0: one for each core, up to 16.
  uint32_t threads = 0;
  /// Told of bytes that are done, after every chunk.
  std::function<void(uint64_t done, uint64_t all)> progress = {};
};

/// How a call ended.
struct stream_outcome {
  cudaError_t error = cudaSuccess;
  int read_error = 0;       // of <cerrno>
  uint64_t read_offset = 0; // of the first byte that was not read

  bool ok() const { return error == cudaSuccess && read_error == 0; }
};

namespace detail {

/// A matcher's pattern, as device.cuh takes it.
struct matcher_search {
  static constexpr bool has_patterns = false;
  matcher_ref pattern;

  uint64_t shortest() const { return pattern.length(); }
  uint64_t longest() const { return pattern.length(); }
  uint64_t most_at_place() const { return 1; }
  bool leaves_out() const { return pattern.leaves_out(); }
  cudaError_t count(void *d_temp, size_t &temp_bytes, const uint8_t *d_text, uint64_t n,
                    uint64_t *d_number, const run_options &options) const {
    return count_matches(d_temp, temp_bytes, pattern, d_text, n, d_number, options);
  }
  cudaError_t find(void *d_temp, size_t &temp_bytes, const uint8_t *d_text, uint64_t n,
                   uint64_t *d_positions, uint32_t * /*d_patterns*/, uint64_t capacity,
                   uint64_t *d_number, const run_options &options) const {
    return find_matches(d_temp, temp_bytes, pattern, d_text, n, d_positions, capacity, d_number,
                        options);
  }
};

struct stream_access; // for string_matching_sets_stream.cuh
} // namespace detail

/// Resource: as in single_phase.cuh, for device memory.
template <class Resource = async_resource> class basic_text_stream {
public:
  /// Told of positions, ascending, which it may keep only as copies; returns whether to go on.
  using sink_type = std::function<bool(const uint64_t *positions, uint64_t count)>;

  explicit basic_text_stream(text_stream_options options = {}, Resource resource = {})
      : options_(std::move(options)), buffers_{resource, {}},
        readers_(std::make_unique<detail::reader_threads>(threads_of(options_))) {}

  [[nodiscard]] stream_outcome count_matches(matcher_ref pattern, const text_source &source,
                                             uint64_t &num_matches) {
    return run(detail::matcher_search{pattern}, source, false, {}, num_matches);
  }
  /// num_matches: of those that were handed out.
  [[nodiscard]] stream_outcome find_matches(matcher_ref pattern, const text_source &source,
                                            const sink_type &sink, uint64_t &num_matches) {
    return run(
        detail::matcher_search{pattern}, source, true,
        [&sink](const uint64_t *positions, const uint32_t *, uint64_t count) {
          return sink(positions, count);
        },
        num_matches);
  }
  /// positions: empty after an error.
  [[nodiscard]] stream_outcome find_matches(matcher_ref pattern, const text_source &source,
                                            std::vector<uint64_t> &positions) {
    positions.clear();
    uint64_t number = 0;
    const stream_outcome outcome = find_matches(
        pattern, source,
        [&](const uint64_t *some, uint64_t count) {
          positions.insert(positions.end(), some, some + count);
          return true;
        },
        number);
    if (!outcome.ok())
      positions.clear();
    return outcome;
  }
  /// Of device memory, which stays until this ends.
  size_t bytes() const { return buffers_.bytes(); }

private:
  friend struct detail::stream_access;
  using matches_sink =
      std::function<bool(const uint64_t *positions, const uint32_t *patterns, uint64_t count)>;

  static uint32_t threads_of(const text_stream_options &options) {
    return options.threads ? options.threads
                           : std::clamp(std::thread::hardware_concurrency(), 1u, 16u);
  }
  template <class Search>
  stream_outcome run(const Search &search, const text_source &source, bool lists,
                     const matches_sink &sink, uint64_t &num_matches) {
    num_matches = 0;
    if (search.longest() == 0 || source.size() >> 63)
      return {cudaErrorInvalidValue, 0, 0};
    if (source.size() < search.shortest())
      return {};
    const bool apart = search.leaves_out();
    using device_type = detail::stream_device<Resource, Search>;
    device_type device(buffers_, search);
    if (const cudaError_t error = device.prepare(source, options_.chunk_bytes, lists || apart))
      return {error, 0, 0};
    const detail::stream_plan plan{search.shortest(), search.longest(), search.most_at_place(),
                                   lists, apart};
    const auto result = detail::stream_pipeline<device_type, cudaError_t>(
                            device, source, *readers_, plan, sink, options_.progress)
                            .run();
    num_matches = result.matches;
    return {result.error, result.read.error, result.read.offset};
  }

  text_stream_options options_;
  detail::stream_buffers<Resource> buffers_;
  std::unique_ptr<detail::reader_threads> readers_;
};
using text_stream = basic_text_stream<>;

} // namespace colonnade
