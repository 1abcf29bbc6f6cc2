// Texture and surface instructions in inline assembly read and write what our
// headers' functions do.
// RUN: %heddle run %s --launch %S/../Features/Inputs/cubemaps.yaml --kernel k --dump o | FileCheck %s
// RUN: %heddle run %s --launch %S/../Features/Inputs/cubemaps.yaml --kernel k --dump o --engine interpreter | FileCheck %s
// CHECK: o (f32[16]): 10 6.5 9 10 10 0.5 4 4
extern "C" __global__ void k(cudaTextureObject_t cube, cudaTextureObject_t smooth, cudaTextureObject_t cubes,
                             cudaTextureObject_t plane, cudaSurfaceObject_t surface, float *o) {
  float x, y, z, w;
  asm("tex.cube.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"
      : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(cube), "f"(1.0f), "f"(0.0f), "f"(0.0f));
  o[0] = x;
  asm("tex.level.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;"
      : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(plane), "f"(2.5f), "f"(1.5f), "f"(0.0f));
  o[1] = x + 0.5f;
  asm("tld4.r.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(plane), "f"(2.0f), "f"(2.0f));
  o[2] = x;
  o[3] = y;
  asm("tex.2d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(plane), "r"(2), "r"(2));
  o[4] = x;
  asm volatile("sust.b.a2d.b32.trap [%0, {%1, %2, %3, %3}], {%4};" ::"l"(surface), "r"(3), "r"(4), "r"(2), "f"(0.5f));
  asm volatile("suld.b.a2d.b32.zero {%0}, [%1, {%2, %3, %4, %4}];" : "=f"(x) : "l"(surface), "r"(3), "r"(4), "r"(2));
  o[5] = x;
  unsigned n, m;
  asm("txq.width.b32 %0, [%2]; txq.height.b32 %1, [%2];" : "=r"(n), "=r"(m) : "l"(plane));
  o[6] = n;
  o[7] = m;
}
