// Extents that are derived from the accesses, and accesses that leave theirs.
//
// RUN: %colonnade check %s --verbose -f stencil -f triangle -f backward -f guarded -f pairs -f image -f rows | FileCheck %s
// RUN: not %colonnade check %s -f beyond --extent b=n 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: %colonnade check %s -f next_row 2>&1 | FileCheck %s --check-prefix=NEXT
// RUN: not %colonnade check %s -f behind_last_row 2>&1 | FileCheck %s --check-prefix=BEHIND
// RUN: not %colonnade check %s -f below 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: %colonnade check %s --verbose -f gather --uniform perm 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: %colonnade check %s -f wrapped 2>&1 | FileCheck %s --check-prefix=WRAPPED
// RUN: %colonnade check %s --verbose -f remainder -f quotient -f until_equal -f until_equal_signed -f stepped -f begins_anew -f below_start -f below_limit -f at_least_once 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %colonnade check %s --verbose -f half -f from_zero -f behind -f byte -f word -f down -f above_start -f once_or_more -f by_three 2>&1 | FileCheck %s --check-prefix=KNOWN

void stencil(const float *a, float *b, int n) {
  for (int i = 1; i < n - 1; i++)
    b[i] = a[i - 1] + a[i] + a[i + 1];
}
// CHECK: stencil: accept, class A
// CHECK: a: instance, in, f32[n]
// CHECK: b: instance, out, f32[n-1]
// CHECK: accesses per instance: 4*max(n-2, 0)

void triangle(double *m, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      m[i * n + j] = 0;
}
// CHECK: triangle: accept, class A
// CHECK: m: instance, out, f64[n*n]
// CHECK: accesses per instance: n*(n+1)/2

void backward(int *b, int n) {
  for (int i = n - 1; i >= 0; i--)
    b[i + 1] = b[i];
}
// CHECK: b: instance, inout, s32[n+1]

void guarded(int *b, int n) {
  for (int i = 0; i < n; i++)
    if (i + 1 < n)
      b[i] = b[i + 1];
}
// CHECK: guarded: accept, class A
// CHECK: b: instance, inout, s32[n]

void pairs(int *b, int n) {
  for (int i = 0; i + 1 < n; i += 2)
    b[i] += b[i + 1];
}
// CHECK: pairs: accept, class A
// CHECK: b: instance, inout, s32[

void image(unsigned char *pixels, int width, int height) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      pixels[y * width + x] = 255 - pixels[y * width + x];
}
// CHECK: pixels: instance, inout, u8[{{height\*width|width\*height}}]

// A pointer into a row that stays in it; the twins below reach the next row, which is
// still the array, and what is behind the last.
void rows(const float *a, float *b) {
  float t[4][8], *x = t[1];
  for (int i = 0; i < 8; i++)
    x[i] = a[i];
  *b = t[1][7];
}
// CHECK: rows: accept, class A

void next_row(const float *a, float *b) {
  float t[4][8], *x = t[1];
  for (int i = 0; i <= 8; i++)
    x[i] = a[i];
  *b = t[1][7];
}
// NEXT: next_row: accept, class A

void behind_last_row(const float *a, float *b) {
  float t[4][8], *x = t[3];
  for (int i = 0; i <= 8; i++)
    x[i] = a[i];
  *b = t[1][7];
}
// BEHIND: error: this access to 't' reaches cell 32, outside its extent of 32{{.*}}[OBL303, class U]

void beyond(float *b, int n) {
  for (int i = 0; i <= n; i++)
    b[i] = 0;
}
// BEYOND: error: this access to 'b' reaches cell n, outside its extent of n{{.*}}[OBL303, class U]
// BEYOND: beyond: unsupported, class U

void below(float *b) {
  float t[4];
  for (int i = 0; i < 4; i++)
    t[i] = b[i];
  for (int i = 3; i >= 0; i--)
    b[i] = t[i - 1];
}
// BELOW: error: this access to 't' reaches cell -1, outside its extent of 4{{.*}}[OBL303, class U]

void gather(float *b, const int *perm, int n) {
  for (int i = 0; i < n; i++)
    b[perm[i]] = 0;
}
// GATHER: warning: the extent of 'b' cannot be derived from its accesses; give one that holds for every instance, such as --extent b=1000, or COLONNADE_EXTENT [OBL103]
// GATHER: gather: accept, class A
// GATHER: perm: uniform, in, s32[n]

// Below zero cells there are none: no iteration runs.
// RUN: %colonnade trace %s -f below_zero --arg n=0 | count 0
// RUN: %colonnade trace %s -f below_zero --arg n=3 | count 1
void below_zero(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < i; j++)
      a[j] = 1;
}

// A number without a sign that wraps below zero is large, and so is what is left of it.
// WRAPPED: wrapped: accept, class A
void wrapped(long *a, int n) {
  static const long table[6] = {5, 5, 3, 4, 5, 5};
  unsigned u = (unsigned)((n - n) % 4);
  a[0] += table[(u - 's') % 6u];
}

