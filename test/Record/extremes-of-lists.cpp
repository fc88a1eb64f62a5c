// The least of a list of enumerators, which have no `<` of their own; and where the language evaluates a constant.
//
// RUN: %colonnade check --validate %s -f least -f when -- -std=c++20 | FileCheck %s
// CHECK: 'least': validated
// CHECK: 'when': validated
#include <algorithm>
#include <type_traits>

enum class level : int { low, middle, high };

int least(const int a[4]) {
  return (int)std::min({level(a[0] & 1), level(a[1] & 1), level::high});
}

struct pair {
  int x, y;
};
constexpr pair evaluated() { return {std::is_constant_evaluated() ? 1 : 2, 5}; }

int when(const int a[4]) {
  pair now = evaluated();
  constexpr pair before = evaluated();
  return now.x * 10 + before.x + a[0] % 5;
}
