//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matching with mismatches on a GPU against the reference on the host: random and periodic texts of
// four alphabets, of any alignment, by pieces and by counting, short and of several blocks, room
// for fewer positions, with and without numbers of mismatches; matches around every border; a text
// of more than 2^32 bytes; replayed graphs.
//
//   --small    fewer and smaller cases
//   --seed S   others; --cases N   so many
//
//===----------------------------------------------------------------------===//

#include "../mismatch_string_cases.hpp"
#include "replay_case.cuh"
#include "string_case.cuh"

#include <colonnade/string_matching_mismatches.cuh>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

/// Small texts are several blocks.
struct small_mismatch_blocks : string_mismatch_policy {
  static constexpr uint32_t most_rounds = 1;
  static constexpr string_matching_tuning tuning(gpu_architecture) { return {64, 2, 1}; }
};

/// Texts of 80 MB are segments of 11 steps.
struct small_blocks_of_steps : small_mismatch_blocks {
  static constexpr uint32_t most_rounds = 31;
};

mismatch_matcher matcher_of(const std::vector<uint8_t> &pattern, uint32_t most,
                            mismatch_options options = {}) {
  mismatch_matcher m;
  CUDA_OK(mismatch_matcher::create(m, pattern.data(), pattern.size(), most, options));
  return m;
}

/// Without numbers of mismatches, then with them.
template <class Policy>
void check(const std::vector<mismatch_match> &right, mismatch_matcher_ref pattern,
           const uint8_t *d_text, uint64_t n, uint64_t capacity, const char *what) {
  std::vector<uint64_t> positions;
  for (const mismatch_match &m : right)
    positions.push_back(m.position);
  const device_array<uint8_t> numbers(capacity);
  for (uint8_t *const d_numbers : {static_cast<uint8_t *>(nullptr), numbers.get()})
    check_calls(
        positions, capacity, what,
        [&](void *t, size_t &b, uint64_t *d_number, const run_options &options) {
          return count_matches(t, b, pattern, d_text, n, d_number, options, Policy{});
        },
        [&](void *t, size_t &b, uint64_t *d_position, const run_options &options) {
          return find_first(t, b, pattern, d_text, n, d_position, options, Policy{});
        },
        [&](void *t, size_t &b, uint64_t *d_positions, uint64_t *d_number,
            const run_options &options) {
          return find_matches(t, b, pattern, d_text, n, d_positions, d_numbers, capacity, d_number,
                              options, Policy{});
        });
  const uint64_t room = std::min<uint64_t>(capacity, right.size());
  const std::vector<uint8_t> got = numbers.read();
  for (uint64_t i = 0; i < capacity; ++i)
    if (got[i] != (i < room ? right[i].mismatches : 0xa5)) {
      EXPECT(false, "%s: %u mismatches at match %llu", what, got[i],
             static_cast<unsigned long long>(i));
      break;
    }
  numbers.expect_intact(what);
}
void check_case(const mismatch_case &c, const text_memory &memory, uint64_t capacity,
                bool small_blocks, const std::string &what) {
  const mismatch_matcher m = matcher_of(c.pattern, c.most, c.options);
  const std::vector<mismatch_match> right = right_matches(c);
  const uint8_t *const d_text = memory.put(c.text);
  if (small_blocks)
    check<small_mismatch_blocks>(right, m.ref(), d_text, c.text.size(), capacity, what.c_str());
  else
    check<string_mismatch_policy>(right, m.ref(), d_text, c.text.size(), capacity, what.c_str());
}

void test_random_cases(uint64_t cases, uint32_t seed) {
  const text_memory memory(30000);
  std::mt19937 random(seed);
  for (uint64_t i = 0; i < cases; ++i) {
    mismatch_case c = random_mismatch_case(random() % 8 ? 3000 : 20000, random);
    if (i % 50 == 0) // shorter than the pattern
      c.text.resize(random() % c.pattern.size());
    const uint64_t capacity = random() % 4 ? c.text.size() + 5 : random() % 50;
    check_case(c, memory, capacity, random() % 2, "random case " + std::to_string(i));
  }
}

/// Several blocks of the default policy; k = 8 with patterns of 9 and 64 among them.
void test_large_texts(uint64_t n) {
  const text_memory memory(n);
  std::mt19937 random(11);
  const struct {
    uint64_t length;
    uint32_t most;
  } shapes[] = {{9, 8}, {64, 8}, {32, 2}, {12, 4}, {32, 4}, {16, 1}, {33, 0}, {700, 5}};
  for (const auto &shape : shapes)
    for (const uint32_t alphabet : {4u, 256u})
      for (const auto method : {mismatch_method::counting, mismatch_method::pieces}) {
        mismatch_case c;
        c.most = shape.most;
        c.options.method = method;
        c.text = some_text(n - random() % 40, text_kind::random, alphabet, random);
        c.pattern.assign(c.text.begin() + 77, c.text.begin() + 77 + shape.length);
        if (method == mismatch_method::pieces && !can_have_pieces(c))
          continue;
        for (uint32_t copies = 0; copies < 200; ++copies)
          put_mismatched(c, random() % (c.text.size() - shape.length), c.most + random() % 2,
                         random);
        check_case(c, memory, c.text.size(), false,
                   std::to_string(shape.most) + " of " + std::to_string(shape.length) +
                       (method == mismatch_method::pieces ? ", pieces" : ", counting"));
      }
}

