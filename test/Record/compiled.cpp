// What is computed when the source is compiled, and what where it stands, as the original has it.
// RUN: %colonnade check --validate %s -f members -f whole -f nested -f variables -f elements -- -std=c++23 | FileCheck %s
// CHECK: 'members': validated: 20 inputs, 80 accesses
// CHECK: 'whole': validated: 20 inputs, 80 accesses
// CHECK: 'nested': validated: 20 inputs, 80 accesses
// CHECK: 'variables': validated: 20 inputs, 120 accesses
// CHECK: 'elements': validated: 20 inputs, 80 accesses
//
// The operands of an empty asm, by value and by address.
// RUN: %colonnade check --validate %s -f operands -f in_order -- -std=c++23 | FileCheck %s --check-prefix=ASM
// ASM: 'operands': validated: 20 inputs, 140 accesses
// ASM: 'in_order': validated: 20 inputs, 220 accesses
struct pair {
  int x, y;
};
consteval pair asked() {
  if (__builtin_is_constant_evaluated())
    return {1, 2};
  return {5, 6};
}
struct line {
  pair from, to;
};
consteval line between(pair a, pair b) {
  if consteval {
    return {a, b};
  }
  return {{6, 6}, {6, 6}};
}
constexpr int when(int compiled) {
  if consteval {
    return compiled;
  }
  return 7;
}

void members(const int b[4], int out[8], int n) {
  out[asked().x] = b[0];
  out[asked().y] = b[1];
}
void whole(const int b[4], int out[8], int n) {
  pair p = asked();
  out[p.x] = b[0];
  p = asked();
  out[p.y] = b[1];
}
void nested(const int b[4], int out[8], int n) {
  line l = between({1, 2}, {3, 4});
  out[l.from.y] = b[0];
  out[between(asked(), {3, 5}).to.y] = b[1];
}
void variables(const int b[4], int out[8], int n) {
  const int k = when(1);
  constexpr pair p = {when(2), when(3)};
  int late = when(4);
  out[k] = b[0];
  out[p.y] = b[1];
  out[late] = b[2];
}
void elements(const int b[4], int out[8], int n) {
  int many[20] = {when(1), 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6};
  out[many[0]] = b[0];
  out[many[1]] = b[1];
}

void operands(int b[4], int out[8], int n) {
  asm("" : "+m"(b[n & 3]));
  asm("" : "+r"(b[1]));
  asm("" : : "m"(b[2]));
  out[0] = b[3];
}
void in_order(int b[4], int out[8], int n) {
  asm("" : "+r"(b[0]), "+m"(b[1]), "+rm"(b[2]), "+m"(b[3]) : "m"(out[1]), "r"(out[2]));
  out[0] = 1;
}
