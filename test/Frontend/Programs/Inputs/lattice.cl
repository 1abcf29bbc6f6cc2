// Macros that write most of the code: directions, indices, offsets, flags.
#define SIZE_X (120)
#define SIZE_Y (120)
#define SIZE_Z (150)
#define PADDED_X (128)
#define TOTAL_CELLS (PADDED_X * SIZE_Y * SIZE_Z)
typedef enum { C = 0, N, S, E, W, T, B, FLAGS, N_CELL_ENTRIES } CELL_ENTRIES;
typedef enum { OBSTACLE = 1 << 0, ACCEL = 1 << 1 } CELL_FLAGS;
#define CALC_INDEX(x, y, z, e) (TOTAL_CELLS * e + ((x) + (y) * PADDED_X + (z) * PADDED_X * SIZE_Y))
#define SWEEP_VAR int x, y, z;
#define SWEEP_X x
#define SWEEP_Y y
#define SWEEP_Z z
#define GRID_ENTRY_SWEEP(g, dx, dy, dz, e) ((g)[CALC_INDEX((dx) + SWEEP_X, (dy) + SWEEP_Y, (dz) + SWEEP_Z, e)])
#define LOCAL(g, e) (GRID_ENTRY_SWEEP(g, 0, 0, 0, e))
#define NEIGHBOR_N(g, e) (GRID_ENTRY_SWEEP(g, 0, +1, 0, e))
#define SRC(d) (LOCAL(srcGrid, d))
#define DST_N(g) (NEIGHBOR_N(g, N))
#define MAGIC_CAST(v) ((unsigned int *)((void *)(&(v))))
#define TEST_FLAG_SWEEP(g, f) ((as_uint(LOCAL(g, FLAGS))) & (f))
#define OMEGA (1.95f)
#define DFL1 (1.0f / 3.0f)
__kernel void lbm(__global float *srcGrid, __global float *dstGrid) {
  SWEEP_VAR
  SWEEP_X = get_local_id(0);
  SWEEP_Y = get_group_id(0);
  SWEEP_Z = get_group_id(1);
  float temp_swp, tempC = SRC(C), tempN = SRC(N);
  if (as_uint(LOCAL(srcGrid, FLAGS)) & (OBSTACLE)) {
    temp_swp = tempN;
    tempN = tempC;
    tempC = temp_swp;
  } else {
    float ux = +tempC - tempN, rho = tempC + tempN, u2 = 1.5f * ux * ux - 1.0f, base = OMEGA * rho;
    if (TEST_FLAG_SWEEP(srcGrid, ACCEL)) ux = 0.005f;
    base = DFL1 * base;
    tempC = (1.0f - OMEGA) * tempC + base * (-u2);
    tempN = (1.0f - OMEGA) * tempN + base * (ux * (4.5f * ux + 3.0f) - u2);
  }
  LOCAL(dstGrid, C) = tempC;
  DST_N(dstGrid) = tempN;
  unsigned int private_flags = *MAGIC_CAST(tempC);
  LOCAL(dstGrid, FLAGS) = as_float(private_flags);
}
