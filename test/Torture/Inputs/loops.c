/* Loops, a two-dimensional array and a string. */
extern void abort (void);
unsigned char grid[3][4];
const char word[] = "abc";
int main (void)
{
  int i, j;
  for (i = 0; i < 3; i++)
    for (j = 0; j < 4; j++)
      grid[i][j] = i * 100 + j * word[j % 3];
  if (grid[2][3] != 235)
    abort ();
  return 0;
}
