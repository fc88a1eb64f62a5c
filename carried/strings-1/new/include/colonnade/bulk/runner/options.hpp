//===----------------------------------------------------------------------===//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// runner/options.hpp: parses the command line of a runner programme.
//
//   --count 8 --arg n=32 -i b=in.npy -o b=out.npy [--target auto|cpu|cuda]
//   [--verify[=all|=N]] [--device-memory 4G] [--devices 2] [--layout column|tiled|row]
//   [--threads 4] [--isa avx2]
//
// In: argv. Out: options, or the first error. Invariant: numbers are well-formed and no
// name is given twice; names are checked against the function later.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <colonnade/bulk/run.hpp>

#include <cerrno>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <string>

namespace colonnade::runtime::runner {

/// How many instances are compared with the sequential function.
struct verify_wanted {
  bool any = false;
  /// --verify=N; --verify=all is the largest number. Without: as many as take the time of the run.
  std::optional<uint64_t> most = {};
};

/// What the command line says.
struct options {
  std::optional<uint64_t> count;                               // else the inputs' first dimension
  std::map<std::string, std::string> scalars, inputs, outputs; // by name: value, or file
  target where = target::automatic;
  std::optional<layout> device_layout;
  uint64_t device_memory_bytes = 0; // 0: see run_options
  unsigned devices = 1;             // 0: all
  unsigned threads = 0;             // 0: one for each core
  std::string isa;                  // empty: the best one
  verify_wanted verify;
  bool help = false;
};

inline constexpr const char usage[] =
    "usage: runner [--count P] [--arg NAME=VALUE]... [-i NAME=FILE.npy]... [-o NAME=FILE.npy]...\n"
    "              [--target auto|cpu|cuda] [--verify[=all|=N]] [--device-memory BYTES[K|M|G]]\n"
    "              [--devices N] [--layout row|column|tiled] [--threads N]\n"
    "              [--isa avx512|avx2|sse2]\n";

namespace detail {

inline status wrong(const std::string &message) {
  return status::failure(status_code::invalid_argument, message);
}

inline bool parse_number(const std::string &text, uint64_t &value) {
  if (text.empty() || text[0] < '0' || text[0] > '9')
    return false;
  char *end = nullptr;
  errno = 0;
  value = std::strtoull(text.c_str(), &end, 10);
  return errno == 0 && *end == '\0';
}

/// "4096", "64K", "4G".
inline bool parse_bytes(std::string text, uint64_t &value) {
  uint64_t unit = 1;
  if (!text.empty()) {
    const char last = text.back();
    unit = last == 'K' ? 1 << 10 : last == 'M' ? 1 << 20 : last == 'G' ? 1 << 30 : 1;
    if (unit > 1)
      text.pop_back();
  }
  return parse_number(text, value) && !__builtin_mul_overflow(value, unit, &value);
}

class option_parser {
public:
  option_parser(int argc, char **argv, options &result)
      : argc_(argc), argv_(argv), result_(result) {}

  status parse() {
    for (next_ = 1; next_ < argc_; ++next_)
      if (status s = option(argv_[next_]); !s)
        return s;
    return status::success();
  }

private:
  status option(const std::string &name) {
    if (name == "--verify")
      return flag(result_.verify.any);
    if (name.rfind("--verify=", 0) == 0)
      return verify(name.substr(9));
    if (name == "--help" || name == "-h")
      return flag(result_.help);
    if (name.empty() || name[0] != '-')
      return wrong("unexpected argument '" + name + "'");
    if (next_ + 1 >= argc_)
      return wrong("option " + name + " needs a value");
    return option(name, argv_[++next_]);
  }

  status verify(const std::string &value) {
    uint64_t number = std::numeric_limits<uint64_t>::max();
    if (value != "all" && (!parse_number(value, number) || number == 0))
      return wrong("option --verify: '" + value + "' is neither all nor a number from 1 on");
    result_.verify.any = true;
    result_.verify.most = number;
    return status::success();
  }

  static status flag(bool &value) {
    value = true;
    return status::success();
  }

  status option(const std::string &name, const std::string &value) {
    if (name == "--arg")
      return assignment(name, value, result_.scalars);
    if (name == "-i" || name == "--input")
      return assignment(name, value, result_.inputs);
    if (name == "-o" || name == "--output")
      return assignment(name, value, result_.outputs);
    if (name == "--isa") {
      result_.isa = value;
      return status::success();
    }
    if (name == "--target")
      return choice(name, value,
                    {{"auto", target::automatic}, {"cpu", target::cpu}, {"cuda", target::cuda}},
                    result_.where);
    if (name == "--layout")
      return choice(
          name, value,
          {{"row", layout::row_wise}, {"column", layout::column_wise}, {"tiled", layout::tiled}},
          result_.device_layout.emplace());
    uint64_t number = 0;
    const bool is_bytes = name == "--device-memory";
    if (!is_bytes && name != "--count" && name != "--threads" && name != "--devices")
      return wrong("unknown option " + name);
    if (!(is_bytes ? parse_bytes(value, number) : parse_number(value, number)))
      return wrong("option " + name + ": '" + value + "' is no number");
    if (name == "--count")
      result_.count = number;
    else if (is_bytes)
      result_.device_memory_bytes = number;
    else if (name == "--devices")
      result_.devices = static_cast<unsigned>(std::min<uint64_t>(number, 4096));
    else
      result_.threads = static_cast<unsigned>(std::min<uint64_t>(number, 4096));
    return status::success();
  }

  static status assignment(const std::string &option, const std::string &text,
                           std::map<std::string, std::string> &map) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      return wrong("option " + option + " " + text + ": expected NAME=VALUE");
    const std::string name = text.substr(0, equals);
    if (!map.emplace(name, text.substr(equals + 1)).second)
      return wrong("option " + option + ": '" + name + "' is given twice");
    return status::success();
  }

  template <class T>
  static status choice(const std::string &option, const std::string &value,
                       const std::map<std::string, T> &choices, T &result) {
    const auto found = choices.find(value);
    if (found == choices.end()) {
      std::string known;
      for (const auto &each : choices)
        known += (known.empty() ? "" : ", ") + each.first;
      return wrong("option " + option + ": '" + value + "' is none of " + known);
    }
    result = found->second;
    return status::success();
  }

  int argc_;
  char **argv_;
  options &result_;
  int next_ = 1;
};

} // namespace detail

inline status parse_options(int argc, char **argv, options &result) {
  return detail::option_parser(argc, argv, result).parse();
}

} // namespace colonnade::runtime::runner
