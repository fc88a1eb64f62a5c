// C++98: results, objects and references are passed without what later versions have.
struct Pair {
  int first, second;
};
template <class T, int N> static T scaled(const T &x) { return x * N; }
int cell(const int a[4], Pair p, int &last) {
  last = scaled<int, 3>(a[3] & 255);
  return scaled<int, 2>(a[0] & 255) + (p.first & 7) + (p.second & 7);
}
Pair both(const int a[4]) {
  Pair p = {a[0], a[1]};
  return p;
}
