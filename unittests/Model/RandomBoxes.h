//===- RandomBoxes.h - Random conditions on several counters ----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a seed. Out: a nest as a certificate and as a kernel. It may be undefined: then the walk says
// so.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_MODEL_RANDOMBOXES_H
#define COLONNADE_UNITTESTS_MODEL_RANDOMBOXES_H

#include <array>
#include <random>
#include <string>
#include <vector>

namespace colonnade::model {

inline const char *const BoxComparisons[] = {"lt", "le", "gt", "ge", "eq", "ne"};

/// A nest of two to four loops in integers of one type, with conditions on several counters.
class RandomBoxes {
public:
  explicit RandomBoxes(unsigned seed) : random_(seed) {
    type_ = std::array{"s64", "s32", "u32", "u64"}[draw(4)];
    nest(2 + draw(3));
    if (draw(4) == 0)
      nest(2);
  }
  std::string certificate() const { return text("canonical", ""); }
  std::string kernel() const { return text("kernel threads 256", " in memory"); }
  /// A kernel says in other words that data ends a loop.
  bool hasKernel() const { return !hasEnds_; }

private:
  std::string text(const std::string &stage, const std::string &space) const {
    const bool isKernel = !space.empty();
    return "func \"f\" " + stage +
           " mangled \"f\" {\n  array @b : f32[100000] parameter instance " + "reads writes of b" +
           space + "\n  array @t : " + type_ + "[5] table uniform const reads" +
           (isKernel ? " in constant" : "") +
           " = {0, 3, 1, 4, 2}\n  body(%n#0 : s64) scalar %n#0 n {\n%n = cast %n#0 : " + type_ +
           "\n" + body_ + "return\n}\n}\n";
  }
  unsigned draw(unsigned values) { return random_() % values; }
  std::string define(const std::string &operation, const std::string &type) {
    const std::string name = "%" + std::to_string(++last_);
    body_ += name + " = " + operation + " : " + type + "\n";
    return name;
  }
  std::string define(const std::string &operation) { return define(operation, type_); }
  std::string number(int value) { return define("const " + std::to_string(value)); }
  std::string any() {
    return counters_.empty() ? "%n" : counters_[draw(static_cast<unsigned>(counters_.size()))];
  }

  /// Of counters, mostly linear.
  std::string value() {
    static const char *const Masks[] = {"and", "or", "xor"};
    const std::string a = any(), b = any();
    switch (draw(14)) {
    case 0:
      return define("add " + a + ", " + b);
    case 1:
      return define("add " + a + ", " + number(int(draw(5))));
    case 2:
      return define("mul " + a + ", " + number(1 + int(draw(3))));
    case 3: // where there is no sign, it may wrap
      return define("sub " + (draw(2) ? define("add " + a + ", " + number(16)) : a) + ", " + b);
    case 4:
      return define("rem " + define("add " + a + ", " + b) + ", " + number(1 + int(draw(5))));
    case 5: {
      static const char *const Rounded[] = {"div", "rem", "shr", "and"};
      const std::string of = draw(2) ? a : define("sub " + a + ", " + b);
      return define(std::string(Rounded[draw(4)]) + " " + of + ", " + number(1 + int(draw(4))));
    }
    case 6:
      return define(std::string(Masks[draw(3)]) + " " + a + ", " + number(int(draw(8))));
    case 7:
      return draw(2) ? define(std::string(Masks[draw(3)]) + " " + a + ", " + b)
                     : define("mul " + a + ", " + b);
    case 8: {
      const std::string less = define("lt " + a + ", " + b, "bool");
      return define("select " + less + ", " + a + ", " + b);
    }
    case 9: {
      if (draw(3))
        return a;
      const std::string five = number(5);
      const std::string place = define("rem " + define("add " + a + ", " + b) + ", " + five);
      return define("load @t[" + define("cast " + place, "s64") + "] access " +
                    std::to_string(accesses_++));
    }
    default:
      return a;
    }
  }

