//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sets of patterns on a GPU against the automaton of the host: random and periodic texts of four
// alphabets, of any alignment, short and of several segments, large sets, long patterns, chains of
// prefixes, room for fewer matches; replayed graphs.
//
//   --small    fewer and smaller cases
//   --seed S   others; --cases N   so many
//
//===----------------------------------------------------------------------===//

#include "../string_set_cases.hpp"
#include "string_case.cuh"

#include <colonnade/host_string_matching_sets.hpp>
#include <colonnade/string_matching_sets.cuh>

using namespace colonnade;
using namespace colonnade::testing;

namespace {

/// Small texts are several segments, and several blocks.
struct small_set_blocks : string_set_policy {
  static constexpr uint32_t most_rounds = 1;
  static constexpr string_set_tuning tuning(gpu_architecture) { return {64, 2, 1, 40, 1}; }
};

/// Keys or anchors in shared memory, whatever the text is, where the set has them.
struct resident_set_blocks : string_set_policy {
  static constexpr uint64_t least_sampled = 1;
  static constexpr uint32_t least_frequent = 0, least_frequent_anchors = 0;
};
/// The same in several segments, with a queue that is soon full.
struct small_resident_set_blocks : resident_set_blocks {
  static constexpr uint32_t most_rounds = 1;
  static constexpr string_set_tuning tuning(gpu_architecture architecture) {
    return {64, 2, 1, 40, 1, string_set_policy::tuning(architecture).resident_threads ? 96u : 0u,
            40, 40};
  }
};
/// One row a step.
struct row_resident_set_blocks : small_resident_set_blocks {
  static constexpr uint32_t most_rounds = 3;
  static constexpr string_set_tuning tuning(gpu_architecture architecture) {
    string_set_tuning chosen = small_resident_set_blocks::tuning(architecture);
    chosen.loads = 3;
    return chosen;
  }
};

matcher_set set_of(const string_set_case &c) {
  matcher_set set;
  const auto given = c.given();
  CUDA_OK(
      matcher_set::create(set, given.data(), static_cast<uint32_t>(given.size()), {c.fold_case}));
  return set;
}

std::vector<set_match> right_matches(const string_set_case &c) {
  const auto given = c.given();
  return host_find_matches_of_set(c.text.data(), c.text.size(), given.data(),
                                  static_cast<uint32_t>(given.size()), {c.fold_case});
}

template <class Policy>
void check_matches(const std::vector<set_match> &right, const matcher_set &set,
                   const uint8_t *d_text, uint64_t n, uint64_t capacity, const char *what) {
  const device_array<uint64_t> positions(capacity), number(1);
  const device_array<uint32_t> patterns(capacity);
  const device_array<device_status> status(std::vector<device_status>(1));
  call_twice([&](void *t, size_t &b) {
    return find_matches_of_set(t, b, set.ref(), d_text, n, positions.get(), patterns.get(),
                               capacity, number.get(), {nullptr, status.get()}, Policy{});
  });
  EXPECT(number.read()[0] == right.size(), "%s: number %llu, not %llu", what,
         static_cast<unsigned long long>(number.read()[0]),
         static_cast<unsigned long long>(right.size()));
  const std::vector<uint64_t> at = positions.read();
  const std::vector<uint32_t> which = patterns.read();
  bool same = true, beyond = false;
  for (uint64_t i = 0; i < capacity; ++i)
    if (i < right.size())
      same &= set_match{at[i], which[i]} == right[i];
    else
      beyond |= at[i] != 0xa5a5a5a5a5a5a5a5u || which[i] != 0xa5a5a5a5u;
  EXPECT(same, "%s: matches", what);
  EXPECT(!beyond, "%s: more written than there are", what);
  positions.expect_intact(what);
  patterns.expect_intact(what);
  const device_status said = status.read()[0];
  EXPECT(right.size() > capacity
             ? said.error() == data_error::buffer_too_small && said.detail() == right.size()
             : said.ok(),
         "%s: status", what);
}

template <class Policy>
void check(const string_set_case &c, const uint8_t *d_text, uint64_t capacity, const char *what) {
  const std::vector<set_match> right = right_matches(c);
  const matcher_set set = set_of(c);
  const uint64_t n = c.text.size();
  const device_array<uint64_t> count(1), each(c.patterns.size());
  call_twice([&](void *t, size_t &b) {
    return count_matches_of_set(t, b, set.ref(), d_text, n, count.get(), {}, Policy{});
  });
  call_twice([&](void *t, size_t &b) {
    return count_matches_of_each(t, b, set.ref(), d_text, n, each.get(), {}, Policy{});
  });
  EXPECT(count.read()[0] == right.size(), "%s: count %llu, not %llu", what,
         static_cast<unsigned long long>(count.read()[0]),
         static_cast<unsigned long long>(right.size()));
  std::vector<uint64_t> numbers(c.patterns.size());
  for (const set_match &m : right)
    ++numbers[m.pattern];
  EXPECT(each.read() == numbers, "%s: number of each", what);
  each.expect_intact(what);
  check_matches<Policy>(right, set, d_text, n, capacity, what);
}

/// Half of them drawn from the text.
void add_patterns(string_set_case &c, uint32_t count, uint64_t shortest, uint64_t longest,
                  uint32_t alphabet, std::mt19937 &random) {
  for (uint32_t k = 0; k < count; ++k) {
    const uint64_t length = shortest + random() % (longest - shortest + 1);
    const auto from =
        c.text.begin() + static_cast<int64_t>(random() % (c.text.size() - length + 1));
    if (k % 2)
      c.patterns.emplace_back(from, from + static_cast<int64_t>(length));
    else
      c.patterns.push_back(some_text(length, text_kind::random, alphabet, random));
  }
}

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

/// Sets that may have keys or anchors in shared memory, in texts that have many of them or few; of
/// all lengths around rows.
void test_resident_keys(uint64_t cases, uint32_t seed) {
  const text_memory memory(20000);
  std::mt19937 random(seed);
  for (uint64_t i = 0; i < cases; ++i) {
    const uint32_t alphabet = i % 2 ? 256 : 2;
    const uint64_t n = i % 4 ? 1 + random() % 9000 : 512 * (1 + random() % 8) - 10 + random() % 20;
    string_set_case c{some_text(n, text_kind::random, alphabet, random), {}, i % 3 == 0};
    for (uint32_t k = 0; k < 40; ++k) {
      const uint64_t shortest = i % 4 < 2 ? 8 : 4, // with anchors, or nearly always keys
          length = random() % 4 ? shortest : shortest + random() % (i % 5 ? 30 : 1);
      c.patterns.push_back(some_text(length, text_kind::random, alphabet, random));
      if (length <= n && random() % 4) {
        const auto from = c.text.begin() + static_cast<int64_t>(random() % (n - length + 1));
        c.patterns.back().assign(from, from + static_cast<int64_t>(length));
      }
    }
    const std::string what = "keys in shared memory, case " + std::to_string(i);
    const uint64_t capacity = random() % 4 ? 10 * n : random() % 50;
    const uint8_t *const d_text = memory.put(c.text);
    if (i % 3 == 0)
      check<resident_set_blocks>(c, d_text, capacity, what.c_str());
    else if (i % 3 == 1)
      check<small_resident_set_blocks>(c, d_text, capacity, what.c_str());
    else
      check<row_resident_set_blocks>(c, d_text, capacity, what.c_str());
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
  std::mt19937 random(11);
  for (const uint32_t alphabet : {4u, 20u, 256u})
    for (const auto &[count, shortest, longest] :
         {std::tuple<uint32_t, uint64_t, uint64_t>{100, 8, 8},
          {most, 8, 8},
          {most, 7, 12},
          {most / 10, 4, 64},
          {40, 1, 6},
          {200, 100, 2000}}) {
      string_set_case c{some_text(n - random() % 40, text_kind::random, alphabet, random), {}};
      add_patterns(c, count, shortest, longest, alphabet, random);
      const std::string what = std::to_string(count) + " patterns of " + std::to_string(shortest) +
                               " to " + std::to_string(longest) + ", alphabet " +
                               std::to_string(alphabet);
      check<string_set_policy>(c, memory.put(c.text), 3 * n, what.c_str());
      if (shortest >= 4)
        check<resident_set_blocks>(c, memory.put(c.text), 3 * n, what.c_str());
    }
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
  for (const uint64_t length : {2, 5, 8}) {
    std::mt19937 random(1); // what the first text begins with
    string_set_case c{some_text(n, text_kind::random, 3, random), {}};
    for (uint64_t k = 0; k < 40; ++k) {
      const auto from = c.text.begin() + static_cast<int64_t>(10 * k);
      c.patterns.emplace_back(from, from + static_cast<int64_t>(length + k % 3));
    }
    const matcher_set set = set_of(c);
    const uint64_t capacity = 4 * n;
    const device_array<uint64_t> number(1), each(40), positions(capacity);
    const device_array<uint32_t> patterns(capacity);
    check_replays_of(
        "count_matches_of_set", text,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return count_matches_of_set(t, b, set.ref(), text.get(), n, number.get(),
                                      {stream, nullptr});
        },
        number);
    check_replays_of(
        "count_matches_of_each", text,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return count_matches_of_each(t, b, set.ref(), text.get(), n, each.get(),
                                       {stream, nullptr});
        },
        each);
    check_replays_of(
        "find_matches_of_set", text,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return find_matches_of_set(t, b, set.ref(), text.get(), n, positions.get(),
                                     patterns.get(), capacity, number.get(), {stream, nullptr});
        },
        number, positions, patterns);
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
  test_resident_keys(cases, seed);
  if (!small)
    test_sampled_text();
  test_dense_texts(small ? 20 : 100);
  test_large_sets(small ? 20000 : 3 << 20, small ? 500 : most_set_patterns);
  test_long_patterns(small ? 40000 : 1 << 20, small ? 3000 : most_set_pattern);
  test_chains(small ? 3000 : 100000, small ? 20 : 60);
  test_replays(small ? 3000 : 1 << 21);
  return gpu_result("sets of patterns");
}
