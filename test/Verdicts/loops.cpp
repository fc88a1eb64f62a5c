// RUN: %python %S/verdicts.py %colonnade %s
//
// Counters and bounds of all shapes and types, each as a loop that data may leave
// and, where that says more, as a plain one. A data exit needs a loop that ends
// by its counter: at all sizes, or at those that the launch checks.
#include <cstddef>
#include <cstdint>

#define LEAVE                                                                                                \
  if (b[i & 7] < 0) return 1

// expect P
int s_lt_u(const int *b, unsigned n) {
  for (int i = 0; i < n; i++) LEAVE;
  return 0;
}
// expect A
void s_lt_u_plain(int *b, unsigned n) {
  for (int i = 0; i < n; i++) b[i] = 1;
}
// expect P
int s_lt_size(const int *b, size_t n) {
  for (int i = 0; i < n; i++) LEAVE;
  return 0;
}
// expect A
void s_lt_size_plain(int *b, size_t n) {
  for (int i = 0; i < n; i++) b[i] = 1;
}
// expect P
int z_lt_s(const int *b, int n) {
  for (size_t i = 0; i < n; i++) LEAVE;
  return 0;
}
// expect A
void z_lt_s_plain(int *b, int n) {
  for (size_t i = 0; i < n; i++) b[i] = 1;
}
// expect P
int u_lt_s(const int *b, int n) {
  for (unsigned i = 0; i < n; i++) LEAVE;
  return 0;
}
// expect A
void u_lt_s_plain(int *b, int n) {
  for (unsigned i = 0; i < n; i++) b[i] = 1;
}
// expect P
int u8_200(const int *b) {
  for (uint8_t i = 0; i < 200; i++) LEAVE;
  return 0;
}
// expect A
void u8_200_plain(int *b) {
  for (uint8_t i = 0; i < 200; i++) b[i] = 1;
}
// expect T
int u8_256(const int *b) {
  for (uint8_t i = 0; i < 256; i++) LEAVE;
  return 0;
}
// expect T
int u8_n(const int *b, int n) {
  for (uint8_t i = 0; i < n; i++) LEAVE;
  return 0;
}
// expect A
void u8_n_plain(int *b, int n) {
  for (uint8_t i = 0; i < n; i++) b[i] = 1;
}
// expect P
int u8_u8(const int *b, uint8_t n) {
  for (uint8_t i = 0; i < n; i++) LEAVE;
  return 0;
}
// expect P
int u8_le_u8(const int *b, uint8_t n) {
  for (uint8_t i = 0; i <= n; i++) LEAVE;
  return 0;
}
// expect P
int ne(const int *b, int n) {
  for (int i = 0; i != n; i++) LEAVE;
  return 0;
}
// expect P
int une(const int *b, unsigned n) {
  for (unsigned i = 0; i != n; i++) LEAVE;
  return 0;
}
// expect P
int ne_u(const int *b, unsigned n) {
  for (int i = 0; i != n; i++) LEAVE;
  return 0;
}
// expect P
int ne_size(const int *b, size_t n) {
  for (int i = 0; i != n; i++) LEAVE;
  return 0;
}
// expect P
int ne2(const int *b, int n) {
  for (unsigned i = 0; i != n; i += 2) LEAVE;
  return 0;
}
// expect P
int ne2s(const int *b, int n) {
  for (int i = 0; i != n; i += 2) LEAVE;
  return 0;
}
// expect P
int le(const int *b, int n) {
  for (int i = 0; i <= n; i++) LEAVE;
  return 0;
}
// expect P
int ule(const int *b, unsigned n) {
  for (unsigned i = 0; i <= n; i++) LEAVE;
  return 0;
}
// expect P
int ult3(const int *b, unsigned n) {
  for (unsigned i = 0; i < n; i += 3) LEAVE;
  return 0;
}
// expect P
int slt3(const int *b, int n) {
  for (int i = 0; i < n; i += 3) LEAVE;
  return 0;
}
// expect P
int ustep(const int *b, unsigned n, unsigned k) {
  for (unsigned i = 0; i < n; i += k) LEAVE;
  return 0;
}
// expect P
int sstep(const int *b, int n, int k) {
  for (int i = 0; i < n; i += k) LEAVE;
  return 0;
}
// expect P
int down(const int *b, int n) {
  for (int i = n; i-- > 0;) LEAVE;
  return 0;
}
// expect P
int udown(const int *b, unsigned n) {
  for (unsigned i = n; i-- > 0;) LEAVE;
  return 0;
}
// expect P
int zdown(const int *b, size_t n) {
  for (size_t i = n; i-- > 0;) LEAVE;
  return 0;
}
// expect P
int zdown0(const int *b, size_t n) {
  for (size_t i = n; i--;) LEAVE;
  return 0;
}
// expect P
int sge(const int *b, int n) {
  for (int i = n - 1; i >= 0; i--) LEAVE;
  return 0;
}
// expect P
int sge_size(const int *b, size_t n) {
  for (int i = n - 1; i >= 0; i--) LEAVE;
  return 0;
}
// expect P
int whilen(const int *b, int n) {
  int i = 0;
  while (n--) {
    LEAVE;
    i++;
  }
  return 0;
}
// expect P
int whileun(const int *b, unsigned n) {
  int i = 0;
  while (n--) {
    LEAVE;
    i++;
  }
  return 0;
}
// expect P
int whileu8(const int *b, uint8_t n) {
  int i = 0;
  while (n--) {
    LEAVE;
    i++;
  }
  return 0;
}
// expect A
int whileu8_plain(const int *b, uint8_t n) {
  int i = 0, s = 0;
  while (n--) {
    s += b[i];
    i++;
  }
  return s;
}
// expect A
int whilen_plain(const int *b, int n) {
  int i = 0, s = 0;
  while (n--) {
    s += b[i];
    i++;
  }
  return s;
}
// expect P
int whilen_ptr(const int *b, size_t n) {
  while (n--) {
    if (*b++ < 0) return 1;
  }
  return 0;
}
// expect P
int whilepn(const int *b, size_t n) {
  while (n) {
    if (*b++ < 0) return 1;
    --n;
  }
  return 0;
}
// expect P
int ptr_end(const int *b, int n) {
  const int *end = b + n;
  for (const int *p = b; p != end; ++p)
    if (*p < 0) return 1;
  return 0;
}
// expect P
int ptr_lt(const int *b, size_t n) {
  const int *end = b + n;
  for (const int *p = b; p < end; ++p)
    if (*p < 0) return 1;
  return 0;
}
// expect A
int ptr_end_plain(const int *b, size_t n) {
  int s = 0;
  for (const int *p = b, *end = b + n; p != end; ++p) s += *p;
  return s;
}
// expect P
int ptr_struct(const int *b, unsigned n) {
  const int *end = b + n;
  while (b < end && *b != 0) b += 1;
  return b != end;
}
// expect P
int ptr_down(const int *b, int n) {
  for (const int *p = b + n; p != b;)
    if (*--p < 0) return 1;
  return 0;
}
// expect P
int ptr_step2(const int *b, int n) {
  for (const int *p = b, *e = b + n; p < e; p += 2)
    if (*p < 0) return 1;
  return 0;
}
// expect P
int dow(const int *b, unsigned n) {
  int i = 0;
  do { LEAVE; } while (++i < n);
  return 0;
}
// expect T
int shl(const int *b, unsigned n) {
  for (unsigned i = 1; i < 1024; i <<= 1) LEAVE;
  return 0;
}
// expect P
int s64lt_u(const int *b, unsigned n) {
  for (long i = 0; i < n; i++) LEAVE;
  return 0;
}
// expect P
int s64lt_size(const int *b, size_t n) {
  for (long i = 0; i < n; i++) LEAVE;
  return 0;
}
// expect P
int lim_cast(const int *b, size_t n) {
  for (int i = 0; i < (int)n; i++) LEAVE;
  return 0;
}
// expect P
int sizeofbound(const int *b) {
  for (int i = 0; i < sizeof(int) * 4; i++) LEAVE;
  return 0;
}
// expect P
int s16lim(const int *b) {
  for (short i = 0; i < 200; i++) LEAVE;
  return 0;
}
// expect P
int expr(const int *b, unsigned n) {
  for (int i = 0; i + 1 < n; i++) LEAVE;
  return 0;
}
// expect P
int expr2(const int *b, unsigned n) {
  for (int i = 0; i < n - 1; i++) LEAVE;
  return 0;
}
// expect P
int half(const int *b, unsigned n) {
  for (int i = 0; i < n / 2; i++) LEAVE;
  return 0;
}
// expect P
int prod(const int *b, int w, int h) {
  for (int i = 0; i < w * h; i++) LEAVE;
  return 0;
}
// expect T
int sq(const int *b, int n) {
  for (int i = 2; i * i <= n; i++) LEAVE;
  return 0;
}
// expect N
int mutated(const int *b, unsigned n) {
  for (int i = 0; i < n; i++) {
    LEAVE;
    if (b[i & 7] == 5) i--;
  }
  return 0;
}
// expect T
int cond_and(const int *b, unsigned n) {
  int i = 0;
  while (b[i & 7] != 0 && i < n) i++;
  return i;
}
// expect P
int cond_and2(const int *b, unsigned n) {
  int i = 0;
  while (i < n && b[i & 7] != 0) i++;
  return i;
}
// expect P
int strnlen_like(const char *s, size_t n) {
  const char *p = s;
  while (n-- && *p) p++;
  return p - s;
}

