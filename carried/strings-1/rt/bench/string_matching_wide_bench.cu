//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_wide_bench.cu: matching in texts of 16-bit characters against reading the text,
// alternating.
//
//   string_matching_wide_bench [--json FILE] [--log2-bytes 33] [--seed S] [--part NAME]
//
// Parts: random, folded, source (files of this machine, a character a byte, as UTF-16 has them),
// periodic. Patterns are half drawn from the text, half absent.
//
//===----------------------------------------------------------------------===//

#include "string_bench.cuh"

#include <colonnade/string_matching_wide.cuh>

#include <random>

using namespace bench;
using namespace colonnade;

namespace {

std::vector<uint16_t> drawn(const bench_text &text, uint64_t at, uint64_t length) {
  const std::vector<uint8_t> bytes = text.drawn(2 * at, 2 * length);
  std::vector<uint16_t> pattern(length);
  std::memcpy(pattern.data(), bytes.data(), bytes.size());
  return pattern;
}

/// Counting and listing, against reading.
void measure(report &out, const bench_text &text, const std::string &name,
             const std::vector<uint16_t> &pattern, matcher_options options = {}) {
  wide_matcher m;
  CUDA_OK(wide_matcher::create(m, pattern.data(), pattern.size(), options));
  const auto *const d_text = reinterpret_cast<const uint16_t *>(text.d_text);
  timed_call count([&](void *t, size_t &b) {
    return count_matches(t, b, m.ref(), d_text, text.n / 2, text.d_number);
  });
  count.run();
  const uint64_t matches = text.number();
  const std::string all = name + ", " + std::to_string(matches) + " matches";
  alternate(
      out, "count, " + all, "GB/s", text.n, "reading the text", [&] { return count.run(); },
      [&] { return text.read(); });
  if (matches > text.capacity)
    return;
  timed_call list([&](void *t, size_t &b) {
    return find_matches(t, b, m.ref(), d_text, text.n / 2, text.d_positions, text.capacity,
                        text.d_number);
  });
  alternate(
      out, "positions, " + all, "GB/s", text.n, "reading the text, writing the positions",
      [&] { return list.run(); }, [&] { return text.read() + text.write(matches); });
}

void random_characters(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, 1 << 27);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  for (const uint64_t m : {1, 2, 3, 4, 8, 32, 1024, 65536, 1 << 19})
    for (const bool absent : {false, true}) {
      std::vector<uint16_t> pattern = drawn(text, n / 6 + m, m);
      if (absent)
        pattern[m / 2] ^= 1;
      if (!absent || m > 3)
        measure(out, text,
                "16-bit characters, random, m = " + std::to_string(m) + (absent ? ", absent" : ""),
                pattern);
    }
}

void folded_case(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, 1 << 27);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  for (const uint64_t m : {2, 8, 64}) {
    std::vector<uint16_t> pattern = drawn(text, n / 6, m);
    for (uint16_t &c : pattern)
      c = static_cast<uint16_t>('a' + c % 26);
    measure(out, text, "16-bit characters, folded case, m = " + std::to_string(m), pattern, {true});
  }
}

void source_text(report &out, uint64_t n, uint64_t seed) {
  const std::vector<uint8_t> files = source_files();
  if (files.size() < (1u << 20))
    return;
  std::vector<uint8_t> piece(2 * files.size());
  for (uint64_t i = 0; i < files.size(); ++i)
    piece[2 * i] = files[i];
  bench_text text(n, 1 << 27);
  text.fill(piece);
  std::mt19937_64 random(seed);
  for (const uint64_t m : {2, 4, 8, 16, 64, 1024})
    for (const bool absent : {false, true}) {
      std::vector<uint16_t> pattern = drawn(text, random() % (files.size() - m), m);
      if (absent)
        pattern[m / 2] = 1;
      measure(out, text,
              "16-bit characters, source text, m = " + std::to_string(m) +
                  (absent ? ", absent" : ""),
              pattern);
    }
}

void periodic(report &out, uint64_t n) {
  bench_text text(n, n / 2);
  std::vector<uint8_t> piece(16 << 20);
  for (uint64_t i = 0; i < piece.size(); i += 2)
    piece[i] = 'a';
  text.fill(piece);
  for (const uint64_t m : {1, 2, 8, 1024})
    measure(out, text, "16-bit characters, aaaa..., m = " + std::to_string(m),
            std::vector<uint16_t>(m, 'a'));
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
    random_characters(out, n, seed);
  if (wants("folded"))
    folded_case(out, n, seed);
  if (wants("source"))
    source_text(out, n / 4, seed);
  if (wants("periodic"))
    periodic(out, std::min<uint64_t>(n / 64, 128 << 20));
  return out.finish() || gpu_failures() ? 1 : 0;
}
