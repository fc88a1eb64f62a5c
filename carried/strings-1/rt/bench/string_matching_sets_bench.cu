//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_sets_bench.cu: matching with sets of patterns against reading the text with the
// same vector loads, which nothing can go faster than, alternating; and with patterns of character
// classes.
//
//   string_matching_sets_bench [--json FILE] [--log2-bytes 33] [--seed S] [--part NAME]
//
// Parts: random, source (files of this machine: headers and Python libraries, repeated), peer: the
// best of our own for single patterns, one after the other; classes. Of each set every other
// pattern is drawn from the text, the others are not in it.
//
//===----------------------------------------------------------------------===//

#include "string_bench.cuh"

#include <colonnade/string_matching.cuh>
#include <colonnade/string_matching_classes.cuh>
#include <colonnade/string_matching_sets.cuh>

#include <deque>
#include <random>

using namespace bench;
using namespace colonnade;

namespace {

struct set_shape_of_bench {
  uint32_t patterns;
  uint64_t shortest, longest;
  const char *name;
};
constexpr set_shape_of_bench bench_sets[] = {
    {100, 8, 8, "100 patterns of 8"},
    {10000, 8, 8, "10000 patterns of 8"},
    {1000, 4, 64, "1000 patterns of 4 to 64"},
    {1000, 8, 64, "1000 patterns of 8 to 64"},
};

/// Every other one is drawn from a piece of the text.
std::vector<std::vector<uint8_t>> patterns_of(const set_shape_of_bench &shape,
                                              const std::vector<uint8_t> &piece, bool random_text,
                                              uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<uint8_t>> all;
  for (uint32_t i = 0; i < shape.patterns; ++i) {
    const uint64_t length = shape.shortest + random() % (shape.longest - shape.shortest + 1),
                   from = random() % (piece.size() - length);
    all.emplace_back(piece.begin() + static_cast<int64_t>(from),
                     piece.begin() + static_cast<int64_t>(from + length));
    if (i % 2)
      continue;
    if (random_text)
      for (uint8_t &b : all.back())
        b = static_cast<uint8_t>(random());
    else
      all.back()[length / 2] = 1;
  }
  return all;
}

matcher_set set_of(const std::vector<std::vector<uint8_t>> &patterns) {
  std::vector<set_pattern> given;
  for (const auto &pattern : patterns)
    given.push_back({pattern.data(), pattern.size()});
  matcher_set set;
  CUDA_OK(matcher_set::create(set, given.data(), static_cast<uint32_t>(given.size())));
  return set;
}

/// Counting, of each, and listing, against reading.
void measure(report &out, const bench_text &text, const std::string &name,
             const std::vector<std::vector<uint8_t>> &patterns) {
  const matcher_set set = set_of(patterns);
  uint64_t *d_each = nullptr;
  uint32_t *d_patterns = nullptr;
  CUDA_OK(cudaMalloc(&d_each, 8 * patterns.size()));
  CUDA_OK(cudaMalloc(&d_patterns, 4 * text.capacity));
  timed_call count([&](void *t, size_t &b) {
    return count_matches_of_set(t, b, set.ref(), text.d_text, text.n, text.d_number);
  });
  timed_call each([&](void *t, size_t &b) {
    return count_matches_of_each(t, b, set.ref(), text.d_text, text.n, d_each);
  });
  timed_call list([&](void *t, size_t &b) {
    return find_matches_of_set(t, b, set.ref(), text.d_text, text.n, text.d_positions, d_patterns,
                               text.capacity, text.d_number);
  });
  count.run();
  const uint64_t matches = text.number();
  const std::string all = name + ", " + std::to_string(matches) + " matches";
  const auto read = [&] { return text.read(); };
  alternate(
      out, "count, " + all, "GB/s", text.n, "reading the text", [&] { return count.run(); }, read);
  alternate(
      out, "count of each, " + all, "GB/s", text.n, "reading the text", [&] { return each.run(); },
      read);
  if (matches <= text.capacity)
    alternate(
        out, "matches, " + all, "GB/s", text.n, "reading the text, writing the matches",
        [&] { return list.run(); }, [&] { return text.read() + text.write(matches * 3 / 2); });
  CUDA_OK(cudaFree(d_each));
  CUDA_OK(cudaFree(d_patterns));
}

void random_bytes(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, 1 << 24);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  const std::vector<uint8_t> piece = text.drawn(n / 3, 1 << 24);
  for (const auto &shape : bench_sets)
    measure(out, text, std::string("random bytes, ") + shape.name,
            patterns_of(shape, piece, true, seed));
}

