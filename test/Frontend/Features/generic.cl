// RUN: %frontends --test %s
// FEATURE: generic address space, to_global and program-scope variables
// LAUNCH: --grid 1 --block 1 --arg a:i32[4]=iota --dump a
// EXPECT: a (i32[4]): 9 1 5 3
global int counter = 4;
int get(int *p) { return *p; }
kernel void k(global int *a) {
  local int l;
  int mine = 5;
  l = 3;
  a[0] = get(a + 1) + get(&l) + get(&mine);
  global int *g = to_global(a + 2);
  if (g && !to_local(a + 2))
    *g = ++counter;
}
