int total(const int *b, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += b[i];
  return s;
}
float total(const float *b) { return b[0] + b[1]; }

template <class T, int Factor = 2> T times(T x) { return Factor * x; }
float scaled(const float *b) { return times(b[0]); }
