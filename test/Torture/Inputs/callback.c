/* No C++ as a class: a function as a value. */
extern void abort (void);
int twice (int x) { return 2 * x; }
int apply (int (*f) (int), int x) { return f (x); }
int main (void)
{
  if (apply (twice, 4) != 8)
    abort ();
  return 0;
}
