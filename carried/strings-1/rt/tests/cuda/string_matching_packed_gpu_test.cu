//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// String matching in packed texts on a GPU against a simple search on the host: random and periodic
// texts of characters of 1, 2 and 4 bits in both orders, of any alignment, short and of several
// blocks, with characters that are not known, long patterns, room for fewer positions; replayed
// graphs; more than 2^32 characters.
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

/// Small texts are several blocks.
struct small_blocks : string_matching_policy {
  static constexpr uint32_t most_rounds = 1;
  static constexpr string_matching_tuning tuning(gpu_architecture) { return {64, 2, 1}; }
};

packed_matcher matcher_of(const packed_case &c) {
  packed_matcher m;
  CUDA_OK(packed_matcher::create(m, c.characters.pattern.data(), c.characters.pattern.size(),
                                 c.options));
  return m;
}

template <class Policy>
void check(const packed_case &c, const text_memory &memory, uint64_t capacity, const char *what) {
  const packed_matcher m = matcher_of(c);
  const device_array<unknown_characters> unknown(c.unknown);
  const packed_text text{memory.put(c.text()), c.characters.text.size(), unknown.get(),
                         c.unknown.size()};
  check_calls(
      naive_matches(c), capacity, what,
      [&](void *t, size_t &b, uint64_t *d_number, const run_options &options) {
        return count_matches(t, b, m.ref(), text, d_number, options, Policy{});
      },
      [&](void *t, size_t &b, uint64_t *d_position, const run_options &options) {
        return find_first(t, b, m.ref(), text, d_position, options, Policy{});
      },
      [&](void *t, size_t &b, uint64_t *d_positions, uint64_t *d_number,
          const run_options &options) {
        return find_matches(t, b, m.ref(), text, d_positions, capacity, d_number, options,
                            Policy{});
      });
}

void test_random_cases(uint64_t cases, uint32_t seed) {
  const text_memory memory(20000);
  std::mt19937 random(seed);
  for (uint64_t i = 0; i < cases; ++i) {
    const packed_case c = random_packed_case(random() % 4 ? 3000 : 30000, 300, random);
    const std::string what = "random case " + std::to_string(i);
    const uint64_t capacity = random() % 4 ? c.characters.text.size() : random() % 50;
    if (random() % 2)
      check<string_matching_policy>(c, memory, capacity, what.c_str());
    else
      check<small_blocks>(c, memory, capacity, what.c_str());
  }
}

/// Several blocks of the default policy; matches at the text's ends and elsewhere.
void test_large_texts(uint64_t n, uint64_t longest) {
  const text_memory memory(n / 2);
  std::mt19937 random(11);
  for (const uint32_t bits : {1u, 2u, 4u})
    for (uint64_t m = 5; m <= longest; m *= 3) {
      packed_case c{{bits, packed_letters::numbers,
                     m % 2 ? packed_order::highest_bits_first : packed_order::lowest_bits_first},
                    {some_text(n - random() % 40, text_kind::random, 256, random), {}},
                    {}};
      std::vector<uint8_t> &text = c.characters.text;
      for (uint8_t &number : text)
        number &= (1u << bits) - 1;
      const auto from = text.begin() + static_cast<int64_t>(random() % (text.size() - m));
      c.characters.pattern.assign(from, from + static_cast<int64_t>(m));
      for (uint32_t k = 0; k < 7; ++k) {
        const uint64_t at = k == 0 ? 0 : k == 1 ? text.size() - m : random() % (text.size() - m);
        std::copy(c.characters.pattern.begin(), c.characters.pattern.end(),
                  text.begin() + static_cast<int64_t>(at));
      }
      const std::string what = std::to_string(bits) + " bits, m = " + std::to_string(m);
      check<string_matching_policy>(c, memory, n, what.c_str());
    }
}

/// Every character matches, or nearly.
void test_repetitions(uint64_t n) {
  const text_memory memory(n);
  std::mt19937 random(12);
  for (const uint64_t period : {1, 3, 200})
    for (const uint64_t m : {20, 130, 5000}) {
      packed_case c{some_packing(random), {}, {}};
      for (uint64_t i = 0; i < n; ++i)
        c.characters.text.push_back(i < period ? random() % (1u << c.options.bits)
                                               : c.characters.text[i - period]);
      c.characters.pattern.assign(c.characters.text.begin(),
                                  c.characters.text.begin() + static_cast<int64_t>(m));
      c.characters.text[n / 2] ^= 1;
      check<string_matching_policy>(c, memory, n / 2, "repetitions");
    }
}

