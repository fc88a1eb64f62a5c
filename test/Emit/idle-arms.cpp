// An arm with uniform arithmetic is not run where no lane is active: a sum of sizes may overflow there, which vectors may and
// scalars must not.
// RUN: rm -rf %t && %colonnade emit %s -f sum -f converted -f shifted --target cpu -o %t
// RUN: FileCheck %s --check-prefix=SUM < %t/sum.bulk.cpp
// RUN: FileCheck %s --check-prefix=CONVERTED < %t/converted.bulk.cpp
// RUN: FileCheck %s --check-prefix=SHIFTED < %t/shifted.bulk.cpp
// SUM: if (any({{.*}})) {
// SUM: u + u
int sum(int a[8], int n, int k) {
  int c = a[0] & 7, u;
  if (a[1] > 1000000) {
    if (n > 2)
      u = k;
    else
      u = n;
    c = u + u;
  }
  return c;
}
// CONVERTED: if (any({{.*}})) {
// CONVERTED: static_cast<int32_t>(u)
int converted(int a[8], int n, double k) {
  int c = a[0] & 7;
  double u;
  if (a[1] > 1000000) {
    if (n > 2)
      u = k * 4;
    else
      u = n;
    c = (int)u;
  }
  return c;
}
// SHIFTED: if (any({{.*}})) {
// SHIFTED: 1 << u
int shifted(int a[8], int n, int k) {
  int c = a[0] & 7, u;
  if (a[1] > 1000000) {
    if (n > 2)
      u = k;
    else
      u = n;
    c = 1 << u;
  }
  return c;
}
