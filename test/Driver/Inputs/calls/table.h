static inline int last(const int *a, int n) {
  int class = a[0]; /* no C++ */
  for (int i = 1; i < n; i++)
    class = a[i];
  return class;
}
