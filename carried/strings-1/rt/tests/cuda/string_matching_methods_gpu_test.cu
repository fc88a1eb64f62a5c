//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The thesis's methods of string matching on a GPU against a simple search on the host: random and
// periodic texts of four alphabets, of any alignment, in one portion and in several, long patterns;
// fingerprints that collide; replayed graphs; more than 2^32 characters.
//
//   --small    fewer and smaller cases
//   --seed S   others; --cases N   so many
//
//===----------------------------------------------------------------------===//

#include "../string_cases.hpp"
#include "string_case.cuh"

#include <colonnade/string_matching_methods.cuh>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

constexpr matching_method all_methods[] = {
    matching_method::cooperative, matching_method::cooperative_affine, matching_method::divide,
    matching_method::divide_32,   matching_method::divide_64,          matching_method::hybrid,
    matching_method::two_stage};

matcher matcher_of(const string_case &c) {
  matcher m;
  CUDA_OK(matcher::create(m, c.pattern.data(), c.pattern.size(), {c.fold_case}));
  return m;
}

void check(const std::vector<uint64_t> &right, const matching_method_options &method,
           matcher_ref pattern, const uint8_t *d_text, uint64_t n, uint64_t capacity,
           const std::string &what) {
  const std::string all = what + ", method " + std::to_string(static_cast<int>(method.method));
  check_calls(
      right, capacity, all.c_str(),
      [&](void *t, size_t &b, uint64_t *d_number, const run_options &options) {
        return count_matches_by(method, t, b, pattern, d_text, n, d_number, options);
      },
      [&](void *t, size_t &b, uint64_t *d_position, const run_options &options) {
        return find_first_by(method, t, b, pattern, d_text, n, d_position, options);
      },
      [&](void *t, size_t &b, uint64_t *d_positions, uint64_t *d_number,
          const run_options &options) {
        return find_matches_by(method, t, b, pattern, d_text, n, d_positions, capacity, d_number,
                               options);
      });
}

/// Of all methods that take it; the seed chooses portions, too.
void check_all(const string_case &c, const text_memory &memory, uint64_t capacity,
               const std::string &what, std::mt19937 &random) {
  const matcher m = matcher_of(c);
  const uint8_t *const d_text = memory.put(c.text);
  const std::vector<uint64_t> right = naive_matches(c);
  for (const matching_method method : all_methods) {
    matching_method_options options{method, 1 + static_cast<uint32_t>(random() % 8), random() % 7};
    if (random() % 2)
      options.most_temporary_bytes = 40 * (c.pattern.size() + 1100 + random() % 4000);
    if (detail::method_takes(options, c.pattern.size()))
      check(right, options, m.ref(), d_text, c.text.size(), capacity, what);
  }
}

void test_random_cases(uint64_t cases, uint32_t seed) {
  const text_memory memory(20000);
  std::mt19937 random(seed);
  for (uint64_t i = 0; i < cases; ++i) {
    const string_case c = random_case(random() % 8 ? 3000 : 20000, random() % 2 ? 10 : 200, random);
    check_all(c, memory, random() % 4 ? c.text.size() : random() % 50,
              "random case " + std::to_string(i), random);
  }
}

void test_large_texts(uint64_t n, uint64_t longest) {
  const text_memory memory(n);
  std::mt19937 random(11);
  for (const uint32_t alphabet : {2u, 256u})
    for (uint64_t m = 2; m <= longest; m *= 8) {
      string_case c{some_text(n - random() % 40, text_kind::random, alphabet, random), {}};
      const auto from = c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - m));
      c.pattern.assign(from, from + static_cast<int64_t>(m));
      for (uint32_t k = 0; k < 5; ++k)
        std::copy(c.pattern.begin(), c.pattern.end(),
                  c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - m)));
      check_all(c, memory, n, "m = " + std::to_string(m), random);
    }
}

void test_periodic_texts(uint64_t n) {
  const text_memory memory(n);
  std::mt19937 random(12);
  for (const text_kind kind : {text_kind::one_character, text_kind::fibonacci})
    for (const uint64_t m : {4, 33, 400}) {
      string_case c{some_text(n, kind, 1, random), {}};
      c.pattern.assign(c.text.begin(), c.text.begin() + static_cast<int64_t>(m));
      check_all(c, memory, n / 2, "periodic, m = " + std::to_string(m), random);
    }
}

