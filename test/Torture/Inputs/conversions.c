/* What C converts silently, and names that C++ has taken. */
extern void abort (void);
enum colour { red, green = 4 } class;
struct outer { struct inner { int new; } part; char text[4]; } object;
struct inner this = { 7 };

static int *places (void *memory) { return memory; }

int main (void)
{
  char c = sizeof 'x';
  int cells[2] = { 1, 2 }, *p = places (cells);
  class = 4;
  object.part = this;
  object.text[1] = 'b';
  if (c != sizeof (int) || p[1] != 2)
    abort ();
  if (class != green || object.part.new != 7 || object.text[1] != 98)
    abort ();
  return 0;
}
