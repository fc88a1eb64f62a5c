// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++20
//
// What a first walk over a loop, a branch or a call takes for known, and a later one must not
// (see stale.cpp): constants, pointers, promoted arrays, copies of structs, recursion. Each
// function uses it in an address or in a bound, or has a twin.

static void set(int &r, int v) { r = v; }
static void point(int *&p, int *to) { p = to; }
struct State { int k = 0; int *p = nullptr; int t[4] = {0, 0, 0, 0}; void note(int v) { k = v & 7; } void at(int i, int v) { t[i & 3] = v & 7; } };
struct Input { int t[8]; int n; };

// --- constants that a later iteration changes

// expect NSK
void index_by_reference(const int b[16], int out[16], int n) { int k = 0; for (int i = 0; i < n; i++) { out[k] = 1; set(k, b[i] & 7); } }
// expect NSK
void index_by_method(const int b[16], int out[16], int n) { State s; for (int i = 0; i < n; i++) { out[s.k] = 1; s.note(b[i]); } }
// expect NSK
void index_by_lambda(const int b[16], int out[16], int n) { int k = 0; auto f = [&](int v) { k = v & 7; }; for (int i = 0; i < n; i++) { out[k] = 1; f(b[i]); } }
// expect NSK
void index_by_pointer(const int b[16], int out[16], int n) { int k = 0, *p = &k; for (int i = 0; i < n; i++) { out[k] = 1; *p = b[i] & 7; } }
// expect NSK
void index_by_two_pointers(const int b[16], int out[16], int n) { int k = 0, *p = &k, **q = &p; for (int i = 0; i < n; i++) { out[k] = 1; **q = b[i] & 7; } }
// expect NSK
void index_by_cell(const int b[16], int out[16], int n) { int t[2] = {0, 0}; for (int i = 0; i < n; i++) { out[t[1]] = 1; t[i & 1] = b[i] & 7; } }
// expect NSK
void index_by_field_of_cell(const int b[16], int out[16], int n) { State s[2]; for (int i = 0; i < n; i++) { out[s[0].k] = 1; s[i & 1].note(b[i]); } }
// expect NSK
void index_by_array_method(const int b[16], int out[16], int n) { State s; for (int i = 0; i < n; i++) { out[s.t[2]] = 1; s.at(i, b[i]); } }
// expect NSK
void two_iterations_late(const int b[16], int out[16], int n) { int k = 0, l = 0, m = 0; for (int i = 0; i < n; i++) { out[m] = 1; m = l; l = k; k = b[i] & 7; } }
// expect NSK
void by_inner_loop(const int b[16], int out[16], int n) { int k = 0; for (int i = 0; i < n; i++) { out[k] = 1; for (int j = 0; j < 3; j++) if (j == 2) set(k, b[i] & 7); } }
// expect NSK
void after_the_loop(const int b[16], int out[16], int n) { int k = 0; for (int i = 0; i < n; i++) set(k, b[i] & 7); out[k] = 1; }
// expect NSK
void by_the_step(const int b[16], int out[16], int n) { int k = 0; for (int i = 0; i < n; set(k, b[i] & 7), i++) out[k] = 1; }
// expect NSK
void by_the_condition(const int b[16], int out[16], int n) { int k = 0; for (int i = 0; set(k, b[i] & 7), i < n; i++) out[k] = 1; }
// expect NSK
void dead_branch_comes_alive(const int b[16], int out[16], int n) { int on = 0; for (int i = 0; i < n; i++) { if (on) out[b[i] & 7] = 1; set(on, i > 2); } }
// expect NSK
void dead_arm_of_choice(const int b[16], int out[16], int n) { bool on = false; auto f = [&] { on = !on; }; for (int i = 0; i < n; i++) { out[on ? b[i] & 7 : 0] = 1; f(); } }
// expect NSK
void dead_call_comes_alive(const int b[16], int out[16], int n) { State s; auto f = [&](int i) { if (s.k == 3) out[b[i] & 7] = 1; }; for (int i = 0; i < n; i++) { f(i); s.note(i); } }
// expect NSK
void dead_switch_case(const int b[16], int out[16], int n) { int mode = 0; for (int i = 0; i < n; i++) { switch (mode) { case 0: out[0] = 1; break; case 1: out[b[i] & 7] = 1; } set(mode, i & 1); } }
// expect NSK
void dead_inner_loop(const int b[16], int out[16], int n) { int m = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) out[b[j] & 7] = 1; set(m, 2); } }
// expect A
void index_by_the_counter(const int b[16], int out[16], int n) { int k = 0; for (int i = 0; i < n; i++) { out[k] = b[i]; set(k, i & 7); } }
// expect A
void method_of_the_counter(const int b[16], int out[16], int n) { State s; for (int i = 0; i < n; i++) { out[s.k] = b[i]; s.note(i); } }
// expect A
void always_dead(const int b[16], int out[16], int n) { int on = 0; for (int i = 0; i < n; i++) { if (on) out[b[i] & 7] = 1; set(on, 0); } }
// expect A
void set_to_what_it_was(const int b[16], int out[16], int n) { int k = 2; for (int i = 0; i < n; i++) { out[k] = b[i]; set(k, 2); } }