  std::string condition(unsigned depth) {
    const unsigned kind = depth == 0 ? 0 : draw(5);
    if (kind < 2)
      return define(std::string(BoxComparisons[draw(6)]) + " " + value() + ", " +
                        (draw(4) ? value() : number(int(draw(9)))),
                    "bool");
    const std::string a = condition(depth - 1);
    if (kind == 2)
      return define("not " + a, "bool");
    // As && and || are: the second is only looked at where it matters.
    const bool isAnd = kind == 3;
    const std::string known = define(isAnd ? "const false" : "const true", "bool");
    body_ += "if " + a + " {\n";
    std::string second = isAnd ? condition(depth - 1) : known;
    body_ += "yield " + second + "\n} else {\n";
    second = isAnd ? known : condition(depth - 1);
    const std::string name = "%" + std::to_string(++last_);
    body_ += "yield " + second + "\n} -> " + name + " : bool\n";
    return name;
  }

  void access() {
    std::string sum = number(5000);
    for (const std::string &counter : counters_)
      if (draw(2))
        sum = define("add " + sum + ", " +
                     define("mul " + counter + ", " + number(1 + int(draw(20)))));
    if (draw(3) == 0)
      sum = define("add " + sum + ", " + value());
    body_ += "%" + std::to_string(++last_) + " = load @b[" + define("cast " + sum, "s64") +
             "] access " + std::to_string(accesses_++) + " : f32" + (ended_ ? " speculative" : "") +
             (ended_ && draw(3) ? " but at first" : "") + "\n";
  }

  void branch(unsigned depth) {
    body_ += "if " + condition(2) + " {\n";
    const size_t before = counters_.size();
    access();
    if (depth > 1 && draw(3) == 0)
      nest(depth - 1);
    counters_.resize(before);
    body_ += "yield\n} else {\n";
    if (draw(3) == 0)
      access();
    body_ += "yield\n}\n";
  }

  std::string bound(bool isUpper) {
    if (counters_.empty() || draw(3))
      return isUpper ? "%n" : number(int(draw(3)));
    return draw(2) ? any() : define("add " + any() + ", " + number(int(draw(3))));
  }

  void nest(unsigned depth) {
    const bool falls = draw(5) == 0 && type_[0] == 's';
    const std::string low = bound(falls), high = bound(!falls);
    const std::string step = number(falls ? -1 - int(draw(2)) : draw(3) ? 1 : 1 + int(draw(3)));
    const std::string counter = "%" + std::to_string(++last_);
    const size_t before = counters_.size();
    const bool hasFlag = draw(6) == 0, isEnded = draw(12) == 0;
    body_ += "for " + counter + " : " + type_ + " = " + low +
             (falls     ? draw(2) ? " gt " : " ge "
              : draw(4) ? " lt "
                        : " le ") +
             high + " step " + step + (hasFlag ? " continue" : "") + (draw(8) ? "" : " posttest") +
             (isEnded ? " data ends () {\n" : " () {\n");
    hasEnds_ |= isEnded;
    ended_ += isEnded;
    counters_.push_back(counter);
    if (draw(3) == 0)
      access();
    if (depth == 1 || draw(3) == 0)
      branch(depth);
    if (depth > 1)
      nest(depth - 1);
    if (depth > 1 && draw(6) == 0)
      nest(1);
    const std::string goesOn = hasFlag ? " " + condition(1) : "";
    counters_.resize(before);
    ended_ -= isEnded;
    const std::string behind = "%" + std::to_string(++last_);
    body_ += "yield" + goesOn + "\n} -> " + behind + " : " + type_ + "\n";
    if (draw(6) == 0)
      counters_.push_back(behind);
  }

  std::mt19937 random_;
  std::string type_, body_;
  std::vector<std::string> counters_;
  unsigned last_ = 0, accesses_ = 0;
  unsigned ended_ = 0; // loops around that data ends
  bool hasEnds_ = false;
};

} // namespace colonnade::model

#endif // COLONNADE_UNITTESTS_MODEL_RANDOMBOXES_H
