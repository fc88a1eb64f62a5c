void pair(const int a[2], int s[1], int d[1]) {
  s[0] = a[0] + a[1];
  d[0] = a[0] - a[1];
}
