//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The tables and figures on string matching in the thesis of S. Ashkiani (2017), chapter 2, for
// this GPU; texts of a byte a character.
//
//   figures 2.2 and 2.3a   times by pattern length, 2^25 binary characters
//   figure 2.3b            times by text length, binary patterns of 16
//   figure 2.3c            times by both, of which the page makes the best method
//   figures 2.4a and b, tables 2.2 and 2.3   rates by pattern length, binary and bytes, 2^25
//   table 2.4              rates of two_stage by bits of a character and pattern length
//   tables 2.5 to 2.7      times for source text of this machine, 100,000,000 characters, in place
//                          of enwik8; for random characters of 4, 4,600,000, in place of the genome
//                          of E. coli; of 19, 3,300,000, in place of Homo sapiens' proteins
//   section 2.8.6          hits that verification rejects, by method
//
// Patterns are drawn from the text. Times are medians. In place of the CPU codes of the SMART
// library there is memmem with all threads of the host; the text is in its memory. Our default
// (string_matching.cuh) is beside the thesis's methods.
//
//===----------------------------------------------------------------------===//

#include "string_bench.cuh"

#include <colonnade/string_matching_methods.cuh>

#include <random>

using namespace bench;
using namespace colonnade;

namespace {

using m = matching_method;
struct named_method {
  const char *name;
  matching_method method;
};
constexpr named_method methods[] = {{"CRK", m::cooperative},
                                    {"CRK, affine pairs", m::cooperative_affine},
                                    {"DRK", m::divide},
                                    {"DRK-WOM-32bit", m::divide_32},
                                    {"DRK-WOM-64bit", m::divide_64},
                                    {"HRK", m::hybrid},
                                    {"DRK-2S", m::two_stage}};
constexpr const char *default_name = "the default", *memmem_name = "memmem, all threads";

/// A power of two.
std::string power_name(uint64_t n) {
  uint32_t log = 0;
  while (n >> (log + 1))
    ++log;
  return "2^" + std::to_string(log);
}
/// Random characters of `letters`, the first a zero, the others rising.
void fill_random(const bench_text &text, uint32_t letters, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint8_t> characters(text.n);
  for (uint8_t &c : characters)
    c = static_cast<uint8_t>(random() % letters);
  text.fill(characters);
}

class pattern_of_text {
public:
  pattern_of_text(const bench_text &text, uint64_t n, uint64_t length)
      : text_(text), n_(n), bytes_(text.drawn((n - length) / 3, length)) {
    CUDA_OK(matcher::create(matcher_, bytes_.data(), length));
  }
  /// Milliseconds; 0 if the method does not take such patterns.
  double time_by(const matching_method_options &options, int runs = 5) const {
    if (!detail::method_takes(options, bytes_.size()))
      return 0;
    return median(runs, [&](void *t, size_t &b) {
      return count_matches_by(options, t, b, matcher_.ref(), text_.d_text, n_, text_.d_number);
    });
  }
  double time_of_default() const {
    return median(9, [&](void *t, size_t &b) {
      return count_matches(t, b, matcher_.ref(), text_.d_text, n_, text_.d_number);
    });
  }
  double time_of_memmem(const std::vector<uint8_t> &on_host) const {
    const uint32_t threads = std::max(1u, std::thread::hardware_concurrency());
    std::vector<double> times;
    std::atomic<uint64_t> found = 0;
    for (int i = 0; i < 4; ++i)
      times.push_back(milliseconds_of_memmem(on_host, bytes_, threads, found));
    EXPECT(found == text_.number(), "memmem finds another number");
    return quantile({times.begin() + 1, times.end()}, 0.5);
  }

private:
  template <class Call> double median(int runs, Call call) const {
    timed_call timed(call);
    timed.run();
    std::vector<double> times;
    for (int i = 0; i < runs; ++i)
      times.push_back(timed.run());
    return quantile(times, 0.5);
  }
  const bench_text &text_;
  uint64_t n_;
  std::vector<uint8_t> bytes_;
  matcher matcher_;
};

void cell(report &out, const std::string &table, const std::string &row, uint64_t column,
          const char *unit, double value) {
  if (value > 0)
    out.cell("Thesis, " + table, row, std::to_string(column), unit, value);
}
double gigabytes_a_second(uint64_t n, double milliseconds) {
  return milliseconds > 0 ? static_cast<double>(n) / 1e6 / milliseconds : 0;
}

void figures_2_2_and_2_3a(report &out, uint64_t n) {
  bench_text text(n, 1);
  fill_random(text, 2, 1);
  for (uint64_t length = 2; length <= 65536; length *= 2) {
    const pattern_of_text pattern(text, n, length);
    for (const named_method &method : methods) {
      const double time = pattern.time_by({method.method, 1}, length > 4096 ? 2 : 5);
      cell(out, "figure 2.3a: time by pattern length, binary, n = " + power_name(n), method.name,
           length, "ms", time);
      if (method.method == m::cooperative || method.method == m::divide ||
          method.method == m::hybrid)
        cell(out, "figure 2.2: time by pattern length, binary, n = " + power_name(n), method.name,
             length, "ms", time);
    }
    cell(out, "figure 2.3a: time by pattern length, binary, n = " + power_name(n), default_name,
         length, "ms", pattern.time_of_default());
  }
}

void figures_2_3b_and_c(report &out) {
  bench_text text(1 << 27, 1);
  fill_random(text, 2, 2);
  for (uint64_t n = 1 << 15; n <= text.n; n *= 4)
    for (const uint64_t length : {4, 16, 64, 256, 1024, 4096, 16384}) {
      if (2 * length > n)
        continue;
      const pattern_of_text pattern(text, n, length);
      for (const named_method &method : methods) {
        const double time = pattern.time_by({method.method, 1}, 3);
        if (length == 16)
          cell(out, "figure 2.3b: time by text length, binary, m = 16", method.name, n, "ms", time);
        cell(out, "figure 2.3c: time by both, n = " + power_name(n), method.name, length, "ms",
             time);
      }
      const double time = pattern.time_of_default();
      cell(out, "figure 2.3c: time by both, n = " + power_name(n), default_name, length, "ms",
           time);
      if (length == 16)
        cell(out, "figure 2.3b: time by text length, binary, m = 16", default_name, n, "ms", time);
    }
}

/// Rates (figures 2.4, tables 2.2 and 2.3) or times (tables 2.5 to 2.7) of some methods and memmem.
void methods_of(report &out, const std::string &table, const bench_text &text, uint32_t bits,
                std::initializer_list<matching_method> some, bool rates,
                std::initializer_list<uint64_t> lengths) {
  const std::vector<uint8_t> on_host = text.drawn(0, text.n);
  for (const uint64_t length : lengths) {
    const pattern_of_text pattern(text, text.n, length);
    const auto put = [&](const char *name, double time) {
      cell(out, table, name, length, rates ? "GB/s" : "ms",
           rates ? gigabytes_a_second(text.n, time) : time);
    };
    for (const named_method &method : methods)
      if (std::find(some.begin(), some.end(), method.method) != some.end())
        put(method.name, pattern.time_by({method.method, bits}, 9));
    put(default_name, pattern.time_of_default());
    put(memmem_name, pattern.time_of_memmem(on_host));
  }
}
void tables_2_2_and_2_3(report &out, uint64_t n) {
  bench_text text(n, 1);
  fill_random(text, 2, 3);
  methods_of(out, "table 2.2, figure 2.4a: rate, binary, n = " + power_name(n), text, 1,
             {m::cooperative, m::cooperative_affine, m::divide, m::divide_32, m::divide_64}, true,
             {4, 16, 64, 256, 1024});
  fill_random(text, 256, 4);
  methods_of(out, "table 2.3, figure 2.4b: rate, bytes, n = " + power_name(n), text, 8,
             {m::divide, m::two_stage}, true, {4, 16, 64, 256, 1024, 32768});
}
void table_2_4(report &out, uint64_t n) {
  bench_text text(n, 1);
  for (uint32_t bits = 1; bits <= 8; ++bits) {
    fill_random(text, 1u << bits, 10 + bits);
    for (const uint64_t length : {4, 8, 16, 32, 64, 256, 1024})
      cell(
          out, "table 2.4: rate of DRK-2S by bits of a character, n = " + power_name(n),
          std::to_string(bits), length, "GB/s",
          gigabytes_a_second(n, pattern_of_text(text, n, length).time_by({m::two_stage, bits}, 9)));
  }
}
void tables_2_5_to_2_7(report &out) {
  const auto measure = [&](const std::string &table, const bench_text &text, uint32_t bits) {
    methods_of(out, table, text, bits, {m::divide, m::two_stage}, false,
               {4, 8, 16, 32, 64, 256, 1024});
  };
  const std::vector<uint8_t> files = source_files();
  if (files.size() > (1u << 20)) {
    bench_text text(100000000, 1);
    text.fill(files);
    measure("table 2.5: time, source text in place of enwik8, n = 100,000,000", text, 8);
  }
  bench_text bases(4600000, 1);
  fill_random(bases, 4, 5);
  measure("table 2.6: time, random bases in place of E. coli, n = 4,600,000", bases, 2);
  bench_text proteins(3300000, 1);
  fill_random(proteins, 19, 6);
  measure("table 2.7: time, 19 random letters in place of proteins, n = 3,300,000", proteins, 5);
}
/// Of eight primes.
void section_2_8_6(report &out, uint64_t n) {
  bench_text text(n, 1);
  fill_random(text, 2, 7);
  for (const named_method &method : methods)
    for (const uint64_t length : {20, 40, 256, 1024}) {
      matching_method_options options{method.method, 1};
      if (!detail::method_takes(options, length))
        continue;
      const std::vector<uint8_t> bytes = text.drawn(n / 3, length);
      matcher pattern;
      CUDA_OK(matcher::create(pattern, bytes.data(), length));
      uint64_t *d_rejected = nullptr, rejected = 0;
      CUDA_OK(cudaMalloc(&d_rejected, 8));
      CUDA_OK(cudaMemset(d_rejected, 0, 8));
      options.d_num_rejected = d_rejected;
      for (options.seed = 1; options.seed <= 8; ++options.seed)
        timed_call([&](void *t, size_t &b) {
          return count_matches_by(options, t, b, pattern.ref(), text.d_text, n, text.d_number);
        }).run();
      CUDA_OK(cudaMemcpy(&rejected, d_rejected, 8, cudaMemcpyDeviceToHost));
      CUDA_OK(cudaFree(d_rejected));
      out.cell("Thesis, section 2.8.6: rejected hits of eight primes, binary, n = " + power_name(n),
               method.name, std::to_string(length), "", static_cast<double>(rejected));
    }
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const uint64_t n = uint64_t{1} << std::stoul(option(argc, argv, "--log2-characters", "25"));
  const std::string part = option(argc, argv, "--part", "all");
  const auto wants = [&](const char *name) { return part == "all" || part == name; };
  if (wants("lengths"))
    figures_2_2_and_2_3a(out, n);
  if (wants("both"))
    figures_2_3b_and_c(out);
  if (wants("rates"))
    tables_2_2_and_2_3(out, n);
  if (wants("alphabets"))
    table_2_4(out, n);
  if (wants("texts"))
    tables_2_5_to_2_7(out);
  if (wants("rejected"))
    section_2_8_6(out, 4 * n);
  return out.finish() + (gpu_failures() != 0);
}
