// A store to a constant through a pointer whose type allows it is refused by name; to a copy
// of it there is nothing to say.
// RUN: not %colonnade check %s -f literal 2>&1 | FileCheck %s --check-prefix=LITERAL
// RUN: not %colonnade check %s -f table 2>&1 | FileCheck %s --check-prefix=TABLE
// RUN: not %colonnade check %s -f parameter 2>&1 | FileCheck %s --check-prefix=PARAMETER
// RUN: %colonnade check %s -f copy | FileCheck %s --check-prefix=COPY

static const int primes[3] = {2, 3, 5};

// LITERAL: :[[@LINE+3]]:8: error: not supported: a store to {{.*}}, which is constant
int literal(const int *a) {
  char *s = "";
  s[0] = (char)a[0];
  return s[0];
}

// TABLE: :[[@LINE+2]]:22: error: not supported: a store to 'primes', which is constant
int table(const int *a) {
  ((int *)primes)[1] = a[0];
  return primes[1];
}

// PARAMETER: :[[@LINE+2]]:17: error: not supported: a store to 'a', which is constant
int parameter(const int *a) {
  ((int *)a)[1] = a[0];
  return a[1];
}

// COPY: copy: accept, class A
int copy(const int *a) {
  int own[3] = {2, 3, 5};
  char s[] = "";
  ((int *)own)[1] = a[0];
  s[0] = (char)a[1];
  return own[1] + s[0];
}
