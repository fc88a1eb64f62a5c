// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c++20
//
// Nests whose bounds, counters, steps and pointers change in the body, some only after several
// iterations of an outer loop: each refused where data decide it, or a twin with uniform values.

static void set(int &r, int v) { r = v; }
static void bump(int *p) { ++*p; }
struct St { int a = 0, b = 0, c = 0, d = 0, e = 0; void shift(int v) { e = d; d = c; c = b; b = a; a = v; } };
struct Ring { int t[6] = {0, 0, 0, 0, 0, 0}; int h = 0; void push(int v) { for (int i = 5; i > 0; i--) t[i] = t[i - 1]; t[0] = v; } };
// expect NSKTRU
void five_late(const int b[16], int out[16], int n) { St s; for (int i = 0; i < n; i++) { out[s.e & 15] = 1; s.shift(b[i]); } }
// expect NSKTRU
void ring_late(const int b[16], int out[16], int n) { Ring r; for (int i = 0; i < n; i++) { out[r.t[5] & 15] = 1; r.push(b[i]); } }
// expect AP
void five_late_uniform(const int b[16], int out[16], int n) { St s; for (int i = 0; i < n; i++) { out[s.e & 15] = b[i]; s.shift(i); } }
// expect NSKTRU
void nest3_bound(const int b[16], int out[16], int n) { int m = 2; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { for (int k = 0; k < m; k++) out[k & 15] = 1; if (i == 1 && j == 1) set(m, b[j]); } }
// expect NSKTRU
void nest4_bound(const int b[16], int out[16], int n) { int m = 1; for (int h = 0; h < n; h++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { for (int k = 0; k < m; k++) out[k & 15] = 1; if (h & i & j & 1) m = b[j]; } }
// expect NSKTRU
void inner_changes_outer_bound(const int b[16], int out[16], int n) { int m = n; for (int i = 0; i < m; i++) for (int j = 0; j < 2; j++) { out[i & 15] = 1; if (j) m = b[i] & 15; } }
// expect NSKTRU
void inner_changes_outer_counter(const int b[16], int out[16], int n) { for (int i = 0; i < n; i++) { out[i & 15] = 1; for (int j = 0; j < 2; j++) i += b[j] & 1; } }
// expect NSKTRU
void inner_changes_step(const int b[16], int out[16], int n) { int st = 1; for (int i = 0; i < n; i += st) { out[i & 15] = 1; for (int j = 0; j < 2; j++) { if (j == 1 && i > 2) st = 1 + (b[j] & 1); } } }
// expect AP
void bound_changes_uniformly(const int b[16], int out[16], int n) { int m = n; for (int i = 0; i < m; i++) { out[i & 15] = b[i & 15]; if (i == 1) m += 2; } }
// expect AP
void bound_shrinks(const int b[16], int out[16], int n) { for (int i = 0, j = n; i < j; i++, j--) { out[i & 15] = b[j & 15]; } }
// expect AP
void counter_changes(const int b[16], int out[16], int n) { for (int i = 0; i < n; i++) { out[i & 15] = b[i & 15]; if (i & 1) i++; } }
// expect AP
void step_changes(const int b[16], int out[16], int n) { int st = 1; for (int i = 0; i < n; i += st) { out[i & 15] = b[i & 15]; st++; } }
// expect AP
void nested_bounds(const int b[16], int out[16], int n) { int m = 1; for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { for (int k = j; k < m; k++) out[k & 15] += b[j & 15]; if (j == i) m++; if (m > 6) break; } } }
// expect AP
void bound_by_reference(const int b[16], int out[16], int n) { int m = n; int &r = m; for (int i = 0; i < m; i++) { out[i & 15] = b[0]; if (i == 0) r--; } }
// expect AP
void bound_in_array(const int b[16], int out[16], int n) { int lim[2] = {n, 3}; for (int i = 0; i < lim[i & 1]; i++) { out[i & 15] = b[0]; lim[1] = 5; } }
// expect AP
void two_phase(const int b[16], int out[16], int n) { int ph = 0; for (int i = 0; i < n; i++) { if (ph == 0 && i == 2) { ph = 1; i = 0; } out[i & 15] += b[i & 15]; } }
// expect AP
void unsigned_down(const int b[16], int out[16], unsigned n) { for (unsigned i = n; i-- > 0;) out[i & 15] = b[i & 15]; }
// expect AP
void byte_counter(const int b[16], int out[16], unsigned char n) { for (unsigned char i = 0; i != n; i += 3) out[i & 15] = b[i & 15]; }
// expect AP
void by_doubling(const int b[16], int out[16], int n) { for (int i = 1; i < n; i *= 2) out[i & 15] = b[i & 15]; }
// expect AP
void by_halving(const int b[16], int out[16], int n) { for (int i = n; i > 0; i /= 2) out[i & 15] = b[i & 15]; }
// expect AP
void collatz(const int b[16], int out[16], int n) { int k = 0; for (int i = 7; i != 1; i = i & 1 ? 3 * i + 1 : i / 2) out[k++ & 15] = b[i & 15]; }
// expect AP
void gcd_like(const int b[16], int out[16], int n, int m) { int x = n < 0 ? -n : n, y = m < 0 ? -m : m, k = 0; while (y && k < 20) { int t = x % y; x = y; y = t; out[k++ & 15] = b[x & 15]; } }
// expect NSKTRU
void gcd_of_data(const int b[16], int out[16], int n) { int x = n & 15, y = b[0] & 15, k = 0; while (y && k < 20) { int t = x % y; x = y; y = t; out[x & 15] = 1; k++; } }
// expect NSKTRU
void promoted_then_indexed(const int b[16], int out[16], int n) { int t[4] = {0, 0, 0, 0}; for (int i = 0; i < 4; i++) { out[t[3]] = 1; for (int j = 0; j < 4; j++) if (j == i) t[j] = b[j] & 7; for (int j = 3; j > 0; j--) t[j] = t[j - 1]; } }
// expect NSKTRU
void promoted_swapped(const int b[16], int out[16], int n) { int t[2] = {0, 0}; for (int i = 0; i < n; i++) { out[t[0]] = 1; int h = t[0]; t[0] = t[1]; t[1] = h + (b[i] & 1); } }
// expect NSKTRU
void pointer_moves_on(const int b[16], int out[16], int n) { int k[3] = {0, 0, 0}; int *p = k; for (int i = 0; i < 3; i++) { out[k[1]] = 1; *p++ = b[i] & 7; } }
// expect NSKTRU
void pointer_retargeted(const int b[16], int out[16], int n) { int k = 0, l = 0, *p = &l; for (int i = 0; i < n; i++) { *p = b[i] & 7; out[k] = 1; if (i == 2) p = &k; } }
// expect NSKTRU
void pointer_retargeted_deep(const int b[16], int out[16], int n) { int k = 0, l = 0, *p = &l; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { for (int h = 0; h < 2; h++) *p = b[i] & 7; out[k] = 1; if (i == 2 && j == 1) p = &k; } }
// expect AP
void pointer_retargeted_away(const int b[16], int out[16], int n) { int k = 0, l = 0, *p = &l; for (int i = 0; i < n; i++) { *p = b[i] & 7; out[k] = l; if (i == 2) p = &l; } }
// expect NSKTRU
void called_with_pointer(const int b[16], int out[16], int n) { int k = 0; for (int i = 0; i < n; i++) { out[k & 7] = 1; if (b[i]) bump(&k); } }
// expect AP
void called_with_pointer_uniform(const int b[16], int out[16], int n) { int k = 0; for (int i = 0; i < n; i++) { out[k & 7] = b[i]; if (i & 1) bump(&k); } }
// expect NSKTRU
void flag_latched(const int b[16], int out[16], int n) { bool f = false, g = false; for (int i = 0; i < n; i++) { if (g) out[b[i] & 7] = 1; if (f) g = true; if (i == 3) f = true; } }
// expect NSKTRU
void exit_flag_latched(const int b[16], int out[16], int n) { bool stop = false; int k = 0; for (int i = 0; i < n && !stop; i++) { k++; for (int j = 0; j < 2; j++) if (b[i] == j) stop = true; } out[k & 7] = 1; }
// expect AP
void exit_flag_only(const int b[16], int out[16], int n) { bool stop = false; int k = 0; for (int i = 0; i < n && !stop; i++) { k++; for (int j = 0; j < 2; j++) if (b[i] == j) stop = true; } out[0] = k; }
// expect NSKTRU
void once_loop_in_switch(const int b[16], int out[16], int n) { int again = 0; for (int i = 0; i < n; i++) { int j = 0; switch (i & 1) { case 0: do { out[j & 7] = 1; j++; } while (again && j < 100000 + b[0]); break; case 1: again = b[i]; } } }
// expect NSKTRU
void never_loop_runs(const int b[16], int out[16], int n) { int c = 0; for (int i = 0; i < n; i++) { int j = 0; while (j < c) out[j++ & 7] = 1; set(c, b[i] & 7); } }
// expect NSKTRU
void never_branch_in_callee(const int b[16], int out[16], int n) { struct F { int on = 0; void go(const int *b, int *o, int i) { if (on > 2) o[b[i] & 7] = 1; on++; } } f; for (int i = 0; i < n; i++) f.go(b, out, i); }
// expect AP
void always_zero(const int b[16], int out[16], int n) { int on = 0; for (int i = 0; i < n; i++) { if (on) out[b[i] & 7] = 1; on = on & b[i]; on *= 0; } }
// expect NSKTRU
void early_return_state(const int b[16], int out[16], int n) { int k = 0; auto f = [&](int v) { if (v > 3) return; k++; }; for (int i = 0; i < n; i++) { f(b[i]); } out[k & 7] = 1; }
// expect NSKTRU
void masked_before_counter(const int b[16], int out[16], int n) { int i = 0; if (b[0]) i = 3; for (; i < n; i++) out[i & 15] = 1; }
// expect NSKTRU
void masked_array_bound(const int b[16], int out[16], int n) { int lim[2] = {2, 3}; if (b[0]) lim[0] = 4; for (int i = 0; i < lim[0]; i++) out[i] = 1; }
// expect NSKTRU
void loop_carried_struct(const int b[16], int out[16], int n) { struct T { int x, y; } s = {0, 0}; for (int i = 0; i < n; i++) { T t = s; out[t.y & 7] = 1; t.y = t.x; t.x = b[i]; s = t; } }
// expect NSKTRU
void wide_then_narrow(const int b[16], int out[16], int n) { unsigned char k = 0; for (int i = 0; i < n; i++) { out[k & 7] = 1; k = k * 256 + b[i]; } }
// expect AP
void wide_then_narrow_zero(const int b[16], int out[16], int n) { unsigned char k = 0; for (int i = 0; i < n; i++) { out[k & 7] = b[i]; k = k * 2 + 1; } }
// expect NSKTRU
void shifted_in(const int b[16], int out[16], int n) { unsigned w = 0; for (int i = 0; i < n; i++) { out[w >> 24 & 7] = 1; w = w << 8 | (b[i] & 255); } }
// expect NSKTRU
void recursion_state(const int b[16], int out[16], int n) { int k = 0; struct R { static void go(const int *b, int *o, int &k, int d) { o[k & 7] = 1; if (d == 2) k = b[0]; if (d < 4) go(b, o, k, d + 1); } }; R::go(b, out, k, 0); }
