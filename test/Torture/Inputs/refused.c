/* Class U: the address of a label. */
extern void abort (void);
int main (void)
{
  void *where = &&end;
  goto *where;
  abort ();
end:
  return 0;
}
