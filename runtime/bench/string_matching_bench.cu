//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_bench.cu: matching against reading the text with the same vector loads, which
// nothing can go faster than, alternating; against reading it and writing the positions where
// there are many.
//
//   string_matching_bench [--json FILE] [--log2-bytes 33] [--seed S] [--part NAME]
//
// Parts: random, folded, source (files of this machine: headers and Python libraries, repeated),
// dense, first, cpu (memmem), apart, periodic, small. Patterns are half drawn from the text, half
// absent.
//
//===----------------------------------------------------------------------===//

#include "string_bench.cuh"

#include <colonnade/string_matching.cuh>

#include <random>
#include <thread>

using namespace bench;
using namespace colonnade;

namespace {

matcher matcher_of(const std::vector<uint8_t> &pattern, matcher_options options = {}) {
  matcher m;
  CUDA_OK(matcher::create(m, pattern.data(), pattern.size(), options));
  return m;
}

/// Counting and listing, against reading.
void measure(report &out, const bench_text &text, const std::string &name,
             const std::vector<uint8_t> &pattern, matcher_options options = {}) {
  const matcher m = matcher_of(pattern, options);
  timed_call count([&](void *t, size_t &b) {
    return count_matches(t, b, m.ref(), text.d_text, text.n, text.d_number);
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
    return find_matches(t, b, m.ref(), text.d_text, text.n, text.d_positions, text.capacity,
                        text.d_number);
  });
  alternate(
      out, "positions, " + all, "GB/s", text.n, "reading the text, writing the positions",
      [&] { return list.run(); }, [&] { return text.read() + text.write(matches); });
}

void random_bytes(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, 1 << 27);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  for (const uint64_t m : {1, 2, 3, 4, 5, 8, 16, 32, 64, 256, 1024, 65536, 1 << 20})
    for (const bool absent : {false, true}) {
      std::vector<uint8_t> pattern = text.drawn(n / 3 + m, m);
      if (absent && m > 4)
        pattern[m / 2] ^= 1;
      if (!absent || m > 4)
        measure(out, text, "random bytes, m = " + std::to_string(m) + (absent ? ", absent" : ""),
                pattern);
    }
}

void folded_case(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, 1 << 27);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  for (const uint64_t m : {2, 3, 8, 64}) {
    std::vector<uint8_t> pattern = text.drawn(n / 3, m);
    for (uint64_t i = 0; i < m; ++i)
      pattern[i] = static_cast<uint8_t>('a' + pattern[i] % 26);
    measure(out, text, "folded case, random bytes, m = " + std::to_string(m), pattern, {true});
  }
}

void source_text(report &out, uint64_t n, uint64_t seed) {
  const std::vector<uint8_t> piece = source_files();
  std::printf("source text: %zu bytes of files\n", piece.size());
  if (piece.size() < (1u << 20))
    return;
  bench_text text(n, 1 << 28);
  text.fill(piece);
  std::mt19937_64 random(seed);
  for (const uint64_t m : {2, 4, 8, 16, 64, 1024, 65536})
    for (const bool absent : {false, true}) {
      std::vector<uint8_t> pattern = text.drawn(random() % (piece.size() - m), m);
      if (absent)
        pattern[m / 2] = 1;
      measure(out, text, "source text, m = " + std::to_string(m) + (absent ? ", absent" : ""),
              pattern);
    }
}

/// One position in `letters` to the power of m matches.
void dense(report &out, uint64_t n) {
  bench_text text(n, n / 4);
  for (const auto &[letters, m] : {std::pair<uint32_t, uint64_t>{10, 1}, {3, 2}, {2, 3}, {2, 8}}) {
    std::mt19937 random(letters);
    std::vector<uint8_t> piece((64 << 20) + 123);
    for (uint8_t &c : piece)
      c = static_cast<uint8_t>('a' + random() % letters);
    text.fill(piece);
    measure(out, text, std::to_string(letters) + " letters, m = " + std::to_string(m),
            text.drawn(1000, m));
  }
}

