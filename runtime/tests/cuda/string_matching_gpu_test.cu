//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// String matching on a GPU against a simple search on the host: random and periodic texts of four
// alphabets, of any alignment, short and of several blocks, long patterns, room for fewer
// positions; replayed graphs.
//
//   --small    fewer and smaller cases
//   --seed S   others; --cases N   so many
//
//===----------------------------------------------------------------------===//

#include "../string_cases.hpp"
#include "string_case.cuh"

using namespace colonnade;
using namespace colonnade::testing;

namespace {

/// Small texts are several blocks, and sampled.
struct small_blocks : string_matching_policy {
  static constexpr uint32_t most_rounds = 1;
  static constexpr uint64_t least_sampled_bytes = 2000;
  static constexpr string_matching_tuning tuning(gpu_architecture) { return {64, 2, 1}; }
};

matcher matcher_of(const std::vector<uint8_t> &pattern, matcher_options options = {}) {
  matcher m;
  CUDA_OK(matcher::create(m, pattern.data(), pattern.size(), options));
  return m;
}

template <class Policy>
void check(const std::vector<uint64_t> &right, matcher_ref pattern, const uint8_t *d_text,
           uint64_t n, uint64_t capacity, const char *what) {
  check_calls(
      right, capacity, what,
      [&](void *t, size_t &b, uint64_t *d_number, const run_options &options) {
        return count_matches(t, b, pattern, d_text, n, d_number, options, Policy{});
      },
      [&](void *t, size_t &b, uint64_t *d_position, const run_options &options) {
        return find_first(t, b, pattern, d_text, n, d_position, options, Policy{});
      },
      [&](void *t, size_t &b, uint64_t *d_positions, uint64_t *d_number,
          const run_options &options) {
        return find_matches(t, b, pattern, d_text, n, d_positions, capacity, d_number, options,
                            Policy{});
      });
}

void test_random_cases(uint64_t cases, uint32_t seed) {
  const text_memory memory(20000);
  std::mt19937 random(seed);
  for (uint64_t i = 0; i < cases; ++i) {
    const string_case c = random_case(random() % 8 ? 3000 : 20000, 100, random);
    const matcher m = matcher_of(c.pattern, {c.fold_case});
    const std::vector<uint64_t> right = naive_matches(c);
    const std::string what = "random case " + std::to_string(i);
    const uint64_t capacity = random() % 4 ? right.size() + 5 : random() % 50;
    const uint8_t *const d_text = memory.put(c.text);
    if (random() % 2)
      check<string_matching_policy>(right, m.ref(), d_text, c.text.size(), capacity, what.c_str());
    else
      check<small_blocks>(right, m.ref(), d_text, c.text.size(), capacity, what.c_str());
  }
}

/// Rows with any number of matches, room for any number of positions.
void test_dense_texts(uint64_t cases) {
  const text_memory memory(20000);
  for (uint32_t seed = 0; seed < cases; ++seed) {
    const string_case c = dense_case(seed);
    const matcher m = matcher_of(c.pattern);
    const std::vector<uint64_t> right = naive_matches(c);
    const uint64_t capacity = seed % 3 ? right.size() + seed % 2 : seed * 7919 % (right.size() + 1);
    const std::string what = "dense case " + std::to_string(seed);
    const uint8_t *const d_text = memory.put(c.text);
    check<small_blocks>(right, m.ref(), d_text, c.text.size(), capacity, what.c_str());
    check<string_matching_policy>(right, m.ref(), d_text, c.text.size(), capacity, what.c_str());
  }
}

/// Several blocks of the default policy, sampled.
void test_large_texts(uint64_t n, uint64_t longest) {
  const text_memory memory(n);
  std::mt19937 random(11);
  for (const uint32_t alphabet : {2u, 20u, 256u})
    for (uint64_t m = 1; m <= longest; m = m < 8 ? m + 1 : 4 * m) {
      string_case c{some_text(n - random() % 40, text_kind::random, alphabet, random), {}};
      const auto from = c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - m));
      c.pattern.assign(from, from + static_cast<int64_t>(m));
      for (uint32_t k = 0; k < 5; ++k)
        std::copy(c.pattern.begin(), c.pattern.end(),
                  c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - m)));
      const matcher owner = matcher_of(c.pattern);
      const std::string what =
          "alphabet " + std::to_string(alphabet) + ", m = " + std::to_string(m);
      const std::vector<uint64_t> right = naive_matches(c);
      check<string_matching_policy>(right, owner.ref(), memory.put(c.text), c.text.size(),
                                    right.size(), what.c_str());
    }
}

