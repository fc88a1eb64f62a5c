//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// command.cpp: the command line of bulkgrep, by CLI11.
//
//===----------------------------------------------------------------------===//

#include "command.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <unordered_set>

namespace {

struct words {
  std::vector<std::string> patterns, pattern_files, files;
  bool fixed = false, text = false; // as grep's -F and -a: always so
  bool without_names = false;
};

/// Every line is a pattern; an end of a line at the end begins none if the text is a file's.
void add_lines(const std::string &text, bool is_file, std::vector<std::string> &patterns) {
  if (is_file && text.empty())
    return;
  size_t begin = 0;
  for (;;) {
    const size_t end = text.find('\n', begin);
    if (end == text.npos && is_file && begin == text.size())
      return;
    patterns.push_back(text.substr(begin, end == text.npos ? end : end - begin));
    if (end == text.npos)
      return;
    begin = end + 1;
  }
}

bool add_file(const std::string &path, std::vector<std::string> &patterns) {
  std::FILE *const file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (!file) {
    std::fprintf(stderr, "bulkgrep: %s: %s\n", path.c_str(), std::strerror(errno));
    return false;
  }
  std::string text;
  char piece[65536];
  while (const size_t got = std::fread(piece, 1, sizeof piece, file))
    text.append(piece, got);
  const bool good = !std::ferror(file);
  if (!good)
    std::fprintf(stderr, "bulkgrep: %s: %s\n", path.c_str(), std::strerror(errno));
  if (file != stdin)
    std::fclose(file);
  add_lines(text, true, patterns);
  return good;
}

/// CLI11 takes `[a]` for a list: in front of such words, and of those that begin so, stands this.
constexpr char no_list = '\1';
std::vector<std::string> escaped(int argc, char **argv) {
  std::vector<std::string> all(argv + 1, argv + argc);
  for (std::string &word : all)
    if (!word.empty() && (word[0] == '[' || word[0] == no_list))
      word.insert(word.begin(), no_list);
  std::reverse(all.begin(), all.end()); // as CLI11 wants them
  return all;
}
void unescape(std::string &word) {
  if (!word.empty() && word[0] == no_list)
    word.erase(word.begin());
}

/// One value per occurrence.
CLI::Option *add_list(CLI::App &app, const std::string &name, std::vector<std::string> &into,
                      const std::string &description) {
  return app.add_option(name, into, description)->expected(1)->take_all()->allow_extra_args(false);
}

void describe(CLI::App &app, command &c, words &w) {
  add_list(app, "-e,--regexp", w.patterns, "a pattern; each of its lines is one")
      ->type_name("PATTERNS");
  add_list(app, "-f,--file", w.pattern_files, "patterns from a file, a line each")
      ->type_name("FILE");
  app.add_flag("-i,--ignore-case", c.fold_case, "A to Z equal a to z");
  app.add_flag("-c,--count", c.counts, "the number of lines that match, for each file");
  app.add_flag("-l,--files-with-matches", c.names_alone, "the names of files that match");
  app.add_flag("-o,--only-matching", c.only_matches,
               "the matches alone, a line each: the leftmost, of several there the longest, none "
               "that overlaps the one before");
  app.add_flag("--overlapping", c.overlapping, "with -o and --positions: all matches");
  app.add_flag("-b,--byte-offset", c.with_offsets,
               "before each line where it begins in the file, with -o where the match does");
  app.add_flag("-n,--line-number", c.with_numbers, "before each line its number");
  app.add_option("-C,--context", c.context, "so many lines before and behind each match")
      ->type_name("NUM")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("-H,--with-filename", c.with_names, "before each line the file's name");
  app.add_flag("--no-filename,-h", w.without_names, "no names of files");
  app.add_flag("-F,--fixed-strings", w.fixed, "always so");
  app.add_flag("-a,--text", w.text, "always so");
  app.add_flag("--stats", c.stats, "on standard error: how much was read, how fast, and how");
  app.add_option("--positions", c.positions,
                 "writes where matches begin in the file, as an array of 64-bit numbers for NumPy")
      ->type_name("OUT.npy");
  app.add_option("words", w.files, "PATTERNS, unless -e or -f is there; files, - is standard input")
      ->type_name("[PATTERNS] FILE...")
      ->expected(0, 1 << 28);
}

std::string in_lower_case(std::string text) {
  for (char &c : text)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c + ('a' - 'A'));
  return text;
}

int refused(const char *message) {
  std::fprintf(stderr, "bulkgrep: %s\n", message);
  return 2;
}

/// 0, or the exit code.
int complete(command &c, words &w) {
  std::vector<std::string> patterns;
  if (w.patterns.empty() && w.pattern_files.empty()) {
    if (w.files.empty())
      return refused("no pattern; --help says more");
    w.patterns.push_back(w.files.front());
    w.files.erase(w.files.begin());
  }
  for (const std::string &text : w.patterns)
    add_lines(text, false, patterns);
  for (const std::string &path : w.pattern_files)
    if (!add_file(path, patterns))
      return 2;
  std::unordered_set<std::string> seen; // as they are compared
  for (std::string &pattern : patterns)
    if (seen.insert(c.fold_case ? in_lower_case(pattern) : pattern).second)
      c.patterns.push_back(std::move(pattern));
  c.files = w.files.empty() ? std::vector<std::string>{"-"} : w.files;
  c.with_names = !w.without_names && (c.with_names || c.files.size() > 1);
  if (!c.positions.empty() && c.files.size() > 1)
    return refused("--positions takes one file");
  return 0;
}

} // namespace

bool parse_command(int argc, char **argv, command &result, int &exit_code) {
  CLI::App app(
      "Prints lines of files in which fixed strings are, as `LC_ALL=C grep -F -a` does, by "
      "a GPU where there is one. Exit code 0: there were some; 1: none; 2: an error.",
      "bulkgrep");
  app.set_help_flag("--help", "this");
  words w;
  describe(app, result, w);
  try {
    app.parse(escaped(argc, argv));
    for (auto *some : {&w.patterns, &w.pattern_files, &w.files})
      for (std::string &word : *some)
        unescape(word);
    unescape(result.positions);
  } catch (const CLI::ParseError &error) {
    exit_code = app.exit(error) ? 2 : 0;
    return false;
  }
  exit_code = complete(result, w);
  return exit_code == 0;
}
