//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// String matching in texts of 16-bit characters on a GPU against a simple search on the host:
// random and periodic texts, of any alignment to characters, of one block and of many, both cases;
// matches that do not overlap; replayed graphs.
//
//   --small    fewer and smaller cases
//   --seed S   others; --cases N   so many
//
//===----------------------------------------------------------------------===//

#include "../string_cases.hpp"
#include "string_case.cuh"

#include <colonnade/string_matching_wide.cuh>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

/// Small texts are several blocks, and sampled.
struct small_blocks : string_matching_policy {
  static constexpr uint32_t most_rounds = 1;
  static constexpr uint64_t least_sampled_bytes = 2000;
  static constexpr string_matching_tuning tuning(gpu_architecture) { return {64, 2, 1}; }
};

/// One for each byte; letters stay, and others are letters but for their high bytes.
uint16_t character_of(uint8_t byte) {
  const bool letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
  return letter ? byte
                : static_cast<uint16_t>((byte ? byte : uint32_t{'A'}) << 8 | ('A' + byte % 26));
}
std::vector<uint16_t> wide_of(const std::vector<uint8_t> &bytes) {
  std::vector<uint16_t> wide(bytes.size());
  std::transform(bytes.begin(), bytes.end(), wide.begin(), character_of);
  return wide;
}
std::vector<uint8_t> memory_of(const std::vector<uint8_t> &bytes) {
  const std::vector<uint16_t> wide = wide_of(bytes);
  std::vector<uint8_t> memory(2 * wide.size());
  std::memcpy(memory.data(), wide.data(), memory.size());
  return memory;
}

template <class Policy>
void check(const string_case &c, const text_memory &memory, match_selection selection,
           uint64_t most, const std::string &what) {
  const std::vector<uint64_t> right =
      selection == match_selection::all ? naive_matches(c) : naive_apart(c);
  const std::vector<uint16_t> pattern = wide_of(c.pattern);
  wide_matcher m;
  CUDA_OK(wide_matcher::create(m, pattern.data(), pattern.size(), {c.fold_case}));
  const wide_matcher_ref ref = m.ref(selection);
  const auto *const d_text = reinterpret_cast<const uint16_t *>(memory.put(memory_of(c.text)));
  const uint64_t n = c.text.size(), capacity = std::min<uint64_t>(most, right.size() + 5);
  check_calls(
      right, capacity, what.c_str(),
      [&](void *t, size_t &b, uint64_t *d_number, const run_options &options) {
        return count_matches(t, b, ref, d_text, n, d_number, options, Policy{});
      },
      [&](void *t, size_t &b, uint64_t *d_position, const run_options &options) {
        return find_first(t, b, ref, d_text, n, d_position, options, Policy{});
      },
      [&](void *t, size_t &b, uint64_t *d_positions, uint64_t *d_number,
          const run_options &options) {
        return find_matches(t, b, ref, d_text, n, d_positions, capacity, d_number, options,
                            Policy{});
      });
}

void test_random_cases(uint64_t cases, uint32_t seed) {
  const text_memory memory(40000);
  std::mt19937 random(seed);
  for (uint32_t i = 0; i < cases / 6; ++i) { // rows with any number of matches
    const string_case c = dense_case(i);
    check<small_blocks>(c, memory, match_selection::all, random() % 4 ? 7000 : random() % 999,
                        "dense case " + std::to_string(i));
  }
  for (uint64_t i = 0; i < cases; ++i) {
    const uint64_t n = 700 + random() % (random() % 8 ? 3000 : 19000);
    const string_case c = random() % 3 ? random_case(n, 100, random) : overlapping_case(n, random);
    const std::string what = "random case " + std::to_string(i);
    const auto selection = static_cast<match_selection>(random() % 2);
    const uint64_t most = random() % 4 ? n : random() % 50;
    if (random() % 2)
      check<string_matching_policy>(c, memory, selection, most, what);
    else
      check<small_blocks>(c, memory, selection, most, what);
  }
}

/// Several blocks of the default policy, sampled.
void test_large_texts(uint64_t n, uint64_t longest) {
  const text_memory memory(2 * n);
  std::mt19937 random(11);
  for (const uint32_t alphabet : {2u, 256u})
    for (uint64_t m = 1; m <= longest; m = m < 6 ? m + 1 : 8 * m) {
      string_case c{some_text(n - random() % 40, text_kind::random, alphabet, random), {}};
      const auto from = c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - m));
      c.pattern.assign(from, from + static_cast<int64_t>(m));
      check<string_matching_policy>(c, memory, match_selection::all, n,
                                    "alphabet " + std::to_string(alphabet) +
                                        ", m = " + std::to_string(m));
    }
  for (const uint64_t m : {2, 5, 200}) {
    const string_case c{std::vector<uint8_t>(n, 'a'), std::vector<uint8_t>(m, 'a')};
    for (const auto selection : {match_selection::all, match_selection::non_overlapping})
      check<string_matching_policy>(c, memory, selection, n, "aaaa..., m = " + std::to_string(m));
  }
}

void test_replays(uint64_t n) {
  const device_array<uint16_t> text(n);
  const device_array<uint64_t> number(1), positions(n);
  const auto fill = [&](uint64_t seed) {
    std::mt19937 random(static_cast<uint32_t>(seed));
    text.write(wide_of(some_text(n, text_kind::random, 3, random)));
  };
  fill(1);
  const std::vector<uint16_t> some = text.read();
  for (const uint64_t length : {1, 2, 5})
    for (const auto selection : {match_selection::all, match_selection::non_overlapping}) {
      wide_matcher m;
      CUDA_OK(wide_matcher::create(m, some.data(), length));
      check_replays(
          "count_matches, wide", fill,
          [&](void *t, size_t &b, cudaStream_t stream) {
            return count_matches(t, b, m.ref(selection), text.get(), n, number.get(),
                                 {stream, nullptr});
          },
          number);
      check_replays(
          "find_matches, wide", fill,
          [&](void *t, size_t &b, cudaStream_t stream) {
            return find_matches(t, b, m.ref(selection), text.get(), n, positions.get(), n,
                                number.get(), {stream, nullptr});
          },
          number, positions);
      check_replays(
          "find_first, wide", fill,
          [&](void *t, size_t &b, cudaStream_t stream) {
            return find_first(t, b, m.ref(), text.get(), n, number.get(), {stream, nullptr});
          },
          number);
    }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  uint64_t cases = small ? 60 : 2000;
  uint32_t seed = 1;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--cases") == 0)
      cases = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0)
      seed = static_cast<uint32_t>(std::strtoul(argv[i + 1], nullptr, 10));
  }
  test_random_cases(cases, seed);
  test_large_texts(small ? 20000 : 2 << 20, small ? 512 : 1 << 19);
  test_replays(small ? 3000 : 1 << 20);
  return gpu_result("16-bit characters");
}
