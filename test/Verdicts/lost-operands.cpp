// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++23
//
// More places where little code stands (see lost.cpp): operands of operators that could do
// without them, of unusual statements and initialisers. Each function writes or reads a cell
// whose address depends on data (refused), or has a twin that does nothing of the kind.
#include <array>
#include <cstring>
#include <initializer_list>
#include <tuple>
#include <utility>

static int touch(int *o, int k) { o[k & 7] = 1; return 0; }
struct Two { int x, y; };
struct Base { int v; Base(int *o, int k) : v(touch(o, k)) {} };
struct Derived : Base { using Base::Base; int w = 1; };
struct Converts { int k; operator int() const { return k; } explicit operator bool() const { return k > 0; } };
struct WritesAsBool { int *o; int k; explicit operator bool() const { o[k & 7] = 1; return true; } };

// --- operands whose value is not needed

// expect NSK
void times_zero(const int *b, int *out) { out[0] = 0 * touch(out, b[0]); }
// expect NSK
void and_zero(const int *b, int *out) { out[0] = touch(out, b[0]) & 0; }
// expect NSK
void minus_itself(const int *b, int *out) { out[0] = b[b[0]] - b[b[0]]; }
// expect NSK
void modulo_one(const int *b, int *out) { out[0] = (out[b[0] & 7] = 5) % 1; }
// expect NSK
void compared_with_itself(const int *b, int *out) { out[0] = b[b[1]] == b[b[1]]; }
// expect NSK
void or_all_ones(const int *b, int *out) { out[0] = touch(out, b[0]) | -1; }
// expect NSK
void unsigned_below_zero(const int *b, int *out) { out[0] = (unsigned)touch(out, b[0]) < 0u; }
// expect NSK
void shifted_out(const int *b, int *out) { out[0] = (unsigned char)((unsigned)touch(out, b[0]) << 8); }
// expect NSK
void cast_to_void(const int *b, int *out) { (void)out[touch(out, b[0])]; out[0] = 1; }
// expect A
void place_that_is_not_read(const int *b, int *out) { b[b[0]]; out[0] = 1; }
// expect NSK
void same_arms(const int *b, int *out, int n) { out[0] = n > 0 ? b[b[0]] : b[b[0]]; }
// expect NSK
void overwritten(const int *b, int *out) { int x = b[b[0]]; x = 1; out[0] = x; }
// expect NSK
void stored_twice(const int *b, int *out) { out[b[0] & 7] = 1; out[b[0] & 7] = 2; }
// expect NSK
void self_assignment(const int *b, int *out) { out[b[0] & 7] = out[b[0] & 7]; }
// expect NSK
void plus_nothing(const int *b, int *out) { out[b[0] & 7] += 0; }
// expect A
void zero_of_cell(const int *b, int *out) { out[0] = 0 * b[1]; out[1] = b[2] - b[2]; out[2] += 0; }
// expect A
void unused_cell(const int *b, int *out) { b[1]; (void)b[2]; out[3] = out[3]; }

// --- short circuits and decided conditions

// expect NSK
void left_of_false(const int *b, int *out) { if (touch(out, b[0]) && false) out[0] = 1; }
// expect NSK
void left_of_true(const int *b, int *out) { if (touch(out, b[0]) || true) out[0] = 1; }
// expect NSK
void condition_without_body(const int *b, int *out) { if (out[b[0] & 7]++) ; }
// expect NSK
void condition_with_equal_arms(const int *b, int *out) { if (out[b[0] & 7] = 3) out[0] = 1; else out[0] = 1; }
// expect NSK
void while_false_of(const int *b, int *out) { while (touch(out, b[0])) ; }
// expect NSK
void switch_without_cases(const int *b, int *out) { switch (touch(out, b[0])) { default:; } }
// expect NSK
void empty_for_step(const int *b, int *out, int n) { for (int i = 0; i < n; i++, touch(out, b[i])) ; }
// expect NSK
void bool_of_class(const int *b, int *out) { if (WritesAsBool{out, b[0]}) ; }
// expect NSK
void not_of_class(const int *b, int *out) { !WritesAsBool{out, b[0]}; }
// expect A
void right_of_false(const int *b, int *out) { if (false && touch(out, b[0])) out[0] = 1; out[1] = b[1]; }
// expect A
void right_of_true(const int *b, int *out) { if (true || touch(out, b[0])) out[0] = b[1]; }
// expect A
void never_taken(const int *b, int *out) { if constexpr (sizeof(int) == 3) out[b[0]] = 1; if (sizeof(int) == 3) out[b[0]] = 1; out[0] = b[1]; }
// expect A
void unevaluated(const int *b, int *out) { out[sizeof(out[b[0]]) + noexcept(touch(out, b[0]))] = b[1]; decltype(touch(out, b[0])) x = 3; out[x] = 1; }

