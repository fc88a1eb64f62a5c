//===- RandomNest.h - Functions to profile --------------------*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random nests of loops in textual IR. In: a seed. Out: a function f of n whose profile the tests
// of closed and bounded loops compare with the walk's. Invariant: the same seed gives the same
// text.
//
//===----------------------------------------------------------------------===//
#ifndef COLONNADE_UNITTESTS_MODEL_RANDOMNEST_H
#define COLONNADE_UNITTESTS_MODEL_RANDOMNEST_H

#include "IR/Function.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace colonnade::model {

/// A nest of loops over an array @b of 100,000 cells, and a table that decides.
class RandomNest {
public:
  explicit RandomNest(unsigned seed) : random_(seed) {
    text_ = "func \"f\" canonical mangled \"f\" {\n"
            "  array @b : f32[100000] parameter instance reads writes of b\n"
            "  array @t : s64[5] parameter uniform reads of t\n"
            "  body(%n#0 : s64) scalar %n#0 n {\n";
    counters_ = {"%n#0"};
    nest(1 + draw(4));
    if (draw(3) == 0)
      nest(1);
    text_ += "return\n}\n}\n";
  }
  const std::string &text() const { return text_; }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  std::string fresh() { return "%" + std::to_string(++last_); }
  std::string define(const std::string &operation) {
    const std::string name = fresh();
    text_ += name + " = " + operation + " : s64\n";
    return name;
  }
  std::string number(int64_t value) { return define("const " + std::to_string(value)); }
  std::string any() { return counters_[draw(static_cast<unsigned>(counters_.size()))]; }

  std::string compared(const std::string &a, const std::string &b) {
    static const char *const Comparisons[] = {"lt", "le", "gt", "ge", "eq", "ne"};
    const std::string name = fresh();
    text_ += name + " = " + Comparisons[draw(6)] + " " + a + ", " + b + " : bool\n";
    return name;
  }

  /// Of the counters so far; what is in the loop may use it like one.
  void hoisted() {
    static const char *const Operations[] = {"mul", "sub", "add", "rem", "and", "xor"};
    const unsigned operation = draw(8);
    const std::string a = any(), b = draw(2) ? any() : number(1 + int64_t(draw(4)));
    if (operation >= 6)
      counters_.push_back(define("select " + compared(a, b) + ", " + a + ", " + b));
    else
      counters_.push_back(operation == 3
                              ? define("rem " + a + ", " + number(1 + int64_t(draw(5))))
                              : define(std::string(Operations[operation]) + " " + a + ", " + b));
  }

  std::string bound() {
    switch (draw(4)) {
    case 0:
      return number(draw(6));
    case 1:
      return define("add " + any() + ", " + number(int64_t(draw(5)) - 2));
    default:
      return any();
    }
  }

  /// Mostly linear in the counters.
  std::string address() {
    std::string sum = number(50'000);
    for (const std::string &counter : counters_)
      if (draw(2))
        sum = define("add " + sum + ", " +
                     define("mul " + counter + ", " + number(int64_t(draw(9)) - 4)));
    switch (draw(10)) {
    case 8:
    case 9:
      return define("add " + sum + ", " + periodic());
    case 0:
      return define("add " + sum + ", " + define("rem " + any() + ", " + number(3)));
    case 1:
      return define("add " + sum + ", " + define("mul " + any() + ", " + any()));
    case 2: {
      const std::string place =
          define("rem " + define("mul " + any() + ", " + any()) + ", " + number(5));
      const std::string within = define("mul " + place + ", " + place);
      return define("add " + sum + ", " +
                    define("load @t[" + define("rem " + within + ", " + number(5)) + "] access " +
                           std::to_string(site_++)));
    }
    default:
      return sum;
    }
  }

  /// Where the counter is not below zero, the same again after some iterations; or such a value of
  /// such a value.
  std::string periodic() {
    static const char *const Operations[] = {"rem", "div", "and", "or", "xor", "shr"};
    const unsigned operation = draw(6);
    const std::string of = draw(3) ? any() : periodic();
    return define(std::string(Operations[operation]) + " " + of + ", " +
                  number(1 + int64_t(draw(operation == 5 ? 2 : 7))));
  }

  void access() {
    const std::string at = address(), value = fresh();
    text_ += value + " = load @b[" + at + "] access " + std::to_string(site_++) + " : f32" +
             (ended_ ? " speculative" : "") + (ended_ && draw(3) ? " but at first" : "") + "\n";
  }

  void nest(unsigned depth) {
    static const char *const Rising[] = {"lt", "le"}, *const Falling[] = {"gt", "ge"};
    const bool falls = draw(4) == 0, isEnded = draw(5) == 0;
    const std::string low = bound(), high = bound();
    const std::string step = number(falls ? -1 - int64_t(draw(2)) : 1 + int64_t(draw(3)));
    const size_t before = counters_.size();
    if (draw(3) == 0)
      hoisted();
    const std::string counter = fresh();
    text_ += "for " + counter + " : s64 = " + low + " " + (falls ? Falling : Rising)[draw(2)] +
             " " + high + " step " + step + (draw(8) ? "" : " posttest") +
             (isEnded ? " data ends" : "") + " () {\n";
    ended_ += isEnded;
    counters_.push_back(counter);
    access();
    if (draw(3) == 0) {
      const unsigned kind = draw(4);
      const std::string a = kind == 0 ? define("add " + any() + ", " + number(int64_t(draw(5)) - 2))
                            : kind == 1 ? periodic()
                                        : any();
      const std::string b = draw(3) ? any() : number(draw(6));
      text_ += "if " + compared(a, b) + " {\n";
      access();
      text_ += "yield\n} else {\nyield\n}\n";
    }
    if (depth > 1)
      nest(depth - 1);
    if (depth > 2 && draw(2))
      nest(1);
    counters_.resize(before);
    ended_ -= isEnded;
    const std::string behind = fresh();
    text_ += "yield\n} -> " + behind + " : s64\n";
    if (draw(4) == 0)
      counters_.push_back(behind);
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> counters_;
  unsigned last_ = 0, site_ = 0;
  unsigned ended_ = 0; // loops around that data ends
};

inline std::vector<ir::Scalar> scalarsOf(int64_t n) {
  return {{ir::ScalarType::S64, static_cast<uint64_t>(n)}};
}

} // namespace colonnade::model

#endif // COLONNADE_UNITTESTS_MODEL_RANDOMNEST_H
