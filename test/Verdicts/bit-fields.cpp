// RUN: %python %S/verdicts.py %colonnade %s
//
// Bit-fields are cells of their own, cut to their width. None has an address that a view of
// other types, or a caller, could give it.
#include <cstdint>
#include <cstring>

struct Bits {
  unsigned low : 3;
  int high : 5;
  bool flag : 1;
};
struct Mixed {
  int whole;
  unsigned bits : 4;
};
static const Bits table[2] = {{1, -3, true}, {7, 4, false}};

// expect NSK
int leaks(const int *a, const int *b) { Bits w{}; w.low = b[0]; return a[w.low]; }
// expect A
int neighbour(const int *a, const int *b) { Bits w{}; w.low = b[0]; return a[w.high]; }
// expect NSK
int by_assigned_value(const int *a, const int *b) { Bits w{}; return a[w.low = b[0]]; }
// expect NSK
int by_increment(const int *a, const int *b) { Bits w{}; w.low = b[0]; return a[++w.low]; }
// expect NSK
int by_compound(const int *a, const int *b) { Bits w{}; w.low |= b[0]; return a[w.low]; }
// expect NSK
int by_copy(const int *a, const int *b) { Bits w{}, v{}; w.low = b[0]; v = w; return a[v.low]; }
// expect A
int by_overwritten_copy(const int *a, const int *b) { Bits w{}, v{}; w.low = b[0]; w = v; return a[w.low]; }
// expect NSK
int by_flag(const int *a, const int *b) { Bits w{}; w.flag = b[0]; return a[w.flag]; }
// expect NSK
int by_initialiser(const int *a, const int *b) { Bits w{unsigned(b[0] & 7), 0, false}; return a[w.low]; }
// expect NSK
int by_binding(const int *a, const int *b) { Bits w{}; auto &[low, high, flag] = w; low = b[0]; return a[w.low]; }
// expect NSK
int by_memcpy(const int *a, const int *b) { Bits w{}, v{}; w.low = b[0]; std::memcpy(&v, &w, sizeof v); return a[v.low]; }
// expect NSK
int in_array(const int *a, const int *b) { Bits w[3]{}; w[1].low = b[0]; return a[w[1].low]; }
// expect A
int beside_array(const int *a, const int *b) { Bits w[3]{}; w[1].low = b[0]; return a[w[0].high]; }
// expect A
int constants(const int *a) { return a[table[1].low] + a[table[0].high + 3]; }
// expect RKSN
int table_by_data(const int *b) { return table[b[0] & 1].low; }

// Which bits of the whole these are, depends on the compiler.
// expect U
int view(const int *a, const int *b) { Bits w{}; w.low = b[0]; return a[*(unsigned *)&w & 7]; }
// expect U
int view_by_bytes(const int *a, const int *b) { Bits w{}; w.low = b[0]; return a[((unsigned char *)&w)[0] & 7]; }
// expect U
int view_by_memcpy(const int *a, const int *b) { Bits w{}; w.low = b[0]; unsigned v = 0; std::memcpy(&v, &w, sizeof v); return a[v & 7]; }
// expect U
int compared(const int *a, const int *b) { Bits w{}, v{}; w.low = b[0]; return std::memcmp(&v, &w, sizeof v) == 0 ? a[0] : a[1]; }
// expect U
int filled(const int *a) { Bits w; std::memset(&w, 0x55, sizeof w); return a[w.low]; }
// expect A
int zeroed(const int *a, const int *b) { Bits w{}; w.low = b[0]; std::memset(&w, 0, sizeof w); return a[w.low]; }
// expect U
int chosen_place(const int *a, const int *b) { Bits w{}, v{}; (b[0] ? w.low : v.low) = 9; return a[w.low]; }

// The caller's bit-fields have no array. What stands beside them has.
// expect U
int of_parameter(const Mixed *p) { return p->bits; }
// expect U
void to_parameter(Mixed *p, const int *b) { p->bits = b[0]; }
// expect U
int of_value(Mixed p) { return p.bits; }
// expect U
void copied_out(Mixed *p, const Mixed *q) { *p = *q; }
// expect U
int through_bytes(unsigned char *p) { return ((Mixed *)p)->bits; }
// expect A
int beside_parameter(const Mixed *p) { return p->whole; }