/// The prime itself in binary, and zeros.
void test_collisions() {
  const text_memory memory(5000);
  for (const uint64_t seed : {1, 2, 3}) {
    const uint32_t prime = detail::prime_of_seed(seed);
    string_case c{std::vector<uint8_t>(5000, 0), std::vector<uint8_t>(40, 0)};
    for (uint32_t b = 0; b < 30; ++b) {
      c.pattern[39 - b] = prime >> b & 1;
      c.text[2000 - b] = prime >> b & 1;
    }
    const matcher m = matcher_of(c);
    const uint8_t *const d_text = memory.put(c.text);
    for (const matching_method method :
         {matching_method::divide, matching_method::cooperative_affine}) {
      const device_array<uint64_t> numbers(std::vector<uint64_t>(2));
      matching_method_options options{method, 1, seed};
      options.d_num_rejected = numbers.get();
      call_twice([&](void *t, size_t &b) {
        return count_matches_by(options, t, b, m.ref(), d_text, 5000, numbers.get() + 1);
      });
      const std::vector<uint64_t> got = numbers.read();
      EXPECT(got[1] == 1 && got[0] > 4000, "%llu matches, %llu rejected",
             static_cast<unsigned long long>(got[1]), static_cast<unsigned long long>(got[0]));
    }
  }
}

void test_refusals() {
  matcher m;
  CUDA_OK(matcher::create(m, "abcdefghi", 9));
  const device_array<uint8_t> text(100);
  const device_array<uint64_t> number(1);
  const auto refused = [&](const matching_method_options &options) {
    size_t bytes = 0;
    return count_matches_by(options, nullptr, bytes, m.ref(), text.get(), 100, number.get()) ==
           cudaErrorInvalidValue;
  };
  EXPECT(refused({matching_method::divide_64}), "9 characters in 64 bits");
  EXPECT(!refused({matching_method::divide_64, 7}), "9 characters of 7 bits");
  EXPECT(refused({matching_method::divide, 9}), "9 bits");
  EXPECT(refused({matching_method::cooperative, 8, 1, 1000}), "too few temporary bytes");
  EXPECT(refused({static_cast<matching_method>(99)}), "no method");
}

void test_replays(uint64_t n) {
  const device_array<uint8_t> text(n);
  matcher m;
  CUDA_OK(matcher::create(m, "\1\2\3", 3));
  const device_array<uint64_t> number(1), positions(n);
  const auto fill = [&](uint64_t seed) { // another number of patterns each
    std::vector<uint8_t> bytes(n);
    for (uint64_t i = n / 2; i + 3 < n; i += 100 * seed)
      bytes[i] = 1, bytes[i + 1] = 2, bytes[i + 2] = 3;
    bytes[seed] = 1, bytes[seed + 1] = 2, bytes[seed + 2] = 3;
    text.write(bytes);
  };
  for (const matching_method method : all_methods) {
    const matching_method_options options{method, 8, 1, 40 * 5000};
    check_replays(
        "count_matches_by", fill,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return count_matches_by(options, t, b, m.ref(), text.get(), n, number.get(),
                                  {stream, nullptr});
        },
        number);
    check_replays(
        "find_first_by", fill,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return find_first_by(options, t, b, m.ref(), text.get(), n, number.get(),
                               {stream, nullptr});
        },
        number);
    check_replays(
        "find_matches_by", fill,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return find_matches_by(options, t, b, m.ref(), text.get(), n, positions.get(), n,
                                 number.get(), {stream, nullptr});
        },
        number, positions);
  }
}

/// Zeros, with matches at the ends and on both sides of 2^32.
void test_huge_text(uint64_t n) {
  const device_array<uint8_t> text(n);
  CUDA_OK(cudaMemset(text.get(), 0, n));
  const std::vector<uint64_t> right{0, n / 2, (uint64_t{1} << 32) - 1 < n ? n - 3000 : n / 2 + 5,
                                    n - 4};
  for (const uint64_t at : right)
    CUDA_OK(cudaMemcpy(text.get() + at, "abcd", 4, cudaMemcpyHostToDevice));
  matcher m;
  CUDA_OK(matcher::create(m, "abcd", 4));
  for (const matching_method method :
       {matching_method::two_stage, matching_method::divide, matching_method::cooperative_affine})
    check(right, {method}, m.ref(), text.get(), n, 4, "huge");
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  uint64_t cases = small ? 3 : 600;
  uint32_t seed = 1;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--cases") == 0)
      cases = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0)
      seed = static_cast<uint32_t>(std::strtoul(argv[i + 1], nullptr, 10));
  }
  test_refusals();
  test_random_cases(cases, seed);
  test_large_texts(small ? 5000 : 1 << 20, small ? 128 : 1 << 18);
  test_periodic_texts(small ? 2500 : 100000);
  test_collisions();
  test_replays(small ? 4000 : 1 << 18);
  test_huge_text(small ? 7000 : (uint64_t{1} << 32) + 10000);
  return gpu_result("methods of string matching");
}