/// Matches around the borders of vectors, steps, segments and blocks of the default policy.
void test_borders() {
  const uint64_t n = 150000, length = 32;
  const text_memory memory(n);
  std::mt19937 random(12);
  for (const auto method : {mismatch_method::counting, mismatch_method::pieces})
    for (uint64_t shift = 0; shift < 40; ++shift) {
      mismatch_case c;
      c.most = 2;
      c.options.method = method;
      c.pattern = some_text(length, text_kind::random, 256, random);
      c.text = some_text(n - shift % 16, text_kind::one_character, 1, random);
      for (uint64_t border = 512; border + length < n - 64; border += 512)
        if (border % 2016 < 600 || border % 2048 == 0)
          put_mismatched(c, border - shift, 2 + (border / 512) % 2, random);
      check_case(c, memory, n, false, "borders, shift " + std::to_string(shift));
    }
}

/// Segments of many steps, with matches at random.
void test_long_segments(uint64_t n) {
  const text_memory memory(n);
  std::mt19937 random(14);
  mismatch_case c;
  c.most = 2;
  c.text.resize(n);
  for (uint64_t i = 0; i + 4 <= n; i += 4) {
    const uint32_t word = static_cast<uint32_t>(random());
    std::memcpy(&c.text[i], &word, 4);
  }
  c.pattern = some_text(32, text_kind::random, 256, random);
  for (uint32_t copies = 0; copies < 200000; ++copies)
    put_mismatched(c, random() % (n - 32), 1 + random() % 3, random);
  const std::vector<mismatch_match> right = right_matches(c);
  const uint8_t *const d_text = memory.put(c.text);
  for (const auto method : {mismatch_method::counting, mismatch_method::pieces}) {
    const mismatch_matcher m = matcher_of(c.pattern, 2, {false, method});
    check<small_blocks_of_steps>(right, m.ref(), d_text, n, right.size(), "long segments");
    check<string_mismatch_policy>(right, m.ref(), d_text, n, right.size(), "long segments");
  }
}

/// Text of zeros, but on both sides of 2^32 and at the ends.
void test_huge_text(bool small) {
  const uint64_t n = small ? 5003 : (uint64_t{1} << 32) + 100003;
  size_t free_bytes = 0, all_bytes = 0;
  CUDA_OK(cudaMemGetInfo(&free_bytes, &all_bytes));
  if (free_bytes < n + n / 8) {
    std::printf("no huge text: %zu bytes of device memory are free\n", free_bytes);
    return;
  }
  const device_array<uint8_t> text(n);
  CUDA_OK(cudaMemset(text.get(), 0, n));
  std::mt19937 random(13);
  const std::vector<uint8_t> pattern = some_text(21, text_kind::random, 256, random);
  std::vector<mismatch_match> right;
  for (const uint64_t at :
       {uint64_t{0}, n / 2, (uint64_t{1} << 32) - 20, (uint64_t{1} << 32) + 1, n - 21})
    if (at + 21 <= n && (right.empty() || at >= right.back().position + 21)) {
      std::vector<uint8_t> copy = pattern;
      copy[right.size()] ^= 1, copy[20] ^= 4;
      CUDA_OK(cudaMemcpy(text.get() + at, copy.data(), 21, cudaMemcpyHostToDevice));
      right.push_back({at, 2});
    }
  for (const auto method : {mismatch_method::counting, mismatch_method::pieces}) {
    const mismatch_matcher m = matcher_of(pattern, 2, {false, method});
    check<string_mismatch_policy>(right, m.ref(), text.get(), n, right.size(), "a huge text");
  }
}

template <class Call, class... Outputs>
void check_replays_of(const std::string &what, const device_array<uint8_t> &text, Call call,
                      const Outputs &...outputs) {
  check_replays(
      what.c_str(),
      [&](uint64_t seed) {
        std::mt19937 random(static_cast<uint32_t>(seed));
        text.write(some_text(text.read().size(), text_kind::random, 3, random));
      },
      call, outputs...);
}

void test_replays(uint64_t n) {
  const device_array<uint8_t> text(n);
  std::mt19937 random(1); // what the first text begins with, and no other
  std::vector<uint8_t> first = some_text(n, text_kind::random, 3, random);
  first.resize(28);
  const device_array<uint64_t> number(1), positions(n);
  const device_array<uint8_t> numbers(n);
  for (const auto method : {mismatch_method::counting, mismatch_method::pieces}) {
    const mismatch_matcher m = matcher_of(first, 3, {false, method});
    const std::string by = method == mismatch_method::pieces ? ", pieces" : ", counting";
    check_replays_of(
        "count_matches" + by, text,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return count_matches(t, b, m.ref(), text.get(), n, number.get(), {stream, nullptr});
        },
        number);
    check_replays_of(
        "find_first" + by, text,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return find_first(t, b, m.ref(), text.get(), n, number.get(), {stream, nullptr});
        },
        number);
    check_replays_of(
        "find_matches" + by, text,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return find_matches(t, b, m.ref(), text.get(), n, positions.get(), numbers.get(), n,
                              number.get(), {stream, nullptr});
        },
        number, positions, numbers);
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  uint64_t cases = small ? 60 : 1000;
  uint32_t seed = 1;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--cases") == 0)
      cases = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0)
      seed = static_cast<uint32_t>(std::strtoul(argv[i + 1], nullptr, 10));
  }
  test_random_cases(cases, seed);
  test_large_texts(small ? 5000 : 3 << 20);
  if (!small) {
    test_borders();
    test_long_segments(80 << 20);
  }
  test_huge_text(small);
  test_replays(small ? 3000 : 1 << 21);
  return gpu_result("matching with mismatches");
}
