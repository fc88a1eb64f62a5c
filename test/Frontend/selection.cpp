// Functions by qualified name, signature and template arguments.
// RUN: %colonnade check %s -f ns::twice --dump=raw | FileCheck %s --check-prefix=TWICE
// RUN: %colonnade check %s -f "f(int*,int)" --dump=raw | FileCheck %s --check-prefix=INTS
// RUN: %colonnade check %s -f "scaled<float,8>" --dump=raw | FileCheck %s --check-prefix=INSTANCE
// However the arguments of a template are spelt, or left to their defaults.
// RUN: %colonnade check %s -f "summed<float,8>" --dump=raw | FileCheck %s --check-prefix=SUMMED
// RUN: %colonnade check %s -f "summed<float,4+4>" --dump=raw | FileCheck %s --check-prefix=SUMMED
// RUN: %colonnade check %s -f "first<unsigned>" --dump=raw | FileCheck %s --check-prefix=FIRST
// RUN: not %colonnade check %s -f f 2>&1 | FileCheck %s --check-prefix=AMBIGUOUS
// RUN: not %colonnade check %s -f ns::twise 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %colonnade check %s -f "scaled<8>" 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: %colonnade check %s -f ns::hidden --dump=raw | FileCheck %s --check-prefix=HIDDEN
// RUN: %colonnade check %s -f "ns::(anonymous namespace)::hidden" --dump=raw | FileCheck %s --check-prefix=HIDDEN
// RUN: not %colonnade check %s -f "called::operator()" 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: not %colonnade check %s -f "called::operator()(int*)" 2>&1 | FileCheck %s --check-prefix=CALLED
// The const of a parameter itself is no part of a signature.
// RUN: %colonnade check %s -f "fixed(int, const int *)" --dump=raw | FileCheck %s --check-prefix=FIXED
// RUN: %colonnade check %s -f "fixed(const int, const int *const)" --dump=raw | FileCheck %s --check-prefix=FIXED
// RUN: not %colonnade check %s -f "fixed(int, int *)" 2>&1 | FileCheck %s --check-prefix=POINTEE
// RUN: not %colonnade check %s -f bodyless 2>&1 | FileCheck %s --check-prefix=BODYLESS

namespace ns {
// TWICE: func "ns::twice"
void twice(int *a) { a[0] *= 2; }
namespace {
// HIDDEN: func "ns::(anonymous namespace)::hidden"
void hidden(int *a) { a[0] = 3; }
} // namespace
} // namespace ns

// BODYLESS: no function 'bodyless' with a body in these files{{$}}
void bodyless(int *a);

// INTS: func "f" raw mangled "_Z1fPii"
void f(int *a, int n) { a[n] = 1; }
void f(float *a, int n) { a[n] = 2; }
// AMBIGUOUS: 'f' is ambiguous; candidates:
// AMBIGUOUS-NEXT: f(int*,int) at {{.*}}selection.cpp:
// AMBIGUOUS-NEXT: f(float*,int) at {{.*}}selection.cpp:

// INSTANCE: func "scaled<float, 8>"
template <class T, int N> void scaled(T *a) {
  for (int i = 0; i < N; ++i)
    a[i] *= 2;
}

// FIXED: func "fixed" raw mangled "_Z5fixediPKi"
// POINTEE: no function 'fixed(int, int *)' with a body
int fixed(const int n, const int *const a) { return a[n]; }
int fixed(const float n, const int *const a) { return a[int(n)]; }

// SUMMED: func "summed<float, 8UL>"
template <class T, unsigned long N> T summed(const T *a) {
  T sum{};
  for (unsigned long i = 0; i < N; ++i)
    sum += a[i];
  return sum;
}
// FIRST: func "first<unsigned int, double>"
template <class T, class U = double> U first(const T *a) { return a[0]; }

// CALLED: member function as an entry: wrap it in a free function
struct called {
  void operator()(int *a) const { a[0] = 4; }
};

// UNKNOWN: no function 'ns::twise' with a body in these files; did you mean 'ns::twice'
// ARGUMENTS: does not compile
