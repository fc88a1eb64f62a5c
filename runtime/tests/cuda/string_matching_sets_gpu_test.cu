//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sets of patterns on a GPU against the automaton of the host, by filters: random and periodic
// texts of four alphabets, of any alignment, short and of several segments, large sets, long
// patterns, chains of prefixes, room for fewer matches; texts that are sampled; replayed graphs.
//
//   --small    fewer and smaller cases
//   --seed S   others; --cases N   so many
//
//===----------------------------------------------------------------------===//

#include "string_set_case.cuh"

using namespace colonnade;
using namespace colonnade::testing;

namespace {

/// Small texts are several segments, and several blocks. No keys in shared memory, which have
/// programmes of their own: kernels that are not run take as long to compile.
struct small_set_blocks : string_set_policy {
  static constexpr uint32_t most_rounds = 1;
  static constexpr string_set_tuning tuning(gpu_architecture) { return {64, 2, 1, 40, 1, 0}; }
};

void test_random_cases(uint64_t cases, uint32_t seed) {
  const text_memory memory(20000);
  std::mt19937 random(seed);
  for (uint64_t i = 0; i < cases; ++i) {
    const string_set_case c = random_set_case(random() % 8 ? 3000 : 20000, 100, 40, random);
    const std::string what = "random case " + std::to_string(i);
    const uint64_t capacity = random() % 4 ? c.text.size() : random() % 50;
    const uint8_t *const d_text = memory.put(c.text);
    if (random() % 2)
      check<string_set_policy>(c, d_text, capacity, what.c_str());
    else
      check<small_set_blocks>(c, d_text, capacity, what.c_str());
  }
}

/// So long that it is sampled.
void test_sampled_text() {
  const uint64_t n = string_set_policy::least_sampled + 5;
  const text_memory memory(n);
  std::mt19937 random(17);
  // Frequent, and not; where keys decide, and with anchors.
  for (const auto &[apart, shortest, longest] :
       {std::tuple<uint64_t, uint64_t, uint64_t>{8, 8, 8}, {3000, 8, 8}, {30, 4, 20}}) {
    string_set_case c{some_text(n, text_kind::random, 256, random), {}};
    add_patterns(c, 50, shortest, longest, 256, random);
    for (uint64_t at = random() % apart; at + longest < n; at += apart) {
      const auto &pattern = c.patterns[random() % c.patterns.size()];
      std::copy(pattern.begin(), pattern.end(), c.text.begin() + static_cast<int64_t>(at));
    }
    check<string_set_policy>(c, memory.put(c.text), n / 20, apart < 100 ? "frequent" : "rare");
  }
}

/// Rows with any number of matches.
void test_dense_texts(uint32_t cases) {
  const text_memory memory(20000);
  for (uint32_t seed = 0; seed < cases; ++seed) {
    const string_set_case c = dense_set_case(seed);
    const std::string what = "dense case " + std::to_string(seed);
    const uint8_t *const d_text = memory.put(c.text);
    const uint64_t capacity = seed % 3 ? 20 * c.text.size() : 1000;
    check<small_set_blocks>(c, d_text, capacity, what.c_str());
    check<string_set_policy>(c, d_text, capacity, what.c_str());
  }
}

void test_large_sets(uint64_t n, uint32_t most) {
  const text_memory memory(n);
  with_large_sets(n, most, [&](const string_set_case &c, uint64_t, const std::string &what) {
    check<string_set_policy>(c, memory.put(c.text), 3 * n, what.c_str());
  });
}

void test_long_patterns(uint64_t n, uint64_t longest) {
  const text_memory memory(n);
  std::mt19937 random(12);
  string_set_case c{some_text(n, text_kind::random, 256, random), {}};
  for (uint64_t m = 5; m <= longest; m = m < longest && 4 * m > longest ? longest : 4 * m) {
    const auto from = c.text.begin() + static_cast<int64_t>(random() % (n - m + 1));
    for (uint32_t k = 0; k < 3; ++k) { // of one beginning
      c.patterns.emplace_back(from, from + static_cast<int64_t>(m));
      if (k > 0)
        c.patterns.back()[m - k] ^= 1;
    }
  }
  check<string_set_policy>(c, memory.put(c.text), 100, "long patterns");
}

/// Where most patterns begin everywhere.
void test_chains(uint64_t n, uint32_t count) {
  const text_memory memory(n);
  std::mt19937 random(13);
  for (const text_kind kind :
       {text_kind::one_character, text_kind::fibonacci, text_kind::periodic}) {
    string_set_case c{some_text(n, kind, 3, random), {}};
    for (uint32_t k = 0; k < count; ++k)
      c.patterns.emplace_back(c.text.begin(), c.text.begin() + 1 + (k * 7) % count);
    c.patterns.push_back(c.patterns[0]);
    check<string_set_policy>(c, memory.put(c.text), n * count, "chains of prefixes");
    check<small_set_blocks>(c, memory.put(c.text), n, "chains of prefixes, small blocks");
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  const case_options options(argc, argv, small ? 60 : 1000);
  test_random_cases(options.cases, options.seed);
  if (!small)
    test_sampled_text();
  test_dense_texts(small ? 20 : 100);
  test_large_sets(small ? 20000 : 3 << 20, small ? 500 : most_set_patterns);
  test_long_patterns(small ? 40000 : 1 << 20, small ? 3000 : most_set_pattern);
  test_chains(small ? 3000 : 100000, small ? 20 : 60);
  test_set_replays<string_set_policy>(small ? 3000 : 1 << 21, {2, 5, 8});
  return gpu_result("sets of patterns");
}