void first_beside_count(report &out, const bench_text &text, const std::string &name,
                        const std::vector<uint8_t> &pattern) {
  const matcher m = matcher_of(pattern);
  timed_call count([&](void *t, size_t &b) {
    return count_matches(t, b, m.ref(), text.d_text, text.n, text.d_number);
  });
  timed_call first([&](void *t, size_t &b) {
    return find_first(t, b, m.ref(), text.d_text, text.n, text.d_number);
  });
  alternate(
      out, name, "GB/s", text.n, "a full count", [&] { return first.run(); },
      [&] { return count.run(); });
}

/// Where there is none, all of the text is read.
void first_matches(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, 1);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  const std::vector<uint8_t> pattern = text.drawn(n / 100, 16);
  first_beside_count(out, text, "first match at a hundredth of the text, m = 16", pattern);
  std::vector<uint8_t> absent = text.drawn(n / 100, 32);
  std::copy(pattern.begin(), pattern.end(), absent.begin() + 16); // 128 random bits, twice
  first_beside_count(out, text, "first match that is not there, m = 32", absent);
}

/// Each with the text in its own memory.
void beside_cpu(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, 1);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  const std::vector<uint8_t> on_host = text.drawn(0, n);
  const uint32_t cores = std::max(1u, std::thread::hardware_concurrency());
  for (const uint64_t m : {2, 8, 64, 1024})
    for (const uint32_t threads : {1u, cores}) {
      const std::vector<uint8_t> pattern = text.drawn(n / 3, m);
      const matcher owner = matcher_of(pattern);
      timed_call count([&](void *t, size_t &b) {
        return count_matches(t, b, owner.ref(), text.d_text, n, text.d_number);
      });
      std::vector<double> ours, peer;
      std::atomic<uint64_t> found = 0;
      for (int i = 0; i < 4; ++i) {
        const float time = count.run(),
                    other = milliseconds_of_memmem(on_host, pattern, threads, found);
        EXPECT(found == text.number(), "memmem finds another number");
        if (i > 0) {
          ours.push_back(static_cast<double>(n) / 1e6 / time);
          peer.push_back(static_cast<double>(n) / 1e6 / other);
        }
      }
      out.add("beside the CPU, m = " + std::to_string(m), "GB/s",
              threads == 1 ? "memmem, one thread" : "memmem, all threads of the host", ours, peer);
    }
}

/// Of letters a and b: where each is 'b' says the bit of a Fibonacci word, or of Thue and Morse's,
/// in which many places begin like many others.
std::vector<uint8_t> fibonacci_word(uint64_t n) {
  std::vector<uint8_t> before = {'b'}, word = {'a'};
  while (word.size() < n) {
    std::vector<uint8_t> next = word;
    next.insert(next.end(), before.begin(), before.end());
    before = std::move(word);
    word = std::move(next);
  }
  word.resize(n);
  return word;
}
std::vector<uint8_t> thue_morse_word(uint64_t n) {
  std::vector<uint8_t> word(n);
  for (uint64_t i = 0; i < n; ++i)
    word[i] = __builtin_parityll(i) ? 'b' : 'a';
  return word;
}

void periodic(report &out, uint64_t n) {
  bench_text text(n, n);
  text.fill(std::vector<uint8_t>(16 << 20, 'a'));
  for (const uint64_t m : {1, 2, 8, 32, 1024, 65536})
    measure(out, text, "aaaa..., m = " + std::to_string(m), std::vector<uint8_t>(m, 'a'));
  const std::pair<const char *, std::vector<uint8_t> (*)(uint64_t)> words[] = {
      {"a Fibonacci word", fibonacci_word}, {"Thue and Morse's word", thue_morse_word}};
  for (const auto &[name, word] : words) {
    text.fill(word(n));
    for (const uint64_t m : {8, 32, 1024, 65536})
      measure(out, text, std::string(name) + ", m = " + std::to_string(m), text.drawn(n / 3, m));
  }
}