// --- initialisers

// expect NSKU
void inherited_constructor(const int *b, int *out) { Derived d(out, b[0]); out[0] = d.w; }
// expect NSK
void unused_object(const int *b, int *out) { Base{out, b[0]}; out[0] = 1; }
// expect NSK
void designated(const int *b, int *out) { Two t = {.x = touch(out, b[0]), .y = 1}; out[0] = t.y; }
// expect NSK
void second_array_element(const int *b, int *out) { int t[4] = {1, touch(out, b[0])}; out[0] = t[0]; }
// expect NSK
void array_of_structs(const int *b, int *out) { Two t[2] = {{1, 2}, {touch(out, b[0]), 3}}; out[0] = t[0].x; }
// expect NSKU
void parenthesised(const int *b, int *out) { Two t(1, touch(out, b[0])); out[0] = t.x; }
// expect NSK
void reference_to_cell(const int *b, int *out) { const int &r = b[b[0]]; out[0] = 1 + 0 * r; }
// expect NSK
void capture_initialiser(const int *b, int *out) { auto l = [k = touch(out, b[0])] { return 1; }; out[0] = l(); }
// expect NSK
void unused_capture(const int *b, int *out) { auto l = [k = b[b[0]]] {}; out[0] = 1; }
// expect NSK
void structured_binding(const int *b, int *out) { auto [x, y] = Two{touch(out, b[0]), 1}; out[0] = y; }
// expect NSK
void tuple_of_writes(const int *b, int *out) { auto t = std::pair<int, int>(touch(out, b[0]), 2); out[0] = t.second; }
// expect NSK
void if_initialiser(const int *b, int *out, int n) { if (int k = touch(out, b[0]); n > 0) out[0] = 1; }
// expect NSK
void switch_initialiser(const int *b, int *out, int n) { switch (int k = touch(out, b[0]); n) { case 1: out[0] = 1; } }
// expect NSK
void range_initialiser(const int *b, int *out, Two t[4]) { for (int k = touch(out, b[0]); int x : std::array<int, 2>{1, 2}) out[x] = k; }
// expect NSKU
void variable_array_size(const int *b, int *out, int n) { int t[n + 0 * touch(out, b[0])]; t[0] = 1; out[0] = t[0]; }
// expect A
void unused_uniform_object(const int *b, int *out) { Two t = {.x = touch(out, 3), .y = b[1]}; out[0] = t.y; }
// expect A
void captures_of_cells(const int *b, int *out) { auto l = [k = b[1], &out] { out[2] = k; }; l(); }

// --- arguments

static int first(int a, ...) { return a; }
static int only(int a, int = 0) { return a; }
template <class... A> static int fold(A... a) { return (0 + ... + (0 * a)); }
// expect NSKU
void variadic_argument(const int *b, int *out) { out[0] = first(1, touch(out, b[0])); }
// expect NSK
void unused_argument(const int *b, int *out) { out[0] = only(1, touch(out, b[0])); }
// expect NSK
void folded_pack(const int *b, int *out) { out[0] = fold(1, touch(out, b[0]), 2); }
// expect NSK
void comma_fold(const int *b, int *out) { [&](auto... k) { (touch(out, b[k]), ...); }(0, 1); }
// expect NSK
void copy_of_nothing_needed(const int *b, int *out) { int t[2]; std::memcpy(t, b + b[0], sizeof t); out[0] = 1; }
// expect NSK
void fill_at_data(const int *b, int *out) { std::memset(out + (b[0] & 3), 0, 4); }
// expect NSK
void swap_with_data(const int *b, int *out) { std::swap(out[b[0] & 7], out[0]); }
// expect NSK
void exchange_at_data(const int *b, int *out) { std::exchange(out[b[0] & 7], 1); }
// expect A
void unused_arguments(const int *b, int *out) { out[0] = only(1, b[1]) + fold(b[2], b[3]); std::swap(out[1], out[2]); }
// expect A
void copy_of_no_cells(const int *b, int *out) { std::memcpy(out, b, 0); std::memset(out + 1, 0, 0); out[0] = b[1]; }
