/* Class U by its goto alone: what stands behind a return is reached by it. */
extern void abort (void);
int start = 1;
int main (void)
{
  if (start)
    goto found;
  abort ();
  return 1;
found:
  if (start != 1)
    abort ();
  return 0;
}