void test_refusals() {
  packed_matcher m;
  for (const char *wrong : {"ACGN", "acgt", ""})
    EXPECT(packed_matcher::create(m, wrong, std::strlen(wrong)) == cudaErrorInvalidValue,
           "pattern %s", wrong);
  CUDA_OK(packed_matcher::create(m, "acgt", 4, two_bit_file));
}

/// Texts with another number of matches of the pattern each.
template <class Call, class... Outputs>
void check_replays_of(const char *what, const char *pattern, const device_array<uint8_t> &text,
                      Call call, const Outputs &...outputs) {
  const auto *const letters = reinterpret_cast<const uint8_t *>(pattern);
  const std::vector<uint8_t> packed =
      host_pack(detail::numbers_of(letters, std::strlen(pattern), {}), {});
  check_replays(
      what,
      [&](uint64_t seed) {
        std::mt19937 random(static_cast<uint32_t>(seed));
        std::vector<uint8_t> bytes = some_text(text.read().size(), text_kind::random, 256, random);
        for (int64_t k = 1; k <= static_cast<int64_t>(seed % 10) + 1; ++k)
          std::copy(packed.begin(), packed.end(), bytes.end() - 10 * k);
        text.write(bytes);
      },
      call, outputs...);
}
void test_replays(uint64_t n) {
  const device_array<uint8_t> bytes(n / 4);
  const packed_text text{bytes.get(), n};
  for (const char *pattern : {"ACGT", "ACGTAACGTTGACTGACGTT"}) {
    packed_matcher m;
    CUDA_OK(packed_matcher::create(m, pattern, std::strlen(pattern)));
    const device_array<uint64_t> number(1), positions(n);
    check_replays_of(
        "count_matches", pattern, bytes,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return count_matches(t, b, m.ref(), text, number.get(), {stream, nullptr});
        },
        number);
    check_replays_of(
        "find_first", pattern, bytes,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return find_first(t, b, m.ref(), text, number.get(), {stream, nullptr});
        },
        number);
    check_replays_of(
        "find_matches", pattern, bytes,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return find_matches(t, b, m.ref(), text, positions.get(), n, number.get(),
                              {stream, nullptr});
        },
        number, positions);
  }
}

/// Zeros, with matches on both sides of 2^32 characters and at the end.
void test_huge_text(uint64_t n) {
  const device_array<uint8_t> bytes(n / 4);
  CUDA_OK(cudaMemset(bytes.get(), 0, n / 4));
  std::vector<uint8_t> pattern(40);
  for (uint32_t i = 0; i < 40; ++i)
    pattern[i] = 1 + i * i % 3;
  const packed_options options{2, packed_letters::numbers};
  const std::vector<uint8_t> packed = host_pack(pattern, options);
  const std::vector<uint64_t> right{n / 2 - 40, n / 2, n - 40};
  for (const uint64_t at : right)
    CUDA_OK(cudaMemcpy(bytes.get() + at / 4, packed.data(), 10, cudaMemcpyHostToDevice));
  packed_matcher m;
  CUDA_OK(packed_matcher::create(m, pattern.data(), 40, options));
  const packed_text text{bytes.get(), n};
  check_calls(
      right, 3, "huge",
      [&](void *t, size_t &b, uint64_t *d_number, const run_options &run) {
        return count_matches(t, b, m.ref(), text, d_number, run);
      },
      [&](void *t, size_t &b, uint64_t *d_position, const run_options &run) {
        return find_first(t, b, m.ref(), text, d_position, run);
      },
      [&](void *t, size_t &b, uint64_t *d_positions, uint64_t *d_number, const run_options &run) {
        return find_matches(t, b, m.ref(), text, d_positions, 3, d_number, run);
      });
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  uint64_t cases = small ? 40 : 2000;
  uint32_t seed = 1;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--cases") == 0)
      cases = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0)
      seed = static_cast<uint32_t>(std::strtoul(argv[i + 1], nullptr, 10));
  }
  test_refusals();
  test_random_cases(cases, seed);
  test_large_texts(small ? 70000 : 3 << 20, small ? 1000 : 1 << 20);
  test_repetitions(small ? 20000 : 200000);
  test_replays(small ? 20000 : 1 << 22);
  test_huge_text(small ? 1 << 16 : uint64_t{1} << 33);
  return gpu_result("string matching in packed texts");
}
