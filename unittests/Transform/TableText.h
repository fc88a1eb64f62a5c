//===- TableText.h - Texts of functions that compute tables -----*- C++ -*-===//
//
// Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a seed. Out: the text of a random function whose nest computes a table row by row, and what
// it has.
//
//===----------------------------------------------------------------------===//

#ifndef COLONNADE_UNITTESTS_TRANSFORM_TABLETEXT_H
#define COLONNADE_UNITTESTS_TRANSFORM_TABLETEXT_H

#include <map>
#include <random>
#include <string>

namespace colonnade {

/// What a random function has, for counts.
using StripTraits = std::map<std::string, unsigned>;

/// A table whose row is computed from the one above, on u32. Cells of the array @t are at
/// %w * row + column: w is 0 for a rolling row, the row's length for a whole table, and rows are
/// taken modulo two for two of them in turn.
class TableText {
public:
  explicit TableText(unsigned seed) : random_(seed) {
    rows_ = 2 + draw(12);
    columns_ = 1 + draw(12);
    storage_ = draw(3);
    hasLeft_ = draw(4) == 0;
    const unsigned cells = storage();
    count(storage_ == 0 ? "rolling" : storage_ == 1 ? "in turn" : "whole");
    text_ = "func \"f\" canonical mangled \"f\" {\n";
    array("a", rows_ + 2, "parameter instance const reads of a");
    array("b", columns_ + 2, "parameter instance const reads of b");
    array("out", cells + rows_ + 2 + 4, "parameter instance reads writes of out");
    isLocal_ = draw(3) != 0;
    array("t", cells,
          isLocal_ ? "local instance reads writes" : "parameter instance reads writes of t");
    array("s", 4, "local instance reads writes");
    text_ += "body() {\n";
    number("w", columns_ + 2);
    number("two", 2);
    for (unsigned k = 0; k < 4; ++k)
      number("n" + std::to_string(k), k);
    for (unsigned k = 0; k < 3; ++k)
      line("%c" + std::to_string(k) + " = const " + std::to_string(7 * k + 3) + " : u32");
    line("%odd = const 2654435761 : u32\n%half = const 2147483648 : u32");
    fill("t", cells);
    fill("s", 4);
    nest();
    if (isLocal_)
      copyOut(cells);
    text_ += "return\n}\n}\n";
  }
  const std::string &text() const { return text_; }
  const StripTraits &traits() const { return traits_; }

private:
  unsigned draw(unsigned values) { return random_() % values; }
  void count(const std::string &trait) { traits_[trait] = 1; }
  void line(const std::string &text) { text_ += text + "\n"; }
  void number(const std::string &name, unsigned value) {
    line("%" + name + " = const " + std::to_string(value) + " : s64");
  }
  void array(const std::string &name, unsigned cells, const std::string &rest) {
    line("array @" + name + " : u32[" + std::to_string(cells) + "] " + rest);
  }
  std::string define(const std::string &operation, const char *type) {
    const std::string name = "%v" + std::to_string(last_++);
    line(name + " = " + operation + " : " + type);
    return name;
  }
  std::string index(const std::string &operation) { return define(operation, "s64"); }
  std::string load(const std::string &array, const std::string &cell) {
    return define("load @" + array + "[" + cell + "] access " + std::to_string(access_++), "u32");
  }
  void store(const std::string &array, const std::string &cell, const std::string &value) {
    line("store @" + array + "[" + cell + "], " + value + " access " + std::to_string(access_++));
  }
  void fill(const std::string &array, unsigned cells) {
    number("end_of_" + array, cells);
    line("for %k_" + array + " : s64 = %n0 lt %end_of_" + array + " step %n1 () {");
    const std::string value = define("cast %k_" + array, "u32");
    store(array, "%k_" + array, define("mul " + value + ", %c2", "u32"));
    line("yield\n} -> %last_" + array + " : s64");
  }
  void copyOut(unsigned cells) {
    number("cells", cells);
    line("for %k : s64 = %n0 lt %cells step %n1 () {");
    store("out", "%k", load("t", "%k"));
    line("yield\n} -> %end_k : s64");
  }

