//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_mismatches_bench.cu: matching with mismatches against reading the text with the
// same vector loads, which nothing can go faster than, alternating.
//
//   string_matching_mismatches_bench [--json FILE] [--log2-bytes 33] [--seed S] [--part NAME]
//
// Parts: random, source (files of this machine: headers and Python libraries, repeated), dna (four
// letters, a byte each), repeated (one letter; the pattern is of it, too, but for its last byte).
// Patterns are drawn from the text; by both methods where there is room for pieces. An asterisk
// is at the method that is chosen without being asked for.
//
//===----------------------------------------------------------------------===//

#include "string_bench.cuh"

#include <colonnade/string_matching_mismatches.cuh>

#include <random>

using namespace bench;
using namespace colonnade;

namespace {

struct mismatch_shape {
  uint32_t most;
  uint64_t length;
};
constexpr mismatch_shape bench_shapes[] = {{2, 32}, {1, 32}, {4, 32},  {4, 64},
                                           {8, 9},  {8, 64}, {2, 1024}};

/// Counting, and listing with numbers of mismatches.
void measure(report &out, const bench_text &text, const std::string &name,
             const std::vector<uint8_t> &pattern, uint32_t most, mismatch_method method) {
  mismatch_matcher m, chosen;
  CUDA_OK(mismatch_matcher::create(m, pattern.data(), pattern.size(), most, {false, method}));
  CUDA_OK(mismatch_matcher::create(chosen, pattern.data(), pattern.size(), most));
  uint8_t *d_mismatches = nullptr;
  CUDA_OK(cudaMalloc(&d_mismatches, text.capacity));
  timed_call count([&](void *t, size_t &b) {
    return count_matches(t, b, m.ref(), text.d_text, text.n, text.d_number);
  });
  timed_call list([&](void *t, size_t &b) {
    return find_matches(t, b, m.ref(), text.d_text, text.n, text.d_positions, d_mismatches,
                        text.capacity, text.d_number);
  });
  count.run();
  const uint64_t matches = text.number();
  const std::string all =
      name + ", k = " + std::to_string(most) + ", pattern " + std::to_string(pattern.size()) +
      (method == mismatch_method::pieces ? ", pieces" : ", counting") +
      (chosen.ref().method() == method ? "*, " : ", ") + std::to_string(matches) + " matches";
  alternate(
      out, "count, " + all, "GB/s", text.n, "reading the text", [&] { return count.run(); },
      [&] { return text.read(); });
  if (matches <= text.capacity)
    alternate(
        out, "matches, " + all, "GB/s", text.n, "reading the text, writing the matches",
        [&] { return list.run(); }, [&] { return text.read() + text.write(matches * 9 / 8); });
  CUDA_OK(cudaFree(d_mismatches));
}

void measure_by_both(report &out, const bench_text &text, const std::string &name,
                     const std::vector<uint8_t> &pattern, uint32_t most) {
  measure(out, text, name, pattern, most, mismatch_method::counting);
  if (pattern.size() >= 7 * (most + 1))
    measure(out, text, name, pattern, most, mismatch_method::pieces);
}
void measure_shapes(report &out, const bench_text &text, const std::string &name, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (const mismatch_shape &shape : bench_shapes)
    measure_by_both(out, text, name, text.drawn(random() % (text.n - shape.length), shape.length),
                    shape.most);
}

void random_bytes(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, 1 << 24);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  measure_shapes(out, text, "random bytes", seed);
}

void source_text(report &out, uint64_t n, uint64_t seed) {
  const std::vector<uint8_t> piece = source_files();
  std::printf("source text: %zu bytes of files\n", piece.size());
  if (piece.size() < (1u << 20))
    return;
  bench_text text(n, n / 8);
  text.fill(piece);
  for (uint64_t s = seed; s < seed + 3; ++s) // of which some lie in indentation
    measure_shapes(out, text, "source text, patterns " + std::to_string(s), s);
}

void dna(report &out, uint64_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint8_t> piece(1 << 24);
  for (uint8_t &b : piece)
    b = static_cast<uint8_t>("ACGT"[random() % 4]);
  bench_text text(n, n / 8);
  text.fill(piece);
  measure_shapes(out, text, "letters of nucleotides", seed);
}

void repeated(report &out, uint64_t n) {
  bench_text text(n, 1 << 24);
  CUDA_OK(cudaMemset(text.d_text, 'a', n));
  for (const uint64_t length : {9, 32, 64}) {
    std::vector<uint8_t> pattern(length, 'a');
    for (uint64_t i = 0; i < 3; ++i) // one more than may be
      pattern[length - 1 - i] = 'b';
    measure_by_both(out, text, "a repeated, pattern not there", pattern, 2);
  }
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
  if (wants("dna"))
    dna(out, n / 4, seed);
  if (wants("repeated"))
    repeated(out, n / 16);
  return out.finish() || gpu_failures() ? 1 : 0;
}
