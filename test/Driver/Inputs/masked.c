// Writes outside `a` where *k > 7.
void masked(float *a, const int *k, int n) {
  for (int i = 0; i < n; i++)
    if (*k > 7)
      a[i + 1] = 1;
}