/// So many blocks that a warp writes the matches of two segments: few, and many here and there.
void test_many_segments(uint64_t n) {
  const text_memory memory(n);
  std::mt19937 random(14);
  for (const uint64_t length : {1, 3, 4, 6}) {
    string_case c{std::vector<uint8_t>(n - 5), std::vector<uint8_t>(length, 'a')};
    uint32_t rarity = 1;
    for (uint64_t i = 0; i < c.text.size(); ++i) {
      if (i % 700 == 0)
        rarity = random() % 16 ? 2000 : 1 + random() % 9;
      c.text[i] = random() % rarity == 0 ? 'a' : 'b';
    }
    for (uint64_t i = 0; i + length < c.text.size(); i += 1 + random() % 3000)
      std::fill_n(c.text.begin() + static_cast<int64_t>(i), length, 'a');
    const matcher owner = matcher_of(c.pattern);
    const std::vector<uint64_t> right = naive_matches(c);
    const std::string what = "many segments, m = " + std::to_string(length);
    for (const uint64_t capacity : {right.size(), right.size() / 2})
      check<small_blocks>(right, owner.ref(), memory.put(c.text), c.text.size(), capacity,
                          what.c_str());
  }
}

/// Every position matches, or is a candidate.
void test_periodic_texts(uint64_t n) {
  const text_memory memory(n);
  std::mt19937 random(12);
  for (const text_kind kind : {text_kind::one_character, text_kind::fibonacci})
    for (const uint64_t m : {1, 2, 3, 8, 32, 33, 200}) {
      string_case c{some_text(n, kind, 1, random), {}};
      c.pattern.assign(c.text.begin(), c.text.begin() + static_cast<int64_t>(m));
      const matcher owner = matcher_of(c.pattern);
      const std::string what = "periodic, m = " + std::to_string(m);
      const std::vector<uint64_t> right = naive_matches(c);
      check<string_matching_policy>(right, owner.ref(), memory.put(c.text), n, right.size() / 2,
                                    what.c_str());
      c.pattern.back() ^= 1; // now nothing matches
      const matcher other = matcher_of(c.pattern);
      check<string_matching_policy>(naive_matches(c), other.ref(), memory.put(c.text), n, 10,
                                    what.c_str());
    }
}

/// The rarest part is everywhere, and places begin alike for long: patterns that are there, and
/// patterns that differ from these at one place.
template <class Policy> void test_dense_texts(uint64_t n) {
  const text_memory memory(n);
  std::mt19937 random(14);
  for (const text_kind kind : {text_kind::fibonacci, text_kind::thue_morse, text_kind::random})
    for (const uint64_t m : {5, 8, 16, 31, 33, 64, 128, 129, 300, 1024, 5000, 70000})
      for (const bool fold : {false, true}) {
        if (2 * m > n)
          continue;
        string_case c{some_text(n, kind, 2, random), {}, fold};
        const auto from = c.text.begin() + static_cast<int64_t>(random() % (n - m));
        c.pattern.assign(from, from + static_cast<int64_t>(m));
        const std::string what = "dense, m = " + std::to_string(m);
        for (const bool changed : {false, true}) {
          if (changed)
            c.pattern[random() % m] ^= 1;
          const matcher owner = matcher_of(c.pattern, {.fold_case = fold});
          const std::vector<uint64_t> right = naive_matches(c);
          check<Policy>(right, owner.ref(), memory.put(c.text), n, right.size(), what.c_str());
        }
      }
}

template <class Call, class... Outputs>
void check_replays_of(const char *what, const device_array<uint8_t> &text, Call call,
                      const Outputs &...outputs) {
  check_replays(
      what,
      [&](uint64_t seed) { // other characters: nothing matches in the second
        std::mt19937 random(static_cast<uint32_t>(seed));
        text.write(some_text(text.read().size(), text_kind::random, 3, random));
      },
      call, outputs...);
}

void test_replays(uint64_t n) {
  const device_array<uint8_t> text(n);
  for (const uint64_t length : {1, 2, 5}) {
    std::mt19937 random(1); // what the first text begins with
    std::vector<uint8_t> pattern = some_text(n, text_kind::random, 3, random);
    pattern.resize(length);
    const matcher owner = matcher_of(pattern);
    const device_array<uint64_t> number(1), positions(n);
    check_replays_of(
        "count_matches", text,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return count_matches(t, b, owner.ref(), text.get(), n, number.get(), {stream, nullptr});
        },
        number);
    check_replays_of(
        "find_matches", text,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return find_matches(t, b, owner.ref(), text.get(), n, positions.get(), n, number.get(),
                              {stream, nullptr});
        },
        number, positions);
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
  test_dense_texts(small ? 40 : 200);
  test_large_texts(small ? 40000 : 3 << 20, small ? 512 : 1 << 20);
  if (!small)
    test_many_segments(16 << 20);
  test_periodic_texts(small ? 5000 : 100000);
  test_dense_texts<small_blocks>(small ? 9000 : 300000);
  if (!small)
    test_dense_texts<string_matching_policy>(3 << 19);
  test_replays(small ? 3000 : 1 << 21);
  return gpu_result("string matching");
}
