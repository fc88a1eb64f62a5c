static int helper(int a) { return a + 1001; }
int callee(int a) { return helper(a); }
