// RUN: %python %S/verdicts.py %colonnade %s -- -w -std=c17
//
// Cells that are not where a subscript says: behind the end of an array in a struct are the
// next fields, which loops and copies reach too; and structs of one name need not be one.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct Fields { int a[2]; int b[2]; };
struct Bytes { uint8_t a[2], b[2]; };
struct Rows { int m[2][3]; int k; };
struct Keyed { int t[3]; int k; };
struct Outer { struct Keyed in[2]; int last; };
struct __attribute__((aligned(8))) Padded { uint8_t b[3]; };
static void copy_bytes(void *to, const void *from, size_t n) { memcpy(to, from, n); }

// expect U
// -- --extent s=2
void loop_over_two(struct Fields *s, const int *x) { for (int i = 0; i < 4; i++) s->a[i] = x[i]; }
// expect U
// -- --extent s=2
void loop_from_first(const struct Fields *s, int *out) { const int *p = (const int *)s; for (int i = 0; i < 4; i++) out[i] = p[i]; }
// expect U
// -- --extent s=2
void loop_in_front(const struct Fields *s, int *out) { for (int i = 0; i < 2; i++) out[i] = s[1].b[i - 2]; }
// expect U
void loop_without_extent(struct Fields *s, int *out) { for (int i = 0; i < 4; i++) out[i] = s->a[i]; }
// expect U
// -- --extent s=2
void loop_beyond_rows(struct Rows *s, const int *x) { int *p = &s->m[0][0]; for (int i = 0; i < 7; i++) p[i] = x[i]; }
// expect U
// -- --extent s=2
void loop_beyond_structs(struct Outer *s, const int *x) { for (int i = 0; i < 3; i++) s->in[i].k = x[i]; }
// expect U
// -- --extent s=2
void copy_of_two(const struct Fields *s, int *out) { memcpy(out, s->a, 16); }
// expect U
// -- --extent s=2
void copy_of_two_as_bytes(const struct Bytes *s, uint8_t *out) { copy_bytes(out, s, 4); }
// expect U
// -- --extent s=2
void copy_of_padding(const struct Padded *s, uint8_t *out) { copy_bytes(out, s, 16); }
// expect U
// -- --extent s=2
void fill_of_two(struct Fields *s, const int *x) { memset(s->a, 0, 16); s->b[0] += x[0]; }
// expect U
void index_behind_loop(const int *x, int *out) { struct Keyed s[2] = {0}; for (int i = 0; i < 4; i++) s[0].t[i] = x[i] & 7; out[s[0].k] = 1; }
// expect U
void index_behind_copy(const int *x, int *out) { struct Keyed s[2] = {0}; memcpy(s[0].t, x, 16); out[s[0].k & 7] = 1; }
// expect U
void index_behind_pointer(const int *x, int *out) { struct Keyed s[2] = {0}; int *p = s[0].t; for (int i = 0; i < 4; i++) *p++ = x[i] & 7; out[s[0].k] = 1; }
// expect U
void one_name_two_structs(const int *x, int *out) { struct T { int a[2]; int b; }; struct T s = {{0, 1}, 2}; { struct T { int a; int b[2]; }; struct T *q = (struct T *)&s; q->b[0] = x[0] & 7; } out[s.a[1]] = 1; }
// expect U
void one_name_other_order(const int *x, int *out) { struct T { int a; int b; int c[2]; }; struct T s = {0, 1, {2, 3}}; { struct T { int a[2]; int b; int c; }; struct T *q = (struct T *)&s; q->b = x[0] & 7; } out[s.c[0]] = 1; }
// expect U
void no_names(const int *x, int *out) { struct { int a[2]; int b; } s = {{0, 1}, 2}; typedef struct { int a; int b[2]; } U; U *q = (U *)&s; q->b[0] = x[0] & 7; out[s.a[1]] = 1; }

// expect A
// -- --extent s=2
void loop_in_both(struct Fields *s, const int *x) { for (int j = 0; j < 2; j++) for (int i = 0; i < 2; i++) { s[j].a[i] = x[i]; s[j].b[1 - i] = x[i]; } }
// expect A
// -- --extent s=2
void loop_over_rows(struct Rows *s, const int *x) { int *p = &s->m[0][0]; for (int i = 5; i >= 0; i--) p[i] = x[i]; }
// expect A
// -- --extent s=2
void copy_of_rows(struct Rows *s, const int *x) { memcpy(s->m, x, sizeof s->m); }
// expect A
// -- --extent s=2
void loop_over_structs(struct Outer *s, const int *x) { for (int i = 0; i < 2; i++) s->in[i].k = x[i]; }
// expect A
void index_in_front_of_end(const int *x, int out[8]) { struct Keyed s = {0}; for (int i = 0; i < 3; i++) s.t[i] = x[i] & 7; out[s.k] = 1; }
// expect A
void one_struct_twice(const int *x, int out[8]) { struct T { int a; int b; }; struct T s = {0, 1}; { struct T { int a; int b; }; struct T *q = (struct T *)&s; q->b = x[0] & 7; } out[s.a] = 1; }