// `i >= 0` holds for every unsigned i.
// expect T
int never_below(const int *b, size_t n) {
  for (size_t i = n; i >= 0; i--) LEAVE;
  return 0;
}
// expect T
int wrong_way(const int *b, int n) {
  for (int i = 0; i < n; i--) LEAVE;
  return 0;
}
// The idiom that ends by wrapping to the largest value.
// expect P
int wraps_to_end(const int *b, size_t n) {
  for (size_t i = n - 1; i < n; i--) LEAVE;
  return 0;
}
// (int)i < 100 also holds where i >= 2^31: not the same as i < 100.
// expect T
int narrowed_test(const int *b) {
  for (unsigned i = 0; (int)i < 100; i += 3) LEAVE;
  return 0;
}
// The bound is data, whatever it is converted to.
// expect NKT
int bound_from_data(const int *b) {
  for (int i = 0; i < (unsigned)b[0]; i++) LEAVE;
  return 0;
}
// A signed counter that data advances.
// expect NKT
int advanced_by_data(const int *b, unsigned n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += b[i];
    if (b[i & 7] < 0) i++;
  }
  return s;
}
// The counter outlives the loop that data leaves.
// expect NKT
int counter_outlives(const int *a, const int *b, unsigned n) {
  int i = 0;
  for (; i < n; i++)
    if (b[i & 7] < 0) break;
  return a[i];
}