  /// The table's cell, so many rows above and columns to the left of (i, j); j may be "".
  std::string cell(int above, int left) {
    std::string row = above ? index("sub %i, %n" + std::to_string(above)) : "%i";
    if (storage_ == 0)
      row = "%n0";
    else if (storage_ == 1)
      row = index("rem " + row + ", %two");
    const std::string column = left == 0  ? "%j"
                               : left < 0 ? index("add %j, %n1")
                                          : index("sub %j, %n" + std::to_string(left));
    const std::string before = index("mul " + row + ", %w");
    return index("add " + before + ", " + column);
  }
  std::string computed(const std::string &x, const std::string &y) {
    const char *const operations[] = {"add ", "sub ", "mul ", "xor ", "add "};
    return define(operations[draw(5)] + x + ", " + y, "u32");
  }
  /// As often true as false.
  std::string undecided(const std::string &x, const std::string &y) {
    const std::string both = define("add " + x + ", " + y, "u32");
    const std::string mixed = define("mul " + both + ", %odd", "u32");
    return define("lt " + mixed + ", %half", "bool");
  }
  std::string chosen(const std::string &x, const std::string &y) {
    if (draw(2))
      return computed(x, y);
    count("choice");
    const std::string result = "%r" + std::to_string(last_++), condition = undecided(x, y);
    line("if " + condition + " {");
    const std::string own = draw(2) ? x : computed(x, "%c1");
    line("yield " + own + "\n} else {\nyield " + y + "\n} -> " + result + " : u32");
    return result;
  }
  /// What an iteration may need, most often legal.
  std::string neighbour() {
    switch (draw(9)) {
    case 0:
      count("diagonal");
      return storage_ == 0 ? "%diagonal" : load("t", cell(1, 1));
    case 1:
    case 2:
      count("left");
      return load("t", cell(0, 1));
    case 3:
      if (draw(3) == 0) {
        count("on the right");
        return load("t", cell(storage_ == 0 ? 0 : 1, -1));
      }
      return load("t", cell(storage_ == 0 ? 0 : 1, 0));
    case 4:
      return load("a", "%i");
    case 5:
      return load("b", "%j");
    case 6:
      return "%c0";
    default:
      return load("t", cell(storage_ == 0 ? 0 : 1, 0));
    }
  }
  void body(std::string &carried, std::string &gathered) {
    std::string x = chosen(neighbour(), neighbour());
    if (draw(2))
      x = chosen(x, neighbour());
    if (draw(4) == 0) { // a cell that each iteration uses anew
      count("temporary");
      store("s", "%n1", x);
      x = computed(load("s", "%n1"), neighbour());
    }
    // Values that hardly ever agree: where one is wrong, it shows.
    x = define("add " + x + ", " + define("mul %mark, " + load("b", "%j"), "u32"), "u32");
    if (draw(4) != 0)
      x = define("add " + x + ", %diagonal", "u32");
    carried = draw(2) ? load("t", cell(storage_ == 0 ? 0 : 1, 0)) : computed("%diagonal", x);
    const unsigned way = draw(5);
    if (way == 0) {
      count("store in a branch");
      const std::string other = neighbour(), condition = undecided(x, other);
      line("if " + condition + " {");
      store("t", cell(0, 0), x);
      line("yield\n} else {");
      if (draw(2)) {
        count("store in both branches");
        store("t", cell(0, 0), other);
      }
      line("yield\n}");
    } else {
      store("t", cell(0, 0), x);
    }
    gathered = gather(x);
  }
  /// %best goes through all iterations: in any order, or it must not.
  std::string gather(const std::string &x) {
    const std::string result = "%g" + std::to_string(last_++);
    switch (draw(4)) {
    case 0:
      count("sum");
      return define("add %best, " + x, "u32");
    case 1: {
      count("greatest");
      const std::string condition = define("gt " + x + ", %best", "bool");
      line("if " + condition + " {\nyield " + x + "\n} else {\nyield %best\n} -> " + result +
           " : u32");
      return result;
    }
    case 2:
      count("order matters");
      return define("sub " + x + ", %best", "u32");
    default:
      return "%best";
    }
  }
  void nest() {
    isFalling_ = draw(4) == 0;
    if (isFalling_)
      count("columns backwards");
    const unsigned low = 1 + draw(2);
    number("low", low);
    number("rows", rows_ + 2);
    number("columns", columns_ + 1);
    number("down", columns_);
    line("%minus = const -1 : s64");
    line("for %i : s64 = %low lt %rows step %n1 (%all : u32 = %c1, %total : u32 = %c2, "
         "%line : u32 = %c0) {");
    const std::string next = define("add %line, %c2", "u32");
    line("%mark = mul " + next + ", " + next + " : u32");
    before();
    const std::string first = draw(2) ? "%c2" : load("a", "%i");
    line(isFalling_ ? "for %j : s64 = %down ge %n1 step %minus (%diagonal : u32 = " + first +
                          ", %best : u32 = %all) {"
                    : "for %j : s64 = %n1 lt %columns step %n1 (%diagonal : u32 = " + first +
                          ", %best : u32 = %all) {");
    std::string carried, gathered;
    body(carried, gathered);
    line("yield " + carried + ", " + gathered);
    line("} -> %end_j : s64, %last_of_row : u32, %best_of_row : u32");
    std::string total = "%total";
    if (draw(2)) {
      count("behind a row");
      total = define("xor %total, %last_of_row", "u32");
      total = define("mul " + total + ", %line", "u32");
    }
    line("yield %best_of_row, " + total + ", " + next);
    line("} -> %end_i : s64, %all_rows : u32, %total_rows : u32, %lines : u32");
    for (auto [k, value] : {std::pair(1, "%all_rows"), {2, "%total_rows"}, {3, "%lines"}}) {
      const std::string at = "%place" + std::to_string(k);
      number("place" + std::to_string(k), storage() + static_cast<unsigned>(k));
      store("out", at, value);
    }
  }
  /// Rows have room for a column on each side.
  unsigned storage() const {
    const unsigned width = columns_ + 2;
    return storage_ == 0 ? width : storage_ == 1 ? 2 * width : (rows_ + 2) * width;
  }
  /// A row's first cell.
  void before() {
    if (!hasLeft_)
      return;
    count("row's first cell");
    std::string row = storage_ == 0 ? "%n0" : storage_ == 1 ? index("rem %i, %two") : "%i";
    const std::string at = index("mul " + row + ", %w");
    store("t", at, computed(load("t", at), "%line"));
  }

  std::mt19937 random_;
  unsigned rows_ = 0, columns_ = 0, storage_ = 0;
  bool hasLeft_ = false, isLocal_ = true, isFalling_ = false;
  std::string text_;
  StripTraits traits_;
  unsigned last_ = 0, access_ = 0;
};

} // namespace colonnade

#endif // COLONNADE_UNITTESTS_TRANSFORM_TABLETEXT_H
