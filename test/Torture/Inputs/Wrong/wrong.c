/* Fails: two and two are four. */
extern void abort (void);
int two = 2;
int main (void)
{
  if (two + two != 5)
    abort ();
  return 0;
}
