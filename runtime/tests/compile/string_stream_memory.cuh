//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_stream_memory.cuh: streams of text over the faked runtime, in which each kernel is a
// search on the host: what is copied and looked at, and the memory that that takes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../string_cases.hpp"
#include "faked_runtime.hpp"

#include <colonnade/string_matching_stream.cuh>

namespace colonnade::testing {

/// Instead of the first kernel of a call, and again of the others.
inline void search_instead(const cudaLaunchConfig_t &, void **arguments) {
  const auto &job = *static_cast<const detail::matching_job *>(arguments[0]);
  const uint64_t n = job.num_positions + job.length - 1;
  const string_case c{{job.text, job.text + n}, {job.pattern, job.pattern + job.length}};
  const std::vector<uint64_t> right = job.every > 1 ? naive_apart(c) : naive_matches(c);
  *job.num_matches = right.size();
  if (job.positions)
    std::copy_n(right.begin(), std::min<uint64_t>(job.capacity, right.size()), job.positions);
}

using faked_stream = basic_text_stream<faked::resource>;

class stream_memory_test {
public:
  void run() {
    faked::on = true;
    faked::seen = search_instead;
    faked::book = {};
    std::mt19937 random(1);
    const uint64_t n = (3 << 20) + 12345;
    string_case some{some_text(n, text_kind::random, 4, random), {}};
    some.pattern.assign(some.text.begin() + 77, some.text.begin() + 86);
    check(some, 1 << 20);
    check({std::vector<uint8_t>(n, 'a'), std::vector<uint8_t>(7, 'a')}, 1 << 20);
    some.pattern.assign(some.text.begin() + 77, some.text.begin() + (600 << 10));
    check(some, 1 << 20); // four times the pattern
    some.pattern = {'a'};
    check({std::vector<uint8_t>(100, 'a'), {'a'}}, 1 << 20);
    check_failures(some);
    EXPECT(faked::book.live.empty() && faked::streams == 0 && faked::pinned == 0,
           "%zu allocations, %u streams, %zu pinned allocations are left", faked::book.live.size(),
           faked::streams, faked::pinned);
    faked::seen = nullptr;
    faked::on = false;
  }

private:
  using matcher_type = basic_matcher<faked::resource>;
  static matcher_type matcher_of(const std::vector<uint8_t> &pattern) {
    matcher_type m;
    CUDA_OK(matcher_type::create(m, pattern.data(), pattern.size(), {}, nullptr, {7}));
    return m;
  }

  static void check(const string_case &c, uint64_t chunk_bytes) {
    const matcher_type m = matcher_of(c.pattern);
    const memory_text source(c.text.data(), c.text.size());
    for (const bool pinned : {false, true}) {
      faked::is_pinned = pinned ? c.text.data() : nullptr;
      faked_stream stream({chunk_bytes, 2, {}}, {7});
      for (const auto selection : {match_selection::all, match_selection::non_overlapping}) {
        const auto right = selection == match_selection::all ? naive_matches(c) : naive_apart(c);
        uint64_t number = 0;
        std::vector<uint64_t> positions;
        EXPECT(stream.count_matches(m.ref(selection), source, number).ok() &&
                   number == right.size(),
               "%llu matches", static_cast<unsigned long long>(number));
        EXPECT(stream.find_matches(m.ref(selection), source, positions).ok() && positions == right,
               "positions, m = %zu", c.pattern.size());
      }
      const uint64_t chunk = std::max<uint64_t>(chunk_bytes, 4 * c.pattern.size());
      EXPECT(stream.bytes() <= 3 * chunk, "%zu bytes of device memory for chunks of %llu",
             stream.bytes(), static_cast<unsigned long long>(chunk));
      EXPECT(faked::pinned <= (pinned ? 4u : 8u), "%zu pinned allocations", faked::pinned);
    }
    faked::is_pinned = nullptr;
  }
  /// Memory ends at each allocation in turn; then there is enough.
  static void check_failures(const string_case &c) {
    const matcher_type m = matcher_of(c.pattern);
    const memory_text source(c.text.data(), c.text.size());
    const uint64_t right = naive_matches(c).size();
    for (uint32_t k = 1;; ++k) {
      faked_stream stream({1 << 20, 1, {}}, {7});
      std::vector<uint64_t> positions;
      faked::book.calls = 0;
      faked::book.fail_at = k;
      const stream_outcome outcome = stream.find_matches(m.ref(), source, positions);
      faked::book.fail_at = ~0u;
      if (outcome.ok()) {
        EXPECT(k == 9, "%u allocations", k - 1); // of each buffer: four
        return;
      }
      EXPECT(outcome.error == cudaErrorMemoryAllocation && positions.empty(), "allocation %u", k);
      EXPECT(stream.find_matches(m.ref(), source, positions).ok() && positions.size() == right,
             "again after allocation %u", k);
    }
  }
};

} // namespace colonnade::testing
