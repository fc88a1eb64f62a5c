// A variable that is set by something unsupported is not "read before it is set"; one that nothing sets is.
// RUN: not %colonnade check %s -f wide 2>&1 | FileCheck %s --check-prefix=WIDE --implicit-check-not=OBL104
// RUN: %colonnade check %s -f unset 2>&1 | FileCheck %s --check-prefix=UNSET

int wide(const int a[8]) {
  // WIDE: [[@LINE+1]]:{{.*}}error: not supported: variable of long double{{.*}}[OBL301, class U]
  long double x = a[0];
  int y = (int)(x * 2);
  return y + a[1];
}

int unset(const int a[8]) {
  int y;
  // UNSET: [[@LINE+1]]:{{.*}}warning: 'y' is read before it is set; give it a value first [OBL104]
  return y + a[1];
}
