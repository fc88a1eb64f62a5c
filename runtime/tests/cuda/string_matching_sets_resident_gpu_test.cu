//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Sets of patterns on a GPU against the automaton of the host, by keys and anchors in shared
// memory: texts that have many of them or few, large sets; replayed graphs.
//
//   --small    fewer and smaller cases
//   --seed S   others; --cases N   so many
//
//===----------------------------------------------------------------------===//

#include "string_set_case.cuh"

using namespace colonnade;
using namespace colonnade::testing;

namespace {

/// Patterns that are runs alone have no anchors: they are counted by keys.
void test_runs_alone(uint64_t n) {
  const text_memory memory(n);
  std::mt19937 random(21);
  string_set_case c{std::vector<uint8_t>(n, 'a'), {}};
  for (uint64_t at = random() % 100; at < n; at += 1 + random() % 100)
    c.text[at] = 'b';
  for (const uint64_t length : {8, 9, 30, 8})
    c.patterns.emplace_back(length, 'a');
  check<resident_set_blocks>(c, memory.put(c.text), 4 * n, "runs alone");
}

/// More than there is room for in small tables.
void test_many_anchors(uint64_t n) {
  const text_memory memory(n);
  std::mt19937 random(22);
  for (const uint64_t shortest : {7, 8}) {
    string_set_case c{some_text(n, text_kind::random, 20, random), {}};
    add_patterns(c, 4000, shortest, 20, 20, random);
    check<resident_set_blocks>(c, memory.put(c.text), 3 * n, "many anchors");
  }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  const bool small = small_run(argc, argv);
  const case_options options(argc, argv, small ? 20 : 334);
  with_resident_cases(options.cases, options.seed,
                      [](uint64_t, const string_set_case &c, const uint8_t *d_text,
                         uint64_t capacity, const std::string &what) {
                        check<resident_set_blocks>(c, d_text, capacity, what.c_str());
                      });
  const uint64_t n = small ? 20000 : 3 << 20;
  const text_memory memory(n);
  with_large_sets(n, small ? 500 : most_set_patterns,
                  [&](const string_set_case &c, uint64_t shortest, const std::string &what) {
                    if (shortest >= 4)
                      check<resident_set_blocks>(c, memory.put(c.text), 3 * n, what.c_str());
                  });
  test_runs_alone(n);
  test_many_anchors(n);
  test_set_replays<resident_set_blocks>(small ? 3000 : 1 << 21, {5, 8});
  return gpu_result("sets of patterns in shared memory");
}