/// Beside all matches, of which there are as many where the text is random.
void apart_beside_all(report &out, const bench_text &text, const std::string &name,
                      const std::vector<uint8_t> &pattern) {
  const matcher m = matcher_of(pattern);
  const auto count = [&](match_selection selection) {
    return timed_call([&, selection](void *t, size_t &b) {
      return count_matches(t, b, m.ref(selection), text.d_text, text.n, text.d_number);
    });
  };
  const auto list = [&](match_selection selection) {
    return timed_call([&, selection](void *t, size_t &b) {
      return find_matches(t, b, m.ref(selection), text.d_text, text.n, text.d_positions,
                          text.capacity, text.d_number);
    });
  };
  timed_call all = count(match_selection::all), some = count(match_selection::non_overlapping);
  some.run();
  const std::string what = name + ", " + std::to_string(text.number()) + " matches";
  alternate(
      out, "count apart, " + what, "GB/s", text.n, "counting all", [&] { return some.run(); },
      [&] { return all.run(); });
  timed_call list_all = list(match_selection::all),
             list_some = list(match_selection::non_overlapping);
  alternate(
      out, "positions apart, " + what, "GB/s", text.n, "all positions",
      [&] { return list_some.run(); }, [&] { return list_all.run(); });
}

/// Matches that do not overlap, of patterns that overlap themselves.
void apart(report &out, uint64_t n, uint64_t seed) {
  bench_text text(n, n / 4);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), n / 4, seed);
  for (const uint64_t m : {2, 4, 9, 65}) {
    std::vector<uint8_t> pattern = text.drawn(n / 3, m);
    pattern.back() = pattern.front();
    apart_beside_all(out, text, "random bytes, m = " + std::to_string(m), pattern);
  }
  const std::vector<uint8_t> piece = source_files();
  if (piece.size() > (1u << 20)) {
    text.fill(piece);
    for (const std::string word : {"ee", "0x0", "test", "static_cast_s"})
      apart_beside_all(out, text, "source text, " + word, {word.begin(), word.end()});
  }
  text.fill(std::vector<uint8_t>(16 << 20, 'a'));
  for (const uint64_t m : {2, 8, 32, 1024})
    apart_beside_all(out, text, "aaaa..., m = " + std::to_string(m), std::vector<uint8_t>(m, 'a'));
}

void small_texts(report &out, uint64_t seed) {
  bench_text text(1 << 16, 1 << 16);
  fill_uniform<<<2048, 256>>>(reinterpret_cast<uint32_t *>(text.d_text), text.n / 4, seed);
  const matcher m = matcher_of(text.drawn(1000, 8));
  for (const uint64_t n : {1024, 4096, 16384, 65536}) {
    const run_options options{small_stream()};
    const auto peer = [&](void *t, size_t &b) {
      b = 1;
      return t ? cudaMemsetAsync(text.d_number, 0, 8, small_stream()) : cudaSuccess;
    };
    small_against(out, "count_matches, m = 8, beside a memset", n,
                  [&, n](void *t, size_t &b) {
                    return count_matches(t, b, m.ref(), text.d_text, n, text.d_number, options);
                  },
                  {peer});
    small_against(out, "find_matches, m = 8, beside a memset", n,
                  [&, n](void *t, size_t &b) {
                    return find_matches(t, b, m.ref(), text.d_text, n, text.d_positions, n,
                                        text.d_number, options);
                  },
                  {peer});
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
  if (wants("small"))
    small_texts(out, seed);
  if (wants("random"))
    random_bytes(out, n, seed);
  if (wants("folded"))
    folded_case(out, n, seed);
  if (wants("source"))
    source_text(out, n, seed);
  if (wants("dense"))
    dense(out, n / 4);
  if (wants("first"))
    first_matches(out, n, seed);
  if (wants("cpu"))
    beside_cpu(out, std::min<uint64_t>(n, 1u << 28), seed);
  if (wants("apart"))
    apart(out, n / 8, seed);
  if (wants("periodic"))
    periodic(out, std::min<uint64_t>(n / 8, uint64_t{1} << 30));
  return out.finish() || gpu_failures() ? 1 : 0;
}
