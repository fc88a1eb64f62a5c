#include "rt/bench/string_bench.cuh"
#include <colonnade/string_matching_sets.cuh>
#include <random>
using namespace bench; using namespace colonnade;
#ifndef THREADS
#define THREADS 768
#endif
#ifndef QUEUED
#define QUEUED 352
#endif
struct policy : string_set_policy {
  static constexpr string_set_tuning tuning(gpu_architecture a) { auto t = string_set_policy::tuning(a); t.resident_threads = THREADS; t.anchors_queued = QUEUED; return t; }
#ifdef ALWAYS
  static constexpr uint32_t least_frequent = 0, least_frequent_anchors = 0;
#endif
#ifdef NEVER
  static constexpr uint64_t least_sampled = ~uint64_t{0};
#endif
};
std::vector<std::vector<uint8_t>> patterns_of(uint32_t n, uint64_t shortest, uint64_t longest, const std::vector<uint8_t> &piece, bool random_text, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<uint8_t>> all;
  for (uint32_t i = 0; i < n; ++i) {
    const uint64_t length = shortest + random() % (longest - shortest + 1), from = random() % (piece.size() - length);
    all.emplace_back(piece.begin() + from, piece.begin() + from + length);
    if (i % 2) continue;
    if (random_text) for (uint8_t &b : all.back()) b = random(); else
    all.back()[length / 2] = 1;
  }
  return all;
}
int main(int argc, char **argv) {
  bool random_text = argc > 2; uint64_t n = 1ull << 31;
  bench_text text(n, 1);
  std::vector<uint8_t> piece;
  if (random_text) { fill_uniform<<<2048, 256>>>((uint32_t *)text.d_text, n / 4, 1); piece = text.drawn(n / 3, 1 << 24); }
  else { FILE *f = fopen("text.bin", "rb"); piece.resize(256 << 20); piece.resize(fread(piece.data(), 1, piece.size(), f)); fclose(f); text.fill(piece); }
  struct { uint32_t n; uint64_t lo, hi; } sets[] = {{100, 8, 8}, {1000, 8, 8}, {3000, 8, 8}, {10000, 8, 8}, {100, 8, 64}, {1000, 8, 64}, {1000, 4, 64}, {100, 4, 64}, {1000, 5, 12}};
  for (auto [np, lo, hi] : sets) {
#if THREADS > 768
    if (lo < 8) continue;
#endif
    auto p = patterns_of(np, lo, hi, piece, random_text, 1);
    std::vector<set_pattern> g; for (auto &x : p) g.push_back({x.data(), x.size()});
    matcher_set set; CUDA_OK(matcher_set::create(set, g.data(), np));
    timed_call count([&](void *t, size_t &b) { return count_matches_of_set(t, b, set.ref(), text.d_text, n, text.d_number, {}, policy{}); });
    count.run();
    std::vector<double> r; double ms = 0;
    for (int i = 0; i < 9; i++) { float a = count.run(), b = text.read(); r.push_back(b / a); ms = a; }
    printf("%s %s%u of %zu-%zu: %.4f (%.3f ms) matches %llu\n", argv[1], random_text ? "random " : "", np, (size_t)lo, (size_t)hi, quantile(r, .5), ms, (unsigned long long)text.number());
    fflush(stdout);
  }
}
