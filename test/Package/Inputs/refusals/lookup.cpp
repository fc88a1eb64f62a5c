void lookup(float *a, const int *where, int n) {
  for (int i = 0; i < n; i++)
    a[i] += a[where[i]];
}
