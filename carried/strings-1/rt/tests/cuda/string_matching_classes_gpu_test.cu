//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Patterns of character classes on a GPU against a simple search on the host: random and periodic
// texts of four alphabets, of any alignment, short and of several blocks, room for fewer positions,
// nucleotides; a text of more than 2^32 bytes; replayed graphs.
//
//   --small    fewer and smaller cases
//   --seed S   others; --cases N   so many
//
//===----------------------------------------------------------------------===//

#include "../class_string_cases.hpp"
#include "string_case.cuh"

#include <colonnade/host_string_matching_classes.hpp>
#include <colonnade/string_matching_classes.cuh>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

/// Small texts are several blocks.
struct small_class_blocks : string_class_policy {
  static constexpr uint32_t most_rounds = 1;
  static constexpr string_matching_tuning tuning(gpu_architecture) { return {64, 2, 1}; }
};

class_matcher matcher_of(const std::string &expression, class_options options = {}) {
  class_matcher m;
  CUDA_OK(class_matcher::create(m, expression.data(), expression.size(), options));
  return m;
}

template <class Policy>
void check(const std::vector<uint64_t> &right, class_matcher_ref pattern, const uint8_t *d_text,
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
    const class_case c = random_class_case(random() % 8 ? 3000 : 20000, random);
    const class_matcher m = matcher_of(c.expression);
    const std::vector<uint64_t> right = naive_matches(c);
    const std::string what = "random case " + std::to_string(i);
    const uint64_t capacity = random() % 4 ? right.size() + 5 : random() % 50;
    const uint8_t *const d_text = memory.put(c.text);
    if (random() % 2)
      check<string_class_policy>(right, m.ref(), d_text, c.text.size(), capacity, what.c_str());
    else
      check<small_class_blocks>(right, m.ref(), d_text, c.text.size(), capacity, what.c_str());
  }
}

/// Several blocks of the default policy.
void test_large_texts(uint64_t n) {
  const text_memory memory(n);
  std::mt19937 random(11);
  for (const std::string expression :
       {"[a-m].[n-z]", "[^aeiou][aeiou]", ".", "zz[b-y]",
        "[a-c]...........[x-z]....................[a-z]......[m-z]"}) {
    std::vector<uint8_t> text(n - random() % 40);
    for (uint8_t &b : text)
      b = static_cast<uint8_t>('a' + random() % 26);
    const class_matcher m = matcher_of(expression);
    const std::vector<uint64_t> right = host_find_matches(
        text.data(), text.size(), expression.data(), expression.size(), class_options{});
    check<string_class_policy>(right, m.ref(), memory.put(text), text.size(), right.size(),
                               expression.c_str());
  }
}

void test_nucleotides(uint64_t n) {
  const text_memory memory(n);
  std::mt19937 random(12);
  std::vector<uint8_t> text(n);
  for (uint8_t &b : text)
    b = static_cast<uint8_t>("ACGTacgtuN"[random() % 10]);
  for (const std::string expression : {"GRTANC", "N", "TATAWAWR", "VHDBN"})
    for (const bool fold : {false, true}) {
      const class_options options{class_letters::iupac, fold};
      const class_matcher m = matcher_of(expression, options);
      const std::vector<uint64_t> right = host_find_matches(
          text.data(), text.size(), expression.data(), expression.size(), options);
      check<string_class_policy>(right, m.ref(), memory.put(text), n, right.size(),
                                 expression.c_str());
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
  std::vector<uint64_t> right;
  for (const uint64_t at : {uint64_t{0}, n / 2, (uint64_t{1} << 32) - 2, uint64_t{1} << 32, n - 2})
    if (at + 2 <= n && (right.empty() || at >= right.back() + 2)) {
      CUDA_OK(cudaMemcpy(text.get() + at, "x7", 2, cudaMemcpyHostToDevice));
      right.push_back(at);
    }
  const class_matcher m = matcher_of("[w-z][0-9]");
  check<string_class_policy>(right, m.ref(), text.get(), n, right.size(), "a huge text");
}

template <class Call, class... Outputs>
void check_replays_of(const char *what, const device_array<uint8_t> &text, Call call,
                      const Outputs &...outputs) {
  check_replays(
      what,
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
  std::string expression;
  for (uint32_t i = 0; i < 12; ++i)
    expression += std::string("[\\") + static_cast<char>(first[i]) + "]";
  const class_matcher m = matcher_of(expression);
  const device_array<uint64_t> number(1), positions(n);
  check_replays_of(
      "count_matches", text,
      [&](void *t, size_t &b, cudaStream_t stream) {
        return count_matches(t, b, m.ref(), text.get(), n, number.get(), {stream, nullptr});
      },
      number);
  check_replays_of(
      "find_first", text,
      [&](void *t, size_t &b, cudaStream_t stream) {
        return find_first(t, b, m.ref(), text.get(), n, number.get(), {stream, nullptr});
      },
      number);
  check_replays_of(
      "find_matches", text,
      [&](void *t, size_t &b, cudaStream_t stream) {
        return find_matches(t, b, m.ref(), text.get(), n, positions.get(), n, number.get(),
                            {stream, nullptr});
      },
      number, positions);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  uint64_t cases = small ? 60 : 3000;
  uint32_t seed = 1;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--cases") == 0)
      cases = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0)
      seed = static_cast<uint32_t>(std::strtoul(argv[i + 1], nullptr, 10));
  }
  test_random_cases(cases, seed);
  test_large_texts(small ? 40000 : 3 << 20);
  test_nucleotides(small ? 5000 : 1 << 20);
  test_huge_text(small);
  test_replays(small ? 3000 : 1 << 21);
  return gpu_result("patterns of character classes");
}
