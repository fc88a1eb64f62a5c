//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_case.cuh: what GPU tests of string matching have in common: where texts lie, and what
// calls of a matcher must give.
//
// In: the positions that are right. Out: messages. Invariant: nothing here knows what characters
// are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "replay_case.cuh"

#include <colonnade/string_matching.cuh>

namespace colonnade::testing {

/// Where texts end with the memory that is theirs, so that memcheck sees what is read beyond.
class text_memory {
public:
  explicit text_memory(uint64_t most) : most_(most) { CUDA_OK(cudaMalloc(&d_memory_, most)); }
  ~text_memory() { CUDA_OK(cudaFree(d_memory_)); }
  text_memory(const text_memory &) = delete;
  const uint8_t *put(const std::vector<uint8_t> &text) const {
    uint8_t *const d_text = d_memory_ + (most_ - text.size());
    CUDA_OK(cudaMemcpy(d_text, text.data(), text.size(), cudaMemcpyHostToDevice));
    return d_text;
  }

private:
  uint64_t most_;
  uint8_t *d_memory_ = nullptr;
};

/// The calls in their two phases: count(t, b, d_number, options), first likewise, find(t, b,
/// d_positions, d_number, options).
template <class Count, class First, class Find>
void check_calls(const std::vector<uint64_t> &right, uint64_t capacity, const char *what,
                 Count count, First first, Find find) {
  const device_array<uint64_t> positions(capacity), results(3);
  const device_array<device_status> status(std::vector<device_status>(1));
  const run_options options{nullptr, status.get()};
  call_twice([&](void *t, size_t &b) { return count(t, b, results.get(), options); });
  call_twice([&](void *t, size_t &b) { return first(t, b, results.get() + 1, options); });
  call_twice(
      [&](void *t, size_t &b) { return find(t, b, positions.get(), results.get() + 2, options); });
  const std::vector<uint64_t> got = results.read();
  const auto ull = [](uint64_t x) { return static_cast<unsigned long long>(x); };
  EXPECT(got[0] == right.size(), "%s: count %llu, not %llu", what, ull(got[0]), ull(right.size()));
  EXPECT(got[1] == (right.empty() ? ~uint64_t{0} : right[0]), "%s: first %llu", what, ull(got[1]));
  EXPECT(got[2] == right.size(), "%s: number %llu, not %llu", what, ull(got[2]), ull(right.size()));
  const uint64_t room = std::min<uint64_t>(capacity, right.size());
  const std::vector<uint64_t> all = positions.read();
  EXPECT(std::equal(right.begin(), right.begin() + static_cast<int64_t>(room), all.begin()),
         "%s: positions", what);
  EXPECT(std::all_of(all.begin() + static_cast<int64_t>(room), all.end(),
                     [](uint64_t p) { return p == 0xa5a5a5a5a5a5a5a5u; }),
         "%s: more written than there are", what);
  positions.expect_intact(what);
  const device_status said = status.read()[0];
  EXPECT(right.size() > capacity
             ? said.error() == data_error::buffer_too_small && said.detail() == right.size()
             : said.ok(),
         "%s: status", what);
}

} // namespace colonnade::testing
