//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Matches that do not overlap, on a GPU, against a search on the host that goes on behind each
// match: patterns that overlap themselves, in random, periodic and Fibonacci texts of one block and
// of many; packed texts; replayed graphs.
//
//   --small    fewer and smaller cases
//   --seed S   others; --cases N   so many
//
//===----------------------------------------------------------------------===//

#include "../packed_string_cases.hpp"
#include "string_case.cuh"

#include <colonnade/string_matching_packed.cuh>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

constexpr auto apart = match_selection::non_overlapping;

/// Small texts are several blocks, and sampled.
struct small_blocks : string_matching_policy {
  static constexpr uint32_t most_rounds = 1;
  static constexpr uint64_t least_sampled_bytes = 2000;
  static constexpr string_matching_tuning tuning(gpu_architecture) { return {64, 2, 1}; }
};

template <class Policy>
void check(const string_case &c, const text_memory &memory, uint64_t capacity,
           const std::string &what) {
  const std::vector<uint64_t> right = naive_apart(c);
  const uint8_t *const d_text = memory.put(c.text);
  matcher m;
  CUDA_OK(matcher::create(m, c.pattern.data(), c.pattern.size(), {c.fold_case}));
  check_calls(
      right, std::min<uint64_t>(capacity, right.size() + 5), what.c_str(),
      [&](void *t, size_t &b, uint64_t *d_number, const run_options &options) {
        return count_matches(t, b, m.ref(apart), d_text, c.text.size(), d_number, options,
                             Policy{});
      },
      [&](void *t, size_t &b, uint64_t *d_position, const run_options &options) {
        return find_first(t, b, m.ref(apart), d_text, c.text.size(), d_position, options, Policy{});
      },
      [&](void *t, size_t &b, uint64_t *d_positions, uint64_t *d_number,
          const run_options &options) {
        return find_matches(t, b, m.ref(apart), d_text, c.text.size(), d_positions,
                            std::min<uint64_t>(capacity, right.size() + 5), d_number, options,
                            Policy{});
      });
}

void test_random_cases(uint64_t cases, uint32_t seed) {
  const text_memory memory(40000);
  std::mt19937 random(seed);
  for (uint64_t i = 0; i < cases; ++i) {
    const uint64_t n = 700 + random() % (random() % 8 ? 3000 : 39000);
    const string_case c = random() % 4 ? overlapping_case(n, random) : random_case(n, 100, random);
    const std::string what = "random case " + std::to_string(i);
    const uint64_t capacity = random() % 4 ? n : random() % 50;
    if (random() % 2)
      check<string_matching_policy>(c, memory, capacity, what);
    else
      check<small_blocks>(c, memory, capacity, what);
  }
}

/// Several blocks of the default policy; runs go on through many of them.
void test_large_texts(uint64_t n) {
  const text_memory memory(n);
  std::mt19937 random(2);
  for (const text_kind kind : {text_kind::one_character, text_kind::fibonacci, text_kind::periodic})
    for (const uint64_t m : {2, 3, 4, 8, 34, 233, 1597, 20000}) {
      string_case c{some_text(n, kind, 4, random), {}};
      c.pattern.assign(c.text.begin(), c.text.begin() + static_cast<int64_t>(m));
      const std::string what =
          "kind " + std::to_string(static_cast<int>(kind)) + ", m = " + std::to_string(m);
      check<string_matching_policy>(c, memory, n, what);
      for (uint64_t k = random() % 70000; k < n; k += 1 + random() % 70000)
        c.text[k] ^= 1;
      check<string_matching_policy>(c, memory, n, what + ", broken");
    }
}

void test_packed(uint64_t cases, uint32_t seed) {
  const text_memory memory(5000);
  std::mt19937 random(seed);
  for (uint64_t i = 0; i < cases; ++i) {
    packed_case c{some_packing(random), overlapping_case(700 + random() % 4000, random), {}};
    for (std::vector<uint8_t> *characters : {&c.characters.text, &c.characters.pattern})
      for (uint8_t &character : *characters)
        character &= (1u << c.options.bits) - 1;
    string_case of_numbers = c.characters;
    const std::vector<uint64_t> right = naive_apart(of_numbers);
    packed_matcher m;
    CUDA_OK(packed_matcher::create(m, c.characters.pattern.data(), c.characters.pattern.size(),
                                   c.options));
    const packed_text text{memory.put(c.text()), c.characters.text.size()};
    const uint64_t capacity = random() % 4 ? right.size() + 5 : right.size() / 2;
    check_calls(
        right, capacity, ("packed case " + std::to_string(i)).c_str(),
        [&](void *t, size_t &b, uint64_t *d_number, const run_options &options) {
          return count_matches(t, b, m.ref(apart), text, d_number, options, small_blocks{});
        },
        [&](void *t, size_t &b, uint64_t *d_position, const run_options &options) {
          return find_first(t, b, m.ref(apart), text, d_position, options, small_blocks{});
        },
        [&](void *t, size_t &b, uint64_t *d_positions, uint64_t *d_number,
            const run_options &options) {
          return find_matches(t, b, m.ref(apart), text, d_positions, capacity, d_number, options,
                              small_blocks{});
        });
  }
}

void test_replays(uint64_t n) {
  const device_array<uint8_t> text(n);
  const device_array<uint64_t> number(1), positions(n);
  const auto fill = [&](uint64_t seed) {
    std::mt19937 random(static_cast<uint32_t>(seed));
    text.write(some_text(n, text_kind::random, 2, random));
  };
  fill(1);
  const std::vector<uint8_t> some = text.read();
  for (const uint64_t length : {2, 5}) {
    matcher m;
    const std::vector<uint8_t> pattern(length, some[0]);
    CUDA_OK(matcher::create(m, pattern.data(), length));
    check_replays(
        "count_matches, apart", fill,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return count_matches(t, b, m.ref(apart), text.get(), n, number.get(), {stream, nullptr});
        },
        number);
    check_replays(
        "find_matches, apart", fill,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return find_matches(t, b, m.ref(apart), text.get(), n, positions.get(), n, number.get(),
                              {stream, nullptr});
        },
        number, positions);
  }
  packed_matcher m;
  CUDA_OK(packed_matcher::create(m, "\1\2\1", 3, {2, packed_letters::numbers}));
  const auto fill_bits = [&](uint64_t seed) {
    std::mt19937 random(static_cast<uint32_t>(seed));
    text.write(some_text(n, text_kind::random, 256, random));
  };
  check_replays(
      "find_matches, packed, apart", fill_bits,
      [&](void *t, size_t &b, cudaStream_t stream) {
        return find_matches(t, b, m.ref(apart), packed_text{text.get(), 4 * n}, positions.get(), n,
                            number.get(), {stream, nullptr});
      },
      number, positions);
  check_replays(
      "count_matches, packed, apart", fill_bits,
      [&](void *t, size_t &b, cudaStream_t stream) {
        return count_matches(t, b, m.ref(apart), packed_text{text.get(), 4 * n}, number.get(),
                             {stream, nullptr});
      },
      number);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  uint64_t cases = small ? 40 : 1000;
  uint32_t seed = 1;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--cases") == 0)
      cases = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0)
      seed = static_cast<uint32_t>(std::strtoul(argv[i + 1], nullptr, 10));
  }
  test_random_cases(cases, seed);
  test_packed(cases / 2, seed);
  test_large_texts(small ? 40000 : 3 << 20);
  test_replays(small ? 3000 : 1 << 20);
  return gpu_result("matches that do not overlap");
}
