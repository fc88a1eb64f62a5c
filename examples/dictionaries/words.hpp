//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// words.hpp: which words stand in files, and which are the most frequent: all but the dictionary,
// which words.cpp has on the CPU and words.cu on the GPU.
//
// In: files and folders. Out: the 20 most frequent words, as `sort | uniq -c` counts them (see
// check-words). Invariant: a word is a number: where it stands in the text, and its length. So
// equal words have different numbers, and hash and equality look at the text.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/slab_hash_options.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

struct word_hash {
  const char *text;
  COLONNADE_HOST_DEVICE uint32_t operator()(uint64_t word) const {
    uint64_t h = 0xcbf29ce484222325u; // FNV-1a
    for (uint64_t i = word >> 20, end = i + (word & 0xfffff); i < end; ++i)
      h = (h ^ static_cast<unsigned char>(text[i])) * 0x100000001b3u;
    return static_cast<uint32_t>(h ^ h >> 32) * 0x9e3779b1u;
  }
};
struct word_equal {
  const char *text;
  COLONNADE_HOST_DEVICE bool operator()(uint64_t a, uint64_t b) const {
    uint64_t length = a & 0xfffff, i = 0;
    if (length != (b & 0xfffff))
      return false;
    while (i < length && text[(a >> 20) + i] == text[(b >> 20) + i])
      ++i;
    return i == length;
  }
};
struct sum {
  COLONNADE_HOST_DEVICE uint64_t operator()(uint64_t a, uint64_t b) const { return a + b; }
};

struct word_counts {
  std::vector<uint64_t> words, counts;
};

/// In words.cpp or words.cu: each different word once, and how often it comes. 0, or the exit code.
int count_words(const std::vector<char> &text, const std::vector<uint64_t> &words,
                word_counts &result);

/// Its bytes, and an end of a line; of a file that cannot be read only that.
inline void read_file(const std::filesystem::path &path, std::vector<char> &text) {
  std::error_code none;
  const uint64_t before = text.size(), size = std::filesystem::file_size(path, none);
  std::ifstream in(path, std::ios::binary);
  if (!none && in) {
    text.resize(before + size);
    in.read(text.data() + before, static_cast<std::streamsize>(size));
    text.resize(before + static_cast<uint64_t>(in.gcount()));
  }
  text.push_back('\n');
}
/// All regular files, links left out.
inline void read_all(const std::filesystem::path &path, std::vector<char> &text) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(path))
    return read_file(path, text);
  const auto options = fs::directory_options::skip_permission_denied;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(path, options))
    if (!entry.is_symlink() && entry.is_regular_file())
      read_file(entry.path(), text);
}
/// Letters, digits and underscores. (A longer word than 2^20 - 1 is several.)
inline std::vector<uint64_t> find_words(const std::vector<char> &text) {
  std::vector<uint64_t> words;
  const auto is_part = [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_'); };
  for (uint64_t i = 0; i < text.size(); ++i) {
    const uint64_t begin = i;
    while (i < text.size() && i - begin < 0xfffff && is_part(static_cast<unsigned char>(text[i])))
      ++i;
    if (i > begin)
      words.push_back(begin << 20 | (i - begin));
  }
  return words;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FILE|FOLDER...\n", argv[0]);
    return 2;
  }
  std::vector<char> text;
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::exists(argv[i])) {
      std::fprintf(stderr, "error: %s: there is no such file\n", argv[i]);
      return 2;
    }
    read_all(argv[i], text);
  }
  const std::vector<uint64_t> words = find_words(text);
  word_counts all;
  if (const int failed = count_words(text, words, all))
    return failed;
  const auto word = [&](uint64_t i) {
    return std::string_view(text.data() + (all.words[i] >> 20), all.words[i] & 0xfffff);
  };
  std::vector<uint64_t> order(all.words.size());
  for (uint64_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) {
    return all.counts[a] != all.counts[b] ? all.counts[a] > all.counts[b] : word(a) < word(b);
  });
  for (uint64_t i = 0; i < std::min<uint64_t>(20, order.size()); ++i)
    std::printf("%7llu %s\n", static_cast<unsigned long long>(all.counts[order[i]]),
                std::string(word(order[i])).c_str());
  std::fprintf(stderr, "%zu words, %zu different\n", words.size(), order.size());
  return 0;
}