void source_text(report &out, uint64_t n, uint64_t seed) {
  const std::vector<uint8_t> piece = source_files();
  std::printf("source text: %zu bytes of files\n", piece.size());
  if (piece.size() < (1u << 20))
    return;
  bench_text text(n, std::min<uint64_t>(n, uint64_t{3} << 29));
  text.fill(piece);
  for (const auto &shape : bench_sets)
    measure(out, text, std::string("source text, ") + shape.name,
            patterns_of(shape, piece, false, seed));
}

/// One pattern after the other, each by a call of its own.
void one_by_one(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, 1);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  const std::vector<uint8_t> piece = text.drawn(n / 3, 1 << 20);
  for (const uint32_t count : {2u, 4u, 16u}) {
    const auto patterns = patterns_of({count, 8, 8, ""}, piece, true, seed);
    const matcher_set set = set_of(patterns);
    timed_call ours([&](void *t, size_t &b) {
      return count_matches_of_set(t, b, set.ref(), text.d_text, n, text.d_number);
    });
    std::vector<matcher> matchers(count);
    std::deque<timed_call> others;
    for (uint32_t i = 0; i < count; ++i) {
      CUDA_OK(matcher::create(matchers[i], patterns[i].data(), patterns[i].size()));
      others.emplace_back([&text, n, ref = matchers[i].ref()](void *t, size_t &b) {
        return count_matches(t, b, ref, text.d_text, n, text.d_number);
      });
    }
    alternate(
        out, std::to_string(count) + " patterns of 8, random bytes", "GB/s", n,
        "count_matches of one after the other", [&] { return ours.run(); },
        [&] {
          float all = 0;
          for (timed_call &other : others)
            all += other.run();
          return all;
        });
  }
}

void measure_classes(report &out, const bench_text &text, const std::string &name,
                     const std::string &expression) {
  class_matcher m;
  CUDA_OK(class_matcher::create(m, expression.data(), expression.size()));
  timed_call count([&](void *t, size_t &b) {
    return count_matches(t, b, m.ref(), text.d_text, text.n, text.d_number);
  });
  count.run();
  alternate(
      out, "count, " + name + " " + expression + ", " + std::to_string(text.number()) + " matches",
      "GB/s", text.n, "reading the text", [&] { return count.run(); }, [&] { return text.read(); });
}

void classes(report &out, uint64_t n, uint64_t seed) {
  const std::string long_one = "[a-z]" + std::string(38, '.') + "[0-9]";
  const std::string expressions[] = {"[A-Z][a-z][0-9].x", "[^a-z]ab.[0-9][0-9]....", long_one};
  bench_text text(n, 1);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  for (const std::string &expression : expressions)
    measure_classes(out, text, "random bytes,", expression);
  const std::vector<uint8_t> piece = source_files();
  if (piece.size() < (1u << 20))
    return;
  text.fill(piece);
  for (const std::string &expression : expressions)
    measure_classes(out, text, "source text,", expression);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint64_t seed = std::stoull(option(argc, argv, "--seed", "1"));
  const uint64_t n = uint64_t{1} << std::stoul(option(argc, argv, "--log2-bytes", "33"));
  const std::string part = option(argc, argv, "--part", "all");
  const auto wants = [&](const char *name) { return part == "all" || part == name; };
  if (wants("random"))
    random_bytes(out, n, seed);
  if (wants("source"))
    source_text(out, n / 4, seed);
  if (wants("peer"))
    one_by_one(out, n / 4, seed);
  if (wants("classes"))
    classes(out, n, seed);
  return out.finish() || gpu_failures() ? 1 : 0;
}
