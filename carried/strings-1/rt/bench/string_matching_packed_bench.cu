//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_packed_bench.cu: matching in packed texts against reading the text with the same
// vector loads, alternating.
//
//   string_matching_packed_bench [--json FILE] [--log2-bytes 33] [--seed S] [--part NAME]
//
// Parts: dna (random, 2 bits a base), bits (1 and 4), skewed (DNA of which one base in two is A),
// unknown. Rates are characters a second. Patterns are drawn from the text.
//
//===----------------------------------------------------------------------===//

#include "string_bench.cuh"

#include <colonnade/host_string_matching_packed.hpp>
#include <colonnade/string_matching_packed.cuh>

using namespace bench;
using namespace colonnade;

namespace {

packed_matcher drawn(const bench_text &text, uint64_t at_byte, uint64_t m,
                     const packed_options &options) {
  const std::vector<uint8_t> bytes = text.drawn(at_byte, (m * options.bits + 7) / 8);
  std::vector<uint8_t> pattern(m);
  for (uint64_t i = 0; i < m; ++i)
    pattern[i] =
        static_cast<uint8_t>(bytes[i * options.bits / 8] >> detail::shift_in_byte(i, options) &
                             ((1u << options.bits) - 1));
  packed_matcher matcher;
  CUDA_OK(packed_matcher::create(matcher, pattern.data(), m, options));
  return matcher;
}

/// Counting and listing, against reading.
void measure(report &out, const bench_text &text, const std::string &name, uint64_t m,
             const packed_options &options, const packed_text &characters) {
  const packed_matcher owner = drawn(text, text.n / 3, m, options);
  timed_call count([&](void *t, size_t &b) {
    return count_matches(t, b, owner.ref(), characters, text.d_number);
  });
  count.run();
  const uint64_t matches = text.number();
  const std::string all =
      name + ", m = " + std::to_string(m) + ", " + std::to_string(matches) + " matches";
  alternate(
      out, "count, " + all, "G characters/s", characters.num_items, "reading the text",
      [&] { return count.run(); }, [&] { return text.read(); });
  if (matches > text.capacity)
    return;
  timed_call list([&](void *t, size_t &b) {
    return find_matches(t, b, owner.ref(), characters, text.d_positions, text.capacity,
                        text.d_number);
  });
  alternate(
      out, "positions, " + all, "G characters/s", characters.num_items,
      "reading the text, writing the positions", [&] { return list.run(); },
      [&] { return text.read() + text.write(matches); });
}

packed_options numbers_of(uint32_t bits, packed_order order = packed_order::lowest_bits_first) {
  return {bits, packed_letters::numbers, order};
}

void dna(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, 1 << 24);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  for (const uint64_t m : {4, 8, 12, 16, 20, 32, 64, 128, 256, 1024, 65536})
    measure(out, text, "random DNA of 2 bits", m, numbers_of(2), {text.d_text, 4 * n});
  for (const uint64_t m : {8, 12, 32})
    measure(out, text, "random DNA in the order of .2bit files", m,
            numbers_of(2, packed_order::highest_bits_first), {text.d_text, 4 * n});
}
void other_bits(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, 1 << 24);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  for (const uint32_t bits : {1u, 4u})
    for (const uint64_t m : {6, 24, 32, 256})
      measure(out, text, "random characters of " + std::to_string(bits) + " bits", m,
              numbers_of(bits), {text.d_text, 8 / bits * n});
}
/// Repeated; every other base is A, the rest at random.
void skewed(report &out, uint64_t n) {
  bench_text text(n, 1 << 24);
  std::mt19937 random(3);
  std::vector<uint8_t> bases(64 << 20);
  for (uint8_t &base : bases)
    base = random() % 2 ? 0 : random() % 4;
  text.fill(host_pack(bases, numbers_of(2)));
  for (const uint64_t m : {16, 32, 256})
    measure(out, text, "skewed DNA", m, numbers_of(2), {text.d_text, 4 * n});
}
/// An interval in each 2^20 characters.
void with_unknown(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, 1 << 24);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  std::vector<unknown_characters> unknown;
  for (uint64_t at = 1000; at + 1000 < 4 * n; at += 1 << 20)
    unknown.push_back({at, 1000});
  unknown_characters *d_unknown = nullptr;
  CUDA_OK(cudaMalloc(&d_unknown, unknown.size() * sizeof(unknown[0])));
  CUDA_OK(cudaMemcpy(d_unknown, unknown.data(), unknown.size() * sizeof(unknown[0]),
                     cudaMemcpyHostToDevice));
  for (const uint64_t m : {10, 32})
    measure(out, text, "random DNA of 2 bits, intervals of N", m, numbers_of(2),
            {text.d_text, 4 * n, d_unknown, unknown.size()});
  CUDA_OK(cudaFree(d_unknown));
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint64_t seed = std::stoull(option(argc, argv, "--seed", "1"));
  const uint64_t n = uint64_t{1} << std::stoul(option(argc, argv, "--log2-bytes", "33"));
  const std::string part = option(argc, argv, "--part", "all");
  const auto wants = [&](const char *name) { return part == "all" || part == name; };
  if (wants("dna"))
    dna(out, n, seed);
  if (wants("bits"))
    other_bits(out, n, seed);
  if (wants("skewed"))
    skewed(out, n);
  if (wants("unknown"))
    with_unknown(out, n, seed);
  return out.finish() || gpu_failures() ? 1 : 0;
}
