inline int length(const int *p) {
  int n = 0;
  while (p[n] != 0)
    n++;
  return n;
}