// --- pointers that a later iteration moves

// expect NSKU
void pointer_by_reference(const int b[16], int x[16], int y[16], int n) { int *p = x; for (int i = 0; i < n; i++) { p[0] = 1; if (b[i]) point(p, y); } }
// expect NSKU
void pointer_by_lambda(const int b[16], int x[16], int n) { int *p = x; auto f = [&](int v) { p = x + (v & 7); }; for (int i = 0; i < n; i++) { p[0] = 1; f(b[i]); } }
// expect NSKU
void pointer_in_struct(const int b[16], int x[16], int n) { State s; s.p = x; State *q = &s; for (int i = 0; i < n; i++) { s.p[0] = 1; q->p = x + (b[i] & 7); } }
// expect NSKU
void pointer_advances_by_data(const int b[16], int x[16], int n) { int *p = x; auto f = [&](int v) { p += v & 1; }; for (int i = 0; i < n; i++) { *p = 1; f(b[i]); } }
// expect NSKU
void pointer_is_swapped(const int b[16], int x[16], int y[16], int n) { int *p = x, *q = y; for (int i = 0; i < n; i++) { *p = 1; if (b[i] > 0) { int *t = p; p = q; q = t; } } }
// expect NSKU
void null_until_later(const int b[16], int x[16], int n) { int *p = nullptr; for (int i = 0; i < n; i++) { if (p) p[b[i] & 7] = 1; point(p, x); } }
// expect NSKU
void pointer_comparison(const int b[16], int x[16], int n) { int *p = x; for (int i = 0; i < n; i++) { if (p != x) x[b[i] & 7] = 1; point(p, x + 1); } }
// expect A
void pointer_by_the_counter(const int b[16], int x[16], int n) { int *p = x; auto f = [&](int i) { p = x + i; }; for (int i = 0; i < n; i++) { *p = b[i]; f(i); } }
// expect A
void pointers_swapped_by_parity(const int b[16], int x[16], int y[16], int n) { int *p = x, *q = y; for (int i = 0; i < n; i++) { p[i] = b[i]; int *t = p; p = q; q = t; } }

// --- bounds and ends

// expect TNSK
void bound_by_reference(const int b[16], int out[16], int n) { int m = 2; for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) out[j] = 1; set(m, b[i] & 7); } }
// expect TNSK
void bound_by_method(const int b[16], int out[16], int n) { State s; for (int i = 0; i < n; i++) { for (int j = 0; j <= s.k; j++) out[j] = 1; s.note(b[i]); } }
// expect TNSK
void step_by_lambda(const int b[16], int out[16], int n) { int d = 1; auto f = [&](int v) { d = v; }; for (int i = 0; i < n; i++) { for (int j = 0; j < 16; j += d) out[j] = 1; f(1 + (b[i] & 1)); } }
// expect TNSK
void start_by_pointer(const int b[16], int out[16], int n) { int s = 0, *p = &s; for (int i = 0; i < n; i++) { for (int j = s; j < 16; j++) out[j] = 1; *p = b[i] & 7; } }
// expect A
void bound_by_the_counter(const int b[16], int out[16], int n) { int m = 2; for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) out[j] = b[i]; set(m, i & 7); } }

// --- arrays of structs by value, and recursion

// expect NSK
int own_copy_by_data(Input s, const int b[16]) { for (int i = 0; i < 4; i++) { if (i == 3) s.t[b[i] & 7] = 1; } return s.t[0]; }
// expect A
int own_copy(Input s, const int b[16]) { for (int i = 0; i < 4; i++) s.t[i] += b[i]; return s.t[3]; }
// expect A
int own_copy_never_written(Input s, const int b[16]) { bool on = false; for (int i = 0; i < 4; i++) { if (on) s.t[0] = 1; on = false; } return s.t[1] + b[0]; }
static int walk(const int *b, int *out, int d) { out[d ? 0 : b[0] & 7] = 1; return d ? walk(b, out, d - 1) : 0; }
// expect NSK
int deep_in_recursion(const int b[16], int out[16]) { return walk(b, out, 20); }
static int down(const int *b, int *out, int d) { out[d] = b[d]; return d ? down(b, out, d - 1) : 0; }
// expect A
int recursion(const int b[16], int out[16]) { return down(b, out, 15); }