// Where n < k, n - k is 2^32 less than nothing.
// UNKNOWN: the extent of 'a' cannot be derived
// UNKNOWN: remainder: accept, class A
void remainder(int *a, unsigned n, unsigned k, unsigned m) { a[(n - k) % m] = 1; }
// UNKNOWN: the extent of 'a' cannot be derived
// UNKNOWN: quotient: accept, class A
void quotient(int *a, unsigned n, unsigned k) { a[(n - k) / 3 % 5] = 1; }
// KNOWN: half: accept, class A
// KNOWN: a: instance, out, s32[(n-1)/2+1]
void half(int *a, unsigned n) { a[(n - 1) / 2] = 1; }

// A counter that begins behind its limit wraps to it: 256 + m - n iterations.
// UNKNOWN: the extent of 'a' cannot be derived
// UNKNOWN: until_equal: accept, class A
// UNKNOWN: accesses per instance: no closed form
void until_equal(int *a, unsigned char n, unsigned char m) {
  for (unsigned char i = n; i != m; i++)
    a[i] = 1;
}
// KNOWN: from_zero: accept, class A
// KNOWN: a: instance, out, s32[m]
// KNOWN: accesses per instance: m
void from_zero(int *a, unsigned char m) {
  for (unsigned char i = 0; i != m; i++)
    a[i] = 1;
}

// So does a signed one that is narrower than int: the sum is cut to its type.
// UNKNOWN: the extent of 'a' cannot be derived
// UNKNOWN: until_equal_signed: accept, class A
// UNKNOWN: accesses per instance: no closed form
void until_equal_signed(int *a, short n, short m) {
  for (short i = n; i != m; i++)
    a[i + 32768] = 1;
}
// KNOWN: behind: accept, class A
// KNOWN: accesses per instance: 254
void behind(int a[256]) {
  for (signed char i = 2; i != 0; i++)
    a[i + 128] = 1;
}

// A limit is its value, and no number below zero of the same bits.
// KNOWN: byte: accept, class A
// KNOWN: a: instance, inout, s32[200]
// KNOWN: accesses per instance: 396
void byte(int *a) {
  for (unsigned char i = 2; i < 200; i++)
    a[i] ^= 1;
}
// KNOWN: word: accept, class A
// KNOWN: accesses per instance: max(n-3000000000, 0)
void word(int *a, unsigned n) {
  for (unsigned i = 3000000000u; i < n; i++)
    *a = 1;
}
// KNOWN: down: accept, class A
// KNOWN: a: instance, out, s32[n]
// KNOWN: accesses per instance: n
void down(int *a, unsigned n) {
  for (unsigned i = n - 1; i != 4294967295u; i--)
    a[i] = 1;
}
// KNOWN: above_start: accept, class A
// KNOWN: accesses per instance: max((2*n-1)/2, 0)
void above_start(int *a, unsigned n) {
  for (unsigned i = n + 2; i < 3 * n; i += 2)
    *a = 1;
}
// Where n is below 7, 0 to 6 less 7 is 249 to 255, and it goes on.
// UNKNOWN: stepped: accept, class A
// UNKNOWN: accesses per instance: no closed form
void stepped(int *a, unsigned char n) {
  for (unsigned char i = 106; i >= n; i -= 7)
    *a = 1;
}
// UNKNOWN: begins_anew: accept, class A
// UNKNOWN: accesses per instance: no closed form
void begins_anew(int *a, unsigned char n) {
  unsigned char i = 255;
  do {
    *a = 1;
    i++;
  } while (i < n);
}
// An unsigned start below zero is beyond every limit, so is a limit on the way down.
// UNKNOWN: below_start: accept, class A
// UNKNOWN: accesses per instance: no closed form
void below_start(int *a, unsigned n) {
  for (unsigned i = n - 2; i < 3 * n; i += 2)
    *a = 1;
}
// UNKNOWN: below_limit: accept, class A
// UNKNOWN: accesses per instance: no closed form
void below_limit(int *a, unsigned n) {
  for (unsigned i = 3 * n; i > n - 2; i--)
    *a = 1;
}

// Tested behind the body: a[i] is written also where i > m.
// UNKNOWN: the extent of 'a' cannot be derived
// UNKNOWN: at_least_once: accept, class A
void at_least_once(int *a, int n, int m) {
  for (int i = 0; i < n; i++) {
    int j = i;
    do
      a[j++] = 1;
    while (j < m);
  }
}
// KNOWN: once_or_more: accept, class A
// KNOWN: a: instance, out, s32[max(n-m, 1)]
void once_or_more(int *a, int n, int m) {
  int j = 0;
  do
    a[j++] = 1;
  while (j < n - m);
}
// Its number of iterations is a quotient, which may be below 1.
// KNOWN: by_three: accept, class A
// KNOWN: a: instance, out, s32[3*max((n-115)/3, 1)+115]
void by_three(int *a, long n) {
  long i = 117;
  do {
    a[i] = 1;
    i += 3;
  } while (i < n);
}
