// RUN: %python %S/verdicts.py %colonnade %s --validate -- -w -std=c++20
//
// What pointers to pointers lead to is there when the original is called, at every level.
struct Rows { float *const *rows; int n; };
// expect AP
void rows_of(Rows *b) { b->rows[0][0] = 1; }
struct Pair { float **f; };
// expect AP
void second(Pair *p) { (*p->f)[1] = 3; }
// expect AP
void by_value(Pair p) { p.f[0][1] = 3; }
struct In { float *d; int k; };
struct Out { In **in; };
// expect AP
void struct_behind(Out *p) { (*p->in)->d[0] = 2; }
// expect AP
void three(float ***e) { (**e)[0] = 2; }
// expect AP
void referred(float **&p) { (*p)[0] = 1; }
struct Deep { In ***in; };
// expect AP
void deep(Deep *p) { (**p->in)->d[2] += 2; (**p->in)->k++; }
// expect AP
void plain(float *const *p) { p[0][1] = 2; }
// expect NSKTRU
void leaks(Out *p) { (*p->in)->d[(*p->in)->k * (*p->in)->k] = 2; }
