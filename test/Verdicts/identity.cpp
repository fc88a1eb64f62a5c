// RUN: %python %S/verdicts.py %colonnade %s -- -w
//
// What is the same though it looks different, or the other way round: pointers that are
// equal at different addresses, addresses that are equal by different pointers, bytes
// that are no bool, functions that are not the library's. See leaks.cpp.

// --- the address of a pointer is an address too

// expect NSK
void equal_pointers(const int b[4], int a[4], int out[4]) { int *p[2] = {a, a}; out[0] = p[b[0] & 1][0]; }
// expect NSK
void store_equal_pointer(const int b[4], int a[4], int out[4]) { int *p[2] = {a, a}; p[b[0] & 1] = a; out[0] = p[0][1]; }
struct Item { int *q; int w; };
// expect NSK
void equal_pointers_in_structs(const int b[4], int a[4], int out[4]) { Item p[2] = {{a, 1}, {a, 2}}; out[0] = p[b[0] & 1].q[0]; }
// expect NSK
void unused_pointer(const int b[4], int a[4], int out[4]) { int *p[2] = {a, a}; int *q = p[b[0] & 1]; out[0] = 1; }
// expect NSK
void compared_pointer(const int b[4], int a[4], int out[4]) { int *p[4] = {a, a, a, a}; out[p[b[0] & 3] == a] = 1; }
// expect NSK
void null_pointers(const int b[4], int a[4], int out[4]) { int *p[2] = {nullptr, nullptr}; out[p[b[0] & 1] == nullptr] = 1; }
// expect A
void uniform_choice(const int b[4], int a[4], int out[4], int n) { int *p[2] = {a, a}; out[0] = p[n & 1][0] + b[0]; }
// expect A
void constant_choice(const int b[4], int a[4], int out[4]) { int *p[2] = {a, out}; out[0] = p[0][1] + b[0]; }

// --- parts of one object may be where the object is

struct Parts { int x; int y[3]; };
// expect NSKU
void first_field(Parts *s, const int b[4], int out[8]) { if ((void *)s == (void *)&s->x) out[b[0] & 7] = 1; else out[2] = 1; }
// expect NSKU
void whole_array(const int b[4], int out[8]) { int t[4] = {}; if ((void *)&t == (void *)t) out[b[0] & 7] = 1; }
// expect NSKU
void end_of_field(Parts *s, const int b[4], int out[8]) { if ((void *)(&s->x + 1) == (void *)&s->y[0]) out[b[0] & 7] = 1; }
// expect A
void same_array(int m[8], int out[8]) { for (int *p = m; p != m + 8; p++) *p = out[0]; }

// --- two objects may be at one address, or one may end where the other begins

// expect U
void equal_texts(const int b[4], int out[8]) { if ("ab" == "ab") out[b[0] & 7] = 1; }
// expect U
void texts_by_pointers(const int b[4], int out[8]) { const char *s = "ab", *t = "ab"; out[s == t] = b[0]; }
// expect U
void end_of_a_text(const int b[4], int out[8]) { const char *s = "xab"; out[s + 1 == "ab" ? 1 : 2] = b[0]; }
// expect U
void different_texts(const int b[4], int out[8]) { const char *s = "ab", *t = "cd"; out[s != t ? 1 : 2] = b[0]; }
// expect A
void one_text(const int b[4], int out[8]) { const char *s = "ab", *t = s; out[s == t ? 1 : 2] = b[0]; }
// expect A
void copied_text(const int b[4], int out[8]) { char s[] = "ab", t[] = "ab"; out[s == t ? 1 : 2] = b[0]; }
// expect U
void end_of_a_local(const int b[4], int out[8]) { int x[2] = {}, y[2] = {}; out[x + 2 == y ? 1 : 2] = b[0]; }
// expect U
void end_of_a_parameter(const int b[4], int a[4], int out[8]) { out[a + 4 != b ? 1 : 2] = b[0]; }
// expect U
void end_of_a_variable(const int b[4], int out[8]) { int x = 0, y = 0; out[&x + 1 == &y ? 1 : 2] = b[0]; }
// expect U
void end_by_a_size(const int b[4], int a[4], int out[8], int n) { out[a + n == out ? 1 : 2] = b[0]; }
// expect A
void starts(const int b[4], int a[4], int out[8]) { int x[2] = {}; out[a == out || x == a ? 1 : 2] = b[0]; }
// expect A
void before_the_end(const int b[4], int a[4], int out[8]) { int x[2] = {}; out[x + 1 == a ? 1 : 2] = b[0]; }

// --- a bool is 0 or 1, a byte is more

// expect U
void byte_through_bool(const int b[4], int out[8]) { bool f; *(unsigned char *)&f = 2; if (*(unsigned char *)&f == 2) out[b[0] & 7] = 1; }
// expect U
void byte_into_bool_array(const unsigned char b[4], bool f[4]) { ((unsigned char *)f)[0] = b[0]; }
// expect A
void bool_as_byte(const bool b[4], unsigned char out[4]) { out[0] = ((const unsigned char *)b)[1]; }
// expect A
void zero_byte_into_bool(bool f[4]) { *(unsigned char *)f = 0; ((unsigned char *)f)[1] = 1; }

// --- definitions that are not the last word

__attribute__((weak)) int weak_index(int x) { return 0; }
static int strong_index(int x) { return 0; }
// expect U
void weak_function(const int *b, int *out) { out[weak_index(b[0])] = 1; }
// expect A
void strong_function(int *out) { out[strong_index(1)] = 1; }
__attribute__((weak)) extern const int weak_constant = 1;
// expect U
void weak_variable(const int *b, int *out) { out[weak_constant] = b[0]; }
