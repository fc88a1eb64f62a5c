//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// lines.hpp: what is printed of a text whose matches are known, as GNU grep prints it.
//
// In: a text, its matches by position and length: positions ascend, of several at one position the
// longest comes first. Out: lines, or matches, with their context. Invariant: nothing is printed
// twice; a text that does not end with the end of a line is printed as if it did.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "command.hpp"
#include "progress.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

class line_printer {
public:
  /// every_line: all lines are selected, whether anything is found in them.
  line_printer(const command &c, bool every_line, progress_bar &bar)
      : command_(c), every_line_(every_line), quiet_(c.counts || c.names_alone), bar_(bar) {}

  void begin(const std::string &name, std::string_view text) {
    name_ = &name;
    text_ = text;
    line_end_ = printed_to_ = counted_to_ = next_free_ = selected_ = pending_ = 0;
    any_printed_ = false;
    number_ = 1;
  }
  /// Whether more is of interest.
  bool match(uint64_t position, uint64_t length) {
    if (!quiet_)
      bar_.clear();
    if (every_line_)
      while (line_end_ <= position)
        select(line_end_);
    else if (line_end_ <= position)
      select(begin_of_line(position));
    if (command_.overlapping || position >= next_free_) {
      next_free_ = position + length;
      ++matches;
      if (!command_.positions.empty())
        positions.push_back(position);
      if (command_.only_matches && !quiet_) {
        head(position, line_begin_, ':');
        put(text_.substr(position, length));
        std::fputc('\n', stdout);
      }
    }
    return !command_.names_alone || !command_.positions.empty();
  }
  /// The number of lines that were selected.
  uint64_t end() {
    bar_.clear();
    if (every_line_)
      while (line_end_ < text_.size())
        select(line_end_);
    print_pending(text_.size());
    if (command_.names_alone) {
      if (selected_ > 0) {
        put(*name_);
        std::fputc('\n', stdout);
      }
    } else if (command_.counts) {
      if (command_.with_names) {
        put(*name_);
        std::fputc(':', stdout);
      }
      std::printf("%llu\n", static_cast<unsigned long long>(selected_));
    }
    return selected_;
  }

  uint64_t matches = 0;            // of all texts; those that overlap others only if asked for
  std::vector<uint64_t> positions; // of these, if asked for

private:
  static void put(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

  uint64_t begin_of_line(uint64_t position) const {
    const size_t before = position == 0 ? text_.npos : text_.rfind('\n', position - 1);
    return before == text_.npos ? 0 : before + 1;
  }
  /// Behind its end.
  uint64_t end_of_line(uint64_t begin) const {
    const size_t end = text_.find('\n', begin);
    return end == text_.npos ? text_.size() : end + 1;
  }
  void select(uint64_t begin) {
    ++selected_;
    line_begin_ = begin;
    line_end_ = end_of_line(begin);
    if (quiet_)
      return;
    print_pending(begin);
    print_before(begin);
    print(begin, line_end_, ':');
    pending_ = std::max<int64_t>(0, command_.context);
    separates_ = true;
  }
  /// Lines behind the last one that was selected, up to one that is.
  void print_pending(uint64_t up_to) {
    for (; pending_ > 0 && printed_to_ < up_to; --pending_)
      print(printed_to_, end_of_line(printed_to_), '-');
  }
  void print_before(uint64_t begin) {
    uint64_t from = begin;
    for (int64_t i = 0; i < command_.context && from > printed_to_; ++i)
      from = begin_of_line(from - 1);
    if (command_.context >= 0 && separates_ && !(any_printed_ && from == printed_to_))
      put("--\n");
    for (uint64_t next = 0; from < begin; from = next) {
      next = end_of_line(from);
      print(from, next, '-');
    }
  }
  void print(uint64_t begin, uint64_t end, char separator) {
    printed_to_ = end;
    any_printed_ = true;
    if (command_.only_matches)
      return;
    head(begin, begin, separator);
    put(text_.substr(begin, end - begin));
    if (text_[end - 1] != '\n')
      std::fputc('\n', stdout);
  }
  void head(uint64_t offset, uint64_t line, char separator) {
    if (command_.with_names) {
      put(*name_);
      std::fputc(separator, stdout);
    }
    if (command_.with_numbers) {
      number_ +=
          static_cast<uint64_t>(std::count(text_.begin() + static_cast<int64_t>(counted_to_),
                                           text_.begin() + static_cast<int64_t>(line), '\n'));
      counted_to_ = line;
      std::printf("%llu%c", static_cast<unsigned long long>(number_), separator);
    }
    if (command_.with_offsets)
      std::printf("%llu%c", static_cast<unsigned long long>(offset), separator);
  }

  const command &command_;
  const bool every_line_, quiet_;
  progress_bar &bar_;
  bool separates_ = false; // something was printed, of this text or one before

  const std::string *name_ = nullptr;
  std::string_view text_;
  uint64_t line_begin_ = 0, line_end_ = 0; // the last line that was selected
  uint64_t printed_to_ = 0;                // all before that was to be printed
  bool any_printed_ = false;               // of this text
  uint64_t counted_to_ = 0, number_ = 1;   // of the line there
  uint64_t next_free_ = 0;                 // behind the last match
  uint64_t selected_ = 0;
  int64_t pending_ = 0; // lines to be printed behind the last one
};
