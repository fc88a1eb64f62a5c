// What other code can call, and what it cannot: test/Driver/calls.test.
class Hidden {
  struct In {
    static float first(const float *x) { return x[0]; }
  };
  enum E { A, B };

public:
  struct Open {
    static float first(const float *x) { return x[0]; }
  };
  static float both(const float *x);
};

template <class T> float one(const float *x) { return T::first(x); }
template <auto V> float value(const float *x) { return x[V]; }
template <class F> float applied(F f, const float *x) { return f(x[0]); }
enum { Unnamed = 1 };

float Hidden::both(const float *x) {
  return one<In>(x) + one<Open>(x) + value<A>(x) + value<Unnamed>(x);
}

float local(const float *x) {
  struct Local {
    static float first(const float *y) { return y[1]; }
  };
  return one<Local>(x) + applied([](float v) { return -v; }, x);
}
