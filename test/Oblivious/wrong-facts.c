// Facts that name nothing, or instance data where a size is needed, are errors at once.
//
// RUN: not %colonnade check %s -f f --extent cells=cout 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %colonnade check %s -f f --extent cells=len 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: not %colonnade check %s -f f --extent cells=count --instance count 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: not %colonnade check %s -f f --extent cell=8 2>&1 | FileCheck %s --check-prefix=MEAN
// RUN: not %colonnade check %s -f f --bound 28=cout 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: not %colonnade check %s -f f --bound 28=count --instance count 2>&1 | FileCheck %s --check-prefix=BOUNDDATA
// RUN: not %colonnade check %s -f f --bound 27=8 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: not %colonnade check %s -f f -f g --bound 27=8 2>&1 | FileCheck %s --check-prefix=LINES
// RUN: %colonnade check %s -f f -f g --bound 28=8 | FileCheck %s --check-prefix=ONE
// RUN: not %colonnade check %s -f f -f g --bound wrong-factsc:28=8 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not %colonnade check %s -f declared 2>&1 | FileCheck %s --check-prefix=DECLARED
// RUN: not %colonnade check %s -f malformed 2>&1 | FileCheck %s --check-prefix=MALFORMED
// RUN: not %colonnade check %s -f declared_n --instance n 2>&1 | FileCheck %s --check-prefix=DECLAREDN
// RUN: %colonnade check %s -f declared_n --instance n --extent b=8

// NAME: {{^}}error: the extent 'cout' of 'cells': 'f' has no parameter 'cout'; did you mean 'count'?
// ARRAY: {{^}}error: the extent 'len' of 'cells': 'len' is no uniform integer
// DATA: {{^}}error: the extent 'count' of 'cells': 'count' is instance data
// MEAN: {{^}}error: --extent cell: 'f' has no parameter of that name; it has 'cells', 'count', 'len'; did you mean 'cells'?
// BOUND: {{^}}error: the bound 'cout' at {{.*}}wrong-facts.c:28:3: 'f' has no parameter 'cout'; did you mean 'count'?
// BOUNDDATA: {{^}}error: the bound 'count' at {{.*}}: 'count' is instance data
// LINE: {{^}}error: --bound 27=8: 'f' has no loop at line 27
// LINES: {{^}}error: --bound 27=8: none of the functions has a loop there
#include <colonnade/annotate.h>
void f(float *cells, int *len, int count) {
  while (len[0] > 0)
    cells[0] += --len[0] + count;
}
// ONE: g: accept, class A
// FILE: {{^}}error: --bound wrong-factsc:28=8: none of the functions has a loop there

int g(const int *b, int n) { return b[n]; }

int declared(const int *b COLONNADE_EXTENT(m), int n) { return b[n]; }
// DECLARED: {{^}}error: the extent 'm' of 'b': 'declared' has no parameter 'm'

int malformed(const int *b COLONNADE_EXTENT(n +), int n) { return b[n]; }
// MALFORMED: {{^}}error: COLONNADE_EXTENT(n +) of 'b': {{.+}}

int declared_n(const int *b COLONNADE_EXTENT(n), int n) { return b[0]; }
// DECLAREDN: {{^}}error: the extent 'n' of 'b': 'n' is instance data
