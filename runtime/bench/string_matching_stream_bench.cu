//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// string_matching_stream_bench.cu: texts in host memory and in a file, by chunks, against copying
// them to the GPU, and against reading the file with as many threads.
//
//   string_matching_stream_bench [--json FILE] [--log2-bytes 35] [--log2-file-bytes 32] [--threads
//   T]
//                                [--file PATH] [--part NAME]
//
// Parts: pinned (one pattern, and a set of 100 patterns of 8 bytes, half of which occur), file. The
// file is written before it is timed, so it is cached; PATH needs room for
// it. Rows: bytes a second, with the pattern's length and how many matches there are.
//
//===----------------------------------------------------------------------===//

#include "string_bench.cuh"

#include <colonnade/string_matching_sets_stream.cuh>

using namespace bench;
using namespace colonnade;

namespace {

float seconds_of(const std::function<void()> &work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<float>(std::chrono::steady_clock::now() - begin).count();
}

/// 15 pairs, or as many as take three seconds: those of 32 GiB differ by less than a hundredth.
template <class Ours, class Peer>
void alternate_on_host(report &out, const std::string &name, uint64_t bytes, const char *peer_name,
                       Ours ours, Peer peer) {
  std::vector<double> our_rates, peer_rates;
  float all = 0;
  for (int i = 0; i < 16 && all < 3; ++i) {
    const float mine = seconds_of(ours), other = seconds_of(peer);
    all += mine + other;
    if (i == 0)
      continue; // memory is allocated, threads start
    our_rates.push_back(static_cast<double>(bytes) / 1e9 / mine);
    peer_rates.push_back(static_cast<double>(bytes) / 1e9 / other);
  }
  out.add(name, "GB/s", peer_name, our_rates, peer_rates);
}

/// Random bytes, by the GPU.
void fill_random(uint8_t *memory, uint64_t bytes, uint64_t seed) {
  const uint64_t piece = std::min<uint64_t>(bytes, 1u << 28);
  uint32_t *d_piece = nullptr;
  CUDA_OK(cudaMalloc(&d_piece, piece));
  for (uint64_t at = 0; at < bytes; at += piece) {
    fill_uniform<<<2048, 256>>>(d_piece, piece / 4, seed + at);
    CUDA_OK(cudaMemcpy(memory + at, d_piece, std::min(piece, bytes - at), cudaMemcpyDeviceToHost));
  }
  CUDA_OK(cudaFree(d_piece));
}

/// 50 patterns of the text, and 50 with other bytes, which a text of n random bytes hardly has.
matcher_set set_of(const uint8_t *text, uint64_t n) {
  std::vector<std::vector<uint8_t>> bytes;
  std::vector<set_pattern> patterns;
  for (uint64_t i = 0; i < 100; ++i) {
    const uint8_t *const from = text + n / 101 * i;
    bytes.emplace_back(from, from + 8);
    if (i % 2)
      std::reverse(bytes.back().begin(), bytes.back().end());
    patterns.push_back({bytes.back().data(), 8});
  }
  matcher_set set;
  CUDA_OK(matcher_set::create(set, patterns.data(), 100));
  return set;
}

void pinned(report &out, uint64_t n) {
  uint8_t *text = nullptr, *d_chunk = nullptr;
  while (cudaMallocHost(&text, n) != cudaSuccess && n > (1u << 30)) {
    (void)cudaGetLastError();
    n /= 2; // of what the host has
  }
  fill_random(text, n, 1);
  const text_stream_options options;
  CUDA_OK(cudaMalloc(&d_chunk, options.chunk_bytes));
  const auto copy = [&] {
    for (uint64_t at = 0; at < n; at += options.chunk_bytes)
      CUDA_OK(cudaMemcpyAsync(d_chunk, text + at, std::min(options.chunk_bytes, n - at),
                              cudaMemcpyHostToDevice, nullptr));
    CUDA_OK(cudaDeviceSynchronize());
  };
  text_stream stream(options);
  for (const uint64_t m : {2, 8}) {
    matcher pattern;
    CUDA_OK(matcher::create(pattern, text + n / 3, m));
    uint64_t number = 0;
    const auto count = [&] {
      EXPECT(stream.count_matches(pattern.ref(), memory_text(text, n), number).ok(), "counting");
    };
    const auto find = [&] {
      const stream_outcome outcome = stream.find_matches(
          pattern.ref(), memory_text(text, n), [](const uint64_t *, uint64_t) { return true; },
          number);
      EXPECT(outcome.ok(), "finding");
    };
    count();
    const std::string what = std::to_string(n >> 30) +
                             " GiB of pinned host memory, m = " + std::to_string(m) + ", " +
                             std::to_string(number) + " matches";
    alternate_on_host(out, "stream: count, " + what, n, "copying the text to the GPU", count, copy);
    alternate_on_host(out, "stream: positions, " + what, n, "copying the text to the GPU", find,
                      copy);
  }
  {
    const matcher_set set = set_of(text, n);
    uint64_t number = 0;
    const auto count = [&] {
      EXPECT(count_matches_of_set(stream, set.ref(), memory_text(text, n), number).ok(),
             "counting");
    };
    const auto find = [&] {
      const stream_outcome outcome = find_matches_of_set(
          stream, set.ref(), memory_text(text, n),
          [](const uint64_t *, const uint32_t *, uint64_t) { return true; }, number);
      EXPECT(outcome.ok(), "finding");
    };
    count();
    const std::string what = std::to_string(n >> 30) +
                             " GiB of pinned host memory, 100 patterns of 8, " +
                             std::to_string(number) + " matches";
    alternate_on_host(out, "stream: count, " + what, n, "copying the text to the GPU", count, copy);
    alternate_on_host(out, "stream: positions and patterns, " + what, n,
                      "copying the text to the GPU", find, copy);
  }
  CUDA_OK(cudaFree(d_chunk));
  CUDA_OK(cudaFreeHost(text));
}

void file(report &out, uint64_t n, uint32_t threads, const std::string &path) {
  {
    std::vector<uint8_t> piece(1u << 26);
    std::ofstream to(path, std::ios::binary);
    for (uint64_t at = 0; at < n; at += piece.size()) {
      fill_random(piece.data(), piece.size(), at);
      to.write(reinterpret_cast<const char *>(piece.data()),
               static_cast<std::streamsize>(piece.size()));
    }
  }
  file_text source;
  EXPECT(source.open(path) == 0, "%s", path.c_str());
  const text_stream_options options{64u << 20, threads, {}};
  colonnade::detail::reader_threads readers(threads);
  uint8_t *chunk = nullptr;
  CUDA_OK(cudaMallocHost(&chunk, options.chunk_bytes));
  const auto read = [&] {
    for (uint64_t at = 0; at < n; at += options.chunk_bytes)
      EXPECT(readers.read(source, at, std::min(options.chunk_bytes, n - at), chunk).error == 0,
             "reading");
  };
  text_stream stream(options);
  matcher pattern;
  CUDA_OK(matcher::create(pattern, "colonnade", 9));
  uint64_t number = 0;
  const auto count = [&] {
    EXPECT(stream.count_matches(pattern.ref(), source, number).ok(), "counting");
  };
  alternate_on_host(out, "stream: count, cached file, " + std::to_string(threads) + " threads", n,
                    "reading the file", count, read);
  CUDA_OK(cudaFreeHost(chunk));
  std::filesystem::remove(path);
}

} // namespace

int main(int argc, char **argv) {
  require_gpu();
  report out(argc, argv);
  const std::string part = option(argc, argv, "--part", "all");
  const uint64_t n = uint64_t{1} << std::stoul(option(argc, argv, "--log2-bytes", "35")),
                 file_bytes = uint64_t{1}
                              << std::stoul(option(argc, argv, "--log2-file-bytes", "32"));
  const auto threads = static_cast<uint32_t>(std::stoul(option(argc, argv, "--threads", "8")));
  if (part == "all" || part == "pinned")
    pinned(out, n);
  if (part == "all" || part == "file")
    file(out, file_bytes, threads,
         option(argc, argv, "--file", "/tmp/colonnade_string_matching_stream_bench"));
  return out.finish() || gpu_failures() ? 1 : 0;
}
