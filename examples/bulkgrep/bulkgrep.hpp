//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// bulkgrep.hpp: lines of files in which fixed strings are: all but the search itself, which
// bulkgrep.cpp does on the CPU and bulkgrep.cu on the GPU.
//
// In: a command. Out: what `LC_ALL=C grep -F -a` prints, and its exit code. Invariant: an error in
// one file does not keep others from being looked at.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "command.hpp"
#include "lines.hpp"
#include "progress.hpp"
#include "search.hpp"

#include <colonnade/bulk/file.hpp>
#include <colonnade/bulk/npy.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>

/// A file, mapped into memory; or what does not lie on a disk, read to its end: also files of the
/// kernel, whose size is 0, or which cannot be mapped.
class grepped_file {
public:
  /// 0, or a number of <cerrno>.
  int open(const std::string &name) {
    if (name != "-") {
      const int error = file_.open(name);
      if (error == 0 && file_.size() > 0 && colonnade::runtime::mapped_file::open(name, mapping_))
        return 0;
      if (error != 0 && error != ESPIPE)
        return error;
    }
    std::FILE *const from = name == "-" ? stdin : std::fopen(name.c_str(), "rb");
    if (!from)
      return errno;
    char piece[1 << 16];
    while (const size_t got = std::fread(piece, 1, sizeof piece, from))
      bytes_.append(piece, got);
    const int error = std::ferror(from) ? errno : 0;
    if (from != stdin)
      std::fclose(from);
    return error;
  }
  searched_text text() {
    if (mapping_.size() > 0)
      return {{mapping_.data(), std::min<size_t>(mapping_.size(), file_.size())}, &file_};
    memory_ = colonnade::memory_text(bytes_.data(), bytes_.size());
    return {bytes_, &memory_};
  }

private:
  colonnade::file_text file_;
  colonnade::runtime::mapped_file mapping_;
  std::string bytes_;
  colonnade::memory_text memory_{nullptr, 0};
};

class grep {
public:
  explicit grep(const command &c)
      : command_(c), search_(make_search(c)),
        printer_(c, std::find(c.patterns.begin(), c.patterns.end(), "") != c.patterns.end(), bar_) {
    for (const std::string &pattern : c.patterns)
      if (!pattern.empty())
        patterns_.push_back(pattern);
    // Of several at one position the longest is printed.
    std::stable_sort(
        patterns_.begin(), patterns_.end(),
        [](const std::string &a, const std::string &b) { return a.size() > b.size(); });
  }

  /// The exit code.
  int run() {
    if (command_.patterns.empty()) // of an empty file: grep reads nothing then
      return 1;
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string &name : command_.files) {
      look_at(name);
      ++files_done_;
    }
    bar_.clear();
    if (!command_.positions.empty() && !write_positions())
      failed_ = true;
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
      complain("write error", errno);
      failed_ = true;
    }
    if (command_.stats)
      print_stats(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return failed_ ? 2 : selected_ > 0 ? 0 : 1;
  }

private:
  void complain(const std::string &what, int error) {
    bar_.clear();
    std::fflush(stdout);
    std::fprintf(stderr, "bulkgrep: %s: %s\n", what.c_str(), std::strerror(error));
    failed_ = true;
  }

  void look_at(const std::string &name) {
    grepped_file file;
    const int error = file.open(name);
    if (error)
      complain(name, error);
    if (error && error != EISDIR) // a folder is opened, and then has no lines
      return;
    const searched_text text = file.text();
    const std::string shown = name == "-" ? "(standard input)" : name;
    printer_.begin(shown, text.view);
    bytes_ += text.view.size();
    const std::string wrong = patterns_.empty()       ? ""
                              : patterns_.size() == 1 ? print_one(text)
                                                      : print_several(text);
    if (!wrong.empty()) {
      bar_.clear();
      std::fflush(stdout);
      std::fprintf(stderr, "bulkgrep: %s: %s\n", shown.c_str(), wrong.c_str());
      failed_ = true;
      return;
    }
    selected_ += printer_.end();
  }
  std::string print_one(const searched_text &text) {
    const std::string &pattern = patterns_[0];
    return search_->find(
        pattern,
        command_.overlapping ? colonnade::match_selection::all
                             : colonnade::match_selection::non_overlapping,
        text,
        [&](const uint64_t *positions, uint64_t count) {
          for (uint64_t i = 0; i < count; ++i)
            if (!printer_.match(positions[i], pattern.size()))
              return false;
          return true;
        },
        [&](uint64_t done, uint64_t all) { show_progress(done, all); });
  }
  std::string print_several(const searched_text &text) {
    return search_->find_several(
        patterns_, text,
        [&](const uint64_t *positions, const uint32_t *numbers, uint64_t count) {
          for (uint64_t i = 0; i < count; ++i)
            if (!printer_.match(positions[i], patterns_[numbers[i]].size()))
              return false;
          return true;
        },
        [&](uint64_t done, uint64_t all) { show_progress(done, all); });
  }

  void show_progress(uint64_t done, uint64_t all) {
    const double of_file = static_cast<double>(done) / static_cast<double>(all);
    bar_.show((static_cast<double>(files_done_) + of_file) /
              static_cast<double>(command_.files.size()));
  }

  bool write_positions() {
    const std::vector<uint64_t> &positions = printer_.positions;
    std::string text = colonnade::runtime::npy::format_header(colonnade::runtime::cell_type::u64,
                                                              false, {positions.size()});
    text.append(reinterpret_cast<const char *>(positions.data()), 8 * positions.size());
    colonnade::runtime::output_file file;
    auto status = file.create(command_.positions);
    if (status)
      status = file.write(text.data(), text.size());
    if (status)
      status = file.commit();
    if (!status)
      std::fprintf(stderr, "bulkgrep: %s\n", status.message.c_str());
    return status.ok();
  }
  void print_stats(double seconds) const {
    std::fprintf(stderr,
                 "%llu bytes in %llu files, %.3f s, %.2f GB/s\n"
                 "%llu lines, %llu matches\n"
                 "method: %s\n",
                 static_cast<unsigned long long>(bytes_),
                 static_cast<unsigned long long>(command_.files.size()), seconds,
                 static_cast<double>(bytes_) / 1e9 / seconds,
                 static_cast<unsigned long long>(selected_),
                 static_cast<unsigned long long>(printer_.matches), search_->method().c_str());
  }

  const command &command_;
  progress_bar bar_;
  uint64_t files_done_ = 0;
  std::unique_ptr<search> search_;
  line_printer printer_;
  std::vector<std::string> patterns_; // but the empty one, the longest first
  uint64_t bytes_ = 0, selected_ = 0;
  bool failed_ = false;
};

inline int grep_main(int argc, char **argv) {
  command c;
  int exit_code = 0;
  if (!parse_command(argc, argv, c, exit_code))
    return exit_code;
  return grep(c).run();
}
