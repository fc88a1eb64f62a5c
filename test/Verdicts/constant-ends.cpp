// RUN: %python %S/verdicts.py %colonnade %s --validate -- -w -std=c++20
//
// `do` loops whose condition is constant though it is made of several: what is not evaluated is no loss, and what is counts.
// expect AP
int t1(int a[8], int b[8], int n) { int i = 0; do { i++; a[0] ^= i; } while (0 && i != n); return i; }
// expect AP
int t2(int a[8], int b[8], int n) { int i = 0; do { i++; a[0] ^= i; } while (false && b[a[0] & 7]); return i; }
// expect AP
int t3(int a[8], int b[8], int n) { int i = 0; do { i++; a[0] ^= i; } while (!(1 || i != n)); return i; }
// expect AP
int t4(int a[8], int b[8], int n) { int i = 0; do { i++; a[0] ^= i; } while (0 ? i < n : 0); return i; }
template <bool B> int until(int *a, int n) { int i = 0; do { i++; a[0] ^= i; } while (B && i < n); return i; }
// expect AP
int t5(int a[8], int b[8], int n) { return until<false>(a, n); }
// expect NSKTRU
int x1(int a[8], int b[8], int n) { int i = 0; do { i++; a[0] ^= i; } while ((+b[a[0] & 7], 0)); return i; }
// expect NSKTRU
int x2(int a[8], int b[8], int n) { int i = 0; do { i++; a[0] ^= i; } while (b[a[0] & 7]++ && 0); return i; }
// expect NSKTRU
int x3(int a[8], int b[8], int n) { int i = 0; do { i++; b[a[0] & 7] ^= i; } while (0 && i != n); return i; }
