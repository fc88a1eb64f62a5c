/* Relies on signed overflow, where the interpreter stops. */
extern void abort (void);
int big = 0x7fffffff;
int main (void)
{
  int sum = 0;
  if (big != 0x7fffffff)
    abort ();
  sum = big + 1;
  return sum == 5;
}
