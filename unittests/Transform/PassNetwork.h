//===- PassNetwork.h - Texts of functions that are passes over cells -*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a seed, and which passes. Out: the text of a function over two arrays of 2^bits cells each.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_TRANSFORM_PASSNETWORK_H
#define COLONNADE_UNITTESTS_TRANSFORM_PASSNETWORK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/bit.h"

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace colonnade {

enum class PassKind : uint8_t {
  Partners, // i and i ^ d, by the lower one
  Halves,   // start + k and start + k + h, by u
  Single,   // i
  Turned,   // n - 1 - i
  Four,     // the lowest of four, which differ in two bits
  Reversed, // the bits of i in reverse
  Sorted,   // i and i ^ d change places, in the direction that a bit of i says, the same in all
  Nested,   // k and k + d, for all k of s, s + d, for all s
  Written,  // i, whatever it holds
  Some,     // i, if a bit of it is 0
  Next      // i and i + 1: no pass
};
constexpr unsigned NumPassKinds = 10;

/// A function of passes over @a and @b, of 2^bits cells each. @w is a table of all instances, @c is
/// only loaded from.
class Network {
public:
  explicit Network(unsigned seed, unsigned bits)
      : random_(seed), bits_(bits), direction_(draw(bits + 2)) {
    const std::string cells = std::to_string(1u << bits);
    text_ = "func \"f\" canonical mangled \"f\" {\n";
    for (const char *array : {"a", "b"})
      text_ += "array @" + std::string(array) + " : u32[" + cells +
               "] parameter instance reads writes of " + array + "\n";
    text_ += "array @c : u32[" + cells + "] parameter instance reads of c\n" + "array @w : u32[" +
             cells + "] parameter uniform reads of w\n" +
             "body() {\n%one = const 1 : s64\n%zero = const 0 : s64\n%two = const 2 : s64\n%n = "
             "const " +
             cells + " : s64\n%half = const " + std::to_string(1u << (bits - 1)) + " : s64\n";
  }

  /// Passes one after the other.
  void straight(unsigned passes) {
    for (; passes > 0; --passes)
      pass(static_cast<PassKind>(draw(NumPassKinds)), number(1u << draw(bits_)), draw(bits_));
  }
  /// for (d = 1; d < n; d *= 2) or (d = n / 2; d > 0; d /= 2)
  void rounds(PassKind kind) {
    const std::string d = fresh(), e = fresh(), f = fresh();
    const bool rises = draw(2);
    text_ += "loop (" + d + " : s64 = " + (rises ? "%one" : "%half") + ") {\n";
    const std::string goesOn = define(rises ? "lt " + d + ", %n" : "gt " + d + ", %zero", "bool");
    text_ += "test " + goesOn + ", " + d + "\n} do (" + e + " : s64) {\n";
    pass(kind, e, draw(bits_));
    const std::string next = define((rises ? "mul " : "div ") + e + ", %two");
    const std::string on = define("const true", "bool");
    text_ += "yield " + on + ", " + next + "\n} -> " + f + " : s64\n";
  }
  void pass(PassKind kind, const std::string &d, unsigned bit) {
    kinds_[static_cast<size_t>(kind)] += 1;
    if (kind == PassKind::Nested)
      return nest(d);
    const std::string i = fresh(), end = fresh();
    text_ += "for " + i + " : s64 = %zero lt " + (kind == PassKind::Halves ? "%half" : "%n") +
             " step %one () {\n";
    switch (kind) {
    case PassKind::Partners: {
      const std::string partner = define("xor " + i + ", " + d);
      onlyIf(define("lt " + i + ", " + partner, "bool"), [&] { combine({i, partner}, i); });
      break;
    }
    case PassKind::Sorted: {
      const std::string partner = define("xor " + i + ", " + d);
      onlyIf(define("lt " + i + ", " + partner, "bool"),
             [&] { swap({i, partner}, i, direction_); });
      break;
    }
    case PassKind::Halves: {
      const std::string start =
          define("mul " + define("mul " + define("div " + i + ", " + d) + ", " + d) + ", %two");
      const std::string a = define("add " + start + ", " + define("rem " + i + ", " + d));
      combine({a, define("add " + a + ", " + d)}, i);
      break;
    }
    case PassKind::Single:
      combine({i}, i);
      break;
    case PassKind::Turned:
      combine({define("xor " + i + ", " + number((1u << bits_) - 1))}, i);
      break;
    case PassKind::Four: {
      const std::string other = number(1u << bit), both = define("or " + d + ", " + other);
      const std::string isLowest =
          define("eq " + define("and " + i + ", " + both) + ", %zero", "bool");
      onlyIf(isLowest, [&] {
        combine({i, define("xor " + i + ", " + d), define("xor " + i + ", " + other),
                 define("xor " + i + ", " + both)},
                i);
      });
      break;
    }
    case PassKind::Reversed: {
      std::string reversed = "%zero";
      for (unsigned b = 0; b < bits_; ++b) {
        const std::string own = define("and " + define("shr " + i + ", " + number(b)) + ", %one");
        reversed =
            define("or " + reversed + ", " + define("shl " + own + ", " + number(bits_ - 1 - b)));
      }
      combine({reversed}, i);
      break;
    }
    case PassKind::Nested:
      break;
    case PassKind::Some: {
      const std::string own = define("and " + i + ", " + number(1u << bit));
      onlyIf(define("eq " + own + ", %zero", "bool"), [&] {
        const std::string x = load("a", i);
        store("a", i, define("add " + x + ", " + x, "u32"));
      });
      break;
    }
    case PassKind::Written: {
      const std::string value = load("c", i);
      store("a", i, value);
      store("b", i, value);
      break;
    }
    case PassKind::Next: {
      const std::string next = define("rem " + define("add " + i + ", %one") + ", %n");
      combine({i, next}, i);
      break;
    }
    }
    text_ += "yield\n} -> " + end + " : s64\n";
  }
  void raw(const std::string &text) { text_ += text; }
  std::string number(uint64_t n) { return define("const " + std::to_string(n)); }

  std::string text() const { return text_ + "return\n}\n}\n"; }
  unsigned of(PassKind kind) const { return kinds_[static_cast<size_t>(kind)]; }
  bool hasBranch() const { return hasBranch_; }
  bool hasDirection() const { return hasDirection_; }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  std::string fresh() { return "%v" + std::to_string(last_++); }
  std::string define(const std::string &operation, const char *type = "s64") {
    const std::string name = fresh();
    text_ += name + " = " + operation + " : " + type + "\n";
    return name;
  }
  std::string load(const char *array, const std::string &cell) {
    return define("load @" + std::string(array) + "[" + cell + "] access " +
                      std::to_string(access_++),
                  "u32");
  }
  void store(const char *array, const std::string &cell, const std::string &value) {
    text_ += "store @" + std::string(array) + "[" + cell + "], " + value + " access " +
             std::to_string(access_++) + "\n";
  }
  void onlyIf(const std::string &condition, llvm::function_ref<void()> body) {
    text_ += "if " + condition + " {\n";
    body();
    text_ += "yield\n} else {\nyield\n}\n";
  }
  void nest(const std::string &d) {
    const std::string start = fresh(), k = fresh(), endStart = fresh(), endK = fresh();
    const std::string step = define("mul " + d + ", %two");
    text_ += "for " + start + " : s64 = %zero lt %n step " + step + " () {\n";
    const std::string end = define("add " + start + ", " + d);
    text_ += "for " + k + " : s64 = " + start + " lt " + end + " step %one () {\n";
    combine({k, define("add " + k + ", " + d)}, draw(2) ? k : start);
    text_ += "yield\n} -> " + endK + " : s64\nyield\n} -> " + endStart + " : s64\n";
  }
  /// The first two cells change places where one is less; which, bits of i say.
  void swap(const std::vector<std::string> &cells, const std::string &i, unsigned bit) {
    hasDirection_ = hasBranch_ = true;
    const std::string direction =
        define("eq " + define("and " + i + ", " + number(1u << bit)) + ", %zero", "bool");
    const std::string isLess = fresh();
    text_ += "if " + direction + " {\n";
    std::string less = define("lt " + load("a", cells[0]) + ", " + load("a", cells[1]), "bool");
    text_ += "yield " + less + "\n} else {\n";
    less = define("lt " + load("a", cells[1]) + ", " + load("a", cells[0]), "bool");
    text_ += "yield " + less + "\n} -> " + isLess + " : bool\n";
    onlyIf(isLess, [&] {
      const std::string x = load("a", cells[0]), y = load("a", cells[1]);
      store("a", cells[0], y);
      store("a", cells[1], x);
    });
  }
  void combine(const std::vector<std::string> &cells, const std::string &i) {
    const char *const arrays[] = {"a", "b"};
    if (cells.size() == 2 && draw(3) == 0)
      swap(cells, i, draw(bits_));
    std::vector<std::string> loaded;
    for (const std::string &cell : cells)
      loaded.push_back(load(arrays[draw(2)], cell));
    loaded.push_back(load("w", draw(2) ? i : cells[0]));
    loaded.push_back(load("c", draw(2) ? i : cells[0]));
    const auto any = [&] { return loaded[draw(static_cast<unsigned>(loaded.size()))]; };
    for (const std::string &cell : cells)
      for (const char *array : arrays) { // both, so that passes are of the same arrays
        const std::string value = define("add " + any() + ", " + any(), "u32");
        if (draw(4) != 0) {
          store(array, cell, value);
          continue;
        }
        hasBranch_ = true;
        onlyIf(define("lt " + any() + ", " + any(), "bool"), [&] { store(array, cell, value); });
      }
  }

  std::mt19937 random_;
  unsigned bits_, direction_;
  std::string text_;
  unsigned last_ = 0, access_ = 0;
  std::array<unsigned, NumPassKinds + 1> kinds_ = {};
  bool hasBranch_ = false, hasDirection_ = false;
};

} // namespace colonnade

#endif // COLONNADE_UNITTESTS_TRANSFORM_PASSNETWORK_H
