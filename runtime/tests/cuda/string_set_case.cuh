//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_set_case.cuh: what GPU tests of sets of patterns have in common: sets whose patterns are
// drawn from the text, and what calls must give under a policy.
//
// In: a case. Out: messages. Invariant: what is right is what the automaton of the host finds.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "../string_set_cases.hpp"
#include "string_case.cuh"

#include <colonnade/host_string_matching_sets.hpp>
#include <colonnade/string_matching_sets.cuh>

namespace colonnade::testing {

inline matcher_set set_of(const string_set_case &c) {
  matcher_set set;
  const auto given = c.given();
  CUDA_OK(
      matcher_set::create(set, given.data(), static_cast<uint32_t>(given.size()), {c.fold_case}));
  return set;
}

inline std::vector<set_match> right_matches(const string_set_case &c) {
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
inline void add_patterns(string_set_case &c, uint32_t count, uint64_t shortest, uint64_t longest,
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

/// check_case(case, shortest length, what): texts of three alphabets, and sets of all kinds, the
/// largest of so many patterns.
template <class Check> void with_large_sets(uint64_t n, uint32_t most, Check check_case) {
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
      check_case(c, shortest, what);
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

/// Of texts that change; of 40 patterns, of these lengths and up to two more.
template <class Policy> void test_set_replays(uint64_t n, std::initializer_list<uint64_t> lengths) {
  const device_array<uint8_t> text(n);
  for (const uint64_t length : lengths) {
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
                                      {stream, nullptr}, Policy{});
        },
        number);
    check_replays_of(
        "count_matches_of_each", text,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return count_matches_of_each(t, b, set.ref(), text.get(), n, each.get(),
                                       {stream, nullptr}, Policy{});
        },
        each);
    check_replays_of(
        "find_matches_of_set", text,
        [&](void *t, size_t &b, cudaStream_t stream) {
          return find_matches_of_set(t, b, set.ref(), text.get(), n, positions.get(),
                                     patterns.get(), capacity, number.get(), {stream, nullptr},
                                     Policy{});
        },
        number, positions, patterns);
  }
}

/// Keys or anchors in shared memory, whatever the text is, where the set has them.
struct resident_set_blocks : string_set_policy {
  static constexpr uint64_t least_sampled = 1;
  static constexpr uint32_t least_frequent = 0, least_passing_words = 0;
};
/// A set that may have keys or anchors in shared memory, and a text that has many of them or few;
/// of all lengths around rows.
inline string_set_case resident_case(uint64_t i, std::mt19937 &random) {
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
  return c;
}
/// Such cases; check_case(i, case, text on the device, capacity, what).
template <class Check> void with_resident_cases(uint64_t cases, uint32_t seed, Check check_case) {
  const text_memory memory(20000);
  std::mt19937 random(seed);
  for (uint64_t i = 0; i < cases; ++i) {
    const string_set_case c = resident_case(i, random);
    const uint64_t capacity = random() % 4 ? 10 * c.text.size() : random() % 50;
    check_case(i, c, memory.put(c.text), capacity,
               "keys in shared memory, case " + std::to_string(i));
  }
}

/// With small texts in several segments, and queues that are soon full. Loads: 2 for steps of two
/// rows, 3 for steps of one.
template <uint32_t Loads> struct small_resident_blocks : resident_set_blocks {
  static constexpr uint32_t most_rounds = Loads == 2 ? 1 : 3;
  static constexpr string_set_tuning tuning(gpu_architecture architecture) {
    const uint32_t threads = string_set_policy::tuning(architecture).resident_threads ? 96 : 0;
    return {64, Loads, 1, 40, 1, threads, 40, 64, 96};
  }
};

/// --cases N --seed S
struct case_options {
  uint64_t cases;
  uint32_t seed = 1;

  case_options(int argc, char **argv, uint64_t cases_otherwise) : cases(cases_otherwise) {
    for (int i = 1; i + 1 < argc; ++i) {
      if (std::strcmp(argv[i], "--cases") == 0)
        cases = std::strtoull(argv[i + 1], nullptr, 10);
      if (std::strcmp(argv[i], "--seed") == 0)
        seed = static_cast<uint32_t>(std::strtoul(argv[i + 1], nullptr, 10));
    }
  }
};

/// The programme of one Loads.
template <uint32_t Loads> int small_resident_test(int argc, char **argv) {
  require_gpu();
  const case_options options(argc, argv, small_run(argc, argv) ? 20 : 333);
  with_resident_cases(options.cases, options.seed,
                      [](uint64_t, const string_set_case &c, const uint8_t *d_text,
                         uint64_t capacity, const std::string &what) {
                        check<small_resident_blocks<Loads>>(c, d_text, capacity, what.c_str());
                      });
  return gpu_result("sets of patterns in shared memory, by small steps");
}

} // namespace colonnade::testing
