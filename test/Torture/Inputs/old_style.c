/* Old definitions, an implicit int, statics and prototypes in functions, exit in main. */
int table[4] = {3, 1, 4, 1};
static short total;

count (step)
     int step;
{
  static int calls = 2;
  void abort (void);
  if (calls < 2)
    abort ();
  calls += step;
  return calls;
}

main ()
{
  int i;
  for (i = 0; i < 4; i++)
    total += table[i];
  if (total != 9)
    abort ();
  if (count (1) != 3 || count (2) != 5)
    abort ();
  exit (0);
}
